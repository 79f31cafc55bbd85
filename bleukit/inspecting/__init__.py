"""Why a text has the score it has: which variants give it, and why two variants differ."""
