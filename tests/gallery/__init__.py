"""Pictures of every page, panel and dialog: `python -m tests.gallery OUT`, and what tests walk through."""
