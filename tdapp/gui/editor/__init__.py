"""Declared forms and lists. See `editor`."""
