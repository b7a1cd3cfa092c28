"""The Bracket page."""
