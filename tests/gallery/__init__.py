"""Pictures of all pages, panels and dialogs: `python -m tests.gallery OUT`. Tests open the same scenes."""
