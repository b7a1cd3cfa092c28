"""Seasons from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shell import PLAYERS, Shell

GRID = "Name\t1.9.2026\t2026-09-08\nPlayer 1\t13\t(4)\nPlayer 2\t11,5\t–\nPlayer 3\t\t12½\n"


@pytest.fixture
def club(shell: Shell) -> Path:
    """A club after two evenings of six players."""
    file = shell.folder / "club.tdapp"
    shell.run("new", file, "--name", "Club", "--rules", "nl-match", "--evenings", "--system", "swiss")
    shell.run("import", file, shell.file("players.csv", PLAYERS))
    for day in ("2026-10-06", "2026-10-13"):
        shell.run("evening", file, "begin", "--date", day)
        shell.run("evening", file, "here", *range(1, 7))
        for _ in range(2):
            for game in shell.json("pair", file)["games"]:
                shell.run(
                    "result", file, "--table", game["table"], 400 + 9 * game["first"], 390 - 7 * game["second"]
                )
    return file


def test_a_season_is_made_changed_and_removed(shell: Shell, club: Path) -> None:
    made = shell.json("season", club, "new", "--name", "Autumn", "--rules", "best")
    assert (made["season"], made["name"], made["rule"]["best"], made["division"]) == (1, "Autumn", 4, "A")
    assert [one["players"] for one in made["evenings"]] == [6, 6]
    assert [row["rank"] for row in made["rows"]] == sorted(row["rank"] for row in made["rows"])
    assert sum(row["total"] for row in made["rows"]) == 42
    changed = shell.json("season", club, "edit", "--since", "2026-10-10", "--rules", "london")
    assert (len(changed["evenings"]), changed["rule"]["scale"]) == (1, 4)
    shell.run("undo", club)
    assert shell.json("season", club)["rule"]["id"] == "best"
    assert shell.json("season", club, "remove")["season"] is None


def test_the_table_on_an_earlier_day_and_the_ranks_won(shell: Shell, club: Path) -> None:
    shell.run("season", club, "new", "--name", "Autumn")
    first = shell.json("season", club, "--on", "2026-10-06")
    assert first["on"] == "2026-10-06"
    assert {row["moved"] for row in first["rows"]} == {None}
    then = {row["name"]: row["rank"] for row in first["rows"]}
    for row in shell.json("season", club)["rows"]:
        assert row["moved"] == then[row["name"]] - row["rank"]


def test_every_result_explains_itself(shell: Shell, club: Path) -> None:
    shell.run("season", club, "new", "--rules", shell.file("one.toml", 'id = "x"\nname = "One"\nbest = 1\n'))
    (row,) = shell.json("season", club, "explain", 1)["rows"]
    kept, dropped = sorted(row["results"], key=lambda one: not one["counts"])
    assert kept["why"].endswith("of 6 = " + str(kept["value"]))
    assert "best 1 of 2, dropped" in dropped["why"]
    assert dropped["why"].startswith(("6 Oct: place ", "Oct 6: place ", "13 Oct: place ", "Oct 13: place "))
    assert shell.run("season", club, "explain", 1).startswith("Rank ")


def test_what_a_player_needs_tonight(shell: Shell, club: Path) -> None:
    shell.run("season", club, "new", "--name", "Autumn")
    shell.run("evening", club, "end")
    table = {row["player"]: row for row in shell.json("season", club)["rows"]}
    last = max(table.values(), key=lambda row: row["rank"])
    needs = shell.json("season", club, "need", last["player"])["needs"]
    assert [need["rank"] for need in needs] == sorted((need["rank"] for need in needs), reverse=True)
    assert needs[-1]["rank"] == 1
    for need in needs:
        above = next(row for row in table.values() if row["name"] == need["other"])
        assert need["value"] == above["total"] - last["total"]
        assert need["place"] == max(0, 6 - need["value"])


def test_a_season_begins_with_a_pasted_grid(shell: Shell, club: Path) -> None:
    shell.run("season", club, "new", "--name", "Autumn")
    before = {row["player"]: row["total"] for row in shell.json("season", club)["rows"]}
    after = shell.json("season", club, "earlier", shell.file("grid.txt", GRID))
    assert [one["date"] for one in after["evenings"]] == ["2026-09-01", "2026-09-08", "2026-10-06", "2026-10-13"]
    gained = {row["player"]: row["total"] - before[row["player"]] for row in after["rows"]}
    assert gained == {1: 17, 2: 11.5, 3: 12.5, 4: 0, 5: 0, 6: 0}


@pytest.mark.parametrize(
    ("grid", "line", "told"),
    [
        ("Name\t1.9.2026\nPlayer 1\tmany\n", 2, "many"),
        ("Name\t32.9.2026\nPlayer 1\t3\n", 1, "32.9.2026"),
        ("Name\t1.9.2026\t2026-09-01\nPlayer 1\t3\t4\n", 1, "2026-09-01"),
        ("Name\t1.9.2026\nPlayer 1\t3\n1 Player\t4\n", 3, "line 2"),
        ("Name\t1.9.2026\n\t4\n", 2, "name"),
        ("Name\t1.9.2026\nPlayer 99\t4\n", 2, "Player 99"),
    ],
)
def test_a_wrong_grid_is_refused_by_line_and_field(
    shell: Shell, club: Path, grid: str, line: int, told: str
) -> None:
    shell.run("season", club, "new", "--name", "Autumn")
    error = shell.refused("season", club, "earlier", shell.file("grid.txt", grid))
    assert told in error
    assert str(line) in error


def test_the_text_for_messengers_has_the_evening_and_the_season(shell: Shell, club: Path) -> None:
    shell.run("season", club, "new", "--name", "Autumn")
    lines = shell.run("season", club, "text").splitlines()
    assert lines[1].startswith("1. ")
    assert lines.index("*Autumn*") == 8
    assert len(lines) == 15


def test_season_rules_are_listed_and_unknown_ones_refused(shell: Shell, club: Path) -> None:
    listed = {one["id"] for one in shell.json("season", club, "rules")}
    assert {"hamburg", "tessenderlo", "ntsv", "liga-der-champions", "best", "average"} <= listed
    assert "best" in shell.refused("season", club, "new", "--rules", "luck")
    assert "no such season" in shell.refused("season", club, "text")
