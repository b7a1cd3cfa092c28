"""Tests of the verb `season` with events of other files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shell import PLAYERS, Shell
from tests.data_events import find_data_folder

TSH = """#division a
Berg, Anna 1500 2 3; 400 380
Li, Bo 1400 1 4; 390 410
Ost, Cy 1300 4 1; 350 370
Aas, Dee 1200 3 2; 340 300
"""


@pytest.fixture
def cup_file(shell: Shell) -> Path:
    return shell.build_once("cup.tdapp", build_cup)


def build_cup(shell: Shell, file: Path) -> None:
    shell.run("new", file, "--name", "Cup", "--rules", "nl-match", "--evenings")
    shell.run("season", file, "new", "--name", "Cup 2026", "--rules", "best")


def make_event_file(shell: Shell, name: str, date: str, *, rounds: int = 1) -> Path:
    """Return the file of a tournament with seven players."""
    file = shell.folder / f"{name}.tdapp"
    shell.run("new", file, "--name", name, "--rules", "nl-match", "--no-check-first", "--rounds", 3)
    shell.run("do", file, "edit-event", f"date={date}")
    shell.run("import", file, shell.write_file("players.csv", PLAYERS))
    play_rounds(shell, file, rounds)
    return file


def play_rounds(shell: Shell, file: Path, rounds: int = 1) -> None:
    for _ in range(rounds):
        for game in shell.run_json("pair", file)["games"]:
            shell.run("result", file, "--table", game["table"], 400 + 9 * game["first"], 390 - 7 * game["second"])


def test_season_adds_refreshes_and_drops_tournament_files(shell: Shell, cup_file: Path) -> None:
    spring_file, may = make_event_file(shell, "Spring", "2026-03-01"), make_event_file(shell, "May", "2026-05-01")
    document = shell.run_json("season", cup_file, "add", spring_file, may)
    assert [
        (event["event"], event["name"], event["date"], event["players"], event["games"])
        for event in document["events"]
    ] == [
        (1, "Spring", "2026-03-01", 7, 3),
        (2, "May", "2026-05-01", 7, 3),
    ]
    assert [evening["name"] for evening in document["evenings"]] == ["Spring", "May"]
    assert {row["events"] for row in document["rows"]} == {2}
    assert "already in the season" in shell.run_refused("season", cup_file, "add", spring_file)

    play_rounds(shell, spring_file)
    document = shell.run_json("season", cup_file, "refresh", spring_file, "--preview")
    assert document["events"][0]["games"] == 3
    refreshed = shell.run_json("season", cup_file, "refresh", spring_file)
    assert refreshed["notes"] == document["notes"]
    assert refreshed["events"][0]["games"] == 6
    assert any(note.startswith("New ranks in Cup 2026") or "the total" in note for note in refreshed["notes"])
    assert "results of the event updated: Spring" in shell.run("history", cup_file)

    assert [event["name"] for event in shell.run_json("season", cup_file, "drop", 1)["events"]] == ["May"]
    shell.run("undo", cup_file)
    assert len(shell.run_json("season", cup_file)["events"]) == 2
    assert "no such event" in shell.run_refused("season", cup_file, "drop", 9)


@pytest.mark.slow
def test_season_adds_the_evenings_of_a_club_as_events(shell: Shell, cup_file: Path) -> None:
    club = shell.folder / "club.tdapp"
    shell.run("new", club, "--name", "Club", "--rules", "nl-match", "--no-check-first", "--evenings")
    shell.run("import", club, shell.write_file("players.csv", PLAYERS))

    def play_evening(date: str) -> None:
        shell.run("evening", club, "begin", "--date", date)
        shell.run("evening", club, "here", *range(1, 7))
        play_rounds(shell, club)

    play_evening("2026-10-06")
    play_evening("2026-10-13")
    document = shell.run_json("season", cup_file, "add", club)
    assert [event["date"] for event in document["events"]] == ["2026-10-06", "2026-10-13"]
    assert "already in the season" in shell.run_refused("season", cup_file, "add", club)
    play_evening("2026-10-20")
    assert len(shell.run_json("season", cup_file, "refresh", club)["events"]) == 3


def test_season_adds_json_and_tsh_files_as_events(shell: Shell, cup_file: Path) -> None:
    spring_file = make_event_file(shell, "Spring", "2026-03-01")
    exported = shell.folder / "spring.json"
    shell.run("export", spring_file, exported, "--format", "json")
    document = shell.run_json("season", cup_file, "add", exported, shell.write_file("a.t", TSH))
    assert {(event["name"], event["date"], event["counts"]) for event in document["events"]} == {
        ("Spring", "2026-03-01", True),
        ("a", "", True),
    }
    assert any("no date" in note for note in document["notes"])
    document_with_dates = shell.run_json(
        "season", cup_file, "refresh", shell.folder / "a.t", "--date", "2026-04-01", "--event", 1
    )
    assert [event["date"] for event in document_with_dates["events"]] == ["2026-03-01", "2026-04-01"]
    document_with_limit = shell.run_json("season", cup_file, "edit", "--since", "2026-03-15")
    assert [event["counts"] for event in document_with_limit["events"]] == [False, True]


def test_season_without_events_explains_how_to_add_them(shell: Shell, cup_file: Path) -> None:
    assert "tdapp season FILE add" in shell.run("season", cup_file, "events")


def test_season_add_accepts_a_name_and_a_date_for_one_file(shell: Shell, cup_file: Path) -> None:
    file = shell.write_file("a.t", TSH)
    (event,) = shell.run_json("season", cup_file, "add", file, "--name", "Oslo Open", "--date", "2026-04-01")[
        "events"
    ]
    assert (event["name"], event["date"], event["source"]) == ("Oslo Open", "2026-04-01", "a.t")
    assert "single file" in shell.run_refused("season", cup_file, "add", file, file, "--date", "2026-04-01")
    assert shell.run("season", cup_file, "events") == "1  Oslo Open  2026-04-01  a.t\n"
    shell.run("do", cup_file, "edit-copied-event", "copied_event=1", "name=Oslo")
    assert shell.run_json("season", cup_file)["events"][0]["name"] == "Oslo"


def test_season_refresh_keeps_the_name_and_date_of_an_event(shell: Shell, cup_file: Path) -> None:
    file = shell.write_file("a.t", TSH)
    shell.run("season", cup_file, "add", file, "--name", "Oslo Open", "--date", "2026-04-01")
    shell.write_file("a.t", TSH.replace("400 380", "300 380"))
    refreshed = shell.run_json("season", cup_file, "refresh", file)
    assert not any("date" in note for note in refreshed["notes"])
    assert "results of the event updated: Oslo Open" in shell.run("history", cup_file)
    shell.write_file("a.t", TSH)
    assert not any(
        "date" in note for note in shell.run_json("season", cup_file, "refresh", file, "--event", 1)["notes"]
    )
    assert shell.run("history", cup_file).count("results of the event updated: Oslo Open") == 2


def test_season_add_reports_an_event_outside_the_season_or_without_a_date(shell: Shell, cup_file: Path) -> None:
    shell.run("season", cup_file, "edit", "--since", "2026-03-15")
    document = shell.run_json(
        "season", cup_file, "add", make_event_file(shell, "Spring", "2026-03-01"), shell.write_file("a.t", TSH)
    )
    assert "Spring: the date is outside the season" in "\n".join(document["notes"])
    assert "a: the file has no date. Check whether the event is in the season" in "\n".join(document["notes"])
    assert [event["counts"] for event in document["events"]] == [False, False]


def test_erase_lists_six_event_files_and_counts_the_others(shell: Shell, cup_file: Path) -> None:
    files = [shell.write_file(f"e{index}.t", TSH.replace("400", str(400 + index))) for index in range(8)]
    shell.run("season", cup_file, "add", *files)
    assert "events: e0.t, e1.t, e2.t, e3.t, e4.t, e5.t, 2 more. If you refresh" in shell.run("erase", cup_file, 1)


def test_season_add_refuses_a_wrong_date_with_an_example(
    shell: Shell, cup_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        shell.run("season", cup_file, "--date", "2026-13-45")
    assert "“2026-13-45” is not a date such as 2026-11-28" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content", "error_text"),
    [
        ("players.csv", PLAYERS, "no pairings, only players or results"),
        ("bad.t", TSH.replace("400 380", "400 x"), "bad.t, line 2"),
        ("empty.json", '{"format": "tdapp"}', "empty.json"),
    ],
)
def test_season_add_refuses_a_file_without_an_event(
    shell: Shell, cup_file: Path, name: str, content: str, error_text: str
) -> None:
    error = shell.run_refused(
        "season", cup_file, "add", make_event_file(shell, "Spring", ""), shell.write_file(name, content)
    )
    assert error_text in error
    assert not shell.run_json("season", cup_file)["events"]


@pytest.mark.parametrize(
    ("language", "expected_order"),
    [("en", ["Aas", "Åse", "Łuk", "Moe"]), ("nb", ["Łuk", "Moe", "Aas", "Åse"])],
)
def test_season_sorts_tied_players_in_the_order_of_the_language(
    shell: Shell, cup_file: Path, language: str, expected_order: list[str]
) -> None:
    names = ("Moe", "Łuk", "Åse", "Aas")
    rows = (f"{name}, Bo 1500 {opponent}; 400\n" for name, opponent in zip(names, (2, 1, 4, 3), strict=True))
    shell.run("season", cup_file, "add", shell.write_file("a.t", "".join(rows)))
    table = shell.run("season", cup_file, "--lang", language).splitlines()
    assert [line.split()[1].rstrip(",") for line in table if ", Bo" in line] == expected_order
    assert [
        row["name"][:3] for row in shell.run_json("season", cup_file, "--lang", language)["rows"]
    ] == expected_order


def test_season_asks_once_about_similar_names(shell: Shell, cup_file: Path) -> None:
    spellings = shell.write_file("b.t", TSH.replace("Li, Bo", "Lie, Bo").replace("Berg, Anna", "Bergh, Anna"))
    shell.run("season", cup_file, "add", shell.write_file("a.t", TSH))
    document = shell.run_json("season", cup_file, "add", spellings)
    questions = {(question["player"], question["other"]) for question in document["questions"]}
    assert questions == {(1, 5), (2, 6)}
    assert "Are Berg, Anna and Bergh, Anna the same person?" in shell.run("season", cup_file)
    assert len(shell.run_json("season", cup_file, "same", 1, 5)["questions"]) == 1
    assert shell.run_json("season", cup_file, "different", 2, "Lie")["questions"] == []
    assert len(shell.run_json("season", cup_file)["rows"]) == 5
    shell.run("do", cup_file, "edit-player", "player=6", "name=Li, Bo")
    rows = [line.split() for line in shell.run("season", cup_file).splitlines() if "Li, Bo" in line]
    assert sorted(row[row.index("Bo") + 1] for row in rows) == ["2", "6"]  # namesakes
    shell.run("undo", cup_file)
    shell.run("undo", cup_file)
    shell.run("undo", cup_file)
    assert len(shell.run_json("season", cup_file)["questions"]) == 2
    assert "two players" in shell.run_refused("season", cup_file, "same", 1)


@pytest.mark.slow
def test_season_adds_real_tournaments_of_other_programs(shell: Shell, cup_file: Path) -> None:
    folder = find_data_folder() / "events"
    files = sorted(folder.glob("*.json"))
    document = shell.run_json("season", cup_file, "add", *files, *sorted(folder.glob("*.t")))
    assert len(document["events"]) == len(files) + len([*folder.glob("*.t")])
    assert all(event["date"] for event in document["events"] if event["source"].endswith(".json"))
    totals = {row["name"]: row["total"] for row in document["rows"]}
    assert len(totals) == len(document["rows"]) > 50
    assert document["questions"] == shell.run_json("season", cup_file)["questions"]
