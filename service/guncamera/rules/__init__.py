"""The pure core: what every rule set is made of. No clock, chance, I/O, logging or wire types."""
