"""The calls for asyncio, over no transport in particular. `_blocking` is derived from it."""
