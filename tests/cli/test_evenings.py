"""Tests of the verb `evening`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shell import PLAYERS, Shell


@pytest.fixture
def club_file(shell: Shell) -> Path:
    return shell.build_once("club.tdapp", build_club)


def build_club(shell: Shell, file: Path) -> None:
    shell.run("new", file, "--name", "Club", "--rules", "nl-match", "--evenings", "--system", "swiss")
    shell.run("import", file, shell.write_file("players.csv", PLAYERS))


def enter_results(shell: Shell, club_file: Path) -> None:
    for game in shell.run_json("pairings", club_file)["games"]:
        shell.run("result", club_file, "--table", game["table"], 400 + game["first"], 390 - game["second"])


def test_evening_runs_two_evenings(shell: Shell, club_file: Path) -> None:
    evening = shell.run_json("evening", club_file, "begin", "--date", "2026-09-01", "--name", "Opening night")
    assert (evening["name"], evening["date"], evening["system"], evening["stage"]) == (
        "Opening night", "2026-09-01", "swiss", 1,
    )  # fmt: skip
    assert shell.run_json("evening", club_file, "here", 1, 2, 3, "Player 4")["here"] == 4
    assert len(shell.run_json("pair", club_file)["games"]) == 2
    enter_results(shell, club_file)
    departure = shell.run_json("evening", club_file, "gone", 4)
    assert {row["number"]: row["state"] for row in departure["members"]}[4] == "gone"
    shell.run("evening", club_file, "here", "--new", "Zweig, Stefan", "Adler, Ruth")
    second = shell.run_json("pair", club_file)
    assert (len(second["games"]), second["byes"]) == (1, [])  # a new club has no byes
    (three,) = second["tables"]
    assert len(three["seats"]) == 3
    enter_results(shell, club_file)
    shell.run("result", club_file, "--table", three["table"], 240, 210, 188)
    rows = shell.run_json("standings", club_file)["rows"]
    assert {row["player"] for row in rows} == {1, 2, 3, 4, 8, 9}

    ended = shell.run_json("evening", club_file, "end")
    assert (ended["here"], ended["running"], ended["rounds"]) == (0, False, [1, 2])
    next_evening = shell.run_json("evening", club_file, "begin", "--date", "2026-09-08")
    assert (next_evening["running"], next_evening["rounds"], next_evening["system"]) == (True, [], "swiss")
    last = shell.run_json("evening", club_file, "here", "--last")
    assert last["here"] == 6
    assert {row["number"]: row["evenings"] for row in last["members"]} == {
        1: 1, 2: 1, 3: 1, 4: 1, 8: 1, 9: 1, 5: 0, 6: 0, 7: 0,
    }  # fmt: skip
    shell.run("pair", club_file)
    assert shell.run_json("stages", club_file)["stages"][1]["date"] == "2026-09-08"
    assert "Opening night" in shell.run("standings", club_file, "--after", 2)
    assert shell.run_json("check", club_file)["sound"]


def test_undo_reverts_each_step_of_an_evening(shell: Shell, club_file: Path) -> None:
    before = shell.run_json("evening", club_file)
    shell.run("evening", club_file, "begin", "--date", "2026-09-01")
    shell.run("evening", club_file, "here", 1, 2)
    shell.run("pair", club_file)
    for _ in range(3):
        shell.run("undo", club_file)
    assert shell.run_json("evening", club_file) == before


def test_evening_refuses_wrong_input(shell: Shell, club_file: Path, event_file: Path) -> None:
    assert "No evening has begun" in shell.run_refused("evening", event_file, "here", 1)
    assert "No player is called Nobody" in shell.run_refused("evening", club_file, "here", "Nobody")
    assert "numbers or names" in shell.run_refused("evening", club_file, "here")
    assert "number of games is not fixed" in shell.run_refused(
        "evening", club_file, "begin", "--system", "knockout"
    )
    assert "No evenings yet" in shell.run("evening", event_file)


@pytest.mark.slow
def test_print_and_export_of_an_evening(shell: Shell, club_file: Path) -> None:
    for date, players in (("2026-09-01", (1, 2, 3, 4)), ("2026-09-08", (3, 4, 5, 6))):
        shell.run("evening", club_file, "begin", "--date", date)
        shell.run("evening", club_file, "here", *players)
        for _ in range(2):
            shell.run("pair", club_file)
            enter_results(shell, club_file)
    shell.run("evening", club_file, "end")
    assert "8 September 2026: result" in shell.run("standings", club_file)
    for report in ("standings", "crosstable", "matrix", "wall-chart", "pairings-by-name", "scorecards"):
        shell.run("print", club_file, report, "-o", shell.folder / f"{report}.pdf")
    for name in ("csv", "txt", "xlsx", "json", "html", "tsh", "trf"):
        shell.run("export", club_file, shell.folder / f"export-{name}", "--format", name)
    page = (shell.folder / "export-html" / "a-crosstable.html").read_text(encoding="utf-8")
    assert "Player 5" in page
    assert "Player 1<" not in page


def test_evening_seats_a_latecomer_at_a_published_table(shell: Shell, club_file: Path) -> None:
    shell.run("evening", club_file, "begin", "--date", "2026-09-01")
    shell.run("evening", club_file, "here", 1, 2, 3)
    assert [len(table["seats"]) for table in shell.run_json("pair", club_file)["tables"]] == [3]
    shell.run("evening", club_file, "here", 4)
    shell.run("do", club_file, "seat-latecomer", "round=1", "player=4")

    pairings = shell.run_json("pairings", club_file)
    assert (len(pairings["games"]), pairings["tables"]) == (2, [])
    assert {game["reason"] for game in pairings["games"]} == {
        "Player 4 arrived late: the table of three became two tables of two"
    }
    assert shell.run_json("check", club_file)["sound"]
    shell.run("undo", club_file)
    assert len(shell.run_json("pairings", club_file)["tables"]) == 1
