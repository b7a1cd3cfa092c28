"""The documents that verbs print with `--json`, by verb, and the verb that prints the JSON Schema of each."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, Literal, NotRequired, TypedDict

from tdapp.cli import documents, jury_documents, lexicon_documents, ranking_documents
from tdapp.cli.program import Program
from tdapp.domain.errors import RuleViolation
from tdapp.domain.tournament import KINDS
from tdapp.exchange.documents import DATA, BracketJson, PlayerJson, PublicJson, RoundJson, StandingsJson
from tdapp.exchange.json_text import json_text
from tdapp.exchange.schema import schema

DOCUMENTS: dict[str, Any] = {
    "admit": documents.AdmittedJson,
    "balance": documents.BalanceJson,
    "bracket": BracketJson,
    "bye": list[documents.AwardJson],
    "chances": ranking_documents.ChancesJson,
    "check": documents.CheckJson,
    "checked": jury_documents.CheckedJson,
    "demo": documents.DemoJson,
    "do": documents.RanJson | dict[str, dict[str, str]],
    "erase": documents.ErasedJson,
    "export": documents.ExportedJson,
    "fetch": documents.SharedFileJson,
    "gcg": jury_documents.AnnotatedJson,
    "history": list[documents.HistoryJson],
    "import": documents.ImportedJson | documents.StepJson,
    "judge": jury_documents.VerdictJson,
    "lexicon": lexicon_documents.LexiconJson,
    "merge": documents.FollowsJson,
    "move": documents.FollowsJson,
    "new": documents.NewJson,
    "news": list[ranking_documents.NewsJson],
    "pair": RoundJson,
    "pairings": RoundJson,
    "players": list[PlayerJson],
    "print": documents.PrintedJson | dict[str, str],
    "prizes": ranking_documents.PrizesJson,
    "ratings": ranking_documents.RatingsJson | list[ranking_documents.RatingSystemJson],
    "redo": documents.StepJson,
    "referee": documents.SampleEventsJson | list[documents.ExaminationJson],
    "rehearse": ranking_documents.RehearsalJson,
    "repair": documents.RepairedJson | documents.SavedJson,
    "result": documents.StepJson,
    "results": documents.StepJson,
    "return": documents.StepJson,
    "rule": jury_documents.RuledJson,
    "rulesets": list[documents.PresetJson],
    "sanction": documents.StepJson | list[jury_documents.SanctionJson],
    "schema": list[str],
    "score": jury_documents.ScoreJson,
    "serve": documents.ServedJson,
    "share": documents.SharedFileJson,
    "sheet": jury_documents.SheetJson | list[jury_documents.SheetOfFolderJson],
    "snapshot": documents.FileJson,
    "stages": documents.StagesJson,
    "standings": StandingsJson,
    "teams": ranking_documents.TeamsJson,
    "times": documents.TimesJson,
    "undo": documents.StepJson,
    "unshare": documents.UnsharedJson,
    "verify": documents.VerificationJson,
    "what-if": documents.WhatIfJson,
    "withdraw": documents.StepJson,
}  # by verb
EXPORT = "export.json"  # what `export` writes


def schema_of(name: str, *, closed: bool = False) -> dict[str, Any]:
    """Return the JSON Schema of what a verb prints, or of a file; raise RuleViolation for no such name."""
    rows = {kind: NotRequired[list[row]] for kind, row in KINDS.items()}  # type: ignore[valid-type]
    whole = TypedDict("Tournament", {"format": Literal["tdapp"], "version": Literal[1], **rows})  # type: ignore[misc]
    known = {DATA: PublicJson, EXPORT: whole, **DOCUMENTS}
    if name not in known:
        raise RuleViolation("unknown-schema", name=name, known=", ".join(known))
    return schema(name, known[name], closed=closed or name == EXPORT)


def print_schema(_program: Program, options: Namespace) -> object:
    """Print the schema of a document, or name them all."""
    names = [DATA, EXPORT, *DOCUMENTS]
    if options.name is None:
        if not options.json:
            print(*names, sep="\n")
        return names
    print(json_text(schema_of(options.name)))
    return None
