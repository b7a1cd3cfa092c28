"""The pairing referee: make test events for another pairing program, and check the pairings that it made."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from tdapp.cli.json_types import EventPairingsCheckJson, PairingErrorJson, RoundPairingCostsJson, SampleEventsJson
from tdapp.cli.program import Program
from tdapp.domain import commands
from tdapp.domain.commands.rule import check_number_in_range
from tdapp.domain.entries import EventEntry, RankFromFile
from tdapp.domain.errors import CommandError, InputError, UserError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.pairing_settings import PairingSettings, ScoreGroupPairing
from tdapp.domain.systems import SWISS
from tdapp.domain.tournament import Tournament
from tdapp.exchange import exports, imports, tsh
from tdapp.exchange.json_text import make_document_from_rows
from tdapp.pairing import SYSTEMS
from tdapp.pairing.pairing_checker import DivisionPairingCheck, check_division_pairings
from tdapp.pairing.sample_events import MAX_PLAYERS, MAX_ROUNDS, SampleEventSettings, make_sample_event

_KINDS = {"json": "json", "trf": "trf", "tsh": "tsh", "tourney.js": "tourney"}
_ILLEGAL = {
    "tsh-against-self",
    "tsh-asymmetric",
    "against-himself",
    "twice-in-round",
}  # errors of pairings, not of files
_TWICE_IN_ROUND_ERROR = ": twice-in-round "  # part of an error message
_RanksByDivision = Mapping[str, tuple[RankFromFile, ...]]  # ranks stated in a file, by division


def make_or_check_events(
    program: Program, options: Namespace
) -> SampleEventsJson | tuple[list[EventPairingsCheckJson], int]:
    """Make sample events, or check the pairings of events. The exit code is 1 if a pairing has an error."""
    if (options.system or SWISS.id) not in SYSTEMS:
        raise CommandError("unknown-system", system=options.system, known=", ".join(SYSTEMS))
    if options.what == "make":
        return _write_sample_events(program, options)
    checks = [check for path in options.paths for check in _check_event_file(program, options, path)]
    return checks, int(any(check.findings for check in checks))


# --- events --------------------------------------------------------------------------------------------


def _write_sample_events(program: Program, options: Namespace) -> SampleEventsJson:
    if len(options.paths) > 1:
        raise CommandError("referee-one-folder")
    [folder] = options.paths
    for name, lowest, highest in (("players", 2, MAX_PLAYERS), ("rounds", 1, MAX_ROUNDS)):
        least, most = getattr(options, name)
        check_number_in_range(
            most, name, low=check_number_in_range(least, name, low=lowest, high=highest), high=highest
        )
    check_number_in_range(options.events, "events", low=1, high=10_000)
    if options.played is not None:
        check_number_in_range(options.played, "played", low=1, high=MAX_ROUNDS)
    kind = _KINDS[options.format]
    feed = kind == "tourney"  # without tie-breaks and kinds of byes
    order = tsh.ORDER if feed else ()
    bounds = options.players, options.rounds, options.seed, options.played
    plan = SampleEventSettings(*bounds, order=order, byes=not feed, all_kinds=kind == "json")
    rules, ending, names = (
        program.get_bundled_ruleset(options.rules),
        "" if kind == "tsh" else f".{options.format}",
        [],
    )
    for number in range(1, options.events + 1):
        event_index = TournamentIndex(make_sample_event(plan, number, rules, options.system or SWISS.id))
        names.append(f"event-{number:0{len(str(options.events))}}{ending}")
        exports.save_export(
            folder / names[-1], exports.make_export_content(kind, event_index, None, None, program.catalogue)
        )
        if not options.json:
            print(folder / names[-1])
    return SampleEventsJson(str(folder), names)


# --- checks -------------------------------------------------------------------------------------


def _check_event_file(program: Program, options: Namespace, path: Path) -> Iterator[EventPairingsCheckJson]:
    try:
        value, ranks = _read_event_file(program, options, path)
    except UserError as error:
        if not _is_illegal_pairing_error(error):
            raise
        finding = PairingErrorJson(error.code, 0, {}, program.catalogue.describe_error(error))
        yield _show_pairing_check_of_event(program, options, path, "", [finding])
        return
    index = TournamentIndex(value)
    for division in index.divisions:
        check = check_division_pairings(value, division, ranks.get(division.code, ()))
        findings = [
            PairingErrorJson(
                finding.code,
                finding.round,
                dict(finding.facts),
                program.catalogue.describe_problem(finding.code, dict(finding.facts)),
            )
            for finding in check.findings
        ]
        yield _show_pairing_check_of_event(program, options, path, division.code, findings, check)


def _is_illegal_pairing_error(error: UserError) -> bool:
    problems = error.facts.get("problems", ())
    has_double_pairing = (
        isinstance(problems, tuple)
        and bool(problems)
        and all(_TWICE_IN_ROUND_ERROR in str(problem) for problem in problems)
    )
    return error.code in _ILLEGAL or has_double_pairing


def _read_event_file(program: Program, options: Namespace, path: Path) -> tuple[Tournament, _RanksByDivision]:
    content = imports.read_file_to_import(path)
    if isinstance(content, Tournament):
        stages = (replace(stage, system=options.system) for stage in content.stages.values() if options.system)
        return content.put(*stages), {}
    if not isinstance(content, EventEntry):
        raise InputError("referee-no-event", source=path.name)
    divisions = tuple(replace(entry, code=entry.code or "A") for entry in content.divisions)
    value = commands.new_tournament(
        key="event", name=path.name, ruleset=program.get_bundled_ruleset(options.rules)
    )
    value = commands.import_event(value, key="event", event=replace(content, divisions=divisions), file_order=True)
    settings, system = PairingSettings(style=ScoreGroupPairing.FOLD), options.system or SWISS.id
    stages = (replace(stage, system=system, settings=settings) for stage in value.stages.values())
    return value.put(*stages), {entry.code: entry.ranks for entry in divisions}


def _show_pairing_check_of_event(
    program: Program,
    options: Namespace,
    path: Path,
    division_code: str,
    findings: list[PairingErrorJson],
    check: DivisionPairingCheck | None = None,
) -> EventPairingsCheckJson:
    text = program.catalogue.text
    rounds = [
        make_document_from_rows(
            RoundPairingCostsJson,
            item,
            cost=dict(item.cost),
            optimum=dict(item.optimum),
            error=program.catalogue.describe_error(item.error) if item.error else None,
        )
        for item in (check.rounds if check else ())
    ]
    uneven, running = (check.uneven, check.running) if check else (0, 0)
    if not options.json:
        print(text("{file}, division {division}; rounds: {rounds}; problems found: {count}", file=path,
            division=division_code or "–",
                   rounds=len(rounds), count=len(findings)))  # fmt: skip
        print(*(f"  {finding.text}" for finding in findings), sep="\n", end="\n" if findings else "")
        for item in rounds:
            if item.error:
                print("  " + text("Round {round} cannot be checked: {why}", round=item.round, why=item.error))
        print("  " + text("Largest difference between starts and replies: {uneven}; most starts in a row: "
                          "{running}",
                          uneven=uneven, running=running))  # fmt: skip
    return EventPairingsCheckJson(str(path), division_code, findings, rounds, uneven, running)
