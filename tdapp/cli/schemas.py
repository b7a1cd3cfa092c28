"""The verb that prints the JSON Schema of a verb's document or of a file format."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, Literal

from msgspec import UNSET, UnsetType, defstruct

from tdapp.cli.arguments import VERBS
from tdapp.cli.json_types import RefusedJson, ServedJson
from tdapp.cli.program import Program
from tdapp.domain.errors import RuleViolation
from tdapp.domain.tournament import KINDS
from tdapp.domain.type_hints import list_return_types
from tdapp.exchange import json_documents
from tdapp.exchange.json_documents import DATA, PublicJson
from tdapp.exchange.json_text import format_json, make_schema

EXPORT = "export.json"  # written by `export`
REFUSED = "refused"  # printed by any verb for a list with problems
_TEXTS = {"completion", "man"}  # verbs without a document


def make_verb_schema(name: str, *, closed: bool = False) -> dict[str, Any]:
    rows = [(kind, list[row] | UnsetType, UNSET) for kind, row in KINDS.items()]  # type: ignore[valid-type]
    whole = defstruct("Tournament", [("format", Literal["tdapp"]), ("version", Literal[1]), *rows])
    known = {DATA: PublicJson, EXPORT: whole, REFUSED: RefusedJson}
    if name not in _list_names():
        raise RuleViolation("unknown-schema", name=name, known=", ".join(_list_names()))
    wanted = (known[name],) if name in known else _list_documents(name)
    return make_schema(name, *wanted, closed=closed or name == EXPORT)


def _list_names() -> list[str]:
    return [DATA, EXPORT, REFUSED, *sorted(VERBS.keys() - _TEXTS)]


def _list_documents(verb: str) -> tuple[Any, ...]:
    if verb == "serve":
        return (ServedJson,)  # printed while it runs
    return list_return_types(VERBS[verb].load_function(), vars(json_documents))


def print_schema(_program: Program, options: Namespace) -> list[str] | None:
    if options.name is None:
        names = _list_names()
        if not options.json:
            print(*names, sep="\n")
        return names
    print(format_json(make_verb_schema(options.name)))
    return None
