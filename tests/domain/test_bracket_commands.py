"""Tests of commands on a knockout: seeds, latecomers, ties and corrections."""

from __future__ import annotations

from datetime import datetime

import pypdfium2
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.bracket import (
    build_bracket,
    compute_worst_possible_knockout_ranks,
    is_match_tied_after_game,
    map_players_by_seed,
)
from tdapp.domain.commands.stages import Seeding
from tdapp.domain.elimination import BracketPart
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    GameId,
    GameSide,
    Player,
    PlayerId,
    Prize,
    PrizeId,
    PrizeKind,
    Result,
    ResultState,
    StageId,
)
from tdapp.domain.pairing_settings import EliminationKind, PairingSettings
from tdapp.domain.prizes import compute_awarded_prizes
from tdapp.domain.problems import find_division_problems
from tdapp.domain.standings import compute_standings, find_ranks_vacant_by_double_forfeit
from tdapp.domain.tournament import Tournament
from tdapp.i18n import ceremony
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.lists import make_standings_text_table
from tdapp.pairing import PAIRING_COMMANDS, FixedPair, propose_pairings
from tdapp.reports import ReportContext, load_style, render_report
from tests import building
from tests.pairing.random_states import STAGE, A, make_tournament, publish_proposal
from tests.reports import sample_tournament


def make_cup(count: int, *, rounds: int = 9, **fields: object) -> Tournament:
    settings = PairingSettings(**fields)  # type: ignore[arg-type]
    return make_tournament(count, system="knockout", rounds=rounds, settings=settings)


def pair_next_round(tournament: Tournament) -> Tournament:
    proposal = propose_pairings(TournamentIndex(tournament), A)
    return commands.pair_round(tournament, key=f"k{proposal.number}", proposal=proposal)


def score_open_games(tournament: Tournament, *, points: int = 400) -> Tournament:
    """Enter a win of the lower number for each open game. With 300 points all games are ties."""
    for game in tournament.games.values():
        if game.id not in tournament.results:
            is_first_winner = int(game.first[1:]) < int(game.second[1:])
            result = Result(
                game.id,
                ResultState.ENTERED,
                points if is_first_winner else 300,
                300 if is_first_winner else points,
            )
            tournament = tournament.put(result)
    return tournament


def list_problem_codes(tournament: Tournament) -> list[str]:
    return [
        problem.code for problem in find_division_problems(TournamentIndex(tournament), tournament.divisions[A])
    ]


def list_seeded_players(tournament: Tournament) -> list[str]:
    seeds = map_players_by_seed(TournamentIndex(tournament), tournament.stages[STAGE])
    return [seeds[number] for number in sorted(seeds)]


def find_last_game(tournament: Tournament, player: str) -> GameId:
    return [game.id for game in tournament.games.values() if player in {game.first, game.second}][-1]


def test_seed_stage_draws_from_the_seed_of_the_tournament() -> None:
    tournament = make_cup(8)
    drawn_seeds = commands.seed_stage(tournament, key="k", stage=STAGE, by=Seeding.LOT)
    repeated_seeds = commands.seed_stage(tournament, key="other", stage=STAGE, by=Seeding.LOT)
    assert (
        list_seeded_players(drawn_seeds) == list_seeded_players(repeated_seeds) != list_seeded_players(tournament)
    )
    assert sorted(list_seeded_players(drawn_seeds)) == sorted(list_seeded_players(tournament))
    other_tournament = tournament.put(replace(tournament.event, seed=99))
    assert list_seeded_players(
        commands.seed_stage(other_tournament, key="k", stage=STAGE, by=Seeding.LOT)
    ) != list_seeded_players(drawn_seeds)
    assert list_seeded_players(
        commands.seed_stage(drawn_seeds, key="l", stage=STAGE, by=Seeding.STANDINGS)
    ) == list_seeded_players(tournament)


def test_seed_stage_by_rating_ignores_the_standings() -> None:
    tournament = make_tournament(4, system="manual", rounds=1)
    stage = replace(tournament.stages[STAGE], id=StageId("k"), position=2, system="knockout", rounds=2)
    tournament = tournament.put(stage)

    fixed_pairs = [FixedPair(PlayerId("p4"), PlayerId("p1")), FixedPair(PlayerId("p3"), PlayerId("p2"))]
    tournament = publish_proposal(
        tournament, propose_pairings(TournamentIndex(tournament), A, fixed_pairs=fixed_pairs)
    )
    for game in tournament.games.values():
        is_lower_seed = int(game.first[1:]) > int(game.second[1:])
        tournament = tournament.put(Result(game.id, ResultState.ENTERED, 400 + 9 * is_lower_seed, 401))
    by_standings = list(map_players_by_seed(TournamentIndex(tournament), stage).values())
    assert {*by_standings[:2]} == {"p3", "p4"}
    tournament = commands.seed_stage(tournament, key="x", stage=stage.id, by=Seeding.RATING)
    assert list(map_players_by_seed(TournamentIndex(tournament), stage).values()) == ["p1", "p2", "p3", "p4"]


