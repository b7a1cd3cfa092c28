"""The rules of Scrabble tournaments, as immutable values and pure functions. Standard library and msgspec only."""
