"""The rules of Scrabble tournaments, as immutable values and pure functions. Standard library and msgspec only.

`model` declares the rows of a tournament, `tournament` the value and the difference of two values, and `commands`
the changes. `ruleset` declares the rules as data. `outcome` scores a game; `records` and `standings` summarise the
games. `tables` are the lists that the window, printouts and web pages show.
"""
