"""Why a text has the score it has: which recipes give it, and why two recipes differ."""
