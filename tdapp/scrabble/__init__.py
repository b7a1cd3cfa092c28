"""The game of Scrabble: tiles, board, score sheets and annotated games, without rule sets.

It imports only the standard library and msgspec.

A tile is a string: a capital letter of the set (`A`, `Å`, `IJ`), the same in lower case for a blank played as that
letter, or `?` for an unplayed blank. Rows, columns, players and turns are numbered from 1.
"""
