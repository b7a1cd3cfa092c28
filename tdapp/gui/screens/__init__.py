"""What the room sees on a second display: slides from the public tournament, painted, paged, and led by hand."""
