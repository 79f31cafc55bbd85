"""The conformance suite: what the source documents print, as YAML, and what runs it."""
