"""Tests of the verbs `lexicon` and `judge`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tdapp import cli
from tests.building import RESOURCES
from tests.cli.shell import Shell

LIST = "# ours\naap\ncafé\nmee-eten\nauto's\nreünie\nA4\nnoot mies\n" + "a" * 14 + "\n" + "b" * 16 + "\n"


@pytest.fixture
def word_list_file(tmp_path: Path) -> Path:
    path = tmp_path / "swl.txt"
    path.write_text(LIST, "utf-8")
    return path


@pytest.fixture
def lexicon_file(shell: Shell, word_list_file: Path) -> Path:
    path = shell.folder / "swl.lex"
    shell.run(
        "lexicon",
        "build",
        word_list_file,
        path,
        "--language",
        "nl",
        "--name",
        "SWL 2023",
        "--binding-max-length",
        13,
    )
    return path


def test_lexicon_build_counts_kept_and_dropped_lines(shell: Shell, word_list_file: Path) -> None:
    build_result = shell.run_json(
        "lexicon", "build", word_list_file, shell.folder / "x.lex", "--language", "nl", "--date", "2023-01-01"
    )
    assert (build_result["name"], build_result["language"], build_result["date"]) == ("swl", "nl", "2023-01-01")
    assert (build_result["words"], build_result["binding_max_length"], build_result["practice"]) == (
        6,
        None,
        False,
    )
    assert build_result["source_hash"] == hashlib.sha256(word_list_file.read_bytes()).hexdigest()
    assert build_result["encoding"] == "utf-8"
    assert {reason: item["count"] for reason, item in build_result["dropped"].items()} == {
        "comment": 1,
        "space": 1,
        "digit": 1,
        "long": 1,
    }
    assert build_result["dropped"]["digit"]["examples"] == [{"number": 7, "text": "A4"}]


def test_lexicon_build_prints_sentences(shell: Shell, word_list_file: Path) -> None:
    output = shell.run("lexicon", "build", word_list_file, shell.folder / "x.lex", "--language", "nl")
    assert "6 words" in output
    assert "1 line left out: the word has a digit (7: A4)" in output


def test_lexicon_info_describes_an_edition(shell: Shell, lexicon_file: Path) -> None:
    info = shell.run_json("lexicon", "info", lexicon_file)
    assert (info["name"], info["language"], info["words"]) == ("SWL 2023", "nl", 6)
    assert (info["binding_max_length"], info["sound"]) == (13, True)
    assert len(info["edition_id"]) == 12
    output = shell.run("lexicon", "info", lexicon_file)
    assert "SWL 2023" in output
    assert info["edition_id"] in output


@pytest.mark.parametrize(
    ("words", "verdict", "code"),
    [
        (("AAP",), "valid", 0),
        (("aap", "CAFÉ", "mee-eten", "AUTOS", "Reunie"), "valid", 0),
        (("AAP", "QQ"), "invalid", 1),
        (("AAP", "A" * 14), "not-binding", 3),
        (("B" * 14,), "not-binding", 3),
        (("AAP", "A" * 14, "QQ"), "invalid", 1),
    ],
)
def test_judge_gives_one_verdict_for_the_whole_play(
    shell: Shell, lexicon_file: Path, words: tuple[str, ...], verdict: str, code: int
) -> None:
    """Check Norwegian rule 3.10: the verdict has no reason and does not name the invalid word."""
    document = shell.run_json("judge", lexicon_file, *words, code=code)
    assert set(document) == {"verdict", "edition", "edition_id", "practice", "words"}
    assert (document["verdict"], document["edition"], document["words"]) == (verdict, "SWL 2023", len(words))
    output = shell.run("judge", lexicon_file, *words, code=code)
    assert len(output.splitlines()) == 1
    assert not any(word.casefold() in output.casefold() for word in words)


def test_judge_ignores_the_order_of_words(shell: Shell, lexicon_file: Path) -> None:
    first_output = shell.run("judge", lexicon_file, "AAP", "QQ", code=1)
    second_output = shell.run("judge", lexicon_file, "QQ", "AAP", code=1)
    assert first_output == second_output


def test_lexicon_build_can_leave_out_words_with_hyphens(shell: Shell, word_list_file: Path) -> None:
    target = shell.folder / "be.lex"
    shell.run("lexicon", "build", word_list_file, target, "--language", "nl", "--without-hyphens")
    assert shell.run_json("lexicon", "info", target)["words"] == 4
    shell.run("judge", target, "MEE-ETEN", code=1)
    shell.run("judge", target, "MEEETEN", code=1)


def test_lexicon_labels_our_practice_list(shell: Shell) -> None:
    (lexicon, *_) = shell.run_json("lexicon", "found")
    assert (lexicon["language"], lexicon["name"]) == ("nl", "nl-practice")
    target = shell.folder / "practice.lex"
    assert shell.run_json("lexicon", "build", lexicon["path"], target)["practice"] is True
    assert "practice" in shell.run("lexicon", "info", target)
    assert shell.run_json("judge", target, "TAART", "TAFEL")["practice"] is True
    assert lexicon["path"] in shell.run("lexicon", "found")


def test_lexicon_build_labels_a_practice_list(shell: Shell, word_list_file: Path) -> None:
    target = shell.folder / "own.lex"
    build_result = shell.run_json(
        "lexicon", "build", word_list_file, target, "--language", "nl", "--practice", "--without-names"
    )
    assert build_result["practice"] is True


def test_score_checks_the_words_of_a_sheet(shell: Shell, lexicon_file: Path) -> None:
    turns = [
        {"player": 1, "kind": "play", "at": "8G", "word": "AAP", "score": 10},
        {"player": 2, "kind": "play", "word": "QQ", "score": 5},
        {"player": 1, "kind": "play", "word": "A" * 14, "score": 14},
    ]
    sheet = shell.folder / "sheet.json"
    sheet.write_text(json.dumps({"players": ["P", "Q"], "first": 1, "turns": turns, "ended": "open"}), "utf-8")

    score = shell.run_json("score", sheet, "--rules", "nl-match", "--lexicon", lexicon_file)
    score_without_list = shell.run_json("score", sheet, "--rules", "nl-match")

    added_issues = [issue for issue in score["issues"] if issue not in score_without_list["issues"]]
    assert [(issue["turn"], issue["code"], issue["detail"]) for issue in added_issues] == [
        (2, "word-not-in-list", "QQ"),
        (3, "word-not-binding", "A" * 14),
    ]
    assert [issue["code"] for issue in score["turns"][1]["issues"]].count("word-not-in-list") == 1
    assert score["edition"] == "SWL 2023"
    assert score["scores"] == score_without_list["scores"]
    assert "QQ is not in the word list" in shell.run(
        "score", sheet, "--rules", "nl-match", "--lexicon", lexicon_file
    )
    assert "none.lex" in shell.run_refused("score", sheet, "--rules", "nl-match", "--lexicon", "none.lex")


@pytest.mark.parametrize(
    ("words", "error_text"),
    [
        (("judge", "{folder}/none.lex", "AAP"), "none.lex"),
        (("judge", "{folder}/swl.txt", "AAP"), "not a tdapp word list"),
        (("lexicon", "info", "{folder}/swl.txt"), "not a tdapp word list"),
        (("lexicon", "info"), "lexicon info"),
        (("lexicon", "build", "{folder}/swl.txt"), "lexicon build"),
        (("lexicon", "build", "{folder}/swl.txt", "{folder}/x.lex"), "--language"),
        (("lexicon", "build", "{folder}/none.txt", "{folder}/x.lex", "--language", "nl"), "none.txt"),
        (("lexicon", "build", "{folder}/swl.txt", "{folder}/swl.lex", "--language", "nl"), "already"),
        (
            ("lexicon", "build", "{folder}/swl.txt", "{folder}/n/x.lex", "--language", "nl"),
            "this folder does not exist",
        ),
        (("lexicon", "build", "{folder}/swl.txt", "{folder}/x.lex", "--language", "Dutch"), "Dutch"),
        (("lexicon", "build", "{folder}/swl.txt", "{folder}/x.lex", "--language", "nl", "--encoding", "q"), "q"),
        (
            (
                "lexicon",
                "build",
                "{folder}/swl.txt",
                "{folder}/x.lex",
                "--language",
                "nl",
                "--binding-max-length",
                "99",
            ),
            "99",
        ),
    ],
)
def test_lexicon_errors_are_one_sentence(
    shell: Shell, lexicon_file: Path, words: tuple[str, ...], error_text: str
) -> None:
    assert error_text in shell.run_refused(*(word.format(folder=shell.folder) for word in words))
    assert not (shell.folder / "x.lex").exists()
    assert lexicon_file.exists()


def test_lexicon_supplement_and_compare_show_changes(shell: Shell, lexicon_file: Path) -> None:
    changes, new = shell.folder / "changes.txt", shell.folder / "new.lex"
    changes.write_text("+vuur\n-aap\n-weide\n+café\n", "utf-8")
    supplement = shell.run_json("lexicon", "supplement", lexicon_file, changes, new, "--date", "2026-01-01")
    assert (supplement["name"], supplement["date"], supplement["binding_max_length"]) == (
        "SWL 2023 + changes",
        "2026-01-01",
        13,
    )
    assert supplement["changes"] == {"added": 1, "removed": 1, "there": ["CAFE"], "missing": ["WEIDE"]}
    assert shell.run_json("lexicon", "compare", lexicon_file, new) == {
        "added": ["VUUR"],
        "removed": ["AAP"],
        "same": 5,
    }
    output = shell.run("lexicon", "compare", lexicon_file, new)
    assert output.splitlines()[1:] == ["+VUUR", "-AAP"]


@pytest.mark.parametrize("text", ["VIKAR,", "A4", "aap!", "?"])
def test_judge_refuses_a_word_without_tiles(shell: Shell, lexicon_file: Path, text: str) -> None:
    error = shell.run_refused("judge", lexicon_file, "aap", text)
    assert error.strip().endswith(
        f"“{text}” cannot be a word: one of its characters is not on any tile. The play was not judged."
    )


def test_judge_asks_for_a_word(shell: Shell, lexicon_file: Path) -> None:
    error = shell.run_refused("judge", lexicon_file, " ")
    assert "sign" not in error
    assert "Word" in error


def test_lexicon_info_names_words_that_the_rules_forbid(shell: Shell, word_list_file: Path) -> None:
    lexicon_file, event_file = shell.folder / "own.lex", shell.folder / "event.tdapp"
    build_result = shell.run_json(
        "lexicon", "build", word_list_file, lexicon_file, "--language", "nl", "--printable"
    )
    assert (
        build_result["marked"],
        build_result["names"],
        build_result["printable"],
        build_result["compounds"],
    ) == (2, 0, True, 0)
    shell.run("new", event_file, "--name", "Open", "--rules", "be-brailleliga")
    output = shell.run("judge", lexicon_file, "autos", "--file", event_file)
    assert "2 words are written with a hyphen or an apostrophe." in output
    shell.run("do", event_file, "change-rules", "ruleset=nl-match")
    assert "hyphen" not in shell.run("judge", lexicon_file, "autos", "--file", event_file)


def test_do_choosing_a_list_names_words_that_the_rules_forbid(
    shell: Shell, word_list_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event_file, library = shell.folder / "event.tdapp", shell.folder / "lexicons"
    library.mkdir()
    build_result = shell.run_json("lexicon", "build", word_list_file, library / "own.lex", "--language", "nl")
    shell.run("new", event_file, "--name", "Open", "--rules", "be-brailleliga")
    words = ["do", str(event_file), "choose-wordlist", f"wordlist={build_result['edition_id']}"]
    assert cli.run_command_line(words, resources=RESOURCES, servers_folder=shell.folder / "shared") == 0
    assert "These rules do not allow such words" in capsys.readouterr().out
