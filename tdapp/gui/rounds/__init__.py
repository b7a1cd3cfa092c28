"""The Rounds page: pairings and results."""
