"""The Standings page and its other views."""
