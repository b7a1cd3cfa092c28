"""News: new records (best values) of a tournament, each with its round and game.

If the director corrects a result, its news can disappear. A round is compared with all earlier rounds, and only
its best value is news.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from operator import attrgetter

from msgspec import Struct

from tdapp.domain.entries import normalise_name
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import AchievementKind, AchievementRecord, Division, DivisionId, GameId, Player, PlayerId
from tdapp.domain.prizes import GAME_PRIZES, find_high_play
from tdapp.domain.records import Record, RoundRecord, compute_records
from tdapp.domain.ruleset import Outcome
from tdapp.domain.tables.table import Column, ColumnKind, Table

MIN_STREAK = 4  # wins in a row
_MAX_EQUAL = 3  # players with the same new record in one round
_MIN_GAMES = 3  # games before a personal best counts
_MAX_PERSONAL = 5  # personal bests in a round


class RecordScope(StrEnum):
    """The scope of a new record, from widest to narrowest.

    If a value is a record in several scopes, its news has only the widest one.
    """

    LISTED = "listed"  # breaks a record in the tournament's list of earlier records
    EVENT = "event"  # best of the division
    OWN_LISTED = "own-listed"  # beats the player's own listed record
    OWN = "own"  # player's best of the tournament


_SCOPES = tuple(RecordScope)


class Achievement(Struct, frozen=True):
    """A player's value in a game, such as the score, to compare with the records."""

    kind: AchievementKind
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

    achievement: Achievement
    scope: RecordScope
    before: AchievementRecord | None  # the record that it broke

    @property
    def key(self) -> str:
        """An id of the record and its game. Changes of other games do not alter it."""
        achievement, source = self.achievement, self.before.source if self.before else ""
        return f"{achievement.entry.game}/{achievement.player.id}/{achievement.kind}/{self.scope}/{source}"

    @property
    def game(self) -> GameId | None:
        return self.achievement.entry.game


