"""What pages, panels and dialogs are built from: fields, tables, looks."""
