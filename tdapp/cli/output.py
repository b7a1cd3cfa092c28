"""What verbs print: JSON documents as other programs rely on them, and plain tables for people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from tdapp.desk import Desk
from tdapp.domain import bracket as brackets
from tdapp.domain.index import Index
from tdapp.domain.journal import CLOCK
from tdapp.domain.making import tally
from tdapp.domain.model import DISPUTED, Division, PlayerId, ResultState, Round, Stage
from tdapp.domain.signs import aligned
from tdapp.domain.stages import first_counted, stage_at
from tdapp.domain.standings import Above, Standing, order_of, reasons_above
from tdapp.domain.tables import bracket as bracket_tables
from tdapp.domain.tables import players as player_tables
from tdapp.domain.tables import rounds as round_tables
from tdapp.domain.tables import schedule, statistics
from tdapp.domain.tables import standings as standings_tables
from tdapp.domain.tables.table import Kind, Table
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.domain.timetable import round_times
from tdapp.domain.verification import Verification
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing.hindsight import Repaired


def show_json(document: object) -> None:
    """Print one JSON document."""
    print(json.dumps(document, ensure_ascii=False, indent=1, default=_number))


def _number(value: object) -> float | int:
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    raise TypeError(type(value).__name__)


def picked(row: object, *names: str) -> dict[str, Any]:
    """Return values of a row by the names that they have there."""
    return {name: getattr(row, name) for name in names}


def _state(status: str) -> str:
    """Return one of the four states that programs know: a disputed result is entered."""
    return ResultState.ENTERED.value if status == DISPUTED else status


def step_json(desk: Desk, catalogue: Catalogue) -> dict[str, Any]:
    """Return the newest step as the verbs that only do something print it."""
    step = desk.history()[-1]
    return {
        **picked(step, "seq", "label"),
        "facts": dict(step.facts),
        "undoes": step.undoes,
        "text": catalogue.step(step.label, step.facts),
    }


def show_table(table: Table[Any], catalogue: Catalogue) -> None:
    """Print a table in aligned columns, numbers to the right; empty columns are left out."""
    cells = {
        column.id: [catalogue.cell(column.kind, column.value(row)) for row in table.rows]
        for column in table.columns
    }
    chosen = [column for column in table.columns if any(cells[column.id]) or not table.rows]
    lines = [[catalogue.heading(column.heading) for column in chosen]]
    lines += [list(line) for line in zip(*(cells[column.id] for column in chosen), strict=True)]
    left = {Kind.TEXT, Kind.NAME, Kind.CODE, Kind.STEP, Kind.TIME}
    right = {at for at, column in enumerate(chosen) if column.kind not in left}
    print("\n".join(aligned(lines, right=right)))


def players_json(index: Index, divisions: Sequence[Division]) -> list[dict[str, Any]]:
    """Return the players of `divisions` as the verb `players` prints them."""
    return [
        {
            "division": division.code,
            **picked(row.player, "number", "name", "rating", "club", "country"),
            "class": row.player.category,
            **picked(row.player, "team", "member", "notes", "fixed_table", "rated_games", "checked_in"),
            "status": row.status,
        }
        for division in divisions
        for row in player_tables.players(index, division).rows
    ]


def round_json(index: Index, division: Division, item: Round, catalogue: Catalogue) -> dict[str, Any]:
    """Return a round as the verbs `pair` and `pairings` print it."""
    tournament = index.tournament
    return {
        "division": division.code,
        "round": item.number,
        "system": tournament.stages[item.stage].system,
        "published": item.state.value == "published",
        "games": [_game_json(row, catalogue) for row in round_tables.pairings(index, item).rows],
        "byes": [
            {
                **picked(row, "player", "name", "kind", "spread", "awarded"),
                "reason": catalogue.reason(row.reason.code, dict(row.reason.facts)) if row.reason else None,
            }
            for row in round_tables.byes(index, item).rows
        ],
        "cost": dict(item.cost),
        "relaxed": list(item.relaxed),
        "source": item.source,
        "assumed": [
            {
                "round": tournament.rounds[game.round].number,
                "table": game.table,
                "open": index.result(game.id) is None,
            }
            for game in round_tables.assumed(index, item)
        ],
    }


def _game_json(row: round_tables.PairingRow, catalogue: Catalogue) -> dict[str, Any]:
    return {
        **picked(row, "table", "first", "second"),
        "names": [row.first_name, row.second_name],
        **picked(row, "score1", "score2"),
        "status": _state(row.status),
        "forfeit": row.forfeit.value if row.forfeit else None,
        "start": row.start.value,
        "repeat": row.repeat,
        "reason": catalogue.reason(row.reason.code, dict(row.reason.facts)) if row.reason else "",
        "cost": dict(row.reason.cost) if row.reason else {},
    }


def standings_json(
    index: Index, division: Division, after: int | None, catalogue: Catalogue, *, category: str
) -> dict[str, Any]:
    """Return the standings as the verb `standings` prints them; `why` says why a row is above the next.

    Of a class it has only the players, each with `class_rank` beside the rank in the division.
    """
    after = index.counted(division.id, after)
    order = order_of(index, division, after)
    counted = tally(index, division, after)
    rows = standings_tables.table(index, division, after).rows
    places: dict[str, int] = {}
    if category:
        places = {
            row.key: row.place for row in standings_tables.class_table(index, division, category, after).rows
        }
        rows = tuple(row for row in rows if row.key in places)
    reasons = reasons_above(rows)
    return {
        "division": division.code,
        "after": after,
        "stage": _stage_json(index, division, after),
        **({"class": category} if category else {}),
        **picked(counted, "checked", "unchecked"),
        "order": list(order),
        "spread_caps": list(division.spread_caps),
        "unplayed": division.unplayed.value,
        "rows": [
            {
                **_standing_json(row),
                **({"class_rank": places[row.key]} if category else {}),
                **_stage_place_json(index, row),
                **{name: row.shown(name) for name in order if name not in _COLUMNS and name in TIEBREAKS},
                "why": _why(reasons.get(row.key), catalogue),
            }
            for row in rows
        ],
    }


def _standing_json(row: Standing) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "player": row.player.number,
        "name": row.player.name,
        "games": row.games,
        "wins": row.match_points,
        "losses": row.games_lost,
        **picked(row, "spread", "points"),
        "resistance": row.resistance_points,
        **picked(row, "starts", "active"),
    }


def _stage_json(index: Index, division: Division, after: int | None) -> dict[str, Any] | None:
    """Return the stage that the standings are of, None before the first round."""
    stage = stage_at(index, division.id, after)
    if stage is None:
        return None
    return {
        "number": index.stages(division.id).index(stage) + 1,
        **picked(stage, "system", "cut", "carry", "play_off"),
        "counted_from": first_counted(index, stage),
    }


def _stage_place_json(index: Index, row: Standing) -> dict[str, Any]:
    """Return the number of the last stage that a player plays, and the place in its groups or its knockout."""
    if row.stage is None:
        return {"stage": None}
    stage = index.tournament.stages[row.stage]
    number = index.stages(stage.division).index(stage) + 1
    return {"stage": number, "group": row.group or None, "place": row.place or None, "out": row.out}


def _why(reason: Above | None, catalogue: Catalogue) -> dict[str, Any] | None:
    if reason is None:
        return None
    return {"code": reason.code, **reason.facts, "sentence": catalogue.above(reason.code, reason.facts)}


_COLUMNS = frozenset({"wins", "losses", "spread", "points", "resistance"})


def bracket_json(index: Index, stage: Stage, catalogue: Catalogue) -> dict[str, Any]:
    """Return a knockout's matches and places as the verb `bracket` prints them."""
    players = index.tournament.players
    boxes = [box for tree in bracket_tables.trees(index, stage) for box in tree.boxes]
    boxes.sort(key=lambda box: (box.turn, box.match))
    held = brackets.places(index, stage)
    order = sorted(held, key=lambda player: (held[player], players[player].number))
    return {
        "elimination": stage.settings.elimination.value,
        **picked(stage.settings, "series", "aggregate"),
        "matches": [_match_json(box, catalogue) for box in boxes],
        "places": [
            {"place": held[player], "player": players[player].number, "name": players[player].name}
            for player in order
        ],
    }


