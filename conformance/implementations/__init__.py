"""Other implementations of BLEU: what they are asked, and what they answer."""
