"""Interfaces that evaluation code already calls, with the same results: change one import and keep the code."""
