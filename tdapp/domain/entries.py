"""What files bring and take: players, results and whole divisions as plain documents.

Readers of files make these without knowing the tournament, commands put them into it, `division_entry` makes them
from it. Players are named by their numbers, so that nothing here depends on ids. `line` says where an entry stood
(1-based, 0 = nowhere); it is no part of what the entry says, nor is `dropped`.

A list of players changes a division, or all of them where it names one on each line: a player is known by the
number with the federation, else by the name without case and accents, else by the number in the division, as far
as these do not speak against each other.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import outcome
from tdapp.domain.index import Index
from tdapp.domain.model import (
    FOREIGN_IDS,
    ByeKind,
    Division,
    DivisionId,
    Game,
    GameId,
    Player,
    PlayerId,
    Result,
    Round,
    Start,
)
from tdapp.domain.records import caps_of
from tdapp.domain.ruleset import Worth
from tdapp.scrabble.read_value import ReadValue
from tdapp.scrabble.sheet import Sheet


class PlayerEntry(ReadValue, frozen=True, eq=False):
    """A player as a file has it; fields as in `model.Player`, `number` None = give the next free one.

    `division` is the code of the division, or its name, that a list names; empty where it names none.
    """

    provenance = frozenset({"division", "line"})
    number: int | None
    name: str
    rating: int | None = None
    club: str = ""
    country: str = ""
    team: str = ""
    category: str = ""
    member: str = ""
    notes: str = ""
    fixed_table: int | None = None
    rated_games: int | None = None
    wespa: str = ""
    naspa: str = ""
    absp: str = ""
    fide: str = ""
    xtid: str = ""
    division: str = ""
    line: int = 0


class ResultEntry(ReadValue, frozen=True, eq=False):
    """The result of the game at `table` in round `round`.

    `first` and `second` are the points of the players in the order they are listed there; `started` tells which of
    them started ("1" or "2"), None = as paired.
    """

    provenance = frozenset({"line"})
    round: int
    table: int
    first: int
    second: int
    started: Literal["1", "2"] | None = None
    line: int = 0


class SheetEntry(Struct, frozen=True):
    """A score sheet of a game, as `enter_sheet` takes it."""

    game: GameId
    sheet: Sheet
    form: int = 1


class GameEntry(Struct, frozen=True):
    """Two players, by number, at a table; `scores` None = not played yet.

    `table` None = the next free one. `start` DRAW: it is not known who started, or that the tiles are still
    to decide; otherwise `first` did.
    """

    table: int | None
    first: int
    second: int
    start: Start = Start.ASSIGNED
    scores: tuple[int, int] | None = None


class ByeEntry(Struct, frozen=True):
    """A player, by number, without a game; `spread` None = as in the rule set."""

    player: int
    kind: ByeKind
    spread: int | None = None


class RoundEntry(Struct, frozen=True):
    """One published round; games by table, byes by player."""

    number: int
    games: tuple[GameEntry, ...] = ()
    byes: tuple[ByeEntry, ...] = ()


class AbsenceEntry(Struct, frozen=True):
    """Rounds a player, by number, misses; fields as in `model.Absence`."""

    player: int
    first_round: int
    last_round: int | None = None
    kind: ByeKind | None = None


class StatedRank(Struct, frozen=True):
    """The rank that a file states for a player, by number, after round `round`.

    `capped` tells whether it holds with capped spreads only, or without only; None: as the division has them.
    """

    player: int
    round: int
    rank: int
    capped: bool | None = None


class DivisionEntry(ReadValue, frozen=True, eq=False):
    """A whole division: players with numbers, by number; rounds by number; absences by player and first round.

    `code` is empty where the file does not say it. `order` and `spread_caps` as in `model.Division`; `usual`
    is the order in which the program of the file ranks where it says none. `dropped` names what the source holds
    and this cannot. `rating` is the id of a rating system, and comes like `name` with a whole event only.
    `made_up`: the file knows who won, and the points are made up. `ranks` are those the file states; nothing is
    made of them, for ranks are counted.
    """

    provenance = frozenset({"dropped", "usual", "made_up", "ranks"})
    code: str
    players: tuple[PlayerEntry, ...]
    rounds: tuple[RoundEntry, ...] = ()
    absences: tuple[AbsenceEntry, ...] = ()
    order: tuple[str, ...] = ()
    spread_caps: tuple[int, ...] = ()
    dropped: tuple[str, ...] = ()
    name: str = ""
    rating: str = ""
    usual: tuple[str, ...] = ()
    made_up: bool = False
    ranks: tuple[StatedRank, ...] = ()


class EventEntry(ReadValue, frozen=True, eq=False):
    """Several divisions that came together, with data on the whole; empty and None: not given.

    `rounds` is how many are planned, `bye_spread` what a bye is worth from now on. `dropped` are the lines, by
    number, that nothing here holds.
    """

    provenance = frozenset({"dropped"})
    divisions: tuple[DivisionEntry, ...]
    name: str = ""
    date: str = ""
    rounds: int = 0
    bye_spread: int | None = None
    place: str = ""
    dropped: tuple[tuple[int, str], ...] = ()


def player_entries(index: Index, division: DivisionId) -> tuple[PlayerEntry, ...]:
    """Return a division's players by number."""
    names = [name for name in PlayerEntry.__struct_fields__ if name not in PlayerEntry.provenance]
    players = index.players(division)
    return tuple(PlayerEntry(**{name: getattr(player, name) for name in names}) for player in players)


