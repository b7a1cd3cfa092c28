"""Verbs that pair rounds, pair them again, or preview another pairing."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from tdapp.cli.json_types import (
    ChangedTableJson,
    DraftChangeEffectJson,
    NewTournamentJson,
    PossibleDraftChangesJson,
    RoundPairingComparisonJson,
    SampleTournamentJson,
    TournamentCheckJson,
)
from tdapp.cli.output import print_round_or_make_json
from tdapp.cli.program import Program, find_player_by_number_or_name
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.commands.evenings import replace_bye_rule_by_tables_of_three
from tdapp.domain.commands.rule import check_number_in_range
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, DivisionId, PlayerId, RoundId, RoundState
from tdapp.domain.systems import RANDOM, SWISS
from tdapp.domain.tables.evenings import get_date_of_current_evening
from tdapp.domain.tournament import Tournament
from tdapp.exchange.json_text import convert_fraction_to_number, make_document_from_rows
from tdapp.i18n import pairing_sentences
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import SYSTEMS, list_games_that_can_count_as_draws, list_locked_pairs, propose_pairings
from tdapp.pairing.commands import DraftChangePreview, pair_around, pair_by_hand, preview_command, swap_players
from tdapp.pairing.recheck import RoundPairingComparison, recheck_rounds

if TYPE_CHECKING:
    from tdapp.exchange.json_documents import RoundJson


def create_tournament(program: Program, options: Namespace) -> NewTournamentJson:
    system = options.system or (RANDOM.id if options.evenings else SWISS.id)
    if system not in SYSTEMS:
        raise CommandError("unknown-system", system=system, known=", ".join(SYSTEMS))
    key, rules = options.file.stem, program.get_bundled_ruleset(options.rules)
    rules = replace_bye_rule_by_tables_of_three(rules) if options.evenings else rules
    tournament = commands.new_tournament(key=key, name=options.name, ruleset=rules, seed=options.seed)
    division = DivisionId(f"{key}.d")
    tournament = commands.add_division(tournament, key=division, code="A")
    if options.evenings:
        date = get_date_of_current_evening(datetime.now().astimezone())
        tournament = commands.begin_evening(
            tournament, key=f"{key}.s", division=division, date=date, system=system
        )
    else:
        tournament = commands.add_stage(
            tournament, key=f"{key}.s", division=division, system=system, rounds=options.rounds
        )
    tournament = commands.set_times(tournament, division=division, times=options.times)
    default = rules.judges.check_first and not options.evenings
    check_first = default if options.check_first is None else options.check_first
    tournament = commands.set_check_first(tournament, check_first=check_first)
    Desk.create(options.file, tournament).close()
    return NewTournamentJson(str(options.file), options.name, options.rules)


def pair_and_publish_round(program: Program, options: Namespace) -> RoundJson | None:
    """Pair the next round and publish it. Keep pairings that the director locked.

    `--assume` counts unfinished games as drawn.
    """
    with program.open_desk(options.file) as desk:
        division = desk.index.get_division(options.division)
        assumed = list_games_that_can_count_as_draws(desk.index, division.id) if options.assume else ()
        locked_pairs = list_locked_pairs(desk.index, division.id)
        try:
            proposal = propose_pairings(desk.index, division.id, fixed_pairs=locked_pairs, assumed=assumed)
        except CommandError as error:
            if error.code == "results-missing":
                raise CommandError("results-missing-switch", **error.facts) from None
            raise
        desk.do(partial(commands.pair_round, key=desk.make_row_id(), proposal=proposal))
        return print_round_or_make_json(
            desk.index, desk.index.list_published_rounds(division.id)[-1], options, program.catalogue
        )


def check_tournament(program: Program, options: Namespace) -> tuple[TournamentCheckJson, int]:
    """Check the stored data, list open problems, and pair every round again from its original data.

    The exit code is 0 if the data are intact, else 2.
    """
    from tdapp.domain.problems import find_division_problems

    with program.open_desk(options.file, read_only=True) as desk:
        damage = desk.find_damage()
        value = desk.index.tournament
        rechecked_divisions = [(division, recheck_rounds(value, division.id)) for division in desk.index.divisions]
        catalogue = program.catalogue
        rounds = [
            round_json
            for division, rechecked in rechecked_divisions
            for round_json in _make_rechecked_rounds_json(desk.index, division, rechecked, catalogue)
        ]
        problems = [
            problem
            for division in desk.index.divisions
            for problem in find_division_problems(desk.index, division)
        ]
        if value.printouts:
            from tdapp.cli.printing import find_stale_printouts

            problems += find_stale_printouts(program, desk)
        texts = (catalogue.describe_problem(problem.code, dict(problem.facts)) for problem in problems)
        open_problems = list(dict.fromkeys(texts))  # divisions can share a problem
        damage_texts = [catalogue.describe_problem(item.code, dict(item.facts)) for item in damage]
    if not options.json:
        round_lines = [
            line
            for division, rechecked in rechecked_divisions
            for line in _describe_rechecked_rounds(division, rechecked, catalogue)
        ]
        for line in (*damage_texts, *open_problems, *round_lines):
            print(line)
        if not damage:
            print(program.catalogue.text("The file is intact."))
    return TournamentCheckJson(not damage, damage_texts, open_problems, rounds), 2 if damage else 0


def create_sample_tournament(program: Program, options: Namespace) -> SampleTournamentJson:
    """Make a sample tournament of 1 to 50 rounds with 2 to 400 players."""
    from tdapp.services.demo import add_players_and_play_rounds

    check_number_in_range(options.players, "players", low=2, high=400)
    check_number_in_range(options.rounds, "rounds", low=1, high=50)
    tournament = commands.new_tournament(
        key="demo",
        name=program.catalogue.text("Demo tournament"),
        ruleset=program.get_bundled_ruleset("nl-match"),
        seed=options.seed,
    )
    desk = Desk.create(options.file, tournament)
    try:
        add_players_and_play_rounds(desk, players=options.players, rounds=options.rounds)
    finally:
        desk.close()
    return SampleTournamentJson(str(options.file), options.players, options.rounds)


def _make_rechecked_rounds_json(
    index: TournamentIndex, division: Division, rechecks: Sequence[RoundPairingComparison], catalogue: Catalogue
) -> list[RoundPairingComparisonJson]:
    def list_player_numbers(players: Iterable[PlayerId]) -> list[int]:
        return sorted(index.tournament.players[player].number for player in players)

    return [
        make_document_from_rows(
            RoundPairingComparisonJson,
            item,
            division=division.code,
            byes=list_player_numbers(item.stored_byes),
            byes_instead=list_player_numbers(item.new_byes),
            error=catalogue.describe_error(item.refusal) if item.refusal else None,
            same=item.has_same_pairing,
        )
        for item in rechecks
    ]


def _describe_rechecked_rounds(
    division: Division, rechecks: Sequence[RoundPairingComparison], catalogue: Catalogue
) -> list[str]:
    text, code, lines = catalogue.text, division.code, []
    for item in rechecks:
        if item.refusal is not None:
            reason = catalogue.describe_error(item.refusal)
            lines.append(text("Round {round} of {division} cannot be paired again: {why}", round=item.round,
                              division=code, why=reason))  # fmt: skip
        elif not item.has_same_pairing:
            tables = catalogue.format_numbers(item.otherwise) or "–"
            lines.append(text("Round {round} of {division} would be paired differently now; tables: {tables}",
                              round=item.round, division=code, tables=tables))  # fmt: skip
    same_count = sum(item.has_same_pairing for item in rechecks)
    by_hand_count = sum(len(item.by_hand) for item in rechecks)
    total = text(
        "Division {division}: {same} of {rounds} rounds would be paired the same way again; tables set by hand "
        "or imported: {tables}.", division=code, same=same_count, rounds=len(rechecks), tables=by_hand_count,
    )  # fmt: skip
    return [*lines, total]


def preview_pairing_changes(program: Program, options: Namespace) -> PossibleDraftChangesJson:
    catalogue = program.catalogue
    with program.open_desk(options.file, read_only=True) as desk:
        division = desk.index.get_division(options.division)
        draft_tournament = _propose_round_unless_drafted(desk.index, division.id)
    index = TournamentIndex(draft_tournament)
    words = [word for word in (options.player, options.other) if word is not None]
    players = [find_player_by_number_or_name(index, options.division, word).id for word in words]
    item = index.rounds(division.id)[-1]
    previews = {
        name: preview_command(draft_tournament, item.id, change)
        for name, change in _make_possible_draft_change_commands(item.id, players).items()
    }
    if not options.json:
        for name, preview in previews.items():
            print(f"{name}: {pairing_sentences.describe_draft_change_effect(preview, catalogue)}")
            for line in pairing_sentences.list_draft_change_texts(preview, draft_tournament, catalogue):
                print(f"  {line}")
    return PossibleDraftChangesJson(
        item.number,
        {
            name: _make_pairing_change_json(preview, draft_tournament, catalogue)
            for name, preview in previews.items()
        },
    )


def _propose_round_unless_drafted(index: TournamentIndex, division: DivisionId) -> Tournament:
    if any(item.state is RoundState.DRAFT for item in index.rounds(division)):
        return index.tournament
    return commands.propose_round(index.tournament, key="what-if", proposal=propose_pairings(index, division))


def _make_possible_draft_change_commands(
    round_id: RoundId, players: Sequence[PlayerId]
) -> Mapping[str, partial[Tournament]]:
    facts: dict[str, Any] = {"key": "changed", "round": round_id, "player": players[0]}
    if len(players) == 1:
        return {"bye": partial(pair_by_hand, **facts), "bye_anew": partial(pair_around, **facts)}
    facts["other"] = players[1]
    return {
        "swap": partial(swap_players, **facts),
        "meet": partial(pair_by_hand, **facts),
        "meet_anew": partial(pair_around, **facts),
    }


def _make_pairing_change_json(
    preview: DraftChangePreview, tournament: Tournament, catalogue: Catalogue
) -> DraftChangeEffectJson:
    def find_player_number(player: PlayerId | None) -> int | None:
        return None if player is None else tournament.players[player].number

    return DraftChangeEffectJson(
        text=pairing_sentences.describe_draft_change_effect(preview, catalogue),
        better=preview.sign_of_cost_change < 0,
        cost=dict(preview.cost),
        bye=find_player_number(preview.bye[0]),
        bye_instead=find_player_number(preview.bye[1]),
        tables=[
            ChangedTableJson(
                table=game.table,
                first=find_player_number(game.first),
                second=find_player_number(game.second),
                repeat=game.meetings,
                scores=[
                    convert_fraction_to_number(game.better_score),
                    convert_fraction_to_number(game.worse_score),
                ],
            )
            for game in preview.tables
        ],
    )
