"""Generated from proto/guncamera/v1 by `make proto`. Do not edit."""
