"""Runs the suite: the plugins are in processes of their own."""
