"""The games of a division that count for ratings, as JSON for whoever keeps a rating list."""

from __future__ import annotations

import json
from typing import Any

from tdapp.domain.index import Index
from tdapp.domain.model import Division, Player
from tdapp.domain.tables import ratings


def write(index: Index, division: Division, after: int | None) -> bytes:
    """Return the rated games up to round `after` (None: all) with the players who have any.

    `starts` is 1 where the first of the two started, null where nobody knows.
    """
    event = index.tournament.event
    rows = ratings.games(index, division, after).rows
    seen = {player.id: player for row in rows for player in (row.first, row.second)}
    players = sorted(seen.values(), key=lambda player: player.number)
    document: dict[str, Any] = {
        "event": event.name,
        "place": event.place,
        "date": event.date,
        "division": division.code,
        "players": [_player(player) for player in players],
        "games": [
            {
                "round": row.round,
                "table": row.table,
                "first": row.first.number,
                "second": row.second.number,
                "score1": row.first_score,
                "score2": row.second_score,
                "starts": row.starts,
                "winner": row.winner,
            }
            for row in rows
        ],
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def _player(player: Player) -> dict[str, Any]:
    return {
        "number": player.number,
        "name": player.name,
        "member": player.member,
        "rating": player.rating,
        "rated_games": player.rated_games,
        "club": player.club,
        "country": player.country,
    }
