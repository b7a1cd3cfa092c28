"""Compute the result of a game from slips, score sheets and rulings.

A slip reports only the result. Forms 1 and 2 are the two score sheets of a game. The decisive form is the finished
form with the lower number. The latest of these events decides the result:

- A slip arrives.
- A form becomes decisive.
- The decisive form gets new turns or a new ruling.

The final points are the points of the turns, changed by rulings not stored on a sheet, verdicts on challenges
(entered on the judge screen), sanctions and overtime penalties, in this order.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import score_breakdown
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import find_player_who_lost_on_time, judge_sheet
from tdapp.domain.jury_rows import Sanction, SanctionId, ScoreSheet
from tdapp.domain.model import (
    Division,
    DivisionId,
    Game,
    GameId,
    GameSide,
    PlayerId,
    Result,
    ResultState,
    Round,
    StartDecision,
)
from tdapp.domain.ruleset import RuleSet, SanctionPointsSource
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.domain.tournament import Tournament
from tdapp.domain.verdicts import GameVerdictCosts, copy_old_verdict_decisions, sum_applied_verdicts
from tdapp.scrabble.sheet import GameEnding, swap_players
from tdapp.scrabble.tiles import TileSet

_PLAYERS = (GameSide.FIRST, GameSide.SECOND)


def compute_result(
    rules: RuleSet,
    result: Result,
    sanctions: Sequence[Sequence[Sanction]],
    word_costs: tuple[int, int],
    verdicts: GameVerdictCosts,
) -> Result:
    """Return `result` with final points, score breakdowns and players who lose regardless of points.

    `sanctions` has a list for each player. `word_costs` are the points that each player loses by jury rulings not
    stored on a score sheet. `verdicts` are the costs of challenges on the judge screen, if the director applied
    them.
    """
    if result.forfeit is not None:
        return result
    old_breakdowns = result.accounts or (
        ScoreBreakdown(turns=result.first or 0),
        ScoreBreakdown(turns=result.second or 0),
    )
    find_source = rules.sanctions.find_sanction_points_source
    costs = [
        sum(
            sanction.points
            for sanction in player_sanctions
            if find_source(sanction.kind) is SanctionPointsSource.GAME
        )
        for player_sanctions in sanctions
    ]
    breakdowns = [
        replace(part, sanctions=-cost, overtime=0, phonies=part.phonies + old_cost - new_cost)
        for part, cost, old_cost, new_cost in zip(
            old_breakdowns, costs, result.words or (0, 0), word_costs, strict=True
        )
    ]
    breakdowns = [
        replace(part, challenges=part.challenges + new_points - old_points)
        for part, old_points, new_points in zip(
            breakdowns, result.verdicts or (0, 0), verdicts.points, strict=True
        )
    ]
    overtime = score_breakdown.compute_overtime_penalties(
        rules.overtime, [part.total for part in breakdowns], result.overtime or (0, 0)
    )
    accounts = (
        replace(breakdowns[0], overtime=overtime.points[0]),
        replace(breakdowns[1], overtime=overtime.points[1]),
    )
    losers = {_PLAYERS[index] for index in overtime.losers} | verdicts.losers
    losers |= {
        player
        for player, player_sanctions in zip(_PLAYERS, sanctions, strict=True)
        if any(sanction.kind.is_loss_of_game for sanction in player_sanctions)
    }
    if result.flag is not None:
        losers.add(result.flag)
    has_only_turns = all(part == ScoreBreakdown(turns=part.turns) for part in accounts)
    return replace(
        result,
        first=accounts[0].total,
        second=accounts[1].total,
        lost=None if not losers else GameSide.BOTH if len(losers) > 1 else losers.pop(),
        words=word_costs if any(word_costs) else None,
        verdicts=verdicts.points if any(verdicts.points) else None,
        accounts=None if has_only_turns else accounts,
    )


def compute_points_before_rulings(result: Result) -> tuple[int, int] | None:
    """Return the points before rulings, sanctions and overtime penalties; None for a forfeit."""
    if result.forfeit is not None or result.first is None or result.second is None:
        return None
    if result.accounts is None:
        return result.first, result.second
    first, second = (
        part.total - part.sanctions - part.overtime + cost - gain
        for part, cost, gain in zip(
            result.accounts, result.words or (0, 0), result.verdicts or (0, 0), strict=True
        )
    )
    return first, second


def store_recomputed_result(tournament: Tournament, result: Result) -> Tournament:
    old = tournament.results.get(result.id)
    if old is not None and result.forfeit is old.forfeit:
        result = replace(result, award=old.award, break_up=old.break_up)
    slips = [slip for slip in tournament.slips.values() if slip.game == result.id]
    after = tournament.drop(*slips) if slips else tournament
    return after.put(recompute_result(tournament, result))


def recompute_result(tournament: Tournament, result: Result) -> Result:
    game = tournament.games[result.id]
    number = tournament.rounds[game.round].number
    sanctions = [sanction for sanction in tournament.sanctions.values() if sanction.round == number]
    sanctions_by_player = [
        [sanction for sanction in sanctions if sanction.player == player] for player in (game.first, game.second)
    ]
    costs = compute_word_ruling_costs(tournament, game)
    return compute_result(
        tournament.get_ruleset_of_row(game),
        result,
        sanctions_by_player,
        costs,
        sum_applied_verdicts(tournament, result),
    )


def compute_word_ruling_costs(tournament: Tournament, game: Game) -> tuple[int, int]:
    """Return the points that each player loses by rulings on words, except rulings stored on a score sheet."""
    rulings = [ruling for ruling in tournament.word_rulings.values() if ruling.game == game.id]
    first, second = (
        sum(ruling.cost for ruling in rulings if ruling.player == player) for player in (game.first, game.second)
    )
    return first, second


def swap_players_after_tile_draw(tournament: Tournament, game: GameId) -> Tournament:
    row, result = tournament.games[game], tournament.results.get(game)
    sheets = [score_sheet for score_sheet in tournament.sheets.values() if score_sheet.game == game]
    return tournament.put(
        replace(row, first=row.second, second=row.first, start=StartDecision.DRAWN),
        *(
            replace(
                score_sheet, sheet=swap_players(score_sheet.sheet), accounts=_swap_breakdowns(score_sheet.accounts)
            )
            for score_sheet in sheets
        ),
        *(() if result is None else (_swap_players_of_result(result),)),
    )


def _swap_players_of_result(result: Result) -> Result:
    return replace(
        result,
        first=result.second,
        second=result.first,
        forfeit=result.forfeit and result.forfeit.swapped,
        advances=result.advances and result.advances.swapped,
        flag=result.flag and result.flag.swapped,
        lost=result.lost and result.lost.swapped,
        overtime=(result.overtime[1], result.overtime[0]) if result.overtime else None,
        words=(result.words[1], result.words[0]) if result.words else None,
        verdicts=(result.verdicts[1], result.verdicts[0]) if result.verdicts else None,
        disputed=(result.disputed[1], result.disputed[0]) if result.disputed else None,
        break_up=(result.break_up[1], result.break_up[0]) if result.break_up else None,
        accounts=_swap_breakdowns(result.accounts),
    )


def _swap_breakdowns(
    accounts: tuple[ScoreBreakdown, ScoreBreakdown] | None,
) -> tuple[ScoreBreakdown, ScoreBreakdown] | None:
    return (accounts[1], accounts[0]) if accounts else None


def list_stored_sheet_sanctions(tournament: Tournament, game: GameId) -> list[Sanction]:
    return [sanction for key, sanction in tournament.sanctions.items() if key.startswith(f"{game}.x")]


def get_start_decision_after_tile_draw(game: Game) -> StartDecision:
    """Return `StartDecision.DRAWN` if drawn tiles decide who starts, otherwise `game.start`."""
    return StartDecision.DRAWN if game.start is StartDecision.DRAW else game.start


def find_game_of_player(index: TournamentIndex, player: PlayerId, round_number: int) -> Game | None:
    division = index.tournament.players[player].division
    for item in index.list_published_rounds(division):
        if item.number == round_number:
            return index.find_player_game(item.id, player)
    return None


def find_decisive_sheet(forms: Sequence[ScoreSheet]) -> ScoreSheet | None:
    """Return the finished score sheet with the lower form number (1 or 2), None if no sheet is finished."""
    finished = (form for form in forms if form.sheet.ended not in {None, GameEnding.OPEN})
    return min(finished, key=lambda form: form.form, default=None)


def add_score_breakdowns(score_sheet: ScoreSheet, rules: RuleSet, tileset: TileSet) -> ScoreSheet:
    if score_sheet.sheet.ended in {None, GameEnding.OPEN, GameEnding.FORFEIT}:
        return replace(score_sheet, accounts=None)
    first, second = judge_sheet(replace(score_sheet.sheet, sanctions=()), rules, tileset).breakdown
    return replace(score_sheet, accounts=(first, second))


def compute_sheet_result(index: TournamentIndex, game: GameId) -> Result | None:
    form, old_result = find_decisive_sheet(index.sheets(game)), index.get_result(game)
    if form is None:
        return None
    state = old_result.state if old_result else ResultState.ENTERED
    new_result = _make_result_from_score_sheet(index.tournament.get_ruleset_of_row(form), form, state)
    if new_result is None:
        return None
    return recompute_result(index.tournament, copy_old_verdict_decisions(index.tournament, new_result, old_result))


def find_sheet_result_if_different(index: TournamentIndex, game: GameId) -> Result | None:
    """Return the result of the finished score sheet if the stored result differs from it, otherwise None."""
    sheet_result, result = compute_sheet_result(index, game), index.get_result(game)
    if (
        sheet_result is None
        or result is None
        or list_result_values_to_compare(sheet_result) == list_result_values_to_compare(result)
    ):
        return None
    return sheet_result


def is_result_equal_to_sheet(index: TournamentIndex, game: GameId) -> bool:
    return compute_sheet_result(index, game) is not None and find_sheet_result_if_different(index, game) is None


def list_result_values_to_compare(result: Result) -> tuple[object, ...]:
    return (result.first, result.second, result.forfeit, result.lost)


def update_result_after_sheet_change(
    before: Tournament, after: Tournament, game: GameId, *, state: ResultState, changed_form: int | None = None
) -> Tournament:
    """Update the result of a game after its score sheets changed.

    A new result gets the state `state`. `changed_form` is the number (1 or 2) of the score sheet with new turns or
    a new ruling, None if a sheet was removed.
    """
    forms, old_forms = TournamentIndex(after).sheets(game), TournamentIndex(before).sheets(game)
    form = find_decisive_or_first_sheet(forms)
    if form == find_decisive_or_first_sheet(old_forms) and (form is None or form.form != changed_form):
        return after
    after = after.drop(*list_stored_sheet_sanctions(after, game)).put(
        *(_make_sanctions_from_form(after, form) if form else ())
    )
    if form is not None and form == find_decisive_sheet(forms):
        new_result = _make_result_from_score_sheet(after.get_ruleset_of_row(form), form, state)
        if new_result is None:
            return after
        return store_recomputed_result(
            after, copy_old_verdict_decisions(after, new_result, before.results.get(game))
        )
    return (
        _reset_game_to_unplayed(after, game) if is_result_equal_to_sheet(TournamentIndex(before), game) else after
    )


def find_decisive_or_first_sheet(forms: Sequence[ScoreSheet]) -> ScoreSheet | None:
    return find_decisive_sheet(forms) or min(forms, key=lambda form: form.form, default=None)


def _reset_game_to_unplayed(tournament: Tournament, game: GameId) -> Tournament:
    result, row = tournament.results.get(game), tournament.games[game]
    if result is not None:
        tournament = tournament.drop(result)
    if row.start is StartDecision.DRAWN and not TournamentIndex(tournament).sheets(game):
        tournament = tournament.put(replace(row, start=StartDecision.DRAW))
    return tournament


def _make_result_from_score_sheet(rules: RuleSet, form: ScoreSheet, state: ResultState) -> Result | None:
    sheet, seconds = form.sheet, form.sheet.overtime_seconds
    if sheet.forfeit is not None:
        return Result(form.game, state, forfeit=GameSide(str(sheet.forfeit)))
    if form.accounts is None:
        return None
    flagged_player = find_player_who_lost_on_time(sheet, rules)
    return Result(
        form.game,
        state,
        form.accounts[0].total,
        form.accounts[1].total,
        flag=None if flagged_player is None else GameSide(str(flagged_player + 1)),
        overtime=(seconds[0], seconds[1]) if any(seconds) else None,
        accounts=form.accounts,
    )


def _make_sanctions_from_form(tournament: Tournament, form: ScoreSheet) -> list[Sanction]:
    game = tournament.games[form.game]
    number, players = tournament.rounds[game.round].number, (game.first, game.second)
    return [
        Sanction(
            SanctionId(f"{game.id}.x{index}"),
            players[sanction.player - 1],
            number,
            sanction.kind,
            sanction.points,
            sanction.why,
        )
        for index, sanction in enumerate(form.sheet.sanctions, 1)
    ]


class CheckedAndUncheckedGameCounts(Struct, frozen=True):
    """Counts of the checked and unchecked games, without open games and forfeits."""

    checked: int
    unchecked: int

    @property
    def total(self) -> int:
        return self.checked + self.unchecked


def list_unchecked_games(
    index: TournamentIndex, division: DivisionId, after_round: int | None = None
) -> tuple[Game, ...]:
    return tuple(
        game for game, state in _list_played_games(index, division, after_round) if state is ResultState.ENTERED
    )


def count_checked_games(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> CheckedAndUncheckedGameCounts:
    states = [state for _, state in _list_played_games(index, division.id, after_round)]
    unchecked_count = states.count(ResultState.ENTERED)
    return CheckedAndUncheckedGameCounts(len(states) - unchecked_count, unchecked_count)


def is_result_checking_required_or_started(index: TournamentIndex, round_row: Round | None = None) -> bool:
    """Return whether a setting requires checks of results, or some result is already checked.

    With `round_row`, look for checked results only in this round.
    """
    if index.tournament.event.check_first:
        return True
    checked_ids = index.list_matching_row_ids("results", _is_result_checked)
    return (
        bool(checked_ids)
        if round_row is None
        else any(game.id in checked_ids for game in index.games(round_row.id))
    )


def _is_result_checked(result: Result) -> bool:
    return result.state is not ResultState.ENTERED and result.forfeit is None


def refuse_unchecked_games_if_required(index: TournamentIndex, division: DivisionId, after_round: int) -> None:
    unchecked_games = (
        list_unchecked_games(index, division, after_round) if index.tournament.event.check_first else ()
    )
    if unchecked_games:
        item = index.tournament.rounds[unchecked_games[0].round]
        tables = [game.table for game in unchecked_games if game.round == item.id]
        raise CommandError("unchecked-results", round=item.number, tables=tables, n=len(tables))


def _list_played_games(
    index: TournamentIndex, division: DivisionId, after_round: int | None
) -> list[tuple[Game, ResultState]]:
    return [
        (game, result.state)
        for item in index.list_published_rounds(division, after_round)
        for game in index.games(item.id)
        if (result := index.get_result(game.id)) is not None and result.forfeit is None
    ]
