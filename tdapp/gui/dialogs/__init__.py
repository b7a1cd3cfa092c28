"""Dialogs: assistants, and what cannot be undone."""
