"""What the line in the result field would do, in words, before anything is done.

Hides how that is found out: the very command is tried on the tournament's value, which it cannot change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from html import escape
from types import MappingProxyType

from tdapp.domain import commands, outcome, reckoning
from tdapp.domain.commands import Seen
from tdapp.domain.entry_line import CLOCKS, FORFEITS, Entry, Help, Meaning, Partial, Problem, parse
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Forfeit, GameId, PlayerId, Result, Round, Start, Tournament
from tdapp.domain.records import Entry as RecordEntry
from tdapp.domain.records import Record, cap_of, records
from tdapp.domain.ruleset import OvertimeKind
from tdapp.domain.tables import rounds
from tdapp.domain.tables.incidents import minutes_and_seconds
from tdapp.domain.tables.rounds import PairingRow
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.mark import C_, N_

_PROBLEMS: Mapping[str, str] = MappingProxyType(
    {
        "no-such-table": N_("There is no table {table} in this round."),
        "player-not-at-table": N_("Player {player} does not sit at a table in this round."),
        "unreadable": N_("“{word}” is not understood. Type ? to see what is."),
        "too-much": N_("“{word}” is too much. Type ? to see what is understood."),
        "not-together": N_("Player {other} is not at table {table}: {name} plays {opponent}."),
        "same-player": N_("Player {player} stands there twice."),
        "nothing-to-clear": N_("Table {table} has no result yet."),
        "one-starter": N_("Table {table}: only one player can have started."),
        "scores-before-clock": N_("The scores come before “{word}”: 7 412 388 {word}."),
        "one-out-of-time": N_("Table {table}: only one player’s time can have run out."),
        "start-assigned": N_("Table {table}: the pairing says that {first_name} starts."),
        "ambiguous": N_(
            "This can mean table {table} or player {player}. Put * after the score of the player who started."
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Echo:
    """What to show under the field, as rich text in a tone, with a second line; and what Enter would do.

    `game` is the key of the row that is meant. `entry` is set where Enter does it, `old` is what it replaces.
    `asks` says what else is wanted: "again" (Enter once more, with `again` as the second line by then), "confirm"
    (Ctrl+Enter) or "reason".
    """

    text: str
    more: str = ""
    tone: str = "muted"
    game: str = ""
    entry: Entry | None = None
    old: Result | None = None
    asks: str = ""
    again: str = ""
    help: bool = False


class Reader:
    """Reads lines against one round of one value of the tournament."""

    def __init__(self, index: Index, item: Round, words: Catalogue) -> None:
        self.index = index
        self.item = item
        self.rows = rounds.pairings(index, item).rows
        self._words = words
        self._known: Mapping[PlayerId, Record] | None = None
        self._letters = forfeit_words(words)
        self._clocks = clock_words(words)

    def echo(self, line: str) -> Echo:
        """Return what `line` would do."""
        meaning = parse(line, self.rows, forfeits=self._letters, clocks=self._clocks)
        if isinstance(meaning, Entry):
            return self._of_entry(meaning)
        return self._of_other(meaning)

    def command(self, echo: Echo, *, confirmed: bool = False, reason: str = "") -> partial[Tournament]:
        """Return the command that does what an echo with an entry says."""
        entry = echo.entry
        if entry is None:
            raise ValueError("there is nothing to do")
        game, seen = GameId(entry.row.key), Seen(echo.old)
        if entry.clear:
            return partial(commands.clear_result, game=game, seen=seen, reason=reason)
        return partial(
            commands.enter_result,
            game=game,
            first=entry.first,
            second=entry.second,
            forfeit=entry.forfeit,
            started=entry.started,
            flag=entry.flag,
            overtime1=entry.overtime[0],
            overtime2=entry.overtime[1],
            seen=seen,
            confirmed=confirmed,
            reason=reason,
        )

    def done(self, echo: Echo) -> str:
        """Return what is said of an echo's entry once it stands."""
        return self._said(echo.entry) if echo.entry is not None else echo.text

    def next_open(self, after: str) -> PairingRow | None:
        """Return the next game without a result after the row `after`, from the top again at the end."""
        keys = [row.key for row in self.rows]
        start = keys.index(after) + 1 if after in keys else 0
        turned = self.rows[start:] + self.rows[:start]
        return next((row for row in turned if row.status == "open"), None)

    def invitation(self, row: PairingRow) -> str:
        """Return the words that propose a game."""
        return self._words.text("Next: table {table}, {players}", table=row.table, players=self._pair(row))

    # --- what is not an entry

    def _of_other(self, meaning: Meaning) -> Echo:
        if isinstance(meaning, Help):
            return Echo(self._words.text("This is what can be typed:"), help=True)
        if isinstance(meaning, Problem):
            key = meaning.row.key if meaning.row else ""
            facts = {name: escape(str(value)) for name, value in meaning.facts.items()}
            return Echo(self._words.text(_PROBLEMS[meaning.code], **facts), tone="red", game=key)
        row = meaning.row if isinstance(meaning, Partial) else None
        if row is None:
            return Echo("")
        return self._of_partial(row, meaning) if isinstance(meaning, Partial) else Echo("")

    def _of_partial(self, row: PairingRow, meaning: Partial) -> Echo:
        words, first = self._words, meaning.first
        if meaning.second is not None:
            said = self._said(Entry(row, first, meaning.second))
            return Echo(said, words.text("Whose time: 1 for {first}, 2 for {second}.", first=row.first_name,
                                         second=row.second_name), "text", row.key)  # fmt: skip
        old = self.index.result(GameId(row.key))
        if old is not None:
            return Echo(self._has(row), self._kept(old), "amber", row.key, old=old)
        if first is None:
            text = words.text("Table {table}: {players}", table=row.table, players=self._pair(row))
            name = row.first_name
            return Echo(text, words.text("{player}’s score comes first.", player=name), "text", row.key)
        text = words.text(
            "Table {table}: {first} {score} {second}",
            table=row.table,
            first=escape(row.first_name),
            score=_bold(f"{first} – …"),
            second=escape(row.second_name),
        )
        return Echo(text, words.text("Now {player}’s score.", player=row.second_name), "text", row.key)

    def _kept(self, old: Result) -> str:
        state = self._words.code(old.state)
        return self._words.text(
            "The result is {state}. It is changed only when you press Enter twice.", state=state
        )

    # --- entries

    def _of_entry(self, entry: Entry) -> Echo:
        old = self.index.result(GameId(entry.row.key))
        again = self._again(entry, old)
        echo = Echo(self._said(entry), "", "text", entry.row.key, entry, old, again=again)
        try:
            after = self.command(echo)(self.index.tournament)
        except RuleViolation as error:
            return self._refused(echo, error)
        made = after.results.get(GameId(entry.row.key))
        if made is not None:
            echo = replace(echo, more=self._after(after, made))
        return self._replacing(echo, made) if old is not None else echo

    def _refused(self, echo: Echo, error: RuleViolation) -> Echo:
        if error.code == "implausible-points":
            more = self._words.text("Type the score again, or press Ctrl+Enter to keep it.")
            return replace(echo, text=self._implausible(error), more=more, tone="red", asks="confirm")
        if (
            error.code == "flag-not-counted"
            and self.index.tournament.ruleset.overtime.kind is OvertimeKind.MINUTES
        ):
            more = self._words.text("How much time beyond the clock? Minutes and seconds: 1:15.")
            return replace(echo, more=more, entry=None)
        if error.code == "result-final":
            more = self._words.text("It is final: Enter asks why it is changed.")
            return replace(echo, more=more, tone="amber", asks="reason")
        return replace(echo, text=escape(self._words.error(error)), more="", tone="red", entry=None)

    def _implausible(self, error: RuleViolation) -> str:
        facts = error.facts
        if int(str(facts["points"])) > int(str(facts["highest"])):
            return self._words.text(
                "Table {table}: {points} is more than the highest plausible score ({highest}).", **facts
            )
        return self._words.text(
            "Table {table}: {points} is less than the lowest plausible score ({lowest}).", **facts
        )

    def _replacing(self, echo: Echo, made: Result | None) -> Echo:
        entry, old, words = echo.entry, echo.old, self._words
        if entry is None or old is None:
            return echo
        if entry.clear:
            return replace(echo, more=words.text("Press Enter twice to clear it."), tone="amber", asks="again")
        same = made is not None and replace(made, state=old.state, advances=old.advances) == old
        if same and not entry.started:
            return replace(echo, text=self._has(entry.row), more=words.text("It stands so already."), tone="green")
        score = self._score(entry.row)
        more = words.text("It has {score}: press Enter twice to replace that.", score=score)
        return replace(echo, more=more, tone="amber", asks="again")

    def _again(self, entry: Entry, old: Result | None) -> str:
        """Return what a first Enter has asked for, empty where one is enough."""
        if old is None:
            return ""
        if entry.clear:
            return self._words.text("Press Enter once more to clear it.")
        score = self._score(entry.row)
        return self._words.text("It has {score}: press Enter once more to replace that.", score=score)

    def _said(self, entry: Entry) -> str:
        """Return what Enter will do, with names, so that a mistyped number shows as a wrong name."""
        row, words = entry.row, self._words
        if entry.clear:
            return words.text(
                "Table {table}: {score} is taken out; {players} is open again",
                table=row.table,
                score=_bold(self._score(row)),
                players=self._pair(row),
            )
        if entry.forfeit is not None:
            return self._said_forfeit(row, entry.forfeit)
        spread = (entry.first or 0) - (entry.second or 0)
        said = words.text(
            "Table {table}: {first} {score} {second}  {spread}",
            table=row.table,
            first=_bold(row.first_name) if spread > 0 else escape(row.first_name),
            score=_bold(f"{entry.first} – {entry.second}"),
            second=_bold(row.second_name) if spread < 0 else escape(row.second_name),
            spread=_bold(words.signed(spread)),
        )
        parts = [said, *self._said_of_clocks(entry)]
        if entry.started is not None:
            name = row.first_name if entry.started is Forfeit.FIRST else row.second_name
            parts.append(words.text("{player} started", player=escape(name)))
        return " · ".join(parts)

    def _said_of_clocks(self, entry: Entry) -> Iterator[str]:
        """Yield what the clocks have done, and what that costs."""
        words, names = self._words, (escape(entry.row.first_name), escape(entry.row.second_name))
        rule = self.index.tournament.ruleset.overtime
        cost = reckoning.overtime(rule, (entry.first or 0, entry.second or 0), entry.overtime)
        for place, (name, who) in enumerate(zip(names, (Forfeit.FIRST, Forfeit.SECOND), strict=True)):
            if entry.flag is who and rule.kind is OvertimeKind.FLAG:
                yield words.text("{player}’s time ran out: the game is lost", player=name)
            elif entry.flag is who:
                yield words.text("{player}’s time", player=name)
            elif entry.overtime[place]:
                facts = {
                    "player": name,
                    "time": minutes_and_seconds(entry.overtime[place]),
                    "points": cost.points[place],
                }
                lost = place in cost.losers
                yield (
                    words.text("{player} {time} over time: {points:signed}, the game is lost", **facts)
                    if lost
                    else words.text("{player} {time} over time: {points:signed}", **facts)
                )

    def _said_forfeit(self, row: PairingRow, forfeit: Forfeit) -> str:
        margin = self.index.tournament.ruleset.forfeit.margin
        names = (_bold(row.first_name), _bold(row.second_name))
        if forfeit is Forfeit.BOTH:
            return self._words.text(
                "Table {table}: {first} and {second} both lose by forfeit",
                table=row.table,
                first=names[0],
                second=names[1],
            )
        loser, winner = names if forfeit is Forfeit.FIRST else names[::-1]
        return self._words.text(
            "Table {table}: {loser} loses by forfeit, {winner} wins by {margin}",
            table=row.table,
            loser=loser,
            winner=winner,
            margin=margin,
        )

    def _has(self, row: PairingRow) -> str:
        return self._words.text(
            "Table {table} has {first} {score} {second}",
            table=row.table,
            first=escape(row.first_name),
            score=_bold(self._score(row)),
            second=escape(row.second_name),
        )

    def _score(self, row: PairingRow) -> str:
        return self._words.code(row.forfeit) if row.forfeit else f"{row.score1} – {row.score2}"

    def _pair(self, row: PairingRow) -> str:
        return f"{_bold(row.first_name)} – {_bold(row.second_name)}"

    # --- records

    def _after(self, after: Tournament, made: Result) -> str:
        """Return both players' running records with the result that an entry makes."""
        decided = outcome.of_game(after.ruleset, made)
        game = after.games[made.id]
        sides = ((game.first, decided.first), (game.second, decided.second))
        return "   ·   ".join(self._running(player, side) for player, side in sides)

    def _running(self, player: PlayerId, side: outcome.Side) -> str:
        division = self.index.division_of(self.item.id)
        cap = cap_of(division, self.item.number)
        spread = side.spread if cap is None else max(-cap, min(cap, side.spread))
        this = RecordEntry(
            self.item.number, None, None, None, None, None, side.worth, 0, side.points, None, spread
        )
        wins, losses, total = rounds.running((*self._before(player), this))
        name = self.index.tournament.players[player].name
        return f"{name}  {self._points(wins)}–{self._points(losses)}  {self._words.signed(total)}"

    def _before(self, player: PlayerId) -> Record:
        if self._known is None:
            division = self.index.division_of(self.item.id)
            self._known = records(self.index, division, self.item.number - 1)
        return self._known[player]

    def _points(self, value: Fraction) -> str:
        return self._words.points(value)


