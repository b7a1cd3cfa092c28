"""Tests of the earlier Dutch book: only its ranking differs from the later book in `test_nl`."""

from __future__ import annotations

from msgspec.structs import fields

from tests.domain.tournament_lines import build_crosstable, rank_players
from tests.rulebook.books import load_preset, rule


@rule("NL-03", "Wel telt het puntensaldo mee indien spelers hetzelfde aantal wedstrijden hebben gewonnen")
@rule("NL-04", "Only the later edition has the resistance points")
def test_spread_decides_in_every_system() -> None:
    rules = load_preset("nl-match-earlier")
    assert {rules.get_tiebreak_order_for_system(system) for system in ("swiss", "round-robin", "knockout")} == {
        ("wins", "spread")
    }
    rounds = (("1-2 446:445", "3-4 450:430"), ("3-1 300:320", "4-2 390:400"))
    rows = rank_players(build_crosstable(rounds, players=4, rules=rules))
    assert [(number, int(row.match_points), row.spread) for number, row in rows.items()] == [
        (1, 2, 21),
        (2, 1, 9),
        (3, 1, 0),
        (4, 0, -30),
    ]
    assert rows[3].resistance_points > rows[2].resistance_points - 1


def test_earlier_book_differs_only_in_the_ranking() -> None:
    earlier, later = load_preset("nl-match-earlier"), load_preset("nl-match")
    different_fields = [
        field.name for field in fields(later) if getattr(earlier, field.name) != getattr(later, field.name)
    ]
    assert different_fields == ["id", "name", "order", "place"]
