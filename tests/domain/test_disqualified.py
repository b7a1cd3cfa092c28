"""Tests of disqualified players: last rank, no prize, and kept or forfeited games."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.bracket import compute_worst_possible_knockout_ranks
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import SanctionId
from tdapp.domain.model import PlayerId, Prize, PrizeId, PrizeKind
from tdapp.domain.prizes import compute_awarded_prizes
from tdapp.domain.ruleset import DisqualifiedGamesRule
from tdapp.domain.standings import compute_standings, explain_rank
from tdapp.domain.tables import players, standings, statistics
from tdapp.domain.tables.standings import make_category_table, make_standings_table, make_team_table
from tdapp.domain.tournament import Tournament
from tdapp.exchange import json_views, plain_text
from tdapp.exchange.json_text import convert_to_dicts_and_lists
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import explain_disqualified_team_players
from tdapp.scrabble.sheet import SanctionKind
from tests.building import DIVISION, RESOURCES, make_event, pair_rounds
from tests.domain.results import get_division, play_rounds

CATALOGUE = Catalogue("en", RESOURCES / "locale")
# By wins and spread: P1 +240, P2 +31 and P4 +29 with two wins each, P3 with none.
ROUNDS = (
    ((1, 400, 2, 350), (4, 380, 3, 360)),
    ((3, 300, 1, 500), (2, 420, 4, 419)),
    ((4, 450, 1, 440), (2, 390, 3, 310)),
)
DISQUALIFIED_ID = PlayerId("p1")


def disqualify_player(played_tournament: Tournament, number: int = 3) -> Tournament:
    """Disqualify player 1 in a round."""
    kind = SanctionKind.DISQUALIFIED
    return commands.add_sanction(
        played_tournament, key="s", player=DISQUALIFIED_ID, kind=kind, why="aids", round_number=number
    )


@pytest.fixture
def played_tournament() -> Tournament:
    return disqualify_player(play_rounds(*ROUNDS))


def list_ranks(played_tournament: Tournament, after: int | None = None) -> list[tuple[str, int | None, str]]:
    rows = compute_standings(TournamentIndex(played_tournament), get_division(played_tournament), after)
    return [(row.player.name, row.rank_unless_disqualified, row.status) for row in rows]


def test_compute_standings_puts_a_disqualified_player_last(played_tournament: Tournament) -> None:
    assert list_ranks(played_tournament) == [
        ("P2", 1, "active"),
        ("P4", 2, "active"),
        ("P3", 3, "active"),
        ("P1", None, "disqualified"),
    ]


def test_compute_standings_before_a_disqualification(played_tournament: Tournament) -> None:
    assert ("P1", 1) in [row[:2] for row in list_ranks(played_tournament, 2)]
    assert ("P1", None, "disqualified") in list_ranks(played_tournament, 3)


def test_remove_sanction_restores_the_rank(played_tournament: Tournament) -> None:
    restored = commands.remove_sanction(played_tournament, sanction=SanctionId("s"))
    assert list_ranks(restored)[0] == ("P1", 1, "active")


def test_compute_awards_skips_a_disqualified_player(played_tournament: Tournament) -> None:
    kinds = (PrizeKind.RANK, PrizeKind.HIGH_GAME, PrizeKind.BIG_WIN, PrizeKind.HIGH_LOSS)
    prizes = [Prize(PrizeId(f"z{n}"), DIVISION, n, kind, 1, amount=100) for n, kind in enumerate(kinds)]
    winners = [
        award.winners[0].player.name
        for award in compute_awarded_prizes(
            TournamentIndex(played_tournament.put(*prizes)), get_division(played_tournament)
        )
    ]
    # P1 has made 500 points, and has won by 200
    assert winners == ["P2", "P4", "P2", "P4"]


def test_tables_show_no_rank_of_a_disqualified_player(played_tournament: Tournament) -> None:
    index, division = TournamentIndex(played_tournament), get_division(played_tournament)
    columns = {column.id: column for column in make_standings_table(index, division).columns}
    last = make_standings_table(index, division).rows[-1]
    assert (columns["rank"].value(last), columns["status"].value(last)) == (None, "disqualified")
    crosstable, average_table = (
        standings.make_crosstable(index, division, 3),
        statistics.make_player_averages_table(index, division, 3),
    )
    assert [column.value(crosstable.rows[-1]) for column in crosstable.columns if column.id == "rank"] == [None]
    assert [column.value(average_table.rows[-1]) for column in average_table.columns if column.id == "rank"] == [
        None
    ]
    assert [history.places[-1] for history in statistics.compute_rank_history(index, division, 3)][-1] is None
    assert players.find_player_status(index, played_tournament.players[DISQUALIFIED_ID], 4) == "disqualified"


def test_make_category_table_ranks_no_disqualified_player(played_tournament: Tournament) -> None:
    played_tournament = played_tournament.put(
        *(replace(played_tournament.players[PlayerId(player_id)], category="U20") for player_id in ("p1", "p2"))
    )
    rows = make_category_table(TournamentIndex(played_tournament), get_division(played_tournament), "U20").rows
    assert [(row.player.name, row.place) for row in rows] == [("P2", 1), ("P1", None)]


def test_standings_json_has_no_rank_of_a_disqualified_player(played_tournament: Tournament) -> None:
    index, division = TournamentIndex(played_tournament), get_division(played_tournament)
    rows = json_views.make_standings_json(index, division, None, CATALOGUE, category="").rows
    assert [row.rank for row in rows] == [1, 2, 3, None]
    assert rows[2].why is not None
    assert rows[2].why.sentence == "P3 is above P1, who is disqualified"
    text = plain_text.format_standings_as_text(index, division, None, CATALOGUE, short=True)
    assert "–. P1" in text
    (player_json,) = json_views.make_players_json(index, [division])[:1]
    assert convert_to_dicts_and_lists(player_json)["status"] == "disqualified"


def test_explain_rank_names_the_disqualification(played_tournament: Tournament) -> None:
    rows = compute_standings(TournamentIndex(played_tournament), get_division(played_tournament))
    assert explain_rank(rows[2], rows[3]).code == "other-disqualified"


def test_rank_knockout_omits_a_disqualified_winner() -> None:
    played_tournament = pair_rounds(make_event(4, system="knockout", rules="no-nsf"), times=2)
    (stage,) = TournamentIndex(played_tournament).stages(DIVISION)
    knockout_ranks = compute_worst_possible_knockout_ranks(TournamentIndex(played_tournament), stage)
    first, second = sorted(knockout_ranks, key=lambda player: knockout_ranks[player])[:2]
    kind = SanctionKind.DISQUALIFIED
    played_tournament = commands.add_sanction(played_tournament, key="s", player=first, kind=kind, why="aids")
    remaining_ranks = compute_worst_possible_knockout_ranks(TournamentIndex(played_tournament), stage)
    assert (first in remaining_ranks, remaining_ranks[second]) == (False, 1)
    rows = compute_standings(TournamentIndex(played_tournament), get_division(played_tournament))
    assert (rows[0].player.id, rows[-1].player.id) == (second, first)


def test_add_sanction_disqualification_keeps_or_forfeits_games(played_tournament: Tournament) -> None:
    def map_spreads(played_tournament: Tournament) -> dict[str, tuple[int, int]]:
        return {
            row.player.name: (row.wins, row.spread)
            for row in compute_standings(TournamentIndex(played_tournament), get_division(played_tournament))
        }

    assert map_spreads(played_tournament)["P2"] == (2, 31)
    rules = played_tournament.ruleset
    games = replace(rules.sanctions, disqualified_games=DisqualifiedGamesRule.FORFEITED)
    forfeited = commands.change_rules(played_tournament, ruleset=replace(rules, sanctions=games))
    # P2 lost to P1 by 50, P3 by 200, P4 won by 10: now all three have won by 50
    assert map_spreads(forfeited) == {"P2": (3, 131), "P4": (2, 69), "P3": (1, -50), "P1": (0, -150)}
    restored = commands.remove_sanction(forfeited, sanction=SanctionId("s"))
    assert map_spreads(restored) == map_spreads(play_rounds(*ROUNDS))


@pytest.mark.parametrize("member_limit", [None, 1])
@pytest.mark.parametrize("tournament_with_teams", [*DisqualifiedGamesRule])
def test_make_team_table_disqualified_player_with_kept_games(
    played_tournament: Tournament, tournament_with_teams: DisqualifiedGamesRule, member_limit: int | None
) -> None:
    sanctions = replace(played_tournament.ruleset.sanctions, disqualified_games=tournament_with_teams)
    played_tournament = commands.change_rules(
        played_tournament, ruleset=replace(played_tournament.ruleset, sanctions=sanctions)
    )
    for player in (DISQUALIFIED_ID, PlayerId("p3")):
        played_tournament = commands.edit_player(played_tournament, player=player, team="Reds")
    index, is_kept = TournamentIndex(played_tournament), tournament_with_teams is DisqualifiedGamesRule.KEPT
    (row,) = make_team_table(index, get_division(played_tournament), 3, best=member_limit).rows
    assert (row.size, "P1" in row.players) == (2, is_kept and member_limit is None)
    assert "P3" in row.players
    (before,) = make_team_table(index, get_division(played_tournament), 2, best=None).rows
    assert "P1" in before.players  # not disqualified yet
    legend = explain_disqualified_team_players(CATALOGUE, index, get_division(played_tournament), 3)
    assert legend == (
        "The games that a disqualified player has played count for the team."
        if is_kept
        else "A disqualified player does not count for the team."
    )
    assert explain_disqualified_team_players(CATALOGUE, index, get_division(played_tournament), 2) == ""
