"""Forms and lists built from declarations. The module `editor` shows an example."""
