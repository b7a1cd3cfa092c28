"""Players, results and divisions in files, for import and export.

Entries refer to players by number. `line` is the line in the file (from 1), 0 if unknown.

To find the known player of an entry in the tournament, compare member numbers. Without a match, compare names
without case and accents, then player numbers. If the member number and the name match different players, the entry
is in conflict.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import outcome
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Bye,
    ByeKind,
    Division,
    DivisionId,
    Game,
    GameId,
    GameSide,
    Player,
    PlayerId,
    Result,
    Round,
    StartDecision,
    mark_rating_if_provisional,
)
from tdapp.domain.player_fields import LIST_FIELDS
from tdapp.domain.records import list_configured_spread_caps
from tdapp.domain.ruleset import Outcome, RuleSet
from tdapp.scrabble.issue import StructWithPartialEquality
from tdapp.scrabble.sheet import Sheet


class PlayerEntry(StructWithPartialEquality, frozen=True, eq=False):
    """A player in a file, with the fields of `model.Player`."""

    fields_ignored_by_equality = frozenset({"division", "line"})
    number: int | None  # None: the next free number
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
    provisional: bool = False
    division: str = ""
    line: int = 0

    @property
    def rating_marked_if_provisional(self) -> int | None:
        return mark_rating_if_provisional(self.rating, provisional=self.provisional)


class ResultEntry(StructWithPartialEquality, frozen=True, eq=False):
    """The result of a game. `first` and `second` are the players' points."""

    fields_ignored_by_equality = frozenset({"line"})
    round: int
    table: int
    first: int
    second: int
    started: Literal["1", "2"] | None = None  # the player who started, None if it was the first
    line: int = 0


class SheetToEnter(Struct, frozen=True):
    """A score sheet to enter for a game with `commands.enter_sheet`."""

    game: GameId
    sheet: Sheet
    form: int = 1


class GameEntry(Struct, frozen=True):
    """A game of two players."""

    table: int | None  # None: the next free table
    first: int  # player number
    second: int
    start: StartDecision = StartDecision.ASSIGNED
    scores: tuple[int, int] | None = None
    forfeit: GameSide | None = None  # the player who forfeited


class ByeEntry(Struct, frozen=True):
    """A bye of a player."""

    player: int  # player number
    kind: ByeKind
    spread: int | None = None  # None: as in the rule set


class RoundEntry(Struct, frozen=True):
    """One published round."""

    number: int
    games: tuple[GameEntry, ...] = ()
    byes: tuple[ByeEntry, ...] = ()


class AbsenceEntry(Struct, frozen=True):
    """Consecutive rounds that a player misses."""

    player: int
    first_round: int
    last_round: int | None = None
    kind: ByeKind | None = None


class RankFromFile(Struct, frozen=True):
    """A rank in a file, only for comparison with the computed rank."""

    player: int  # player number
    round: int
    rank: int
    capped: bool | None = None  # the file limits spreads; None: the setting of the division applies


class PlayerWithWrongTotal(Struct, frozen=True):
    """A player whose total in a file is not the sum of the rounds."""

    player: str
    line: int
    stated: int  # total in the file, in half points
    counted: int  # sum of the rounds, in half points


class DivisionEntry(StructWithPartialEquality, frozen=True, eq=False):
    """A whole division with its players and rounds.

    The fields `code`, `name`, `rating`, `order` and `spread_caps` are as in `model.Division`.
    """

    fields_ignored_by_equality = frozenset({"dropped", "usual", "made_up", "ranks", "totals", "usual_byes"})
    code: str
    players: tuple[PlayerEntry, ...]
    rounds: tuple[RoundEntry, ...] = ()
    absences: tuple[AbsenceEntry, ...] = ()
    order: tuple[str, ...] = ()
    spread_caps: tuple[int, ...] = ()
    dropped: tuple[str, ...] = ()  # content that cannot be imported
    name: str = ""
    rating: str = ""
    usual: tuple[str, ...] = ()  # tie-breaks of the program that wrote the file
    made_up: bool = False  # the file has winners only, and the points are invented
    ranks: tuple[RankFromFile, ...] = ()
    totals: tuple[PlayerWithWrongTotal, ...] = ()
    usual_byes: bool = False  # byes count as usual, even if the rule set differs


class EventEntry(StructWithPartialEquality, frozen=True, eq=False):
    """A tournament from a file. Missing fields are "", 0 or None."""

    fields_ignored_by_equality = frozenset({"dropped"})
    divisions: tuple[DivisionEntry, ...]
    name: str = ""
    date: str = ""
    rounds: int = 0
    bye_spread: int | None = None
    place: str = ""
    dropped: tuple[tuple[int, str], ...] = ()  # line number and text of lines that cannot be imported


