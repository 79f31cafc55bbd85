"""What is installed."""
