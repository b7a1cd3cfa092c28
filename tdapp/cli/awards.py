"""Verbs about prizes, teams, ratings, chances, results of rounds without a game, and records."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from typing import Any

from msgspec import Struct

from tdapp.cli.json_types import AwardedResultJson
from tdapp.cli.output import print_table
from tdapp.cli.program import (
    Program,
    find_chosen_division,
    find_chosen_round,
    find_player_by_number_or_name,
)
from tdapp.cli.seasons import SeasonRatingsJson, show_season_ratings
from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division
from tdapp.domain.prizes import PrizeWinner, sum_payouts
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.ratings import select_rating_system
from tdapp.domain.ruleset import UnplayedRoundPointsSource
from tdapp.domain.tables import news as news_tables
from tdapp.domain.tables import rounds as round_tables
from tdapp.domain.tables import standings as standing_tables
from tdapp.exchange import player_lists
from tdapp.exchange.json_documents import Number
from tdapp.exchange.json_text import make_document_from_rows
from tdapp.exchange.text import read_file
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.lists import list_news_lines
from tdapp.i18n.phrases import (
    explain_shared_ranks,
    format_simulated_schedules,
    make_chances_title,
    make_schedule_simulation_table,
)
from tdapp.pairing.forecast import compute_forecast, make_forecast_table
from tdapp.pairing.rehearsal import make_alternative_schedule, simulate_schedules


class TeamStandingsRowJson(Struct):
    """A team in the standings. The list `counting` names the players whose results count."""

    rank: int
    team: str
    players: int
    counting: list[str]
    wins: Number
    losses: Number
    spread: int
    points: int
    matches: int
    match_points: Number
    penalty: int


class TeamMatchJson(Struct):
    """A match of two teams. If the first team has a bye, `second_team` is ""."""

    round: int
    tables: list[int]
    first_team: str
    second_team: str
    first_boards: Number
    second_boards: Number
    first_points: Number | None
    second_points: Number | None
    spread: int


class TeamStandingsJson(Struct):
    """The standings of teams, and their matches if teams play each other."""

    division: str
    after: int | None
    best: int | None
    rows: list[TeamStandingsRowJson]
    matches: list[TeamMatchJson]


class PrizeWinnerJson(Struct):
    """The winner of a prize. The key `share` is the money for this winner, in hundredths of the currency."""

    player: int
    name: str
    share: int
    code: str
    facts: dict[str, Any]
    reason: str


class SharedPrizeRanksJson(Struct):
    """The first and last of the ranks that share prize money, and this money in hundredths of the currency."""

    first: int
    last: int
    pool: int


class PrizeJson(Struct, rename={"category": "class"}):
    """A prize with its winners."""

    prize: int
    kind: str
    place: int | None
    category: str
    games: int | None
    amount: int
    text: str
    winners: list[PrizeWinnerJson]
    shared: SharedPrizeRanksJson | None


class PlayerPayoutJson(Struct):
    """The total prize money of a player, in hundredths of the currency."""

    player: int
    name: str
    amount: int


class PrizesJson(Struct):
    """The prizes of a division with their winners."""

    division: str
    after: int
    prizes: list[PrizeJson]
    payouts: list[PlayerPayoutJson]


class NewRecordJson(Struct):
    """A new record, such as the highest score.

    The key `before` is the value of the old record. `source` names the list with the old record.
    """

    key: str
    round: int
    table: int | None
    kind: str
    scope: str
    player: int
    name: str
    value: int
    word: str
    before: int | None
    source: str
    what: str
    how: str


class RatingSystemJson(Struct):
    """A rating system of the program."""

    id: str
    name: str
    source: str


class PlayerRatingJson(Struct):
    """A player's performance and new rating."""

    rank: int | None
    player: int
    name: str
    rating: int | None
    games: int
    score: Number
    expected: Number | None
    performance: int | None
    new: int | None
    change: int | None


class DivisionRatingsJson(Struct):
    """The ratings of the players of a division."""

    division: str
    after: int | None
    system: str
    rows: list[PlayerRatingJson]


class RequiredPairingsOfRuleJson(Struct):
    """The pairs, groups and byes that a pairing rule requires in the next round. All numbers are ranks.

    The two players of a pair must meet. The players of a group must play within their group.
    """

    rule: str
    pairs: tuple[tuple[int, int], ...]
    groups: tuple[tuple[int, ...], ...]
    bye: tuple[int, ...]


class PlayerChancesJson(Struct):
    """A player's chances of winning a prize and of each final rank."""

    place: int
    player: int
    name: str
    wins: Number
    spread: int
    state: str
    prize: Number
    places: list[Number]


class DivisionChancesJson(Struct):
    """The players' chances of each final rank, from simulations.

    The key `cut` is the number of players who qualify for the next stage. If `cut` is not null, the key `prize` of
    a player is the chance to qualify.
    """

    division: str
    after: int
    open_games: int
    rounds_left: int
    shared: bool
    prize_places: int
    simulations: int
    cut: int | None
    later_rounds: int
    coming_round: list[RequiredPairingsOfRuleJson]
    rows: list[PlayerChancesJson]


