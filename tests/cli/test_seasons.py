"""Tests of the verb `season` and of season ratings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.exchange.presets import read_season_rule
from tests.cli.shell import PLAYERS, Shell

GRID = "Name\t1.9.2026\t2026-09-08\nPlayer 1\t13\t(4)\nPlayer 2\t11,5\t–\nPlayer 3\t\t12½\n"


@pytest.fixture
def club_file(shell: Shell) -> Path:
    return shell.build_once("club.tdapp", build_club)


def build_club(shell: Shell, file: Path) -> None:
    """Make a club after two evenings with six players."""
    shell.run("new", file, "--name", "Club", "--rules", "nl-match", "--evenings", "--system", "swiss")
    shell.run("import", file, shell.write_file("players.csv", PLAYERS))
    for day in ("2026-10-06", "2026-10-13"):
        shell.run("evening", file, "begin", "--date", day)
        shell.run("evening", file, "here", *range(1, 7))
        for _ in range(2):
            for game in shell.run_json("pair", file)["games"]:
                shell.run(
                    "result", file, "--table", game["table"], 400 + 9 * game["first"], 390 - 7 * game["second"]
                )


def test_season_rules_exports_a_rules_file(shell: Shell, club_file: Path) -> None:
    rules_file = shell.write_file("one.toml", 'id = "x"\nname = "One"\nbest = 1\nscale = "1/2"\n')
    shell.run("season", club_file, "new", "--rules", rules_file)
    (output_row,) = shell.run_json("season", club_file, "rules", shell.folder / "shared.toml")
    assert output_row["id"] == "x"
    assert read_season_rule(shell.folder / "shared.toml") == read_season_rule(Path(rules_file))
    assert (
        shell.run_json("season", club_file, "new", "--rules", shell.folder / "shared.toml")["rule"]["scale"]
        == "1/2"
    )


def test_season_rules_refuses_a_file_without_a_season(shell: Shell, club_file: Path) -> None:
    assert "There is no season yet. Create one" in shell.run_refused(
        "season", club_file, "rules", shell.folder / "shared.toml"
    )
    for action in ("add", "refresh", "drop", "explain", "edit", "remove", "earlier"):
        assert "There is no season yet. Create one" in shell.run_refused("season", club_file, action, "1")
    assert not (shell.folder / "shared.toml").exists()


def test_season_makes_changes_and_removes_a_season(shell: Shell, club_file: Path) -> None:
    document = shell.run_json("season", club_file, "new", "--name", "Autumn", "--rules", "best")
    assert (document["season"], document["name"], document["rule"]["best"], document["division"]) == (
        1,
        "Autumn",
        4,
        "A",
    )
    assert [evening["players"] for evening in document["evenings"]] == [6, 6]
    assert [row["rank"] for row in document["rows"]] == sorted(row["rank"] for row in document["rows"])
    assert sum(row["total"] for row in document["rows"]) == 42
    document = shell.run_json("season", club_file, "edit", "--since", "2026-10-10", "--rules", "london")
    assert (len(document["evenings"]), document["rule"]["scale"]) == (1, 4)
    shell.run("undo", club_file)
    assert shell.run_json("season", club_file)["rule"]["id"] == "best"
    assert shell.run_json("season", club_file, "remove")["season"] is None


def test_season_shows_an_earlier_date_and_won_ranks(shell: Shell, club_file: Path) -> None:
    shell.run("season", club_file, "new", "--name", "Autumn")
    first_table = shell.run_json("season", club_file, "--on", "2026-10-06")
    assert first_table["on"] == "2026-10-06"
    assert {row["moved"] for row in first_table["rows"]} == {None}
    earlier_ranks = {row["name"]: row["rank"] for row in first_table["rows"]}
    for row in shell.run_json("season", club_file)["rows"]:
        assert row["moved"] == earlier_ranks[row["name"]] - row["rank"]


def test_season_explains_each_result(shell: Shell, club_file: Path) -> None:
    shell.run(
        "season", club_file, "new", "--rules", shell.write_file("one.toml", 'id = "x"\nname = "One"\nbest = 1\n')
    )
    (row,) = shell.run_json("season", club_file, "explain", 1)["rows"]
    counted_result, uncounted_result = sorted(row["results"], key=lambda result: not result["counts"])
    assert counted_result["why"].endswith("of 6, value " + str(counted_result["value"]))
    assert "best 1 of 2 evenings, dropped" in uncounted_result["why"]
    assert uncounted_result["why"].startswith(
        ("6 Oct: place ", "Oct 6: place ", "13 Oct: place ", "Oct 13: place ")
    )
    assert shell.run("season", club_file, "explain", 1).startswith("Rank ")


def test_season_shows_the_needed_points_of_a_player(shell: Shell, club_file: Path) -> None:
    shell.run("season", club_file, "new", "--name", "Autumn")
    shell.run("evening", club_file, "end")
    table = {row["player"]: row for row in shell.run_json("season", club_file)["rows"]}
    last = max(table.values(), key=lambda row: row["rank"])
    needs = shell.run_json("season", club_file, "need", last["player"])["needs"]
    assert [need["rank"] for need in needs] == sorted((need["rank"] for need in needs), reverse=True)
    assert needs[-1]["rank"] == 1
    for need in needs:
        rival = next(row for row in table.values() if row["name"] == need["other"])
        assert need["value"] == rival["total"] - last["total"]
        assert need["place"] == max(0, 6 - need["value"])


def test_season_imports_a_grid_of_earlier_evenings(shell: Shell, club_file: Path) -> None:
    shell.run("season", club_file, "new", "--name", "Autumn")
    old_rows = {row["player"]: row["total"] for row in shell.run_json("season", club_file)["rows"]}
    new_rows = shell.run_json("season", club_file, "earlier", shell.write_file("grid.txt", GRID))
    assert [evening["date"] for evening in new_rows["evenings"]] == [
        "2026-09-01",
        "2026-09-08",
        "2026-10-06",
        "2026-10-13",
    ]
    gained_points = {row["player"]: row["total"] - old_rows[row["player"]] for row in new_rows["rows"]}
    assert gained_points == {1: 17, 2: 11.5, 3: 12.5, 4: 0, 5: 0, 6: 0}


@pytest.mark.parametrize(
    ("grid", "line", "error_text"),
    [
        ("Name\t1.9.2026\nPlayer 1\tmany\n", 2, "many"),
        ("Name\t32.9.2026\nPlayer 1\t3\n", 1, "32.9.2026"),
        ("Name\t1.9.2026\t2026-09-01\nPlayer 1\t3\t4\n", 1, "2026-09-01"),
        ("Name\t1.9.2026\nPlayer 1\t3\n1 Player\t4\n", 3, "line 2"),
        ("Name\t1.9.2026\n\t4\n", 2, "name"),
        ("Name\t1.9.2026\nPlayer 99\t4\n", 2, "Player 99"),
    ],
)
def test_season_refuses_a_wrong_grid_with_line_and_field(
    shell: Shell, club_file: Path, grid: str, line: int, error_text: str
) -> None:
    shell.run("season", club_file, "new", "--name", "Autumn")
    error = shell.run_refused("season", club_file, "earlier", shell.write_file("grid.txt", grid))
    assert error_text in error
    assert str(line) in error


def test_season_message_has_the_evening_and_the_season(shell: Shell, club_file: Path) -> None:
    shell.run("season", club_file, "new", "--name", "Autumn")
    lines = shell.run("season", club_file, "text").splitlines()
    assert lines[1].startswith("1. ")
    assert lines.index("*Autumn*") == 8
    assert len(lines) == 15


def test_season_lists_rules_and_refuses_unknown_ones(shell: Shell, club_file: Path) -> None:
    rule_ids = {rule["id"] for rule in shell.run_json("season", club_file, "rules")}
    assert {"hamburg", "tessenderlo", "ntsv", "liga-der-champions", "best", "average"} <= rule_ids
    assert "best" in shell.run_refused("season", club_file, "new", "--rules", "luck")
    assert "liga-der-champions  Liga der Champions: one point for a qualifying place" in shell.run(
        "season", club_file, "rules"
    )
    assert "There is no season yet" in shell.run_refused("season", club_file, "text")
    assert "--season" not in shell.run("season", club_file, "new")
    shell.run("season", club_file, "new", "--name", "Year", "--since", "2026-01-01")
    assert "\n--season: 1 Best 4 evenings, 2 Year\n" in shell.run("season", club_file)
    shell.run("undo", club_file)
    assert "no such season" in shell.run_refused("season", club_file, "text", "--season", 2)


@pytest.fixture
def rated_club_file(shell: Shell) -> Path:
    return shell.build_once("pair.tdapp", build_rated_club)


def build_rated_club(shell: Shell, file: Path) -> None:
    """Make example 18: two members with rating 1500. A wins on 1 October, B on 8 October."""
    shell.run("new", file, "--name", "Pair", "--rules", "nl-match", "--evenings", "--system", "swiss")
    shell.run(
        "import", file, shell.write_file("two.csv", "name;rating;member;club\nA;1500;7;X\nB;1500;8;Y\nC;;9;Z\n")
    )
    for day, winner in (("2026-10-01", "A"), ("2026-10-08", "B")):
        shell.run("evening", file, "begin", "--date", day)
        shell.run("evening", file, "here", 1, 2)
        (game,) = shell.run_json("pair", file)["games"]
        first_table = (400, 300) if (game["first"] == 1) == (winner == "A") else (300, 400)
        shell.run("result", file, "--table", game["table"], *first_table)
    shell.run("season", file, "new", "--name", "Autumn")


def list_ratings(shell: Shell, file: Path, *options: object) -> dict[str, int]:
    return {row["name"]: row["new"] for row in shell.run_json("ratings", file, "--season", *options)["rows"]}


def test_ratings_shows_a_season_on_a_date(shell: Shell, rated_club_file: Path) -> None:
    assert list_ratings(shell, rated_club_file, "--on", "2026-10-01") == {"A": 1510, "B": 1490}
    assert (
        list_ratings(shell, rated_club_file) == list_ratings(shell, rated_club_file, 1) == {"A": 1499, "B": 1501}
    )
    ratings = shell.run_json("ratings", rated_club_file, "--season")
    assert (ratings["season"], ratings["name"], ratings["on"], ratings["system"]) == (
        1,
        "Autumn",
        "2026-10-08",
        "elo",
    )
    assert ratings["rows"][0] | {"player": 2} == {
        "rank": 1, "player": 2, "name": "B", "member": "8", "club": "Y", "rating": 1500, "new": 1501, "change": 1,
        "games": 2, "rated_games": None, "last_played": "2026-10-08",
    }  # fmt: skip
    assert ratings["games"] == []
    output = shell.run("ratings", rated_club_file, "--season")
    assert output.startswith("Autumn: rating list of 8 October 2026 · Elo\n")
    assert "no such season" in shell.run_refused("ratings", rated_club_file, "--season", 2)


def test_ratings_follows_a_changed_evening_date(shell: Shell, rated_club_file: Path) -> None:
    shell.run("do", rated_club_file, "edit-stage", "stage=2", "date=2026-09-24")
    assert list_ratings(shell, rated_club_file) == {"A": 1501, "B": 1499}


def test_ratings_shows_the_change_of_each_game(shell: Shell, rated_club_file: Path) -> None:
    games = shell.run_json("ratings", rated_club_file, "--season", "--games", "A")["games"]
    assert [(game["date"], game["opponent_name"], game["opponent_rating"], game["score"]) for game in games] == [
        ("2026-10-01", "B", 1500, 1),
        ("2026-10-08", "B", 1490, 0),
    ]
    assert [(game["expected"], game["change"], game["rating"], game["new"]) for game in games] == [
        (0.5, 10, 1500, 1510),
        (0.53, -10.58, 1510, 1499),
    ]
    assert len(shell.run_json("ratings", rated_club_file, "--season", "--games")["games"]) == 4


def test_ratings_apply_changes_ratings_and_can_be_undone(shell: Shell, rated_club_file: Path) -> None:
    shell.run("do", rated_club_file, "apply-ratings", "season=1", "system=elo")
    assert [player["rating"] for player in shell.run_json("players", rated_club_file)] == [1499, 1501, None]
    assert list_ratings(shell, rated_club_file) == {"A": 1499, "B": 1501}
    assert "already have these ratings" in shell.run_refused(
        "do", rated_club_file, "apply-ratings", "season=1", "system=elo"
    )
    shell.run("undo", rated_club_file)
    assert [player["rating"] for player in shell.run_json("players", rated_club_file)] == [1500, 1500, None]


def test_ratings_export_can_be_imported(shell: Shell, rated_club_file: Path) -> None:
    """The exported list adds players to a new file, and updates the ratings of existing players."""
    exported = shell.folder / "list-2026-10-08.csv"
    shell.run("export", rated_club_file, exported, "--format", "rating-list")
    next_event = shell.folder / "next.tdapp"
    shell.run("new", next_event, "--name", "Next", "--rules", "nl-match")
    shell.run("import", next_event, exported)
    players = {player["name"]: player for player in shell.run_json("players", next_event)}
    assert [
        (player["number"], player["rating"], player["member"], player["club"])
        for player in map(players.get, "AB")
        if player
    ] == [
        (1, 1499, "7", "X"),
        (2, 1501, "8", "Y"),
    ]
    for name in ("list-2026-10-08.csv", "list.json"):
        kind = "rating-list-json" if name.endswith("json") else "rating-list"
        shell.run("export", rated_club_file, shell.folder / name, "--format", kind)
        copy = shell.folder / f"{name}.tdapp"
        copy.write_bytes(rated_club_file.read_bytes())
        shell.run("import", copy, shell.folder / name, "--ratings")
        assert [player["rating"] for player in shell.run_json("players", copy)] == [1499, 1501, None]
    shell.run(
        "export", rated_club_file, shell.folder / "games.csv", "--format", "rating-games", "--on", "2026-10-01"
    )
    assert (shell.folder / "games.csv").read_text("utf-8-sig").splitlines()[1:] == [
        "A;2026-10-01;1500;1;B;1500;1;0.5;+10;1510",
        "B;2026-10-01;1500;1;A;1500;0;0.5;-10;1490",
    ]
