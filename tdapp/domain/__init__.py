"""What a tournament is and what may happen to it, as values and pure functions of the standard library.

`model` holds the value, `commands` all that changes it, `tournament` the difference of two values, `ruleset` the
rules as data, `outcome` what a game is worth, `records` and `standings` what follows from the games, `tables`
what people look at.
"""