def _match_json(box: bracket_tables.MatchBox, catalogue: Catalogue) -> dict[str, Any]:
    return {
        "round": box.turn,
        "match": box.match,
        "part": box.part.value,
        "title": catalogue.match(box.name),
        "rounds": list(box.rounds),
        "players": [side.number for side in box.sides],
        "names": [side.name for side in box.sides],
        "seeds": [side.seed for side in box.sides],
        "coming": [catalogue.coming(side.came) if side.player is None else "" for side in box.sides],
        "winner": next((side.number for side in box.sides if side.won), None),
        "score": None if box.sides[0].score is None else [float(side.score or 0) for side in box.sides],
        "games": [
            {
                **picked(game, "round", "table"),
                "score1": game.points[0],
                "score2": game.points[1],
                "status": _state(game.status),
            }
            for game in box.games
        ],
        **picked(box, "bye", "decided", "needed"),
    }


def stages_json(index: Index, division: Division) -> dict[str, Any]:
    """Return a division's stages as the verb `stages` prints them."""
    rows = [
        {
            **picked(row, "number", "first", "last"),
            **picked(row.stage, "system", "cut", "carry"),
            "groups": row.groups,
            "behind": row.stage.settings.behind,
            "play_off": row.stage.play_off,
            "made": row.made,
        }
        for row in schedule.table(index, division).rows
    ]
    return {"division": division.code, "stages": rows}


