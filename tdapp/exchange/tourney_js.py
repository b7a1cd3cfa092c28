"""`tourney.js`: an event as the program tsh publishes it for broadcasters.

The file is JavaScript with `undefined` for missing values. Broadcast programs take the first round with a missing
or 0 score as the current round.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from tdapp.domain.entries import ByeEntry, DivisionEntry, EventEntry
from tdapp.domain.errors import InputError
from tdapp.domain.model import ByeKind
from tdapp.domain.serialization import InvalidDocumentError
from tdapp.domain.tables.featured_view import FeaturedGame
from tdapp.exchange import tsh, tsh_json
from tdapp.exchange.text import clean_text_to_one_line, decode_text, parse_json
from tdapp.exchange.tsh_lines import MAX_ROUNDS, TshPlayerLine
from tdapp.scrabble.coordinates import SIZE

NAME = "tourney.js"
_BEGIN = re.compile(rb"(?:\s|//[^\n]*\n|/\*[\s\S]*?\*/)*(?:var\s+)?newt\s*=\s*")  # comments may precede it
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\bundefined\b')
_UNDEFINED = "\0"  # placeholder for `undefined`; never part of a text
_WON_BYES = {ByeKind.BYE, ByeKind.REQUESTED}
_NUMBERS = ("p12", "board", "off", "lifeg", "fixedtable", "xtid")


def is_tourney_js(data: bytes) -> bool:
    return _BEGIN.match(data.removeprefix(b"\xef\xbb\xbf")) is not None


def read_tourney_js(data: bytes, source: str = "") -> EventEntry:
    text = (
        decode_text(_BEGIN.sub(b"", data.removeprefix(b"\xef\xbb\xbf"), count=1), source)
        .rstrip()
        .removesuffix(";")
    )
    document = parse_json(_TOKEN.sub(lambda match: match[0] if match[0][0] == '"' else "null", text), source)
    if (
        not isinstance(document, dict)
        or not isinstance(document.get("divisions"), list)
        or not document["divisions"]
    ):
        raise InputError("document-other", source=source)
    config = document.get("config") or {}
    try:
        divisions = tuple(_read_division(division, config, source) for division in document["divisions"])
    except InvalidDocumentError as error:
        raise InputError("document-invalid", source=source, problems=tuple(error.problems)) from error
    rounds = config.get("max_rounds")
    return EventEntry(
        divisions,
        name=clean_text_to_one_line(str(config.get("event_name") or ""))[:200],
        date=clean_text_to_one_line(str(config.get("event_date") or ""))[:200],
        rounds=rounds if type(rounds) is int and 0 < rounds <= MAX_ROUNDS else 0,
    )


def _read_division(division: object, config: object, source: str) -> DivisionEntry:
    if not isinstance(division, dict) or not isinstance(division.get("players"), list):
        raise InvalidDocumentError(["divisions: expected players"])
    players = [_flatten_player_object(player) for player in division["players"][1:]]
    return tsh_json.read_tsh_json_division(
        {"division": division.get("name"), "players": players, "config": config}, source
    )


def _flatten_player_object(player: object) -> object:
    etc = player.get("etc") if isinstance(player, dict) else None
    if not isinstance(player, dict) or not isinstance(etc, dict):
        return player
    merged = {**etc, **{key: value for key, value in player.items() if key != "etc"}}
    return {key: value for key, value in merged.items() if value not in (None, "", [])}


def encode_tourney_js(event: EventEntry, featured: Mapping[str, Any] | None = None) -> bytes:
    """Return the event as `tourney.js`, with at least `event.rounds` rounds.

    The key `featured` is an addition of tdapp: tsh does not write it.
    """
    caps = event.divisions[0].spread_caps if event.divisions else ()
    config = {
        "event_name": event.name,
        "event_date": event.date,
        "max_rounds": event.rounds,
        "spread_cap": [*caps] if caps else _UNDEFINED,
    }
    document = {
        "config": config,
        "divisions": [_make_division_json(entry, event.rounds) for entry in event.divisions],
        "profile": _UNDEFINED,
        **({"featured": featured} if featured else {}),
    }
    text = json.dumps(document, ensure_ascii=False).replace(json.dumps(_UNDEFINED), "undefined")
    return f"newt={text};\n".encode()


def make_featured_game_json(game: FeaturedGame, division: str, number: int) -> Mapping[str, Any]:
    """Return a game of round `number` for the key `featured`. Blanks are lower case letters.

    The key `turn` is the player to move, 1 or 2, and 0 after the end.
    """
    last = game.last
    return {
        "division": division,
        "round": number,
        "table": game.table,
        "names": game.names,
        "scores": game.scores,
        "turn": game.turn,
        "racks": game.racks,
        "board": [
            [game.board.get_tile(row, column) for column in range(1, SIZE + 1)] for row in range(1, SIZE + 1)
        ],
        "last": last
        and {
            "player": last.turn.player,
            "kind": last.turn.kind,
            "at": last.square,
            "word": last.turn.word or "",
            "score": last.score,
        },
        "unseen": dict(game.unseen),
    }


def _make_division_json(entry: DivisionEntry, planned: int) -> dict[str, Any]:
    rounds = (replace(item, byes=tuple(map(_set_usual_spread_of_bye_if_zero, item.byes))) for item in entry.rounds)
    player_lines = tsh.make_player_lines(replace(entry, rounds=tuple(rounds)))
    round_count = max((len(player_line.opponents) for player_line in player_lines), default=0)
    players = [_make_player_json(number, player_line) for number, player_line in enumerate(player_lines, 1)]
    return {
        "name": entry.code,
        "maxr": max(planned, round_count) - 1,
        "players": [_UNDEFINED, *players],
        "seeds": [],
    }


def _set_usual_spread_of_bye_if_zero(bye: ByeEntry) -> ByeEntry:
    return bye if bye.spread else replace(bye, spread=1 if bye.kind in _WON_BYES else -50)


def _make_player_json(number: int, player_line: TshPlayerLine) -> dict[str, Any]:
    etc: Mapping[str, list[Any]] = {
        key: [int(value) if key in _NUMBERS and re.fullmatch("-?[0-9]+", value) else value for value in values]
        for key, values in {"member": (player_line.member,), **player_line.keys}.items()
        if any(values)
    }
    return {
        "id": number,
        "name": player_line.name,
        "rating": player_line.rating,
        "newr": _UNDEFINED,
        "pairings": [_UNDEFINED if opponent is None else opponent for opponent in player_line.opponents],
        "scores": [_UNDEFINED if score is None else score for score in player_line.scores],
        "etc": {"p12": [], "board": [], "penalty": [], **etc},
        "photo": "",
    }
