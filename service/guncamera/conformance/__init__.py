"""Case files, and running them against the core, a client, or any service's address."""
