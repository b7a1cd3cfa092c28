"""The tables: one for each kind of row, one for the journal, one line about the file itself.

Hides how a field's value is kept in a column. Reading needs no more than this and the driver. Foreign keys are
looked at when a transaction ends, so that a diff may be written in any order.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, partial
from operator import attrgetter
from secrets import token_hex
from types import MappingProxyType
from typing import Any

from tdapp.domain import jury_rows, model, paper
from tdapp.domain.account import Breakdown
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.plain import decoder, encode
from tdapp.domain.record_list import ListedRecord
from tdapp.domain.ruleset import ForfeitCause, PointAward, RuleSet
from tdapp.scrabble.sheet import SanctionKind, Sheet
from tdapp.scrabble.wordlist import Verdict
from tdapp.storage.filling import kept_reasons

SCHEMA_VERSION = 1  # kept as the file's user_version, and in the comment of the schema on a server


@dataclass(frozen=True, slots=True)
class ColumnType:
    """How a field's values are kept: as text or as an integer, as they are or converted both ways. None stays.

    `all_from_kept` is for a whole column, where that is quicker than one by one.
    """

    whole: bool = False
    to_kept: Callable[[Any], Any] | None = None
    from_kept: Callable[[Any], Any] | None = None
    all_from_kept: Callable[[Sequence[Any]], Iterable[Any]] | None = None

    def column(self, texts: Sequence[Any]) -> Sequence[Any]:
        """Return the values of all rows from a column that is here as texts."""
        if (self.from_kept is None and not self.whole) or texts.count(None) == len(texts):
            return texts
        there = texts if None not in texts else [text for text in texts if text is not None]
        kept = list(map(int, there)) if self.whole else there
        read = self.all_from_kept or (partial(map, self.from_kept) if self.from_kept else list)
        values = list(read(kept))
        if there is texts:
            return values
        left = iter(values)
        return [None if text is None else next(left) for text in texts]


@dataclass(frozen=True, slots=True)
class StoredColumn:
    """A column; `parent` is the column that it refers to, as `table.id`."""

    name: str
    kept: ColumnType
    nullable: bool = False
    parent: str = ""
    is_key: bool = False


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table with its columns in their order."""

    name: str
    columns: tuple[StoredColumn, ...]

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        return [column.name for column in self.columns]

    @property
    def parents(self) -> set[str]:
        """The names of the other tables that it refers to."""
        return {column.parent.partition(".")[0] for column in self.columns if column.parent} - {self.name}


TEXT, WHOLE = ColumnType(), ColumnType(whole=True)
FLAG = ColumnType(whole=True, to_kept=int, from_kept=bool)  # 0 or 1


def _enum(choices: type[Enum]) -> ColumnType:
    """Return how a member of an enumeration is kept: as its value."""
    members = {item.value: item for item in choices}
    return ColumnType(to_kept=attrgetter("value"), from_kept=members.__getitem__)


def _nested(hint: Any) -> ColumnType:
    """Return how a value with parts, of the type `hint`, is kept: as JSON text."""
    decode = cache(partial(decoder, hint))  # made when there is something to decode
    return ColumnType(
        to_kept=lambda value: to_text(encode(value)), from_kept=lambda text: decode()(json.loads(text))
    )


def to_text(plain: object) -> str:
    """Return a plain value as JSON without padding."""
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def quoted(name: str) -> str:
    """Return any name as both engines take it in a statement."""
    return '"{}"'.format(name.replace('"', '""'))


def selected(table: str, names: Iterable[str]) -> str:
    """Return the statement that reads columns of a table, for both engines."""
    columns = ", ".join(f"{table}.{quoted(name)}" for name in names)
    return f"SELECT {columns} FROM {table}"


def _table(name: str, *columns: StoredColumn) -> StoredTable:
    return StoredTable(name, columns)


def _id() -> StoredColumn:
    return StoredColumn("id", TEXT, is_key=True)


def _parent(name: str, table: str) -> StoredColumn:
    return StoredColumn(name, TEXT, parent=f"{table}.id")


def _must(name: str, kept: ColumnType = TEXT) -> StoredColumn:
    return StoredColumn(name, kept)


def _may(name: str, kept: ColumnType = WHOLE) -> StoredColumn:
    return StoredColumn(name, kept, nullable=True)


