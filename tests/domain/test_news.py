"""Tests of news: records by round and game, even after corrections."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands, publishing
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import AchievementKind, AchievementRecord, DivisionId, GameSide, PlayerId
from tdapp.domain.tables.news import (
    MIN_STREAK,
    RecordNews,
    RecordScope,
    list_division_news,
    list_round_news,
    make_news_table,
)
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_tilesets
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import parse_sheet
from tests.building import DIVISION, RESOURCES, get_game_at, get_last_round, make_event, pair_rounds

NewsRow = tuple[int, str, str, int]  # round, scope, kind, value


def list_news(value: Tournament, *kinds: AchievementKind) -> list[NewsRow]:
    index = TournamentIndex(value)
    news = list_division_news(index, index.get_division(None))
    requested_kinds = kinds or tuple(AchievementKind)
    return [
        (item.achievement.round, item.scope, item.achievement.kind, item.achievement.value)
        for item in news
        if item.achievement.kind in requested_kinds
    ]


def play_round(value: Tournament, *scores: tuple[int, int]) -> Tournament:
    """Play a round with the given scores by table, the score of the starter first."""
    value = pair_rounds(value, results=False)
    for table_number, (first, second) in enumerate(scores, 1):
        game = get_game_at(value, table_number).id
        value = commands.enter_result(value, game=game, first=first, second=second, confirmed=True)
    return value


def find_news(value: Tournament, kind: AchievementKind, number: int) -> RecordNews:
    index = TournamentIndex(value)
    (news_item,) = [
        item for item in list_round_news(index, index.get_division(None), number) if item.achievement.kind is kind
    ]
    return news_item


HIGH_GAME = AchievementKind.HIGH_GAME


def test_list_division_news_compares_with_earlier_rounds() -> None:
    value = play_round(make_event(4), (400, 300), (450, 440))
    value = play_round(value, (440, 300), (449, 448))
    value = play_round(value, (500, 300), (550, 340))
    assert list_news(value, HIGH_GAME) == [(1, "event", "high-game", 450), (3, "event", "high-game", 550)]
    assert list_news(value, AchievementKind.HIGH_LOSS) == [
        (1, "event", "high-loss", 440),
        (2, "event", "high-loss", 448),
    ]
    assert list_news(value, AchievementKind.BIG_WIN) == [
        (1, "event", "big-win", 100), (2, "event", "big-win", 140), (3, "event", "big-win", 210)
    ]  # fmt: skip
    last = find_news(value, HIGH_GAME, 3)
    assert last.before == AchievementRecord(HIGH_GAME, 450, find_news(value, HIGH_GAME, 1).achievement.player.name)
    assert last.game == get_game_at(value, 2).id


def test_list_division_news_after_a_correction() -> None:
    value = play_round(play_round(make_event(4), (400, 300), (410, 310)), (380, 300), (600, 310))
    game = get_game_at(value, 2).id
    assert find_news(value, HIGH_GAME, 2).game == game
    corrected_rows = commands.enter_result(value, game=game, first=60, second=310, confirmed=True)
    assert list_news(corrected_rows, HIGH_GAME) == [(1, "event", "high-game", 410)]
    assert list_news(commands.clear_result(value, game=game), HIGH_GAME) == [(1, "event", "high-game", 410)]
    corrected_tournament = commands.enter_result(
        value,
        game=TournamentIndex(value).get_game(TournamentIndex(value).get_round(DIVISION, 1).id, 1).id,
        first=620,
        second=300,
        confirmed=True,
    )
    assert list_news(corrected_tournament, HIGH_GAME) == [(1, "event", "high-game", 620)]


def test_list_division_news_equal_value_is_no_record() -> None:
    value = play_round(make_event(4), (420, 300), (420, 310))
    assert list_news(value, HIGH_GAME) == [(1, "event", "high-game", 420)] * 2
    assert list_news(play_round(value, (420, 300), (400, 301)), HIGH_GAME) == list_news(value, HIGH_GAME)


def test_list_division_news_streak_starts_at_four_wins() -> None:
    value = make_event(4, rounds=6)
    for _ in range(MIN_STREAK + 1):
        value = pair_rounds(value)
    streaks = list_news(value, AchievementKind.STREAK)
    assert streaks == [(4, "event", "streak", 4), (5, "event", "streak", 5)]
    assert list_news(pair_rounds(make_event(4), times=MIN_STREAK - 1), AchievementKind.STREAK) == []


def test_list_division_news_ignores_forfeits() -> None:
    value = pair_rounds(make_event(4, rounds=6), times=3)
    value = pair_rounds(value, results=False)
    for number in (1, 2):
        value = commands.enter_result(value, game=get_game_at(value, number).id, forfeit=GameSide.SECOND)
    assert list_news(value, AchievementKind.STREAK) == []


LISTED_RECORDS = (
    AchievementRecord(HIGH_GAME, 700, "Old Champion", "2011", "Club"),
    AchievementRecord(HIGH_GAME, 500, "Somebody Else", "2010", "Club"),
    AchievementRecord(HIGH_GAME, 400, "P1", "2015", "Club"),
    AchievementRecord(AchievementKind.STREAK, 2, "Old Champion", "", "Norway"),
)


def test_list_division_news_listed_records_come_first() -> None:
    value = commands.keep_records(play_round(make_event(4), (650, 300), (640, 310)), records=LISTED_RECORDS)
    assert (1, "event", "high-game", 650) in list_news(value, HIGH_GAME)
    value = play_round(value, (710, 300), (705, 310))
    assert [row for row in list_news(value, HIGH_GAME) if row[1] == "listed"] == [(2, "listed", "high-game", 710)]
    assert (2, "event", "high-game", 710) not in list_news(value, HIGH_GAME), (
        "a game is not listed once with its widest scope"
    )
    news_item = find_news(value, HIGH_GAME, 2)
    assert news_item.before == LISTED_RECORDS[0]


def test_list_division_news_matches_listed_names_in_any_order() -> None:
    value = make_event(4)
    player = TournamentIndex(value).get_player(DIVISION, 4)
    value = commands.edit_player(value, player=player.id, name="Nilsson, Åse")
    value = commands.keep_records(value, records=(AchievementRecord(HIGH_GAME, 300, "Ase Nilsson", "2001"),
                                                  AchievementRecord(HIGH_GAME, 800, "X")))  # fmt: skip
    value = pair_rounds(value, results=False)
    for number in (1, 2):
        game = get_game_at(value, number)
        points = (310, 390) if game.second == player.id else (500, 320)
        points = (310, 390) if game.first == player.id else points
        value = commands.enter_result(value, game=game.id, first=points[0], second=points[1])
    player_news = [
        item
        for item in list_division_news(TournamentIndex(value), value.divisions[DIVISION])
        if item.scope is RecordScope.OWN_LISTED
    ]
    assert [item.achievement.player.id for item in player_news] == [player.id]


def test_list_division_news_personal_best_needs_three_games() -> None:
    value = make_event(4, rounds=6)
    for scores in ((400, 380), (390, 370)), ((410, 300), (405, 310)), ((380, 300), (381, 299)):
        value = play_round(value, *scores)
    assert not [row for row in list_news(value) if row[1] == "own"]
    value = play_round(value, (600, 590), (580, 570))
    player_rows = [row for row in list_news(value) if row[1] == "own"]
    assert player_rows == [(4, "own", "high-game", 580), (4, "own", "high-game", 570)], (
        "590 is already the high loss"
    )


def enter_sheet(value: Tournament, *turns: tuple[int, str, int]) -> Tournament:
    sheet = parse_sheet({
        "players": ["", ""], "ended": "passes", "rack_values": [0, 0],
        "turns": [
            {"player": player, "kind": "play", "word": word, "score": score} for player, word, score in turns
        ],
    })  # fmt: skip
    tiles = read_tilesets(RESOURCES / "tilesets")["nl"]
    return commands.enter_sheet(value, game=get_game_at(value, 1).id, sheet=sheet, tileset=tiles)


def test_add_news_data_includes_the_highest_play() -> None:
    value = enter_sheet(pair_rounds(make_event(4), results=False), (1, "QUARTZ", 98), (2, "TEN", 12))
    assert list_news(value, AchievementKind.HIGH_PLAY) == [(1, "event", "high-play", 98)]
    assert find_news(value, AchievementKind.HIGH_PLAY, 1).achievement.word == "QUARTZ"
    assert list_news(publishing.make_public_view(value), AchievementKind.HIGH_PLAY) == [], (
        "the public view contains sheets"
    )
    public_view = publishing.add_public_sheets_and_record_holders(publishing.make_public_view(value), value)
    assert list_news(public_view, AchievementKind.HIGH_PLAY) == [(1, "event", "high-play", 98)]
    withheld_tournament = commands.hold_standings(value, division=DIVISION, after=0)
    withheld_view = publishing.add_public_sheets_and_record_holders(
        publishing.make_public_view(withheld_tournament), withheld_tournament
    )
    assert list_news(withheld_view) == []
    assert not withheld_view.sheets


def test_add_news_data_record_holder_has_the_public_name() -> None:
    value = make_event(4)
    for player, name in (("p1", "Berg, Anna"), ("p2", "Jan Li"), ("p3", "Jan Li")):
        value = commands.edit_player(value, player=PlayerId(player), name=name)
    value = commands.edit_player(value, player=PlayerId("p1"), shown_as="The Fox")
    holders = (("Anna Berg", 500), ("Li Jan", 400), ("Old Champion", 600))
    records = tuple(AchievementRecord(HIGH_GAME, points, name, "", name) for name, points in holders)
    value = play_round(commands.keep_records(value, records=records), (610, 300), (400, 350))
    public_view = publishing.make_public_view(value)
    assert {record.name for record in public_view.event.records} == {""}
    map_news_names = publishing.add_public_sheets_and_record_holders(public_view, value)
    assert [record.name for record in map_news_names.event.records] == ["The Fox", "", "Old Champion"]
    renamed_tournament = [
        item.before
        for item in list_division_news(TournamentIndex(map_news_names), map_news_names.divisions[DIVISION])
        if item.before
    ]
    assert {record.name for record in renamed_tournament} >= {"The Fox", "", "Old Champion"}
    assert not {record.name for record in renamed_tournament} & {"Anna Berg", "Berg, Anna", "Li Jan"}


def play_duel(value: Tournament, division: str, number: int, points: int) -> Tournament:
    """Play a round of a division with two players. The starter wins."""
    proposal = propose_pairings(TournamentIndex(value), DivisionId(division))
    value = commands.pair_round(value, key=f"r{division}{number}", proposal=proposal)
    (game,) = TournamentIndex(value).games(TournamentIndex(value).get_round(DivisionId(division), number).id)
    return commands.enter_result(value, game=game.id, first=points, second=300, confirmed=True)


def test_list_division_news_considers_other_divisions() -> None:
    value = commands.new_tournament(key="t", name="Two", ruleset=make_event(4).ruleset, seed=7)
    for key in ("a", "b"):
        value = commands.add_division(value, key=key, code=key.upper())
        value = commands.add_stage(value, key=f"s{key}", division=DivisionId(key), system="swiss", rounds=3)
        for number in (1, 2):
            value = commands.add_player(
                value, key=f"{key}{number}", division=DivisionId(key), name=f"{key}{number}"
            )
    value = commands.keep_records(value, records=(AchievementRecord(HIGH_GAME, 500, "Old", "", "Club"),))
    value = play_duel(play_duel(value, "a", 1, 600), "b", 1, 400)
    value = play_duel(play_duel(value, "a", 2, 400), "b", 2, 550)
    scopes = {
        key: [
            item.scope
            for item in list_division_news(TournamentIndex(value), value.divisions[DivisionId(key)])
            if item.achievement.value in {550, 600}
        ]
        for key in ("a", "b")
    }
    assert RecordScope.LISTED in scopes["a"]
    assert RecordScope.LISTED not in scopes["b"], "550 is a listed record although 600 came before"


def test_make_news_table_has_a_key_for_each_row() -> None:
    value = pair_rounds(make_event(8), times=4)
    news = list_division_news(TournamentIndex(value), value.divisions[DIVISION])
    rows = make_news_table(news).rows
    assert len({row.key for row in rows}) == len(rows) > 4
    assert {
        item.achievement.round
        for item in list_round_news(
            TournamentIndex(value), value.divisions[DIVISION], get_last_round(value).number
        )
    } == {4}


@pytest.mark.parametrize(
    ("records", "code"),
    [
        ({"value": 0}, "number-out-of-range"),
        ({"name": " "}, "text-missing"),
        ({"source": "x" * 300}, "text-too-long"),
    ],
)
def test_keep_records_refuses_invalid_lists(records: dict[str, object], code: str) -> None:
    with pytest.raises(CommandError) as error:
        commands.keep_records(make_event(4), records=(replace(LISTED_RECORDS[0], **records),))
    assert error.value.code == code
