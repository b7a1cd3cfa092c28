"""Tests of turn lines: forms, refusals and the round trip."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.scrabble import coordinates
from tdapp.scrabble.coordinates import SIZE, Direction, SquareNotation, WordStart
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.sheet import Ruling, Turn, TurnKind
from tdapp.scrabble.turn_line import format_turn_line, parse_turn_line

K = TurnKind


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("8D TAART 20", Turn(1, K.PLAY, at="8D", word="TAART", score=20)),
        ("TAART 20", Turn(1, K.PLAY, word="TAART", score=20)),
        ("8d taart", Turn(1, K.PLAY, at="8D", word="TAART")),
        ("TAART 20 143", Turn(1, K.PLAY, word="TAART", score=20, total=143)),
        ("TAART =143", Turn(1, K.PLAY, word="TAART", total=143)),
        ("20", Turn(1, K.PLAY, score=20)),
        ("+20 143", Turn(1, K.PLAY, score=20, total=143)),
        ("-", Turn(1, K.PASS)),
        ("– 0 143", Turn(1, K.PASS, score=0, total=143)),
        ("-3", Turn(1, K.EXCHANGE, tiles=3)),
        ("-ABC", Turn(1, K.EXCHANGE, tiles=3)),
        ("-a?[IJ]", Turn(1, K.EXCHANGE, tiles=3)),
        ("-0", Turn(1, K.EXCHANGE)),
        ("8D XYZ --", Turn(1, K.WITHDRAWN, at="8D", word="XYZ")),
        ("-- =12", Turn(1, K.WITHDRAWN, total=12)),
        ("/", Turn(1, K.FAILED_CHALLENGE)),
        ("/2 -20 113", Turn(1, K.FAILED_CHALLENGE, words=2, score=-20, total=113)),
        ("#", Turn(1, K.LOST_TURN)),
        ("FOUT 30 !", Turn(1, K.PLAY, word="FOUT", score=30, ruling=Ruling.PHONY)),
        ("FOUT 30 @EEEGINT!", Turn(1, K.PLAY, word="FOUT", score=30, rack="EEEGINT", ruling=Ruling.PHONY)),
        ("FOUT 30!", Turn(1, K.PLAY, word="FOUT", score=30, ruling=Ruling.PHONY)),
        ("/!", Turn(1, K.FAILED_CHALLENGE, confirmed=True)),
        ("FOUT 30 !2", Turn(1, K.PLAY, word="FOUT", score=30, ruling=Ruling.PHONY, wrong_words=2)),
        ("WEL 18 ~XYZ", Turn(1, K.PLAY, word="WEL", score=18, contested="XYZ")),
        ("-3 ~", Turn(1, K.EXCHANGE, tiles=3, contested="")),
        ("WEL 18 @ELWAA??", Turn(1, K.PLAY, word="WEL", score=18, rack="ELWAA??")),
        (
            "FOUT 30 @EEEGINT!2",
            Turn(1, K.PLAY, word="FOUT", score=30, rack="EEEGINT", ruling=Ruling.PHONY, wrong_words=2),
        ),
        ("_ -5", Turn(1, K.PLAY, score=-5)),
    ],
)
def test_read_turn_line_accepts_each_kind_of_line(line: str, expected: Turn) -> None:
    assert parse_turn_line(line, player=1) == expected


@pytest.mark.parametrize(
    ("typed_text", "word"),
    [
        ("taart", "TAART"),
        ("TAaRT", "TAaRT"),
        ("taa*rt", "TAaRT"),
        ("TAA*RT", "TAaRT"),
        ("..a*", "..a"),
        ("a*b*", "ab"),
        ("t(aa)rt", "T(AA)RT"),
        ("[ij]s", "[IJ]S"),
        ("[ij]*s", "[ij]S"),
        ("straße", "STRASSE"),
        ("blåbær", "BLÅBÆR"),
        ("bla\u030abær", "BLÅBÆR"),
    ],
)
def test_read_turn_line_capitalises_lower_case_words(typed_text: str, word: str) -> None:
    assert parse_turn_line(f"{typed_text} 20", player=2).word == word


@pytest.mark.parametrize(
    ("typed_text", "convention", "square"),
    [
        ("8D", SquareNotation.NUMBERED_ROWS, "8D"),
        ("h4", SquareNotation.LETTERED_ROWS, "8D"),
        ("4h", SquareNotation.LETTERED_ROWS, "D8"),
        ("HD8", SquareNotation.LETTERED_ROWS, "4H"),
        ("D8?", SquareNotation.NUMBERED_ROWS, "D8?"),
        ("D8", SquareNotation.NUMBERED_ROWS_UNDIRECTED, "D8?"),
        ("D8w", SquareNotation.NUMBERED_ROWS_UNDIRECTED, "8D"),
        ("H4s", SquareNotation.LETTERED_ROWS_UNDIRECTED, "D8"),
    ],
)
def test_read_turn_line_stores_squares_with_numbered_rows(
    typed_text: str, convention: SquareNotation, square: str
) -> None:
    assert parse_turn_line(f"{typed_text} TAART", player=1, convention=convention).at == square


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "turn-empty"),
        ("  ", "turn-empty"),
        ("~XYZ", "turn-empty"),
        ("8D", "turn-without-word"),
        ("8D 20", "turn-without-word"),
        ("16D TAART", "coordinate-unreadable"),
        ("8Z TAART", "coordinate-unreadable"),
        ("TAART TAFEL", "turn-unreadable"),
        ("20 143 12", "turn-unreadable"),
        ("20 TAART", "turn-unreadable"),
        ("TA+RT 20", "turn-unreadable"),
        ("=143", "turn-unreadable"),
        ("_", "turn-unreadable"),
        ("-8", "turn-tiles"),
        ("-ABCDEFGH", "turn-tiles"),
        ("-A+", "turn-unreadable"),
        ("/9", "turn-words"),
        ("FOUT !0", "turn-words"),
        ("FOUT !x", "turn-unreadable"),
        ("FOUT 10000", "turn-points"),
        ("- !", "turn-mark"),
        ("# ~XYZ", "turn-mark"),
        ("8D XYZ -- !", "turn-mark"),
        ("?", "turn-unreadable"),
        ("A**", "turn-unreadable"),
        ("*A", "turn-unreadable"),
    ],
)
def test_read_turn_line_refuses_invalid_lines(line: str, code: str) -> None:
    with pytest.raises(ScrabbleError) as refusal:
        parse_turn_line(line, player=1)
    assert refusal.value.code == code


def test_write_turn_line_keeps_an_unreadable_square() -> None:
    assert format_turn_line(Turn(1, K.PLAY, at="Q9", word="TAART")) == "Q9 TAART"


LETTERS = st.sampled_from("ABEÅÆÖÜXZabeåæöü")
SQUARES = st.builds(
    WordStart,
    st.integers(1, SIZE),
    st.integers(1, SIZE),
    st.sampled_from([None, Direction.ACROSS, Direction.DOWN]),
).map(coordinates.format_square_notation)
LETTER_FORMS = st.one_of(LETTERS, st.sampled_from([".", "(A)", "[IJ]", "[ij]"]))
WORDS = st.lists(LETTER_FORMS, min_size=1, max_size=9).map("".join)
POINTS = st.none() | st.integers(-9_999, 9_999)
RACKS = st.none() | st.text("ABE?", min_size=1, max_size=7)
CONTESTED = st.none() | st.text("XYZ 8D~!", max_size=9).map(str.strip)
PLAYER = st.integers(1, 4)
TURNS = st.one_of(
    st.builds(Turn, PLAYER, st.just(K.PLAY), at=st.none() | SQUARES, word=WORDS, score=POINTS, total=POINTS,
              contested=CONTESTED, rack=RACKS),
    st.builds(Turn, PLAYER, st.just(K.PLAY), word=WORDS, score=POINTS, ruling=st.just(Ruling.PHONY),
              wrong_words=st.integers(1, 8)),
    st.builds(Turn, PLAYER, st.just(K.PLAY), score=st.integers(-9_999, 9_999), total=POINTS, rack=RACKS),
    st.builds(Turn, PLAYER, st.just(K.WITHDRAWN), at=st.none() | SQUARES, word=WORDS, score=POINTS, total=POINTS),
    st.builds(Turn, PLAYER, st.sampled_from([K.WITHDRAWN, K.LOST_TURN]), score=POINTS, total=POINTS, rack=RACKS),
    st.builds(Turn, PLAYER, st.just(K.PASS), score=POINTS, total=POINTS, contested=CONTESTED, rack=RACKS),
    st.builds(Turn, PLAYER, st.just(K.EXCHANGE), tiles=st.none() | st.integers(1, 7), score=POINTS, total=POINTS,
              contested=CONTESTED),
    st.builds(Turn, PLAYER, st.just(K.FAILED_CHALLENGE), words=st.integers(1, 8), score=POINTS, total=POINTS),
)  # fmt: skip


@given(TURNS, st.sampled_from(SquareNotation))
def test_write_turn_line_round_trip(turn: Turn, convention: SquareNotation) -> None:
    line = format_turn_line(turn, convention)
    assert parse_turn_line(line, player=turn.player, convention=convention) == turn


@given(st.text("8DHTAta1-/#!~@?*=_+. ", max_size=14))
def test_read_turn_line_accepts_or_refuses_any_line(line: str) -> None:
    try:
        turn = parse_turn_line(line, player=1)
    except ScrabbleError:
        return
    assert parse_turn_line(format_turn_line(turn), player=1) == turn
