"""A club's evenings from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shell import PLAYERS, Shell


@pytest.fixture
def club(shell: Shell) -> Path:
    return shell.build_once("club.tdapp", build_club)


def build_club(shell: Shell, file: Path) -> None:
    shell.run("new", file, "--name", "Club", "--rules", "nl-match", "--evenings", "--system", "swiss")
    shell.run("import", file, shell.file("players.csv", PLAYERS))


def enter_results(shell: Shell, club: Path) -> None:
    for game in shell.json("pairings", club)["games"]:
        shell.run("result", club, "--table", game["table"], 400 + game["first"], 390 - game["second"])


def test_two_evenings(shell: Shell, club: Path) -> None:
    evening = shell.json("evening", club, "begin", "--date", "2026-09-01", "--name", "Opening night")
    assert (evening["name"], evening["date"], evening["system"], evening["stage"]) == (
        "Opening night", "2026-09-01", "swiss", 1,
    )  # fmt: skip
    assert shell.json("evening", club, "here", 1, 2, 3, "Player 4")["here"] == 4
    assert len(shell.json("pair", club)["games"]) == 2
    enter_results(shell, club)
    departure = shell.json("evening", club, "gone", 4)
    assert {row["number"]: row["state"] for row in departure["members"]}[4] == "gone"
    shell.run("evening", club, "here", "--new", "Zweig, Stefan", "Adler, Ruth")
    second = shell.json("pair", club)
    assert (len(second["games"]), second["byes"]) == (1, [])  # a new club gives no bye
    (three,) = second["tables"]
    assert len(three["seats"]) == 3
    enter_results(shell, club)
    shell.run("result", club, "--table", three["table"], 240, 210, 188)
    rows = shell.json("standings", club)["rows"]
    assert {row["player"] for row in rows} == {1, 2, 3, 4, 8, 9}

    ended = shell.json("evening", club, "end")
    assert (ended["here"], ended["running"], ended["rounds"]) == (0, False, [1, 2])
    next_evening = shell.json("evening", club, "begin", "--date", "2026-09-08")
    assert (next_evening["running"], next_evening["rounds"], next_evening["system"]) == (True, [], "swiss")
    last = shell.json("evening", club, "here", "--last")
    assert last["here"] == 6
    assert {row["number"]: row["evenings"] for row in last["members"]} == {
        1: 1, 2: 1, 3: 1, 4: 1, 8: 1, 9: 1, 5: 0, 6: 0, 7: 0,
    }  # fmt: skip
    shell.run("pair", club)
    assert shell.json("stages", club)["stages"][1]["date"] == "2026-09-08"
    assert "Opening night" in shell.run("standings", club, "--after", 2)
    assert shell.json("check", club)["sound"]


def test_each_step_can_be_undone(shell: Shell, club: Path) -> None:
    before = shell.json("evening", club)
    shell.run("evening", club, "begin", "--date", "2026-09-01")
    shell.run("evening", club, "here", 1, 2)
    shell.run("pair", club)
    for _ in range(3):
        shell.run("undo", club)
    assert shell.json("evening", club) == before


def test_refusals(shell: Shell, club: Path, event: Path) -> None:
    assert "No evening has begun" in shell.run_refused("evening", event, "here", 1)
    assert "No player is called Nobody" in shell.run_refused("evening", club, "here", "Nobody")
    assert "by number or name" in shell.run_refused("evening", club, "here")
    assert "fixed number of games" in shell.run_refused("evening", club, "begin", "--system", "knockout")
    assert "No evening yet" in shell.run("evening", event)


@pytest.mark.slow
def test_printouts_and_exports_of_an_evening(shell: Shell, club: Path) -> None:
    for date, players in (("2026-09-01", (1, 2, 3, 4)), ("2026-09-08", (3, 4, 5, 6))):
        shell.run("evening", club, "begin", "--date", date)
        shell.run("evening", club, "here", *players)
        for _ in range(2):
            shell.run("pair", club)
            enter_results(shell, club)
    shell.run("evening", club, "end")
    assert "8 September 2026: result" in shell.run("standings", club)
    for report in ("standings", "crosstable", "matrix", "wall-chart", "pairings-by-name", "scorecards"):
        shell.run("print", club, report, "-o", shell.folder / f"{report}.pdf")
    for name in ("csv", "txt", "xlsx", "json", "html", "tsh", "trf"):
        shell.run("export", club, shell.folder / f"export-{name}", "--format", name)
    page = (shell.folder / "export-html" / "a-crosstable.html").read_text(encoding="utf-8")
    assert "Player 5" in page
    assert "Player 1<" not in page


def test_a_latecomer_is_seated_at_a_published_table_of_three(shell: Shell, club: Path) -> None:
    shell.run("evening", club, "begin", "--date", "2026-09-01")
    shell.run("evening", club, "here", 1, 2, 3)
    assert [len(table["seats"]) for table in shell.json("pair", club)["tables"]] == [3]
    shell.run("evening", club, "here", 4)
    shell.run("do", club, "seat-latecomer", "round=1", "player=4")

    pairings = shell.json("pairings", club)
    assert (len(pairings["games"]), pairings["tables"]) == (2, [])
    assert {game["reason"] for game in pairings["games"]} == {
        "Player 4 came late: the table of three became two tables of two"
    }
    assert shell.json("check", club)["sound"]
    shell.run("undo", club)
    assert len(shell.json("pairings", club)["tables"]) == 1
