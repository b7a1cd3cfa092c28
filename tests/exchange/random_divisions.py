"""Hypothesis strategies for random players, rounds and divisions."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tdapp.domain.entries import AbsenceEntry, ByeEntry, DivisionEntry, GameEntry, PlayerEntry, RoundEntry
from tdapp.domain.model import ByeKind, StartDecision
from tdapp.exchange.text import clean_text_to_one_line

texts = st.text(max_size=30).map(clean_text_to_one_line) | st.sampled_from(
    [
        "Ås, Zoë",
        "Řezník, Piet",
        "Speler 001",
        "007",
        "a;b",
        "a\\;b\\",
        "#hash",
        "A:B",
        "A:",
        ":",
        "Long, Name Of Somebody 12",
    ]
)
_numbers = st.integers(1, 9999)
_scores = st.integers(-150, 1500)


@st.composite
def draw_player(draw: st.DrawFn, number: int) -> PlayerEntry:
    """Draw a player with random texts."""
    ids: dict[str, Any] = {field: draw(texts) for field in ("wespa", "naspa", "absp", "fide", "xtid")}
    return PlayerEntry(
        number=number,
        name=draw(texts.filter(bool)),
        rating=draw(st.none() | _numbers),
        club=draw(texts),
        country=draw(texts),
        team=draw(texts),
        category=draw(texts),
        member=draw(texts),
        notes=draw(texts),
        fixed_table=draw(st.none() | _numbers),
        **ids,
    )


@st.composite
def draw_round(draw: st.DrawFn, number: int, size: int) -> RoundEntry:
    """Draw a round with some games and some byes."""
    order = draw(st.permutations(range(1, size + 1)))
    table_count = draw(st.integers(0, size // 2))
    other_players = order[2 * table_count :]
    tables = sorted(draw(st.sets(_numbers, min_size=table_count, max_size=table_count)))
    games = [draw(_draw_game(table, order[2 * index], order[2 * index + 1])) for index, table in enumerate(tables)]
    byes = [
        ByeEntry(player, draw(st.sampled_from(ByeKind)), draw(st.none() | _scores))
        for player in sorted(other_players[: draw(st.integers(0, len(other_players)))])
    ]
    return RoundEntry(number, tuple(games), tuple(byes))


@st.composite
def _draw_game(draw: st.DrawFn, table: int, first_player: int, two: int) -> GameEntry:
    start = draw(st.sampled_from([StartDecision.ASSIGNED, StartDecision.DRAW]))
    scores = draw(st.none() | st.tuples(_scores, _scores))
    first, second = (
        (min(first_player, two), max(first_player, two)) if start is StartDecision.DRAW else (first_player, two)
    )
    return GameEntry(table, first, second, start, scores)


@st.composite
def draw_division(draw: st.DrawFn) -> DivisionEntry:
    """Draw a division with players numbered from 1, rounds and absences."""
    size = draw(st.integers(1, 7))
    rounds_ = [draw(draw_round(number, size)) for number in range(1, draw(st.integers(0, 5)) + 1)]
    while rounds_ and not (rounds_[-1].games or rounds_[-1].byes):
        rounds_.pop()
    absences = st.builds(
        AbsenceEntry,
        player=st.integers(1, size),
        first_round=st.integers(1, 9),
        last_round=st.none() | st.integers(9, 12),
        kind=st.none() | st.sampled_from(ByeKind),
    )
    absences_ = draw(st.lists(absences, max_size=3, unique_by=lambda item: (item.player, item.first_round)))
    return DivisionEntry(
        code=draw(texts),
        players=tuple(draw(draw_player(number)) for number in range(1, size + 1)),
        rounds=tuple(rounds_),
        absences=tuple(sorted(absences_, key=lambda item: (item.player, item.first_round))),
        order=draw(st.sampled_from([("wins", "losses", "spread"), ("wins", "resistance"), ("rating",)])),
        spread_caps=tuple(draw(st.lists(st.integers(0, 999), max_size=4))),
    )