def list_player_entries(index: TournamentIndex, division: DivisionId) -> tuple[PlayerEntry, ...]:
    names = PlayerEntry.list_fields_for_equality()
    players = index.players(division)
    return tuple(PlayerEntry(**{name: getattr(player, name) for name in names}) for player in players)


def export_division(
    index: TournamentIndex, division: Division, *, keep_forfeits: bool = False, byes_by_outcome: bool = False
) -> DivisionEntry:
    """Return a division with its published rounds as an entry.

    Without `keep_forfeits`, a forfeited game becomes a bye for the winner and a forfeit bye for the loser. With
    `byes_by_outcome`, each bye gets a kind that fits its outcome (win, draw or loss).
    """
    players = index.players(division.id)
    absences = (
        AbsenceEntry(player.number, absence.first_round, absence.last_round, absence.kind)
        for player in players
        for absence in index.absences(player.id)
    )
    return DivisionEntry(
        code=division.code,
        players=list_player_entries(index, division.id),
        rounds=tuple(
            _export_round(index, item, keep_forfeits=keep_forfeits, byes_by_outcome=byes_by_outcome)
            for item in index.list_published_rounds(division.id)
        ),
        absences=tuple(absences),
        order=division.order,
        spread_caps=list_configured_spread_caps(index, division),
    )


def _export_round(
    index: TournamentIndex, round_row: Round, *, keep_forfeits: bool, byes_by_outcome: bool
) -> RoundEntry:
    players, rules = index.tournament.players, index.tournament.get_ruleset_of_row(round_row)
    games: list[GameEntry] = []
    byes = [
        _make_bye_entry(players[bye.player], rules, bye, byes_by_outcome=byes_by_outcome)
        for bye in index.byes(round_row.id)
    ]
    for game in index.games(round_row.id):
        result = index.get_result(game.id)
        forfeit = result.forfeit if result else None
        if result and forfeit and not keep_forfeits:
            byes += _make_byes_from_forfeit(index, game, result)
        else:
            scores = None if result is None or forfeit else (result.first or 0, result.second or 0)
            first, second = players[game.first].number, players[game.second].number
            games.append(GameEntry(game.table, first, second, game.start, scores, forfeit))
    return RoundEntry(round_row.number, tuple(games), tuple(sorted(byes, key=lambda bye: bye.player)))


def _make_bye_entry(player: Player, rules: RuleSet, bye: Bye, *, byes_by_outcome: bool) -> ByeEntry:
    side = outcome.score_bye(rules, bye)
    usual_value = outcome.USUAL_BYES.get_bye_value(bye.kind).counts_as
    kind = (
        outcome.BYE_KIND_BY_OUTCOME[side.outcome]
        if byes_by_outcome and side.outcome is not usual_value
        else bye.kind
    )
    return ByeEntry(player.number, kind, side.spread)


def _make_byes_from_forfeit(index: TournamentIndex, game: Game, result: Result) -> Iterator[ByeEntry]:
    first, second, _ = outcome.score_game(index.tournament.get_ruleset_of_row(game), result)
    for player, side in ((game.first, first), (game.second, second)):
        kind = ByeKind.BYE if side.outcome is Outcome.WIN else ByeKind.FORFEIT
        yield ByeEntry(index.tournament.players[player].number, kind, side.spread)


class ImportedPlayerStatus(StrEnum):
    """How an imported player compares with the known players."""

    NEW = "new"
    SAME = "same"
    RATING = "rating"  # only the rating differs
    CHANGED = "changed"
    CONFLICT = "conflict"  # ambiguous, or probably another player


class PlayerFieldChange(Struct, frozen=True):
    """One changed field of a player."""

    field: str
    old: str | int | None
    new: str | int | None


class MatchedPlayerEntry(Struct, frozen=True):
    """An imported player, compared with the known players."""

    entry: PlayerEntry
    status: ImportedPlayerStatus
    player: Player | None = None  # the known player; None: a new one; in a conflict the probable one
    changes: tuple[PlayerFieldChange, ...] = ()

    @property
    def has_division_change(self) -> bool:
        return any(change.field == "division" for change in self.changes)


def convert_division_names_to_codes(
    index: TournamentIndex, division: DivisionId, entries: Sequence[PlayerEntry]
) -> tuple[PlayerEntry, ...]:
    """Return the entries with division codes instead of division names.

    Entries without a division get the code of `division`.
    """
    if not any(entry.division for entry in entries):
        return tuple(entries)
    codes = {row.name.casefold(): row.code for row in index.divisions if row.name}
    codes |= {row.code.casefold(): row.code for row in index.divisions}
    default_code = index.tournament.divisions[division].code
    codes_of_entries = (codes.get(entry.division.casefold(), entry.division) or default_code for entry in entries)
    return tuple(replace(entry, division=code) for entry, code in zip(entries, codes_of_entries, strict=True))