def division_entry(index: Index, division: Division) -> DivisionEntry:
    """Return a division with its published rounds.

    A game that was forfeited becomes a bye for its winner and a forfeit for its loser, with the rule set's margin;
    each bye has its spread in numbers. Drafts, stages, locks, reasons and restrictions are left out.
    """
    players = index.players(division.id)
    absences = (
        AbsenceEntry(player.number, item.first_round, item.last_round, item.kind)
        for player in players
        for item in index.absences(player.id)
    )
    return DivisionEntry(
        code=division.code,
        players=player_entries(index, division.id),
        rounds=tuple(_round(index, item) for item in index.published(division.id)),
        absences=tuple(absences),
        order=division.order,
        spread_caps=caps_of(index, division),
    )


def _round(index: Index, item: Round) -> RoundEntry:
    players, rules = index.tournament.players, index.tournament.rules_of(item)
    games: list[GameEntry] = []
    byes = [
        ByeEntry(players[bye.player].number, bye.kind, outcome.of_bye(rules, bye).spread)
        for bye in index.byes(item.id)
    ]
    for game in index.games(item.id):
        result = index.result(game.id)
        if result is not None and result.forfeit is not None:
            byes += _forfeit(index, game, result)
        else:
            scores = None if result is None else (result.first or 0, result.second or 0)
            first, second = players[game.first].number, players[game.second].number
            games.append(GameEntry(game.table, first, second, game.start, scores))
    return RoundEntry(item.number, tuple(games), tuple(sorted(byes, key=lambda bye: bye.player)))


def _forfeit(index: Index, game: Game, result: Result) -> Iterator[ByeEntry]:
    first, second, _ = outcome.of_game(index.tournament.rules_of(game), result)
    for player, side in ((game.first, first), (game.second, second)):
        kind = ByeKind.BYE if side.worth is Worth.WIN else ByeKind.FORFEIT
        yield ByeEntry(index.tournament.players[player].number, kind, side.spread)


# What a line may change of a player who is known; the name only where that is wished.
FIELDS = (
    *("rating", "club", "country", "team", "category", "member", "notes", "fixed_table", "rated_games"),
    *FOREIGN_IDS,
)


class Meeting(StrEnum):
    """What a line of a list is beside the players who are there."""

    NEW = "new"
    SAME = "same"
    RATING = "rating"  # only the rating is another one
    CHANGED = "changed"
    CONFLICT = "conflict"  # it is not certain whom the line is about, or whether it is about somebody else


class FieldChange(Struct, frozen=True):
    """One field of a player that would be another one."""

    field: str
    old: str | int | None
    new: str | int | None


class Met(Struct, frozen=True):
    """A line with the player it is about, None for a new one; of a conflict the one it may be about."""

    entry: PlayerEntry
    meeting: Meeting
    player: Player | None = None
    changes: tuple[FieldChange, ...] = ()


def with_codes(index: Index, division: DivisionId, entries: Sequence[PlayerEntry]) -> tuple[PlayerEntry, ...]:
    """Return lines with the codes of their divisions if one of them names a division; else as they are.

    A division may be named in small letters or by its name; a line that names none is about `division`.
    """
    if not any(entry.division for entry in entries):
        return tuple(entries)
    codes = {item.name.casefold(): item.code for item in index.divisions if item.name}
    codes |= {item.code.casefold(): item.code for item in index.divisions}
    own = index.tournament.divisions[division].code
    named = (codes.get(entry.division.casefold(), entry.division) or own for entry in entries)
    return tuple(replace(entry, division=code) for entry, code in zip(entries, named, strict=True))


def meet(
    players: Sequence[Player],
    entries: Sequence[PlayerEntry],
    *,
    names: bool = False,
    codes: Mapping[DivisionId, str] | None = None,
) -> tuple[Met, ...]:
    """Return what each line would do to `players`; with `names` it would also change their names.

    `codes` are those of the divisions of `players`, where each line names its own.
    """
    known = _Known(players, codes or {})
    found = [known.met(entry, names=names) for entry in entries]
    return tuple(met or known.by_number(entry) for entry, met in zip(entries, found, strict=True))


