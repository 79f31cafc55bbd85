"""What is scored: checked arguments of Python callers, text files, evaluation sets."""
