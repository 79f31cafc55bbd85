"""BLEU inside of what processes tables: Spark, Polars, DuckDB. Statistics are counted in batches, and summed there."""
