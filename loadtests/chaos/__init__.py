"""`make chaos`: real play under faults, and a check after each that nothing was lost or doubled."""
