"""One tournament's rows, grouped and sorted the way they are asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from functools import cache
from operator import attrgetter, is_not
from typing import Any, TypeVar, cast

from tdapp.domain import model
from tdapp.domain.errors import RuleViolation
from tdapp.domain.jury_rows import Challenge, Incident, Sanction, ScoreSheet, WordRuling
from tdapp.domain.model import DivisionId, GameId, PlayerId
from tdapp.domain.tournament import Tournament, changed_keys
from tdapp.scrabble.sheet import SanctionKind

K = TypeVar("K", bound=str)
T = TypeVar("T")
_Of = Callable[[K], tuple[T, ...]]
_Rows = Mapping[str, Any]
_Groups = Mapping[str, tuple[Any, ...]]
_Carried = dict[Hashable, tuple[Sequence[object], Any]]
_Games = Mapping[GameId, model.Game]
_Results = Mapping[GameId, model.Result]
_OpenGames = Mapping[model.RoundId, tuple[model.Game, ...]]


class Index:
    """Look-ups in one immutable tournament; made of each kind when it is first asked for.

    `stages` to `sanctions` return the rows of a parent, sorted by the field that is named; byes by player number.
    `carried` is shared with the indexes of earlier values: see `carry`.
    """

    def __init__(self, tournament: Tournament, before: Index | None = None) -> None:
        """Index `tournament`; `before` indexes an earlier value: what is the same there is taken over."""
        self.tournament = tournament
        self._known: dict[Hashable, object] = {}
        self.carried: _Carried = {} if before is None else before.carried
        self.divisions: tuple[model.Division, ...] = tuple(
            sorted(tournament.divisions.values(), key=lambda division: (division.code, division.id))
        )
        players, stages = tournament.players, tournament.stages
        self.stages: _Of[DivisionId, model.Stage] = self._grouped("stages", "division", "position")
        self.players: _Of[DivisionId, model.Player] = self._grouped("players", "division", "number")
        self.incidents: _Of[DivisionId, Incident] = self._grouped("incidents", "division", "at")
        self.challenges: _Of[DivisionId, Challenge] = self._grouped("challenges", "division", "at")
        self.prizes: _Of[DivisionId, model.Prize] = self._grouped("prizes", "division", "position")
        self.table_groups: _Of[DivisionId, model.TableGroup] = self._grouped("table_groups", "division", "first")
        self.fees: _Of[DivisionId, model.Fee] = self._grouped("fees", "division", "category")
        self.seeds: _Of[model.StageId, model.Seed] = self._grouped("seeds", "stage", "number")
        self.games: _Of[model.RoundId, model.Game] = self._grouped("games", "round", "table")
        self.byes: _Of[model.RoundId, model.Bye] = self._grouped(
            "byes", "round", lambda bye: players[bye.player].number, rests_on="players"
        )
        self.sheets: _Of[GameId, ScoreSheet] = self._grouped("sheets", "game", "form")
        self.word_rulings: _Of[GameId, WordRuling] = self._grouped("word_rulings", "game", "word")
        self.slips: _Of[GameId, model.SlipEntry] = self._grouped("slips", "game", "player")
        self.absences: _Of[PlayerId, model.Absence] = self._grouped("absences", "player", "first_round")
        self.rounds: _Of[DivisionId, model.Round] = self._grouped(  # drafts included
            "rounds", lambda item: stages[item.stage].division, "number", rests_on="stages"
        )
        self.sanctions: _Of[PlayerId, Sanction] = self._grouped("sanctions", "player", None)  # as they came
        absences = tournament.absences
        self._left = cache(lambda: {item.player for item in absences.values() if item.last_round is None})

    def _grouped(
        self,
        kind: str,
        parent: str | Callable[[Any], str],
        order: str | Callable[[Any], Any] | None,
        *,
        rests_on: str | None = None,
    ) -> Callable[[str], tuple[Any, ...]]:
        """Return what gives the rows of a kind with a parent, by `order` (a field: and by id; None: as they come).

        Parents and order may be read from a second kind, too.
        """
        rows, inputs = self.tournament.rows(kind), [self.tournament.rows(rests_on)] if rests_on else []
        parent_of = attrgetter(parent) if isinstance(parent, str) else parent
        key = attrgetter(order, "id") if isinstance(order, str) else order
        carried = self.carried  # not ourselves: an index goes as soon as nobody has it

        def compute(known: tuple[_Rows, _Groups] | None) -> tuple[_Rows, _Groups]:
            if known is not None and known[0] is rows:
                return known
            if known is None or key is None:
                return rows, _groups(rows.values(), parent_of, key)
            return rows, _regrouped(*known, rows, parent_of, key)

        @cache
        def groups() -> _Groups:
            return _renewed(carried, ("rows", kind), inputs, compute)[1]

        return lambda group: groups().get(group, ())

    def remember(
        self,
        name: str,
        division: model.Division,
        after: int | None,
        compute: Callable[[Index, model.Division, int | None], T],
    ) -> T:
        """Return what `compute` gives for a division after a round: once, but anew for one that is not ours."""
        if self.tournament.divisions.get(division.id) is not division:
            return compute(self, division, after)
        key = name, division.id, after
        if key not in self._known:
            self._known[key] = compute(self, division, after)
        return cast("T", self._known[key])

    def carry(self, name: Hashable, inputs: Sequence[object], compute: Callable[[], T]) -> T:
        """Return what `compute` gives, or gave an earlier index where `inputs` were the very same things."""

        def carried(known: T | None) -> T:
            return compute() if known is None else known

        return self.renew(name, inputs, carried)

    def renew(self, name: Hashable, inputs: Sequence[object], compute: Callable[[T | None], T]) -> T:
        """Return what `compute` makes of what it made for an earlier index, of None where `inputs` were others."""
        return _renewed(self.carried, name, inputs, compute)

    def changed(self, kind: str, since: Mapping[Any, Any]) -> frozenset[str]:
        """Return the ids of the rows of a kind that are not as in `since`, the map of another value."""
        rows, name = self.tournament.rows(kind), ("changed", kind, id(since))
        if since is rows:
            return frozenset()
        if name not in self._known:
            gone, others = changed_keys(since, rows)
            self._known[name] = frozenset((*gone, *others)), since  # kept, so that nothing else has its id
        return cast("tuple[frozenset[str], object]", self._known[name])[0]

    def where(self, kind: str, test: Callable[[Any], bool]) -> Set[str]:
        """Return the ids of the rows of a kind that pass a test, a function that is there for good."""
        rows = self.tournament.rows(kind)

        def compute(known: tuple[Mapping[str, object], Set[str]] | None) -> tuple[Mapping[str, object], Set[str]]:
            if known is None:
                return rows, {key for key, row in rows.items() if test(row)}
            changed, passed = self.changed(kind, known[0]), known[1]
            passing = {key for key in changed if key in rows and test(rows[key])}
            return rows, passed if passing == passed & changed else (passed - changed) | passing

        return self.renew(("where", kind, test), (), compute)[1]

    def division(self, code: str | None) -> model.Division:
        """Return the division with `code`, or the only one for None; raise RuleViolation otherwise."""
        if code is None and len(self.divisions) == 1:
            return self.divisions[0]
        if code is None:
            raise RuleViolation("which-division", divisions=", ".join(item.code for item in self.divisions))
        for division in self.divisions:
            if division.code.casefold() == code.casefold():
                return division
        raise RuleViolation("no-such-division", division=code)

    def stage_for(self, division: DivisionId, number: int) -> model.Stage | None:
        """Return the stage that round `number` belongs to, None beyond the last planned round."""
        last = 0
        for stage in self.stages(division):
            last += stage.rounds
            if number <= last:
                return stage
        return None

    def first_round(self, stage: model.StageId) -> int:
        """Return the number of a stage's first round."""
        own = self.tournament.stages[stage]
        return 1 + sum(item.rounds for item in self.stages(own.division) if item.position < own.position)

    def planned_rounds(self, division: DivisionId) -> int:
        """Return how many rounds a division's stages have in all."""
        return sum(stage.rounds for stage in self.stages(division))

    def published(self, division: DivisionId, after: int | None = None) -> tuple[model.Round, ...]:
        """Return a division's published rounds by number, up to round `after` if it is given."""
        found = (item for item in self.rounds(division) if item.state is model.RoundState.PUBLISHED)
        return tuple(item for item in found if after is None or item.number <= after)

    def latest(self, division: DivisionId, after: int | None = None) -> int:
        """Return the number of a division's last published round, 0 before the first; `after` if it is given."""
        return len(self.published(division)) if after is None else after

    def counted(self, division: DivisionId, after: int | None = None) -> int:
        """Return the round that standings are of: the last of which a result has come in, or `after`.

        A round without games counts as soon as it is published.
        """
        begun = (item.number for item in self.published(division) if self.begun(item.id))
        return max(begun, default=0) if after is None else after

    def begun(self, round_id: model.RoundId) -> bool:
        """Return whether a result of a round has come in, or nothing is to come."""
        return not self.games(round_id) or self.games(round_id) != self.open_games(round_id)

    def round(self, division: DivisionId, number: int) -> model.Round:
        """Return round `number` of a division; raise RuleViolation if there is none."""
        for item in self.rounds(division):
            if item.number == number:
                return item
        raise RuleViolation("no-such-round", round=number)

    def division_of(self, round_id: model.RoundId) -> model.Division:
        """Return the division a round belongs to."""
        stage = self.tournament.stages[self.tournament.rounds[round_id].stage]
        return self.tournament.divisions[stage.division]

    def player(self, division: DivisionId, number: int) -> model.Player:
        """Return player `number` of a division; raise RuleViolation if there is none."""
        for player in self.players(division):
            if player.number == number:
                return player
        raise RuleViolation("no-such-player", player=number)

    def game(self, round_id: model.RoundId, table: int) -> model.Game:
        """Return the game at `table` in a round; raise RuleViolation if there is none."""
        for game in self.games(round_id):
            if game.table == table:
                return game
        raise RuleViolation("no-such-table", table=table, round=self.tournament.rounds[round_id].number)

    def game_at(self, division: DivisionId, number: int | None, table: int | None) -> model.Game | None:
        """Return the game at `table` in round `number` of a division, if any."""
        rounds = [item for item in self.rounds(division) if item.number == number]
        return next((game for item in rounds for game in self.games(item.id) if game.table == table), None)

    def game_of(self, round_id: model.RoundId, player: PlayerId) -> model.Game | None:
        """Return the game that a player has in a round, if any."""
        return self._seats(round_id).get(player)

    def seated(self, round_id: model.RoundId) -> set[PlayerId]:
        """Return who has a game or a bye in a round."""
        return {*self._seats(round_id), *(bye.player for bye in self.byes(round_id))}

    def _seats(self, round_id: model.RoundId) -> Mapping[PlayerId, model.Game]:
        games = self.games(round_id)
        seats = ((player, game) for game in games for player in (game.first, game.second))
        return self.carry(("seats", round_id), (games,), lambda: dict(seats))

    def waiting(self, round_id: model.RoundId) -> tuple[model.Bye, ...]:
        """Return the byes of those for whom nobody was left in a round, by player number."""
        return tuple(bye for bye in self.byes(round_id) if bye.kind is model.ByeKind.BYE)

    def result(self, game: GameId) -> model.Result | None:
        """Return a game's result, None while it is open."""
        return self.tournament.results.get(game)

    def open_games(self, round_id: model.RoundId) -> tuple[model.Game, ...]:
        """Return a round's games that have no result, by table."""
        games, results = self.tournament.games, self.tournament.results

        def compute(known: tuple[_Games, _Results, _OpenGames] | None) -> tuple[_Games, _Results, _OpenGames]:
            rounds: Iterable[model.RoundId] = self.tournament.rounds
            if known is not None:
                rounds = {game.round for game in self.games_changed(*known[:2])}
            anew = {key: tuple(game for game in self.games(key) if game.id not in results) for key in rounds}
            return games, results, anew if known is None else {**known[2], **anew}

        return self.renew("open", (), compute)[2].get(round_id, ())

    def games_changed(self, games: _Games, results: _Results) -> list[model.Game]:
        """Return, as they were and as they are, the games that are not as in these maps of another value.

        They are others, or their results are.
        """
        changed = map(GameId, self.changed("games", games) | self.changed("results", results))
        rows = (row for key in changed for row in (games.get(key), self.tournament.games.get(key)))
        return [row for row in rows if row is not None]

    def absence(self, player: PlayerId, number: int) -> model.Absence | None:
        """Return the absence that keeps a player out of round `number`, if any."""
        for item in self.absences(player):
            if item.first_round <= number and (item.last_round is None or number <= item.last_round):
                return item
        return None

    def withdrawn(self, player: PlayerId) -> bool:
        """Return whether a player has left for good."""
        return player in self._left()

    def disqualified(self, player: PlayerId, after: int | None = None) -> bool:
        """Return whether a player is disqualified by round `after` (None: at all)."""
        return any(
            item.kind is SanctionKind.DISQUALIFIED and (after is None or (item.round or 0) <= after)
            for item in self.sanctions(player)
        )

    def withdrawn_before(self, player: PlayerId, number: int) -> bool:
        """Return whether a player has left for good by round `number`."""
        absence = self.absence(player, number)
        return absence is not None and absence.last_round is None

    def has_played(self, player: PlayerId) -> bool:
        """Return whether a player is in any round, as a game or a bye."""
        tournament = self.tournament
        return any(player in {game.first, game.second} for game in tournament.games.values()) or any(
            bye.player == player for bye in tournament.byes.values()
        )


