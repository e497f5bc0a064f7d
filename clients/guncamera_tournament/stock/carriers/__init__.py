"""Stock pilots of `carriers`."""
