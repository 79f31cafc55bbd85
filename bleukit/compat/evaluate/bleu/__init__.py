"""The module bleu of evaluate."""