class PlannedStageJson(Struct):
    """A stage of a possible schedule."""

    system: str
    rounds: int
    cut: int | None


class SimulatedScheduleJson(Struct, rename={"figures": "*"}):
    """A possible schedule. Each key except `stages` is an average over all simulations, for example `repeats`."""

    stages: list[PlannedStageJson]
    figures: dict[str, Number]


class SimulatedSchedulesJson(Struct):
    """Possible schedules of a division, each simulated `plays` times."""

    division: str
    plays: int
    plans: list[SimulatedScheduleJson]


def show_prizes(program: Program, options: Namespace) -> PrizesJson:
    with program.open_desk(options.file, read_only=True) as desk:
        division = find_chosen_division(desk.index, options)
        table = standing_tables.make_prize_table(desk.index, division, options.after)
    catalogue = program.catalogue
    if not options.json:
        print_table(table, catalogue, catalogue.text("There are no prizes."))
        players = map_players_with_distinct_names(desk.index)
        for row in table.rows:
            for winner in row.award.winners:
                name = players[winner.player.id].name
                print(f"{row.number}. {name}: {catalogue.describe_award_reason(winner.code, winner.facts)}")
    return make_prizes_json(desk.index, division, options.after, catalogue)


def make_prizes_json(
    index: TournamentIndex, division: Division, after: int | None, catalogue: Catalogue
) -> PrizesJson:
    rows = standing_tables.make_prize_table(index, division, after).rows
    players = index.tournament.players
    payouts = sum_payouts(row.award for row in rows)
    return PrizesJson(
        division.code,
        index.get_last_published_round_number(division.id, after),
        [
            make_document_from_rows(
                PrizeJson,
                row,
                row.prize,
                prize=row.number,
                winners=[_make_winner_json(winner, catalogue) for winner in row.award.winners],
                shared=make_document_from_rows(SharedPrizeRanksJson, row.award) if row.award.is_shared else None,
            )
            for row in rows
        ],
        [
            PlayerPayoutJson(players[player].number, players[player].name, amount)
            for player, amount in payouts.items()
            if amount
        ],
    )


def _make_winner_json(winner: PrizeWinner, catalogue: Catalogue) -> PrizeWinnerJson:
    reason, player = catalogue.describe_award_reason(winner.code, winner.facts), winner.player
    return make_document_from_rows(
        PrizeWinnerJson, winner, player, player=player.number, facts=dict(winner.facts), reason=reason
    )


def show_teams(program: Program, options: Namespace) -> TeamStandingsJson:
    with program.open_desk(options.file, read_only=True) as desk:
        division = find_chosen_division(desk.index, options)
        table = standing_tables.make_team_table(desk.index, division, options.after, best=options.best)
        matches = standing_tables.make_team_match_table(desk.index, division, options.after)
    if not options.json:
        text = program.catalogue.text
        if options.matches:
            print_table(matches, program.catalogue, text("There are no team matches."))
        else:
            print_table(table, program.catalogue, text("No player is in a team."))
    rows = [
        make_document_from_rows(TeamStandingsRowJson, row, players=row.size, counting=list(row.players))
        for row in table.rows
    ]
    team_matches = [make_document_from_rows(TeamMatchJson, row, tables=list(row.tables)) for row in matches.rows]
    return TeamStandingsJson(division.code, options.after, options.best, rows, team_matches)


def show_ratings(
    program: Program, options: Namespace
) -> DivisionRatingsJson | SeasonRatingsJson | list[RatingSystemJson]:
    """Show the ratings of a division, the rating list of a season, or the rating systems of the program."""
    systems = program.rating_systems
    if options.list:
        if not options.json:
            print("\n".join(f"{item.id:10} {item.name}: {item.source}" for item in systems.values()))
        return [make_document_from_rows(RatingSystemJson, item) for item in systems.values()]
    if options.file is None:
        raise CommandError("ratings-what")
    if options.season is not None:
        return show_season_ratings(program, options)
    with program.open_desk(options.file, read_only=True) as desk:
        division = find_chosen_division(desk.index, options)
        system = select_rating_system(systems, options.system or division.rating)
        table = standing_tables.make_rating_table(desk.index, division, system, options.after)
    if not options.json:
        print(f"{program.catalogue.text(system.name)}: {system.source}")
        if table.rows and all(row.rated_player.player.rating is None for row in table.rows):
            print(program.catalogue.text("No player has a rating yet: only games against rated players count."))
        print_table(table, program.catalogue, program.catalogue.text("No players yet."))
    rows = [
        make_document_from_rows(
            PlayerRatingJson, row, row.rated_player, row.rated_player.player, player=row.rated_player.player.number
        )
        for row in table.rows
    ]
    return DivisionRatingsJson(division.code, options.after, system.id, rows)


