"""A folder of the program tsh: `config.tsh` with the names of the divisions, and a `.t` file for each.

Supported lines of `config.tsh`:

    division A a.t
    config event_name = 'Open Leiden'      config event_date = '21 November 2026'
    config division_label{'A'} = 'Open'    config rating_system = 'nor'
    config spread_cap = [200, 700]         config bye_spread = 50
    config max_rounds = 12                 config realm = 'absp'

The realm (association or country) sets the value of a bye if `bye_spread` is missing. A single `spread_cap`
applies to all rounds. `division_rating_system{'A'}` overrides `rating_system`. Caps in a `.t` file
override `spread_cap`.

Known lines without effect are skipped. Unknown lines are listed in `dropped` with line numbers. Perl code is never
run or parsed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain.entries import DivisionEntry, EventEntry
from tdapp.domain.errors import InputError
from tdapp.exchange import tsh
from tdapp.exchange.text import (
    MAX_CELL,
    MAX_ROWS,
    clean_text_to_one_line,
    decode_text,
    encode_as_latin_or_utf8,
    split_lines,
)
from tdapp.exchange.tsh_lines import MAX_ROUNDS

CONFIG = "config.tsh"
_MAX_DIVISIONS = 50
_DIVISION = re.compile(r"division\s+(\S+)\s+(\S.*?)", re.IGNORECASE)
_SETTING = re.compile(r"config\s+(\w+)\s*(?:\{\s*(['\"]?)([^'\"{}]*)\2\s*\})?\s*=\s*(.*?)\s*;?", re.IGNORECASE)
_TEXT = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\$@]|\\.)*)\"")
_NUMBER = re.compile(r"-?[0-9]{1,6}")
_LIST = re.compile(r"\[([^\[\]]*)\]")
_PAIR = re.compile(
    r"\s*(['\"]?)([^'\"{}=,\s]+)\1\s*=>\s*('(?:[^'\\]|\\.)*'|\"(?:[^\"\\$@]|\\.)*\"|[0-9]{1,6})\s*(?:,|$)"
)
# Ignored settings of tsh.
_SKIPPED = frozenset({"track_firsts", "assign_firsts", "no_boards", "html_directory", "backup_directory", "port"})
_SYSTEMS = {
    "none": "",
    "nsa": "naspa",
    "nsa2008": "naspa",
    "naspa-csw": "naspa",
    "naspa-lct": "naspa",
    **{system: system for system in ("naspa", "aus", "deu", "elo", "nor", "wespa")},
}
_REALMS = {
    "absp": 100,
    "thai": 100,
    "wespa": 100,
    "pol": 300,
}  # spread of a bye; other realms use the default of tsh
_HIGHEST_CAP, _HIGHEST_BYE = 10_000, 1000  # highest values in a division and a rule set
OpenFile = Callable[[str], bytes]


class _TshConfig(Struct):
    divisions: list[tuple[int, str, str]] = field(default_factory=list)  # line, code, file
    global_texts: dict[str, str] = field(default_factory=dict)
    division_texts: dict[str, dict[str, str]] = field(default_factory=dict)
    spread_caps: tuple[int, ...] = ()
    rounds: int = 0
    bye_spread: int | None = None
    dropped_lines: list[tuple[int, str]] = field(default_factory=list)


def is_tsh_config(text: str) -> bool:
    return any(_DIVISION.fullmatch(_strip_comment(line)) for line in split_lines(text)[:MAX_ROWS])


def read_tsh_folder(data: bytes, source: str, open_file: OpenFile) -> EventEntry:
    """Return the event of a `config.tsh`. `open_file` returns the content of another file by name."""
    config = _parse_config(decode_text(data, source), source)
    if not config.divisions:
        raise InputError("tsh-no-divisions", source=source)
    divisions = [_read_division(config, *division_line, source, open_file) for division_line in config.divisions]
    return EventEntry(
        tuple(divisions),
        name=config.global_texts.get("event_name", ""),
        date=config.global_texts.get("event_date", ""),
        rounds=config.rounds,
        bye_spread=config.bye_spread
        if config.bye_spread is not None
        else _REALMS.get(config.global_texts.get("realm", "")),
        dropped=tuple(config.dropped_lines),
    )


def _read_division(
    config: _TshConfig, line: int, code: str, name: str, source: str, open_file: OpenFile
) -> DivisionEntry:
    if re.search(r"[/\\\0]|^\.|^[A-Za-z]:", name):
        raise InputError("tsh-file-outside", source=source, line=line, name=name[:100])
    entry = tsh.read_division(open_file(name), name)
    system = config.division_texts.get("division_rating_system", {}).get(code) or config.global_texts.get(
        "rating_system", ""
    )
    return replace(
        entry,
        code=code,
        name=config.division_texts.get("division_label", {}).get(code, ""),
        rating=_SYSTEMS.get(system, ""),
        spread_caps=entry.spread_caps or config.spread_caps,
    )


# --- the lines -----------------------------------------------------------------------------------------


def _parse_config(text: str, source: str) -> _TshConfig:
    config = _TshConfig()
    lines = split_lines(text)
    if len(lines) > MAX_ROWS:
        raise InputError("too-many-rows", source=source, line=MAX_ROWS, most=MAX_ROWS)
    for number, raw in enumerate(lines, 1):
        line = _strip_comment(raw[:10_000])
        if line and not _read_config_line_if_supported(config, number, line, source):
            config.dropped_lines.append((number, clean_text_to_one_line(raw)[:MAX_CELL]))
    return config


def _strip_comment(line: str) -> str:
    match = re.match(r"(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^#])*", line.lstrip("\ufeff"))
    return match[0].strip() if match else ""


def _read_config_line_if_supported(config: _TshConfig, number: int, line: str, source: str) -> bool:
    division = _DIVISION.fullmatch(line)
    if division is not None:
        code, name = division[1][:MAX_CELL], _unquote_value(division[2]) or division[2]
        if any(code.casefold() == other_code.casefold() for _, other_code, _ in config.divisions):
            raise InputError("tsh-division-twice", source=source, line=number, division=code)
        if len(config.divisions) == _MAX_DIVISIONS:
            raise InputError("too-many-rows", source=source, line=number, most=_MAX_DIVISIONS)
        config.divisions.append((number, code, name))
        return True
    setting = _SETTING.fullmatch(line)
    if setting is None:
        return False
    key, code, value = setting[1].lower(), setting[3], setting[4]
    if key in {"division_label", "division_rating_system"}:
        return _read_division_setting_if_supported(config, key, code, value)
    return key in _SKIPPED or (code is None and _read_global_setting_if_supported(config, key, value))


def _read_global_setting_if_supported(config: _TshConfig, key: str, value: str) -> bool:
    text = _unquote_value(value)
    numbers = _parse_numbers(value)
    if key in {"event_name", "event_date", "rating_system", "realm"} and text is not None:
        config.global_texts[key] = clean_text_to_one_line(text)[:200]
        return (key != "rating_system" or text in _SYSTEMS) and (key != "realm" or text in _REALMS)
    if key == "spread_cap" and numbers and min(numbers) >= 0 and max(numbers) <= _HIGHEST_CAP:
        config.spread_caps = numbers
        return True
    if key == "max_rounds" and len(numbers) == 1 and 0 < numbers[0] <= MAX_ROUNDS:
        config.rounds = numbers[0]
        return True
    if key == "bye_spread" and len(numbers) == 1 and abs(numbers[0]) <= _HIGHEST_BYE and value == text:
        config.bye_spread = numbers[0]
        return True
    return False


def _read_division_setting_if_supported(config: _TshConfig, key: str, division: str | None, value: str) -> bool:
    pairs = {division: _unquote_value(value)} if division else _parse_values_by_division(value)
    texts = {code: text for code, text in pairs.items() if text is not None}
    if not pairs or texts != pairs or (key == "division_rating_system" and not {*texts.values()} <= {*_SYSTEMS}):
        return False
    config.division_texts.setdefault(key, {}).update(
        {code: clean_text_to_one_line(text)[:200] for code, text in texts.items()}
    )
    return True


def _unquote_value(value: str) -> str | None:
    """Return a Perl value as text, None if it is an expression."""
    match = _TEXT.fullmatch(value)
    if match is None:
        return value if _NUMBER.fullmatch(value) else None
    return re.sub(r"\\(.)", r"\1", match[1] if match[1] is not None else match[2])


def _parse_numbers(value: str) -> tuple[int, ...]:
    match = _LIST.fullmatch(value)
    words = [word.strip() for word in match[1].split(",")] if match else [value]
    words = words[:-1] if words[-1:] == [""] else words
    if not 1 <= len(words) <= MAX_ROUNDS or not all(_NUMBER.fullmatch(word) for word in words):
        return ()
    return tuple(map(int, words))


def _parse_values_by_division(value: str) -> dict[str, str | None]:
    body = value.strip()
    if not (body.startswith("{") and body.endswith("}")):
        return {}
    body, pairs, position = body[1:-1].strip(), dict[str, str | None](), 0
    while position < len(body):
        match = _PAIR.match(body, position)
        if match is None:
            return {}
        pairs[match[2]] = _unquote_value(match[3])
        position = match.end()
    return pairs


# --- writing -------------------------------------------------------------------------------------------


def encode_tsh_folder(event: EventEntry) -> Mapping[str, bytes]:
    """Return the files of the folder by name.

    Divisions without players are left out, because tsh cannot load them.
    """
    divisions = [item for item in event.divisions if item.players]
    names = _make_file_names(divisions)
    config = encode_as_latin_or_utf8(
        "".join(f"{line}\n" for line in _format_config_lines(event, divisions, names))
    )
    files = {name: tsh.encode_tsh_division(item) for name, item in zip(names, divisions, strict=True)}
    return {CONFIG: config, **files}


def _make_file_names(divisions: Sequence[DivisionEntry]) -> list[str]:
    names: list[str] = []
    for number, item in enumerate(divisions, 1):
        code = item.code.lower()
        stem = "".join(character for character in code if character.isascii() and character.isalnum())
        stem = stem or f"d{number}"
        names.append(f"{stem}.t" if f"{stem}.t" not in names else f"{stem}-{number}.t")
    return names


def _format_config_lines(
    event: EventEntry, divisions: Sequence[DivisionEntry], names: Sequence[str]
) -> Iterator[str]:
    if event.name:
        yield f"config event_name = {_quote_text(event.name)}"
    if event.date:
        yield f"config event_date = {_quote_text(event.date)}"
    if event.rounds:
        yield f"config max_rounds = {event.rounds}"
    yield "config track_firsts = 1"
    if event.bye_spread is not None:
        yield f"config bye_spread = {event.bye_spread}"
    caps = {item.spread_caps for item in divisions}
    if len(caps) == 1 and (spread_caps := next(iter(caps))):
        yield f"config spread_cap = [{', '.join(map(str, spread_caps))}]"
    codes = _make_division_codes(divisions)
    for item, code in zip(divisions, codes, strict=True):
        if item.name:
            yield f"config division_label{{{_quote_text(code)}}} = {_quote_text(item.name)}"
        if item.rating in _SYSTEMS:
            yield f"config division_rating_system{{{_quote_text(code)}}} = {_quote_text(item.rating)}"
    yield from (f"division {code} {name}" for code, name in zip(codes, names, strict=True))


def _make_division_codes(divisions: Sequence[DivisionEntry]) -> list[str]:
    codes: dict[str, str] = {}  # by the code in lower case
    for item in divisions:
        stem = code = re.sub(r"[\s#'\"\\{}]", "", item.code) or "A"
        number = 1
        while code.casefold() in codes:
            number += 1
            code = f"{stem}-{number}"
        codes[code.casefold()] = code
    return [*codes.values()]


def _quote_text(text: str) -> str:
    return "'" + clean_text_to_one_line(text).replace("\\", "\\\\").replace("'", "\\'") + "'"
