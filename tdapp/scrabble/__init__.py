"""The game of Scrabble: tiles, board, score sheets and annotated games.

It does not know rule sets: callers pass the rules as parameters. It imports only the standard library and msgspec.
`tiles`: tile sets and the draw for the start. `coordinates`: written squares. `board`: written words, legal plays,
words and scores. `sheet`, `replay`: a score sheet and its recomputation. `gcg`, `gcg_check`:
annotated games as files, their recomputation, and their conversion to sheets. `wordlist`: the interface of word
lists, and words as tiles.

A tile is a string: a capital letter of the set (`A`, `Å`, `IJ`), the same in lower case for a blank played as that
letter, or `?` for an unplayed blank. Rows, columns, players and turns are numbered from 1.
"""
