"""Every command on several tournaments, each argument on both sides of its bounds: what it does, pinned."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from re import sub
from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.commands.rule import STAYS, Argument, list_arguments
from tdapp.domain.commands.stages import Seeding
from tdapp.domain.entries import ResultEntry
from tdapp.domain.errors import InputError, RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.model import (
    ByeKind,
    ConstraintKind,
    Forfeit,
    PlayerId,
    PrizeKind,
    Result,
    ResultState,
    SlipEntry,
    SlipId,
    Start,
)
from tdapp.domain.pairing_settings import Contention, Elimination, PairingSettings
from tdapp.domain.tournament import Tournament, compute_diff, find_faults, list_changed_fields
from tdapp.pairing import propose
from tdapp.scrabble.sheet import SanctionKind, SheetField, parse_sheet
from tdapp.scrabble.wordlist import Verdict
from tests.building import DIVISION, event, paired
from tests.domain.rich import rich
from tests.pinned import pinned, told
from tests.rulebook.books import tiles

AT = "2026-05-01T10:00:00+00:00"


def noted(value: Tournament) -> Tournament:
    """Return the tournament with one row of every kind that a command can name."""
    add: list[tuple[str, dict[str, Any]]] = [
        ("add_division", {"key": "e", "code": "B"}),
        ("add_player", {"key": "q1", "division": "e", "name": "Other"}),
        ("add_stage", {"key": "s2", "division": DIVISION, "system": "knockout", "rounds": 2, "cut": 4}),
        ("add_stage", {"key": "s3", "division": DIVISION, "system": "swiss", "rounds": 3}),
        ("add_prize", {"key": "z", "division": DIVISION, "kind": PrizeKind.RANK, "amount": 5}),
        ("add_prize", {"key": "y", "division": DIVISION, "kind": PrizeKind.HAND, "player": "p2"}),
        ("note_incident", {"key": "i", "division": DIVISION, "kind": IncidentKind.LATE, "at": AT}),
        ("forbid_pairing", {"key": "f", "player": "p1", "other": "p2"}),
        ("keep_apart", {"key": "k", "player": "p3", "other": "p4"}),
    ]
    for name, given in add:
        value = getattr(commands, name)(value, **given)
    challenge: dict[str, Any] = {
        "division": DIVISION,
        "at": AT,
        "words": ("ZE",),
        "edition": "x",
        "verdict": Verdict.VALID,
    }
    return commands.record_challenge(value, key="c", **challenge)


@cache
def states() -> dict[str, Tournament]:
    """Return tournaments with the same ids: begun, with a draft, with everything, certified, and a knockout."""
    began = noted(event(6, rounds=4, rules="no-nsf"))
    one = paired(began)
    draft = commands.propose_round(one, key="r2", proposal=propose(Index(one), DIVISION))
    game = next(iter(one.games.values()))
    one = commands.withdraw_player(one, key="w", player=PlayerId("p6"))
    open_ = commands.open_entry(one.drop(one.results[game.id]), key="slips").put(replace(game, start=Start.DRAW))
    open_ = open_.put(SlipEntry(SlipId(f"{game.id}.{game.first}"), game.id, game.first, 400, 390, False))
    full = noted(rich(1))
    final = full.put(*(replace(result, state=ResultState.FINAL) for result in full.results.values()))
    settings = {"stage": "s", "system": "knockout", "settings": PairingSettings(elimination=Elimination.DOUBLE)}
    cup = paired(commands.edit_stage(began, **settings))  # type: ignore[arg-type]
    tied = next(iter(cup.games))
    cup = cup.put(Result(tied, ResultState.ENTERED, 400, 400))
    return {"began": began, "draft": draft, "open": open_, "full": full, "final": final, "cup": cup}


SHEET = parse_sheet({
    "players": ["P1", "P4"], "ended": "out", "rack_values": [0, 4],
    "turns": [{"player": 1, "kind": "play", "word": "A", "score": 20}, {"player": 2, "kind": "pass"}],
})  # fmt: skip
CONTENTIONS = [
    Contention(gibson_spread=()), Contention(gibson_spread=(0, 1)), Contention(hopefulness=(0,)),
    Contention(hopefulness=(1000, 1)), Contention(hopefulness=(1001,)), Contention(control_loss=0),
    Contention(control_loss=1001), Contention(control_rounds=0), Contention(control_rounds=-1),
    Contention(simulations=99), Contention(simulations=10**6), Contention(simulations=10**6 + 1),
    Contention(control_simulations=99), Contention(control_simulations=10**6 + 1), Contention(gibson_spread=(-1,)),
]  # fmt: skip
SETTINGS = [
    PairingSettings(avoid=("club", "town")), PairingSettings(avoid=("club", "club")),
    PairingSettings(avoid_until=0),
    PairingSettings(avoid_until=1), PairingSettings(repeats_from=0), PairingSettings(repeats_from=1),
    PairingSettings(max_repeats=-1), PairingSettings(max_repeats=0), PairingSettings(level_rounds=-1),
    PairingSettings(factor=0), PairingSettings(factor=1), PairingSettings(behind=-1), PairingSettings(behind=2),
    PairingSettings(groups=0), PairingSettings(groups=2), PairingSettings(series=0), PairingSettings(series=9),
    PairingSettings(series=99), PairingSettings(third_place=True), PairingSettings(groups=999),
    *(PairingSettings(contention=one) for one in CONTENTIONS),
]  # fmt: skip
# The value that fits, then others; None too where a field can be emptied.
POOLS: dict[str, list[Any]] = {
    "key": ["new"],
    "division": [DIVISION, "e", "none"],
    "player": ["p1", "p2", "p8", "p9", "q1", "none"],
    "other": ["p5", "p1", "p2", "p4", "q1", 400, 390, 2001],
    "into": ["e", "d", "none"],
    "players": [("p1", "p2"), (), ("p3", "p3"), ("q1",), ("none",), tuple(f"p{at}" for at in range(6, 0, -1))],
    "game": ["r1.g1", "r1.g2", "r2.g1", "r6.g1", "none"],
    "round": ["r2.r", "r1.r", "r6", "r1", "none"],
    "stage": ["s", "s2", "s3", "none"],
    "before": ["s", "s2", "s3"],
    "prize": ["z", "y", "none"],
    "sanction": ["x0", "x1", "none"],
    "incident": ["i", "none"],
    "challenge": ["c", "none"],
    "constraint": ["f", "k", "none"],
    "name": ["Somebody", "", "  ", "x" * 81, "x" * 300],
    "number": [33, 1, 0, -1, 9999, 10000, 100000],
    "rating": [1500, 0, -1, 9999, 10000, "aus", "", "x" * 300],
    "club": [" Own ", "x" * 300],
    "category": ["B", " ", "x" * 300],
    "fixed_table": [3, 0, 999, 1000, 100000],
    "rated_games": [3, 0, -1, 100000],
    "system": ["swiss", "knockout", "round-robin", "none"],
    "rounds": [2, 0, 1, 3, 4, 5, 99, 100, 101],
    "settings": [PairingSettings(), *SETTINGS],
    "cut": [None, 0, 1, 2, 4, 5],
    "carry": [True, False],
    "position": [1, 0, 2, 3, 9],
    "by": list(Seeding),
    "first": [400, None, 0, -1, -200, 1000, 2000, 9999, 10000],
    "second": [380, None, 0, 1999, -9999, -10000],
    "forfeit": [None, *Forfeit],
    "started": [None, *Forfeit, True, False],
    "overtime1": [0, 60, 301, -1],
    "overtime2": [0, 61, 400],
    "flag": [None, Forfeit.FIRST],
    "confirmed": [False, True],
    "reason": ["", "typed wrongly", "  ", "x" * 600],
    "author": ["J", "", "x" * 300],
    "old": ["J", "none"],
    "new": ["Truus", "", "x" * 300],
    "winner": [Forfeit.FIRST, Forfeit.SECOND, Forfeit.BOTH],
    "own": [390, 400, 2000],
    "locked": [True, False],
    "table": [1, 0, 2, 3, 9, 999, 1000, 100000],
    "seats": [
        ((1, "p1", "p3"),),
        ((1, "p1", "p2"), (2, "p3", "p4")),
        ((1, "p1", "p4"),),
        ((1, "p1", "p2"),),
        (),
        ((1, "p1", "p3"), (1, "p3", "p1")),
        ((2, "p4", "p2"), (1, "p1", "p3")),
    ],
    "starter": [None, "p1", "p2"],
    "with_results": [True, False],
    "first_round": [5, 0, 1, 2, 6, 7, 8, 99],
    "last_round": [None, 5, 4, 7, 99],
    "from_round": [None, 1, 2, 3, 7, 8, 0],
    "round_number": [None, 0, 1, 2, 3, 6, 7, 8, 99, 100, 999],
    "present": [True, False],
    "remaining": [ByeKind.FORFEIT, None],
    "points": [0, 5, -1, 9999, 10000],
    "why": ["shouting", " ", "x" * 600],
    "amount": [500, 0, -1, 10**9, 10**12],
    "place": [2, 1, 0, 99, 1000],
    "games": [3, 1, 0, 99, 1000],
    "text": ["cup", "x" * 201],
    "seconds": [60, 0, 1, -1, 36_000, 36_001],
    "at": [AT],
    "note": ["", "x" * 600],
    "words": [("ZEBRA",), (), ("A",) * 8, ("A",) * 9, (" ",)],
    "verdict": list(Verdict),
    "second_verdict": list(Verdict),
    "edition": ["2026"],
    "joint": [None, *Verdict],
    "judge": ["", "x" * 300],
    "tileset": [tiles("no")],
    "sheet": [SHEET, replace(SHEET, tileset="nl"), replace(SHEET, players=("P4", "P1")), replace(SHEET, first=2)],
    "form": [1, 2, 0, 3],
    "turn": [1, 2, 0, 3],
    "field": [SheetField.SCORE, SheetField.FINAL],
    "phony": [True, False],
    "wrong_words": [1, 0, 8, 9],
    "entries": [
        (ResultEntry(1, 1, 400, 300, line=4),),
        (ResultEntry(1, 1, 400, 300, line=4), ResultEntry(1, 1, 400, 300, line=5)),
        (ResultEntry(1, 1, 400, 300, line=4, started="2"), ResultEntry(1, 9, 400, 300, line=5)),
        (),
    ],
}
KINDS: dict[str, list[Any]] = {
    "add_sanction": list(SanctionKind),
    "note_incident": list(IncidentKind),
    "edit_incident": [IncidentKind.EXTRA_TIME],
    "add_prize": list(PrizeKind),
    "edit_prize": list(PrizeKind),
    "withdraw_player": [None, *ByeKind],
    "set_absence": list(ByeKind),
    "keep_apart": list(ConstraintKind),
}
NAMED = ("game", "round", "stage", "prize", "sanction", "constraint")  # what a command is about
MODULES = ("players", "transfers", "results", "rounds", "jury", "sheets", "stages", "prizes", "constraints")


def values_of(name: str, parameter: str) -> list[Any]:
    """Return what an argument is tried with, first what mostly fits."""
    if parameter == "kind":
        return KINDS.get(name, [])
    if parameter == "second" and name == "appeal_challenge":
        return POOLS["second_verdict"]
    if name == "enter_sheets":
        return [] if parameter == "entries" else POOLS.get(parameter, [])
    return POOLS.get(parameter, [])


def fitting(name: str, one: Argument) -> list[Any]:
    """Return those values that are of the type of an argument."""
    told_ = sub(r"\w+\.", "", str(one.hint))
    words = {int: "int", str: "str", bool: "bool", type(None): "None"}
    return [
        value
        for value in values_of(name, one.name)
        if words.get(type(value), "") in told_ or (isinstance(value, str) and "Id" in told_)
    ]


def calls(name: str) -> Iterator[dict[str, Any]]:
    """Yield arguments for a command: those that mostly fit, then each of them in turn with another value."""
    asked = list_arguments(getattr(commands, name))
    needed = {one.name: fitting(name, one) for one in asked if one.required}
    needed |= {one: POOLS[one] for one in ("first", "second") if name in {"enter_result", "second_result"}}
    if name == "discard_round":
        needed |= {"reason": POOLS["reason"][1:], "with_results": POOLS["with_results"]}
    if not all(needed.values()):
        return
    named = next((one for one in NAMED if one in needed), "")
    for place in range(min(3, len(needed[named])) if named else 1):
        base = {one: values[place if one == named else 0] for one, values in needed.items()}
        yield base
        for one in asked:
            for value in fitting(name, one):
                if one.name != named and base.get(one.name, STAYS) is not value:
                    yield base | {one.name: value}
    for value in needed[named][3:] if named else ():
        yield base | {named: value}


def done(value: Tournament, name: str, given: dict[str, Any]) -> str:
    """Return what a call changes, shortly and as a digest of everything, or how it is refused."""
    try:
        after = getattr(commands, name)(value, **given)
    except (RuleViolation, InputError) as refused:
        return f"refused {refused.code} {told(refused.facts)}"
    found = compute_diff(value, after)
    assert find_faults(after) == ()
    rows = []
    for one in found:
        sign = "+" if one.before is None else "-" if one.after is None else ""
        names = [] if sign else sorted(list_changed_fields(one))
        rows.append(f"{sign}{one.kind}/{one.id}{told(names) if names else ''}")
    digest = blake2b(told(found).encode(), digest_size=6).hexdigest()
    return f"{' '.join(rows)[:200]} {digest}"


def names_of(module: str) -> list[str]:
    return [
        command.__name__
        for command in commands.COMMANDS.values()
        if command.__module__ == f"tdapp.domain.commands.{module}"
    ]


def tried(module: str) -> Iterator[str]:
    for name in names_of(module):
        for given in calls(name):
            shown = " ".join(f"{one}={told(value)[:80]}" for one, value in given.items() if one != "key")
            yield f"{name} {shown}"
            answers: dict[str, list[str]] = {}
            for state, value in states().items():
                answers.setdefault(done(value, name, given), []).append(state)
            yield from (f"  {' '.join(where)}: {answer}" for answer, where in answers.items())


@pytest.mark.parametrize("module", MODULES)
def test_what_every_command_does_is_pinned(module: str) -> None:
    made, kept = pinned(__file__, f"commands-{module}", tried(module))
    assert made == kept


def test_a_pairing_is_made_of_what_it_was_proposed_for_only() -> None:
    began = states()["began"]
    proposal = propose(Index(began), DIVISION)
    other = replace(proposal, based_on="0")
    ahead = replace(proposal, number=2)
    rows = [
        f"{name} {told(one.number)} {state}: {done(value, name, {'key': 'n', 'proposal': one})}"
        for name in ("propose_round", "pair_round")
        for one in (proposal, other, ahead)
        for state, value in states().items()
    ]
    made, kept = pinned(__file__, "commands-proposals", rows)
    assert made == kept


def test_every_module_of_commands_that_decides_is_tried() -> None:
    assert all(names_of(module) for module in MODULES)
    untried = [name for module in MODULES for name in names_of(module) if not list(calls(name))]
    assert untried == [
        "check_results", "decide_verdicts", "pair_round", "propose_round", "enter_sheets", "rule_on_word",
    ]  # fmt: skip