def test_seed_stage_refuses_a_stage_with_rounds() -> None:
    with pytest.raises(CommandError, match="stage-started"):
        commands.seed_stage(pair_next_round(make_cup(4)), key="k", stage=STAGE, by=Seeding.LOT)


def test_edit_stage_keeps_the_form_of_a_begun_knockout() -> None:
    tournament = pair_next_round(make_cup(4))
    for settings in (PairingSettings(series=3), PairingSettings(elimination=EliminationKind.DOUBLE)):
        with pytest.raises(CommandError, match="stage-started"):
            commands.edit_stage(tournament, stage=STAGE, settings=settings)
    edited = commands.edit_stage(tournament, stage=STAGE, settings=PairingSettings(third_place=True))
    assert build_bracket(TournamentIndex(edited), edited.stages[STAGE])[-1].node.part is BracketPart.THIRD
    with pytest.raises(CommandError, match="number-out-of-range"):
        commands.edit_stage(make_cup(4), stage=STAGE, settings=PairingSettings(series=0))


def test_seat_latecomer_gives_the_free_seed_of_a_bracket() -> None:
    tournament = pair_next_round(make_cup(5, elimination=EliminationKind.DOUBLE))
    latecomer = Player(PlayerId("p9"), A, 9, "Late", rating=1500)
    tournament = tournament.put(latecomer)
    item = TournamentIndex(tournament).list_published_rounds(A)[0]
    seat = PAIRING_COMMANDS["seat-latecomer"]
    tournament = seat(tournament, key="late", round=item.id, player=latecomer.id)
    seeds = map_players_by_seed(TournamentIndex(tournament), tournament.stages[STAGE])
    assert (seeds[6], seeds.get(7), seeds.get(8)) == ("p9", None, None)
    game = tournament.games[GameId("late")]
    assert {game.first, game.second} == {"p3", "p9"}
    tournament = score_open_games(tournament)
    second = propose_pairings(TournamentIndex(tournament), A)
    assert {frozenset({game.first, game.second}) for game in second.games} == {
        frozenset({"p1", "p4"}),
        frozenset({"p2", "p3"}),
    }
    tournament = score_open_games(commands.pair_round(tournament, key="k2", proposal=second))
    losers = propose_pairings(TournamentIndex(tournament), A)
    assert {frozenset({game.first, game.second}) for game in losers.games} == {
        frozenset({"p1", "p2"}),
        frozenset({"p3", "p5"}),
        frozenset({"p4", "p9"}),
    }
    assert list_problem_codes(tournament) == []


def test_map_seeds_keeps_the_seed_of_an_absent_player() -> None:
    tournament = make_cup(4).put(Absence(AbsenceId("a"), PlayerId("p4"), 1, 1))
    tournament = commands.seed_stage(tournament, key="k", stage=STAGE, by=Seeding.RATING)
    tournament = pair_next_round(tournament).put(Player(PlayerId("p9"), A, 9, "Late"))
    item = TournamentIndex(tournament).list_published_rounds(A)[0]
    assert [bye.player for bye in TournamentIndex(tournament).byes(item.id)] == ["p1"]
    with pytest.raises(CommandError, match="nobody-has-bye"):
        PAIRING_COMMANDS["seat-latecomer"](tournament, key="late", round=item.id, player=PlayerId("p9"))


def test_seed_stage_puts_players_without_rating_last() -> None:
    tournament = make_cup(4)
    for number, rating in ((1, None), (2, 1), (3, 1500), (4, None)):
        tournament = tournament.put(replace(tournament.players[PlayerId(f"p{number}")], rating=rating))
    seeded_tournament = commands.seed_stage(tournament, key="k", stage=STAGE, by=Seeding.RATING)
    assert [seat[-1] for seat in list_seeded_players(seeded_tournament)] == ["3", "2", "1", "4"]


