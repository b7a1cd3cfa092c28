"""Small tournaments built from text lines for games and byes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Bye,
    ByeId,
    ByeKind,
    Division,
    DivisionId,
    Event,
    EventId,
    Game,
    GameId,
    GameSide,
    Player,
    PlayerId,
    Result,
    ResultState,
    Round,
    RoundId,
    RoundState,
    RulesId,
    Stage,
    StageId,
    TournamentRules,
)
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.standings import Standing, compute_standings
from tdapp.domain.tournament import Row, Tournament

RULES = RuleSet(id="own", name="Own", language="en", tileset="en", order={"other": ("wins", "spread")})

# Five players, four rounds, with byes, a forfeit and an absence: computed by hand in the tests.
FIVE = (
    ("1-2 400:350", "3-4 380:380", "5 bye"),
    ("5-1 300:420", "4-2 310:390", "3 bye"),
    ("1-3 360:410", "2-5 forfeit 2", "4 absent"),
    ("4-1 330:333", "2-3 400:390", "5 requested"),
)


def build_crosstable(
    rounds: Sequence[Sequence[str]],
    *,
    players: int,
    order: tuple[str, ...] = (),
    caps: tuple[int, ...] = (),
    ratings: Mapping[int, int] | None = None,
    rules: RuleSet = RULES,
) -> Tournament:
    """Return a tournament of one division with the given published rounds.

    A line is a game, starter first: `1-2 400:350`, `1-2 forfeit 2`, or `1-2` while it is open. Or it is a bye:
    `3 bye`, `3 requested`, `3 absent` or `3 forfeit`, optionally with a spread.
    """
    division = Division(DivisionId("d"), "A", order=order, spread_caps=caps)
    stage = Stage(StageId("s"), division.id, 1, "swiss", max(1, len(rounds)))
    rows: list[Row] = [Event(EventId("e"), "Own"), TournamentRules(RulesId("r"), rules), division, stage]
    for number in range(1, players + 1):
        rating = (ratings or {}).get(number)
        rows.append(Player(_make_player_id(number), division.id, number, f"Player {number}", rating=rating))
    for number, lines in enumerate(rounds, 1):
        rows.extend(make_round_rows(stage.id, number, lines))
    return Tournament().put(*rows)


def make_round_rows(stage: StageId, number: int, lines: Sequence[str]) -> list[Row]:
    """Return a published round with its games, byes and results. See `build_crosstable` for the lines."""
    item = Round(RoundId(f"r{number}"), stage, number, RoundState.PUBLISHED)
    return [
        item,
        *(row for table, line in enumerate(lines, 1) for row in _make_line_rows(item, table, line.split())),
    ]


def rank_players(tournament: Tournament, after: int | None = None) -> dict[int, Standing]:
    """Return the standings by player number, in rank order."""
    index = TournamentIndex(tournament)
    return {row.player.number: row for row in compute_standings(index, index.get_division(None), after)}


def _make_line_rows(item: Round, table: int, words: list[str]) -> list[Row]:
    seats, *values = words
    first, _, second = seats.partition("-")
    if not second:
        spread = int(values[1]) if len(values) > 1 else None
        return [
            Bye(ByeId(f"{item.id}.b{table}"), item.id, _make_player_id(int(first)), ByeKind(values[0]), spread)
        ]
    game = Game(
        GameId(f"{item.id}.g{table}"), item.id, table, _make_player_id(int(first)), _make_player_id(int(second))
    )
    if not values:
        return [game]
    if values[0] == "forfeit":
        return [game, Result(game.id, ResultState.ENTERED, forfeit=GameSide(values[1]))]
    first_score, _, second_score = values[0].partition(":")
    return [game, Result(game.id, ResultState.ENTERED, int(first_score), int(second_score))]


def _make_player_id(number: int) -> PlayerId:
    return PlayerId(f"p{number}")
