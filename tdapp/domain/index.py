"""One tournament's rows, grouped and sorted the way they are asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, TypeVar

from tdapp.domain import model
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import DivisionId, GameId, PlayerId
from tdapp.domain.tournament import Tournament

K = TypeVar("K", bound=str)
T = TypeVar("T")
_Of = Callable[[K], tuple[T, ...]]


class Index:
    """Look-ups in one immutable tournament; built once per value, in one pass over its rows.

    `stages` to `sanctions` return the rows of a parent, sorted by the field that is named; byes by player number.
    """

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.divisions: tuple[model.Division, ...] = tuple(
            sorted(tournament.divisions.values(), key=lambda division: (division.code, division.id))
        )
        self.stages: _Of[DivisionId, model.Stage] = _grouped(tournament.stages, "division", "position")
        self.players: _Of[DivisionId, model.Player] = _grouped(tournament.players, "division", "number")
        self.incidents: _Of[DivisionId, model.Incident] = _grouped(tournament.incidents, "division", "at")
        self.challenges: _Of[DivisionId, model.Challenge] = _grouped(tournament.challenges, "division", "at")
        self.prizes: _Of[DivisionId, model.Prize] = _grouped(tournament.prizes, "division", "position")
        self.table_groups: _Of[DivisionId, model.TableGroup] = _grouped(
            tournament.table_groups, "division", "first"
        )
        self.seeds: _Of[model.StageId, model.Seed] = _grouped(tournament.seeds, "stage", "number")
        self.games: _Of[model.RoundId, model.Game] = _grouped(tournament.games, "round", "table")
        self.byes: _Of[model.RoundId, model.Bye] = _grouped(
            tournament.byes, "round", order=lambda bye: tournament.players[bye.player].number
        )
        self.sheets: _Of[GameId, model.ScoreSheet] = _grouped(tournament.sheets, "game", "form")
        self.word_rulings: _Of[GameId, model.WordRuling] = _grouped(tournament.word_rulings, "game", "word")
        self.slips: _Of[GameId, model.SlipEntry] = _grouped(tournament.slips, "game", "player")
        self.absences: _Of[PlayerId, model.Absence] = _grouped(tournament.absences, "player", "first_round")
        self.rounds: _Of[DivisionId, model.Round] = _grouped(  # drafts included
            tournament.rounds, lambda item: tournament.stages[item.stage].division, "number"
        )
        # As they came.
        self.sanctions: _Of[PlayerId, model.Sanction] = _grouped(tournament.sanctions, "player")

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

    def published(self, division: DivisionId) -> tuple[model.Round, ...]:
        """Return a division's published rounds by number."""
        return tuple(item for item in self.rounds(division) if item.state is model.RoundState.PUBLISHED)

    def latest(self, division: DivisionId, after: int | None = None) -> int:
        """Return the number of a division's last published round, 0 before the first; `after` if it is given."""
        return len(self.published(division)) if after is None else after

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
        return next((game for game in self.games(round_id) if player in {game.first, game.second}), None)

    def seated(self, round_id: model.RoundId) -> set[PlayerId]:
        """Return who has a game or a bye in a round."""
        playing = {player for game in self.games(round_id) for player in (game.first, game.second)}
        return playing.union(bye.player for bye in self.byes(round_id))

    def result(self, game: GameId) -> model.Result | None:
        """Return a game's result, None while it is open."""
        return self.tournament.results.get(game)

    def open_games(self, round_id: model.RoundId) -> tuple[model.Game, ...]:
        """Return a round's games that have no result, by table."""
        return tuple(game for game in self.games(round_id) if game.id not in self.tournament.results)

    def absence(self, player: PlayerId, number: int) -> model.Absence | None:
        """Return the absence that keeps a player out of round `number`, if any."""
        for item in self.absences(player):
            if item.first_round <= number and (item.last_round is None or number <= item.last_round):
                return item
        return None

    def withdrawn(self, player: PlayerId) -> bool:
        """Tell whether a player has left for good."""
        return any(item.last_round is None for item in self.absences(player))

    def withdrawn_before(self, player: PlayerId, number: int) -> bool:
        """Tell whether a player has left for good by round `number`."""
        absence = self.absence(player, number)
        return absence is not None and absence.last_round is None

    def has_played(self, player: PlayerId) -> bool:
        """Tell whether a player is in any round, as a game or a bye."""
        tournament = self.tournament
        return any(player in {game.first, game.second} for game in tournament.games.values()) or any(
            bye.player == player for bye in tournament.byes.values()
        )


def _grouped(
    rows: Mapping[Any, T],
    parent: str | Callable[[T], str],
    field: str = "",
    *,
    order: Callable[[T], Any] | None = None,
) -> Callable[[str], tuple[T, ...]]:
    """Return what gives the rows with a `parent`, sorted by `field` and id, or by `order`; else as they come."""
    groups: dict[str, list[T]] = defaultdict(list)
    parent_of = attrgetter(parent) if isinstance(parent, str) else parent
    for row in rows.values():
        groups[parent_of(row)].append(row)
    key = attrgetter(field, "id") if field else order
    found = {group: tuple(sorted(items, key=key) if key else items) for group, items in groups.items()}
    return lambda group: found.get(group, ())
