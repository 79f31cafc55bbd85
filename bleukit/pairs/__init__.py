"""Scores of every pair of texts: matrices, MBR decoding, self-BLEU and near-duplicates."""
