"""The documents that verbs print with `--json`, by verb, and the verb that prints the JSON Schema of each."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, Literal, NotRequired, TypedDict

from tdapp.cli.documents import (
    AdmittedJson,
    AwardJson,
    BalanceJson,
    CheckJson,
    DemoJson,
    ErasedJson,
    ExaminationJson,
    ExportedJson,
    FileJson,
    FollowsJson,
    HistoryJson,
    ImportedJson,
    NewJson,
    PresetJson,
    PrintedJson,
    RanJson,
    RepairedJson,
    SampleEventsJson,
    SavedJson,
    ServedJson,
    SharedFileJson,
    StagesJson,
    StepJson,
    TimesJson,
    UnsharedJson,
    VerificationJson,
    WhatIfJson,
)
from tdapp.cli.jury_documents import (
    AnnotatedJson,
    BuiltJson,
    CheckedJson,
    FoundListJson,
    RuledJson,
    SanctionJson,
    ScoreJson,
    SheetJson,
    SheetOfFolderJson,
    SoundEditionJson,
    VerdictJson,
)
from tdapp.cli.program import Program
from tdapp.cli.ranking_documents import (
    ChancesJson,
    NewsJson,
    PrizesJson,
    RatingsJson,
    RatingSystemJson,
    RehearsalJson,
    TeamsJson,
)
from tdapp.domain.errors import RuleViolation
from tdapp.domain.tournament import KINDS
from tdapp.exchange.documents import DATA, BracketJson, PlayerJson, PublicJson, RoundJson, StandingsJson
from tdapp.exchange.json_text import json_text
from tdapp.exchange.schema import schema
from tdapp.services.word_lists import Comparison

DOCUMENTS: dict[str, Any] = {
    "admit": AdmittedJson,
    "balance": BalanceJson,
    "bracket": BracketJson,
    "bye": list[AwardJson],
    "chances": ChancesJson,
    "check": CheckJson,
    "checked": CheckedJson,
    "demo": DemoJson,
    "do": RanJson | dict[str, dict[str, str]],
    "erase": ErasedJson,
    "export": ExportedJson,
    "fetch": SharedFileJson,
    "gcg": AnnotatedJson,
    "history": list[HistoryJson],
    "import": ImportedJson | StepJson,
    "judge": VerdictJson,
    "lexicon": BuiltJson | SoundEditionJson | Comparison | list[FoundListJson],
    "merge": FollowsJson,
    "move": FollowsJson,
    "new": NewJson,
    "news": list[NewsJson],
    "pair": RoundJson,
    "pairings": RoundJson,
    "players": list[PlayerJson],
    "print": PrintedJson | dict[str, str],
    "prizes": PrizesJson,
    "ratings": RatingsJson | list[RatingSystemJson],
    "redo": StepJson,
    "referee": SampleEventsJson | list[ExaminationJson],
    "rehearse": RehearsalJson,
    "repair": RepairedJson | SavedJson,
    "result": StepJson,
    "results": StepJson,
    "return": StepJson,
    "rule": RuledJson,
    "rulesets": list[PresetJson],
    "sanction": StepJson | list[SanctionJson],
    "schema": list[str],
    "score": ScoreJson,
    "serve": ServedJson,
    "share": SharedFileJson,
    "sheet": SheetJson | list[SheetOfFolderJson],
    "snapshot": FileJson,
    "stages": StagesJson,
    "standings": StandingsJson,
    "teams": TeamsJson,
    "times": TimesJson,
    "undo": StepJson,
    "unshare": UnsharedJson,
    "verify": VerificationJson,
    "what-if": WhatIfJson,
    "withdraw": StepJson,
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
