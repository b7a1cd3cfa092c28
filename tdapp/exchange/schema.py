"""JSON Schemas of documents, from their types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from msgspec.json import decode, encode, schema_components

from tdapp.exchange.json_text import MERGED

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(title: str, *wanted: Any, closed: bool = False) -> dict[str, Any]:
    """Return JSON Schema (draft 2020-12) of one of several types.

    Readers must expect new keys. `closed` forbids other keys.
    """
    found, named = schema_components(wanted, schema_hook=_describe_fraction, ref_template="#/$defs/{name}")
    for described in named.values():
        _merge(described, named)
        if closed and "properties" in described:
            described.setdefault("additionalProperties", False)
    whole = {"$schema": _DIALECT, "title": title, **_choose(found), "$defs": named}
    return cast("dict[str, Any]", decode(encode(whole).replace(b'Json"', b'"')))  # StepJson is called Step


def _choose(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return found[0] if len(found) == 1 else {"anyOf": list(found)}


def _describe_fraction(_wanted: type) -> dict[str, Any]:
    return {"type": ["integer", "string"]}  # a text such as 1/2


def _merge(described: dict[str, Any], named: dict[str, Any]) -> None:
    """Replace the property `*` by its content."""
    merged = described.get("properties", {}).pop(MERGED, None)
    if merged is None:
        return
    described["required"] = [key for key in described["required"] if key != MERGED]
    if "$ref" not in merged:
        described["additionalProperties"] = merged.get("additionalProperties", True)
        return
    inner = named[merged["$ref"].rpartition("/")[2]]
    _merge(inner, named)
    described["properties"] |= inner["properties"]
    described["required"] += inner["required"]
