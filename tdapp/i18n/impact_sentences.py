"""Result corrections, and sentences about the effects of corrections, sanctions and changed rules."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct

from tdapp.domain.errors import CommandError
from tdapp.domain.impact import (
    DivisionImpact,
    GameWinnerChange,
    QualifierChange,
    RankChange,
    StalePrintout,
    assess_impact,
    count_players_with_changed_score,
    find_changed_certified_result,
    has_changed_certified_seat,
    is_impact_preview_needed,
)
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, DivisionId, GameId, GameSide, Player, PlayerId, SeatId
from tdapp.domain.publishing import make_names_distinct, map_players_with_distinct_names
from tdapp.domain.ruleset import SanctionPointsSource
from tdapp.domain.tables.jury_log import (
    ResultChangedBySanction,
    list_new_absences,
    list_results_changed_by_sanction,
)
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import format_knockout_or_evening_round, format_round_and_table, format_round_in_divisions
from tdapp.i18n.season_sentences import BETWEEN_NAMES, MAX_RANKS, describe_season_rank_changes
from tdapp.i18n.sheet_sentences import format_totals_or_forfeit
from tdapp.pairing.recheck import DifferentlyPairedRound, compare_recomputed_pairings
from tdapp.scrabble.sheet import SanctionKind

MAX_LEADERS = 3
Players = Mapping[PlayerId, Player]


def describe_impact(
    impact: DivisionImpact,
    index: TournamentIndex,
    catalogue: Catalogue,
    *,
    first_players: Collection[PlayerId] = (),
) -> tuple[str, ...]:
    players, division = map_players_with_distinct_names(index), index.tournament.divisions[impact.division]
    first_parts = [describe_winner_change(change, index, catalogue) for change in impact.winners]
    first_parts += [_describe_qualifier_change(change, players, catalogue) for change in impact.qualifiers]
    if impact.has_new_leader:
        first_parts.append(_describe_leader_change(impact, players, catalogue))
    lines = [BETWEEN_NAMES.join(first_parts)] if first_parts else []
    if impact.ranks or not impact.seasons:
        lines.append(_describe_rank_changes(impact, index, catalogue, first_players))
    lines += [describe_season_rank_changes(move, catalogue) for move in impact.seasons]
    if printouts := list(_list_stale_printouts(impact, index)):
        papers = "; ".join(_format_stale_printout(paper, index, division, catalogue) for paper in printouts)
        lines.append(catalogue.text("Printouts that become out of date: {papers}", papers=papers))
    return tuple(lines)


def describe_changed_pairings(
    differences: Sequence[DifferentlyPairedRound], players: Players, catalogue: Catalogue
) -> str:
    """Describe changed tables in the first round of `differences`, then later changed rounds, then byes."""
    if not differences:
        return catalogue.text("Later rounds would have been paired the same")
    parts = [
        _describe_differently_paired_tables(differences[0], catalogue),
        _describe_changed_rounds_after_first(differences[1:], catalogue),
        *_describe_bye_changes(differences, players, catalogue),
    ]
    return BETWEEN_NAMES.join(filter(None, parts))


def describe_winner_change(change: GameWinnerChange, index: TournamentIndex, catalogue: Catalogue) -> str:
    players = map_players_with_distinct_names(index)
    table_name = format_round_and_table(catalogue, index, index.tournament.games[change.game])
    if change.after is None:
        before = players[change.before].name if change.before else ""
        return catalogue.text("{place}: {before} no longer wins", place=table_name, before=before)
    after = players[change.after].name
    if change.before is None:
        return catalogue.text("{place}: {after} wins", place=table_name, after=after)
    before = players[change.before].name
    return catalogue.text("{place}: {after} wins, not {before}", place=table_name, after=after, before=before)


def _describe_qualifier_change(change: QualifierChange, players: Players, catalogue: Catalogue) -> str:
    old_names, new_names = (
        BETWEEN_NAMES.join(players[player].name for player in player_ids)
        for player_ids in (change.removed_players, change.added_players)
    )
    facts = {"out": old_names or "–", "instead": new_names or "–", "places": change.places}
    if change.has_begun:
        return catalogue.text("{instead} would have been in the top {places} instead of {out}", **facts)
    return catalogue.text("{instead} is now in the top {places} instead of {out}", **facts)


def _describe_leader_change(impact: DivisionImpact, players: Players, catalogue: Catalogue) -> str:
    def join_player_names(player_ids: Sequence[PlayerId]) -> str:
        names = BETWEEN_NAMES.join(players[player].name for player in player_ids[:MAX_LEADERS])
        extra_count = len(player_ids) - MAX_LEADERS
        return names if extra_count <= 0 else names + " " + catalogue.text("and {n} more", n=extra_count)

    return catalogue.text(
        "First place: {now} instead of {before}",
        now=join_player_names(impact.new_leaders),
        before=join_player_names(impact.old_leaders),
    )


def _describe_rank_changes(
    impact: DivisionImpact, index: TournamentIndex, catalogue: Catalogue, first_players: Collection[PlayerId]
) -> str:
    players = map_players_with_distinct_names(index)
    if not impact.ranks:
        return catalogue.text("No rank changes")
    changes = sorted(impact.ranks, key=lambda change: change.player not in first_players)
    names = BETWEEN_NAMES.join(_describe_rank_change(change, players, catalogue) for change in changes[:MAX_RANKS])
    extra_count = len(changes) - MAX_RANKS
    if extra_count > 0:
        names += BETWEEN_NAMES + catalogue.text("and {n} more", n=extra_count)
    stage = index.find_stage(impact.division, impact.last_round)
    if name := format_knockout_or_evening_round(catalogue, index, stage, impact.last_round):
        return catalogue.text("New ranks, {round}: {players}", round=name, players=names)
    if impact.is_running:
        return catalogue.text("New ranks during round {round}: {players}", round=impact.last_round, players=names)
    return catalogue.text("New ranks after round {round}: {players}", round=impact.last_round, players=names)


def _describe_rank_change(change: RankChange, players: Players, catalogue: Catalogue) -> str:
    name = players[change.player].name
    if change.after is None:
        return catalogue.text("{player}: no longer listed", player=name)
    if change.before is None:
        return catalogue.text("{player}: {rank}", player=name, rank=change.after)
    return catalogue.text(
        "{player}: {now} instead of {before}", player=name, now=change.after, before=change.before
    )


def _list_stale_printouts(impact: DivisionImpact, index: TournamentIndex) -> Iterator[StalePrintout]:
    """Yield the printed reports that become out of date, with the printed rounds only."""
    for paper in impact.stale_printouts:
        printed_rounds = {
            printout.round
            for printout in index.tournament.printouts.values()
            if printout.report == paper.report
            and printout.division in {None, impact.division}
            and (printout.results or paper.report == "standings")
        }
        if rounds := tuple(number for number in paper.rounds if number in printed_rounds):
            yield StalePrintout(paper.report, rounds)


def _format_stale_printout(
    paper: StalePrintout, index: TournamentIndex, division: Division, catalogue: Catalogue
) -> str:
    is_standings = paper.report == "standings"
    title = catalogue.translate_code("report.standings") if is_standings else catalogue.text("Results by table")
    if any(
        format_knockout_or_evening_round(catalogue, index, index.find_stage(division.id, number), number)
        for number in paper.rounds
    ):
        rounds = " · ".join(
            format_round_in_divisions(catalogue, index, (division,), number) for number in paper.rounds
        )
    else:
        numbers = catalogue.format_numbers(paper.rounds)
        rounds = catalogue.plural("round {rounds}", "rounds {rounds}", len(paper.rounds), rounds=numbers)
    return f"{title}, {rounds}"


def _describe_differently_paired_tables(difference: DifferentlyPairedRound, catalogue: Catalogue) -> str:
    if not difference.tables:
        return ""
    plural, n, number = catalogue.plural, difference.tables, difference.round
    if difference.draft:
        return plural("{n} table in the draft of round {round} would be paired differently: pair the round again",
                      "{n} tables in the draft of round {round} would be paired differently: pair the round again",
                      n, round=number)  # fmt: skip
    return plural("{n} table in round {round} would have been paired differently",
                  "{n} tables in round {round} would have been paired differently", n, round=number)  # fmt: skip


def _describe_changed_rounds_after_first(
    differences: Sequence[DifferentlyPairedRound], catalogue: Catalogue
) -> str:
    numbers = [difference.round for difference in differences if difference.tables]
    if not numbers:
        return ""
    return catalogue.plural(
        "also round {rounds}",
        "also rounds {rounds}",
        len(numbers),
        rounds=catalogue.format_numbers(numbers),
    )


def _describe_bye_changes(
    differences: Sequence[DifferentlyPairedRound], players: Players, catalogue: Catalogue
) -> list[str]:
    return [
        catalogue.text(
            "the bye in round {round} would have gone to {instead}, not {had}",
            round=difference.round,
            instead=players[difference.bye_after].name,
            had=players[difference.bye_before].name,
        )
        for difference in differences
        if difference.bye_before and difference.bye_after and difference.bye_before != difference.bye_after
    ]


def list_sanction_effects(
    before: Tournament,
    after: Tournament,
    player: Player,
    kind: SanctionKind,
    round_number: int | None,
    points: int,
    catalogue: Catalogue,
) -> Iterator[str]:
    player = make_names_distinct(before).players[player.id]
    points_source = before.get_ruleset_of_row(player).sanctions.find_sanction_points_source(kind)
    game_changes = describe_game_changes(before, after, catalogue)
    yield from game_changes
    yield from _describe_deduction(player, kind, points, points_source, catalogue)
    for item in list_new_absences(before, after):
        kind_text = (
            catalogue.translate_code(item.kind)
            if item.kind
            else catalogue.text(C_("what a missed round counts as", "nothing"))
        )
        yield catalogue.text(
            "From round {round} on, missed rounds count as: {kind}.", round=item.first_round, kind=kind_text
        )
    if not game_changes and (kind is SanctionKind.GAME or points_source is SanctionPointsSource.GAME):
        yield _explain_unchanged_result(TournamentIndex(before), player, round_number, catalogue)
    impact = assess_impact(TournamentIndex(before), after, player.division)
    if impact.stale_printouts:
        yield from describe_impact(impact, TournamentIndex(after), catalogue, first_players={player.id})
    if kind in {SanctionKind.WARNING, SanctionKind.TIME, SanctionKind.TURN}:
        yield catalogue.text("The incident is only noted. No results change.")


def _explain_unchanged_result(
    index: TournamentIndex, player: Player, number: int | None, catalogue: Catalogue
) -> str:
    rounds = index.list_published_rounds(player.division)
    item = next((item for item in rounds if item.number == (number or len(rounds))), None)
    games = index.games(item.id) if item else ()
    game = next((game for game in games if player.id in {game.first, game.second}), None)
    result = index.get_result(game.id) if game else None
    if result is None:
        return catalogue.text("The sanction changes the result as soon as the result is entered.")
    if result.forfeit is not None:
        return catalogue.text("The game was lost by forfeit: its result stays.")
    return catalogue.text("The result stays as it is.")


def _describe_deduction(
    player: Player,
    kind: SanctionKind,
    points: int,
    points_source: SanctionPointsSource | None,
    catalogue: Catalogue,
) -> Iterator[str]:
    if kind is SanctionKind.MARGIN:
        yield catalogue.text("{player}’s spread is lowered by {points}.", player=player.name, points=points)
    elif kind is SanctionKind.TEAM:
        yield catalogue.text("The team of {player} loses team points: {points}.", player=player.name,
                         points=points)  # fmt: skip
    elif points_source is SanctionPointsSource.TOURNAMENT:
        yield catalogue.text("{player}’s points and spread are lowered by {points}.", player=player.name,
                         points=points)  # fmt: skip


def describe_game_changes(before: Tournament, after: Tournament, catalogue: Catalogue) -> list[str]:
    return [
        _describe_game_change(change, after, catalogue)
        for change in list_results_changed_by_sanction(before, after)
    ]


def _describe_game_change(change: ResultChangedBySanction, after: Tournament, catalogue: Catalogue) -> str:
    game, players = after.games[change.game], make_names_distinct(after).players
    first, second = (players[player].name for player in (game.first, game.second))
    table_text = catalogue.text("Round {round}, table {table}:", round=change.round, table=change.table)
    old_text = (
        catalogue.text(C_("result before the change", "not played"))
        if change.before is None
        else format_totals_or_forfeit(catalogue, change.before)
    )
    new_text = format_totals_or_forfeit(catalogue, change.after)
    change_text = (
        f"{table_text} {first} – {second} {new_text if old_text == new_text else f'{old_text} → {new_text}'}"
    )
    losing_side = change.after.lost
    if losing_side is None or (change.before is not None and change.before.lost == losing_side):
        return change_text
    if losing_side is GameSide.BOTH:
        return change_text + "; " + catalogue.text("both players have lost")
    loser = first if losing_side is GameSide.FIRST else second
    return change_text + "; " + catalogue.text("{player} has lost", player=loser)


def find_divisions_with_changed_rules(before: Tournament, after: Tournament) -> Iterator[Division]:
    """Yield the divisions with published rounds whose rules in `before` and `after` differ."""
    index = TournamentIndex(before)
    for division in index.divisions:
        if index.list_published_rounds(division.id) and before.get_ruleset_of_row(
            division
        ) != after.get_ruleset_of_row(after.divisions[division.id]):
            yield division


def describe_rule_change_effects(before: Tournament, after: Tournament, catalogue: Catalogue) -> str:
    lines = []
    for division in find_divisions_with_changed_rules(before, after):
        n = count_players_with_changed_score(before, after, division.id)
        lines += [
            catalogue.text("Division {division}", division=division.code),
            catalogue.plural(
                "{n} player has different match points or a different spread",
                "{n} players have different match points or a different spread",
                n,
            ),
            *describe_impact(
                assess_impact(TournamentIndex(before), after, division.id), TournamentIndex(before), catalogue
            ),
            describe_changed_pairings(
                compare_recomputed_pairings(before, after, division.id),
                make_names_distinct(before).players,
                catalogue,
            ),
        ]
    return "\n".join(filter(None, lines))


class ResultCorrection(Struct, frozen=True):
    """A planned correction of a result."""

    command: partial[Tournament]
    description: str
    division: DivisionId
    players: tuple[PlayerId, ...]
    round: int  # number of the corrected round
    confirm_text: str = ""  # text of the button that confirms, "" for the usual text
    has_reason: bool = False  # whether `command` already contains a reason

    def apply_correction(self, tournament: Tournament) -> Tournament:
        return self.make_command("…")(tournament)

    def make_command(self, reason: str) -> partial[Tournament]:
        return partial(self.command, reason=reason) if reason and not self.has_reason else self.command


def make_game_correction(
    index: TournamentIndex,
    key: GameId,
    command: partial[Tournament],
    description: str,
    *,
    confirm_text: str = "",
    has_reason: bool = False,
) -> ResultCorrection:
    game = index.tournament.games[key]
    division, number = index.get_division_of_round(game.round).id, index.tournament.rounds[game.round].number
    players = (game.first, game.second)
    return ResultCorrection(
        command, description, division, players, number, confirm_text=confirm_text, has_reason=has_reason
    )


def plan_group_table_correction(
    index: TournamentIndex, key: SeatId, command: partial[Tournament], description: str, *, confirm_text: str = ""
) -> ResultCorrection:
    """Return a correction of the results at a group table.

    `key` is the id of the first seat at the table.
    """
    seat = index.tournament.seats[key]
    division, number = index.get_division_of_round(seat.round).id, index.tournament.rounds[seat.round].number
    players = tuple(table_seat.player for table_seat in index.seats(seat.round) if table_seat.table == seat.table)
    return ResultCorrection(command, description, division, players, number, confirm_text=confirm_text)


def needs_effect_preview(correction: ResultCorrection, tournament: Tournament) -> bool:
    after = correction.apply_correction(tournament)
    return (
        is_impact_preview_needed(tournament, after) or find_changed_certified_result(tournament, after) is not None
    )


class CorrectionEffects(Struct, frozen=True):
    """Effects of a planned correction."""

    changes: tuple[str, ...]
    later_rounds_text: str = ""
    needs_reason: bool = False  # for a certified result
    # tournaments before and after the correction, if `describe_effects_on_later_rounds` must compare them
    compared_tournaments: tuple[Tournament, Tournament] | None = None


def assess_correction_effects(
    correction: ResultCorrection, index: TournamentIndex, catalogue: Catalogue
) -> CorrectionEffects:
    before, division = index.tournament, correction.division
    try:
        after = correction.apply_correction(before)
    except CommandError as error:
        return CorrectionEffects((catalogue.describe_error(error),))
    certified = find_changed_certified_result(before, after) is not None or has_changed_certified_seat(
        before, after
    )
    needs_reason = not correction.has_reason and certified
    impact = assess_impact(index, after, division)
    changes = describe_impact(impact, index, catalogue, first_players=correction.players)
    rounds = [item.number for item in index.rounds(division) if item.number > correction.round]
    if not rounds:
        return CorrectionEffects(changes, "", needs_reason)
    if before.results.keys() <= after.results.keys():
        return CorrectionEffects(changes, catalogue.text("Checking later rounds…"), needs_reason, (before, after))
    numbers = catalogue.format_numbers(rounds)
    later_text = catalogue.plural(
        "The pairings for round {rounds} depend on this result",
        "The pairings for rounds {rounds} depend on this result", len(rounds),
        rounds=numbers,
    )  # fmt: skip
    return CorrectionEffects(changes, later_text, needs_reason)


def describe_effects_on_later_rounds(
    correction: ResultCorrection, effects: CorrectionEffects, catalogue: Catalogue
) -> str:
    """Describe the effects on later rounds.

    This can take seconds if the function must compute pairings with and without the correction.
    """
    if effects.compared_tournaments is None:
        return effects.later_rounds_text
    before, after = effects.compared_tournaments
    return describe_changed_pairings(
        compare_recomputed_pairings(before, after, correction.division),
        make_names_distinct(before).players,
        catalogue,
    )
