"""Wins, losses, spread and points, computed from the JSON of a tournament without the program's code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

Totals = dict[str, Fraction]

TOTAL_NAMES = ("wins", "losses", "spread", "points")

# Value of an outcome as shares of a win and of a loss.
NO_POINT, HALF_POINT, FULL_POINT = Fraction(0), Fraction(1, 2), Fraction(1)
OUTCOME_SHARES = {
    "win": (FULL_POINT, NO_POINT),
    "draw": (HALF_POINT, HALF_POINT),
    "loss": (NO_POINT, FULL_POINT),
    "nothing": (NO_POINT, NO_POINT),
}


def recompute_standings(
    document: dict[str, Any], rows: list[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], Totals]]:
    """Yield each row of the standings with the totals computed from the games and byes of the document."""
    rules = document["rules"][0]["ruleset"]
    published_ids = {item["id"] for item in document["rounds"] if item["state"] == "published"}
    results = {item["id"]: item for item in document["results"]}
    sums: dict[str, Totals] = defaultdict(lambda: dict.fromkeys(TOTAL_NAMES, Fraction()))
    for game in document["games"]:
        if game["round"] in published_ids and game["id"] in results:
            _count_game(sums, game, results[game["id"]], rules["forfeit"]["margin"])
    for bye in document["byes"]:
        if bye["round"] in published_ids:
            bye_value = rules["byes"][bye["kind"]]
            bye_spread = bye_value["spread"] if bye["spread"] is None else bye["spread"]
            _add_outcome(sums[bye["player"]], bye_value["counts_as"], bye_spread, 0)
    numbers = {player["number"]: player["id"] for player in document["players"]}
    for row in rows:
        yield row, sums[numbers[row["player"]]]


def _count_game(sums: dict[str, Totals], game: dict[str, Any], result: dict[str, Any], margin: int) -> None:
    seats = (game["first"], game["second"])
    if result["forfeit"] is not None:
        for seat, player in enumerate(seats, 1):
            is_forfeited = result["forfeit"] in {str(seat), "both"}
            _add_outcome(sums[player], "loss" if is_forfeited else "win", -margin if is_forfeited else margin, 0)
        return
    points = (result["first"], result["second"])
    spread = points[0] - points[1]
    outcome_sign = {"1": -1, "2": 1}.get(result["lost"] or "", (spread > 0) - (spread < 0))
    for player, own_points, sign in zip(seats, points, (1, -1), strict=True):
        outcome = {1: "win", 0: "draw", -1: "loss"}[outcome_sign * sign]
        _add_outcome(sums[player], outcome, spread * sign, own_points)


def _add_outcome(totals: Totals, counts_as: str, spread: int, points: int) -> None:
    win, loss = OUTCOME_SHARES[counts_as]
    for name, value in zip(TOTAL_NAMES, (win, loss, Fraction(spread), Fraction(points)), strict=True):
        totals[name] += value
