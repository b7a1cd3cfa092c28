"""Files in and out: bytes to documents and back.

Readers turn bytes into the plain documents of `tdapp.domain.entries` or raise InputError with source, line and
field; they never touch a tournament. Writers return bytes. `detect` tells the formats apart by content; `incoming`
has a row for each that can be read, `outgoing` for each that can be written. Whatever holds a table comes as the
`Grid` of `cells`, so that a list of players is read in one way wherever it stands.
"""