def taken_over(entry: PlayerEntry, *, names: bool) -> dict[str, Any]:
    """Return the fields that a known player takes over from a line: all that say something."""
    fields = (*FIELDS, "name") if names else FIELDS
    return {field: value for field in fields if (value := getattr(entry, field)) not in {None, ""}}


def folded(name: str) -> str:
    """Return a name without case, accents and signs, the same whichever of first and last name comes first."""
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS))
    words = "".join(sign if sign.isalnum() else " " for sign in plain if not unicodedata.combining(sign)).split()
    return " ".join(sorted(words))


def fits(written: str, name: str) -> bool:
    """Return whether a name on a sheet can be a player's; none fits everybody.

    Every word of the shorter one is in the longer one, or its initial is.
    """
    shorter, longer = sorted((Counter(folded(one).split()) for one in (written, name)), key=Counter.total)
    left = list((longer - shorter).elements())
    for word in (shorter - longer).elements():
        met = next((one for one in left if one[0] == word[0] and 1 in {len(one), len(word)}), None)
        if met is None:
            return False
        left.remove(met)
    return True


def strangers(written: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return the names on a sheet that fit none of a table's players; both where they fit only the same one."""
    found = tuple(one for one in written if not any(fits(one, name) for name in names))
    seated = (all(map(fits, written, order)) for order in (names, names[::-1]))
    return found if found or any(seated) else tuple(written)


_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ĳ": "ij"})


class _Known:
    """The players who are there, by all that they are known by, and who was met already."""

    def __init__(self, players: Sequence[Player], codes: Mapping[DivisionId, str]) -> None:
        self._codes = codes
        self._by_member = _by(players, lambda player: player.member.casefold())
        self._by_name = _by(players, lambda player: folded(player.name))
        self._by_number = {(self._code(player).casefold(), player.number): player for player in players}
        self._met: set[PlayerId] = set()
        self._new: set[str] = set()  # the names of lines that are about nobody who is there

    def met(self, entry: PlayerEntry, *, names: bool) -> Met | None:
        """Return what a line would do; None where no player has its name or its number with the federation."""
        by_member = self._by_member.get(entry.member.casefold(), ()) if entry.member else ()
        by_name = self._by_name.get(folded(entry.name), ())
        candidates = [player for player in by_member if player in by_name] or [*by_member] or [*by_name]
        candidates = [player for player in candidates if not self._moves(entry, player)] or candidates
        candidates = self._the_very_one(entry, candidates) or candidates
        if not candidates:
            return None
        player = candidates[0]
        sure = len(candidates) == 1 and player.id not in self._met and _agree(entry, player, by_member, by_name)
        self._met.add(player.id)
        changes = _changes(entry, player, names=names)
        if self._moves(entry, player):
            sure, changes = False, (FieldChange("division", self._code(player), entry.division), *changes)
        meeting = Meeting.CHANGED if changes else Meeting.SAME
        if [change.field for change in changes] == ["rating"]:
            meeting = Meeting.RATING
        return Met(entry, meeting if sure else Meeting.CONFLICT, player, changes)

    def _the_very_one(self, entry: PlayerEntry, namesakes: Sequence[Player]) -> list[Player]:
        """Return the only namesake whose club and rating the line has too; none where that is not one."""
        alike = [player for player in namesakes if (player.club, player.rating) == (entry.club, entry.rating)]
        return alike if len(alike) == 1 else []

    def by_number(self, entry: PlayerEntry) -> Met:
        """Return a new player, a conflict where one whom no line is about has the number, or two have the name."""
        other, name = self._by_number.get((entry.division.casefold(), entry.number or 0)), folded(entry.name)
        if other is None or other.id in self._met:
            same = name in self._new
            self._new.add(name)
            return Met(entry, Meeting.CONFLICT if same else Meeting.NEW)
        return Met(entry, Meeting.CONFLICT, other, _changes(entry, other, names=True))

    def _code(self, player: Player) -> str:
        return self._codes.get(player.division, "")

    def _moves(self, entry: PlayerEntry, player: Player) -> bool:
        return entry.division.casefold() != self._code(player).casefold()


def _agree(entry: PlayerEntry, player: Player, by_member: Sequence[Player], by_name: Sequence[Player]) -> bool:
    """Return whether number with the federation and name do not point to two players."""
    if by_member:
        return not by_name or player in by_name
    return not (entry.member and player.member)


def _by(players: Iterable[Player], key: Callable[[Player], str]) -> dict[str, tuple[Player, ...]]:
    found: dict[str, list[Player]] = defaultdict(list)
    for player in players:
        found[key(player)].append(player)
    return {name: tuple(own) for name, own in found.items() if name}


def _changes(entry: PlayerEntry, player: Player, *, names: bool) -> tuple[FieldChange, ...]:
    fields = taken_over(entry, names=names)
    changes = (FieldChange(field, getattr(player, field), value) for field, value in fields.items())
    return tuple(change for change in changes if change.old != change.new)
