"""Find the rows of a tournament by their parent row, such as the games of a round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from functools import cache, cached_property
from itertools import groupby
from operator import attrgetter, is_not
from typing import Any, TypeAlias, TypeVar, cast

from tdapp.domain import model
from tdapp.domain.errors import CommandError
from tdapp.domain.jury_rows import Challenge, Incident, Sanction, ScoreSheet, WordRuling
from tdapp.domain.model import DivisionId, GameId, PlayerId
from tdapp.domain.tournament import Tournament, find_removed_and_changed_keys
from tdapp.scrabble.sheet import SanctionKind

K = TypeVar("K", bound=str)
T = TypeVar("T")
_RowFinder = Callable[[K], tuple[T, ...]]
_Lookup: TypeAlias = cached_property[_RowFinder[K, T]]
_Rows = Mapping[str, Any]
_Groups = Mapping[str, tuple[Any, ...]]
_Cache = dict[Hashable, tuple[Sequence[object], Any]]
_Games = Mapping[GameId, model.Game]
_Results = Mapping[GameId, model.Result]
_OpenGames = Mapping[model.RoundId, tuple[model.Game, ...]]


def _make_lookup_property(
    row_kind: str, parent: str, order: str | Callable[[Any], Any] | None
) -> cached_property[Any]:
    return cached_property(lambda index: index._make_lookup_by_parent(row_kind, parent, order))  # noqa: SLF001 - used in its class


def _make_byes_by_round_lookup(index: TournamentIndex) -> Callable[[str], tuple[Any, ...]]:
    players = index.tournament.players
    return index._make_lookup_by_parent(  # noqa: SLF001 - used in its class
        "byes", "round", lambda bye: players[bye.player].number, depends_on="players"
    )


def _make_rounds_by_division_lookup(index: TournamentIndex) -> Callable[[str], tuple[Any, ...]]:
    stages = index.tournament.stages
    return index._make_lookup_by_parent(  # noqa: SLF001 - used in its class
        "rounds", lambda item: stages[item.stage].division, "number", depends_on="stages"
    )


class TournamentIndex:
    """Finds rows of one tournament by the id of their parent row, usually sorted (games by table)."""

    def __init__(self, tournament: Tournament, before: TournamentIndex | None = None) -> None:
        """Index a tournament. Reuse unchanged rows from `before`, the index of an earlier state."""
        self.tournament = tournament
        self._values: dict[Hashable, object] = {}
        self.shared_cache: _Cache = {} if before is None else before.shared_cache
        self.divisions: tuple[model.Division, ...] = tuple(
            sorted(tournament.divisions.values(), key=lambda division: (division.code, division.id))
        )
        self.listed_seasons: tuple[model.Season, ...] = tuple(
            sorted(tournament.seasons.values(), key=attrgetter("since", "id"))
        )
        self.listed_copied_events: tuple[model.CopiedEvent, ...] = tuple(
            sorted(tournament.copied_events.values(), key=attrgetter("date", "id"))
        )

    stages: _Lookup[DivisionId, model.Stage] = _make_lookup_property("stages", "division", "position")
    players: _Lookup[DivisionId, model.Player] = _make_lookup_property("players", "division", "number")
    incidents: _Lookup[DivisionId, Incident] = _make_lookup_property("incidents", "division", "at")
    challenges: _Lookup[DivisionId, Challenge] = _make_lookup_property("challenges", "division", "at")
    prizes: _Lookup[DivisionId, model.Prize] = _make_lookup_property("prizes", "division", "position")
    table_groups: _Lookup[DivisionId, model.TableGroup] = _make_lookup_property(
        "table_groups", "division", "first"
    )
    fees: _Lookup[DivisionId, model.EntryFee] = _make_lookup_property("fees", "division", "category")
    earlier: _Lookup[model.SeasonId, model.EarlierEveningResult] = _make_lookup_property(
        "earlier", "season", "date"
    )
    copied_events: _Lookup[model.SeasonId, model.CopiedEvent] = _make_lookup_property(
        "copied_events", "season", "date"
    )
    copied_results: _Lookup[model.CopiedEventId, model.CopiedResult] = _make_lookup_property(
        "copied_results", "event", attrgetter("rank", "number")
    )
    seeds: _Lookup[model.StageId, model.Seed] = _make_lookup_property("seeds", "stage", "number")
    games: _Lookup[model.RoundId, model.Game] = _make_lookup_property("games", "round", "table")
    seats: _Lookup[model.RoundId, model.Seat] = _make_lookup_property(
        "seats", "round", attrgetter("table", "position")
    )
    sheets: _Lookup[GameId, ScoreSheet] = _make_lookup_property("sheets", "game", "form")
    word_rulings: _Lookup[GameId, WordRuling] = _make_lookup_property("word_rulings", "game", "word")
    slips: _Lookup[GameId, model.ResultFromPlayer] = _make_lookup_property("slips", "game", "player")
    absences: _Lookup[PlayerId, model.Absence] = _make_lookup_property("absences", "player", "first_round")
    sanctions: _Lookup[PlayerId, Sanction] = _make_lookup_property("sanctions", "player", None)  # unsorted
    byes: _Lookup[model.RoundId, model.Bye] = cached_property(_make_byes_by_round_lookup)
    rounds: _Lookup[DivisionId, model.Round] = cached_property(_make_rounds_by_division_lookup)  # including drafts
    _has_evenings: cached_property[bool] = cached_property(
        lambda index: any(stage.evening for stage in index.tournament.stages.values())
    )
    _withdrawn_ids: cached_property[frozenset[PlayerId]] = cached_property(
        lambda index: frozenset(
            absence.player for absence in index.tournament.absences.values() if absence.last_round is None
        )
    )

    def _make_lookup_by_parent(
        self,
        row_kind: str,
        parent: str | Callable[[Any], str],
        order: str | Callable[[Any], Any] | None,
        *,
        depends_on: str | None = None,
    ) -> Callable[[str], tuple[Any, ...]]:
        """Return a function that finds the rows of `row_kind` by the id of a parent row.

        `parent` and `order` are field names, or functions of a row. If `order` is None, the rows are not sorted.
        `depends_on` is a second row kind that the function `parent` or `order` reads.
        """
        rows, inputs = self.tournament.rows(row_kind), [self.tournament.rows(depends_on)] if depends_on else []
        parent_of = attrgetter(parent) if isinstance(parent, str) else parent
        key = attrgetter(order, "id") if isinstance(order, str) else order
        shared_cache = self.shared_cache  # do not capture self: the index must be freed without a cycle

        def update_row_groups(old_entry: tuple[_Rows, _Groups] | None) -> tuple[_Rows, _Groups]:
            if old_entry is not None and old_entry[0] is rows:
                return old_entry
            if old_entry is None or key is None:
                return rows, _group_rows(rows.values(), parent_of, key)
            return rows, _regroup_rows_of_changed_parents(*old_entry, rows, parent_of, key)

        @cache
        def get_groups() -> _Groups:
            return _update_cache_entry(shared_cache, ("rows", row_kind), inputs, update_row_groups)[1]

        return lambda group: get_groups().get(group, ())

    def get_cached_value_after_round(
        self,
        name: str,
        division: model.Division,
        after_round: int | None,
        compute: Callable[[TournamentIndex, model.Division, int | None], T],
    ) -> T:
        """Return `compute(self, division, after_round)`. Cache it under `name` and these arguments."""
        if self.tournament.divisions.get(division.id) is not division:
            return compute(self, division, after_round)
        key = name, division.id, after_round
        if key not in self._values:
            self._values[key] = compute(self, division, after_round)
        return cast("T", self._values[key])

    def get_cached_value_or_compute(self, name: Hashable, inputs: Sequence[object], compute: Callable[[], T]) -> T:
        """Return `compute()`, or its result cached under `name` for the same `inputs` objects."""

        def compute_if_missing(old_value: T | None) -> T:
            return compute() if old_value is None else old_value

        return self.update_cached_value(name, inputs, compute_if_missing)

    def update_cached_value(self, name: Hashable, inputs: Sequence[object], compute: Callable[[T | None], T]) -> T:
        """Return `compute(earlier)` and cache it under `name`.

        `earlier` is the cached value. It is None if missing, or if it was cached for other `inputs` objects.
        """
        return _update_cache_entry(self.shared_cache, name, inputs, compute)

    def find_changed_ids(self, row_kind: str, earlier_rows: Mapping[Any, Any]) -> frozenset[str]:
        rows, name = self.tournament.rows(row_kind), ("changed", row_kind, id(earlier_rows))
        if earlier_rows is rows:
            return frozenset()
        if name not in self._values:
            removed_keys, changed_keys = find_removed_and_changed_keys(earlier_rows, rows)
            changed_ids = frozenset((*removed_keys, *changed_keys))
            self._values[name] = changed_ids, earlier_rows  # keep the rows, so that their id is not reused
        return cast("tuple[frozenset[str], object]", self._values[name])[0]

    def list_matching_row_ids(self, row_kind: str, test: Callable[[Any], bool]) -> Set[str]:
        """Return the ids of the rows that pass `test`, which must be a module-level function."""
        rows = self.tournament.rows(row_kind)

        def update_matching_ids(
            old_entry: tuple[Mapping[str, object], Set[str]] | None,
        ) -> tuple[Mapping[str, object], Set[str]]:
            if old_entry is None:
                return rows, {key for key, row in rows.items() if test(row)}
            changed_ids, old_ids = self.find_changed_ids(row_kind, old_entry[0]), old_entry[1]
            matching_ids = {key for key in changed_ids if key in rows and test(rows[key])}
            if matching_ids == old_ids & changed_ids:
                return rows, old_ids
            return rows, (old_ids - changed_ids) | matching_ids

        return self.update_cached_value(("where", row_kind, test), (), update_matching_ids)[1]

    def get_division(self, code: str | None) -> model.Division:
        """Return the division with this code (None: the only division). Raises CommandError if not found."""
        if code is None and len(self.divisions) == 1:
            return self.divisions[0]
        if code is None:
            raise CommandError("which-division", divisions=", ".join(division.code for division in self.divisions))
        for division in self.divisions:
            if division.code.casefold() == code.casefold():
                return division
        raise CommandError("no-such-division", division=code)

    def find_stage(self, division: DivisionId, round_number: int) -> model.Stage | None:
        """Return the stage of a round, or None after the last planned round.

        If the last stage is a club evening, all later rounds belong to it.
        """
        last, stage = 0, None
        for stage in self.stages(division):
            last += stage.rounds
            if round_number <= last:
                return stage
        return stage if stage is not None and stage.evening else None

    def get_first_round_number(self, stage: model.StageId) -> int:
        stage_row = self.tournament.stages[stage]
        return 1 + sum(
            earlier_stage.rounds
            for earlier_stage in self.stages(stage_row.division)
            if earlier_stage.position < stage_row.position
        )

    def count_planned_rounds(self, division: DivisionId) -> int:
        return sum(stage.rounds for stage in self.stages(division))

    def list_published_rounds(
        self, division: DivisionId, after_round: int | None = None
    ) -> tuple[model.Round, ...]:
        """Return the published rounds of a division up to round `after_round` (None: all)."""
        rounds = (item for item in self.rounds(division) if item.state is model.RoundState.PUBLISHED)
        return tuple(item for item in rounds if after_round is None or item.number <= after_round)

    def get_last_published_round_number(self, division: DivisionId, round_if_given: int | None = None) -> int:
        """Return `round_if_given`, otherwise the number of the last published round, 0 if none."""
        return len(self.list_published_rounds(division)) if round_if_given is None else round_if_given

    def get_last_round_with_results(self, division: DivisionId, round_if_given: int | None = None) -> int:
        """Return `round_if_given`, otherwise the number of the last published round that has begun, 0 if none.

        A round has begun if it has a result, or consists only of byes.
        """
        round_numbers = (
            item.number
            for item in self.list_published_rounds(division)
            if self.has_any_result_or_no_table(item.id)
        )
        return max(round_numbers, default=0) if round_if_given is None else round_if_given

    def has_any_result_or_no_table(self, round_id: model.RoundId) -> bool:
        tables = self.list_tables(round_id)
        return not tables or len(tables) != len(self.list_open_tables(round_id))

    def get_round(self, division: DivisionId, round_number: int) -> model.Round:
        for item in self.rounds(division):
            if item.number == round_number:
                return item
        raise CommandError("no-such-round", round=round_number)

    def get_division_of_round(self, round_id: model.RoundId) -> model.Division:
        stage = self.tournament.stages[self.tournament.rounds[round_id].stage]
        return self.tournament.divisions[stage.division]

    def get_player(self, division: DivisionId, number: int) -> model.Player:
        for player in self.players(division):
            if player.number == number:
                return player
        raise CommandError("no-such-player", player=number)

    def get_game(self, round_id: model.RoundId, table: int) -> model.Game:
        for game in self.games(round_id):
            if game.table == table:
                return game
        raise CommandError("no-such-table", table=table, round=self.tournament.rounds[round_id].number)

    def find_game_at_table(
        self, division: DivisionId, round_number: int | None, table: int | None
    ) -> model.Game | None:
        rounds = [item for item in self.rounds(division) if item.number == round_number]
        return next((game for item in rounds for game in self.games(item.id) if game.table == table), None)

    def list_seats_by_table(self, round_id: model.RoundId) -> tuple[tuple[model.Seat, ...], ...]:
        seats = self.seats(round_id)
        return tuple(tuple(group) for _, group in groupby(seats, attrgetter("table")))

    def find_player_seat(self, round_id: model.RoundId, player: PlayerId) -> model.Seat | None:
        return next((seat for seat in self.seats(round_id) if seat.player == player), None)

    def find_player_game(self, round_id: model.RoundId, player: PlayerId) -> model.Game | None:
        return self._map_games_by_player(round_id).get(player)

    def find_players_with_game_bye_or_seat(self, round_id: model.RoundId) -> frozenset[PlayerId]:
        games, byes, seats = self.games(round_id), self.byes(round_id), self.seats(round_id)

        def find_players_of_round() -> frozenset[PlayerId]:
            other_players = (*(bye.player for bye in byes), *(seat.player for seat in seats))
            return frozenset((*self._map_games_by_player(round_id), *other_players))

        return self.get_cached_value_or_compute(("seated", round_id), (games, byes, seats), find_players_of_round)

    def _map_games_by_player(self, round_id: model.RoundId) -> Mapping[PlayerId, model.Game]:
        games = self.games(round_id)
        seats = ((player, game) for game in games for player in (game.first, game.second))
        return self.get_cached_value_or_compute(("seats", round_id), (games,), lambda: dict(seats))

    def list_byes_for_lack_of_opponent(self, round_id: model.RoundId) -> tuple[model.Bye, ...]:
        """Return the byes of players without an opponent. Omit byes for a stored absence."""
        number, bye_kind = self.tournament.rounds[round_id].number, model.ByeKind.BYE
        byes = [bye for bye in self.byes(round_id) if bye.kind is bye_kind]
        byes_and_absences = ((bye, self.find_absence(bye.player, number)) for bye in byes)
        return tuple(bye for bye, absence in byes_and_absences if absence is None or absence.kind is not bye_kind)

    def get_result(self, game: GameId) -> model.Result | None:
        return self.tournament.results.get(game)

    def list_open_games(self, round_id: model.RoundId) -> tuple[model.Game, ...]:
        games, results = self.tournament.games, self.tournament.results

        def update_open_games(
            old_entry: tuple[_Games, _Results, _OpenGames] | None,
        ) -> tuple[_Games, _Results, _OpenGames]:
            rounds: Iterable[model.RoundId] = self.tournament.rounds
            if old_entry is not None:
                rounds = {game.round for game in self.list_changed_games(*old_entry[:2])}
            open_games = {key: tuple(game for game in self.games(key) if game.id not in results) for key in rounds}
            return games, results, open_games if old_entry is None else {**old_entry[2], **open_games}

        return self.update_cached_value("open", (), update_open_games)[2].get(round_id, ())

    def list_tables(self, round_id: model.RoundId) -> tuple[int, ...]:
        tables = {game.table for game in self.games(round_id)}
        return tuple(sorted(tables.union(seat.table for seat in self.seats(round_id))))

    def list_open_tables(self, round_id: model.RoundId) -> tuple[int, ...]:
        tables = [seat.table for seat in self.seats(round_id) if seat.state is None]
        return tuple(sorted({*tables, *(game.table for game in self.list_open_games(round_id))}))

    def list_changed_games(self, earlier_games: _Games, earlier_results: _Results) -> list[model.Game]:
        changed_ids = map(
            GameId,
            self.find_changed_ids("games", earlier_games) | self.find_changed_ids("results", earlier_results),
        )
        rows = (row for key in changed_ids for row in (earlier_games.get(key), self.tournament.games.get(key)))
        return [row for row in rows if row is not None]

    def find_absence(self, player: PlayerId, round_number: int) -> model.Absence | None:
        """Return the absence of a player in a round, None if the player is present.

        At a club evening, return a new, unstored absence for a player who is not checked in, or has no game or bye
        in the published round.
        """
        absence = self.find_stored_absence(player, round_number)
        if absence is None and self._has_evenings and self._is_absent_from_evening(player, round_number):
            return model.Absence(model.AbsenceId(""), player, round_number, round_number)
        return absence

    def find_stored_absence(self, player: PlayerId, round_number: int) -> model.Absence | None:
        for absence in self.absences(player):
            if absence.first_round <= round_number and (
                absence.last_round is None or round_number <= absence.last_round
            ):
                return absence
        return None

    def _is_absent_from_evening(self, player: PlayerId, round_number: int) -> bool:
        row = self.tournament.players.get(player)
        stage = self.find_stage(row.division, round_number) if row is not None else None
        if row is None or stage is None or not stage.evening:
            return False
        rounds = self.rounds(row.division)  # numbered from 1
        existing_round = rounds[round_number - 1] if 0 < round_number <= len(rounds) else None
        if existing_round is None or existing_round.state is model.RoundState.DRAFT:
            return not row.checked_in
        return player not in self.find_players_with_game_bye_or_seat(existing_round.id)

    def has_withdrawn(self, player: PlayerId) -> bool:
        return player in self._withdrawn_ids

    def is_disqualified(self, player: PlayerId, after_round: int | None = None) -> bool:
        return any(
            sanction.kind is SanctionKind.DISQUALIFIED
            and (after_round is None or (sanction.round or 0) <= after_round)
            for sanction in self.sanctions(player)
        )

    def has_withdrawn_by_round(self, player: PlayerId, round_number: int) -> bool:
        absence = self.find_stored_absence(player, round_number)
        return absence is not None and absence.last_round is None

    def has_game_or_bye_or_seat(self, player: PlayerId) -> bool:
        tournament = self.tournament
        return (
            any(player in {game.first, game.second} for game in tournament.games.values())
            or any(bye.player == player for bye in tournament.byes.values())
            or any(seat.player == player for seat in tournament.seats.values())
        )


def _update_cache_entry(
    shared_cache: _Cache, name: Hashable, inputs: Sequence[object], compute: Callable[[T | None], T]
) -> T:
    old_entry, old_value = shared_cache.get(name), None
    if old_entry is not None and len(old_entry[0]) == len(inputs) and not any(map(is_not, old_entry[0], inputs)):
        old_value = cast("T", old_entry[1])
    new_value = compute(old_value)
    shared_cache[name] = inputs, new_value
    return new_value


def _group_rows(rows: Iterable[Any], parent_of: Callable[[Any], str], key: Callable[[Any], Any] | None) -> _Groups:
    groups: dict[str, list[Any]] = defaultdict(list)
    for row in rows:
        groups[parent_of(row)].append(row)
    return {parent: tuple(sorted(group, key=key) if key else group) for parent, group in groups.items()}


def _regroup_rows_of_changed_parents(
    old_rows: _Rows, old_groups: _Groups, rows: _Rows, parent_of: Callable[[Any], str], key: Callable[[Any], Any]
) -> _Groups:
    removed_keys, changed_keys = find_removed_and_changed_keys(old_rows, rows)
    changed_parents = {
        parent_of(old_rows[row_id]) for row_id in (*removed_keys, *changed_keys) if row_id in old_rows
    }
    changed_parents.update(parent_of(rows[row_id]) for row_id in changed_keys)
    unchanged_rows = (
        row for parent in changed_parents for row in old_groups.get(parent, ()) if rows.get(row.id) is row
    )
    new_groups = _group_rows((*unchanged_rows, *(rows[row_id] for row_id in changed_keys)), parent_of, key)
    return {
        **{parent: group for parent, group in old_groups.items() if parent not in changed_parents},
        **new_groups,
    }
