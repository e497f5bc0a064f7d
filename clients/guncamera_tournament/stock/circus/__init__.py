"""Stock pilots of `circus`."""
