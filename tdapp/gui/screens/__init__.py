"""Slides of the public tournament on a second display, controlled by the director."""
