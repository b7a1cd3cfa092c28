"""Read a division that tsh publishes as JSON, as if it were a `.t` file.

Published ratings by round are skipped. The `spread_cap` of the configuration is used.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from tdapp.domain.entries import DivisionEntry, EventEntry
from tdapp.domain.errors import InputError
from tdapp.domain.serialization import InvalidDocumentError
from tdapp.exchange import tsh
from tdapp.exchange.text import MAX_ROWS, clean_text_to_one_line, decode_text, parse_json
from tdapp.exchange.tsh_lines import MAX_ROUNDS, TshPlayerLine, format_player_line

_LIST_KEYS = ("pairings", "scores")
_ROUND_KEYS = ("p12", "board")
_NUMBER_KEYS = ("off", *(key for key, field in tsh.KEYS.items() if field.is_number))
_TEXT_KEYS = tuple(key for key, field in tsh.KEYS.items() if field.is_text)
_YES_NO_KEYS = tuple(key for key, field in tsh.KEYS.items() if field.is_yes_no)
_SUPPORTED_KEYS = frozenset(
    {"id", "name", "rating", *_LIST_KEYS, *_ROUND_KEYS, *_NUMBER_KEYS, *_TEXT_KEYS, *_YES_NO_KEYS}
)
_HIGHEST_NUMBER = 99_999
_NUMBER = re.compile(r"[+-]?[0-9]{1,5}(?:\.[0-9]{1,9})?")
_XTID = re.compile("(.+):XT0*([0-9]+)")  # a name that ends in the number at cross-tables.com


def read_tsh_json_event(data: bytes, source: str = "") -> EventEntry:
    document = parse_json(decode_text(data, source), source)
    if (
        not isinstance(document, dict)
        or not isinstance(document.get("players"), list)
        or "division" not in document
    ):
        raise InputError("document-other", source=source)
    try:
        return _make_event(document, source)
    except InvalidDocumentError as error:
        raise InputError("document-invalid", source=source, problems=tuple(error.problems)) from error


def _make_event(document: Mapping[str, Any], source: str) -> EventEntry:
    entry, config = read_tsh_json_division(document, source), document.get("config", {})
    return EventEntry(
        (entry,),
        name=_read_text(config, "event_name", "config.")[:200],
        date=_read_text(config, "event_date", "config.")[:200],
    )


def read_tsh_json_division(document: Mapping[str, Any], source: str) -> DivisionEntry:
    """Return a division from decoded JSON. Raises InvalidDocumentError or InputError."""
    players, config = document["players"], document.get("config", {})
    if not isinstance(config, dict):
        raise InvalidDocumentError(["config: expected a table"])
    if not players or len(players) > MAX_ROWS:
        raise InvalidDocumentError([f"players: {len(players)}"])
    player_lines = [_read_player_line(player, number) for number, player in enumerate(players, 1)]
    text = "".join(f"{format_player_line(player_line)}\n" for player_line in player_lines)
    entry = tsh.read_division(text.encode(), source)
    dropped_keys = sorted(
        {clean_text_to_one_line(str(key))[:50] for player in players for key in player} - _SUPPORTED_KEYS
    )
    return replace(
        entry,
        code=_read_text(document, "division", "")[:20] or "A",
        spread_caps=_read_spread_caps(config),
        dropped=tuple(dropped_keys),
    )


def _read_spread_caps(config: Mapping[str, Any]) -> tuple[int, ...]:
    spread_cap = config.get("spread_cap") or []
    caps = [spread_cap] if isinstance(spread_cap, int) else spread_cap
    if not isinstance(caps, list) or len(caps) > MAX_ROUNDS:
        raise InvalidDocumentError(["config.spread_cap: expected numbers"])
    return tuple(_read_whole_number(cap, "config.spread_cap", least=0) for cap in caps)


def _read_player_line(player: object, number: int) -> TshPlayerLine:
    path = f"players[{number - 1}]."
    if not isinstance(player, dict):
        raise InvalidDocumentError([f"players[{number - 1}]: expected a table"])
    if player.get("id", number) != number:
        raise InvalidDocumentError([f"{path}id: expected {number}"])
    opponents, scores = (_read_numbers_by_round(player, key, path) for key in _LIST_KEYS)
    keys = {key: tuple(map(str, _read_numbers_by_round(player, key, path))) for key in _ROUND_KEYS}
    keys |= {key: tuple(_read_words_of_key(player, key, path)) for key in _TEXT_KEYS}
    ranks = {key: value for key in tsh.RANKS if isinstance(value := player.get(key), list)}
    keys |= {
        key: tuple(str(rank) if type(rank) is int else "0" for rank in value[:MAX_ROUNDS])
        for key, value in ranks.items()
    }
    keys |= {key: ("1",) for key in _YES_NO_KEYS if player.get(key) not in (None, "", "0", 0, [], ["0"], [0])}
    number_values = {key: player.get(key) for key in _NUMBER_KEYS}
    given_numbers = {
        key: value for key, value in number_values.items() if value is not False and value not in (None, "", [])
    }
    keys |= {key: (str(_read_first_number(value, path + key)),) for key, value in given_numbers.items()}
    name = _read_text(player, "name", path)
    if xtid_match := _XTID.fullmatch(name):
        name, keys["xtid"] = xtid_match[1], keys["xtid"] or (xtid_match[2],)
    if not name:
        raise InvalidDocumentError([f"{path}name: missing"])
    return TshPlayerLine(
        line=number,
        name=name,
        member="",
        rating=_read_rating(player.get("rating", 0), f"{path}rating"),
        opponents=opponents,
        scores=scores,
        keys={key: values for key, values in keys.items() if any(values)},
    )


def _read_first_number(value: object, path: str) -> int:
    first = value[0] if isinstance(value, list) and value else value
    return 0 if first is True else _read_whole_number(first, path)


def _read_rating(value: object, path: str) -> int:
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, str) and value[:5].partition("+")[0].isdecimal() and value.isascii():
        return _read_whole_number(int(value[:5].partition("+")[0]), path, least=0)
    if isinstance(value, float) and abs(value) <= _HIGHEST_NUMBER:
        value = math.floor(value + 0.5)
    return _read_whole_number(0 if value in (None, "") else value, path, least=0)


def _read_numbers_by_round(player: Mapping[str, Any], key: str, path: str) -> tuple[int | None, ...]:
    values = player.get(key, [])
    if not isinstance(values, list) or len(values) > MAX_ROUNDS:
        raise InvalidDocumentError([f"{path}{key}: expected a list of at most {MAX_ROUNDS} numbers"])
    return tuple(None if value is None else _read_whole_number(value, path + key) for value in values)


def _read_whole_number(value: object, path: str, *, least: int = -_HIGHEST_NUMBER) -> int:
    """Read a whole number, which some tsh versions write as a text or with a decimal point."""
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is not int or not least <= value <= _HIGHEST_NUMBER:
        raise InvalidDocumentError([f"{path}: {value!r:.50}"])
    return value


def _read_words_of_key(table: Mapping[str, Any], key: str, path: str) -> list[str]:
    value = table.get(key)
    if isinstance(value, list) or type(value) is int:
        value = " ".join(map(str, value if isinstance(value, list) else [value]))
    return _read_text({key: value}, key, path).split()


def _read_text(table: Mapping[str, Any], key: str, path: str) -> str:
    value = table.get(key) or ""
    if type(value) is int:
        value = str(value)
    if not isinstance(value, str):
        raise InvalidDocumentError([f"{path}{key}: expected a text"])
    return clean_text_to_one_line(value)[:500]
