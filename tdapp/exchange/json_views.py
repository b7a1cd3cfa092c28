"""Read models as JSON with stable keys: players, a round, standings and a bracket.

`json_documents` declares their keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tdapp.domain import bracket as brackets
from tdapp.domain.game_results import count_checked_games
from tdapp.domain.index import Index
from tdapp.domain.model import DISPUTED, Division, Reason, ResultState, Round, Stage
from tdapp.domain.player_fields import LISTED
from tdapp.domain.records import list_spread_caps
from tdapp.domain.stages import find_first_counted_round, find_stage_at
from tdapp.domain.standings import Above, Standing, explain_ranks, find_order
from tdapp.domain.tables import bracket as bracket_tables
from tdapp.domain.tables import players as player_tables
from tdapp.domain.tables import rounds as round_tables
from tdapp.domain.tables import standings as standings_tables
from tdapp.exchange.json_documents import ByeJson, GameJson, MatchGameJson, MatchJson, StandingsStageJson
from tdapp.exchange.json_text import filled, picked
from tdapp.i18n.catalogue import Catalogue

_IN_EVERY_ROW = frozenset({"wins", "losses", "spread", "points", "resistance"})  # of the tie-breaks


_PUBLIC = frozenset({"rating", "club", "country", "category", "team"})  # in the public document too
_OF_DESK = tuple(one.name for one in LISTED if one.name not in _PUBLIC)


def _state(status: str) -> str:
    return ResultState.ENTERED.value if status == DISPUTED else status


def players_json(index: Index, divisions: Sequence[Division]) -> list[dict[str, Any]]:
    """Return the players of divisions, as printed by the command `players`."""
    return [
        {
            "division": division.code,
            **picked(row.player, "number", "name", "rating", "club", "country"),
            "class": row.player.category,
            "team": row.player.team,
            **picked(row.player, *_OF_DESK, "checked_in"),
            "status": row.status,
        }
        for division in divisions
        for row in player_tables.player_table(index, division).rows
    ]


def round_json(index: Index, division: Division, item: Round, catalogue: Catalogue) -> dict[str, Any]:
    """Return a round, as printed by the commands `pair` and `pairings`."""
    tournament = index.tournament
    return {
        "division": division.code,
        "round": item.number,
        "system": tournament.stages[item.stage].system,
        "published": item.state.value == "published",
        "games": [_game_json(row, catalogue) for row in round_tables.pairing_table(index, item).rows],
        "byes": [
            filled(ByeJson, row, reason=_reason(row.reason, catalogue) if row.reason else None)
            for row in round_tables.bye_table(index, item).rows
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
            for game in round_tables.assumed_games(index, item)
        ],
    }


def _game_json(row: round_tables.PairingRow, catalogue: Catalogue) -> dict[str, Any]:
    names, cost = [row.first_name, row.second_name], dict(row.reason.cost) if row.reason else {}
    reason = _reason(row.reason, catalogue) if row.reason else ""
    return filled(
        GameJson, row, names=names, status=_state(row.status), decision=row.decided_by, reason=reason, cost=cost
    )


def _reason(reason: Reason, catalogue: Catalogue) -> str:
    return catalogue.reason(reason.code, dict(reason.facts))


def standings_json(
    index: Index, division: Division, after: int | None, catalogue: Catalogue, *, category: str
) -> dict[str, Any]:
    """Return the standings, as printed by the command `standings`. `why` tells why a row is above the next.

    With `category` only its players are included, each with `class_rank` next to the rank.
    """
    after = index.counted(division.id, after)
    order = find_order(index, division, after)
    counted = count_checked_games(index, division, after)
    rows = standings_tables.standings_table(index, division, after).rows
    places: dict[str, int | None] = {}
    if category:
        places = {
            row.key: row.place for row in standings_tables.class_table(index, division, category, after).rows
        }
        rows = tuple(row for row in rows if row.key in places)
    reasons = explain_ranks(rows)
    return {
        "division": division.code,
        "after": after,
        "stage": _stage_json(index, division, after),
        **({"class": category} if category else {}),
        **picked(counted, "checked", "unchecked"),
        "order": list(order),
        "spread_caps": list(list_spread_caps(index, division)),
        "unplayed": division.unplayed.value,
        "rows": [
            {
                **_standing_json(row),
                **({"class_rank": places[row.key]} if category else {}),
                **_stage_place_json(index, row),
                **{name: row.shown(name) for name in order if name not in _IN_EVERY_ROW},
                "why": _why(reasons.get(row.key), catalogue),
            }
            for row in rows
        ],
    }


def _standing_json(row: Standing) -> dict[str, Any]:
    return {
        "rank": row.listed_rank,
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
    """Return the stage of the standings, or None before the first round."""
    stage = find_stage_at(index, division.id, after)
    if stage is None:
        return None
    number = index.stages(division.id).index(stage) + 1
    return filled(StandingsStageJson, stage, number=number, counted_from=find_first_counted_round(index, stage))


def _stage_place_json(index: Index, row: Standing) -> dict[str, Any]:
    if row.stage is None:
        return {"stage": None}
    stage = index.tournament.stages[row.stage]
    number = index.stages(stage.division).index(stage) + 1
    return {"stage": number, "group": row.group or None, "place": row.listed_place, "out": row.out}


def _why(reason: Above | None, catalogue: Catalogue) -> dict[str, Any] | None:
    if reason is None:
        return None
    return {"code": reason.code, **reason.facts, "sentence": catalogue.above(reason.code, reason.facts)}


def bracket_json(index: Index, stage: Stage, catalogue: Catalogue) -> dict[str, Any]:
    """Return matches and ranks of a knockout, as printed by the command `bracket`."""
    players = index.tournament.players
    boxes = [box for tree in bracket_tables.bracket_trees(index, stage) for box in tree.boxes]
    boxes.sort(key=lambda box: (box.turn, box.match))
    held = {} if brackets.is_undecided(index, stage) else brackets.rank_knockout(index, stage)
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
    return filled(
        MatchJson,
        box,
        round=box.turn,
        title=catalogue.match(box.name),
        rounds=list(box.rounds),
        players=[side.number for side in box.sides],
        names=[side.name for side in box.sides],
        seeds=[side.seed for side in box.sides],
        coming=[catalogue.coming(side.came) if side.player is None else "" for side in box.sides],
        winner=next((side.number for side in box.sides if side.won), None),
        score=None if box.sides[0].score is None else [float(side.score or 0) for side in box.sides],
        games=[
            filled(
                MatchGameJson,
                one,
                score1=one.points[0],
                score2=one.points[1],
                status=_state(one.status),
                decision=one.decided_by,
            )
            for one in box.games
        ],
    )
