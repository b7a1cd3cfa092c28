"""Slides about the tournament on a second display for the public, controlled by the director."""
