"""A disqualified player: last in the standings, without a rank or a prize; what becomes of the games played."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.bracket import rank_knockout
from tdapp.domain.index import Index
from tdapp.domain.jury_rows import SanctionId
from tdapp.domain.model import PlayerId, Prize, PrizeId, PrizeKind
from tdapp.domain.prizes import compute_awards
from tdapp.domain.ruleset import DisqualifiedGamesRule
from tdapp.domain.standings import compute_standings, explain_rank
from tdapp.domain.tables import players, standings, statistics
from tdapp.domain.tables.standings import make_category_table, make_standings_table, make_team_table
from tdapp.domain.tournament import Tournament
from tdapp.exchange import json_views, plain_text
from tdapp.exchange.json_text import convert_to_plain_values
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import explain_disqualified_team_players
from tdapp.scrabble.sheet import SanctionKind
from tests.building import DIVISION, RESOURCES, event, paired
from tests.domain.results import division_of, with_results

WORDS = Catalogue("en", RESOURCES / "locale")
# By wins and spread: P1 +240, P2 +31 and P4 +29 with two wins each, P3 with none.
ROUNDS = (
    ((1, 400, 2, 350), (4, 380, 3, 360)),
    ((3, 300, 1, 500), (2, 420, 4, 419)),
    ((4, 450, 1, 440), (2, 390, 3, 310)),
)
OUT = PlayerId("p1")


def disqualified(value: Tournament, number: int = 3) -> Tournament:
    """Disqualify P1 in a round."""
    kind = SanctionKind.DISQUALIFIED
    return commands.add_sanction(value, key="s", player=OUT, kind=kind, why="aids", round_number=number)


@pytest.fixture
def value() -> Tournament:
    return disqualified(with_results(*ROUNDS))


def ranks(value: Tournament, after: int | None = None) -> list[tuple[str, int | None, str]]:
    rows = compute_standings(Index(value), division_of(value), after)
    return [(row.player.name, row.listed_rank, row.status) for row in rows]


def test_compute_standings_puts_a_disqualified_player_last(value: Tournament) -> None:
    assert ranks(value) == [
        ("P2", 1, "active"),
        ("P4", 2, "active"),
        ("P3", 3, "active"),
        ("P1", None, "disqualified"),
    ]


def test_compute_standings_before_a_disqualification(value: Tournament) -> None:
    assert ("P1", 1) in [row[:2] for row in ranks(value, 2)]
    assert ("P1", None, "disqualified") in ranks(value, 3)


def test_remove_sanction_restores_the_rank(value: Tournament) -> None:
    back = commands.remove_sanction(value, sanction=SanctionId("s"))
    assert ranks(back)[0] == ("P1", 1, "active")


def test_compute_awards_skips_a_disqualified_player(value: Tournament) -> None:
    kinds = (PrizeKind.RANK, PrizeKind.HIGH_GAME, PrizeKind.BIG_WIN, PrizeKind.HIGH_LOSS)
    prizes = [Prize(PrizeId(f"z{n}"), DIVISION, n, kind, 1, amount=100) for n, kind in enumerate(kinds)]
    given = [
        award.winners[0].player.name for award in compute_awards(Index(value.put(*prizes)), division_of(value))
    ]
    # P1 has made 500 points, and has won by 200
    assert given == ["P2", "P4", "P2", "P4"]


def test_tables_show_no_rank_of_a_disqualified_player(value: Tournament) -> None:
    index, division = Index(value), division_of(value)
    columns = {column.id: column for column in make_standings_table(index, division).columns}
    last = make_standings_table(index, division).rows[-1]
    assert (columns["rank"].value(last), columns["status"].value(last)) == (None, "disqualified")
    crossed, mean = (
        standings.make_crosstable(index, division, 3),
        statistics.make_average_table(index, division, 3),
    )
    assert [column.value(crossed.rows[-1]) for column in crossed.columns if column.id == "rank"] == [None]
    assert [column.value(mean.rows[-1]) for column in mean.columns if column.id == "rank"] == [None]
    assert [one.places[-1] for one in statistics.compute_rank_history(index, division, 3)][-1] is None
    assert players.find_player_status(index, value.players[OUT], 4) == "disqualified"


def test_make_category_table_ranks_no_disqualified_player(value: Tournament) -> None:
    value = value.put(*(replace(value.players[PlayerId(one)], category="U20") for one in ("p1", "p2")))
    found = make_category_table(Index(value), division_of(value), "U20").rows
    assert [(row.player.name, row.place) for row in found] == [("P2", 1), ("P1", None)]


def test_standings_json_has_no_rank_of_a_disqualified_player(value: Tournament) -> None:
    index, division = Index(value), division_of(value)
    rows = json_views.make_standings_json(index, division, None, WORDS, category="").rows
    assert [row.rank for row in rows] == [1, 2, 3, None]
    assert rows[2].why is not None
    assert rows[2].why.sentence == "P3 is above P1, who is disqualified"
    text = plain_text.write_standings(index, division, None, WORDS, short=True)
    assert "–. P1" in text
    (listed,) = json_views.make_players_json(index, [division])[:1]
    assert convert_to_plain_values(listed)["status"] == "disqualified"


def test_explain_rank_names_the_disqualification(value: Tournament) -> None:
    rows = compute_standings(Index(value), division_of(value))
    assert explain_rank(rows[2], rows[3]).code == "other-disqualified"


def test_rank_knockout_omits_a_disqualified_winner() -> None:
    value = paired(event(4, system="knockout", rules="no-nsf"), times=2)
    (stage,) = Index(value).stages(DIVISION)
    won = rank_knockout(Index(value), stage)
    first, second = sorted(won, key=lambda one: won[one])[:2]
    kind = SanctionKind.DISQUALIFIED
    value = commands.add_sanction(value, key="s", player=first, kind=kind, why="aids")
    left = rank_knockout(Index(value), stage)
    assert (first in left, left[second]) == (False, 1)
    rows = compute_standings(Index(value), division_of(value))
    assert (rows[0].player.id, rows[-1].player.id) == (second, first)


def test_add_sanction_disqualification_keeps_or_forfeits_games(value: Tournament) -> None:
    def spreads(value: Tournament) -> dict[str, tuple[int, int]]:
        return {
            row.player.name: (row.wins, row.spread) for row in compute_standings(Index(value), division_of(value))
        }

    assert spreads(value)["P2"] == (2, 31)
    rules = value.ruleset
    games = replace(rules.sanctions, disqualified_games=DisqualifiedGamesRule.FORFEITED)
    forfeited = commands.change_rules(value, ruleset=replace(rules, sanctions=games))
    # P2 lost to P1 by 50, P3 by 200, P4 won by 10: now all three have won by 50
    assert spreads(forfeited) == {"P2": (3, 131), "P4": (2, 69), "P3": (1, -50), "P1": (0, -150)}
    back = commands.remove_sanction(forfeited, sanction=SanctionId("s"))
    assert spreads(back) == spreads(with_results(*ROUNDS))


@pytest.mark.parametrize("best", [None, 1])
@pytest.mark.parametrize("played", [*DisqualifiedGamesRule])
def test_make_team_table_disqualified_player_with_kept_games(
    value: Tournament, played: DisqualifiedGamesRule, best: int | None
) -> None:
    sanctions = replace(value.ruleset.sanctions, disqualified_games=played)
    value = commands.change_rules(value, ruleset=replace(value.ruleset, sanctions=sanctions))
    for player in (OUT, PlayerId("p3")):
        value = commands.edit_player(value, player=player, team="Reds")
    index, kept = Index(value), played is DisqualifiedGamesRule.KEPT
    (row,) = make_team_table(index, division_of(value), 3, best=best).rows
    assert (row.size, "P1" in row.players) == (2, kept and best is None)
    assert "P3" in row.players
    (before,) = make_team_table(index, division_of(value), 2, best=None).rows
    assert "P1" in before.players  # not disqualified yet
    legend = explain_disqualified_team_players(WORDS, index, division_of(value), 3)
    assert legend == (
        "The games that a disqualified player has played count for the team."
        if kept
        else "A disqualified player does not count for the team."
    )
    assert explain_disqualified_team_players(WORDS, index, division_of(value), 2) == ""
