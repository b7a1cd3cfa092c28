"""The game itself: tiles, board, score sheets and annotated games, with plain parameters instead of rule sets.

Imports only the standard library and msgspec. `tiles`: tile sets and the draw for the start. `coordinates`:
notation of squares. `board`: notation of words, premiums, legality, words and scores. `sheet`, `replay`: a
score sheet and its arithmetic. `gcg`, `gcg_check`, `gcg_sheet`: annotated games as files, their arithmetic, and
their conversion to sheets. `wordlist`: the interface of word lists, and words as tiles.

A tile is a string: a letter of the set in upper case (`A`, `Å`, `IJ`), the same in lower case for a blank that
represents it, or `?` for an unplayed blank. Rows, columns, players and turns are numbered from 1.
"""
