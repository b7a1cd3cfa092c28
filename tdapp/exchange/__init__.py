"""Import and export of files: bytes to documents and back.

Readers return the documents of `tdapp.domain.entries`. They never change a tournament. Errors are InputError with
source, line and field. Writers return bytes.
"""
