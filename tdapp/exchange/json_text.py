"""Convert structs to JSON. The content of a field with the key `*` is merged into its parent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeVar, cast

from msgspec import Struct, to_builtins
from msgspec.json import decode, encode, schema_components

MERGED_KEY = "*"
T = TypeVar("T", bound=Struct)


def format_json(document: object) -> str:
    return json.dumps(
        _merge_fields_named_star_into_parent(convert_to_dicts_and_lists(document)), ensure_ascii=False, indent=1
    )


def convert_to_dicts_and_lists(document: object) -> Any:
    """Return a document as dicts and lists. Leave keys `*` unchanged."""
    return to_builtins(document, enc_hook=_convert_fraction_for_json)


def convert_fraction_to_number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _convert_fraction_for_json(value: object) -> int | float:
    if isinstance(value, Fraction):
        return convert_fraction_to_number(value)
    raise NotImplementedError(type(value).__name__)


def _merge_fields_named_star_into_parent(value: Any) -> Any:
    if isinstance(value, dict):
        merged: dict[str, Any] = {}
        for key, item in value.items():
            merged |= (
                _merge_fields_named_star_into_parent(item)
                if key == MERGED_KEY
                else {key: _merge_fields_named_star_into_parent(item)}
            )
        return merged
    return (
        [_merge_fields_named_star_into_parent(item) for item in value]
        if isinstance(value, (list, tuple))
        else value
    )


def make_document_from_rows(document_type: type[T], *rows: object, **fields: object) -> T:
    """Make a document.

    A field gets its value from `fields`. If missing there, use the first of `rows` with an attribute of this name.
    """
    for name in document_type.__struct_fields__:
        for row in rows:
            if name not in fields and hasattr(row, name):
                fields[name] = getattr(row, name)
    return document_type(**fields)


_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def make_json_schema(title: str, *types: Any, forbids_unknown_keys: bool = False) -> dict[str, Any]:
    """Return the JSON Schema of the types."""
    schemas, definitions = schema_components(
        types, schema_hook=_make_fraction_text_schema, ref_template="#/$defs/{name}"
    )
    for definition in definitions.values():
        _merge_schema_into_parent(definition, definitions)
        if forbids_unknown_keys and "properties" in definition:
            definition.setdefault("additionalProperties", False)
    schema = {"$schema": _DIALECT, "title": title, **_combine_schemas(schemas), "$defs": definitions}
    return cast("dict[str, Any]", decode(encode(schema).replace(b'Json"', b'"')))  # StepJson is called Step


def _combine_schemas(schemas: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}


def _make_fraction_text_schema(_type: type) -> dict[str, Any]:
    return {"type": ["integer", "string"]}  # a text such as 1/2


def _merge_schema_into_parent(schema: dict[str, Any], definitions: dict[str, Any]) -> None:
    merged = schema.get("properties", {}).pop(MERGED_KEY, None)
    if merged is None:
        return
    schema["required"] = [key for key in schema["required"] if key != MERGED_KEY]
    if "$ref" not in merged:
        schema["additionalProperties"] = merged.get("additionalProperties", True)
        return
    inner = definitions[merged["$ref"].rpartition("/")[2]]
    _merge_schema_into_parent(inner, definitions)
    schema["properties"] |= inner["properties"]
    schema["required"] += inner["required"]
