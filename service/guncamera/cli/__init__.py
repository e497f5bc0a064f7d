"""The command line: `guncamera serve`, `rule`, `odds`, `play`, `replay`, `verify` and the rest."""
