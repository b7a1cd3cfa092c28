"""Wins, losses, spread and points added up again from a tournament's JSON document, by itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

Counted = dict[str, Fraction]

COUNTED = ("wins", "losses", "spread", "points")

# Value of a game or of a round without one: share of a win, share of a loss.
ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
PARTS = {"win": (ONE, ZERO), "draw": (HALF, HALF), "loss": (ZERO, ONE), "nothing": (ZERO, ZERO)}


def recount(document: dict[str, Any], rows: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Counted]]:
    """Yield each row of the standings with the same values computed from the document's games and byes."""
    rules = document["rules"][0]["ruleset"]
    published_ids = {item["id"] for item in document["rounds"] if item["state"] == "published"}
    results = {item["id"]: item for item in document["results"]}
    sums: dict[str, Counted] = defaultdict(lambda: dict.fromkeys(COUNTED, Fraction()))
    for game in document["games"]:
        if game["round"] in published_ids and game["id"] in results:
            _count_game(sums, game, results[game["id"]], rules["forfeit"]["margin"])
    for bye in document["byes"]:
        if bye["round"] in published_ids:
            bye_value = rules["byes"][bye["kind"]]
            bye_spread = bye_value["spread"] if bye["spread"] is None else bye["spread"]
            _add(sums[bye["player"]], bye_value["counts_as"], bye_spread, 0)
    numbers = {player["number"]: player["id"] for player in document["players"]}
    for row in rows:
        yield row, sums[numbers[row["player"]]]


def _count_game(sums: dict[str, Counted], game: dict[str, Any], result: dict[str, Any], margin: int) -> None:
    seats = (game["first"], game["second"])
    if result["forfeit"] is not None:
        for seat, player in enumerate(seats, 1):
            is_forfeited = result["forfeit"] in {str(seat), "both"}
            _add(sums[player], "loss" if is_forfeited else "win", -margin if is_forfeited else margin, 0)
        return
    points = (result["first"], result["second"])
    spread = points[0] - points[1]
    won = {"1": -1, "2": 1}.get(result["lost"] or "", (spread > 0) - (spread < 0))
    for player, own_points, sign in zip(seats, points, (1, -1), strict=True):
        outcome = {1: "win", 0: "draw", -1: "loss"}[won * sign]
        _add(sums[player], outcome, spread * sign, own_points)


def _add(counted: Counted, counts_as: str, spread: int, points: int) -> None:
    win, loss = PARTS[counts_as]
    for name, value in zip(COUNTED, (win, loss, Fraction(spread), Fraction(points)), strict=True):
        counted[name] += value
