"""The verb `chances`: how often everybody ends at each place when the rounds left are simulated."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from tdapp.cli.output import show_json, show_table
from tdapp.cli.program import Program
from tdapp.domain.model import Division
from tdapp.pairing.forecast import Forecast, forecast, table


def chances(program: Program, options: Namespace) -> None:
    """Show the chances of a division as it stands."""
    with program.desk(options.file, read_only=True) as desk:
        division = desk.index.division(options.division)
        found = forecast(desk.index, division.id)
    if options.json:
        show_json(_document(division, found))
        return
    said = program.catalogue.text(
        "Chances after round {round}, rounds left: {left}, places with a prize: {places}, simulations: {times}",
        round=found.after,
        left=found.rounds_left,
        places=found.places,
        times=found.times,
    )
    print(said)
    show_table(table(found), program.catalogue)


def _document(division: Division, found: Forecast) -> dict[str, Any]:
    return {
        "division": division.code,
        "after": found.after,
        "open_games": found.open_games,
        "rounds_left": found.rounds_left,
        "prize_places": found.places,
        "simulations": found.times,
        "coming_round": [
            {"rule": one.code, "pairs": one.pairs, "groups": one.groups, "bye": one.takers} for one in found.coming
        ],
        "rows": [
            {
                "place": row.place,
                "player": row.player.number,
                "name": row.player.name,
                "wins": row.points,
                "spread": row.spread,
                "state": row.fate.value,
                "prize": round(float(row.prize), 6),
                "places": [round(float(share), 6) for share in row.shares],
            }
            for row in found.rows
        ],
    }
