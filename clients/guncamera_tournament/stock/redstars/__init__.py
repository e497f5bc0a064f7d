"""Stock pilots of `redstars`."""
