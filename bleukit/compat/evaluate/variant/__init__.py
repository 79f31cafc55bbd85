"""The module variant of evaluate."""
