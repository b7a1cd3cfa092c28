"""News: new records of a tournament, each with its round and game.

If a result is corrected, its record can disappear. A round is compared with all earlier rounds, and only its best
value is news.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from operator import attrgetter

from msgspec import Struct

from tdapp.domain.entries import normalise_name
from tdapp.domain.index import Index
from tdapp.domain.model import Division, DivisionId, GameId, ListedRecord, Player, PlayerId, RecordKind
from tdapp.domain.prizes import GAMES, find_high_play
from tdapp.domain.records import Record, RoundRecord, compute_records
from tdapp.domain.ruleset import Worth
from tdapp.domain.tables.table import Column, ColumnKind, Table

LEAST_STREAK = 4  # wins in a row
_MOST_EQUAL = 3  # players who set the same record in one round
_OWN_GAMES = 3  # games before a personal best counts
_MOST_OWN = 5  # personal bests in a round


class NewsScope(StrEnum):
    """The scope of a new record, from widest to narrowest.

    If a value is a record in several scopes, its news has only the widest one.
    """

    LISTED = "listed"  # breaks a listed record
    EVENT = "event"  # best of the division
    OWN_LISTED = "own-listed"  # beats the player's own listed record
    OWN = "own"  # player's best of the tournament


_WIDEST = tuple(NewsScope)


class Achievement(Struct, frozen=True):
    """A value that a player reached in a game and that can be a record, such as the score."""

    kind: RecordKind
    value: int  # points, or for a streak the number of games
    player: Player
    opponent: str
    entry: RoundRecord
    word: str = ""

    @property
    def round(self) -> int:
        return self.entry.round


class RecordNews(Struct, frozen=True):
    """A new record."""

    feat: Achievement
    scope: NewsScope
    before: ListedRecord | None  # the record that it broke

    @property
    def key(self) -> str:
        """An id that stays the same while the same game makes the same record."""
        feat, source = self.feat, self.before.source if self.before else ""
        return f"{feat.entry.game}/{feat.player.id}/{feat.kind}/{self.scope}/{source}"

    @property
    def game(self) -> GameId | None:
        return self.feat.entry.game


def list_division_news(index: Index, division: Division, after: int | None = None) -> tuple[RecordNews, ...]:
    """Return the news of a division up to the round `after` (None: all published), by round, then by scope."""
    return index.cache_by_round("news", division, after, _find_news)


def list_round_news(index: Index, division: Division, number: int) -> tuple[RecordNews, ...]:
    return tuple(one for one in list_division_news(index, division, number) if one.feat.round == number)


def make_news_table(news: Sequence[RecordNews]) -> Table[RecordNews]:
    return Table("news", _COLUMNS, tuple(news))


def _find_news(index: Index, division: Division, after: int | None) -> tuple[RecordNews, ...]:
    every = {one.id: tuple(_list_achievements(index, one, after)) for one in index.divisions}
    mine, listed = every[division.id], index.tournament.event.records
    known: dict[tuple[PlayerId, GameId | None], dict[RecordKind, NewsScope]] = defaultdict(dict)
    found = []
    for one in (
        *_find_listed_record_news(listed, every, division.id),
        *_find_event_record_news(mine),
        *_find_listed_personal_record_news(listed, mine),
        *_find_personal_record_news(mine),
    ):
        told = known[one.feat.player.id, one.game]
        if told and one.scope is NewsScope.OWN:
            continue
        if told.setdefault(one.feat.kind, one.scope) is one.scope:
            found.append(one)
    return tuple(sorted(found, key=_make_sort_key))


def _make_sort_key(news: RecordNews) -> tuple[int, int, int, int]:
    feat = news.feat
    return feat.round, _WIDEST.index(news.scope), list(RecordKind).index(feat.kind), -feat.value


# --- achievements


def _list_achievements(index: Index, division: Division, after: int | None) -> Iterator[Achievement]:
    players = index.tournament.players
    for key, record in compute_records(index, division, after).items():
        games = [entry for entry in record if entry.played and entry.rated]
        for entry, streak in zip(games, _count_wins_in_a_row(games), strict=True):
            opponent = " · ".join(players[one].name for one in entry.met_players)
            if streak:
                yield Achievement(RecordKind.STREAK, streak, players[key], opponent, entry)
            for kind, (eligible, measure) in _MEASURES.items():
                if eligible(entry):
                    yield Achievement(kind, measure(entry), players[key], opponent, entry)
            play = find_high_play(index, key, entry)
            if play is not None:
                yield Achievement(RecordKind.HIGH_PLAY, play[0], players[key], opponent, entry, play[1])


def _count_wins_in_a_row(games: Record | Sequence[RoundRecord]) -> Iterator[int]:
    count = 0
    for entry in games:
        count = count + 1 if entry.worth is Worth.WIN else 0
        yield count


_MEASURES = {RecordKind(kind.value): measured for kind, measured in GAMES.items()}


# --- records


def _find_new_records(
    achievements: Iterable[Achievement], before: ListedRecord | None
) -> Iterator[tuple[Achievement, ListedRecord | None]]:
    for _, together in groupby(sorted(achievements, key=attrgetter("round")), key=attrgetter("round")):
        group = tuple(together)
        best = max(one.value for one in group)
        if before is None or best > before.value:
            first = [one for one in group if one.value == best]
            yield from ((one, before) for one in first if len(first) <= _MOST_EQUAL)
            source = before.source if before else ""
            before = ListedRecord(first[0].kind, best, first[0].player.name, source=source)


def _select_achievements(achievements: Iterable[Achievement], kind: RecordKind) -> list[Achievement]:
    return [one for one in achievements if one.kind is kind]


def _find_listed_record_news(
    listed: Sequence[ListedRecord], by_division: Mapping[DivisionId, Sequence[Achievement]], division: DivisionId
) -> Iterator[RecordNews]:
    best: dict[tuple[str, RecordKind], ListedRecord] = {}
    for record in listed:
        key = normalise_name(record.source), record.kind
        best[key] = max(best.get(key, record), record, key=attrgetter("value"))
    feats = [one for own in by_division.values() for one in own]
    for record in best.values():
        for feat, before in _find_new_records(_select_achievements(feats, record.kind), record):
            if feat.player.division == division:
                yield RecordNews(feat, NewsScope.LISTED, before)


def _find_event_record_news(achievements: Sequence[Achievement]) -> Iterator[RecordNews]:
    for kind in RecordKind:
        least = LEAST_STREAK if kind is RecordKind.STREAK else -1
        feats = (one for one in _select_achievements(achievements, kind) if one.value >= least)
        yield from (RecordNews(feat, NewsScope.EVENT, before) for feat, before in _find_new_records(feats, None))


def _find_listed_personal_record_news(
    listed: Sequence[ListedRecord], achievements: Sequence[Achievement]
) -> Iterator[RecordNews]:
    best: dict[tuple[RecordKind, str], ListedRecord] = {}
    for record in listed:
        key = record.kind, normalise_name(record.name)
        best[key] = max(best.get(key, record), record, key=attrgetter("value"))
    names = {one.player.id: normalise_name(one.player.name) for one in achievements} if best else {}
    found: dict[tuple[RecordKind, str], list[Achievement]] = defaultdict(list)
    for one in achievements if best else ():
        found[one.kind, names[one.player.id]].append(one)
    for key, record in best.items():
        told = _find_new_records(found.get(key, ()), record)
        yield from (RecordNews(feat, NewsScope.OWN_LISTED, before) for feat, before in told)


def _find_personal_record_news(feats: Sequence[Achievement]) -> Iterator[RecordNews]:
    found = []
    for _, together in groupby(_select_achievements(feats, RecordKind.HIGH_GAME), key=attrgetter("player.id")):
        games = tuple(together)
        later = {one.round for one in games[_OWN_GAMES:]}
        found += [
            RecordNews(feat, NewsScope.OWN, before)
            for feat, before in _find_new_records(games, None)
            if feat.round in later
        ]
    found.sort(key=lambda one: (one.feat.round, -one.feat.value))
    for _, told in groupby(found, key=attrgetter("feat.round")):
        yield from tuple(told)[:_MOST_OWN]


_COLUMNS: tuple[Column[RecordNews], ...] = (
    Column("name", ColumnKind.NAME, attrgetter("feat.player.name")),
    Column("kind", ColumnKind.CODE, attrgetter("feat.kind")),
    Column("value", ColumnKind.NUMBER, attrgetter("feat.value")),
    Column("round", ColumnKind.NUMBER, attrgetter("feat.round")),
    Column("scope", ColumnKind.CODE, attrgetter("scope")),
)
