"""Seasons from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.exchange.presets import read_season_rule
from tests.cli.shell import PLAYERS, Shell

GRID = "Name\t1.9.2026\t2026-09-08\nPlayer 1\t13\t(4)\nPlayer 2\t11,5\t–\nPlayer 3\t\t12½\n"


@pytest.fixture
def club(shell: Shell) -> Path:
    return shell.build_once("club.tdapp", build_club)


def build_club(shell: Shell, file: Path) -> None:
    """A club after two evenings of six players."""
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


def test_rules_are_written_for_another_club(shell: Shell, club: Path) -> None:
    rules_file = shell.file("one.toml", 'id = "x"\nname = "One"\nbest = 1\nscale = "1/2"\n')
    shell.run("season", club, "new", "--rules", rules_file)
    (output_row,) = shell.json("season", club, "rules", shell.folder / "shared.toml")
    assert output_row["id"] == "x"
    assert read_season_rule(shell.folder / "shared.toml") == read_season_rule(Path(rules_file))
    assert shell.json("season", club, "new", "--rules", shell.folder / "shared.toml")["rule"]["scale"] == "1/2"


def test_rules_of_a_file_without_a_season_are_not_written(shell: Shell, club: Path) -> None:
    assert "No season yet. Make one" in shell.run_refused("season", club, "rules", shell.folder / "shared.toml")
    for action in ("add", "refresh", "drop", "explain", "edit", "remove", "earlier"):
        assert "No season yet. Make one" in shell.run_refused("season", club, action, "1")
    assert not (shell.folder / "shared.toml").exists()


def test_a_season_is_made_changed_and_removed(shell: Shell, club: Path) -> None:
    document = shell.json("season", club, "new", "--name", "Autumn", "--rules", "best")
    assert (document["season"], document["name"], document["rule"]["best"], document["division"]) == (
        1,
        "Autumn",
        4,
        "A",
    )
    assert [evening["players"] for evening in document["evenings"]] == [6, 6]
    assert [row["rank"] for row in document["rows"]] == sorted(row["rank"] for row in document["rows"])
    assert sum(row["total"] for row in document["rows"]) == 42
    document = shell.json("season", club, "edit", "--since", "2026-10-10", "--rules", "london")
    assert (len(document["evenings"]), document["rule"]["scale"]) == (1, 4)
    shell.run("undo", club)
    assert shell.json("season", club)["rule"]["id"] == "best"
    assert shell.json("season", club, "remove")["season"] is None


def test_the_table_on_an_earlier_day_and_the_ranks_won(shell: Shell, club: Path) -> None:
    shell.run("season", club, "new", "--name", "Autumn")
    first = shell.json("season", club, "--on", "2026-10-06")
    assert first["on"] == "2026-10-06"
    assert {row["moved"] for row in first["rows"]} == {None}
    earlier_ranks = {row["name"]: row["rank"] for row in first["rows"]}
    for row in shell.json("season", club)["rows"]:
        assert row["moved"] == earlier_ranks[row["name"]] - row["rank"]


def test_every_result_explains_itself(shell: Shell, club: Path) -> None:
    shell.run("season", club, "new", "--rules", shell.file("one.toml", 'id = "x"\nname = "One"\nbest = 1\n'))
    (row,) = shell.json("season", club, "explain", 1)["rows"]
    counted_result, uncounted_result = sorted(row["results"], key=lambda result: not result["counts"])
    assert counted_result["why"].endswith("of 6 = " + str(counted_result["value"]))
    assert "best 1 of 2 evenings, dropped" in uncounted_result["why"]
    assert uncounted_result["why"].startswith(
        ("6 Oct: place ", "Oct 6: place ", "13 Oct: place ", "Oct 13: place ")
    )
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
        rival = next(row for row in table.values() if row["name"] == need["other"])
        assert need["value"] == rival["total"] - last["total"]
        assert need["place"] == max(0, 6 - need["value"])


def test_a_season_begins_with_a_pasted_grid(shell: Shell, club: Path) -> None:
    shell.run("season", club, "new", "--name", "Autumn")
    before = {row["player"]: row["total"] for row in shell.json("season", club)["rows"]}
    after = shell.json("season", club, "earlier", shell.file("grid.txt", GRID))
    assert [evening["date"] for evening in after["evenings"]] == [
        "2026-09-01",
        "2026-09-08",
        "2026-10-06",
        "2026-10-13",
    ]
    gained = {row["player"]: row["total"] - before[row["player"]] for row in after["rows"]}
    assert gained == {1: 17, 2: 11.5, 3: 12.5, 4: 0, 5: 0, 6: 0}


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
def test_a_wrong_grid_is_refused_by_line_and_field(
    shell: Shell, club: Path, grid: str, line: int, error_text: str
) -> None:
    shell.run("season", club, "new", "--name", "Autumn")
    error = shell.run_refused("season", club, "earlier", shell.file("grid.txt", grid))
    assert error_text in error
    assert str(line) in error


def test_the_text_for_messengers_has_the_evening_and_the_season(shell: Shell, club: Path) -> None:
    shell.run("season", club, "new", "--name", "Autumn")
    lines = shell.run("season", club, "text").splitlines()
    assert lines[1].startswith("1. ")
    assert lines.index("*Autumn*") == 8
    assert len(lines) == 15


def test_season_rules_are_listed_and_unknown_ones_refused(shell: Shell, club: Path) -> None:
    rule_ids = {rule["id"] for rule in shell.json("season", club, "rules")}
    assert {"hamburg", "tessenderlo", "ntsv", "liga-der-champions", "best", "average"} <= rule_ids
    assert "best" in shell.run_refused("season", club, "new", "--rules", "luck")
    assert "liga-der-champions  Liga der Champions: number of qualifying" in shell.run("season", club, "rules")
    assert "No season yet" in shell.run_refused("season", club, "text")
    assert "--season" not in shell.run("season", club, "new")
    shell.run("season", club, "new", "--name", "Year", "--since", "2026-01-01")
    assert "\n--season: 1 Best 4 evenings, 2 Year\n" in shell.run("season", club)
    shell.run("undo", club)
    assert "no such season" in shell.run_refused("season", club, "text", "--season", 2)


@pytest.fixture
def rated_club(shell: Shell) -> Path:
    return shell.build_once("pair.tdapp", build_rated_club)


def build_rated_club(shell: Shell, file: Path) -> None:
    """Example 18: two members at 1500. A wins on 1 October, B on 8 October."""
    shell.run("new", file, "--name", "Pair", "--rules", "nl-match", "--evenings", "--system", "swiss")
    shell.run("import", file, shell.file("two.csv", "name;rating;member;club\nA;1500;7;X\nB;1500;8;Y\nC;;9;Z\n"))
    for day, winner in (("2026-10-01", "A"), ("2026-10-08", "B")):
        shell.run("evening", file, "begin", "--date", day)
        shell.run("evening", file, "here", 1, 2)
        (game,) = shell.json("pair", file)["games"]
        first = (400, 300) if (game["first"] == 1) == (winner == "A") else (300, 400)
        shell.run("result", file, "--table", game["table"], *first)
    shell.run("season", file, "new", "--name", "Autumn")


def list_ratings(shell: Shell, file: Path, *options: object) -> dict[str, int]:
    return {row["name"]: row["new"] for row in shell.json("ratings", file, "--season", *options)["rows"]}


def test_the_rating_list_on_a_day(shell: Shell, rated_club: Path) -> None:
    assert list_ratings(shell, rated_club, "--on", "2026-10-01") == {"A": 1510, "B": 1490}
    assert list_ratings(shell, rated_club) == list_ratings(shell, rated_club, 1) == {"A": 1499, "B": 1501}
    ratings = shell.json("ratings", rated_club, "--season")
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
    output = shell.run("ratings", rated_club, "--season")
    assert output.startswith("Autumn: rating list of 8 October 2026 · Elo\n")
    assert "no such season" in shell.run_refused("ratings", rated_club, "--season", 2)


def test_the_rating_list_after_a_changed_date(shell: Shell, rated_club: Path) -> None:
    shell.run("do", rated_club, "edit-stage", "stage=2", "date=2026-09-24")
    assert list_ratings(shell, rated_club) == {"A": 1501, "B": 1499}


def test_the_share_of_each_game(shell: Shell, rated_club: Path) -> None:
    games = shell.json("ratings", rated_club, "--season", "--games", "A")["games"]
    assert [(game["date"], game["opponent_name"], game["opponent_rating"], game["score"]) for game in games] == [
        ("2026-10-01", "B", 1500, 1),
        ("2026-10-08", "B", 1490, 0),
    ]
    assert [(game["expected"], game["change"], game["rating"], game["new"]) for game in games] == [
        (0.5, 10, 1500, 1510),
        (0.53, -10.58, 1510, 1499),
    ]
    assert len(shell.json("ratings", rated_club, "--season", "--games")["games"]) == 4


def test_new_ratings_are_applied_and_undone(shell: Shell, rated_club: Path) -> None:
    shell.run("do", rated_club, "apply-ratings", "season=1", "system=elo")
    assert [player["rating"] for player in shell.json("players", rated_club)] == [1499, 1501, None]
    assert list_ratings(shell, rated_club) == {"A": 1499, "B": 1501}
    assert "have these ratings already" in shell.run_refused(
        "do", rated_club, "apply-ratings", "season=1", "system=elo"
    )
    shell.run("undo", rated_club)
    assert [player["rating"] for player in shell.json("players", rated_club)] == [1500, 1500, None]


def test_the_rating_list_is_exported_and_read_again(shell: Shell, rated_club: Path) -> None:
    """The list of one season becomes the players of the next file, and new ratings of players who are there."""
    exported = shell.folder / "list-2026-10-08.csv"
    shell.run("export", rated_club, exported, "--format", "rating-list")
    next_event = shell.folder / "next.tdapp"
    shell.run("new", next_event, "--name", "Next", "--rules", "nl-match")
    shell.run("import", next_event, exported)
    players = {player["name"]: player for player in shell.json("players", next_event)}
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
        shell.run("export", rated_club, shell.folder / name, "--format", kind)
        copy = shell.folder / f"{name}.tdapp"
        copy.write_bytes(rated_club.read_bytes())
        shell.run("import", copy, shell.folder / name, "--ratings")
        assert [player["rating"] for player in shell.json("players", copy)] == [1499, 1501, None]
    shell.run("export", rated_club, shell.folder / "games.csv", "--format", "rating-games", "--on", "2026-10-01")
    assert (shell.folder / "games.csv").read_text("utf-8-sig").splitlines()[1:] == [
        "A;2026-10-01;1500;1;B;1500;1;0.5;+10;1510",
        "B;2026-10-01;1500;1;A;1500;0;0.5;-10;1490",
    ]
