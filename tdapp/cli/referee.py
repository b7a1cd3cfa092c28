"""The pairing referee: make test events for another pairing program, and check the pairings that it made."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from tdapp.cli.json_types import EventCheckJson, PairingErrorJson, RoundCostsJson, SampleEventsJson
from tdapp.cli.program import Program
from tdapp.domain import commands
from tdapp.domain.commands.rule import check_range
from tdapp.domain.entries import EventEntry, RankFromFile
from tdapp.domain.errors import InputError, RuleViolation, UserError
from tdapp.domain.index import Index
from tdapp.domain.pairing_settings import PairingSettings, PairingStyle
from tdapp.domain.systems import SWISS
from tdapp.domain.tournament import Tournament
from tdapp.exchange import exports, imports, tsh
from tdapp.exchange.json_text import fill_document
from tdapp.pairing import SYSTEMS
from tdapp.pairing.referee import DivisionExamination, examine_division
from tdapp.pairing.sample_events import MOST_PLAYERS, MOST_ROUNDS, SampleEventPlan, make_sample_event

_KINDS = {"json": "json", "trf": "trf", "tsh": "tsh", "tourney.js": "tourney"}
_ILLEGAL = {"tsh-against-self", "tsh-asymmetric", "against-himself", "twice-in-round"}  # pairings, not files
_TWICE_IN_ROUND_ERROR = ": twice-in-round "  # its code in a document
_RanksByDivision = Mapping[str, tuple[RankFromFile, ...]]  # ranks stated in a file, by division


def make_or_check_events(
    program: Program, options: Namespace
) -> SampleEventsJson | tuple[list[EventCheckJson], int]:
    """Make sample events, or check the pairings of events. The exit code is 1 if a pairing has an error."""
    if (options.system or SWISS.id) not in SYSTEMS:
        raise RuleViolation("unknown-system", system=options.system, known=", ".join(SYSTEMS))
    if options.what == "make":
        return _make_sample_events(program, options)
    found = [one for path in options.paths for one in _check_event_file(program, options, path)]
    return found, int(any(one.findings for one in found))


# --- events --------------------------------------------------------------------------------------------


def _make_sample_events(program: Program, options: Namespace) -> SampleEventsJson:
    if len(options.paths) > 1:
        raise RuleViolation("referee-one-folder")
    [folder] = options.paths
    for name, low, high in (("players", 2, MOST_PLAYERS), ("rounds", 1, MOST_ROUNDS)):
        least, most = getattr(options, name)
        check_range(most, name, low=check_range(least, name, low=low, high=high), high=high)
    check_range(options.events, "events", low=1, high=10_000)
    if options.played is not None:
        check_range(options.played, "played", low=1, high=MOST_ROUNDS)
    kind = _KINDS[options.format]
    feed = kind == "tourney"  # has no tie-breaks and no kinds of byes
    order = tsh.ORDER if feed else ()
    bounds = options.players, options.rounds, options.seed, options.played
    plan = SampleEventPlan(*bounds, order=order, byes=not feed, all_kinds=kind == "json")
    rules, ending, names = program.get_preset(options.rules), "" if kind == "tsh" else f".{options.format}", []
    for number in range(1, options.events + 1):
        made = Index(make_sample_event(plan, number, rules, options.system or SWISS.id))
        names.append(f"event-{number:0{len(str(options.events))}}{ending}")
        exports.save_export(folder / names[-1], exports.write_export(kind, made, None, None, program.catalogue))
        if not options.json:
            print(folder / names[-1])
    return SampleEventsJson(str(folder), names)


# --- checks -------------------------------------------------------------------------------------


def _check_event_file(program: Program, options: Namespace, path: Path) -> Iterator[EventCheckJson]:
    try:
        value, stated = _read_event_file(program, options, path)
    except UserError as error:
        if not _is_pairing_error(error):
            raise
        finding = PairingErrorJson(error.code, 0, {}, program.catalogue.error(error))
        yield _show_event_check(program, options, path, "", [finding])
        return
    index = Index(value)
    for division in index.divisions:
        found = examine_division(value, division, stated.get(division.code, ()))
        findings = [
            PairingErrorJson(
                one.code, one.round, dict(one.facts), program.catalogue.problem(one.code, dict(one.facts))
            )
            for one in found.findings
        ]
        yield _show_event_check(program, options, path, division.code, findings, found)


def _is_pairing_error(error: UserError) -> bool:
    problems = error.facts.get("problems", ())
    twice = (
        isinstance(problems, tuple)
        and bool(problems)
        and all(_TWICE_IN_ROUND_ERROR in str(one) for one in problems)
    )
    return error.code in _ILLEGAL or twice


def _read_event_file(program: Program, options: Namespace, path: Path) -> tuple[Tournament, _RanksByDivision]:
    found = imports.read_import(path)
    if isinstance(found, Tournament):
        stages = (replace(one, system=options.system) for one in found.stages.values() if options.system)
        return found.put(*stages), {}
    if not isinstance(found, EventEntry):
        raise InputError("referee-no-event", source=path.name)
    divisions = tuple(replace(one, code=one.code or "A") for one in found.divisions)
    value = commands.new_tournament(key="event", name=path.name, ruleset=program.get_preset(options.rules))
    value = commands.import_event(value, key="event", event=replace(found, divisions=divisions), file_order=True)
    settings, system = PairingSettings(style=PairingStyle.FOLD), options.system or SWISS.id
    stages = (replace(one, system=system, settings=settings) for one in value.stages.values())
    return value.put(*stages), {one.code: one.ranks for one in divisions}


def _show_event_check(
    program: Program,
    options: Namespace,
    path: Path,
    division_code: str,
    findings: list[PairingErrorJson],
    examination: DivisionExamination | None = None,
) -> EventCheckJson:
    text = program.catalogue.text
    rounds = [
        fill_document(
            RoundCostsJson,
            one,
            cost=dict(one.cost),
            optimum=dict(one.optimum),
            error=program.catalogue.error(one.failed) if one.failed else None,
        )
        for one in (examination.rounds if examination else ())
    ]
    uneven, running = (examination.uneven, examination.running) if examination else (0, 0)
    if not options.json:
        print(text("{file}, division {division}: rounds {rounds}; problems found: {count}", file=path,
            division=division_code or "–",
                   rounds=len(rounds), count=len(findings)))  # fmt: skip
        print(*(f"  {one.text}" for one in findings), sep="\n", end="\n" if findings else "")
        for one in rounds:
            if one.error:
                print("  " + text("Round {round} cannot be checked: {why}", round=one.round, why=one.error))
        print("  " + text("Largest difference between starts and replies: {uneven}; most starts in a row: "
                          "{running}",
                          uneven=uneven, running=running))  # fmt: skip
    return EventCheckJson(str(path), division_code, findings, rounds, uneven, running)
