"""Tests of the verb `print`: recorded printouts, stale reports, sets of reports and warnings."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pypdfium2
import pytest

from tdapp import cli
from tdapp.reports import REPORTS
from tdapp.services import printing
from tests.building import RESOURCES
from tests.cli.shell import Shell


def read_page_texts(path: Path) -> list[str]:
    document = pypdfium2.PdfDocument(path.read_bytes())
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def enter_results(shell: Shell, event_file: Path, *, extra: int = 0) -> None:
    for table in (1, 2, 3):
        shell.run(
            "result", event_file, "--round", 1, "--table", table, 400 + table + (extra if table == 1 else 0), 350
        )


@pytest.fixture
def paired_event(shell: Shell, event_file: Path) -> Path:
    return shell.build_once(event_file.name, publish_round)


def publish_round(shell: Shell, event_file: Path) -> None:
    shell.run("pair", event_file)


def test_print_records_printouts_outside_the_undo_history(shell: Shell, paired_event: Path) -> None:
    target = shell.folder / "out.pdf"
    enter_results(shell, paired_event)
    document = shell.run_json("print", paired_event, "standings", "-o", target)
    assert document == {
        "file": str(target), "report": "standings", "reports": ["standings"], "left_out": [], "noted": True,
        "missing_letters": {},
    }  # fmt: skip
    assert shell.run_json("history", paired_event)[0]["text"] == "One report printed · Standings"
    assert shell.run_json("undo", paired_event)["label"] == "enter-result"
    assert shell.run_json("history", paired_event)[0]["text"].startswith("Undone: ")
    shell.run("redo", paired_event)
    assert shell.run_json("history", paired_event)[0]["text"].startswith("Redone: ")


def test_verify_finds_a_printed_check_code_in_its_file(shell: Shell, paired_event: Path) -> None:
    target, other_event = shell.folder / "out.pdf", shell.folder / "other.tdapp"
    shell.run("snapshot", paired_event, other_event)
    enter_results(shell, paired_event)
    shell.run("print", paired_event, "standings", "-o", target)
    (page,) = read_page_texts(target)
    revision, head = re.findall(r"(\d+) · ((?:\w{4} ){3}\w{4})", page)[0]
    document = shell.run_json(
        "verify", paired_event, "--head", f"{revision} {head}", "--head", head.lower().replace(" ", "-")
    )
    assert (document["sound"], document["holds"], document["agrees_to"]) == (True, True, int(revision))
    assert [(head["head"], head["found"], head["revision"]) for head in document["heads"]] == [
        (head, True, int(revision))
    ] * 2
    assert document["rounds"] == [{"division": "A", "round": 1, "agrees": True}]
    assert document["revision"] == int(revision) + 1
    foreign_document = shell.run_json("verify", other_event, "--head", f"{revision} {head}", code=2)
    assert (foreign_document["sound"], foreign_document["holds"], foreign_document["differs_from"]) == (
        True,
        False,
        int(revision),
    )
    assert f"{head} is not in the history" in shell.run("verify", other_event, "--head", head, code=2)
    assert "typing error" in shell.run_refused("verify", paired_event, "--head", head[:-1])


def test_print_after_a_ruling_makes_a_problem(shell: Shell, paired_event: Path) -> None:
    for table in (1, 2, 3):
        shell.run("result", paired_event, "--table", table, 410, 380)
    shell.run("print", paired_event, "pairings-by-table", "-o", shell.folder / "results.pdf")
    assert not any("changed since" in line for line in shell.run_json("check", paired_event)["problems"])
    shell.run("rule", paired_event, "--table", 1, "--player", 1, "--word", "XQBAR", "--score", 45)
    problems = [line for line in shell.run_json("check", paired_event)["problems"] if "changed since" in line]
    assert len(problems) == 1
    assert "Results by table, round 1" in problems[0]


def test_print_clears_the_problem_of_stale_reports(shell: Shell, paired_event: Path) -> None:
    target = shell.folder / "out.pdf"
    enter_results(shell, paired_event)
    shell.run("print", paired_event, "standings", "-o", target)
    assert not any("changed since" in line for line in shell.run_json("check", paired_event)["problems"])
    enter_results(shell, paired_event, extra=200)
    problems = [line for line in shell.run_json("check", paired_event)["problems"] if "changed since" in line]
    assert problems == ["Standings, round 1: changed since it was printed. Print it again."]
    shell.run("print", paired_event, "standings", "-o", target, "--not-noted")
    assert [line for line in shell.run_json("check", paired_event)["problems"] if "changed since" in line]
    shell.run("print", paired_event, "standings", "-o", target)
    assert not any("changed since" in line for line in shell.run_json("check", paired_event)["problems"])


def test_print_writes_the_reports_of_a_moment_to_one_file(shell: Shell, paired_event: Path) -> None:
    target = shell.folder / "out.pdf"
    document = shell.run_json("print", paired_event, "--set", "round", "-o", target, "--paper", "letter")
    assert document["reports"] == ["pairings-by-name", "pairings-by-table", "slips"]
    assert ["find your table" in text for text in read_page_texts(target)][:2] == [True, False]
    assert pypdfium2.PdfDocument(target.read_bytes())[0].get_size() == (612, 792)


def test_print_lists_letters_missing_from_all_fonts(
    shell: Shell, paired_event: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tdapp.reports.shaping.list_font_folders", lambda: [tmp_path / "none"])

    shell.run("do", paired_event, "edit-player", "player=1", "name=Kari 王小明")
    target = shell.folder / "out.pdf"
    assert shell.run_json("print", paired_event, "standings", "-o", target)["missing_letters"] == {
        "Kari 王小明": "王小明"
    }
    assert "Kari 王小明 (王小明)" in shell.run("print", paired_event, "standings", "-o", target)


def test_print_leaves_out_empty_reports_of_a_moment(shell: Shell, paired_event: Path) -> None:
    enter_results(shell, paired_event)
    target = shell.folder / "out.pdf"
    document = shell.run_json("print", paired_event, "--set", "end", "-o", target)
    assert document["left_out"] == ["prizes"]
    assert document["reports"] == ["standings", "certificates", "statistics"]
    assert not any("There are no prizes." in text for text in read_page_texts(target))
    target.unlink()
    assert "Nothing to print. There are no prizes." in shell.run_refused(
        "print", paired_event, "prizes", "-o", target
    )
    assert not target.exists()


@pytest.mark.parametrize(
    "words", [("standings",), ("standings", "--set", "round", "-o", "x.pdf"), ("-o", "x.pdf")]
)
def test_print_needs_one_report(shell: Shell, paired_event: Path, words: tuple[str, ...]) -> None:
    assert "--set" in shell.run_refused("print", paired_event, *words)


def test_print_works_for_a_read_only_file(shell: Shell, paired_event: Path) -> None:
    target = shell.folder / "out.pdf"
    paired_event.chmod(stat.S_IREAD)
    document = shell.run_json("print", paired_event, "standings", "-o", target)
    paired_event.chmod(stat.S_IREAD | stat.S_IWRITE)
    assert target.exists()
    assert document["noted"] in {True, False}  # root can write to any file


def test_print_of_short_words_requires_a_practice_list(shell: Shell, paired_event: Path) -> None:
    target, source = shell.folder / "out.pdf", RESOURCES / "lexicons" / "nl-practice.txt"
    shell.run("lexicon", "build", source, shell.folder / "practice.lex")
    shell.run("print", paired_event, "short-words", "-o", target, "--wordlist", shell.folder / "practice.lex")
    assert "AAN" in read_page_texts(target)[0].split()
    assert "AARDAPPEL" not in read_page_texts(target)[0]
    words = shell.write_file("official.txt", "aap\nab\nzee\n")
    shell.run("lexicon", "build", words, shell.folder / "official.lex", "--language", "nl", "--name", "Official")
    error = shell.run_refused(
        "print", paired_event, "short-words", "-o", target, "--wordlist", shell.folder / "official.lex"
    )
    assert "Official" in error
    assert "publisher" in error


def test_print_of_doubtful_words_uses_the_named_list(shell: Shell, paired_event: Path) -> None:
    target = shell.folder / "out.pdf"
    assert "no word list" in shell.run_refused("print", paired_event, "doubtful-words", "-o", target)
    source = RESOURCES / "lexicons" / "nl-practice.txt"
    shell.run("lexicon", "build", source, shell.folder / "practice.lex")
    word_list_option = "--wordlist", shell.folder / "practice.lex"
    assert "No word is in doubt" in shell.run_refused(
        "print", paired_event, "doubtful-words", "-o", target, *word_list_option
    )


def test_print_of_doubtful_words_uses_the_list_of_the_tournament(
    shell: Shell, paired_event: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target, library = shell.folder / "out.pdf", shell.folder / "lexicons"
    library.mkdir()
    source = RESOURCES / "lexicons" / "nl-practice.txt"
    edition = shell.run_json("lexicon", "build", source, library / "own.lex")["edition_id"]
    for words, code in (
        (["do", str(paired_event), "choose-wordlist", f"wordlist={edition}"], 0),
        (["print", str(paired_event), "doubtful-words", "-o", str(target)], 2),
    ):
        assert cli.run_command_line(words, resources=RESOURCES, servers_folder=shell.folder / "shared") == code
    assert "No word is in doubt" in capsys.readouterr().err


def test_print_names_divisions_without_content(shell: Shell, paired_event: Path) -> None:
    target = shell.folder / "out.pdf"
    enter_results(shell, paired_event)
    shell.run("do", paired_event, "add-division", "code=B")
    output = shell.run("print", paired_event, "standings", "-o", target)
    assert "Left out because there is nothing to print: Standings (B)" in output
    assert len(read_page_texts(target)) == 1
    shell.run("print", paired_event, "pairings-by-name", "-o", target)  # division B has no rounds
    assert len(read_page_texts(target)) == 1


def test_print_puts_the_given_address_on_slips(shell: Shell, paired_event: Path) -> None:
    target = shell.folder / "out.pdf"
    shell.run("do", paired_event, "open-entry", "key=k")
    shell.run("print", paired_event, "slips", "-o", target, "--room", "https://192.0.2.7:8089")
    assert read_page_texts(target)[0].count("https://192.0.2.7:8089/enter") == 6
    assert not any("changed since" in line for line in shell.run_json("check", paired_event)["problems"])
    for bad_address in ("192.0.2.7", "ftp://192.0.2.7/", "http://192.0.2.7/enter", "http://"):
        with pytest.raises(SystemExit, match="2"):
            shell.run("print", paired_event, "slips", "-o", target, "--room", bad_address)


def test_print_distinguishes_namesakes(shell: Shell, event_file: Path) -> None:
    shell.run(
        "import",
        event_file,
        shell.write_file("twins.csv", "name;club\nTwin, A;Xanten\nTwin, A;Ypern\n"),
        "--namesakes",
    )
    shell.run("pair", event_file)
    shell.run("print", event_file, "pairings-by-name", "-o", shell.folder / "wall.pdf")
    text = "".join(read_page_texts(shell.folder / "wall.pdf"))
    assert "Twin, A (Xanten)" in text
    assert "Twin, A (Ypern)" in text


def test_print_asks_before_very_many_pages(
    shell: Shell, paired_event: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printing, "MANY_PAGES", 1)
    target = shell.folder / "many.pdf"

    assert "--many" in shell.run_refused("print", paired_event, "--set", "round", "-o", target)
    assert not target.exists()
    shell.run("print", paired_event, "--set", "round", "-o", target, "--many")
    assert len(read_page_texts(target)) > 1


@pytest.mark.parametrize("report", [
    "standings",
    *(pytest.param(report, marks=pytest.mark.slow) for report in REPORTS if report != "standings"),
])  # fmt: skip
def test_print_refuses_a_round_that_does_not_exist(shell: Shell, paired_event: Path, report: str) -> None:
    enter_results(shell, paired_event)
    target = shell.folder / "out.pdf"
    refusal = shell.run_refused("print", paired_event, report, "--division", "A", "--round", 9, "-o", target)
    assert refusal.strip().endswith("There is no round 9 yet.")
    assert not target.exists()


def test_print_says_that_a_round_has_no_results_yet(shell: Shell, paired_event: Path) -> None:
    target = shell.folder / "out.pdf"
    text = "Round 1 has no results yet: the printout has the results of the rounds before it."
    assert shell.run("print", paired_event, "standings", "--round", 1, "-o", target).strip() == text
    enter_results(shell, paired_event)
    assert not shell.run("print", paired_event, "standings", "--round", 1, "-o", target)
