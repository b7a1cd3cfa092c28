"""Records: what can be one, and the list of those that a club or a country had before the tournament."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class RecordKind(StrEnum):
    """What a record is of; the first four are measured as prizes of the same name are."""

    HIGH_GAME = "high-game"
    HIGH_PLAY = "high-play"
    BIG_WIN = "big-win"
    HIGH_LOSS = "high-loss"
    STREAK = "streak"  # games won one after another


class ListedRecord(Struct, frozen=True):
    """What somebody had reached before: `source` names the list ("club", "Norway"), `date` is free text.

    Of a kind and a source the best of all is the record, and the best of each name that player's own.
    """

    kind: RecordKind
    value: int
    name: str
    date: str = ""
    source: str = ""
