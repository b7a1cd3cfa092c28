"""Records of a club or country before the tournament."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class RecordKind(StrEnum):
    """The kind of a record. The first four are measured like the prizes of the same name."""

    HIGH_GAME = "high-game"
    HIGH_PLAY = "high-play"
    BIG_WIN = "big-win"
    HIGH_LOSS = "high-loss"
    STREAK = "streak"  # games won one after another


class ListedRecord(Struct, frozen=True):
    """A record before the tournament. `source` names the list ("club", "Norway"); `date` is free text.

    The best entry of a kind and source is the record; the best entry of each name is a personal best.
    """

    kind: RecordKind
    value: int
    name: str
    date: str = ""
    source: str = ""
