"""Tests of annotated games (GCG files), with small files for single cases."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tdapp.scrabble.gcg import (
    GcgEvent,
    GcgEventKind,
    GcgGame,
    GcgPlayer,
    GcgPragma,
    GcgReadError,
    encode_gcg,
    read_gcg,
)
from tdapp.scrabble.gcg_check import guess_tileset, recompute_game, split_gcg_game_into_sheet_and_events
from tdapp.scrabble.sheet import GameEnding
from tdapp.scrabble.tiles import parse_tileset
from tests.scrabble.tile_sets import load_tile_set

HEAD = "#player1 A Ann Example\n#player2 B Bo\n"
START = ">A: CATSXYZ 8G CAT +10 10\n>B: OWNERSA J8 SOWN +21 21\n"


def read_game(text: str) -> GcgGame:
    return read_gcg((HEAD + text).encode())[0]


def list_warnings(data: str | bytes) -> list[tuple[str, int | None]]:
    return [(issue.code, issue.line) for issue in read_gcg(data if isinstance(data, bytes) else data.encode())[1]]


def list_issues(text: str, name: str = "en") -> list[tuple[str, int | None, int | str | None, int | None]]:
    issues = recompute_game(read_game(text), load_tile_set(name)).issues
    return [(issue.code, issue.turn, issue.stated, issue.computed) for issue in issues]


def test_read_gcg_reads_each_kind_of_line() -> None:
    read_back = read_game(
        START
        + ">A: SXYZ -XY +0 10\n"
        + ">B: ERA -3 0 21\n"
        + ">A: SZ - +0 10\n"
        + ">B: ERA 12J .E +2 23\n"
        + ">B: ERA -- -2 21\n"
        + ">A: (challenge) +5 15\n"
        + ">A: SZ (time) +-20 -5\n"
        + ">A: (ERA) +6 1\n"
        + ">B: ERA (ERA) -3 18\n"
    )
    assert [(event.kind.value, event.tiles, event.points, event.total) for event in read_back.events[2:]] == [
        ("exchange", "XY", 0, 10),
        ("exchange", "3", 0, 21),
        ("pass", "", 0, 10),
        ("play", "", 2, 23),
        ("withdrawn", "", -2, 21),
        ("challenge", "", 5, 15),
        ("time", "", -20, -5),
        ("end-bonus", "ERA", 6, 1),
        ("end-penalty", "ERA", -3, 18),
    ]
    assert read_back.players == (GcgPlayer("A", "Ann Example"), GcgPlayer("B", "Bo"))
    assert [event.line for event in read_back.events] == list(range(3, 14))


def test_recompute_game_finds_words_squares_and_totals() -> None:
    result = recompute_game(read_game(START + ">A: S 12J .OS +3 13\n"), load_tile_set("en"))
    assert [[word.text for word in turn.words] for turn in result.turns][:2] == [["CAT"], ["SOWN", "CATS"]]
    assert result.turns[0].placement is not None
    assert result.turns[0].placement.tiles == ((8, 7, "C"), (8, 8, "A"), (8, 9, "T"))


@pytest.mark.parametrize(
    ("text", "issues"),
    [
        (">A: CATSXYZ 8G CAT +10 10\n", []),
        (">A: CATSXYZ 8G CAT +11 11\n", [("score-differs", 1, 11, 10)]),
        (">A: CATSXYZ 8G CAT +10 11\n", [("total-differs", 1, 11, 10)]),
        (">A: AABBCDE 1A CAB +8 8\n", [("centre-not-covered", 1, None, None), ("score-differs", 1, 8, 21)]),
        (">A: CATSXYZ P8 CAT +10 10\n", [("coordinate-unreadable", 1, None, None)]),
        (">A: CATSXYZ 8G C4T +10 10\n", [("letter-unknown", 1, None, None)]),
        (">A: CATSXYZ 8G C?T +10 10\n", [("word-unreadable", 1, None, None)]),
        (">A: DOGSXYZ 8G CAT +10 10\n", [("tile-not-on-rack", 1, None, None)]),
        (">A: DOG 8G CAT +10 10\n", []),
        (">A: C4T 8G CAT +10 10\n", [("rack-unreadable", 1, None, None)]),
        (">A: CATSXYZZ 8G CAT +10 10\n", [("rack-too-long", 1, 8, 7), ("tile-over-used", 1, 2, 1)]),
        (">A: CATQQAA 8G CAT +10 10\n", [("tile-over-used", 1, 2, 1)]),
        (START + ">B: ERA - +0 21\n", [("off-turn", 3, None, None)]),
        (START + ">A: SXYZ -Q +0 10\n", []),
        (START + ">A: SXYZEEE -Q +0 10\n", [("tile-not-on-rack", 3, None, None)]),
        (START + ">A: SXYZEEE -C1 +0 10\n", [("rack-unreadable", 3, None, None)]),
        (START + ">A: -Q +0 10\n", []),  # the rack has no note
        (START + "#rack1 E1E\n", [("rack-unreadable", None, None, None)]),
        (START + ">A: SXYZ - +2 12\n", [("score-differs", 3, 2, 0)]),
        (START + ">A: SXYZ -- +0 10\n", [("withdrawn-without-play", 3, 0, None)]),
        (START + ">B: -- -8 13\n", [("score-differs", 3, -8, -21)]),
        (START + ">A: (challenge) +5 15\n", [("challenge-without-play", 3, None, None)]),
        (START + ">B: (challenge) +5 26\n", []),
        (START + ">A: SX (SX) -9 1\n", []),
        (START + ">A: SX (SX) -8 2\n", [("score-differs", 3, -8, -9)]),
        (START + ">A: SX (SY) -5 5\n", [("racks-differ", 3, None, None)]),
        (START + ">A: (time) -10 0\n>A: S - +0 0\n", [("event-after-end", 4, None, None)]),
        (START + ">A: (ERA) +6 16\n", [("end-rack-differs", 3, None, None)]),
        (
            "#player3 C Cy\n" + START + ">A: (ERA) +6 16\n",
            [],
        ),  # with three players the owner of each tile is unknown
        (">A: CATSXYZ P8 CAT +10 10\n>B: (ERA) +6 6\n", [("coordinate-unreadable", 1, None, None)]),
        (START + "#rack1 EEE\n", []),
        (START + "#rack1 ZZEEEEE\n", [("tile-over-used", None, 2, 1)]),
        ("#rack1 EEE\n" + START, [("event-after-rack", None, None, None)]),
    ],
)
def test_recompute_game_issues_have_turn_and_figures(
    text: str, issues: list[tuple[str, int | None, int | str | None, int | None]]
) -> None:
    assert list_issues(text) == issues


@pytest.mark.parametrize(("count_of_e", "issues"), [(1, ["event-after-end"]), (7, ["event-after-end"]), (8, [])])
def test_recompute_game_ends_with_the_last_rack(count_of_e: int, issues: list[str]) -> None:
    letters = {"C": [1, 3], "A": [1, 1], "T": [1, 1], "E": [count_of_e, 1]}
    tiles = parse_tileset({"id": "x", "name": "X", "language": "en", "blanks": 0, "letters": letters})
    recomputed = recompute_game(read_game(">A: CAT 8G CAT +10 10\n>B: E - +0 0\n>A: - +0 10\n"), tiles)
    assert [issue.code for issue in recomputed.issues] == issues


@pytest.mark.parametrize(
    ("line", "code", "detail"),
    [
        (">B: OWNERSA 8J S +6 6\n", "word-incomplete", "S"),  # no square in the event, so the issue names the word
        (">B: OWNERSA O8 S.WN +0 0\n", "nothing-to-play-through", "O9"),
        (">B: OWNERSA 8M OWNERS +0 0\n", "off-board", "8M"),
    ],
)
def test_recompute_game_issue_names_the_square_or_the_word(line: str, code: str, detail: str) -> None:
    issues = recompute_game(read_game(">A: CATSXYZ 8G CAT +10 10\n" + line), load_tile_set("en")).issues
    assert [(issue.turn, issue.detail) for issue in issues if issue.code == code] == [(2, detail)]


def test_recompute_game_reports_a_wrong_total_once() -> None:
    text = ">A: CATSXYZ 8G CAT +10 12\n>B: OWNERSA J8 SOWN +21 21\n>A: SXYZ - +0 12\n"
    assert list_issues(text) == [("total-differs", 1, 12, 10)]
    assert recompute_game(read_game(text), load_tile_set("en")).scores == (
        10,
        recompute_game(read_game(START), load_tile_set("en")).scores[1],
    )


def test_recompute_game_numbers_events_with_running_totals() -> None:
    text = START + ">A: SXYZ - +0 10\n>B: ERA - +0 21\n"
    turns = recompute_game(read_game(text), load_tile_set("en")).turns
    assert [(turn.number, turn.event.player, turn.score, turn.total) for turn in turns] == [
        (1, 1, 10, 10), (2, 2, 21, 21), (3, 1, 0, 10), (4, 2, 0, 21),
    ]  # fmt: skip


def test_recompute_game_removes_a_withdrawn_play() -> None:
    result = recompute_game(
        read_game(START + ">B: -- -21 0\n>A: SXYZ - +0 10\n>B: OWNERSA J8 SOWN +21 21\n"), load_tile_set("en")
    )
    assert result.issues == ()
    assert result.scores == (10, 21)


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"", "gcg-empty", None),
        (b"\n\n", "gcg-empty", None),
        (b"#title x\n", "gcg-empty", None),
        (b"hello\n", "line-unreadable", 1),
        (b"#player1 A A\nhello\n", "line-unreadable", 2),
        (b"#player1 A A\n#- more\n", "line-unreadable", 2),
        (b"#player1 A A\n>A\n", "event-unreadable", 2),
        (b"#player1 A A\n>A: CAT 8G CAT +10\n", "event-unreadable", 2),
        (b"#player1 A A\n>A: CAT 8G CAT ten 10\n", "event-unreadable", 2),
        (b"#player1 A A\n>A: CAT 8GG CAT +10 10\n", "event-unreadable", 2),
        (b"#player1 A A\n>A: CAT DOG 8G CAT +10 10\n", "event-unreadable", 2),
        (b"#player1 A A\n>A: +10 9999999999999\n", "event-unreadable", 2),
        (b"#player1 A A\n>C: CAT 8G CAT +10 10\n", "player-unknown", 2),
        (b">A: - 0 0\n#player1 B B\n", "player-renamed", 2),
        (b"#player1\n", "player-unreadable", 1),
        (b"#player2 B B\n", "player-unreadable", None),
        (b"#player5 E E\n", "too-many-players", 1),
        (b">A: - 0 0\n>B: - 0 0\n>C: - 0 0\n>D: - 0 0\n>E: - 0 0\n", "too-many-players", 5),
        (b"#character-encoding EBCDIC\n", "gcg-encoding", 1),
        (b"#character-encoding UTF-8\n#player1 \xe9 \xe9\n", "gcg-encoding", None),
        (b"#character-encoding windows-1252\n#player1 \x81 X\n", "gcg-encoding", None),
        (b"\x00\x01", "gcg-binary", None),
        (b"#" * 1_000_001, "gcg-too-large", None),
    ],
)
def test_read_gcg_refuses_invalid_files(data: bytes, code: str, line: int | None) -> None:
    with pytest.raises(GcgReadError) as error:
        read_gcg(data)
    assert (error.value.code, error.value.line) == (code, line)


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("#player1 A X\n#player2 A Y\n", ("duplicate-nicks", None)),
        ("#player1 A X\n#player2 B X\n", ("duplicate-names", None)),
        ("#player1 A X\n#player2 B Y\n#player3 C Z\n", ("more-than-two-players", None)),
        (HEAD, ("no-play", None)),
        (HEAD + "#surprise x\n", ("pragma-unknown", 3)),
        (HEAD + "#title x\n#title y\n", ("pragma-repeated", 4)),
        (HEAD + "#game-type wordsmog\n", ("game-type-unknown", 3)),
        (HEAD + "#note x\n", ("note-before-events", 3)),
        (HEAD + "#character-encoding UTF-8\n", ("encoding-not-first", 3)),
        (">A: CAT 8G CAT +10 10\n", ("player-undeclared", 1)),
        (HEAD + START + "#note " + "x" * 600, ("line-too-long", 5)),
    ],
)
def test_read_gcg_warns_about_unusual_files(text: str, warning: tuple[str, int | None]) -> None:
    assert warning in list_warnings(text)


def test_read_gcg_warning_contains_a_repeated_name() -> None:
    for text, name in (
        ("#player1 A Ann X\n#player2 B Ann X\n", "Ann X"),
        ("#player1 A Ann\n#player2 A Bo\n", "A"),
    ):
        (detail,) = (issue.detail for issue in read_gcg(text.encode())[1] if issue.code.startswith("duplicate"))
        assert detail == name


def test_read_gcg_reads_words_after_the_total_as_a_note() -> None:
    text = HEAD + START + ">A: SXYZ -2 +0 10 exchanged too much +1 2\n>B: OWN - +0 21 nothing fits\n"
    game_read, warnings = read_gcg(text.encode())
    assert warnings == ()
    assert [(event.points, event.total) for event in game_read.events[2:]] == [(0, 10), (0, 21)]
    notes = [(pragma.text, pragma.after, pragma.line) for pragma in game_read.pragmas]
    assert notes == [("exchanged too much +1 2", 3, 5), ("nothing fits", 4, 6)]
    assert read_gcg(encode_gcg(game_read))[0] == game_read


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("latin1", "latin-1"), ("Latin-1", "latin-1"), ("ISO 8859-1", "latin-1"), ("iso8859_1", "latin-1"),
        ("utf8", "utf-8"), ("UTF 8", "utf-8"), ("windows-1252", "cp1252"), ("cp1252", "cp1252"),
        ("ANSI", "cp1252"), ("Windows 1252", "cp1252"), ("ISO-8859-15", "iso8859-15"), ("macroman", "mac-roman"),
        ("cp850", "cp850"), ("us-ascii", "utf-8"),
    ],
)  # fmt: skip
def test_read_gcg_knows_usual_names_of_encodings(name: str, encoding: str) -> None:
    text = f"#character-encoding {name}\n#player1 césar César É\n#player2 B Bo\n>césar: CAT 8G CAT +10 10\n"
    game_read, warnings = read_gcg(text.encode(encoding))
    assert (game_read.players[0].name, warnings) == ("César É", ())


def test_recompute_game_accepts_partial_racks() -> None:
    letters = {"C": [1, 3], "A": [1, 1], "T": [1, 1], "S": [1, 1], "E": [6, 1]}
    tiles = parse_tileset({"id": "x", "name": "X", "language": "en", "blanks": 0, "letters": letters})
    text = ">A: CAT 8G CAT +10 10\n>B: E - +0 0\n>A: S 8J S +6 16\n>A: E (EE) -2 14\n"
    assert [issue.code for issue in recompute_game(read_game(text), tiles).issues if "rack" in issue.code] == []
    assert "event-after-end" not in [issue.code for issue in recompute_game(read_game(text), tiles).issues]
    assert list_issues(">A: CAT.... 8G CAT +10 10\n") == []
    assert list_issues(">A: ____ 8G CAT +10 10\n") == []


def test_recompute_game_names_the_player_of_an_uncounted_rack() -> None:
    text = "#player1 A Ann\n#player2 B Bo\n" + START + ">A: (ERA) +6 16\n#rack1 X\n#rack2 ERA\n"
    (issue,) = (
        issue for issue in recompute_game(read_gcg(text.encode())[0], load_tile_set("en")).issues
        if issue.code == "rack-not-counted"
    )  # fmt: skip
    assert issue.detail == "Ann"


def test_read_gcg_has_no_warning_for_a_clean_file() -> None:
    assert list_warnings(HEAD + START) == []


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_read_gcg_accepts_all_line_ends(end: str) -> None:
    assert read_gcg((HEAD + START).replace("\n", end).encode())[0] == read_game(START)


def test_read_gcg_reads_each_encoding() -> None:
    text = "#player1 césar César\n#player2 B Bo\n>césar: CAT 8G CAT +10 10\n"
    for data in (
        text.encode("latin-1"),
        b"#character-encoding ISO-8859-1\n" + text.encode("latin-1"),
        text.encode(),
        b"#character-encoding UTF-8\n" + text.encode(),
        b"\xef\xbb\xbf" + text.encode(),
        b"\xef\xbb\xbf#character-encoding UTF-8\r\n" + text.encode(),
    ):
        assert read_gcg(data)[0].players[0] == GcgPlayer("césar", "César")
    assert encode_gcg(read_gcg(text.encode("latin-1"))[0]).startswith(b"#character-encoding UTF-8\n")


def test_read_gcg_reads_notes_of_several_lines() -> None:
    text = START + "#note one\ntwo\n\n#- three\n>A: S - +0 10\n#note four\n"
    assert read_game(text).pragmas == (GcgPragma("note", "one\ntwo\nthree", 2), GcgPragma("note", "four", 3))


def test_write_gcg_keeps_each_letter() -> None:
    text = HEAD + "#lexicon CSW21\n" + START + "#note one\n#- two\n>A: S - +0 10\n>A:  (ERA) +6 16\n#rack2 ERA\n"
    result, _ = read_gcg(b"#character-encoding UTF-8\n" + text.encode())
    assert encode_gcg(result).decode() == f"#character-encoding UTF-8\n{text}"


def test_guess_tileset_finds_the_fitting_set() -> None:
    german = read_game(">A: MÖSRSSW H7 MÖS +26 26\n")
    sets = [load_tile_set(name) for name in ("en", "nl", "de", "no")]
    assert guess_tileset(german, sets).id == "de"
    assert guess_tileset(read_game(START), sets).id == "en"


def test_recompute_game_with_lettered_rows() -> None:
    """A German file with `#orientation lettered-rows`: H4 runs across."""
    result = recompute_game(
        read_game("#orientation lettered-rows\n>A: FINRSSW H4 FIRNS +24 24\n"), load_tile_set("de")
    )
    assert result.turns[0].placement is not None
    assert [tile[:2] for tile in result.turns[0].placement.tiles] == [(8, column) for column in range(4, 9)]


FINISHED_GAME = START + ">A: S 12J .S +2 12\n#note out\n>A: (ERA) +6 18\n>A: (time) -10 8\n"


def test_recompute_game_recognises_the_national_end() -> None:
    """NL-35: 510+6=516; 520-6=514. GCG files add 12 to the first player, with the same spread."""
    text = FINISHED_GAME.replace(">A: (ERA) +6 18\n", ">A: (ERA) +3 15\n>B: ERA (ERA) -3 18\n")
    assert ("end-rack-national", 4, 3, 6) in list_issues(text)


LETTERS = st.text("ABCDEéÄ?xyz", max_size=7)
WORDS = st.text("ABCDEÄxyz.()", min_size=1, max_size=9)
TEXTS = st.lists(st.text("abc #>Ä:", max_size=12).map(str.strip).filter(bool), min_size=1, max_size=3)
POINTS = st.integers(-999_999, 999_999)
EVENTS = st.one_of(
    st.builds(
        GcgEvent,
        st.integers(1, 2),
        st.just(GcgEventKind.PLAY),
        POINTS,
        POINTS,
        rack=LETTERS,
        at=st.sampled_from(["8D", "H8", "15a"]),
        word=WORDS,
    ),
    st.builds(
        GcgEvent,
        st.integers(1, 2),
        st.sampled_from([GcgEventKind.WITHDRAWN, GcgEventKind.PASS, GcgEventKind.CHALLENGE, GcgEventKind.TIME]),
        POINTS,
        POINTS,
        rack=LETTERS,
    ),
    st.builds(
        GcgEvent,
        st.integers(1, 2),
        st.just(GcgEventKind.EXCHANGE),
        POINTS,
        POINTS,
        rack=LETTERS,
        tiles=st.text("ABC123", min_size=1, max_size=7),
    ),
    st.builds(
        GcgEvent, st.integers(1, 2), st.just(GcgEventKind.END_BONUS), st.integers(0, 99), POINTS, tiles=LETTERS
    ),
    st.builds(
        GcgEvent, st.integers(1, 2), st.just(GcgEventKind.END_PENALTY), POINTS, POINTS, LETTERS.filter(bool)
    ),
)


@st.composite
def make_random_game(draw: st.DrawFn) -> GcgGame:
    events = tuple(draw(st.lists(EVENTS, max_size=8)))
    event_numbers = sorted(draw(st.lists(st.integers(0, len(events)), max_size=4)))
    pragmas = tuple(GcgPragma("note", "\n".join(draw(TEXTS)), number) for number in event_numbers)
    return GcgGame((GcgPlayer("A", "Ann Ä"), GcgPlayer("b:c", "Bo")), events, pragmas, draw(st.booleans()))


@pytest.mark.slow
@given(make_random_game())
def test_write_gcg_round_trip(original: GcgGame) -> None:
    assert read_gcg(encode_gcg(original))[0] == original


LINES = st.sampled_from(
    [
        b"#character-encoding UTF-8",
        b"#player1 A A",
        b"#player2 B B",
        b"#note x",
        b">A: CATSXYZ 8G CAT +10 10",
        b">B: OWNERSA J8 SOWN +21 21",
        b">B: -- -9 0",
        b">A: S -",
        b">A: (S) +2 12",
        b">A: - 0 0",
        b"#rack1 ABC",
        b"#- x",
    ]
)
RAW_FILES = st.lists(LINES | st.binary(max_size=12), max_size=10).flatmap(
    lambda parts: st.sampled_from([b"\n", b"\r\n", b" ", b""]).map(lambda end: end.join(parts))
)


def check_reading(data: bytes) -> None:
    try:
        result, _ = read_gcg(data)
    except GcgReadError:
        return
    assert len(recompute_game(result, load_tile_set("en")).turns) == len(result.events)
    assert read_gcg(encode_gcg(result))[0] == result


@pytest.mark.slow
@given(RAW_FILES)
@settings(max_examples=500)
def test_read_gcg_survives_any_bytes(data: bytes) -> None:
    check_reading(data)


@pytest.mark.long
@pytest.mark.timeout(1800)
@given(RAW_FILES | st.binary(max_size=200))
@settings(max_examples=100_000, suppress_health_check=list(HealthCheck))
def test_read_gcg_survives_many_bytes(data: bytes) -> None:
    check_reading(data)


@pytest.mark.parametrize("last", [">B: OWNERSA\n", "#rack2 OWNERSA\n", "#incomplete OWNERSA\n"])
def test_convert_to_sheet_accepts_the_rack_of_an_unfinished_game(last: str) -> None:
    text = START.splitlines()[0] + "\n" + last
    assert list_warnings(HEAD + text) == []
    score_sheet, left_over = split_gcg_game_into_sheet_and_events(read_game(text), load_tile_set("en"))
    assert (len(score_sheet.turns), score_sheet.ended, left_over) == (1, GameEnding.OPEN, ())
    assert list_issues(text) == []
    assert list_issues(text + ">A: SXYZ - +0 10\n")[-1][0] in {"event-after-rack", "off-turn"}
