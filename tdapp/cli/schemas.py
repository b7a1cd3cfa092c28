"""The JSON documents by verb, and the verb that prints their JSON Schema."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, Literal

from msgspec import UNSET, UnsetType, defstruct

from tdapp.cli import json_types, jury_json_types, lexicon_json_types, ranking_json_types
from tdapp.cli.program import Program
from tdapp.domain.errors import RuleViolation
from tdapp.domain.tournament import KINDS
from tdapp.exchange.json_documents import DATA, BracketJson, PlayerJson, PublicJson, RoundJson, StandingsJson
from tdapp.exchange.json_text import json_text
from tdapp.exchange.schema import schema

DOCUMENTS: dict[str, Any] = {  # a tuple: one of them
    "admit": json_types.AdmittedJson,
    "balance": json_types.BalanceJson,
    "bracket": BracketJson,
    "bye": list[json_types.AwardJson],
    "chances": ranking_json_types.ChancesJson,
    "check": json_types.CheckJson,
    "checked": jury_json_types.CheckedJson,
    "demo": json_types.DemoJson,
    "do": (json_types.RanJson, dict[str, dict[str, str]]),
    "erase": json_types.ErasedJson,
    "export": json_types.ExportedJson,
    "fetch": json_types.SharedFileJson,
    "gcg": jury_json_types.AnnotatedJson,
    "history": list[json_types.HistoryJson],
    "import": (json_types.ImportedJson, json_types.StepJson),
    "judge": jury_json_types.VerdictJson,
    "lexicon": lexicon_json_types.LEXICON,
    "merge": json_types.FollowsJson,
    "move": json_types.FollowsJson,
    "new": json_types.NewJson,
    "news": list[ranking_json_types.NewsJson],
    "pair": RoundJson,
    "pairings": RoundJson,
    "players": list[PlayerJson],  # type: ignore[valid-type]
    "print": (json_types.PrintedJson, dict[str, str]),
    "prizes": ranking_json_types.PrizesJson,
    "ratings": (ranking_json_types.RatingsJson, list[ranking_json_types.RatingSystemJson]),
    "redo": json_types.StepJson,
    "referee": (json_types.SampleEventsJson, list[json_types.ExaminationJson]),
    "rehearse": ranking_json_types.RehearsalJson,
    "repair": (json_types.RepairedJson, json_types.SavedJson),
    "result": json_types.StepJson,
    "results": json_types.StepJson,
    "return": json_types.StepJson,
    "rule": jury_json_types.RuledJson,
    "rulesets": list[json_types.PresetJson],
    "sanction": (json_types.StepJson, list[jury_json_types.SanctionJson]),
    "schema": list[str],
    "score": jury_json_types.ScoreJson,
    "serve": json_types.ServedJson,
    "share": json_types.SharedFileJson,
    "sheet": (jury_json_types.SheetJson, list[jury_json_types.SheetOfFolderJson]),
    "snapshot": json_types.FileJson,
    "stages": json_types.StagesJson,
    "standings": StandingsJson,
    "teams": ranking_json_types.TeamsJson,
    "times": json_types.TimesJson,
    "undo": json_types.StepJson,
    "unshare": json_types.UnsharedJson,
    "verify": json_types.VerificationJson,
    "what-if": json_types.WhatIfJson,
    "withdraw": json_types.StepJson,
}  # by verb
EXPORT = "export.json"  # written by `export`


def schema_of(name: str, *, closed: bool = False) -> dict[str, Any]:
    """Return the JSON Schema of a verb or a file. Raises RuleViolation for an unknown name."""
    rows = [(kind, list[row] | UnsetType, UNSET) for kind, row in KINDS.items()]  # type: ignore[valid-type]
    whole = defstruct("Tournament", [("format", Literal["tdapp"]), ("version", Literal[1]), *rows])
    known = {DATA: PublicJson, EXPORT: whole, **DOCUMENTS}
    if name not in known:
        raise RuleViolation("unknown-schema", name=name, known=", ".join(known))
    wanted = known[name]
    return schema(name, *(wanted if isinstance(wanted, tuple) else (wanted,)), closed=closed or name == EXPORT)


def print_schema(_program: Program, options: Namespace) -> object:
    names = [DATA, EXPORT, *DOCUMENTS]
    if options.name is None:
        if not options.json:
            print(*names, sep="\n")
        return names
    print(json_text(schema_of(options.name)))
    return None
