"""The Printouts page: reports, previews, printing."""
