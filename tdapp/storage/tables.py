"""The tables: one for each kind of row, one for the journal, one line about the file itself.

Hides how a field's value is kept in a column. Foreign keys are looked at when a transaction ends, so that a diff
may be written in any order.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import Enum
from secrets import token_hex
from types import MappingProxyType
from typing import Any

from sqlalchemy import BigInteger, Column, Dialect, ForeignKey, Integer, MetaData, Table, Text
from sqlalchemy.types import TypeDecorator

from tdapp.domain import model, paper
from tdapp.domain.account import Breakdown
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.plain import decoder, encode
from tdapp.domain.ruleset import PointAward, RuleSet
from tdapp.scrabble.sheet import SanctionKind, Sheet
from tdapp.scrabble.wordlist import Verdict

SCHEMA_VERSION = 1  # kept as the file's user_version, and in the comment of the schema on a server

METADATA = MetaData()
WHOLE = Integer().with_variant(BigInteger(), "postgresql")  # 64 bits on both engines


class EnumText(TypeDecorator[Any]):
    """A member of an enumeration, kept as its value."""

    impl = Text
    cache_ok = True

    def __init__(self, choices: type[Enum]) -> None:
        super().__init__()
        self.choices = choices
        self._members: Mapping[Any, Enum | None] = {None: None, **{item.value: item for item in choices}}

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:  # noqa: D102
        return None if value is None else value.value

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:  # noqa: D102
        return self._members.__getitem__


class Flag(TypeDecorator[bool]):
    """A truth value, kept as 0 or 1."""

    impl = WHOLE
    cache_ok = True

    def process_bind_param(self, value: bool | None, dialect: Dialect) -> Any:  # noqa: D102
        return None if value is None else int(value)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:  # noqa: D102
        return lambda value: None if value is None else bool(value)


class Nested(TypeDecorator[Any]):
    """A value with parts, kept as JSON text; `hint` is its type."""

    impl = Text
    cache_ok = True

    def __init__(self, hint: Any) -> None:
        super().__init__()
        self.hint = hint
        self._decode = decoder(hint)

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:  # noqa: D102
        return None if value is None else to_text(encode(value))

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:  # noqa: D102
        decode = self._decode
        return lambda text: None if text is None else decode(json.loads(text))


def to_text(plain: object) -> str:
    """Return a plain value as JSON without padding."""
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def _table(name: str, *columns: Column[Any]) -> Table:
    return Table(name, METADATA, *columns, sqlite_strict=True)


def _id() -> Column[Any]:
    return Column("id", Text, primary_key=True, nullable=False)


def _parent(name: str, table: str) -> Column[Any]:
    return Column(name, Text, _to(table), nullable=False)


def _to(table: str) -> ForeignKey:
    return ForeignKey(f"{table}.id", deferrable=True, initially="DEFERRED")


def _must(name: str, kept: Any = Text) -> Column[Any]:
    return Column(name, kept, nullable=False)


def _may(name: str, kept: Any = WHOLE) -> Column[Any]:
    return Column(name, kept, nullable=True)


_TEXTS = tuple[str, ...]
_COSTS = tuple[tuple[str, int], ...]

_KINDS = (
    _table(
        "events",
        _id(),
        _must("name"),
        _must("place"),
        _must("date"),
        _must("director"),
        _must("seed", WHOLE),
        _must("finished", Flag),
        _must("check_first", Flag),
        _must("wordlist"),
        _must("names_shown", EnumText(model.NamesShown)),
        _must("details_shown", Flag),
        _must("players_enter", Flag),
        _must("slip_key"),
        _must("zone"),
    ),
    _table("rules", _id(), _must("ruleset", Nested(RuleSet))),
    _table(
        "divisions",
        _id(),
        _must("code"),
        _must("name"),
        _must("first_table", WHOLE),
        _must("order", Nested(_TEXTS)),
        _must("spread_caps", Nested(tuple[int, ...])),
        _must("list_withdrawn", Flag),
        _must("unplayed", EnumText(model.Unplayed)),
        _must("keep_tables", Flag),
        _must("sessions", Nested(tuple[int, ...])),
        _must("rating"),
        _may("held_after"),
        _must("times"),
        _may("ruleset", Nested(RuleSet)),
        _may("wordlist", Text),
    ),
    _table(
        "stages",
        _id(),
        _parent("division", "divisions"),
        _must("position", WHOLE),
        _must("system"),
        _must("rounds", WHOLE),
        _must("settings", Nested(PairingSettings)),
        _may("cut"),
        _must("carry", Flag),
        _must("play_off", Flag),
    ),
    _table(
        "rounds",
        _id(),
        _parent("stage", "stages"),
        _must("number", WHOLE),
        _must("state", EnumText(model.RoundState)),
        _must("cost", Nested(_COSTS)),
        _must("relaxed", Nested(_TEXTS)),
        _may("source"),
        _must("assumed", Nested(_TEXTS)),
    ),
    _table(
        "players",
        _id(),
        _parent("division", "divisions"),
        _must("number", WHOLE),
        _must("name"),
        _may("rating"),
        _must("club"),
        _must("country"),
        _must("team"),
        _must("category"),
        _must("member"),
        _must("notes"),
        _may("fixed_table"),
        _must("checked_in", Flag),
        _must("needs_access", Flag),
        _may("rated_games"),
        _must("shown_as"),
        *map(_must, model.FOREIGN_IDS),
    ),
    _table(
        "absences",
        _id(),
        _parent("player", "players"),
        _must("first_round", WHOLE),
        _may("last_round"),
        _may("kind", EnumText(model.ByeKind)),
    ),
    _table(
        "constraints",
        _id(),
        _parent("player", "players"),
        _parent("other", "players"),
        _must("kind", EnumText(model.ConstraintKind)),
        _may("round"),
        _must("why"),
        _must("since", WHOLE),
    ),
    _table("seeds", _id(), _parent("stage", "stages"), _must("number", WHOLE), _parent("player", "players")),
    _table(
        "games",
        _id(),
        _parent("round", "rounds"),
        _must("table", WHOLE),
        _parent("first", "players"),
        _parent("second", "players"),
        _must("start", EnumText(model.Start)),
        _must("locked", Flag),
        _may("match"),
        _may("reason", Nested(model.Reason)),
    ),
    _table(
        "byes",
        _id(),
        _parent("round", "rounds"),
        _parent("player", "players"),
        _must("kind", EnumText(model.ByeKind)),
        _may("spread"),
        _may("match"),
        _may("reason", Nested(model.Reason)),
        _may("award", Nested(PointAward)),
    ),
    _table(
        "results",
        Column("id", Text, _to("games"), primary_key=True, nullable=False),
        _must("state", EnumText(model.ResultState)),
        _may("first"),
        _may("second"),
        _may("forfeit", EnumText(model.Forfeit)),
        _may("advances", EnumText(model.Forfeit)),
        _may("flag", EnumText(model.Forfeit)),
        _may("lost", EnumText(model.Forfeit)),
        _may("overtime", Nested(tuple[int, int])),
        _may("words", Nested(tuple[int, int])),
        _may("accounts", Nested(tuple[Breakdown, Breakdown])),
        _may("disputed", Nested(tuple[int, int])),
        _may("award", Nested(PointAward)),
    ),
    _table(
        "sheets",
        _id(),
        _parent("game", "games"),
        _must("form", WHOLE),
        _must("sheet", Nested(Sheet)),
        _must("rulings", Nested(tuple[model.TurnRuling, ...])),
        _may("accounts", Nested(tuple[Breakdown, Breakdown])),
    ),
    _table(
        "word_rulings",
        _id(),
        _parent("game", "games"),
        _parent("player", "players"),
        _must("word"),
        _must("score", WHOLE),
        _must("cost", WHOLE),
        _must("phony", Flag),
        _must("wrong_words", WHOLE),
        _must("author"),
        _must("why"),
        _must("edition"),
    ),
    _table(
        "sanctions",
        _id(),
        _parent("player", "players"),
        _may("round"),
        _must("kind", EnumText(SanctionKind)),
        _must("points", WHOLE),
        _must("why"),
        _must("author"),
        _must("forfeits", Nested(_TEXTS)),
    ),
    _table(
        "incidents",
        _id(),
        _parent("division", "divisions"),
        _must("kind", EnumText(model.IncidentKind)),
        _must("at"),
        _may("round"),
        _may("table"),
        Column("player", Text, _to("players"), nullable=True),
        _must("seconds", WHOLE),
        _must("note"),
        _must("author"),
    ),
    _table(
        "challenges",
        _id(),
        _parent("division", "divisions"),
        _must("at"),
        _must("words", Nested(_TEXTS)),
        _must("edition"),
        _must("verdict", EnumText(Verdict)),
        _must("judge"),
        _may("round"),
        _may("table"),
        Column("challenger", Text, _to("players"), nullable=True),
        _may("second", EnumText(Verdict)),
        _must("second_judge"),
        _may("joint", EnumText(Verdict)),
        _may("occasion", EnumText(model.Occasion)),
    ),
    _table(
        "prizes",
        _id(),
        _parent("division", "divisions"),
        _must("position", WHOLE),
        _must("kind", EnumText(model.PrizeKind)),
        _must("place", WHOLE),
        _must("category"),
        _must("amount", WHOLE),
        _must("text"),
        Column("player", Text, _to("players"), nullable=True),
        _must("games", WHOLE),
    ),
    _table(
        "table_groups",
        _id(),
        _parent("division", "divisions"),
        _must("name"),
        _must("first", WHOLE),
        _must("last", WHOLE),
        _must("accessible", Flag),
    ),
    _table(
        "slips",
        _id(),
        _parent("game", "games"),
        _parent("player", "players"),
        _must("own", WHOLE),
        _must("other", WHOLE),
        _may("started", Flag),
        _must("device"),
    ),
    _table(
        "papers",
        _id(),
        _must("moment", EnumText(paper.Moment)),
        _must("position", WHOLE),
        _must("report"),
        _must("page"),
        _may("columns"),
        _must("copies", WHOLE),
        _must("language"),
    ),
    _table(
        "printouts",
        _id(),
        _must("report"),
        _may("division", Text),
        _may("round"),
        _must("at"),
        _must("content"),
        _must("language"),
        _must("category"),
        _may("best"),
        _must("waived"),
        _must("revision", WHOLE),
        _must("head"),
        _must("missing", Nested(tuple[int, ...])),
    ),
    _table("logos", _id(), _must("name"), _must("data")),
)

TABLES: Mapping[str, Table] = MappingProxyType({table.name: table for table in _KINDS})

# `changes` holds [kind, id, row before, row after] of each row; `hash` seals the line and all before it.
JOURNAL = _table(
    "journal",
    Column("seq", WHOLE, primary_key=True, nullable=False),
    _must("at"),
    _must("station"),
    _must("label"),
    _must("facts"),
    Column("undoes", WHOLE, ForeignKey("journal.seq", deferrable=True, initially="DEFERRED"), nullable=True),
    _must("changes"),
    _must("hash"),
)

# One line. `head` is the journal's last hash, `state` the sum over all rows of the tournament (`rows.Sum`). Where
# the tournament goes on elsewhere, `goes_on_at` is the address or the file, `goes_on_since` the time (UTC).
META = _table(
    "meta",
    Column("id", WHOLE, primary_key=True, nullable=False),
    _must("revision", WHOLE),
    _must("created"),
    _must("program"),
    _must("head"),
    _must("state"),
    _must("goes_on_at"),
    _must("goes_on_since"),
)

# One line. `key` is the secret of `Tournament.secret`; on a server it is the owner's alone.
SECRETS = _table("secrets", Column("id", WHOLE, primary_key=True, nullable=False), _must("key"))


def new_secret() -> str:
    """Return a secret of 128 bits."""
    return token_hex(16)