def match_player_entries(
    players: Sequence[Player],
    entries: Sequence[PlayerEntry],
    *,
    with_names: bool = False,
    codes: Mapping[DivisionId, str] | None = None,
) -> tuple[MatchedPlayerEntry, ...]:
    """Find the known player and changed fields of each entry.

    With `with_names`, a different name is a change. `codes` maps divisions to their codes in the entries.
    """
    known_players = _PlayerEntryMatcher(players, codes or {})
    matches = [known_players.match_by_member_number_or_name(entry, with_names=with_names) for entry in entries]
    return tuple(
        match or known_players.match_by_number_or_mark_new(entry)
        for entry, match in zip(entries, matches, strict=True)
    )


def map_nonempty_player_fields(entry: PlayerEntry, *, with_name: bool) -> dict[str, Any]:
    """Return the non-empty fields of an imported player.

    The field `provisional` is included if the player has a rating.
    """
    fields = (*(field.name for field in LIST_FIELDS), *(("name",) if with_name else ()))
    values = {field: value for field in fields if (value := getattr(entry, field)) not in {None, ""}}
    if entry.rating is None:
        del values["provisional"]
    return values


def normalise_name(name: str) -> str:
    """Return the sorted words of a name in lower case, without accents and punctuation."""
    decomposed_name = unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS))
    words = "".join(
        letter if letter.isalnum() else " " for letter in decomposed_name if not unicodedata.combining(letter)
    ).split()
    return " ".join(sorted(words))


def can_be_same_person(name: str, other_name: str) -> bool:
    """Return whether two names may belong to one person.

    The longer name must have each word of the shorter one, in full or as an initial.
    """
    shorter, longer = sorted(
        (Counter(normalise_name(text).split()) for text in (name, other_name)), key=Counter.total
    )
    remaining_words = list((longer - shorter).elements())
    for word in (shorter - longer).elements():
        match = next(
            (
                candidate
                for candidate in remaining_words
                if candidate[0] == word[0] and 1 in {len(candidate), len(word)}
            ),
            None,
        )
        if match is None:
            return False
        remaining_words.remove(match)
    return True


def match_names_to_players(sheet_names: Sequence[str], player_names: Sequence[str]) -> tuple[int | None, ...]:
    """Return, for each name on a score sheet, the index of its player; None if no player is left for it.

    Each player gets at most one name, and as many names as possible get a player.
    """
    names_of_players: dict[int, int] = {}

    def assign_player(name: int, tried_players: set[int]) -> bool:
        for player, player_name in enumerate(player_names):
            if player not in tried_players and can_be_same_person(sheet_names[name], player_name):
                tried_players.add(player)
                if player not in names_of_players or assign_player(names_of_players[player], tried_players):
                    names_of_players[player] = name
                    return True
        return False

    for name in range(len(sheet_names)):
        assign_player(name, set())
    players_of_names = {name: player for player, name in names_of_players.items()}
    return tuple(map(players_of_names.get, range(len(sheet_names))))


def find_unknown_player_names(sheet_names: Sequence[str], player_names: Sequence[str]) -> tuple[str, ...]:
    """Return the names on a score sheet that match no player in `player_names`.

    If all names match, but there is only one player for two names ("Berg", "Jan Berg"), return all names.
    """
    if None not in match_names_to_players(sheet_names, player_names):
        return ()
    unknown_names = tuple(
        sheet_name
        for sheet_name in sheet_names
        if not any(can_be_same_person(sheet_name, name) for name in player_names)
    )
    return unknown_names or tuple(sheet_names)


_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ĳ": "ij"})


def is_other_person_with_same_name(entry: PlayerEntry, member_numbers: Collection[str]) -> bool:
    """Return whether the member number of `entry` differs from all `member_numbers`.

    `member_numbers` belong to players with the same name. If `entry` or a player has no number (""), return False.
    """
    return entry.member not in {"", *member_numbers} and "" not in member_numbers


class EarlierResultEntry(StructWithPartialEquality, frozen=True, eq=False):
    """A player's season result on an evening before the tournament file existed, from an imported table."""

    fields_ignored_by_equality = frozenset({"line"})
    name: str
    date: str  # ISO 8601
    value: Fraction  # what the season counts for this evening
    line: int = 0


