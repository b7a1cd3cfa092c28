"""Building blocks of pages, panels and dialogs: fields, tables, texts and colours."""
