"""How a score comes about, and why two scores differ."""
