"""The English text of every code: errors, reasons, steps, words and headings."""
