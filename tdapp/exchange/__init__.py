"""Files in and out: bytes to documents and back.

Readers turn bytes into the plain documents of `tdapp.domain.entries` or raise InputError with source, line and
field; they never touch a tournament. Writers return bytes. `detect` tells the formats apart by content.
"""
