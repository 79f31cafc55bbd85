"""What a run found, as text, Markdown, JSON, JUnit and HTML."""
