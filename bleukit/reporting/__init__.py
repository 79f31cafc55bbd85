"""Results as a page: one HTML file that a browser opens from disk, without a network."""
