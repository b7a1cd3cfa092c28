"""Tests of the challenge table, the players at a table, and challenges on sheets."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import Challenge, ScoreSheet, SheetId
from tdapp.domain.model import ChallengeId, DivisionId
from tdapp.domain.ruleset import WordListScopeRule
from tdapp.domain.rulings import ChallengedTurnOnSheet, compare_challenge_with_sheet, judge_words
from tdapp.domain.tables.jury_log import list_current_seats_at_table, make_challenge_table
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import Sheet, Turn, TurnKind
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import DIVISION, get_game_at, make_event, pair_rounds
from tests.domain.word_list import Words

FIRST_TIME, LATER_TIME = "2026-05-01T10:00:00+00:00", "2026-05-01T10:05:00+00:00"
C1 = ChallengeId("c1")


@pytest.fixture
def tournament() -> Tournament:
    return pair_rounds(make_event(4, rules="no-nsf"), results=False)


def record_challenge(tournament: Tournament, verdict: WordVerdict, **fields: object) -> Tournament:
    arguments: dict[str, object] = {"key": C1, "division": DIVISION, "at": FIRST_TIME, "words": ("ZEBRA",)}
    arguments |= {"edition": "0123456789ab", "verdict": verdict, "round_number": 1, "table": 2, **fields}
    return commands.record_challenge(tournament, **arguments)  # type: ignore[arg-type]


def get_challenge(tournament: Tournament) -> Challenge:
    return tournament.challenges[C1]


def build_index_with_turns(tournament: Tournament, *turns: Turn) -> TournamentIndex:
    """Return an index with a sheet of the given turns at table 2."""
    row = ScoreSheet(SheetId("x"), get_game_at(tournament, 2).id, 1, Sheet(("one", "two"), turns))
    return TournamentIndex(tournament.put(row))


def make_turn(player: int, kind: TurnKind, word: str | None = None) -> Turn:
    return Turn(player, kind, word=word)


def test_make_challenge_table_newest_verdict_first(tournament: Tournament) -> None:
    challenger = get_game_at(tournament, 2).second
    tournament = record_challenge(
        tournament, WordVerdict.VALID, challenger=challenger, judge="Kari", words=("ZEBRA", "ZE")
    )
    tournament = record_challenge(tournament, WordVerdict.INVALID, key="c2", at=LATER_TIME, table=1)
    tournament = commands.appeal_challenge(
        tournament, challenge=C1, second=WordVerdict.INVALID, judge="Bo", joint=WordVerdict.INVALID
    )
    newest, oldest = make_challenge_table(TournamentIndex(tournament), tournament.divisions[DIVISION]).rows
    assert (newest.key, newest.entry.second, newest.final) == ("c2", None, WordVerdict.INVALID)
    assert (oldest.words, oldest.challenger) == ("ZEBRA · ZE", tournament.players[challenger].name)
    assert (oldest.entry.verdict, oldest.entry.second, oldest.final) == (
        WordVerdict.VALID,
        WordVerdict.INVALID,
        WordVerdict.INVALID,
    )
    assert (oldest.entry.judge, oldest.entry.second_judge) == ("Kari", "Bo")


def test_make_challenge_table_of_one_table(tournament: Tournament) -> None:
    tournament = record_challenge(
        record_challenge(tournament, WordVerdict.VALID), WordVerdict.VALID, key="c2", at=LATER_TIME, table=1
    )
    rows = make_challenge_table(TournamentIndex(tournament), tournament.divisions[DIVISION], table=1).rows
    assert [row.key for row in rows] == ["c2"]


def test_make_challenge_table_omits_hidden_words(tournament: Tournament) -> None:
    tournament = record_challenge(tournament, WordVerdict.VALID)
    (row,) = make_challenge_table(
        TournamentIndex(tournament), tournament.divisions[DIVISION], show_words=False
    ).rows
    assert "ZEBRA" not in repr(row)


def test_list_seats_at_a_table(tournament: Tournament) -> None:
    game = get_game_at(tournament, 2)
    assert [
        (seat.player.id, seat.round) for seat in list_current_seats_at_table(TournamentIndex(tournament), 2)
    ] == [
        (game.first, 1),
        (game.second, 1),
    ]
    assert list_current_seats_at_table(TournamentIndex(tournament), 3) == ()
    assert list_current_seats_at_table(TournamentIndex(make_event(4)), 1) == ()


def test_list_seats_at_a_table_of_two_divisions(tournament: Tournament) -> None:
    other_division = DivisionId("e")
    tournament = commands.add_division(tournament, key=other_division, code="B", first_table=1)
    tournament = commands.add_stage(tournament, key="se", division=other_division, system="swiss", rounds=1)
    for key in ("e1", "e2"):
        tournament = commands.add_player(tournament, key=key, division=other_division, name=key)
    tournament = commands.pair_round(
        tournament, key="re", proposal=propose_pairings(TournamentIndex(tournament), other_division)
    )
    assert [seat.division for seat in list_current_seats_at_table(TournamentIndex(tournament), 1)] == [
        DIVISION,
        DIVISION,
        other_division,
        other_division,
    ]


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (("HUS",), WordVerdict.VALID),
        (("HUS", "HUZ"), WordVerdict.INVALID),
        (("HUS", "SKRIVEBORD"), WordVerdict.NOT_BINDING),
        (("HUZ", "SKRIVEBORD"), WordVerdict.INVALID),
    ],
)
def test_judge_words_follows_the_word_length_of_the_rules(words: tuple[str, ...], verdict: WordVerdict) -> None:
    """A list without a binding length uses the length of the rule set."""
    assert judge_words(words, Words("HUS"), WordListScopeRule(binding=7)) is verdict


def test_judge_words_prefers_the_word_length_of_the_list() -> None:
    assert (
        judge_words(("SKRIVEBORD",), Words("SKRIVEBORD", binding=15), WordListScopeRule(binding=7))
        is WordVerdict.VALID
    )


PLAY = make_turn(1, TurnKind.PLAY, "ZEBRA")
FAILED_CHALLENGE = make_turn(2, TurnKind.FAILED_CHALLENGE)
WITHDRAWN_PLAY = make_turn(1, TurnKind.WITHDRAWN, "ZEBRA")


@pytest.mark.parametrize(
    ("verdict", "turns", "expected_turn"),
    [
        (WordVerdict.VALID, (PLAY, FAILED_CHALLENGE), ChallengedTurnOnSheet(2, is_consistent=True)),
        (WordVerdict.INVALID, (WITHDRAWN_PLAY,), ChallengedTurnOnSheet(1, is_consistent=True)),
        (WordVerdict.INVALID, (PLAY, FAILED_CHALLENGE), ChallengedTurnOnSheet(2, is_consistent=False)),
        (WordVerdict.VALID, (WITHDRAWN_PLAY,), ChallengedTurnOnSheet(1, is_consistent=False)),
        (WordVerdict.VALID, (PLAY,), ChallengedTurnOnSheet(None, is_consistent=False)),
        (
            WordVerdict.INVALID,
            (make_turn(1, TurnKind.WITHDRAWN), make_turn(1, TurnKind.WITHDRAWN)),
            ChallengedTurnOnSheet(None, None),
        ),
        # a word of the challenge selects the turn, of any kind
        (
            WordVerdict.VALID,
            (make_turn(1, TurnKind.PLAY, "AP"), FAILED_CHALLENGE, WITHDRAWN_PLAY),
            ChallengedTurnOnSheet(3, is_consistent=False),
        ),
        # a replaced contested play is withdrawn too (nl-reglement III.10)
        (
            WordVerdict.INVALID,
            (replace(PLAY, word="BRA", contested="ZEBRA"),),
            ChallengedTurnOnSheet(1, is_consistent=True),
        ),
        (
            WordVerdict.VALID,
            (replace(PLAY, word="BRA", contested="ZEBRA"), FAILED_CHALLENGE),
            ChallengedTurnOnSheet(1, is_consistent=False),
        ),
        (
            WordVerdict.VALID,
            (make_turn(1, TurnKind.PLAY, "AP"), FAILED_CHALLENGE, PLAY, FAILED_CHALLENGE),
            ChallengedTurnOnSheet(4, is_consistent=True),
        ),
    ],
)
def test_find_written_challenge_on_the_sheet(
    tournament: Tournament, verdict: WordVerdict, turns: tuple[Turn, ...], expected_turn: ChallengedTurnOnSheet
) -> None:
    tournament = record_challenge(tournament, verdict)
    assert (
        compare_challenge_with_sheet(build_index_with_turns(tournament, *turns), get_challenge(tournament))
        == expected_turn
    )


def test_find_written_challenge_considers_the_challenger(tournament: Tournament) -> None:
    game = get_game_at(tournament, 2)
    turns = (make_turn(1, TurnKind.WITHDRAWN), make_turn(2, TurnKind.WITHDRAWN))
    by_second = record_challenge(tournament, WordVerdict.INVALID, challenger=game.second)
    by_first = record_challenge(tournament, WordVerdict.INVALID, challenger=game.first)
    assert compare_challenge_with_sheet(
        build_index_with_turns(by_second, *turns), get_challenge(by_second)
    ) == ChallengedTurnOnSheet(1, is_consistent=True)
    assert compare_challenge_with_sheet(
        build_index_with_turns(by_first, *turns), get_challenge(by_first)
    ) == ChallengedTurnOnSheet(2, is_consistent=True)


def test_find_written_challenge_uses_the_final_verdict(tournament: Tournament) -> None:
    tournament = record_challenge(tournament, WordVerdict.VALID)
    tournament = commands.appeal_challenge(
        tournament, challenge=C1, second=WordVerdict.INVALID, joint=WordVerdict.INVALID
    )
    assert compare_challenge_with_sheet(
        build_index_with_turns(tournament, WITHDRAWN_PLAY), get_challenge(tournament)
    ) == ChallengedTurnOnSheet(1, is_consistent=True)


def test_find_written_challenge_without_sheet_or_verdict(tournament: Tournament) -> None:
    tournament = record_challenge(tournament, WordVerdict.VALID)
    assert compare_challenge_with_sheet(TournamentIndex(tournament), get_challenge(tournament)) is None
    missing_challenge = record_challenge(tournament, WordVerdict.VALID, table=None)
    assert (
        compare_challenge_with_sheet(
            build_index_with_turns(missing_challenge, PLAY, FAILED_CHALLENGE), get_challenge(missing_challenge)
        )
        is None
    )
    undecided_challenge = record_challenge(tournament, WordVerdict.NOT_BINDING)
    assert (
        compare_challenge_with_sheet(
            build_index_with_turns(undecided_challenge, PLAY, FAILED_CHALLENGE), get_challenge(undecided_challenge)
        )
        is None
    )