def list_division_news(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> tuple[RecordNews, ...]:
    """Return the news of a division up to `after_round` (None: the last published round), by round.

    In a round, personal records come last.
    """
    return index.get_cached_value_after_round("news", division, after_round, _find_record_news)


def list_round_news(index: TournamentIndex, division: Division, number: int) -> tuple[RecordNews, ...]:
    return tuple(item for item in list_division_news(index, division, number) if item.achievement.round == number)


def make_news_table(news: Sequence[RecordNews]) -> Table[RecordNews]:
    return Table("news", _COLUMNS, tuple(news))


def _find_record_news(
    index: TournamentIndex, division: Division, after_round: int | None
) -> tuple[RecordNews, ...]:
    achievements = {row.id: tuple(_list_achievements(index, row, after_round)) for row in index.divisions}
    division_achievements, listed_records = achievements[division.id], index.tournament.event.records
    scopes: dict[tuple[PlayerId, GameId | None], dict[AchievementKind, RecordScope]] = defaultdict(dict)
    news = []
    for record_news in (
        *_list_news_about_listed_records(listed_records, achievements, division.id),
        *_list_news_about_division_records(division_achievements),
        *_list_news_about_listed_personal_records(listed_records, division_achievements),
        *_list_news_about_personal_records(division_achievements),
    ):
        game_scopes = scopes[record_news.achievement.player.id, record_news.game]
        if game_scopes and record_news.scope is RecordScope.OWN:
            continue
        if game_scopes.setdefault(record_news.achievement.kind, record_news.scope) is record_news.scope:
            news.append(record_news)
    return tuple(sorted(news, key=_make_sort_key))


def _make_sort_key(news: RecordNews) -> tuple[int, int, int, int]:
    achievement = news.achievement
    return (
        achievement.round,
        _SCOPES.index(news.scope),
        list(AchievementKind).index(achievement.kind),
        -achievement.value,
    )


# --- achievements


def _list_achievements(
    index: TournamentIndex, division: Division, after_round: int | None
) -> Iterator[Achievement]:
    players = index.tournament.players
    for key, record in compute_records(index, division, after_round).items():
        games = [entry for entry in record if entry.is_played and entry.is_rated]
        for entry, streak in zip(games, _iterate_current_win_streaks(games), strict=True):
            opponent = " · ".join(players[opponent_id].name for opponent_id in entry.met_players)
            if streak:
                yield Achievement(AchievementKind.STREAK, streak, players[key], opponent, entry)
            for kind, (is_eligible, measure) in _MEASURES.items():
                if is_eligible(entry):
                    yield Achievement(kind, measure(entry), players[key], opponent, entry)
            play = find_high_play(index, key, entry)
            if play is not None:
                yield Achievement(AchievementKind.HIGH_PLAY, play[0], players[key], opponent, entry, play[1])


def _iterate_current_win_streaks(games: Record | Sequence[RoundRecord]) -> Iterator[int]:
    count = 0
    for entry in games:
        count = count + 1 if entry.outcome is Outcome.WIN else 0
        yield count


_MEASURES = {AchievementKind(kind.value): measure for kind, measure in GAME_PRIZES.items()}


# --- records


def _find_new_records(
    achievements: Iterable[Achievement], before: AchievementRecord | None
) -> Iterator[tuple[Achievement, AchievementRecord | None]]:
    for _, round_achievements in groupby(sorted(achievements, key=attrgetter("round")), key=attrgetter("round")):
        group = tuple(round_achievements)
        best = max(achievement.value for achievement in group)
        if before is None or best > before.value:
            best_achievements = [achievement for achievement in group if achievement.value == best]
            yield from (
                (achievement, before) for achievement in best_achievements if len(best_achievements) <= _MAX_EQUAL
            )
            source = before.source if before else ""
            before = AchievementRecord(
                best_achievements[0].kind, best, best_achievements[0].player.name, source=source
            )


def _list_achievements_of_kind(achievements: Iterable[Achievement], kind: AchievementKind) -> list[Achievement]:
    return [achievement for achievement in achievements if achievement.kind is kind]


def _list_news_about_listed_records(
    listed_records: Sequence[AchievementRecord],
    by_division: Mapping[DivisionId, Sequence[Achievement]],
    division: DivisionId,
) -> Iterator[RecordNews]:
    best: dict[tuple[str, AchievementKind], AchievementRecord] = {}
    for record in listed_records:
        key = normalise_name(record.source), record.kind
        best[key] = max(best.get(key, record), record, key=attrgetter("value"))
    all_achievements = [
        achievement for division_achievements in by_division.values() for achievement in division_achievements
    ]
    for record in best.values():
        for achievement, before in _find_new_records(
            _list_achievements_of_kind(all_achievements, record.kind), record
        ):
            if achievement.player.division == division:
                yield RecordNews(achievement, RecordScope.LISTED, before)


def _list_news_about_division_records(achievements: Sequence[Achievement]) -> Iterator[RecordNews]:
    for kind in AchievementKind:
        min_value = MIN_STREAK if kind is AchievementKind.STREAK else -1
        candidates = (
            achievement
            for achievement in _list_achievements_of_kind(achievements, kind)
            if achievement.value >= min_value
        )
        yield from (
            RecordNews(achievement, RecordScope.EVENT, before)
            for achievement, before in _find_new_records(candidates, None)
        )


def _list_news_about_listed_personal_records(
    listed_records: Sequence[AchievementRecord], achievements: Sequence[Achievement]
) -> Iterator[RecordNews]:
    best: dict[tuple[AchievementKind, str], AchievementRecord] = {}
    for record in listed_records:
        key = record.kind, normalise_name(record.name)
        best[key] = max(best.get(key, record), record, key=attrgetter("value"))
    names = (
        {achievement.player.id: normalise_name(achievement.player.name) for achievement in achievements}
        if best
        else {}
    )
    achievements_by_key: dict[tuple[AchievementKind, str], list[Achievement]] = defaultdict(list)
    for achievement in achievements if best else ():
        achievements_by_key[achievement.kind, names[achievement.player.id]].append(achievement)
    for key, record in best.items():
        new_records = _find_new_records(achievements_by_key.get(key, ()), record)
        yield from (RecordNews(achievement, RecordScope.OWN_LISTED, before) for achievement, before in new_records)


def _list_news_about_personal_records(achievements: Sequence[Achievement]) -> Iterator[RecordNews]:
    news = []
    for _, player_achievements in groupby(
        _list_achievements_of_kind(achievements, AchievementKind.HIGH_GAME), key=attrgetter("player.id")
    ):
        games = tuple(player_achievements)
        counted_rounds = {game.round for game in games[_MIN_GAMES:]}
        news += [
            RecordNews(achievement, RecordScope.OWN, before)
            for achievement, before in _find_new_records(games, None)
            if achievement.round in counted_rounds
        ]
    news.sort(key=lambda item: (item.achievement.round, -item.achievement.value))
    for _, round_news in groupby(news, key=attrgetter("achievement.round")):
        yield from tuple(round_news)[:_MAX_PERSONAL]


_COLUMNS: tuple[Column[RecordNews], ...] = (
    Column("name", ColumnKind.NAME, attrgetter("achievement.player.name")),
    Column("kind", ColumnKind.CODE, attrgetter("achievement.kind")),
    Column("value", ColumnKind.NUMBER, attrgetter("achievement.value")),
    Column("round", ColumnKind.NUMBER, attrgetter("achievement.round")),
    Column("scope", ColumnKind.CODE, attrgetter("scope")),
)