def times_json(index: Index, division: Division) -> dict[str, Any]:
    """Return when a division's rounds begin as the verb `times` prints it; `at` has the zone, if one is said."""
    rows = [
        {
            **picked(row, "round", "day"),
            "time": row.hour.isoformat("minutes"),
            "at": row.at.isoformat() if row.at else None,
        }
        for row in round_times(index, division)
    ]
    return {"division": division.code, "times": division.times, "rounds": rows}


def balance_json(index: Index, division: Division, after: int | None) -> dict[str, Any]:
    """Return every player's balance of starts, repeats and byes as the verb `balance` prints it."""
    table = statistics.balance(index, division, after)
    rows = [{column.id: column.value(row) for column in table.columns} for row in table.rows]
    return {"division": division.code, "after": index.latest(division.id, after), "rows": rows}


def verification_json(found: Verification) -> dict[str, Any]:
    """Return how a tournament compares with its printouts as the verb `verify` prints it."""
    return {
        "sound": found.sound,
        **picked(found.head, "revision"),
        "head": found.head.code,
        "holds": found.holds,
        "heads": [
            {
                "head": one.code,
                "found": one.step is not None,
                "revision": one.step.seq if one.step is not None else None,
                "printed_at": one.revision,
                "at": one.step.at if one.step is not None else None,
                "erased": one.erased,
            }
            for one in found.heads
        ],
        "agrees_to": found.proven or None,
        "differs_from": found.broken,
        "rounds": [picked(one, "division", "round", "agrees") for one in found.rounds],
        "clocks": [{**picked(step, "seq", "at"), "seconds": step.facts[CLOCK]} for step in found.clocks],
    }


def repaired_json(index: Index, division: Division, found: Sequence[Repaired], catalogue: Catalogue) -> list[Any]:
    """Return what pairing a division's rounds again gave, as the verb `check` prints it."""

    def numbers(players: Iterable[PlayerId]) -> list[int]:
        return sorted(index.tournament.players[player].number for player in players)

    return [
        {
            "division": division.code,
            **picked(one, "round", "same", "tables", "by_hand", "otherwise"),
            "byes": numbers(one.had),
            "byes_instead": numbers(one.instead),
            "error": catalogue.error(one.failed) if one.failed else None,
        }
        for one in found
    ]


def repaired_text(division: Division, found: Sequence[Repaired], catalogue: Catalogue) -> list[str]:
    """Return what pairing a division's rounds again gave, a sentence for each round that differs."""
    text, code, lines = catalogue.text, division.code, []
    for one in found:
        if one.failed is not None:
            why = catalogue.error(one.failed)
            lines.append(text("Round {round} of {division} cannot be paired again: {why}", round=one.round,
                              division=code, why=why))  # fmt: skip
        elif not one.same:
            tables = catalogue.numbers(one.otherwise) or "–"
            lines.append(text("Round {round} of {division} would be paired otherwise now; tables: {tables}",
                              round=one.round, division=code, tables=tables))  # fmt: skip
    same = sum(one.same for one in found)
    by_hand = sum(len(one.by_hand) for one in found)
    total = text(
        "Division {division}: {same} of {rounds} rounds would be paired the same again; tables set by hand or "
        "brought from elsewhere: {tables}.", division=code, same=same, rounds=len(found), tables=by_hand,
    )  # fmt: skip
    return [*lines, total]
