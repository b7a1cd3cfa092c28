"""Import and export of files: bytes to documents and back.

Readers return the plain documents of `tdapp.domain.entries`, or raise InputError with source, line and field. They
never change a tournament. Writers return bytes.

`imports.detect_format` recognises a format by its content. Tables from any format become a `CellGrid` (module
`cells`), so that all lists of players have one reader.
"""
