"""What every component and every variant must keep, whatever the documents say."""
