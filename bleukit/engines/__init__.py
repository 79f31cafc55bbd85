"""Metrics inside of Spark: statistics are counted in batches, and summed there."""
