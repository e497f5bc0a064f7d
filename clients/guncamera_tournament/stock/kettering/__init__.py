"""Stock pilots of `kettering`."""