def test_seat_latecomer_refuses_a_knockout_in_progress() -> None:
    tournament = pair_next_round(score_open_games(pair_next_round(make_cup(5))))
    tournament = tournament.put(Player(PlayerId("p9"), A, 9, "Late"))
    item = TournamentIndex(tournament).list_published_rounds(A)[0]
    with pytest.raises(CommandError, match="nobody-has-bye"):
        PAIRING_COMMANDS["seat-latecomer"](tournament, key="late", round=item.id, player=PlayerId("p9"))


def test_find_problems_reports_a_later_corrected_knockout_result() -> None:
    tournament = pair_next_round(score_open_games(pair_next_round(make_cup(4))))
    assert list_problem_codes(tournament) == ["results-out"]
    first_tournament = TournamentIndex(tournament).list_published_rounds(A)[0]
    game = next(
        game
        for game in TournamentIndex(tournament).games(first_tournament.id)
        if "p1" in {game.first, game.second}
    )
    points = (300, 400) if game.first == "p1" else (400, 300)
    corrected = tournament.put(Result(game.id, ResultState.ENTERED, *points))
    assert list_problem_codes(corrected) == ["results-out", "bracket-outdated"]
    problems = find_division_problems(TournamentIndex(corrected), corrected.divisions[A])[1]
    assert dict(problems.facts) == {"player": "Player 4", "round": 2, "name": "final"}


@pytest.mark.parametrize("forfeited", ["final", "semifinal"])
def test_rank_knockout_leaves_a_rank_vacant_after_a_double_forfeit(forfeited: str) -> None:
    tournament = pair_next_round(make_cup(4))
    if forfeited == "final":
        tournament = pair_next_round(score_open_games(tournament))
    last = TournamentIndex(tournament).list_published_rounds(A)[-1]
    game = TournamentIndex(tournament).games(last.id)[0]
    tournament = tournament.put(Result(game.id, ResultState.ENTERED, forfeit=GameSide.BOTH))
    tournament = score_open_games(tournament)
    if forfeited == "semifinal":
        tournament = pair_next_round(tournament)
    index = TournamentIndex(tournament)
    knockout_ranks = compute_worst_possible_knockout_ranks(index, tournament.stages[STAGE])
    ranks = {row.player.id: row.rank for row in compute_standings(index, tournament.divisions[A])}
    assert ranks == knockout_ranks
    assert sorted(ranks.values()) == ([2, 2, 3, 3] if forfeited == "final" else [1, 3, 3, 3])
    prizes = (Prize(PrizeId(f"z{rank}"), A, rank, PrizeKind.RANK, rank) for rank in (1, 2, 3))
    awards = compute_awarded_prizes(TournamentIndex(tournament.put(*prizes)), tournament.divisions[A])
    won = [{winner.player.id for winner in award.winners} for award in awards]
    assert won == [{player for player, rank in ranks.items() if rank == prize_rank} for prize_rank in (1, 2, 3)]
    vacant = 1 if forfeited == "final" else 2
    assert [award.prize.place for award in awards if award.vacant] == [vacant]
    assert find_ranks_vacant_by_double_forfeit(compute_standings(index, tournament.divisions[A])) == (vacant,)
    catalogue, after = Catalogue("en", building.RESOURCES / "locale"), len(index.list_published_rounds(A))
    notes = make_standings_text_table(catalogue, index, tournament.divisions[A], after).notes
    assert f"Not awarded: place {vacant}. Both players forfeited the match for this place." in notes
    value = tournament.put(Prize(PrizeId(f"z{vacant}"), A, vacant, PrizeKind.RANK, vacant))
    (line,) = (
        ceremony.make_ceremony_slides(
            value, ceremony.CeremonyOptions(grouping=ceremony.AnnouncementGrouping.PRIZES), catalogue
        )
        .awards[-1]
        .lines
    )
    assert line.names == "Not awarded: both players forfeited the match for this place"
    lines = (
        ceremony.make_ceremony_slides(value, ceremony.CeremonyOptions(rank_count=ceremony.ALL), catalogue)
        .awards[-1]
        .lines
    )
    assert str(vacant) not in [line.sign for line in lines]
    context = ReportContext(
        index, index.divisions, catalogue, load_style(sample_tournament.FONTS), datetime(2026, 11, 21, 14, 5)
    )
    pages = pypdfium2.PdfDocument(render_report("bulletin", context))
    text = " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in pages)
    assert f"Not awarded: place {vacant}." in text
    assert (
        catalogue.describe_award_reason("vacant", {})
        == "Not awarded: both players forfeited the match for this place"
    )


