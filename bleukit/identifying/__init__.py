"""Which BLEU a published score is."""
