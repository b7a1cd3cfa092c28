"""Subcommands for round times, divisions, results, undo, personal data and snapshots."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial

from tdapp.cli.json_types import (
    ErasedDataJson,
    RoundStartTimeJson,
    RoundStartTimesJson,
    StepConsequencesJson,
    StepJson,
    WrittenFileJson,
)
from tdapp.cli.output import make_step_json, print_table
from tdapp.cli.program import (
    Program,
    find_chosen_game,
    find_chosen_round,
    find_player_by_number_or_name,
    list_group_table_seats,
)
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.commands.transfers import find_move_or_merge_consequences
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.journal import Step
from tdapp.domain.model import GameSide, Result, Seat
from tdapp.domain.ruleset import ForfeitCause
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_
from tdapp.domain.verdicts import list_pending_verdicts
from tdapp.exchange.json_text import make_document_from_rows
from tdapp.i18n.phrases import TIMES_EXAMPLE, make_round_times_table
from tdapp.i18n.round_times import list_round_times
from tdapp.i18n.scores import describe_replaced_result
from tdapp.i18n.sheet_sentences import describe_challenge_verdicts


def set_or_show_round_times(program: Program, options: Namespace) -> RoundStartTimesJson:
    with program.open_desk(options.file, read_only=options.plan is None) as desk:
        division = desk.index.get_division(options.division)
        if options.plan is not None:
            desk.do(partial(commands.set_times, division=division.id, times=options.plan))
            division = desk.index.get_division(options.division)
        if not options.json:
            table = make_round_times_table(program.catalogue, desk.index, division)
            print_table(
                table,
                program.catalogue,
                program.catalogue.text(
                    "No round times yet. Set them: tdapp times FILE '{example}'", example=TIMES_EXAMPLE
                ),
            )
        rows = [
            make_document_from_rows(
                RoundStartTimeJson,
                row,
                time=row.time_of_day.isoformat("minutes"),
                at=row.start.isoformat() if row.start else None,
            )
            for row in list_round_times(desk.index, division)
        ]
    return RoundStartTimesJson(division.code, division.times, rows)


def move_players_to_division(program: Program, options: Namespace) -> StepConsequencesJson:
    with program.open_desk(options.file) as desk:
        players = tuple(
            find_player_by_number_or_name(desk.index, options.division, word).id for word in options.players
        )
        target = desk.index.get_division(options.to).id
        command = partial(commands.move_players, key=desk.make_row_id(), players=players, division=target)
        return _run_move_or_merge_command(program, options, desk, command)


def merge_divisions(program: Program, options: Namespace) -> StepConsequencesJson:
    with program.open_desk(options.file) as desk:
        division, target = (desk.index.get_division(code).id for code in (options.division, options.into))
        command = partial(commands.merge_division, division=division, into=target)
        return _run_move_or_merge_command(program, options, desk, command)


def _run_move_or_merge_command(
    program: Program, options: Namespace, desk: Desk, command: Callable[[Tournament], Tournament]
) -> StepConsequencesJson:
    before = desk.tournament
    desk.do(command)
    follows = [
        program.catalogue.describe_availability_effect(consequence.code, consequence.facts)
        for consequence in find_move_or_merge_consequences(before, desk.tournament)
    ]
    if not options.json:
        print(*follows, sep="\n")
    return make_document_from_rows(StepConsequencesJson, make_step_json(desk, program.catalogue), follows=follows)


def enter_result(program: Program, options: Namespace) -> StepJson:
    with program.open_desk(options.file) as desk:
        index = desk.index
        seats = list_group_table_seats(index, options)
        if options.break_up and options.score1 is None:
            desk.do(_make_break_up_game_command(index, options))
            return make_step_json(desk, program.catalogue)
        if seats:
            return _enter_group_result(program, desk, seats, options)
        if options.more or options.left or options.turns is not None:
            raise CommandError("no-group-table", table=options.table)
        game = find_chosen_game(index, options)
        if options.verdicts and options.score1 is None and options.forfeit is None:
            desk.do(partial(commands.decide_verdicts, game=game.id, apply=options.verdicts == "apply"))
            return make_step_json(desk, program.catalogue)
        scores, points = index.tournament.get_ruleset_of_row(game).scores, (options.score1, options.score2)
        if None not in points and scores.is_rare_score_or_margin(*points) and not options.confirmed:
            raise CommandError("rare-result", first=options.score1, second=options.score2)
        command = partial(
            commands.enter_result,
            game=game.id,
            first=options.score1,
            second=options.score2,
            forfeit=GameSide(options.forfeit) if options.forfeit else None,
            cause=ForfeitCause(options.cause) if options.cause else None,
            started=GameSide(options.first) if options.first else None,
            overtime1=options.overtime1,
            overtime2=options.overtime2,
            rack1=options.rack1,
            rack2=options.rack2,
            flag=GameSide(options.flag) if options.flag else None,
            tileset=program.get_tileset(index.tournament.get_ruleset_of_row(game).tileset),
            confirmed=options.confirmed,
            after_rulings=options.after_rulings,
            verdicts=None if options.verdicts is None else options.verdicts == "apply",
        )
        old = index.get_result(game.id)
        desk.do(command)
        if options.break_up:
            desk.do(_make_break_up_game_command(index, options))
        if old is not None and not options.json:
            print(describe_replaced_result(program.catalogue, index, game, old))
        new_result = desk.index.get_result(game.id)
        if new_result is not None and new_result.words is not None and not (options.after_rulings or options.json):
            print(_describe_applied_word_rulings(program, new_result))
        pending_verdicts = () if options.json else list_pending_verdicts(desk.index, game)
        if pending_verdicts:
            names = [index.tournament.players[player].name for player in (game.first, game.second)]
            print(describe_challenge_verdicts(program.catalogue, pending_verdicts, names))
            question = program.catalogue.text(
                "Does the total already include the verdict from the judge screen? If yes, use "
                "--verdicts refuse. If no, use --verdicts apply."
            )
            if not any(verdict.can_be_applied for verdict in pending_verdicts):
                question = program.catalogue.text(
                    "Does the total already include the ruling? If yes, use --verdicts refuse. If "
                    "no, rule on the word (tdapp rule)."
                )
            print(question)
        return make_step_json(desk, program.catalogue)


def _enter_group_result(program: Program, desk: Desk, seats: Sequence[Seat], options: Namespace) -> StepJson:
    scores = [options.score1, options.score2, *options.more]
    points = tuple(score for score in scores if score is not None)
    if any(not 1 <= number <= len(seats) for number in options.left):
        raise CommandError("not-at-table", table=options.table)
    leavers = tuple(seats[number - 1].player for number in options.left)
    scoring_players = tuple(
        seat.player for seat in seats if len(points) == len(seats) or seat.player not in leavers
    )
    if len(points) > len(scoring_players):
        raise CommandError("not-at-table", table=options.table)
    desk.do(
        partial(
            commands.enter_seats, round=seats[0].round, table=seats[0].table, points=points,
            players=scoring_players, left=leavers, turns=options.turns, confirmed=options.confirmed,
        )
    )  # fmt: skip
    if options.break_up:
        desk.do(_make_break_up_game_command(desk.index, options))
    return make_step_json(desk, program.catalogue)


def _make_break_up_game_command(index: TournamentIndex, options: Namespace) -> partial[Tournament]:
    item = find_chosen_round(index, options)
    return partial(commands.enter_break_up, round=item.id, table=options.table, points=tuple(options.break_up))


def _describe_applied_word_rulings(program: Program, result: Result) -> str:
    costs = ", ".join(program.catalogue.format_signed_value(-cost) for cost in result.words or ())
    return program.catalogue.text(
        "With the jury’s rulings ({costs}) the result is {first} – {second}. If the typed scores already "
        "include the rulings, use --after-rulings.",
        costs=costs, first=result.first, second=result.second,
    )  # fmt: skip


def undo_step(program: Program, options: Namespace) -> StepJson:
    return _undo_or_redo(program, options, Desk.undo, N_("Undone: {step}"))


def redo_step(program: Program, options: Namespace) -> StepJson:
    return _undo_or_redo(program, options, Desk.redo, N_("Redone: {step}"))


def _undo_or_redo(program: Program, options: Namespace, run: Callable[[Desk], Step], message: str) -> StepJson:
    with program.open_desk(options.file) as desk:
        step = run(desk)
        if not options.json:
            print(program.catalogue.text(message, step=program.catalogue.describe_step(step.label, step.facts)))
        return make_step_json(desk, program.catalogue)


def erase_personal_data(program: Program, options: Namespace) -> ErasedDataJson:
    from tdapp.services.backups import describe_unerased_copies, find_snapshot_folder

    if bool(options.players) == options.everybody:
        raise CommandError("erase-whom")
    with program.open_desk(options.file) as desk:
        desk.snapshots = find_snapshot_folder(options.file, program.servers)
        players = None
        if options.players:
            players = [
                find_player_by_number_or_name(desk.index, options.division, word).id for word in options.players
            ]
        word = program.catalogue.text("Player")
        pseudonyms = desk.erase_personal_data(players, pseudonym_prefix=word)
        deleted = desk.delete_snapshots_with_players(pseudonyms) if options.snapshots else 0
        remaining_paths = [str(item.path) for item in desk.snapshots.find_snapshots_with_player_names(pseudonyms)]
        messages = list(describe_unerased_copies(desk, program.servers, program.catalogue))
        if not options.json:
            print(
                program.catalogue.text("The program cannot reach these copies. Erase the data there yourself:"),
                *messages,
                sep="\n- ",
            )
            if remaining_paths:
                heading = program.catalogue.text(
                    "These snapshots still hold the data. Use --snapshots to delete them:"
                )
                print(heading, *remaining_paths, sep="\n- ")
        step = make_step_json(desk, program.catalogue)
        return make_document_from_rows(
            ErasedDataJson, step, snapshots_deleted=deleted, snapshots_left=remaining_paths, not_reached=messages
        )


def take_snapshot(program: Program, options: Namespace) -> WrittenFileJson:
    with program.open_desk(options.file, read_only=True) as desk:
        desk.store.copy_to_file(options.target)
    return WrittenFileJson(str(options.target))