class _PlayerEntryMatcher:
    def __init__(self, players: Sequence[Player], codes: Mapping[DivisionId, str]) -> None:
        self._codes = codes
        self._by_member = _group_players_by_key(players, lambda player: player.member.casefold())
        self._by_name = _group_players_by_key(players, lambda player: normalise_name(player.name))
        self._by_number = {
            (self._get_division_code(player).casefold(), player.number): player for player in players
        }
        self._matched_ids: set[PlayerId] = set()
        self._new_members_by_name: dict[str, set[str]] = defaultdict(set)  # member numbers of new players

    def match_by_member_number_or_name(self, entry: PlayerEntry, *, with_names: bool) -> MatchedPlayerEntry | None:
        by_member = self._by_member.get(entry.member.casefold(), ()) if entry.member else ()
        namesakes = self._by_name.get(normalise_name(entry.name), ())
        by_name = [player for player in namesakes if by_member or not _has_different_member_number(entry, player)]
        candidates = [player for player in by_member if player in by_name] or [*by_member] or [*by_name]
        candidates = [
            player for player in candidates if not self._is_from_other_division(entry, player)
        ] or candidates
        candidates = self._filter_by_club_and_rating_if_unique(entry, candidates) or candidates
        if not candidates:
            return None
        player = candidates[0]
        is_certain = (
            len(candidates) == 1
            and player.id not in self._matched_ids
            and not _is_member_match_contradicted_by_name(player, by_member, by_name)
        )
        self._matched_ids.add(player.id)
        changes = _find_field_changes(entry, player, with_names=with_names)
        if self._is_from_other_division(entry, player):
            is_certain, changes = (
                False,
                (PlayerFieldChange("division", self._get_division_code(player), entry.division), *changes),
            )
        status = ImportedPlayerStatus.CHANGED if changes else ImportedPlayerStatus.SAME
        if [change.field for change in changes] == ["rating"]:
            status = ImportedPlayerStatus.RATING
        return MatchedPlayerEntry(entry, status if is_certain else ImportedPlayerStatus.CONFLICT, player, changes)

    def _filter_by_club_and_rating_if_unique(
        self, entry: PlayerEntry, namesakes: Sequence[Player]
    ) -> list[Player]:
        same_players = [
            player for player in namesakes if (player.club, player.rating) == (entry.club, entry.rating)
        ]
        return same_players if len(same_players) == 1 else []

    def match_by_number_or_mark_new(self, entry: PlayerEntry) -> MatchedPlayerEntry:
        known_player, name = (
            self._by_number.get((entry.division.casefold(), entry.number or 0)),
            normalise_name(entry.name),
        )
        if known_player is None or known_player.id in self._matched_ids:
            members = self._new_members_by_name[name]
            is_repeated = bool(members) and not is_other_person_with_same_name(entry, members)
            members.add(entry.member)
            return MatchedPlayerEntry(
                entry, ImportedPlayerStatus.CONFLICT if is_repeated else ImportedPlayerStatus.NEW
            )
        return MatchedPlayerEntry(
            entry,
            ImportedPlayerStatus.CONFLICT,
            known_player,
            _find_field_changes(entry, known_player, with_names=True),
        )

    def _get_division_code(self, player: Player) -> str:
        return self._codes.get(player.division, "")

    def _is_from_other_division(self, entry: PlayerEntry, player: Player) -> bool:
        return entry.division.casefold() != self._get_division_code(player).casefold()


def _is_member_match_contradicted_by_name(
    player: Player, by_member: Sequence[Player], by_name: Sequence[Player]
) -> bool:
    return bool(by_member and by_name) and player not in by_name


def _has_different_member_number(entry: PlayerEntry, player: Player) -> bool:
    return bool(entry.member and player.member) and entry.member.casefold() != player.member.casefold()


def _group_players_by_key(
    players: Iterable[Player], key: Callable[[Player], str]
) -> dict[str, tuple[Player, ...]]:
    players_by_key: dict[str, list[Player]] = defaultdict(list)
    for player in players:
        players_by_key[key(player)].append(player)
    return {name: tuple(group) for name, group in players_by_key.items() if name}


def _find_field_changes(entry: PlayerEntry, player: Player, *, with_names: bool) -> tuple[PlayerFieldChange, ...]:
    imported_fields = map_nonempty_player_fields(entry, with_name=with_names)
    changed_fields = {field: value for field, value in imported_fields.items() if value != getattr(player, field)}
    if "provisional" in changed_fields:
        changed_fields = {"rating": entry.rating, **changed_fields}
        del changed_fields["provisional"]
    shown_values = {"rating": (player.rating_marked_if_provisional, entry.rating_marked_if_provisional)}
    return tuple(
        PlayerFieldChange(field, *shown_values.get(field, (getattr(player, field), value)))
        for field, value in changed_fields.items()
    )
