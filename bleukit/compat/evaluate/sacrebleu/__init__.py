"""The module sacrebleu of evaluate."""
