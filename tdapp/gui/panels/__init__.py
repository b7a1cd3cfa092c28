"""Details at the right of a page."""
