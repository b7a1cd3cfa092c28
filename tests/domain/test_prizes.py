"""Tests of prize winners: cases computed by hand, and sums."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import ScoreSheet, SheetId, TurnRuling
from tdapp.domain.model import GameId, GameSide, PlayerId, Prize, PrizeId, PrizeKind
from tdapp.domain.prizes import (
    GAME_PRIZES,
    AwardedPrize,
    compute_awarded_prizes,
    is_eligible_for_category,
    list_categories,
    split_amount_into_equal_shares,
    sum_payouts,
)
from tdapp.domain.records import RoundRecord
from tdapp.domain.tables.standings import make_prize_table
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.sheet import parse_sheet
from tests.building import DIVISION, make_event
from tests.domain.results import get_division, play_rounds, set_player_fields

# P1 beats P2 and P3, P2 beats P3 and P4, P4 beats P1; P3 loses all.
ROUNDS = (
    ((1, 400, 2, 350), (4, 380, 3, 360)),
    ((3, 300, 1, 500), (2, 420, 4, 419)),
    ((4, 450, 1, 440), (2, 390, 3, 310)),
)


def make_prize(kind: PrizeKind, rank: int = 1, amount: int = 0, *, position: int = 1, **fields: object) -> Prize:
    row = Prize(PrizeId(f"{kind}{position}"), DIVISION, position, kind, rank, amount=amount)
    return replace(row, **fields)


def award_prizes(value: Tournament, *prizes: Prize, after: int | None = None) -> tuple[AwardedPrize, ...]:
    value = value.put(*(replace(prize, id=PrizeId(f"z{n}"), position=n) for n, prize in enumerate(prizes, 1)))
    return compute_awarded_prizes(TournamentIndex(value), get_division(value), after)


def list_winners(award: AwardedPrize) -> list[tuple[str, int]]:
    return [(winner.player.name, winner.share) for winner in award.winners]


def test_make_prize_table_distinguishes_namesakes() -> None:
    value = play_rounds(*ROUNDS)
    for number in (1, 3):
        (player,) = [player.id for player in value.players.values() if player.number == number]
        value = commands.edit_player(value, player=player, name="Müller, Peter")
    value = value.put(make_prize(PrizeKind.RANK, 1, 3000), make_prize(PrizeKind.HIGH_GAME, position=2))
    first, game = make_prize_table(TournamentIndex(value), get_division(value)).rows
    assert first.winners == "Müller, Peter (1)"
    assert game.award.winners[0].facts["opponent"] == "Müller, Peter (3)"  # 500 – 300


def test_compute_awards_follow_the_standings() -> None:
    first, second, third = award_prizes(
        play_rounds(*ROUNDS), *(make_prize(PrizeKind.RANK, rank, 3000 - 1000 * (rank - 1)) for rank in (1, 2, 3))
    )
    # all three have two wins: P1 +240, P2 +31, P4 +29
    assert [list_winners(award) for award in (first, second, third)] == [
        [("P1", 3000)],
        [("P2", 2000)],
        [("P4", 1000)],
    ]
    facts = {"place": 1, "rank": 1, "category": "", "wins": "2", "spread": 240, "figures": "wins 2 spread 240"}
    assert dict(first.winners[0].facts) == facts


def build_equal_players() -> Tournament:
    """Return a tournament with three equal players: P2, P3 and P4."""
    return play_rounds(
        ((2, 400, 3, 390), (1, 400, 5, 300)), ((3, 400, 4, 390), (1, 400, 5, 300)),
        ((4, 400, 2, 390), (1, 400, 5, 300)), players=5,
    )  # fmt: skip


def remove_byes(value: Tournament) -> Tournament:
    return value.drop(*value.byes.values())


def test_compute_awards_equal_players_share_to_the_cent() -> None:
    prizes = [
        make_prize(PrizeKind.RANK, rank, amount) for rank, amount in ((1, 9000), (2, 5000), (3, 3000), (4, 2000))
    ]
    awards = award_prizes(remove_byes(build_equal_players()), *prizes)
    assert list_winners(awards[0]) == [("P1", 9000)]
    # 50 + 30 + 20 for three: 33.34, 33.33, 33.33
    assert sum_payouts(awards) == {"p1": 9000, "p2": 3334, "p3": 3333, "p4": 3333}
    assert [(award.first, award.last, award.pool) for award in awards[1:]] == [(2, 4, 10000)] * 3
    assert [sum(share for _, share in list_winners(award)) for award in awards] == [9000, 5000, 3000, 2000]


def test_compute_awards_tie_across_the_last_prize() -> None:
    second = award_prizes(remove_byes(build_equal_players()), make_prize(PrizeKind.RANK, 2, 1000))[0]
    assert list_winners(second) == [("P2", 334), ("P3", 333), ("P4", 333)]


def test_compute_awards_sums_several_prizes_for_one_place() -> None:
    awards = award_prizes(
        remove_byes(build_equal_players()),
        make_prize(PrizeKind.RANK, 2, 100),
        make_prize(PrizeKind.RANK, 2, 100),
        make_prize(PrizeKind.RANK, 3),
    )
    assert sum_payouts(awards) == {"p2": 67, "p3": 67, "p4": 66}
    assert list_winners(awards[2]) == [("P2", 0), ("P3", 0), ("P4", 0)]


def test_compute_awards_category_prize_goes_to_the_best() -> None:
    value = set_player_fields(play_rounds(*ROUNDS), category=["A", "B", " junior ,b", "Junior"])
    b, junior, unclaimed = award_prizes(
        value,
        make_prize(PrizeKind.CATEGORY, 2, 500, category="B"),
        make_prize(PrizeKind.CATEGORY, 1, 700, category="junior"),
        make_prize(PrizeKind.CATEGORY, 1, 700, category="C"),
    )
    assert list_winners(b) == [("P3", 500)]
    assert b.winners[0].facts["place"] == 2
    assert b.winners[0].facts["rank"] == 4
    assert list_winners(junior) == [("P4", 700)]
    assert unclaimed.winners == ()
    assert list_categories(TournamentIndex(value).players(DIVISION)) == ("A", "B", "junior")
    assert is_eligible_for_category(TournamentIndex(value).get_player(DIVISION, 3), "B ")


def test_compute_awards_measures_the_best_game_of_each_player() -> None:
    high_game, second, loss, margin = award_prizes(
        play_rounds(*ROUNDS),
        make_prize(PrizeKind.HIGH_GAME),
        make_prize(PrizeKind.HIGH_GAME, 2),
        make_prize(PrizeKind.HIGH_LOSS),
        make_prize(PrizeKind.BIG_WIN),
    )
    assert list_winners(high_game) == [("P1", 0)]
    assert high_game.winners[0].facts == {
        "round": 2,
        "opponent": "P3",
        "points": 500,
        "against": 300,
        "margin": 200,
    }
    assert list_winners(second) == [("P4", 0)]  # 450; the 440 of P1 is no second prize for P1
    assert (loss.winners[0].player.name, loss.winners[0].facts["points"]) == ("P1", 440)
    assert (margin.winners[0].player.name, margin.winners[0].facts["margin"]) == ("P1", 200)


def test_compute_awards_ignores_spread_caps() -> None:
    value = play_rounds(*ROUNDS)
    limited_tournament = value.put(replace(get_division(value), spread_caps=(20,)))
    assert award_prizes(limited_tournament, make_prize(PrizeKind.BIG_WIN))[0].winners[0].facts["margin"] == 200


def test_compute_awards_ignores_byes_and_forfeits() -> None:
    value = play_rounds(((1, 400, 2, 300),), players=3)
    result = value.results[GameId("r1.g1")]
    forfeited_tournament = value.put(replace(result, first=None, second=None, forfeit=GameSide.SECOND))
    awards = award_prizes(
        forfeited_tournament,
        make_prize(PrizeKind.HIGH_GAME),
        make_prize(PrizeKind.HIGH_LOSS),
        make_prize(PrizeKind.BIG_WIN),
    )
    assert all(award.winners == () for award in awards)


def test_compute_awards_loss_on_time_counts_as_a_loss() -> None:
    value = play_rounds(((1, 500, 2, 300),), players=2)
    tournament_with_expired_clock = value.put(replace(value.results[GameId("r1.g1")], lost=GameSide.FIRST))
    loss, margin = award_prizes(
        tournament_with_expired_clock, make_prize(PrizeKind.HIGH_LOSS), make_prize(PrizeKind.BIG_WIN)
    )
    assert list_winners(loss) == [("P1", 0)]
    assert margin.winners == ()


def test_compute_awards_luck_sums_the_narrowest_margins() -> None:
    value = play_rounds(
        ((1, 410, 2, 400),), ((1, 430, 2, 400),), ((2, 400, 1, 395),), ((2, 450, 1, 400),), ((1, 500, 2, 400),),
        players=2,
    )  # fmt: skip
    lucky, tuff = award_prizes(
        value, make_prize(PrizeKind.LUCKY_STIFF, games=2), make_prize(PrizeKind.TUFF_LUCK, games=3)
    )
    assert list_winners(lucky) == [("P1", 0)]  # 10 + 30 against 5 + 50
    assert lucky.winners[0].facts == {"sum": 40, "margins": "10 + 30", "games": 2}
    assert [winner.facts["sum"] for winner in tuff.winners] == [10 + 30 + 100]  # P1 has lost only twice


def test_compute_awards_luck_needs_at_most_the_rounds_played() -> None:
    value = play_rounds(((1, 410, 2, 400),), ((1, 430, 2, 400),), players=2)
    lucky = award_prizes(value, make_prize(PrizeKind.LUCKY_STIFF))[0]
    assert lucky.winners[0].facts == {"sum": 40, "margins": "10 + 30", "games": 2}


def test_compute_awards_win_by_one_point() -> None:
    value = play_rounds(((1, 401, 2, 400),), ((1, 405, 2, 400),), players=2)
    lucky, tuff = award_prizes(value, make_prize(PrizeKind.LUCKY_STIFF), make_prize(PrizeKind.TUFF_LUCK))
    assert (lucky.winners[0].player.name, lucky.winners[0].facts["margins"]) == ("P1", "1 + 5")
    assert (tuff.winners[0].player.name, tuff.winners[0].facts["margins"]) == ("P2", "1 + 5")
    (big_margin,) = award_prizes(value, make_prize(PrizeKind.BIG_WIN), after=1)
    assert big_margin.winners[0].facts["margin"] == 1


def test_compute_awards_win_without_a_lead_is_no_luck() -> None:
    """A win on time at equal points has no margin."""
    value = play_rounds(((1, 400, 2, 400),), players=2)
    tournament_with_expired_clock = value.put(replace(value.results[GameId("r1.g1")], lost=GameSide.SECOND))
    kinds = (PrizeKind.LUCKY_STIFF, PrizeKind.TUFF_LUCK, PrizeKind.BIG_WIN)
    assert [award.winners for award in award_prizes(tournament_with_expired_clock, *map(make_prize, kinds))] == [
        (),
        (),
        (),
    ]


def test_compute_awards_luck_over_several_numbers_of_games() -> None:
    """P1 has the narrowest single win, P3 the narrowest sum of two wins. Both get a prize."""
    value = play_rounds(
        ((1, 401, 2, 400), (3, 410, 4, 400)), ((1, 500, 2, 400), (3, 412, 4, 400)), players=4
    )  # fmt: skip
    single_game, two_games, second = award_prizes(
        value,
        make_prize(PrizeKind.LUCKY_STIFF, games=1),
        make_prize(PrizeKind.LUCKY_STIFF, games=2),
        make_prize(PrizeKind.LUCKY_STIFF, 2, games=2),
    )
    assert [list_winners(single_game), list_winners(two_games), list_winners(second)] == [
        [("P1", 0)],
        [("P3", 0)],
        [("P1", 0)],
    ]
    assert [award.winners[0].facts["sum"] for award in (single_game, two_games, second)] == [1, 22, 101]


def test_compute_awards_other_kinds_share_one_list() -> None:
    first, second = award_prizes(
        play_rounds(*ROUNDS), make_prize(PrizeKind.HIGH_GAME, games=1), make_prize(PrizeKind.HIGH_GAME, 2, games=2)
    )
    assert [list_winners(first), list_winners(second)] == [[("P1", 0)], [("P4", 0)]]
    equal_players = remove_byes(build_equal_players())
    awards = award_prizes(
        equal_players, make_prize(PrizeKind.RANK, 2, 90, games=1), make_prize(PrizeKind.RANK, 3, 60, games=2)
    )
    assert sum_payouts(awards) == {"p2": 50, "p3": 50, "p4": 50}


def test_compute_awards_highest_play_comes_from_sheets() -> None:
    value = play_rounds(((1, 410, 2, 400),), players=2)
    turns = [
        {"player": 1, "kind": "play", "word": "QUIZ", "score": 120},
        {"player": 2, "kind": "play", "word": "TAART", "score": 110},
        {"player": 1, "kind": "play", "word": "ZO", "score": 80},
        {"player": 2, "kind": "play", "word": "FOUT", "score": 130, "ruling": "phony"},
    ]
    sheet = ScoreSheet(
        SheetId("x"), GameId("r1.g1"), 1, parse_sheet({"players": ["a", "b"], "turns": turns, "ended": "passes"})
    )
    high_play = make_prize(PrizeKind.HIGH_PLAY)
    assert award_prizes(value, high_play)[0].winners == ()
    best_play = award_prizes(value.put(sheet), high_play)[0].winners
    assert [(winner.player.name, winner.facts["word"], winner.facts["score"]) for winner in best_play] == [
        ("P1", "QUIZ", 120)
    ]
    sheet_with_ruling = replace(sheet, rulings=(TurnRuling(1, phony=True, author="J", why="not in the list"),))
    best_play = award_prizes(value.put(sheet_with_ruling), high_play)[0].winners
    assert [(winner.player.name, winner.facts["word"]) for winner in best_play] == [("P2", "TAART")]


def list_turns(*rows: tuple[int, str, int | None, str, dict[str, object]]) -> list[dict[str, object]]:
    return [
        {"player": player, "kind": kind, "score": score, "word": word, **fields}
        for player, kind, score, word, fields in rows
    ]


def test_compute_awards_turns_without_a_highest_play() -> None:
    """Withdrawn, unscored and wrong plays do not count. A ruling "valid" changes nothing."""
    plays = list_turns(
        (1, "withdrawn", 99, "TAKEN", {}), (1, "play", None, "NOSCORE", {}),
        (1, "play", 80, "PHONY", {"ruling": "phony"}), (1, "play", 70, "RULED", {}), (1, "play", 60, "STANDS", {}),
        (2, "play", 65, "HIS", {}), (1, "play", 60, "LATER", {}),
    )  # fmt: skip
    rulings = (TurnRuling(4, phony=True, author="J", why=""), TurnRuling(5, phony=False, author="J", why=""))
    form = parse_sheet({"players": ["P1", "P2"], "turns": plays, "ended": "passes"})
    value = play_rounds(*ROUNDS).put(ScoreSheet(SheetId("f"), GameId("r1.g1"), 1, form, rulings))
    for rank, expected in ((1, ("P2", 65, "HIS")), (2, ("P1", 60, "STANDS"))):
        ((winner,),) = (award.winners for award in award_prizes(value, make_prize(PrizeKind.HIGH_PLAY, rank)))
        assert (winner.player.name, winner.facts["score"], winner.facts["word"]) == expected


@pytest.mark.parametrize(
    ("scores", "number"), [((50, 60, 55), 2), ((60, 60, 50), 1), ((50, 60, 60), 2), ((50, 55, 60), 3)]
)
def test_compute_awards_first_game_with_the_highest_play(scores: tuple[int, ...], number: int) -> None:
    value = play_rounds(*ROUNDS)
    for round_number, score in enumerate(scores, 1):
        game = next(
            game
            for game in value.games.values()
            if game.round == f"r{round_number}" and "p1" in (game.first, game.second)
        )
        side = 1 if game.first == "p1" else 2
        plays = list_turns((side, "play", score, f"W{round_number}", {}))
        sheet = parse_sheet({"players": ["a", "b"], "turns": plays, "ended": "passes"})
        value = value.put(ScoreSheet(SheetId(f"f{round_number}"), game.id, 1, sheet))
    (award,) = award_prizes(value, make_prize(PrizeKind.HIGH_PLAY))
    facts = award.winners[0].facts
    assert (facts["round"], facts["word"], facts["score"]) == (number, f"W{number}", max(scores))


def test_compute_awards_luck_counts_at_most_the_rounds_played() -> None:
    """After one round only one of six games counts."""
    value = play_rounds(*ROUNDS)
    for after, names in ((0, []), (1, ["P4"]), (2, ["P1"]), (3, [])):
        (award,) = award_prizes(value, make_prize(PrizeKind.LUCKY_STIFF, games=6), after=after)
        assert [winner.player.name for winner in award.winners] == names
        assert not names or award.winners[0].facts["games"] == after


def test_points_of_a_round_without_points_are_none() -> None:
    _, points = GAME_PRIZES[PrizeKind.HIGH_GAME]
    assert (points(RoundRecord(1)), points(RoundRecord(1, points=0)), points(RoundRecord(1, points=3))) == (
        0,
        0,
        3,
    )


def test_compute_awards_manual_prize_goes_to_the_chosen_player() -> None:
    value = play_rounds(*ROUNDS)
    hand_prize = make_prize(PrizeKind.HAND, amount=100, player=PlayerId("p3"), text="best hat")
    assert list_winners(award_prizes(value, hand_prize)[0]) == [("P3", 100)]
    assert award_prizes(value, replace(hand_prize, player=None))[0].winners == ()


def test_compute_awards_before_the_first_game() -> None:
    assert award_prizes(make_event(4), make_prize(PrizeKind.RANK, 1, 100))[0].winners == ()


def test_compute_awards_after_an_earlier_round() -> None:
    assert list_winners(award_prizes(play_rounds(*ROUNDS), make_prize(PrizeKind.RANK, 1, 100), after=1)[0]) == [
        ("P1", 100)
    ]
    assert list_winners(award_prizes(play_rounds(*ROUNDS), make_prize(PrizeKind.HIGH_GAME), after=1)[0]) == [
        ("P1", 0)
    ]


@given(st.integers(0, 10**9), st.integers(1, 50))
def test_split_amount_shares_differ_by_a_cent(amount: int, count: int) -> None:
    shares = split_amount_into_equal_shares(amount, count)
    assert sum(shares) == amount
    assert max(shares) - min(shares) <= 1
    assert list(shares) == sorted(shares, reverse=True)


@given(
    st.lists(st.integers(0, 99_999), min_size=1, max_size=8),
    st.lists(st.integers(380, 383), min_size=12, max_size=12),
)
def test_compute_awards_pay_all_money(amounts: list[int], points: list[int]) -> None:
    """The shares of a prize add up to its amount. Equal players differ by at most one cent."""
    pairs = (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3)))
    scores = iter(points)
    rounds = [tuple((first, next(scores), second, next(scores)) for first, second in games) for games in pairs]
    prizes = [make_prize(PrizeKind.RANK, 1 + index % 4, amount) for index, amount in enumerate(amounts)]
    awards = award_prizes(play_rounds(*rounds), *prizes)
    assert [sum(winner.share for winner in award.winners) for award in awards] == amounts
    assert sum(sum_payouts(awards).values()) == sum(amounts)
    paid_amount = sum_payouts(awards)
    for award in awards:
        sums = [paid_amount[winner.player.id] for winner in award.winners]
        assert max(sums) - min(sums) <= 1


# --- the list


def test_prize_commands_edit_the_list() -> None:
    value = commands.add_prize(make_event(2), key="a", division=DIVISION, kind=PrizeKind.RANK, amount=5000)
    value = commands.add_prize(
        value, key="b", division=DIVISION, kind=PrizeKind.CATEGORY, category=" B ", text="cup"
    )
    value = commands.add_prize(value, key="c", division=DIVISION, kind=PrizeKind.HAND, player=PlayerId("p2"))
    value = commands.move_prize(value, prize=PrizeId("c"), position=1)
    assert [prize.id for prize in TournamentIndex(value).prizes(DIVISION)] == ["c", "a", "b"]
    value = commands.edit_prize(value, prize=PrizeId("b"), place=2, amount=100)
    assert value.prizes[PrizeId("b")] == Prize(PrizeId("b"), DIVISION, 3, PrizeKind.CATEGORY, 2, "B", 100, "cup")
    assert commands.edit_prize(value, prize=PrizeId("c"), player=None).prizes[PrizeId("c")].player is None
    assert commands.edit_prize(value, prize=PrizeId("c"), place=3).prizes[PrizeId("c")].place == 1
    other_kind = commands.edit_prize(value, prize=PrizeId("c"), kind=PrizeKind.BIG_WIN)
    assert other_kind.prizes[PrizeId("c")].player is None
    value = commands.remove_prize(value, prize=PrizeId("a"))
    assert [prize.id for prize in TournamentIndex(value).prizes(DIVISION)] == ["c", "b"]
    assert commands.remove_player(value, player=PlayerId("p2")).prizes[PrizeId("c")].player is None


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"kind": PrizeKind.CATEGORY}, "prize-without-class"),
        ({"kind": PrizeKind.RANK, "place": 0}, "number-out-of-range"),
        ({"kind": PrizeKind.RANK, "amount": -1}, "number-out-of-range"),
        ({"kind": PrizeKind.TUFF_LUCK, "games": 0}, "number-out-of-range"),
        ({"kind": PrizeKind.HAND, "player": PlayerId("nobody")}, "no-such-player"),
        ({"kind": PrizeKind.HAND, "text": "x" * 201}, "text-too-long"),
    ],
)
def test_add_prize_refuses_invalid_prizes(fields: dict[str, Any], code: str) -> None:
    with pytest.raises(CommandError) as error:
        commands.add_prize(make_event(2), key="a", division=DIVISION, **fields)
    assert error.value.code == code


def test_edit_prize_refuses_a_changed_prize() -> None:
    value = commands.add_prize(make_event(2), key="a", division=DIVISION, kind=PrizeKind.RANK)
    seen_prize = value.prizes[PrizeId("a")]
    value = commands.edit_prize(value, prize=PrizeId("a"), seen=seen_prize, amount=100)
    with pytest.raises(CommandError, match="changed-meanwhile"):
        commands.edit_prize(value, prize=PrizeId("a"), seen=seen_prize, amount=200)


def test_add_prize_refuses_a_player_of_another_division() -> None:
    value = commands.add_division(make_event(2), key="e", code="B")
    value = commands.add_player(value, key="q", division=value.divisions[DIVISION].id, name="Q")
    value = commands.move_players(value, key="m", players=(PlayerId("q"),), division=next(
        division.id for division in value.divisions.values() if division.code == "B"
    ))  # fmt: skip
    with pytest.raises(CommandError, match="other-division"):
        commands.add_prize(value, key="a", division=DIVISION, kind=PrizeKind.HAND, player=PlayerId("q"))


@pytest.mark.parametrize("better_points", [-3, -1, 0, 1, 2])
def test_compute_awards_high_loss_around_zero_points(better_points: int) -> None:
    value = play_rounds(((1, 300, 2, better_points - 1), (3, 300, 4, better_points)))
    (loss,) = award_prizes(value, make_prize(PrizeKind.HIGH_LOSS))
    assert (list_winners(loss), loss.first, loss.last) == ([("P4", 0)], 1, 1)
