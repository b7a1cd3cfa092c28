"""The SQL tables of a word list edition, and the statements that write them."""

from __future__ import annotations

from sqlalchemy import Column, Integer, MetaData, Table, Text
from sqlalchemy.dialects.sqlite import dialect
from sqlalchemy.schema import CreateTable

from tdapp.storage.lexicon import METADATA_COLUMNS

_METADATA = MetaData()
_NUMBERS = {"binding_max_length", "joints", "practice", "words", "marked", "names", "printable"}
_METADATA_TABLE = Table(
    "imprint",
    _METADATA,
    *(
        Column(name, Integer if name in _NUMBERS else Text, nullable=name == "binding_max_length")
        for name in METADATA_COLUMNS
    ),
)
_WORDS = Table(
    "word",
    _METADATA,
    Column("signature", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, primary_key=True),
    Column("note", Text, nullable=False),
    sqlite_with_rowid=False,
)
_SQLITE = dialect()  # placeholders for tuples: faster than dicts
CREATION = tuple(str(CreateTable(table).compile(dialect=_SQLITE)) for table in (_METADATA_TABLE, _WORDS))
INSERT_METADATA, INSERT_WORD = (
    str(table.insert().compile(dialect=_SQLITE)) for table in (_METADATA_TABLE, _WORDS)
)
