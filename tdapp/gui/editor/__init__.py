"""Forms and lists that are built from declarations. `editor` shows an example."""
