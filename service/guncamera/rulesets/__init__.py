"""The rule sets. Each folder exports `RULESET`; see docs/adding-a-ruleset.md."""
