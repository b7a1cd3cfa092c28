"""Forms and lists built from declarations. `editor` shows an example."""
