"""Reports about results, such as standings, ratings and prizes."""

from __future__ import annotations

from tdapp.domain.errors import CommandError
from tdapp.domain.model import Division
from tdapp.domain.prizes import AwardedPrize
from tdapp.domain.ratings import select_rating_system
from tdapp.domain.tables import standings, statistics
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.teams import has_team_matches, has_teams
from tdapp.domain.translatable import N_
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.lists import (
    TextColumn,
    make_averages_text_table,
    make_best_games_text_table,
    make_standings_text_table,
    make_team_matches_text_table,
    make_teams_text_table,
    make_text_columns,
)
from tdapp.i18n.phrases import (
    add_round_name_to_title,
    capitalize_first,
    describe_checked_games,
    explain_shared_ranks,
    explain_that_knockout_decides_prizes,
    format_game_statistic,
    format_prize_name,
    make_chances_title,
)
from tdapp.pairing.forecast import compute_forecast, make_forecast_table
from tdapp.reports.report import (
    Report,
    ReportContext,
    ReportGroup,
    add_status_to_player_names,
    make_list_section,
    make_notice_board_report,
    make_section,
    mark_bold_columns,
    select_columns,
    wrap_column_texts,
)
from tdapp.reports.sections import Section

_FIRST_COLUMNS = ("class_rank", "rank", "number", "name", "stage_group", "games", "wins", "losses")


def _make_standings_section(context: ReportContext, division: Division) -> Section:
    after = context.find_standings_round(division)
    text_table = make_standings_text_table(
        context.catalogue, context.index, division, after, category=context.category
    )
    column_ids = [column.id for column in text_table.columns]
    other_ids = [name for name in column_ids if name not in {*_FIRST_COLUMNS, "rating", "starts", "status"}]
    columns = add_status_to_player_names(context, text_table).get_columns_by_ids((*_FIRST_COLUMNS, *other_ids))
    bold_columns = mark_bold_columns(columns, ("class_rank", "rank", "name", "wins"))
    return make_list_section(
        context,
        division,
        text_table,
        bold_columns,
        describe_checked_games(context.catalogue, context.index, division, after),
    )


STANDINGS = make_notice_board_report(
    "standings",
    _make_standings_section,
    N_("For the wall: the ranking with all its tie-breaks."),
)


def _make_team_section(context: ReportContext, division: Division) -> Section:
    catalogue, after = context.catalogue, context.find_standings_round(division)
    text_table = make_teams_text_table(catalogue, context.index, division, after, best=context.counting_members)
    columns = [column for column in text_table.columns if column.id != "points"]
    best = catalogue.plural(
        "the best player of each team counts",
        "the best {n} players of each team count",
        context.counting_members or 0,
    )
    bold_columns = mark_bold_columns(columns, ("rank", "team", "wins", "team_points"))
    counting = [column.heading for column in columns if column.id == "counting"]
    note = best if context.counting_members else ""
    return make_list_section(
        context, division, text_table, wrap_column_texts(bold_columns, counting), note, has_continuation_rows=True
    )


TEAMS = make_notice_board_report(
    "teams",
    _make_team_section,
    N_("The ranking of the teams."),
    is_applicable=has_teams,
)


def _make_team_match_section(context: ReportContext, division: Division) -> Section:
    after = context.find_standings_round(division)
    text_table = make_team_matches_text_table(context.catalogue, context.index, division, after)
    columns = mark_bold_columns(text_table.columns, ("round", "team_points"))
    return make_list_section(context, division, text_table, columns, has_continuation_rows=True)


MATCHES = make_notice_board_report(
    "team-matches",
    _make_team_match_section,
    N_("Every team match, with its boards, team points and board points."),
    is_applicable=has_team_matches,
)


def _make_rating_section(context: ReportContext, division: Division) -> Section:
    catalogue, after = context.catalogue, context.find_standings_round(division)
    system = select_rating_system(context.rating_systems, division.rating)
    table = standings.make_rating_table(context.index, division, system, after)
    column_ids = ("rank", "name", "rating", "games", "wins", "expected", "performance", "new_rating", "change")
    title = add_round_name_to_title(catalogue, context.index, division, after, catalogue.text("Ratings"))
    empty = catalogue.text("No players yet.")
    columns = select_columns(context, table, column_ids, bold=("name", "new_rating"))
    return make_section(context, division, title, columns, empty, note=catalogue.text(system.name))


RATINGS = Report(
    "ratings",
    _make_rating_section,
    ReportGroup.AFTER,
    N_("Every player’s old rating, new rating and change."),
)


def describe_shared_prize(catalogue: Catalogue, award: AwardedPrize) -> str:
    if not award.is_shared or not award.pool:
        return ""
    facts = {"count": len(award.winners), "first": award.first, "last": award.last}
    return catalogue.describe_award_reason("shared", {**facts, "pool": catalogue.format_money(award.pool)})