_TEXTS = tuple[str, ...]
_COSTS = tuple[tuple[str, int], ...]
_REASON = replace(_nested(model.Reason), all_from_kept=kept_reasons)

_KINDS = (
    _table(
        "events",
        _id(),
        _must("name"),
        _must("place"),
        _must("date"),
        _must("director"),
        _must("seed", WHOLE),
        _must("finished", FLAG),
        _must("check_first", FLAG),
        _must("wordlist"),
        _must("names_shown", _enum(model.NamesShown)),
        _must("details_shown", FLAG),
        _must("players_enter", FLAG),
        _must("slip_key"),
        _must("zone"),
        _must("announcement"),
        _must("records", _nested(tuple[ListedRecord, ...])),
        _must("players_check_in", FLAG),
        _must("currency"),
    ),
    _table("rules", _id(), _must("ruleset", _nested(RuleSet))),
    _table(
        "divisions",
        _id(),
        _must("code"),
        _must("name"),
        _must("first_table", WHOLE),
        _must("order", _nested(_TEXTS)),
        _must("spread_caps", _nested(tuple[int, ...])),
        _must("list_withdrawn", FLAG),
        _must("unplayed", _enum(model.Unplayed)),
        _must("keep_tables", FLAG),
        _must("sessions", _nested(tuple[int, ...])),
        _must("rating"),
        _may("held_after"),
        _must("times"),
        _may("ruleset", _nested(RuleSet)),
        _may("wordlist", TEXT),
    ),
    _table(
        "stages",
        _id(),
        _parent("division", "divisions"),
        _must("position", WHOLE),
        _must("system"),
        _must("rounds", WHOLE),
        _must("settings", _nested(PairingSettings)),
        _may("cut"),
        _must("carry", FLAG),
        _must("play_off", FLAG),
    ),
    _table(
        "rounds",
        _id(),
        _parent("stage", "stages"),
        _must("number", WHOLE),
        _must("state", _enum(model.RoundState)),
        _must("cost", _nested(_COSTS)),
        _must("relaxed", _nested(_TEXTS)),
        _may("source"),
        _must("assumed", _nested(_TEXTS)),
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
        _must("checked_in", FLAG),
        _must("needs_access", FLAG),
        _may("rated_games"),
        _must("shown_as"),
        *map(_must, model.FOREIGN_IDS),
        _must("paid", WHOLE),
    ),
    _table(
        "absences",
        _id(),
        _parent("player", "players"),
        _must("first_round", WHOLE),
        _may("last_round"),
        _may("kind", _enum(model.ByeKind)),
    ),
    _table(
        "constraints",
        _id(),
        _parent("player", "players"),
        _parent("other", "players"),
        _must("kind", _enum(model.ConstraintKind)),
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
        _must("start", _enum(model.Start)),
        _must("locked", FLAG),
        _may("match"),
        _may("reason", _REASON),
    ),
    _table(
        "byes",
        _id(),
        _parent("round", "rounds"),
        _parent("player", "players"),
        _must("kind", _enum(model.ByeKind)),
        _may("spread"),
        _may("match"),
        _may("reason", _REASON),
        _may("award", _nested(PointAward)),
    ),
    _table(
        "results",
        StoredColumn("id", TEXT, parent="games.id", is_key=True),
        _must("state", _enum(model.ResultState)),
        _may("first"),
        _may("second"),
        _may("forfeit", _enum(model.Forfeit)),
        _may("advances", _enum(model.Forfeit)),
        _may("flag", _enum(model.Forfeit)),
        _may("lost", _enum(model.Forfeit)),
        _may("overtime", _nested(tuple[int, int])),
        _may("words", _nested(tuple[int, int])),
        _may("accounts", _nested(tuple[Breakdown, Breakdown])),
        _may("disputed", _nested(tuple[int, int])),
        _may("award", _nested(PointAward)),
        _may("cause", _enum(ForfeitCause)),
    ),
    _table(
        "sheets",
        _id(),
        _parent("game", "games"),
        _must("form", WHOLE),
        _must("sheet", _nested(Sheet)),
        _must("rulings", _nested(tuple[jury_rows.TurnRuling, ...])),
        _may("accounts", _nested(tuple[Breakdown, Breakdown])),
    ),
    _table(
        "word_rulings",
        _id(),
        _parent("game", "games"),
        _parent("player", "players"),
        _must("word"),
        _must("score", WHOLE),
        _must("cost", WHOLE),
        _must("phony", FLAG),
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
        _must("kind", _enum(SanctionKind)),
        _must("points", WHOLE),
        _must("why"),
        _must("author"),
        _must("forfeits", _nested(_TEXTS)),
    ),
    _table(
        "incidents",
        _id(),
        _parent("division", "divisions"),
        _must("kind", _enum(jury_rows.IncidentKind)),
        _must("at"),
        _may("round"),
        _may("table"),
        StoredColumn("player", TEXT, nullable=True, parent="players.id"),
        _must("seconds", WHOLE),
        _must("note"),
        _must("author"),
    ),
    _table(
        "challenges",
        _id(),
        _parent("division", "divisions"),
        _must("at"),
        _must("words", _nested(_TEXTS)),
        _must("edition"),
        _must("verdict", _enum(Verdict)),
        _must("judge"),
        _may("round"),
        _may("table"),
        StoredColumn("challenger", TEXT, nullable=True, parent="players.id"),
        _may("second", _enum(Verdict)),
        _must("second_judge"),
        _may("joint", _enum(Verdict)),
        _may("occasion", _enum(jury_rows.Occasion)),
    ),
    _table(
        "prizes",
        _id(),
        _parent("division", "divisions"),
        _must("position", WHOLE),
        _must("kind", _enum(model.PrizeKind)),
        _must("place", WHOLE),
        _must("category"),
        _must("amount", WHOLE),
        _must("text"),
        StoredColumn("player", TEXT, nullable=True, parent="players.id"),
        _must("games", WHOLE),
    ),
    _table(
        "table_groups",
        _id(),
        _parent("division", "divisions"),
        _must("name"),
        _must("first", WHOLE),
        _must("last", WHOLE),
        _must("accessible", FLAG),
    ),
    _table("fees", _id(), _parent("division", "divisions"), _must("amount", WHOLE), _must("category")),
    _table(
        "slips",
        _id(),
        _parent("game", "games"),
        _parent("player", "players"),
        _must("own", WHOLE),
        _must("other", WHOLE),
        _may("started", FLAG),
        _must("device"),
    ),
    _table(
        "papers",
        _id(),
        _must("moment", _enum(paper.Moment)),
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
        _may("division", TEXT),
        _may("round"),
        _must("at"),
        _must("content"),
        _must("language"),
        _must("category"),
        _may("best"),
        _must("waived"),
        _must("revision", WHOLE),
        _must("head"),
        _must("missing", _nested(tuple[int, ...])),
    ),
    _table("logos", _id(), _must("name"), _must("data")),
)

