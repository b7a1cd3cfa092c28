"""Forms and lists that are declared, not built: see `editor` for how."""
