"""The module recipe of evaluate."""