def test_find_problems_reports_a_needless_second_final() -> None:
    tournament = make_cup(2, elimination=EliminationKind.DOUBLE)
    tournament = score_open_games(pair_next_round(tournament))
    final = pair_next_round(tournament)
    (game,) = TournamentIndex(final).games(TournamentIndex(final).list_published_rounds(A)[-1].id)
    for winner, needed in (("p1", False), ("p2", True)):
        points = (400, 300) if game.first == winner else (300, 400)
        won = final.put(Result(game.id, ResultState.ENTERED, *points))
        assert build_bracket(TournamentIndex(won), won.stages[STAGE])[-1].is_needed is needed
    double_forfeit = build_bracket(
        TournamentIndex(final.put(Result(game.id, ResultState.ENTERED, forfeit=GameSide.BOTH))),
        final.stages[STAGE],
    )
    assert (double_forfeit[-1].is_needed, double_forfeit[-1].winner, double_forfeit[-1].is_decided) == (
        False,
        None,
        True,
    )
    completed = score_open_games(pair_next_round(won))
    assert list_problem_codes(completed) == []
    corrected = completed.put(Result(game.id, ResultState.ENTERED, *points[::-1]))
    problems = [
        problem
        for problem in find_division_problems(TournamentIndex(corrected), corrected.divisions[A])
        if problem.code == "bracket-outdated"
    ]
    assert [dict(problem.facts) for problem in problems] == [
        {"player": player, "round": 3, "name": "reset"} for player in ("Player 1", "Player 2")
    ]


@pytest.mark.parametrize(
    ("kind", "name"), [(EliminationKind.DOUBLE, "winners/2/1"), (EliminationKind.CONSOLATION, "semifinal/1")]
)
def test_find_problems_reports_a_winner_playing_as_the_loser(kind: EliminationKind, name: str) -> None:
    tournament = pair_next_round(score_open_games(pair_next_round(make_cup(8, elimination=kind))))
    first_tournament = TournamentIndex(tournament).list_published_rounds(A)[0]
    game = next(
        game
        for game in TournamentIndex(tournament).games(first_tournament.id)
        if "p1" in {game.first, game.second}
    )
    result = tournament.results[game.id]
    corrected = tournament.put(replace(result, first=result.second, second=result.first))
    assert list_problem_codes(corrected) == ["results-out", "bracket-outdated"]
    problems = find_division_problems(TournamentIndex(corrected), corrected.divisions[A])[1]
    assert dict(problems.facts) == {"player": "Player 8", "round": 2, "name": name}


def test_build_bracket_stays_complete_after_swapped_players() -> None:
    tournament = score_open_games(pair_next_round(make_cup(6)))
    draft = commands.propose_round(tournament, key="d", proposal=propose_pairings(TournamentIndex(tournament), A))
    item = TournamentIndex(draft).rounds(A)[-1]
    swap = PAIRING_COMMANDS["swap-players"]
    swapped_draft = swap(draft, key="e", round=item.id, player=PlayerId("p1"), other=PlayerId("p2"))
    meetings = {
        frozenset({game.first, game.second}): game.match for game in TournamentIndex(swapped_draft).games(item.id)
    }
    assert meetings == {frozenset({"p2", "p4"}): 1, frozenset({"p1", "p3"}): 2}
    final = pair_next_round(score_open_games(commands.publish_round(swapped_draft, round=item.id)))
    assert list_problem_codes(final) == ["results-out"]
    assert {match.players for match in build_bracket(TournamentIndex(final), final.stages[STAGE])[-1:]} == {
        ("p2", "p1")
    }


def test_swap_players_refuses_players_of_a_started_series() -> None:
    tournament = score_open_games(pair_next_round(make_cup(4, series=3)))
    draft = commands.propose_round(tournament, key="d", proposal=propose_pairings(TournamentIndex(tournament), A))
    item = TournamentIndex(draft).rounds(A)[-1]
    with pytest.raises(CommandError, match="series-under-way"):
        PAIRING_COMMANDS["swap-players"](
            draft, key="e", round=item.id, player=PlayerId("p1"), other=PlayerId("p2")
        )


