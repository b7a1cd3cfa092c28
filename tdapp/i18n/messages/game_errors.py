"""A sentence for every trouble with a game: score sheets, challenges, annotated games, plays and sums."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.mark import N_, Plural, Text

GAMES: Mapping[str, Text] = MappingProxyType(
    {
        # score sheets and rule sets
        "sheet-invalid": N_("The score sheet cannot be used: {problems}."),
        "tileset-not-here": N_("The sheet is written for the tile set {tileset}, which is not known here."),
        "sheet-not-of-two": N_("A game here is of two players; this sheet has {players}."),
        "gcg-without-squares": N_(
            "Turn {turn} has no square, so the game cannot be written down square by square."
        ),
        "too-many-at-table": N_("{players} players are too many; these rules have at most {most}."),
        "rule-number-within": N_("Type a whole number from {least} to {most}."),
        "rule-number-any": N_("Type a whole number."),
        "rule-fraction": N_("Type a number or a fraction: 1, 1/2 or 0.5."),
        "rule-text": N_("Type a name."),
        "rule-order": N_("Choose at least one."),
        "rule-range": N_("{low} is above {high}."),
        "rule-needed": N_("The other rules need this: type a number."),
        "no-such-tileset": N_("There is no tile set {tileset}. Known are: {known}."),
        "tileset-invalid": N_("The tile set cannot be used: {problems}."),
        "tileset-unreadable": N_("The tile set cannot be read: {problem}."),
        "rating-unfit": N_("The rating system cannot be used: {problems}."),
        "rating-unreadable": N_("The rating system cannot be read: {problem}."),
        # before the first move
        "late-not-in-rules": N_("{ruleset} does not say what becomes of late players."),
        "draw-missing": N_("Every player draws a tile."),
        "draw-players": N_("These players draw again, and nobody else: {detail}."),
        "draw-superfluous": N_("The start was decided by an earlier draw."),
        # challenges
        "joint-verdict-needed": N_("The judges differ. Enter their joint verdict."),
        "second-verdict-missing": N_("Enter the second judge’s verdict."),
        "word-list-missing": N_("There is no word list to ask. Choose one in the tournament’s settings."),
        "verdict-open": N_("The word list does not decide on this play. Enter the judge’s verdict."),
        # files of annotated games
        "gcg-none": N_("There are no annotated games (*.gcg) in this folder."),
        "gcg-too-many": N_("There are too many files; {most} are allowed."),
        "gcg-unmatched": N_("{file}: there is no published game of {players} without a sheet, or more than one."),
        "gcg-too-large": N_("The file is too large for an annotated game."),
        "gcg-binary": N_("This is not a text file."),
        "gcg-encoding": N_("The encoding is not known: {detail}."),
        "gcg-empty": N_("There is no game in this file."),
        "line-unreadable": N_("This line cannot be read: {detail}."),
        "event-unreadable": N_("This move cannot be read: {detail}."),
        "player-unknown": N_("There is no player {detail} in this game."),
        "player-unreadable": N_("This player cannot be read: {detail}."),
        "too-many-players": N_("There are too many players."),
        "duplicate-names": N_("Two players have the same name: {detail}."),
        "duplicate-nicks": N_("Two players have the same short name: {detail}."),
        "encoding-not-first": N_("The encoding is named only after other lines."),
        "game-type-unknown": N_("This kind of game is not known: {detail}."),
        "line-too-long": N_("A line is very long."),
        "more-than-two-players": N_("The game has more than two players."),
        "no-play": N_("There is no play in this game."),
        "note-before-events": N_("A note stands before the first move."),
        "player-undeclared": N_("A player is not named at the head of the file: {detail}."),
        "pragma-repeated": N_("This line is there twice: {detail}."),
        "pragma-unknown": N_("This line is not known: {detail}."),
        # a turn as it is typed
        "turn-empty": N_("Nothing is written here."),
        "turn-unreadable": N_("“{detail}” is not understood here. ? shows how a turn is written."),
        "turn-without-word": N_("{detail}: the word is missing."),
        "turn-tiles": N_("An exchange is of 1 to 7 tiles."),
        "turn-words": N_("One to eight words of a play can be wrong."),
        "turn-points": N_("{detail}: nobody scores that much."),
        "turn-mark": N_("Such a turn has no {detail}."),
        # sums
        "score-differs": N_("The score is {computed}, not {stated}."),
        "score-missing": N_("The score is missing."),
        "total-differs": N_("The total is {computed}, not {stated}."),
        "total-missing": N_("The total is missing; it is {computed}."),
        "forms-differ": N_("The other form says {other}, not {stated}."),
        # turns
        "off-turn": N_("Another player was to move."),
        "turn-after-end": N_("The game was over before this turn."),
        "pass-twice": N_("A player may not pass twice running."),
        "pass-not-allowed": N_("Passing is not allowed while there are tiles in the bag ({stated})."),
        "exchange-too-few": N_("Only {stated} tiles are in the bag; an exchange needs {computed}."),
        "phony-not-in-rules": N_("These rules have no penalty for a wrong word found after the play."),
        "contested-not-in-rules": N_("These rules do not let a play be contested and replaced."),
        "challenge-without-play": N_("There is no play that could have been challenged."),
        "withdrawn-without-play": N_("There is no play that could be taken back."),
        "event-after-end": N_("A move stands after the end of the game."),
        "event-after-rack": N_("A move stands after the racks of the end ({detail})."),
        # plays
        "coordinate-unreadable": N_("This square cannot be read: {detail}."),
        "word-unreadable": N_("This word cannot be read: {detail}."),
        "letter-unknown": N_("The tile set has no {detail}."),
        "direction-missing": N_("It is not clear whether the word runs across or down."),
        "direction-turned": N_("The word fits only in the other direction."),
        "off-board": N_("The word runs off the board."),
        "square-occupied": N_("Another letter lies on a square of this word."),
        "nothing-to-play-through": N_("There is no letter to play through."),
        "word-incomplete": N_("The word is longer on the board than it is written."),
        "no-new-tile": N_("No new tile is laid."),
        "too-many-tiles": N_("{stated} new tiles are too many; a rack has {computed}."),
        "not-in-line": N_("The tiles do not lie in one line."),
        "gap": N_("There is a gap between the tiles."),
        "one-tile-first": N_("The first word needs two letters."),
        "centre-not-covered": N_("The first word does not cover the centre."),
        "not-connected": N_("The word does not touch another one."),
        "tile-over-used": Plural(
            "There is one tile {detail} in the set; {stated} are in use.",
            "There are {computed} tiles {detail} in the set; {stated} are in use.",
            "computed",
        ),
        "tile-not-on-rack": N_("These tiles were not on the rack: {detail}."),
        # words
        "word-not-in-list": N_("{detail} is not in the word list."),
        "word-not-binding": N_("The word list does not decide on {detail}: the jury does."),
        # racks and the end
        "rack-unreadable": N_("A rack cannot be read: {detail}."),
        "rack-too-long": N_("A rack of {stated} tiles is too long; it has {computed}."),
        "rack-differs": N_("The racks are worth {stated}, but {computed} by the tiles that are not on the board."),
        "racks-differ": N_("The rack is written in two ways: {detail}."),
        "rack-missing": N_("It is not said what was left on the racks."),
        "rack-not-empty": N_("The player who is out has tiles left, worth {stated}."),
        "end-rack-differs": N_("The tiles left are not those that are missing on the board: {detail}."),
        "end-rack-national": N_("The rack is added once and deducted once, not added twice."),
        "out-impossible": N_("Nobody can be out: {stated} tiles are not on the board."),
        "nobody-out": N_("Everybody has tiles left, but the game is said to have ended by a player being out."),
        "end-not-in-rules": N_("These rules do not end a game like this: {detail:Ended}."),
        "row-incomplete": N_("The row of turns that ends the game is {stated} long; it needs {computed}."),
        "bag-not-empty": N_("There are {stated} tiles in the bag, so the game is not over."),
        "overtime-not-in-rules": N_("These rules do not count overtime ({stated} s)."),
        "overtime-stops-game": N_(
            "The overtime of {stated} s is beyond {computed} s: the game is lost there and then."
        ),
        "sanction-not-in-rules": N_("The rules do not name this sanction: {detail:SanctionKind}."),
    }
)
