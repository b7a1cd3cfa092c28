"""One tournament's rows, grouped and sorted the way they are asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, TypeVar

from tdapp.domain import model
from tdapp.domain.errors import RuleViolation
from tdapp.domain.tournament import Tournament

T = TypeVar("T")


class Index:
    """Look-ups in one immutable tournament; built once per value, in one pass over its rows."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.divisions: tuple[model.Division, ...] = tuple(
            sorted(tournament.divisions.values(), key=lambda division: (division.code, division.id))
        )
        self._stages = _grouped(tournament.stages.values(), "division", "position")
        self._players = _grouped(tournament.players.values(), "division", "number")
        self._games = _grouped(tournament.games.values(), "round", "table")
        self._byes = _grouped(
            tournament.byes.values(), "round", order=lambda bye: tournament.players[bye.player].number
        )
        self._absences = _grouped(tournament.absences.values(), "player", "first_round")
        self._seeds = _grouped(tournament.seeds.values(), "stage", "number")
        self._sheets = _grouped(tournament.sheets.values(), "game", "form")
        self._sanctions = _grouped(tournament.sanctions.values(), "player")
        self._incidents = _grouped(tournament.incidents.values(), "division", "at")
        self._challenges = _grouped(tournament.challenges.values(), "division", "at")
        self._slips = _grouped(tournament.slips.values(), "game", "player")
        self._prizes = _grouped(tournament.prizes.values(), "division", "position")
        self._table_groups = _grouped(tournament.table_groups.values(), "division", "first")
        self._rounds: dict[str, list[model.Round]] = defaultdict(list)
        for item in tournament.rounds.values():
            self._rounds[tournament.stages[item.stage].division].append(item)
        for rounds in self._rounds.values():
            rounds.sort(key=lambda item: item.number)

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

    def stages(self, division: model.DivisionId) -> tuple[model.Stage, ...]:
        """Return a division's stages in the order they are played."""
        return self._stages.get(division, ())

    def stage_for(self, division: model.DivisionId, number: int) -> model.Stage | None:
        """Return the stage that round `number` belongs to, None beyond the last planned round."""
        last = 0
        for stage in self.stages(division):
            last += stage.rounds
            if number <= last:
                return stage
        return None

    def incidents(self, division: model.DivisionId) -> tuple[model.Incident, ...]:
        """Return what was noted of a division's tables, the first first."""
        return self._incidents.get(division, ())

    def challenges(self, division: model.DivisionId) -> tuple[model.Challenge, ...]:
        """Return the verdicts on challenged plays of a division, the first first."""
        return self._challenges.get(division, ())

    def prizes(self, division: model.DivisionId) -> tuple[model.Prize, ...]:
        """Return a division's prizes in the order of the list."""
        return self._prizes.get(division, ())

    def table_groups(self, division: model.DivisionId) -> tuple[model.TableGroup, ...]:
        """Return a division's groups of tables by their first table."""
        return self._table_groups.get(division, ())

    def first_round(self, stage: model.StageId) -> int:
        """Return the number of a stage's first round."""
        own = self.tournament.stages[stage]
        return 1 + sum(item.rounds for item in self.stages(own.division) if item.position < own.position)

    def planned_rounds(self, division: model.DivisionId) -> int:
        """Return how many rounds a division's stages have in all."""
        return sum(stage.rounds for stage in self.stages(division))

    def rounds(self, division: model.DivisionId) -> tuple[model.Round, ...]:
        """Return a division's rounds, drafts included, by number."""
        return tuple(self._rounds.get(division, ()))

    def published(self, division: model.DivisionId) -> tuple[model.Round, ...]:
        """Return a division's published rounds by number."""
        return tuple(item for item in self.rounds(division) if item.state is model.RoundState.PUBLISHED)

    def latest(self, division: model.DivisionId, after: int | None = None) -> int:
        """Return the number of a division's last published round, 0 before the first; `after` if it is given."""
        return len(self.published(division)) if after is None else after

    def round(self, division: model.DivisionId, number: int) -> model.Round:
        """Return round `number` of a division; raise RuleViolation if there is none."""
        for item in self._rounds.get(division, ()):
            if item.number == number:
                return item
        raise RuleViolation("no-such-round", round=number)

    def division_of(self, round_id: model.RoundId) -> model.Division:
        """Return the division a round belongs to."""
        stage = self.tournament.stages[self.tournament.rounds[round_id].stage]
        return self.tournament.divisions[stage.division]

    def players(self, division: model.DivisionId) -> tuple[model.Player, ...]:
        """Return a division's players by number."""
        return self._players.get(division, ())

    def player(self, division: model.DivisionId, number: int) -> model.Player:
        """Return player `number` of a division; raise RuleViolation if there is none."""
        for player in self.players(division):
            if player.number == number:
                return player
        raise RuleViolation("no-such-player", player=number)

    def games(self, round_id: model.RoundId) -> tuple[model.Game, ...]:
        """Return a round's games by table."""
        return self._games.get(round_id, ())

    def game(self, round_id: model.RoundId, table: int) -> model.Game:
        """Return the game at `table` in a round; raise RuleViolation if there is none."""
        for game in self.games(round_id):
            if game.table == table:
                return game
        raise RuleViolation("no-such-table", table=table, round=self.tournament.rounds[round_id].number)

    def game_at(self, division: model.DivisionId, number: int | None, table: int | None) -> model.Game | None:
        """Return the game at `table` in round `number` of a division, if any."""
        rounds = [item for item in self.rounds(division) if item.number == number]
        return next((game for item in rounds for game in self.games(item.id) if game.table == table), None)

    def game_of(self, round_id: model.RoundId, player: model.PlayerId) -> model.Game | None:
        """Return the game that a player has in a round, if any."""
        return next((game for game in self.games(round_id) if player in {game.first, game.second}), None)

    def byes(self, round_id: model.RoundId) -> tuple[model.Bye, ...]:
        """Return a round's byes by player number."""
        return self._byes.get(round_id, ())

    def seated(self, round_id: model.RoundId) -> set[model.PlayerId]:
        """Return who has a game or a bye in a round."""
        playing = {player for game in self.games(round_id) for player in (game.first, game.second)}
        return playing.union(bye.player for bye in self.byes(round_id))

    def result(self, game: model.GameId) -> model.Result | None:
        """Return a game's result, None while it is open."""
        return self.tournament.results.get(game)

    def open_games(self, round_id: model.RoundId) -> tuple[model.Game, ...]:
        """Return a round's games that have no result, by table."""
        return tuple(game for game in self.games(round_id) if game.id not in self.tournament.results)

    def absences(self, player: model.PlayerId) -> tuple[model.Absence, ...]:
        """Return a player's absences by first round."""
        return self._absences.get(player, ())

    def absence(self, player: model.PlayerId, number: int) -> model.Absence | None:
        """Return the absence that keeps a player out of round `number`, if any."""
        for item in self.absences(player):
            if item.first_round <= number and (item.last_round is None or number <= item.last_round):
                return item
        return None

    def withdrawn(self, player: model.PlayerId) -> bool:
        """Tell whether a player has left for good."""
        return any(item.last_round is None for item in self.absences(player))

    def withdrawn_before(self, player: model.PlayerId, number: int) -> bool:
        """Tell whether a player has left for good by round `number`."""
        absence = self.absence(player, number)
        return absence is not None and absence.last_round is None

    def seeds(self, stage: model.StageId) -> tuple[model.Seed, ...]:
        """Return a stage's seeds by number."""
        return self._seeds.get(stage, ())

    def sheets(self, game: model.GameId) -> tuple[model.ScoreSheet, ...]:
        """Return a game's score sheets by form; `making` decides which of them makes the result."""
        return self._sheets.get(game, ())

    def slips(self, game: model.GameId) -> tuple[model.SlipEntry, ...]:
        """Return what the players of a game have entered themselves and is no result yet."""
        return self._slips.get(game, ())

    def sanctions(self, player: model.PlayerId) -> tuple[model.Sanction, ...]:
        """Return a player's sanctions in the order in which they came."""
        return self._sanctions.get(player, ())

    def has_played(self, player: model.PlayerId) -> bool:
        """Tell whether a player is in any round, as a game or a bye."""
        tournament = self.tournament
        return any(player in {game.first, game.second} for game in tournament.games.values()) or any(
            bye.player == player for bye in tournament.byes.values()
        )


def _grouped(
    rows: Iterable[T], parent: str, field: str = "", *, order: Callable[[T], Any] | None = None
) -> dict[str, tuple[T, ...]]:
    """Return the rows by their field `parent`, sorted by `field` and id, or by `order`; else as they come."""
    groups: dict[str, list[T]] = defaultdict(list)
    for row in rows:
        groups[getattr(row, parent)].append(row)
    key = attrgetter(field, "id") if field else order
    return {group: tuple(sorted(items, key=key) if key else items) for group, items in groups.items()}
