"""The English of every code the program speaks: errors, reasons, steps, words and headings."""