def test_build_bracket_bye_follows_its_match() -> None:
    tournament = make_cup(6)
    draft = commands.propose_round(tournament, key="d", proposal=propose_pairings(TournamentIndex(tournament), A))
    item = TournamentIndex(draft).rounds(A)[-1]
    swap = PAIRING_COMMANDS["swap-players"]
    swapped_draft = swap(draft, key="e", round=item.id, player=PlayerId("p1"), other=PlayerId("p5"))
    assert {bye.player: bye.match for bye in TournamentIndex(swapped_draft).byes(item.id)} == {"p5": 1, "p2": 3}
    assert {game.match for game in TournamentIndex(swapped_draft).games(item.id)} == {2, 4}
    second = pair_next_round(score_open_games(commands.publish_round(swapped_draft, round=item.id)))
    assert {
        frozenset({game.first, game.second})
        for game in TournamentIndex(second).games(TournamentIndex(second).rounds(A)[-1].id)
    } == {
        frozenset({"p5", "p1"}),
        frozenset({"p2", "p3"}),
    }
    assert list_problem_codes(second) == ["results-out"]


def test_find_problems_reports_an_omitted_match() -> None:
    tournament = make_cup(4)
    draft = commands.propose_round(tournament, key="d", proposal=propose_pairings(TournamentIndex(tournament), A))
    item = TournamentIndex(draft).rounds(A)[-1]
    game = TournamentIndex(draft).games(item.id)[0]
    reduced = PAIRING_COMMANDS["unpair-game"](draft, key="e", game=game.id)
    reduced = score_open_games(commands.publish_round(reduced, round=item.id))
    missing = {
        str(problem.facts["player"])
        for problem in find_division_problems(TournamentIndex(reduced), reduced.divisions[A])
    }
    assert missing == {reduced.players[player].name for player in (game.first, game.second)}
    absence = Absence(AbsenceId("w"), game.first, 1)
    assert list_problem_codes(reduced.put(absence)) == ["bracket-outdated"]


def test_needs_decision_of_a_tie() -> None:
    tournament = score_open_games(pair_next_round(make_cup(4)), points=300)
    assert list_problem_codes(tournament) == ["tie-waits", "tie-waits"]
    problems = find_division_problems(TournamentIndex(tournament), tournament.divisions[A])
    assert {problem.key for problem in problems} == set(tournament.games)
    for game in list(tournament.games):
        assert is_match_tied_after_game(TournamentIndex(tournament), game)
        tournament = commands.decide_tie(tournament, game=game, winner=GameSide.FIRST)
    assert list_problem_codes(tournament) == []


def test_decide_tie_of_the_last_game_decides_a_level_series() -> None:
    tournament = score_open_games(
        pair_next_round(score_open_games(pair_next_round(make_cup(2, series=2)), points=300))
    )
    game = find_last_game(tournament, "p1")
    with pytest.raises(CommandError, match="no-tie"):
        commands.decide_tie(tournament, game=game, winner=GameSide.FIRST)
    row = tournament.games[game]
    tied_series = tournament.put(Result(game, ResultState.ENTERED, 300, 300))
    first_tournament = next(iter(tied_series.games))
    with pytest.raises(CommandError, match="no-tie"):
        commands.decide_tie(tied_series, game=first_tournament, winner=GameSide.FIRST)
    first_decision = commands.decide_tie(tied_series, game=game, winner=GameSide.FIRST)
    assert build_bracket(TournamentIndex(first_decision), first_decision.stages[STAGE])[0].winner == row.first
    second_decision = commands.decide_tie(first_decision, game=game, winner=GameSide.SECOND)
    assert build_bracket(TournamentIndex(second_decision), second_decision.stages[STAGE])[0].winner == row.second


def test_find_problems_reports_a_stage_too_short_for_its_bracket() -> None:
    assert list_problem_codes(make_cup(5, rounds=2)) == ["bracket-too-short"]
    assert list_problem_codes(make_cup(5, rounds=3)) == []
    assert list_problem_codes(make_cup(5, rounds=8, series=3)) == ["bracket-too-short"]


@pytest.mark.parametrize(
    ("rounds", "problems"), [(1, {"bracket-too-short"}), (2, set()), (3, {"bracket-too-long"})]
)
def test_find_problems_measures_a_cut_knockout_before_round_one(rounds: int, problems: set[str]) -> None:
    value = building.make_event(8, rounds=3)
    value = commands.add_stage(value, key="k", division=building.DIVISION, system="knockout", rounds=rounds, cut=4)
    problem_codes = {
        problem.code
        for problem in find_division_problems(TournamentIndex(value), value.divisions[building.DIVISION])
    }
    assert problem_codes & {"bracket-too-short", "bracket-too-long"} == problems
