"""Maintain the translations: `python -m tdapp.i18n extract|check|compile`.

`extract` updates the template and the .po files in `resources/locale`. `check` reports missing and doubtful
translations. `compile` makes the .mo files, which git ignores.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, cast

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from tdapp.i18n.catalogue import DOMAIN, LANGUAGES

_PURPOSE = "Maintain the translations. Run it in the root of a checkout."
TRANSLATED = tuple(language for language in LANGUAGES if language != "en")
# Methods with texts, and their number of positional arguments. A variable with such a method counts too.
_TEXT_METHODS = {"text": 1, "plural": 3}
_DECLARING_PACKAGES = frozenset({"domain", "pairing"})  # packages that mark texts but do not translate them
_PACKAGES_WITHOUT_TEXTS = frozenset({"scrabble", "storage"})  # with codes only
_MARKER_KEYWORDS: dict[str, Any] = {"N_": None, "Plural": (1, 2), "C_": ((1, "c"), 2)}
_KEYWORDS = {"text": None, "plural": (1, 2), **_MARKER_KEYWORDS}
_STRICT_OPTIONS = {"silent": "false"}  # an unreadable template is an error
_PLACEHOLDER = re.compile(r"\{[^}]*\}")
_HEADER = "# Texts of tdapp, under the program's licence."
_NO_DATE = datetime(2026, 1, 1, tzinfo=UTC)  # so that files change only with their texts


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tdapp.i18n", description=_PURPOSE)
    parser.add_argument("command", choices=("extract", "check", "compile"))
    parser.add_argument(
        "--root", type=Path, default=Path.cwd(), help="root of the checkout (default: current folder)"
    )
    options = parser.parse_args(arguments)
    if options.command == "extract":
        update_and_compile_catalogues(options.root)
    elif options.command == "compile":
        compile_catalogues(options.root)
    problems = list_translation_problems(options.root) if options.command != "compile" else []
    for problem in problems:
        print(problem)
    return 1 if problems and options.command == "check" else 0


def extract_texts(root: Path) -> Catalog:
    template = _make_catalog(None)
    for path in sorted((root / "tdapp").rglob("*.py")):
        package = path.relative_to(root / "tdapp").parts[0]
        if package not in _PACKAGES_WITHOUT_TEXTS:
            _add_texts_of_file(
                template,
                root,
                path,
                _extract_translatable_texts,
                _MARKER_KEYWORDS if package in _DECLARING_PACKAGES else _KEYWORDS,
            )
    for path in sorted((root / "resources" / "site").glob("*.j2")):
        _add_texts_of_file(template, root, path, babel_extract, _KEYWORDS)
    return template


def _add_texts_of_file(
    template: Catalog, root: Path, path: Path, method: object, keywords: Mapping[str, Any]
) -> None:
    with path.open("rb") as file:
        for _line, msgid, comments, context in extract(
            cast("Any", method), file, keywords, options=_STRICT_OPTIONS
        ):
            location = (path.relative_to(root).as_posix(), 1)
            template.add(msgid, None, [location], auto_comments=comments, context=context)


def _extract_translatable_texts(
    file: IO[bytes], keywords: Iterable[str], _tags: object, options: object
) -> Iterator[tuple[int, str, tuple[str | None, ...], list[str]]]:
    calls = (node for node in ast.walk(ast.parse(file.read())) if isinstance(node, ast.Call) and node.args)
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        is_method = isinstance(call.func, ast.Attribute)
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if (
            name in keywords
            and (not is_method or name in _TEXT_METHODS)
            and len(call.args) == _TEXT_METHODS.get(name, len(call.args))
        ):
            yield call.lineno, name, tuple(map(_get_string_literal, call.args)), []


def _get_string_literal(argument: ast.expr) -> str | None:
    value = argument.value if isinstance(argument, ast.Constant) else None
    return value if isinstance(value, str) and value else None


def update_and_compile_catalogues(root: Path) -> None:
    template = extract_texts(root)
    _write_po(template, _get_locale_folder(root) / f"{DOMAIN}.pot")
    for language in TRANSLATED:
        path = get_po_path(root, language)
        catalog = _make_catalog(language)
        for message in _read_catalog(path, language) if path.exists() else ():
            if message.id:
                catalog[message.id] = message
        catalog.update(template, no_fuzzy_matching=True)
        _write_po(catalog, path)
    compile_catalogues(root)


def compile_catalogues(root: Path) -> None:
    for language in TRANSLATED:
        path = get_po_path(root, language)
        with path.with_suffix(".mo").open("wb") as file:
            write_mo(file, _read_catalog(path, language))


def list_translation_problems(root: Path) -> list[str]:
    template = extract_texts(root)
    pot = _get_locale_folder(root) / f"{DOMAIN}.pot"
    problems = []
    if not pot.exists() or _get_message_keys(_read_catalog(pot, None)) != _get_message_keys(template):
        problems.append(f"{pot.name}: stale; run the command extract")
    for language in TRANSLATED:
        path = get_po_path(root, language)
        if not path.exists():
            problems.append(f"{language}: no file; run the command extract")
            continue
        catalog = _read_catalog(path, language)
        problems += [f"{language}: {problem}" for problem in _list_language_problems(catalog, template)]
    return problems


def get_po_path(root: Path, language: str) -> Path:
    return _get_locale_folder(root) / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def _list_language_problems(catalog: Catalog, template: Catalog) -> Iterator[str]:
    template_keys = _get_message_keys(template)
    for message in template:
        translation = catalog.get(message.id, message.context) if message.id else None
        if message.id and (translation is None or not all(_list_translated_forms(translation))):
            yield f"missing: {_get_singular_text(message)}"
        elif translation is not None:
            yield from _list_message_problems(translation)
    yield from (
        f"stale: {_get_singular_text(message)}"
        for message in catalog
        if message.id and _make_message_key(message) not in template_keys
    )


def _list_message_problems(message: Message) -> Iterator[str]:
    if message.fuzzy:
        yield f"fuzzy: {_get_singular_text(message)}"
    ids = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
    plural_placeholders = set(_PLACEHOLDER.findall(ids[-1]))
    all_placeholders = set(_PLACEHOLDER.findall(" ".join(ids)))
    forms = _list_translated_forms(message)
    for position, form in enumerate(forms):
        placeholders = set(_PLACEHOLDER.findall(form))
        last = position == len(forms) - 1  # "one game" does not need its number
        if not placeholders <= all_placeholders or (last and placeholders != plural_placeholders):
            yield f"placeholders differ: {_get_singular_text(message)} / {form}"
        if ("&" in ids[0]) != ("&" in form):
            yield f"access key differs: {_get_singular_text(message)} / {form}"


def _list_translated_forms(message: Message) -> tuple[str, ...]:
    return tuple(message.string) if isinstance(message.string, (tuple, list)) else (message.string or "",)


def _get_singular_text(message: Message) -> str:
    return message.id[0] if isinstance(message.id, (tuple, list)) else message.id


def _make_message_key(message: Message) -> tuple[str, str]:
    ids = "\0".join(message.id) if isinstance(message.id, (tuple, list)) else message.id
    return message.context or "", ids


def _get_message_keys(catalog: Catalog) -> set[tuple[str, str]]:
    return {_make_message_key(message) for message in catalog if message.id}


def _get_locale_folder(root: Path) -> Path:
    return root / "resources" / "locale"


def _make_catalog(language: str | None) -> Catalog:
    return Catalog(
        locale=language,
        project=DOMAIN,
        version="1",
        header_comment=_HEADER,
        last_translator="",
        language_team="",
        msgid_bugs_address="",
        creation_date=_NO_DATE,
        revision_date=_NO_DATE,
        fuzzy=False,
    )


def _read_catalog(path: Path, language: str | None) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=language, ignore_obsolete=True)


def _write_po(catalog: Catalog, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=110, sort_by_file=True, ignore_obsolete=True, include_lineno=False)


if __name__ == "__main__":
    sys.exit(main())
