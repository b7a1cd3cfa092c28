"""The verbs `lexicon` and `judge`: editions of word lists, and one verdict for a whole play."""

from __future__ import annotations

from argparse import Namespace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tdapp.cli.house import CliResources
from tdapp.cli.output import show_json
from tdapp.domain.errors import RuleViolation
from tdapp.exchange import wordlist
from tdapp.exchange.files import read_file
from tdapp.exchange.wordlist import PlainList, PracticeList
from tdapp.scrabble.wordlist import Edition, Verdict, normalised, of_play
from tdapp.storage.lexicon import Imprint, Lexicon
from tdapp.storage.lexicon_build import build

_EXIT_CODES = MappingProxyType({Verdict.VALID: 0, Verdict.INVALID: 1, Verdict.NOT_BINDING: 3})


def lexicon(house: CliResources, options: Namespace) -> None:
    """Build an edition, tell about one, or name the practice lists of this machine."""
    expected = {"build": 2, "info": 1, "found": 0}[options.what]
    if len(options.paths) != expected:
        raise RuleViolation("lexicon-what")
    {"build": _build, "info": _info, "found": _found}[options.what](house, options)


def _build(house: CliResources, options: Namespace) -> None:
    source, target = options.paths
    practice = _practice(house, source)
    language = options.language or (practice.language if practice else None)
    if language is None:
        raise RuleViolation("lexicon-language-missing")
    plain = wordlist.read(
        read_file(source),
        source.name,
        language=language,
        joints=not options.without_hyphens,
        names=not options.without_names and (practice is None or practice.names),
        encoding=options.encoding,
    )
    edition = Edition(
        name=options.name or (practice.name if practice else source.stem),
        language=language,
        date=options.date or _written(source),
        source_hash=plain.source_hash,
        binding_max_length=options.binding_max_length,
    )
    imprint = build(
        target,
        plain.words,
        edition,
        joints=not options.without_hyphens,
        practice=options.practice or practice is not None,
        imported=datetime.now().astimezone().date().isoformat(),
    )
    if options.json:
        show_json({**_imprint_json(imprint), "encoding": plain.encoding, "dropped": _dropped_json(plain)})
        return
    _show_imprint(house, imprint)
    for reason, dropped in plain.dropped.items():
        examples = ", ".join(f"{line.number}: {line.text[:40]}" for line in dropped.examples)
        told = house.catalogue.plural(
            "dropped: {n} line, {reason}", "dropped: {n} lines, {reason}", dropped.count, reason=reason
        )
        print(f"{told} ({examples})" if examples else told)


def _practice(house: CliResources, source: Path) -> PracticeList | None:
    known = {item.path.resolve(): item for item in wordlist.practice_lists(house.resources / "lexicons")}
    return known.get(source.resolve())


def _written(source: Path) -> str:
    return datetime.fromtimestamp(source.stat().st_mtime, UTC).date().isoformat()


def _dropped_json(plain: PlainList) -> dict[str, Any]:
    return {
        reason.value: {"count": dropped.count, "examples": [line._asdict() for line in dropped.examples]}
        for reason, dropped in plain.dropped.items()
    }


def _info(house: CliResources, options: Namespace) -> None:
    with Lexicon.open(options.paths[0]) as found:
        found.check()
    if options.json:
        show_json({**_imprint_json(found.imprint), "sound": True})
        return
    _show_imprint(house, found.imprint)
    print(house.catalogue.text("The file is sound."))


def _found(house: CliResources, options: Namespace) -> None:
    lists = wordlist.practice_lists(house.resources / "lexicons")
    if options.json:
        show_json([{"path": str(item.path), "language": item.language, "name": item.name} for item in lists])
        return
    for item in lists:
        print(f"{item.language:4}{item.name:32}{item.path}")


def _imprint_json(imprint: Imprint) -> dict[str, Any]:
    edition = imprint.edition
    return {
        "name": edition.name,
        "language": edition.language,
        "date": edition.date,
        "edition_id": imprint.id,
        "source_hash": edition.source_hash,
        "binding_max_length": edition.binding_max_length,
        "hyphens": imprint.joints,
        "practice": imprint.practice,
        "imported": imprint.imported,
        "words": imprint.words,
    }


def _show_imprint(house: CliResources, imprint: Imprint) -> None:
    words, edition = house.catalogue, imprint.edition
    print(f"{edition.name} ({edition.language}, {edition.date}), {imprint.id}")
    print(words.plural("{n} word", "{n} words", imprint.words))
    if imprint.practice:
        print(words.text("A practice list, official nowhere."))
    if edition.binding_max_length is not None:
        print(words.text("Binding up to {length} letters.", length=edition.binding_max_length))
    print(f"sha256 {edition.source_hash}")


def judge(house: CliResources, options: Namespace) -> int:
    """Give one verdict for a whole play; nothing tells which word failed (no-turneringsreglement 3.10)."""
    with Lexicon.open(options.lexicon) as asked:
        verdict = of_play((_letters(asked, word) for word in options.words), asked)
        imprint = asked.imprint
    if options.json:
        show_json(
            {
                "verdict": verdict.value,
                "edition": imprint.edition.name,
                "edition_id": imprint.id,
                "practice": imprint.practice,
                "words": len(options.words),
            }
        )
    else:
        print(house.catalogue.code(verdict))
    return _EXIT_CODES[verdict]


def _letters(asked: Lexicon, typed: str) -> str:
    """Return a word as the list would have it; what cannot be laid is no word of any list."""
    return normalised(typed, asked.edition.language, joints=asked.imprint.joints) or ""