def _renewed(carried: _Carried, name: Hashable, inputs: Sequence[object], compute: Callable[[T | None], T]) -> T:
    before, known = carried.get(name), None
    if before is not None and len(before[0]) == len(inputs) and not any(map(is_not, before[0], inputs)):
        known = cast("T", before[1])
    found = compute(known)
    carried[name] = inputs, found
    return found


def _groups(rows: Iterable[Any], parent_of: Callable[[Any], str], key: Callable[[Any], Any] | None) -> _Groups:
    groups: dict[str, list[Any]] = defaultdict(list)
    for row in rows:
        groups[parent_of(row)].append(row)
    return {parent: tuple(sorted(found, key=key) if key else found) for parent, found in groups.items()}


def _regrouped(
    before: _Rows, known: _Groups, rows: _Rows, parent_of: Callable[[Any], str], key: Callable[[Any], Any]
) -> _Groups:
    """Return the groups of `rows`, those that are as before as the very same tuples."""
    gone, others = changed_keys(before, rows)
    touched = {parent_of(before[one]) for one in (*gone, *others) if one in before}
    touched.update(parent_of(rows[one]) for one in others)
    kept = (row for parent in touched for row in known.get(parent, ()) if rows.get(row.id) is row)
    anew = _groups((*kept, *(rows[one] for one in others)), parent_of, key)
    return {**{parent: found for parent, found in known.items() if parent not in touched}, **anew}
