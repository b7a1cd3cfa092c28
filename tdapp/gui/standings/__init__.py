"""The Standings page and what is shown beside it."""
