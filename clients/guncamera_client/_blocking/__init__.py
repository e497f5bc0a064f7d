"""The calls, blocking, over no transport in particular. Derived from `_aio`: edit that one."""
