"""BLEU: variants and their components, from segments to statistics, and from sums to scores."""
