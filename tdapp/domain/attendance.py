"""Preview what follows when a player leaves, is absent, returns or arrives late."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from tdapp.domain.bracket import find_stage_players, list_byes_replaceable_by_latecomer
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, Forfeit, Game, Player, PlayerId, RoundState
from tdapp.domain.systems import get_system
from tdapp.domain.tournament import Tournament


class Consequence(Struct, frozen=True):
    """One consequence of a player's absence, return or late arrival."""

    code: str
    facts: Mapping[str, object]
    needs_action: bool = False  # the director must act


def find_consequences(before: Tournament, after: Tournament, player: PlayerId) -> tuple[Consequence, ...]:
    """Return the consequences for `player` of the change from `before` to `after`.

    Consequences on which the director must act come first.
    """
    view = _AttendanceChange(Index(before), Index(after), after.players[player])
    found = [
        *view.list_round_consequences(),
        *view.list_forced_pairing_consequences(),
        *view.list_stage_consequences(),
        *view.list_point_consequences(),
        *view.list_standings_consequences(),
    ]
    found = found or [make_consequence("nothing-follows")]
    return tuple(sorted(found, key=lambda one: not one.needs_action))


def make_consequence(code: str, *, needs_action: bool = False, **facts: object) -> Consequence:
    return Consequence(code, MappingProxyType(facts), needs_action)


