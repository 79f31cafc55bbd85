"""Several metrics or systems on one text: what they share is computed once."""
