"""Running the service: settings, workers, and the process that keeps them alive."""
