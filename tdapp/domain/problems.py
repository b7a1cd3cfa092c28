"""Collect the open problems of a division, such as missing results and absent players in a draft."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import proposal
from tdapp.domain.bracket import (
    build_bracket,
    find_cut_ties,
    find_matches_contradicting_results,
    find_missing_and_extra_qualifiers,
    find_stage_players,
    list_undecided_tied_games,
)
from tdapp.domain.elimination import make_match_codes
from tdapp.domain.game_results import (
    find_decisive_sheet,
    find_sheet_result_if_different,
    is_result_checking_required_or_started,
    list_unchecked_games,
)
from tdapp.domain.index import TournamentIndex
from tdapp.domain.matches import count_knockout_rounds_needed
from tdapp.domain.model import Division, Player, PlayerId, Result, Round, RoundState, Stage
from tdapp.domain.persons import find_same_person_questions
from tdapp.domain.records import Record, compute_records
from tdapp.domain.seating import find_table_numbers_of_division
from tdapp.domain.slip import find_agreed_group_points, find_doubt_about_group_points, find_slips_of_both_players
from tdapp.domain.stages import count_groups
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tables import rounds
from tdapp.domain.teams import (
    count_boards_of_team_match,
    count_rounds_for_all_teams_to_meet,
    find_players_needing_game_or_bye,
    list_stage_teams,
)
from tdapp.domain.tournament import find_removed_and_changed_keys
from tdapp.domain.verdicts import list_pending_verdicts

IN_A_ROW = 3
_MAX_NAMED_PLAYERS = 2  # unseated players named one by one


class Problem(Struct, frozen=True):
    """An open problem that the user should solve."""

    code: str  # of the message
    facts: Mapping[str, object]  # values in the message
    page: str  # where the user can solve it
    key: str = ""  # id of a row on the page, or ""
    urgent: bool = False  # prevents the next round
    division: str = ""


def find_division_problems(index: TournamentIndex, division: Division) -> tuple[Problem, ...]:
    problems = [
        *_find_round_problems(index, division),
        *(
            problem
            for item in index.list_published_rounds(division.id)
            for problem in find_slip_problems(index, item)
        ),
        *_find_jury_problems(index, division),
        *_find_unchecked_result_problems(index, division),
        *_find_stage_cut_problems(index, division),
        *_find_bracket_problems(index, division),
        *_find_team_schedule_length_problems(index, division),
        *_find_player_count_problems(index, division),
        *_find_table_overlap_problems(index, division),
        *_find_same_person_problems(index, division),
    ]
    stages = index.stages(division.id)
    if stages and stages[-1].evening:
        problems = [_convert_problem_to_evening_numbers(index, division, problem) for problem in problems]
    return tuple(sorted(problems, key=lambda problem: not problem.urgent))


def _convert_problem_to_evening_numbers(index: TournamentIndex, division: Division, problem: Problem) -> Problem:
    """Replace a problem's round number by the round number within its evening.

    Problems of earlier evenings get the evening's name or date, and are not urgent.
    """
    number, before = problem.facts.get("round"), problem.facts.get("before")
    evening = index.find_stage(division.id, number) if isinstance(number, int) else None
    if not isinstance(number, int) or evening is None or not evening.evening:
        return problem
    facts = {**problem.facts, "round": number - index.get_first_round_number(evening.id) + 1, "is_evening": True}
    earlier = index.find_stage(division.id, before) if isinstance(before, int) else None
    if isinstance(before, int) and earlier is not None and earlier.evening:
        facts["before"] = before - index.get_first_round_number(earlier.id) + 1
        facts["before_evening"] = earlier.name or earlier.date
    if evening == index.stages(division.id)[-1]:
        return replace(problem, facts=MappingProxyType(facts))
    facts["evening"] = evening.name or evening.date
    return replace(problem, facts=MappingProxyType(facts), urgent=False)


def _make_problem(code: str, page: str, key: str = "", *, urgent: bool = False, **facts: object) -> Problem:
    return Problem(code, MappingProxyType(facts), page, key, urgent)


def _find_round_problems(index: TournamentIndex, division: Division) -> Iterator[Problem]:
    for item in index.rounds(division.id):
        missing = list(index.list_open_tables(item.id))
        if item.state is RoundState.DRAFT:
            obstacles = (
                *proposal.find_absences_and_forbidden_pairs_in_draft(index, item),
                ("draft-waits", {"round": item.number}),
            )
            yield from (_make_problem(code, "rounds", item.id, urgent=True, **facts) for code, facts in obstacles)
        elif missing:
            yield _make_problem(
                "results-out", "rounds", item.id, urgent=True, round=item.number, tables=missing, n=len(missing)
            )
        yield from _find_assumed_draw_problems(index, item)
    if division_rounds := index.rounds(division.id):
        yield from _find_forbidden_pair_problems(index, division_rounds[-1])
    published_rounds = index.list_published_rounds(division.id)
    if published_rounds:
        yield from _find_last_round_problems(index, division, published_rounds[-1])


def _find_forbidden_pair_problems(index: TournamentIndex, round_row: Round) -> Iterator[Problem]:
    system = get_pairing_system(index.tournament.stages[round_row.stage])
    if not system.is_prescribed:
        return
    code = "bracket-forbidden" if system.is_knockout else "schedule-forbidden"
    names = index.tournament.players
    for table, first, second in proposal.find_forbidden_pairs(index, round_row):
        game = index.get_game(round_row.id, table)
        if index.get_result(game.id) is None:
            yield _make_problem(
                code, "rounds", game.id, round=round_row.number, table=table,
                first=names[first].name, second=names[second].name,
            )  # fmt: skip


def _find_assumed_draw_problems(index: TournamentIndex, round_row: Round) -> Iterator[Problem]:
    for game in rounds.list_games_with_assumed_draw(index, round_row):
        if index.get_result(game.id) is None:
            before = index.tournament.rounds[game.round].number
            yield _make_problem(
                "paired-assumed", "rounds", game.id, round=round_row.number, before=before, table=game.table
            )


def _find_last_round_problems(index: TournamentIndex, division: Division, round_row: Round) -> Iterator[Problem]:
    stage = index.tournament.stages[round_row.stage]
    if get_pairing_system(stage).is_knockout:
        return
    yield from _find_unseated_player_problems(index, division, round_row)
    records, players = compute_records(index, division), index.tournament.players
    first_round = index.get_first_round_number(stage.id) if stage.evening else 1

    def update_same_start_problems(before: _InARow | None) -> _InARow:
        old_records, old_problems = before or ({}, {})
        _, changed_players = find_removed_and_changed_keys(old_records, records)
        return records, {
            **old_problems,
            **{
                player: _find_repeated_start_or_reply_problem(
                    players[player], records[player], first_round, round_row.number
                )
                for player in changed_players
            },
        }

    _, problems = index.update_cached_value(
        ("in a row", division.id), (round_row, players), update_same_start_problems
    )
    yield from filter(None, map(problems.get, records))


_InARow = tuple[Mapping[PlayerId, Record], Mapping[PlayerId, Problem | None]]  # cached records and their problems


def _find_repeated_start_or_reply_problem(
    player: Player, record: Record, first_round: int, last_round: int
) -> Problem | None:
    if first_round > 1:
        record = tuple(entry for entry in record if entry.round >= first_round)
    roles: Sequence[bool | None] = [entry.started for entry in record[-IN_A_ROW:]]
    if None in roles:
        roles = [entry.started for entry in record if entry.started is not None][-IN_A_ROW:]
    if len(roles) < IN_A_ROW or len(set(roles)) > 1 or record[-1].round != last_round:
        return None
    code = "starts-in-a-row" if roles[0] else "replies-in-a-row"
    return _make_problem(code, "players", player.id, player=player.name, n=IN_A_ROW)


def _find_unseated_player_problems(
    index: TournamentIndex, division: Division, round_row: Round
) -> Iterator[Problem]:
    unseated_ids = (
        find_players_needing_game_or_bye(index, round_row) - index.find_players_with_game_bye_or_seat(round_row.id)
        if index.list_open_tables(round_row.id)
        else frozenset()
    )
    can_sit = index.list_byes_for_lack_of_opponent(round_row.id) or any(
        seat.state is None for seat in index.seats(round_row.id)
    )
    page = "rounds" if can_sit else "players"
    unseated_players = [
        player
        for player in index.players(division.id)
        if player.id in unseated_ids and index.find_absence(player.id, round_row.number) is None
    ]
    if len(unseated_players) > _MAX_NAMED_PLAYERS:
        names = "; ".join(player.name for player in unseated_players)
        yield _make_problem(
            "players-unseated",
            page,
            unseated_players[0].id,
            players=names,
            n=len(unseated_players),
            round=round_row.number,
        )
        return
    for player in unseated_players:
        yield _make_problem("player-unseated", page, player.id, player=player.name, round=round_row.number)


def find_slip_problems(index: TournamentIndex, round_row: Round) -> Iterator[Problem]:
    """Yield a problem for each table if its players' entries differ or need the director's confirmation."""
    names, rules = index.tournament.players, index.tournament.get_ruleset_of_row(round_row)
    for seats in index.list_seats_by_table(round_row.id):
        points, sent_seats = find_agreed_group_points(seats), [seat for seat in seats if seat.sent]
        if points:
            sent_seats = [seat for seat in sent_seats if seat.sent == points]
        if len(sent_seats) > 1:
            first, second, *_ = sent_seats
            yield _make_problem(
                (find_doubt_about_group_points(rules, seats, points) if points else None) or "slips-differ",
                "rounds", seats[0].id, round=round_row.number, table=first.table,
                first=names[first.player].name, first_says=" – ".join(map(str, first.sent)),
                second=names[second.player].name, second_says=" – ".join(map(str, second.sent)),
            )  # fmt: skip
    for game in index.list_open_games(round_row.id):
        pair = find_slips_of_both_players(index, game)
        if pair is None:
            continue
        doubt = pair.find_doubt_about_agreed_result(rules) if pair.has_equal_entries else None
        yield _make_problem(
            doubt or "slips-differ", "rounds", game.id, round=round_row.number, table=game.table,
            first=names[game.first].name, first_says=f"{pair.first.own} – {pair.first.other}",
            second=names[game.second].name, second_says=f"{pair.second.other} – {pair.second.own}",
        )  # fmt: skip


def _find_jury_problems(index: TournamentIndex, division: Division) -> Iterator[Problem]:
    suspect_games = {
        *(sheet.game for sheet in index.tournament.sheets.values()),
        *index.list_matching_row_ids("results", _is_result_disputed),
    }
    challenged_tables = {(challenge.round, challenge.table) for challenge in index.challenges(division.id)}
    for item in index.list_published_rounds(division.id) if suspect_games or challenged_tables else ():
        for game in (game for game in index.games(item.id)
                     if game.id in suspect_games or (item.number, game.table) in challenged_tables):  # fmt: skip
            problem = partial(_make_problem, page="jury", key=game.id, round=item.number, table=game.table)
            result, sheets = index.get_result(game.id), index.sheets(game.id)
            if result is not None and result.disputed is not None:
                yield problem("disputed")
            if result is not None and list_pending_verdicts(index, game):
                yield problem("verdict-waits")
            if sheets and find_sheet_result_if_different(index, game.id) is not None:
                yield problem("sheet-differs")
            for ruling in index.word_rulings(game.id) if find_decisive_sheet(sheets) is not None else ():
                if ruling.phony:
                    yield problem("ruling-astray", word=ruling.word)


def _is_result_disputed(result: Result) -> bool:
    return result.disputed is not None


def _find_unchecked_result_problems(index: TournamentIndex, division: Division) -> Iterator[Problem]:
    unchecked_games = (
        list_unchecked_games(index, division.id) if is_result_checking_required_or_started(index) else ()
    )
    if not unchecked_games:
        return
    next_round = index.get_last_published_round_number(division.id) + 1
    if index.tournament.event.check_first and index.find_stage(division.id, next_round) is not None:
        yield _make_problem(
            "checks-wanted",
            "jury",
            unchecked_games[0].round,
            urgent=True,
            n=len(unchecked_games),
            round=next_round,
        )
    else:
        yield _make_problem("results-unchecked", "jury", unchecked_games[0].round, n=len(unchecked_games))


def _find_stage_cut_problems(index: TournamentIndex, division: Division) -> Iterator[Problem]:
    for item in index.list_published_rounds(division.id)[-1:]:
        added_names, removed_names = (
            _join_names(index, player_ids)
            for player_ids in find_missing_and_extra_qualifiers(index, index.tournament.stages[item.stage])
        )
        if added_names and removed_names:
            yield _make_problem(
                "cut-outdated", "rounds", item.id, round=item.number, players=added_names, others=removed_names
            )
    stage = index.find_stage(division.id, index.get_last_published_round_number(division.id) + 1)
    if stage is None:
        return
    for tie in find_cut_ties(index, stage):
        equal = _join_names(index, tie.players)
        yield _make_problem("tie-at-cut", "tournament", stage.id, urgent=True, players=equal, n=tie.places)


def _find_same_person_problems(index: TournamentIndex, division: Division) -> Iterator[Problem]:
    questions = [
        question for question in find_same_person_questions(index) if question.player.division == division.id
    ]
    if questions:
        names = f"{questions[0].player.name} – {questions[0].other.name}"
        yield _make_problem("persons-unclear", "standings", n=len(questions), players=names)


def _join_names(index: TournamentIndex, players: Iterable[PlayerId]) -> str:
    return "; ".join(index.tournament.players[player].name for player in players)


def _find_bracket_problems(index: TournamentIndex, division: Division) -> Iterator[Problem]:
    rounds_by_number = {item.number: item for item in index.rounds(division.id)}
    for stage in index.stages(division.id):
        if not get_pairing_system(stage).is_knockout:
            continue
        is_planned = stage.cut is not None and index.get_first_round_number(stage.id) > len(rounds_by_number)
        if is_planned:
            yield from _find_bracket_length_problems(stage)
        if index.get_first_round_number(stage.id) > len(rounds_by_number) + 1:
            continue
        matches = build_bracket(index, stage)
        match_names = dict(
            zip((match.key for match in matches), make_match_codes([match.node for match in matches]), strict=True)
        )
        for match, player, number in find_matches_contradicting_results(index, stage, matches):
            key = rounds_by_number[number].id if number in rounds_by_number else ""
            name = index.tournament.players[player].name
            yield _make_problem(
                "bracket-outdated", "rounds", key, player=name, round=number, name=match_names[match.key]
            )
        for game in list_undecided_tied_games(index, matches):
            number = index.tournament.rounds[game.round].number
            yield _make_problem("tie-waits", "rounds", game.id, urgent=True, table=game.table, round=number)
        bracket_rounds = max((match.node.bracket_round for match in matches if match.is_needed), default=0)
        needed = bracket_rounds * stage.settings.series
        if needed > stage.rounds and not stage.play_off and not is_planned:
            yield _make_problem("bracket-too-short", "tournament", stage.id, rounds=stage.rounds, needed=needed)


def _find_bracket_length_problems(stage: Stage) -> Iterator[Problem]:
    if stage.cut is None or stage.cut < 2 or stage.play_off:  # noqa: PLR2004
        return
    needed = count_knockout_rounds_needed(stage.cut, stage.settings)
    if needed != stage.rounds:
        code = "bracket-too-short" if needed > stage.rounds else "bracket-too-long"
        yield _make_problem(code, "tournament", stage.id, rounds=stage.rounds, needed=needed)


def _find_team_schedule_length_problems(index: TournamentIndex, division: Division) -> Iterator[Problem]:
    next_round = index.get_last_published_round_number(division.id) + 1
    for stage in index.stages(division.id):
        if not get_pairing_system(stage).team_schedule or index.get_first_round_number(stage.id) > next_round:
            continue
        teams = list_stage_teams(index, stage)
        needed = count_rounds_for_all_teams_to_meet(teams, count_boards_of_team_match(stage))
        if needed > stage.rounds:
            yield _make_problem(
                "team-rounds-short", "tournament", stage.id,
                rounds=stage.rounds, needed=needed, teams=len(teams),
            )  # fmt: skip


def _find_player_count_problems(index: TournamentIndex, division: Division) -> Iterator[Problem]:
    players = index.players(division.id)
    next_round = index.get_last_published_round_number(division.id) + 1
    if not players:
        yield _make_problem("no-players-yet", "players", division=division.code)
        return
    stage = index.find_stage(division.id, next_round)
    if stage is None:
        return
    stage_players = find_stage_players(index, stage)
    present_players = [
        player
        for player in players
        if player.id in stage_players and index.find_absence(player.id, next_round) is None
    ]
    allows_odd_field = (
        get_pairing_system(stage).is_knockout or count_groups(stage) > 1 or count_boards_of_team_match(stage)
    )
    if (
        len(present_players) % 2
        and not allows_odd_field
        and not index.tournament.get_ruleset_of_row(division).tables.has_group_tables
    ):
        yield _make_problem("odd-field", "players", n=len(present_players), round=next_round)


def _find_table_overlap_problems(index: TournamentIndex, division: Division) -> Iterator[Problem]:
    tables = find_table_numbers_of_division(index, division)
    earlier_divisions = index.divisions[: index.divisions.index(division)]  # name each pair of divisions once
    for other_division in earlier_divisions:
        if shared_tables := sorted(tables & find_table_numbers_of_division(index, other_division)):
            yield _make_problem(
                "tables-overlap",
                "tournament",
                division=other_division.code,
                other=division.code,
                tables=shared_tables,
                n=len(shared_tables),
            )
