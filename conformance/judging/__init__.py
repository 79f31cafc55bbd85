"""Cases as data, what comes of them, and what is judged of it."""
