"""Scores of every pair of texts: matrices, MBR decoding and self-BLEU."""
