"""Import and export of files: bytes to documents and back.

Readers return the documents of `tdapp.domain.entries`, or raise InputError with source, line and field. They never
change a tournament. Writers return bytes. Tables from any format become a `CellGrid`.
"""
