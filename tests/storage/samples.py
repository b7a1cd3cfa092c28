"""Sample tournaments: a small one, a large one, and random ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from functools import cache
from types import MappingProxyType, UnionType
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import fields

from tdapp.domain.journal import Step
from tdapp.domain.model import (
    Division,
    DivisionId,
    Event,
    EventId,
    Game,
    GameId,
    PairingReason,
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
from tdapp.domain.tournament import KINDS, PARENTS, Diff, Row, Tournament, compute_diff
from tdapp.storage import Store
from tdapp.storage.file import FileStorage

RULES = RuleSet("club", "Club rules", "en", "english", MappingProxyType({"other": ("wins", "spread")}))


def make_played_tournament(players: int = 4, rounds: int = 1) -> Tournament:
    """Return a tournament with a result for each game of all rounds."""
    rows: list[Row] = [
        Event(EventId("e"), "Club night"),
        TournamentRules(RulesId("r"), RULES),
        Division(DivisionId("d"), "A", spread_caps=(350, 0)),
        Stage(StageId("s"), DivisionId("d"), 1, "swiss", rounds),
    ]
    rows += [_make_player(number) for number in range(1, players + 1)]
    for number in range(1, rounds + 1):
        rows.append(Round(RoundId(f"r{number}"), StageId("s"), number, RoundState.PUBLISHED))
        for table in range(1, players // 2 + 1):
            rows += [_make_game(number, table), make_result(f"g{number}-{table}", 400 + table, 380 + number)]
    return Tournament().put(*rows)


def _make_player(number: int) -> Player:
    return Player(PlayerId(f"p{number}"), DivisionId("d"), number, f"Åse Zażółć {number}", rating=1000 + number)


def _make_game(number: int, table: int) -> Game:
    facts = (("rank", table), ("other_rank", table + 1), ("points", number))
    cost = (("repeats", 0), ("score_difference", table), ("starts", 1), ("rank_distance", number))
    first, second = PlayerId(f"p{2 * table - 1}"), PlayerId(f"p{2 * table}")
    game = GameId(f"g{number}-{table}")
    return Game(game, RoundId(f"r{number}"), table, first, second, reason=PairingReason("group", facts, cost))


def make_result(game: str, first: int, second: int) -> Result:
    return Result(GameId(game), ResultState.ENTERED, first, second)


def make_step(seq: int, *, undoes: int | None = None, label: str = "enter-result") -> Step:
    return Step(
        seq=seq, at="2026-01-02T03:04:05Z", station="desk", label=label, facts={"table": seq}, undoes=undoes
    )


def change_score(seq: int, tournament: Tournament) -> tuple[Tournament, Diff]:
    """Set the first score to `seq`. Return the tournament and its change for step `seq`."""
    after = tournament.put(make_result("g1-1", seq, 300))
    return after, compute_diff(tournament, after)


def list_tournament_rows(tournament: Tournament) -> dict[str, list[tuple[str, Row]]]:
    """Return all rows of a tournament in order."""
    return {kind: list(tournament.rows(kind).items()) for kind in KINDS}


def list_stored_rows(store: Store) -> dict[str, list[tuple[str, Row]]]:
    return list_tournament_rows(store.load_tournament_and_revision()[0])


def open_raw_connection(store: Store) -> sqlite3.Connection:
    """Return the SQLite connection of a store's file."""
    assert isinstance(store.location, FileStorage)
    return store.location.connection


LETTERS = st.characters(codec="utf-8")
LETTERS_OF_SERVERS = st.characters(codec="utf-8", exclude_characters="\0")  # PostgreSQL has no texts with NUL


@st.composite
def random_tournaments(draw: st.DrawFn, letters: st.SearchStrategy[str] = LETTERS) -> Tournament:
    """Draw random rows of every kind. Their parents exist, but the values can be implausible."""
    value = Tournament()
    for kind, row_type in KINDS.items():
        for number in range(draw(st.integers(0, 3))):
            row = draw(_make_row_strategy(kind, row_type, number, value, letters))
            if row is not None:
                value = value.put(row)
    return value


def _make_row_strategy(
    kind: str, row_type: type[Row], number: int, value: Tournament, letters: st.SearchStrategy[str]
) -> st.SearchStrategy[Row | None]:
    parents = PARENTS.get(kind, {})
    if any(not value.rows(parent) for parent in parents.values()):
        return st.none()
    parent_ids = {name: st.sampled_from(sorted(value.rows(parent))) for name, parent in parents.items()}
    fields: dict[str, st.SearchStrategy[Any]] = {"id": st.just(f"{kind}-{number}"), **parent_ids}
    rows: st.SearchStrategy[Row | None] = _make_record_strategy(row_type, fields, letters)
    return rows


def _make_record_strategy(
    record: type[Any], known_fields: dict[str, st.SearchStrategy[Any]], letters: st.SearchStrategy[str]
) -> Any:
    hints = get_type_hints(record, include_extras=True)
    return st.builds(
        record,
        **({item.name: _make_strategy(hints[item.name], letters) for item in fields(record)} | known_fields),
    )


@cache
def _is_struct(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Struct)


def _make_strategy(hint: Any, letters: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:  # noqa: PLR0911 - one line for each form of type
    origin, arguments = get_origin(hint), get_args(hint)
    if isinstance(hint, NewType):
        return _make_strategy(hint.__supertype__, letters)
    if origin is Annotated:
        return st.integers(arguments[1].ge, arguments[1].le)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in {Union, UnionType}:
        return st.one_of(*(_make_strategy(argument, letters) for argument in arguments))
    if origin is tuple:
        items = [_make_strategy(item, letters) for item in arguments if item is not Ellipsis]
        return (
            st.lists(items[0], max_size=1 if _is_struct(arguments[0]) else 3).map(tuple)
            if Ellipsis in arguments
            else st.tuples(*items)
        )
    if origin is Mapping:
        return st.dictionaries(st.text(letters), _make_strategy(arguments[1], letters), max_size=3)
    if _is_struct(hint):
        return st.deferred(lambda: _make_record_strategy(hint, {}, letters))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint)
    strategies: dict[Any, st.SearchStrategy[Any]] = {
        str: st.text(letters, max_size=8),
        int: st.integers(-(2**63), 2**63 - 1),
        bool: st.booleans(),
        type(None): st.none(),
        Fraction: st.fractions(max_denominator=60),
    }
    return strategies[hint]
