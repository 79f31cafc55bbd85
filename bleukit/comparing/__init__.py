"""Comparing systems: intervals, significance tests and ranks. The entry point is :func:`bleukit.compare`."""
