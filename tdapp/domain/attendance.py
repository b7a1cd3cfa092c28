"""Preview what follows when a player leaves, is absent, returns or arrives late."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from tdapp.domain.bracket import find_stage_players, list_byes_replaceable_by_latecomer
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, Game, GameSide, Player, PlayerId, RoundState
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tournament import Tournament


class AttendanceConsequence(Struct, frozen=True):
    """One consequence of a change in attendance."""

    code: str
    facts: Mapping[str, object]
    needs_action: bool = False  # the director must act


def list_attendance_consequences(
    before: Tournament, after: Tournament, player: PlayerId
) -> tuple[AttendanceConsequence, ...]:
    """Return the consequences of a change in the attendance of `player` from `before` to `after`.

    Consequences on which the director must act come first.
    """
    change = _ConsequenceFinder(TournamentIndex(before), TournamentIndex(after), after.players[player])
    consequences = [
        *change.list_round_consequences(),
        *change.list_forced_pairing_consequences(),
        *change.list_stage_consequences(),
        *change.list_point_consequences(),
        *change.list_standings_consequences(),
    ]
    consequences = consequences or [make_attendance_consequence("nothing-follows")]
    return tuple(sorted(consequences, key=lambda consequence: not consequence.needs_action))


def make_attendance_consequence(
    code: str, *, needs_action: bool = False, **facts: object
) -> AttendanceConsequence:
    return AttendanceConsequence(code, MappingProxyType(facts), needs_action)


class _ConsequenceFinder:
    def __init__(self, before: TournamentIndex, after: TournamentIndex, player: Player) -> None:
        self._before, self._after, self._player = before, after, player
        self._is_new_player = player.id not in before.tournament.players
        self._division = player.division
        self._last_published_round = after.get_last_published_round_number(self._division)
        self._planned_rounds = range(
            self._last_published_round + 1, after.count_planned_rounds(self._division) + 1
        )
        self._changed_rounds = [
            number for number in self._planned_rounds if self._was_present(number) != self._is_present(number)
        ]
        self._is_leaving = bool(self._changed_rounds) and not self._is_present(self._changed_rounds[0])

    # --- consequences by area

    def list_round_consequences(self) -> Iterator[AttendanceConsequence]:
        name = self._player.name
        for item in self._after.rounds(self._division):
            game = self._after.find_player_game(item.id, self._player.id)
            if game is not None:
                facts: dict[str, object] = {
                    "player": name,
                    "round": item.number,
                    "table": game.table,
                    "opponent": self._get_player_name(game.get_opponent(self._player.id)),
                }
                if (
                    item.state is RoundState.PUBLISHED
                    and self._is_leaving
                    and self._after.get_result(game.id) is None
                ):
                    yield AttendanceConsequence("game-open", facts, needs_action=True)
                if item.number in self._changed_rounds:  # a draft
                    yield AttendanceConsequence("draft-game", facts, needs_action=True)
            elif item.number in self._changed_rounds:
                has_bye = any(bye.player == self._player.id for bye in self._after.byes(item.id))
                code = "draft-bye" if has_bye and self._is_leaving else "draft-without"
                yield make_attendance_consequence(code, needs_action=True, player=name, round=item.number)
        if self._is_new_player:
            yield from self._list_late_seating_consequences()

    def list_forced_pairing_consequences(self) -> Iterator[AttendanceConsequence]:
        for row in self._after.tournament.constraints.values():
            is_missed = row.round in self._changed_rounds and self._is_leaving  # only a forced pairing has a round
            if is_missed and self._player.id in {row.player, row.other}:
                name, opponent_id = self._player.name, row.other if row.player == self._player.id else row.player
                opponent = self._get_player_name(opponent_id)
                yield make_attendance_consequence(
                    "order-broken", needs_action=True, player=name, round=row.round, opponent=opponent
                )

    def list_stage_consequences(self) -> Iterator[AttendanceConsequence]:
        if not self._changed_rounds:
            return
        number = self._changed_rounds[0]
        stage = self._after.find_stage(self._division, number)
        if stage is None:  # a planned round has a stage
            return
        stage_players = find_stage_players(self._after, stage)
        if self._player.id not in stage_players | find_stage_players(self._before, stage):
            yield make_attendance_consequence("left-out", player=self._player.name, round=number)
            return
        if get_pairing_system(stage).has_seats:
            code = "bracket-goes-on" if get_pairing_system(stage).is_knockout else "seat-empty"
            code = code if self._is_leaving else "seat-last" if self._is_new_player else "plays-from"
            yield make_attendance_consequence(code, player=self._player.name, round=number)
            return
        present_count = sum(self._after.find_absence(player, number) is None for player in stage_players)
        if present_count < 2:  # noqa: PLR2004
            yield make_attendance_consequence("too-few", needs_action=True, round=number, n=present_count)
            return
        is_permanent = self._changed_rounds[-1] == self._planned_rounds[-1] and len(self._changed_rounds) > 1
        code = ("odd" if present_count % 2 else "even") + ("-on" if is_permanent else "-once")
        yield make_attendance_consequence(code, round=number, n=present_count)

    def list_point_consequences(self) -> Iterator[AttendanceConsequence]:
        if self._is_new_player and self._last_published_round:
            yield make_attendance_consequence(
                "starts-at-nothing", player=self._player.name, n=self._last_published_round
            )
        if not self._is_leaving:
            return
        absence = self._after.find_absence(self._player.id, self._changed_rounds[0])
        kind = absence.kind if absence else None
        if kind is None:
            yield make_attendance_consequence("counts-nothing", player=self._player.name)
            return
        rules = self._after.tournament.get_ruleset_of_row(self._player)
        bye_value = rules.byes.get_bye_value(kind)
        points = rules.match_points.get_match_points(bye_value.counts_as)
        yield make_attendance_consequence("counts-as", kind=kind, points=points, spread=bye_value.spread)

    def list_standings_consequences(self) -> Iterator[AttendanceConsequence]:
        name, lists_withdrawn = self._player.name, self._after.tournament.divisions[self._division].list_withdrawn
        has_withdrawn = self._after.has_withdrawn(self._player.id)
        had_withdrawn = self._before.has_withdrawn(self._player.id)
        games = sum(
            self._player.id in {game.first, game.second} and self._after.get_result(game.id) is not None
            for game in self._after.tournament.games.values()
        )
        if has_withdrawn and not had_withdrawn:
            if games:
                yield make_attendance_consequence("results-stay", player=name, n=games)
            yield make_attendance_consequence("stays-listed" if lists_withdrawn else "not-listed", player=name)
        elif had_withdrawn and not has_withdrawn:
            if self._changed_rounds:
                yield make_attendance_consequence("plays-from", player=name, round=self._changed_rounds[0])
            if not lists_withdrawn:
                yield make_attendance_consequence("listed-again", player=name)

    # --- helpers

    def _was_present(self, round_number: int) -> bool:
        return not self._is_new_player and self._before.find_absence(self._player.id, round_number) is None

    def _is_present(self, round_number: int) -> bool:
        return self._after.find_absence(self._player.id, round_number) is None

    def _get_player_name(self, player: PlayerId) -> str:
        return self._after.tournament.players[player].name

    def _list_late_seating_consequences(self) -> Iterator[AttendanceConsequence]:
        for item in self._after.list_published_rounds(self._division)[-1:]:
            open_games = self._after.list_open_games(item.id)
            replaceable_byes = list_byes_replaceable_by_latecomer(self._after, item, self._player.id)
            if open_games and replaceable_byes:
                opponent = self._get_player_name(replaceable_byes[0].player)
                yield make_attendance_consequence(
                    "may-be-seated", player=self._player.name, round=item.number, opponent=opponent
                )


def find_players_back_from_absence(index: TournamentIndex, division: DivisionId) -> frozenset[PlayerId]:
    """Return the players who missed a published round, came to a later game and then missed no further round.

    The result is empty during club evenings.
    """
    stage = index.find_stage(division, index.get_last_published_round_number(division) + 1)
    if stage is not None and stage.evening:
        return frozenset()
    all_players = {player.id for player in index.players(division)}
    absentees: set[PlayerId] = set()
    arrived_players: set[PlayerId] = set()
    for item in index.list_published_rounds(division):
        games = index.games(item.id)
        seated_players = {player for game in games for player in (game.first, game.second)}
        absent_players = (
            all_players - seated_players - {bye.player for bye in index.list_byes_for_lack_of_opponent(item.id)}
        )
        absentees |= absent_players
        arrived_players = (arrived_players - absent_players) | {
            player for game in games for player in _list_non_forfeiting_players(index, game)
        }
    return frozenset(absentees & arrived_players)


def _list_non_forfeiting_players(index: TournamentIndex, game: Game) -> Iterator[PlayerId]:
    result = index.get_result(game.id)
    if result is not None and result.forfeit is not GameSide.BOTH:
        if result.forfeit is not GameSide.FIRST:
            yield game.first
        if result.forfeit is not GameSide.SECOND:
            yield game.second