def show_simulated_schedules(program: Program, options: Namespace) -> SimulatedSchedulesJson:
    with program.open_desk(options.file, read_only=True) as desk:
        index, division = desk.index, desk.index.get_division(options.division)
    plan_settings = {name: getattr(options, name) for name in ("system", "rounds", "cut")}
    plans = [index.stages(division.id)]
    if any(value is not None for value in plan_settings.values()):
        plans.append(make_alternative_schedule(index, division.id, **plan_settings))
    system = select_rating_system(program.rating_systems, division.rating)
    simulations = simulate_schedules(
        index.tournament, division.id, system=system, plans=plans, times=options.times
    )
    if not options.json:
        print(format_simulated_schedules(program.catalogue, simulations))
        print_table(make_schedule_simulation_table(program.catalogue, simulations), program.catalogue)
    simulated_plans = [
        SimulatedScheduleJson(
            [make_document_from_rows(PlannedStageJson, stage) for stage in simulation.stages],
            {figure.key.replace("-", "_"): round(float(figure.value or 0), 6) for figure in simulation.figures},
        )
        for simulation in simulations
    ]
    return SimulatedSchedulesJson(division.code, simulations[0].times, simulated_plans)


def show_rank_chances(program: Program, options: Namespace) -> DivisionChancesJson:
    with program.open_desk(options.file, read_only=True) as desk:
        division = desk.index.get_division(options.division)
        forecast = compute_forecast(desk.index, division.id)
    if not options.json:
        facts = {"left": forecast.rounds_left, "places": forecast.places, "times": forecast.times}
        text = program.catalogue.text
        counts_text = (
            text("rounds left: {left}, qualifying places: {places}, simulations: {times}", **facts)
            if forecast.cut
            else text("rounds left: {left}, places with a prize: {places}, simulations: {times}", **facts)
        )
        parts = (
            f"{make_chances_title(program.catalogue, forecast)}, {counts_text}",
            explain_shared_ranks(program.catalogue, forecast),
        )
        print(*filter(None, parts), sep="; ")
        print_table(make_forecast_table(forecast), program.catalogue)
    return make_document_from_rows(
        DivisionChancesJson,
        forecast,
        division=division.code,
        prize_places=forecast.places,
        simulations=forecast.times,
        cut=forecast.cut or None,
        coming_round=[
            RequiredPairingsOfRuleJson(demand.code, demand.pairs, demand.groups, demand.bye_candidates)
            for demand in forecast.requirements
        ],
        rows=[
            make_document_from_rows(
                PlayerChancesJson,
                row,
                row.player,
                player=row.player.number,
                wins=row.points,
                state=row.status.value,
                prize=round(float(row.prize), 6),
                places=[round(float(share), 6) for share in row.shares],
            )
            for row in forecast.rows
        ],
    )


def set_or_show_awarded_points(program: Program, options: Namespace) -> list[AwardedResultJson]:
    """Set the result that a player gets for a bye or a win by forfeit. Without a player, show these results."""
    is_fixed = options.points is not None
    with program.open_desk(options.file, read_only=options.player is None) as desk:
        division = desk.index.get_division(options.division)
        if options.player is not None:
            if is_fixed == (options.by is not None):
                raise CommandError("award-which")
            method = (
                UnplayedRoundPointsSource.FIXED
                if is_fixed
                else None
                if options.by == "rules"
                else UnplayedRoundPointsSource(options.by)
            )
            player = find_player_by_number_or_name(desk.index, options.division, options.player).id
            item = find_chosen_round(desk.index, options).id
            points = options.points or 0
            desk.do(partial(commands.set_award, player=player, round=item, by=method, points=points))
        table = round_tables.make_bye_and_forfeit_points_table(desk.index, division)
    if not options.json:
        print_table(table, program.catalogue, program.catalogue.text("No player has had a bye or won by forfeit."))
    return [
        make_document_from_rows(AwardedResultJson, row, by=row.award.by, points=row.award.points)
        for row in table.rows
    ]


def import_records_and_show_news(program: Program, options: Namespace) -> list[NewRecordJson]:
    """Show news about records. `--list` first stores a list of earlier records, and `--without` deletes it."""
    change = options.list is not None or options.without
    with program.open_desk(options.file, read_only=not change) as desk:
        if change:
            records = (
                player_lists.read_achievement_records(read_file(options.list), options.list.name)
                if options.list
                else ()
            )
            desk.do(partial(commands.keep_records, records=records))
        division = find_chosen_division(desk.index, options)
        news = news_tables.list_division_news(desk.index, division, options.after)
    lines = list_news_lines(program.catalogue, desk.index, news)
    if not options.json:
        for line in lines:
            print(f"{line.title}: {line.name}, {line.details}")
        if not lines:
            print(program.catalogue.text("No news yet."))
    return [_make_new_record_json(item, line.title, line.details) for item, line in zip(news, lines, strict=True)]


def _make_new_record_json(news: news_tables.RecordNews, title: str, text: str) -> NewRecordJson:
    feat, old_record = news.achievement, news.before
    value, source = (old_record.value, old_record.source) if old_record else (None, "")
    rows, number = (news, feat, feat.entry, feat.player), feat.player.number
    return make_document_from_rows(
        NewRecordJson, *rows, player=number, what=title, how=text, before=value, source=source
    )