class _AttendanceChange:
    def __init__(self, before: Index, after: Index, player: Player) -> None:
        self._before, self._after, self._player = before, after, player
        self._new = player.id not in before.tournament.players
        self._division = player.division
        self._published = after.get_last_published(self._division)
        self._planned = range(self._published + 1, after.count_planned_rounds(self._division) + 1)
        self._changed = [
            number for number in self._planned if self._was_present(number) != self._is_present(number)
        ]
        self._leaves = bool(self._changed) and not self._is_present(self._changed[0])

    # --- consequences by area

    def list_round_consequences(self) -> Iterator[Consequence]:
        name = self._player.name
        for item in self._after.rounds(self._division):
            game = self._after.find_game_of(item.id, self._player.id)
            if game is not None:
                facts: dict[str, object] = {
                    "player": name,
                    "round": item.number,
                    "table": game.table,
                    "opponent": self._get_player_name(game.get_opponent(self._player.id)),
                }
                if item.state is RoundState.PUBLISHED and self._leaves and self._after.result(game.id) is None:
                    yield Consequence("game-open", facts, needs_action=True)
                if item.number in self._changed:  # of unpublished stages
                    yield Consequence("draft-game", facts, needs_action=True)
            elif item.number in self._changed:
                has_bye = any(bye.player == self._player.id for bye in self._after.byes(item.id))
                code = "draft-bye" if has_bye and self._leaves else "draft-without"
                yield make_consequence(code, needs_action=True, player=name, round=item.number)
        if self._new:
            yield from self._list_late_seating_consequences()

    def list_forced_pairing_consequences(self) -> Iterator[Consequence]:
        for row in self._after.tournament.constraints.values():
            missed = row.round in self._changed and self._leaves  # only a forced pairing has a round
            if missed and self._player.id in {row.player, row.other}:
                name, other = self._player.name, row.other if row.player == self._player.id else row.player
                opponent = self._get_player_name(other)
                yield make_consequence(
                    "order-broken", needs_action=True, player=name, round=row.round, opponent=opponent
                )

    def list_stage_consequences(self) -> Iterator[Consequence]:
        if not self._changed:
            return
        number = self._changed[0]
        stage = self._after.find_stage(self._division, number)
        if stage is None:  # a planned round has a stage
            return
        inside = find_stage_players(self._after, stage)
        if self._player.id not in inside | find_stage_players(self._before, stage):
            yield make_consequence("left-out", player=self._player.name, round=number)
            return
        if get_system(stage).has_seats:
            code = "bracket-goes-on" if get_system(stage).is_knockout else "seat-empty"
            code = code if self._leaves else "seat-last" if self._new else "plays-from"
            yield make_consequence(code, player=self._player.name, round=number)
            return
        present = sum(self._after.find_absence(one, number) is None for one in inside)
        if present < 2:  # noqa: PLR2004
            yield make_consequence("too-few", needs_action=True, round=number, n=present)
            return
        on = self._changed[-1] == self._planned[-1] and len(self._changed) > 1
        code = ("odd" if present % 2 else "even") + ("-on" if on else "-once")
        yield make_consequence(code, round=number, n=present)

    def list_point_consequences(self) -> Iterator[Consequence]:
        if self._new and self._published:
            yield make_consequence("starts-at-nothing", player=self._player.name, n=self._published)
        if not self._leaves:
            return
        absence = self._after.find_absence(self._player.id, self._changed[0])
        kind = absence.kind if absence else None
        if kind is None:
            yield make_consequence("counts-nothing", player=self._player.name)
            return
        rules = self._after.tournament.rules_of(self._player)
        worth = rules.byes.get_bye_worth(kind)
        points = rules.match_points.get_match_points(worth.counts_as)
        yield make_consequence("counts-as", kind=kind, points=points, spread=worth.spread)

    def list_standings_consequences(self) -> Iterator[Consequence]:
        name, listed = self._player.name, self._after.tournament.divisions[self._division].list_withdrawn
        gone = self._after.has_withdrawn(self._player.id)
        was_gone = self._before.has_withdrawn(self._player.id)
        games = sum(
            self._player.id in {game.first, game.second} and self._after.result(game.id) is not None
            for game in self._after.tournament.games.values()
        )
        if gone and not was_gone:
            if games:
                yield make_consequence("results-stay", player=name, n=games)
            yield make_consequence("stays-listed" if listed else "not-listed", player=name)
        elif was_gone and not gone:
            if self._changed:
                yield make_consequence("plays-from", player=name, round=self._changed[0])
            if not listed:
                yield make_consequence("listed-again", player=name)

    # --- helpers

    def _was_present(self, round_number: int) -> bool:
        return not self._new and self._before.find_absence(self._player.id, round_number) is None

    def _is_present(self, round_number: int) -> bool:
        return self._after.find_absence(self._player.id, round_number) is None

    def _get_player_name(self, player: PlayerId) -> str:
        return self._after.tournament.players[player].name

    def _list_late_seating_consequences(self) -> Iterator[Consequence]:
        for item in self._after.published(self._division)[-1:]:
            open_games = self._after.open_games(item.id)
            waiting = list_byes_replaceable_by_latecomer(self._after, item, self._player.id)
            if open_games and waiting:
                opponent = self._get_player_name(waiting[0].player)
                yield make_consequence(
                    "may-be-seated", player=self._player.name, round=item.number, opponent=opponent
                )


def find_late_players(index: Index, division: DivisionId) -> frozenset[PlayerId]:
    """Return the players who missed a published round and have come to a game since their last missed round.

    The result is empty during club evenings.
    """
    stage = index.find_stage(division, index.get_last_published(division) + 1)
    if stage is not None and stage.evening:
        return frozenset()
    everybody = {player.id for player in index.players(division)}
    missed: set[PlayerId] = set()
    played: set[PlayerId] = set()
    for item in index.published(division):
        games = index.games(item.id)
        seated = {player for game in games for player in (game.first, game.second)}
        absent = everybody - seated - {bye.player for bye in index.list_unopposed_byes(item.id)}
        missed |= absent
        played = (played - absent) | {player for game in games for player in _list_players_who_came(index, game)}
    return frozenset(missed & played)


def _list_players_who_came(index: Index, game: Game) -> Iterator[PlayerId]:
    result = index.result(game.id)
    if result is not None and result.forfeit is not Forfeit.BOTH:
        if result.forfeit is not Forfeit.FIRST:
            yield game.first
        if result.forfeit is not Forfeit.SECOND:
            yield game.second