TABLES: Mapping[str, StoredTable] = MappingProxyType({table.name: table for table in _KINDS})

# `changes` holds [kind, id, row before, row after] of each row; `hash` seals the line and all before it.
JOURNAL = _table(
    "journal",
    StoredColumn("seq", WHOLE, is_key=True),
    _must("at"),
    _must("station"),
    _must("label"),
    _must("facts"),
    StoredColumn("undoes", WHOLE, nullable=True, parent="journal.seq"),
    _must("changes"),
    _must("hash"),
)

# One line. `head` is the journal's last hash, `state` the sum over all rows of the tournament (`rows.Sum`). Where
# the tournament goes on elsewhere, `goes_on_at` is the address or the file, `goes_on_since` the time (UTC).
META = _table(
    "meta",
    StoredColumn("id", WHOLE, is_key=True),
    _must("revision", WHOLE),
    _must("created"),
    _must("program"),
    _must("head"),
    _must("state"),
    _must("goes_on_at"),
    _must("goes_on_since"),
)

# One line. `key` is the secret of `Tournament.secret`; on a server it is the owner's alone.
SECRETS = _table("secrets", StoredColumn("id", WHOLE, is_key=True), _must("key"))

ALL_TABLES: Mapping[str, StoredTable] = MappingProxyType(
    {**TABLES, **{table.name: table for table in (JOURNAL, META, SECRETS)}}
)


def new_secret() -> str:
    """Return a secret of 128 bits."""
    return token_hex(16)
