"""The version of bleukit."""

__version__ = "0.1.0"
