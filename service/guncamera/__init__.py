"""Guncamera rules on air combat at the table, and keeps the film."""
