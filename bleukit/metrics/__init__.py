"""Metrics beside BLEU."""
