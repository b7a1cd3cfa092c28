"""Tests of the verbs `prizes`, `standings`, `teams`, `ratings` and `news`, and of the export of rated games."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pypdfium2
import pytest

from tests.cli.shell import Shell

PLAYERS = """name;rating;class;team;member
Ann;1900;A;Reds;11
Bob;1800;B;Blues;12
Cas;1700;"B, junior";Reds;=13
Dee;;A;Blues;
"""
RESULTS = """round,table,score1,score2
1,1,400,350
1,2,380,300
"""


@pytest.fixture
def event_file(shell: Shell) -> Path:
    return shell.build_once("event.tdapp", build_event)


def build_event(shell: Shell, file: Path) -> None:
    """Make an event with four players after two rounds. The second game of round 2 is forfeited."""
    shell.run("new", file, "--name", "Open", "--rules", "no-nsf", "--rounds", 3)
    shell.run("import", file, shell.write_file("players.csv", PLAYERS))
    shell.run_json("pair", file)
    shell.run("results", file, shell.write_file("results.csv", RESULTS))
    games = shell.run_json("pair", file)["games"]
    shell.run("result", file, "--round", 2, "--table", games[0]["table"], 450, 449)
    shell.run("result", file, "--round", 2, "--table", games[1]["table"], "--forfeit", 2)


def test_news_shows_listed_records(shell: Shell, event_file: Path) -> None:
    news = shell.run_json("news", event_file)
    assert [(item["round"], item["kind"], item["value"]) for item in news if item["kind"] == "high-game"] == [
        (1, "high-game", 400), (2, "high-game", 450)
    ]  # fmt: skip
    assert news == shell.run_json("news", event_file, "--round", 2)
    assert "450 – 449 against" in shell.run("news", event_file)
    records = shell.write_file("records.csv", "kind;value;name;date;list\nhigh-loss;440;Old One;2011;Club\n")
    news_with_records = shell.run_json("news", event_file, records)
    assert [
        (item["before"], item["source"], item["value"]) for item in news_with_records if item["scope"] == "listed"
    ] == [(440, "Club", 449)]
    assert "Record (Club): high loss" in shell.run("news", event_file)
    assert shell.run_json("undo", event_file)
    assert shell.run_json("news", event_file) == news
    shell.run_json("news", event_file, records)
    assert shell.run_json("news", event_file, "--without") == news
    assert "records.csv, line 2" in shell.run_refused(
        "news", event_file, shell.write_file("records.csv", "kind;value;name\nx;1;A\n")
    )


def test_prizes_adds_and_shows_prizes(shell: Shell, event_file: Path) -> None:
    shell.run("do", event_file, "add-prize", "kind=rank", "amount=10000")
    shell.run("do", event_file, "add-prize", "kind=category", "category=B", "amount=2500")
    shell.run("do", event_file, "add-prize", "kind=hand", "text=best hat", "player=4")
    shell.run("do", event_file, "add-prize", "kind=high-game", "amount=500")
    shell.run("do", event_file, "move-prize", "prize=4", "position=1")
    shell.run("do", event_file, "edit-prize", "prize=2", "amount=9000")
    prizes = shell.run_json("prizes", event_file)
    assert [(prize["prize"], prize["kind"], prize["class"], prize["amount"]) for prize in prizes["prizes"]] == [
        (1, "high-game", "", 500), (2, "rank", "", 9000), (3, "category", "B", 2500), (4, "hand", "", 0),
    ]  # fmt: skip
    best = shell.run_json("standings", event_file)["rows"][0]
    assert [winner["name"] for winner in prizes["prizes"][1]["winners"]] == [best["name"]]
    assert [winner["name"] for winner in prizes["prizes"][3]["winners"]] == ["Dee"]
    assert sum(payout["amount"] for payout in prizes["payouts"]) == 12000
    assert prizes["prizes"][0]["winners"][0]["reason"].startswith("450 – 449 against ")
    output = shell.run("prizes", event_file)
    assert "best hat" in output
    assert "450 – 449" in output
    shell.run("do", event_file, "remove-prize", "prize=4")
    shell.run("undo", event_file)
    assert len(shell.run_json("prizes", event_file)["prizes"]) == 4


def test_prizes_shares_prizes_of_equal_players(shell: Shell) -> None:
    file = shell.folder / "even.tdapp"
    shell.run("new", file, "--name", "Even", "--rules", "no-nsf")
    shell.run("import", file, shell.write_file("players.csv", PLAYERS))
    shell.run_json("pair", file)
    shell.run("results", file, shell.write_file("r.csv", "round,table,score1,score2\n1,1,400,400\n1,2,300,300\n"))
    for rank, amount in ((1, 1000), (2, 500), (3, 2)):
        shell.run("do", file, "add-prize", "kind=rank", f"place={rank}", f"amount={amount}")
    prizes = shell.run_json("prizes", file)
    assert [payout["amount"] for payout in prizes["payouts"]] == [376, 376, 375, 375]
    assert prizes["prizes"][0]["shared"] == {"first": 1, "last": 4, "pool": 1502}


@pytest.mark.parametrize(
    ("words", "error_text"),
    [
        (("kind=category",), "Name the category"),
        (("kind=cheese",), "kind"),
        (("kind=rank", "place=0"), "not between"),
        (("kind=hand", "player=9"), "no player 9"),
    ],
)
def test_prizes_refuses_invalid_values_in_one_line(
    shell: Shell, event_file: Path, words: tuple[str, ...], error_text: str
) -> None:
    assert error_text in shell.run_refused("do", event_file, "add-prize", *words)
    assert "no such prize" in shell.run_refused("do", event_file, "remove-prize", "prize=3")


def test_standings_shows_a_category(shell: Shell, event_file: Path) -> None:
    ranks = {row["name"]: row["rank"] for row in shell.run_json("standings", event_file)["rows"]}
    category_standings = shell.run_json("standings", event_file, "--class", "b")
    assert category_standings["class"] == "B"
    assert sorted(row["name"] for row in category_standings["rows"]) == ["Bob", "Cas"]
    assert [row["class_rank"] for row in category_standings["rows"]] == [1, 2]
    assert all(row["rank"] == ranks[row["name"]] for row in category_standings["rows"])
    assert "class" not in shell.run_json("standings", event_file)
    assert "Rank in category" in shell.run("standings", event_file, "--class", "junior")
    assert "No player is in category Z" in shell.run_refused("standings", event_file, "--class", "Z")


def test_verbs_report_missing_categories_teams_and_prizes(shell: Shell) -> None:
    file = shell.folder / "event.tdapp"
    shell.run("new", file, "--name", "Open", "--rules", "no-nsf", "--rounds", 3)
    assert "No player in division A has a category." in shell.run_refused("standings", file, "--class", "B")
    assert "No players yet." in shell.run("ratings", file)
    assert shell.run("teams", file) == "No player is in a team.\n"
    assert shell.run("prizes", file) == "There are no prizes.\n"
    assert shell.run("bye", file) == "No player has had a bye or won by forfeit.\n"
    assert shell.run("times", file).startswith("No round times yet. Set them: tdapp times FILE")
    for verb in ("players", "standings", "balance"):
        assert shell.run(verb, file).splitlines()[-1] == "No players yet."


def test_teams_shows_standings_and_matches(shell: Shell, event_file: Path) -> None:
    players = {row["name"]: row for row in shell.run_json("standings", event_file)["rows"]}
    teams = {row["team"]: row for row in shell.run_json("teams", event_file)["rows"]}
    assert teams["Reds"]["wins"] == players["Ann"]["wins"] + players["Cas"]["wins"]
    assert teams["Reds"]["spread"] == players["Ann"]["spread"] + players["Cas"]["spread"]
    best = {row["team"]: row for row in shell.run_json("teams", event_file, "--best", 1)["rows"]}
    assert best["Blues"]["wins"] == max(players["Bob"]["wins"], players["Dee"]["wins"])
    assert "Reds" in shell.run("teams", event_file, "--after", 1)
    assert "no round 9" in shell.run_refused("teams", event_file, "--after", 9)
    assert "“0” is not" in shell.run_refused("teams", event_file, "--best", 0)
    assert "“−1” is not" in shell.run_refused("teams", event_file, "--best", -1)


def test_ratings_shows_performances_and_systems(shell: Shell, event_file: Path) -> None:
    ratings = shell.run_json("ratings", event_file)
    assert ratings["system"] == "elo"
    assert {row["name"]: row["rating"] for row in ratings["rows"]}["Dee"] is None
    shell.run("do", event_file, "choose-rating", "rating=deu")
    assert shell.run_json("ratings", event_file)["system"] == "deu"
    assert shell.run_json("ratings", event_file, "--system", "aus")["system"] == "aus"
    output = shell.run("ratings", event_file)
    assert "New rating" in output
    assert "No player has a rating" not in output
    assert {rating["id"] for rating in shell.run_json("ratings", "--list")} >= {
        "elo",
        "naspa",
        "wespa",
        "deu",
        "nor",
    }
    assert "Give a file name" in shell.run_refused("ratings")
    assert "no rating system called atlantis" in shell.run_refused("ratings", event_file, "--system", "atlantis")


def test_export_omits_unrated_games(shell: Shell, event_file: Path) -> None:
    target = shell.folder / "rated.csv"
    shell.run("export", event_file, target, "--format", "rated")
    text = target.read_text("utf-8-sig")
    rows = list(csv.DictReader(text.splitlines(), delimiter=";"))
    assert [(row["round"], row["event"]) for row in rows] == [("1", "Open"), ("1", "Open"), ("2", "Open")]
    assert {row["first_score"] for row in rows} == {"400", "380", "450"}
    members = {row["first_name"]: row["first_member"] for row in rows}
    members |= {row["second_name"]: row["second_member"] for row in rows}
    assert members["Ann"] == "11"
    assert members["Cas"] == "'=13"  # no formula
    first = shell.folder / "first.json"
    shell.run("export", event_file, first, "--format", "rated-json", "--round", 1)
    document = json.loads(first.read_text("utf-8"))
    assert [game["round"] for game in document["games"]] == [1, 1]
    assert [player["number"] for player in document["players"]] == [1, 2, 3, 4]
    assert document["games"][0]["winner"] == 1


@pytest.mark.parametrize("report", ["prizes", "teams", "ratings", "standings"])
def test_print_writes_reports_of_prizes_teams_and_ratings(shell: Shell, event_file: Path, report: str) -> None:
    shell.run("do", event_file, "add-prize", "kind=rank", "amount=10000")
    target = shell.folder / "paper.pdf"
    limit = ("--class", "B") if report == "standings" else ()
    shell.run("print", event_file, report, "-o", target, *limit)
    page_text = pypdfium2.PdfDocument(target)[0].get_textpage().get_text_range()
    expected = {"prizes": "100.00", "teams": "Reds", "ratings": "Elo", "standings": "category B"}
    assert expected[report] in page_text
    assert report != "standings" or "Ann" not in page_text