def _make_prize_section(context: ReportContext, division: Division) -> Section:
    catalogue, after = context.catalogue, context.find_standings_round(division)
    table = standings.make_prize_table(context.index, division, after)
    lines = [line for row in table.rows for line in _list_winner_lines(catalogue, row.award)]
    headings = [catalogue.heading(name) for name in ("prize", "amount", "winners", "each", "why")]
    kinds = (ColumnKind.TEXT, ColumnKind.NUMBER, ColumnKind.NAME, ColumnKind.NUMBER, ColumnKind.TEXT)
    columns = list(zip(headings, kinds, strict=True))
    wrapped_columns = wrap_column_texts(make_text_columns(lines, columns), [headings[0], headings[-1]])
    title = add_round_name_to_title(catalogue, context.index, division, after, catalogue.text("Prizes"))
    empty = catalogue.text("There are no prizes.")
    note = explain_that_knockout_decides_prizes(catalogue, context.index, division, after)
    return make_section(context, division, title, wrapped_columns, empty, has_continuation_rows=True, note=note)


def _list_winner_lines(catalogue: Catalogue, award: AwardedPrize) -> list[tuple[str, str, str, str, str]]:
    amount = " + ".join(
        filter(None, (catalogue.format_cell(ColumnKind.MONEY, award.prize.amount), award.prize.text))
    )
    name = format_prize_name(catalogue, award.prize)
    if not award.winners:
        return [
            (name, amount, catalogue.describe_award_reason("vacant" if award.vacant else "nobody", {}), "", "")
        ]
    reasons = [catalogue.describe_award_reason(winner.code, winner.facts) for winner in award.winners]
    reasons[0] = "; ".join(filter(None, (reasons[0], describe_shared_prize(catalogue, award))))
    shares = [catalogue.format_cell(ColumnKind.MONEY, winner.share) for winner in award.winners]
    names = [winner.player.name for winner in award.winners]
    first_line, *other_lines = zip(names, shares, reasons, strict=True)
    return [(name, amount, *first_line), *(("", "", *line) for line in other_lines)]


PRIZES = make_notice_board_report(
    "prizes",
    _make_prize_section,
    N_("The prizes and their winners."),
)


def _make_statistics_section(context: ReportContext, division: Division) -> Section:
    catalogue, index, after = context.catalogue, context.index, context.find_standings_round(division)
    text_table = make_best_games_text_table(catalogue, index, division, after)
    statistic_lines = [  # none before the first game
        (
            capitalize_first(catalogue.translate_code(statistic.key)),
            "",
            format_game_statistic(catalogue, statistic),
        )
        for statistic in statistics.list_game_statistics(index, division, after)
        if statistic.value
    ]
    lines = [*text_table.list_rows("what", "player", "how"), *statistic_lines]
    headings = [(column.heading, column.kind) for column in text_table.columns]
    columns = wrap_column_texts(make_text_columns(lines, headings), [headings[-1][0]])
    return make_section(
        context, division, catalogue.text("Statistics"), columns, text_table.empty, has_continuation_rows=True
    )


STATISTICS = make_notice_board_report(
    "statistics",
    _make_statistics_section,
    N_("High games and averages, for reports on the tournament."),
)


def _make_player_averages_section(context: ReportContext, division: Division) -> Section:
    text_table = make_averages_text_table(
        context.catalogue, context.index, division, context.find_standings_round(division)
    )
    return make_list_section(
        context, division, text_table, mark_bold_columns(text_table.columns, ("rank", "name"))
    )


AVERAGES = Report(
    "averages",
    _make_player_averages_section,
    ReportGroup.AFTER,
    N_("Every player’s average score for and against."),
)


def _make_rank_chances_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    try:
        forecast = compute_forecast(context.index, division.id)
    except CommandError as error:
        empty_columns = [TextColumn(catalogue.heading("name"), ColumnKind.TEXT, ())]
        return make_section(
            context, division, catalogue.text("Chances"), empty_columns, catalogue.describe_error(error)
        )
    table = make_forecast_table(forecast)
    column_ids = [column.id for column in table.columns]
    title = make_chances_title(catalogue, forecast)
    simulations = catalogue.plural("{n} simulation", "{n} simulations", forecast.times)
    cut_note = catalogue.text("the top {n} players", n=forecast.cut) if forecast.cut else ""
    note = " · ".join(filter(None, (simulations, cut_note, explain_shared_ranks(catalogue, forecast))))
    columns = select_columns(context, table, column_ids, bold=("place", "name"))
    return make_section(context, division, title, columns, "", note=note)


def _make_start_and_bye_section(context: ReportContext, division: Division) -> Section:
    catalogue, after = context.catalogue, context.find_standings_round(division)
    table = statistics.make_starts_and_byes_table(context.index, division, after)
    column_ids = [column.id for column in table.columns if column.id != "rank"]
    title = add_round_name_to_title(
        catalogue, context.index, division, after, catalogue.text("Starts, repeats and byes")
    )
    columns = select_columns(context, table, column_ids, bold=("name",))
    return make_section(context, division, title, columns, catalogue.text("No players yet."))


CHANCES = Report(
    "chances",
    _make_rank_chances_section,
    ReportGroup.JURY,
    N_("The chance of each place for each player, from simulations of the remaining rounds."),
    is_landscape=True,
)
BALANCE = Report(
    "balance",
    _make_start_and_bye_section,
    ReportGroup.JURY,
    N_("Every player’s starts, repeats and byes."),
)
