"""Tests of AUPAIR files: line blocks, round trips and refused files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.entries import ByeEntry, DivisionEntry, EventEntry, GameEntry, PlayerEntry, RoundEntry
from tdapp.domain.errors import InputError
from tdapp.domain.model import ByeKind, StartDecision
from tdapp.exchange import tou, tsh
from tdapp.exchange.exports import DataKind, find_lost_data
from tests.data_events import find_data_folder
from tests.exchange.random_divisions import draw_division

SMALL = (
    "*M 21.11.2026 Open Leiden\r\n"
    "*A\r\n"
    "                          431\r\n"
    "Ås, Zoë              2431 +2 1400  3 2050  1\r\n"
    "van den Berg, Cécile  400  1    0  2      +3\r\n"
    "Li, Ada               -50  3 1400  1       2\r\n"
    "*** END OF FILE ***\r\n"
)
A = DivisionEntry(
    "A",
    (PlayerEntry(1, "Ås, Zoë"), PlayerEntry(2, "van den Berg, Cécile"), PlayerEntry(3, "Li, Ada")),
    (
        RoundEntry(
            1, (GameEntry(None, 1, 2, StartDecision.ASSIGNED, (431, 400)),), (ByeEntry(3, ByeKind.FORFEIT, -50),)
        ),
        RoundEntry(2, (GameEntry(None, 1, 3, StartDecision.DRAW, (400, 400)),), (ByeEntry(2, ByeKind.ABSENT, 0),)),
        RoundEntry(3, (GameEntry(None, 2, 3, StartDecision.ASSIGNED),), (ByeEntry(1, ByeKind.BYE, 50),)),
    ),
)


def get_refusal(text: str) -> InputError:
    with pytest.raises(InputError) as error_info:
        tou.read_tou(text.encode(), "e.tou")
    return error_info.value


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_read_tou_reads_every_kind_of_block(encoding: str, ending: str) -> None:
    event = tou.read_tou(SMALL.replace("\r\n", ending).encode(encoding))
    assert event == EventEntry((A,), "Open Leiden", "2026-11-21")
    assert [player.line for player in event.divisions[0].players] == [4, 5, 6]


def test_write_tou_round_trip_of_a_file() -> None:
    assert tou.encode_tou(A, event="Open Leiden", date="2026-11-21").decode("latin-1") == SMALL


def test_read_tou_reads_several_divisions() -> None:
    text = SMALL.replace("*** END", "*B\r\n   0\r\nOne\r\nTwo\r\n*** END")
    event = tou.read_tou(text.encode())
    assert [(item.code, len(item.players), len(item.rounds)) for item in event.divisions] == [
        ("A", 3, 3),
        ("B", 2, 0),
    ]


def test_write_tou_uses_nine_characters_for_a_hundred_players() -> None:
    players = tuple(PlayerEntry(number, f"P {number}") for number in range(1, 101))
    rounds = (RoundEntry(1, (GameEntry(None, 100, 1, StartDecision.ASSIGNED, (400, 300)),)),)
    entry = DivisionEntry("A", players, rounds)
    data = tou.encode_tou(entry)
    assert b"P 1                   300 100\r\n" in data
    assert b"P 100                2400  +1\r\n" in data
    assert tou.read_tou(data).divisions == (entry,)


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("*M 21", "*N 21", "tou-no-head", 1),
        ("2431 +2", "2431 +4", "tsh-no-such-player", 4),
        ("2431 +2", "2431 +3", "tsh-asymmetric", 4),
        ("2431 +2", "2431 x2", "tou-block", 4),
        ("2431 +2", " 431 +2", "tou-scores-differ", 4),
        ("2431 +2", "     +2", "tou-scores-differ", 4),
        (" 400  1", " 400 +1", "tsh-starts-differ", 4),
        ("van den Berg, Cécile", " " * 20, "name-missing", 5),
        ("*** END", "*a\r\n 0\r\nX\r\n*** END", "tou-division-twice", None),
    ],
)
def test_read_tou_names_the_line_of_an_error(old: str, new: str, code: str, line: int | None) -> None:
    assert old in SMALL
    error = get_refusal(SMALL.replace(old, new))
    assert (error.code, error.source, error.line) == (code, "e.tou", line)


def test_read_tou_refuses_an_event_without_players() -> None:
    assert get_refusal("*M 21.11.2026\r\n*A\r\n 0\r\n*** END OF FILE ***\r\n").code == "tou-no-players"


def test_read_tou_omits_an_invalid_date() -> None:
    assert tou.read_tou(SMALL.replace("21.11.2026", "31.02.2026").encode("latin-1")).date == ""


def test_write_tou_omits_an_invalid_date() -> None:
    assert tou.read_tou(SMALL.replace("21.11.2026", "00.00.0000").encode()).divisions[0] == A
    assert b"*M 00.00.0000 X\r\n" in tou.encode_tou(A, event="X", date="next week")


@pytest.mark.slow
@given(draw_division())
def test_list_unsupported_names_data_lost_in_a_tou_round_trip(entry: DivisionEntry) -> None:
    if not entry.players:
        return
    (division,) = tou.read_tou(tou.encode_tou(entry)).divisions
    games = {(item.number, replace(game, table=None)) for item in entry.rounds for game in item.games}
    ordered_games = {(number, _order_by_number(game)) for number, game in games}
    assert ordered_games == {
        (item.number, _order_by_number(game)) for item in division.rounds for game in item.games
    }
    lost_data = [*find_lost_data(entry, division)]
    assert tou.read_tou(tou.encode_tou(division)).divisions == (division,)
    assert lost_data or replace(division, code=entry.code) == replace(entry, order=division.order)


def _order_by_number(game: GameEntry) -> GameEntry:
    """Return a game with the lower number first, if the starter is not known."""
    if game.start is StartDecision.ASSIGNED or game.first < game.second:
        return game
    return replace(game, first=game.second, second=game.first, scores=game.scores and game.scores[::-1])


def test_list_unsupported_names_omissions_of_tou() -> None:
    player = PlayerEntry(1, "A name of more than twenty letters", 1500, club="X", member="7")
    entry = replace(A, players=(player, *A.players[1:]), spread_caps=(200,))
    (division,) = tou.read_tou(tou.encode_tou(entry)).divisions
    data_without_loss, names = find_lost_data(entry, division)
    assert data_without_loss.facts["what"] == ("rating", "club", "member", DataKind.SPREAD_CAPS)
    assert names.facts["players"] == "A name of more than twenty letters"


def test_write_tou_makes_names_unique_in_twenty_letters() -> None:
    names = ("A very long last name, Ann", "A very long last name, Bob")
    entry = DivisionEntry("A", tuple(PlayerEntry(index, name) for index, name in enumerate(names, 1)))
    names_ = [player.name for player in tou.read_tou(tou.encode_tou(entry)).divisions[0].players]
    assert names_ == ["A very long last nam", "A very long last 002"]


@given(st.lists(st.integers(-300, 9999), min_size=2, max_size=2))
def test_write_tou_round_trip_of_scores(scores: list[int]) -> None:
    games = (GameEntry(None, 1, 2, StartDecision.ASSIGNED, (scores[0], scores[1])),)
    entry = DivisionEntry("A", (PlayerEntry(1, "One"), PlayerEntry(2, "Two")), (RoundEntry(1, games),))
    assert tou.read_tou(tou.encode_tou(entry)).divisions == (entry,)


@pytest.mark.data
@pytest.mark.parametrize("name", ["e4c5_tournament1_a.t", "kingston2023_a.t", "mgi2022_a.t"])
def test_write_tou_round_trip_of_a_real_event(name: str) -> None:
    entry = tsh.read_division((find_data_folder() / "events" / name).read_bytes(), name)
    (division,) = tou.read_tou(tou.encode_tou(entry)).divisions
    assert {unsupported.code for unsupported in find_lost_data(entry, division)} <= {
        "export-without",
        "export-names-differ",
    }
