"""The game itself: tiles, board, score sheets, annotated games. It knows no rule set and takes plain parameters.

Standard library only, and nothing of the other rooms. `tiles`: sets of tiles, and who starts. `coordinates`,
`notation`: how squares and words are written. `board`: premiums, legality, words and scores. `sheet`, `replay`: a
score sheet and its arithmetic. `gcg`, `gcg_check`, `gcg_sheet`: annotated games in their file format, their
arithmetic, and their likeness to a sheet. `wordlist`: what a word list must answer, and how words become tiles.

A tile is a string: a letter of the set in upper case (`A`, `Å`, `IJ`), the same in lower case for a blank that
represents it, or `?` for a blank not yet played. Rows, columns, players and turns are numbered from 1.
"""