def forfeit_words(words: Catalogue) -> Mapping[str, Forfeit]:
    """Return what may be typed for a forfeit: the international letters, and the language's own."""
    letter = words.text(C_("letter that says forfeit", "f"))
    both = words.text(C_("letter that says both players", "b"))
    own = {f"{letter}1": Forfeit.FIRST, f"{letter}2": Forfeit.SECOND, f"{letter}{both}": Forfeit.BOTH}
    return {**FORFEITS, **own}


def clock_words(words: Catalogue) -> Mapping[str, Forfeit]:
    """Return what may be typed for a player's clock: the international letter, and the language's own."""
    letter = words.text(C_("letter that says time", "t"))
    return {**CLOCKS, f"{letter}1": Forfeit.FIRST, f"{letter}2": Forfeit.SECOND}


def help_lines(words: Catalogue, *, drawn: bool) -> tuple[tuple[str, str], ...]:
    """Return what can be typed, each with what it means; `drawn`: the tiles decide who starts."""
    letter = words.text(C_("letter that says forfeit", "f"))
    both = words.text(C_("letter that says both players", "b"))
    time = words.text(C_("letter that says time", "t"))
    lines = [
        ("7 412 388", words.text("table 7, the scores in the order shown")),
        ("7.412.388", words.text("the same on the numeric keypad: a point or a comma is a space")),
        ("/12 412 388", words.text("the table of player 12, the scores in the order shown")),
        ("12 412 15 388", words.text("player 12 has 412, player 15 has 388")),
        (f"7 {letter}1", words.text("the first player of table 7 loses by forfeit; 2 for the second")),
        (f"7 {letter}{both}", words.text("both lose by forfeit")),
        (f"7 412 388 {time}1", words.text("the first player’s time ran out, which loses the game by some rules")),
        (
            f"7 412 388 {time}2 1:15",
            words.text("the second player was 1:15 over time; what it costs is taken off"),
        ),
        ("7 -", words.text("clears the result of table 7")),
        (words.text("Ctrl+Enter"), words.text("keeps a score beyond what is plausible")),
    ]
    if drawn:
        lines.insert(
            4,
            (
                "7 412* 388",
                words.text("* after the score of the player who started; 1 or 2 at the end does it too"),
            ),
        )
    return tuple(lines)


def draws(rows: tuple[PairingRow, ...]) -> bool:
    """Tell whether the tiles decide who starts at some table."""
    return any(row.start is not Start.ASSIGNED for row in rows)


def _bold(text: str) -> str:
    return "<b>" + escape(text) + "</b>"
