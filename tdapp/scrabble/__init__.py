"""The game of Scrabble: tiles, board, score sheets and annotated games, without rule sets.

A tile is a string: a capital letter of the set, such as `A`, `Å` or `IJ`. A blank played as a letter is this
letter in lower case; an unplayed blank is `?`. Rows, columns, players and turns are numbered from 1.
"""
