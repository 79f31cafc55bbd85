"""Comparing systems: intervals, tests and ranks; :func:`bleukit.compare` is the way in."""
