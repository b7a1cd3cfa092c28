"""Further uses of the verb `print`: recorded printings, outdated reports, sets of reports, abbreviations."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pypdfium2
import pytest

from tdapp import cli
from tdapp.services import printing
from tests.building import RESOURCES
from tests.cli.shell import Shell


def texts(path: Path) -> list[str]:
    document = pypdfium2.PdfDocument(path.read_bytes())
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def play(shell: Shell, event: Path, *, extra: int = 0) -> None:
    for table in (1, 2, 3):
        shell.run("result", event, "--round", 1, "--table", table, 400 + table + (extra if table == 1 else 0), 350)


@pytest.fixture
def paired(shell: Shell, event: Path) -> Path:
    return shell.build_once(event.name, publish_round)


def publish_round(shell: Shell, event: Path) -> None:
    shell.run("pair", event)


def test_print_records_printouts_and_undo_skips_them(shell: Shell, paired: Path) -> None:
    out = shell.folder / "out.pdf"
    play(shell, paired)
    told = shell.json("print", paired, "standings", "-o", out)
    assert told == {
        "file": str(out), "report": "standings", "reports": ["standings"], "left_out": [], "noted": True,
        "missing_letters": {},
    }  # fmt: skip
    assert shell.json("history", paired)[0]["text"] == "One report printed"
    assert shell.json("undo", paired)["label"] == "enter-result"
    assert shell.json("history", paired)[0]["text"].startswith("Undone: ")
    shell.run("redo", paired)
    assert shell.json("history", paired)[0]["text"].startswith("Redone: ")


def test_verify_finds_a_printed_checksum_only_in_its_file(shell: Shell, paired: Path) -> None:
    out, other = shell.folder / "out.pdf", shell.folder / "other.tdapp"
    shell.run("snapshot", paired, other)
    play(shell, paired)
    shell.run("print", paired, "standings", "-o", out)
    (page,) = texts(out)
    revision, head = re.findall(r"(\d+) · ((?:\w{4} ){3}\w{4})", page)[0]
    found = shell.json("verify", paired, "--head", f"{revision} {head}", "--head", head.lower().replace(" ", "-"))
    assert (found["sound"], found["holds"], found["agrees_to"]) == (True, True, int(revision))
    assert [(one["head"], one["found"], one["revision"]) for one in found["heads"]] == [
        (head, True, int(revision))
    ] * 2
    assert found["rounds"] == [{"division": "A", "round": 1, "agrees": True}]
    assert found["revision"] == int(revision) + 1
    foreign = shell.json("verify", other, "--head", f"{revision} {head}", code=2)
    assert (foreign["sound"], foreign["holds"], foreign["differs_from"]) == (True, False, int(revision))
    assert f"{head} is not in the history" in shell.run("verify", other, "--head", head, code=2)
    assert "typing error" in shell.refused("verify", paired, "--head", head[:-1])


def test_print_after_a_ruling_makes_a_problem(shell: Shell, paired: Path) -> None:
    for table in (1, 2, 3):
        shell.run("result", paired, "--table", table, 410, 380)
    shell.run("print", paired, "pairings-by-table", "-o", shell.folder / "results.pdf")
    assert not any("changed since" in line for line in shell.json("check", paired)["problems"])
    shell.run("rule", paired, "--table", 1, "--player", 1, "--word", "XQBAR", "--score", 45)
    told = [line for line in shell.json("check", paired)["problems"] if "changed since" in line]
    assert len(told) == 1
    assert "Results by table, round 1" in told[0]


def test_print_clears_the_problem_of_stale_reports(shell: Shell, paired: Path) -> None:
    out = shell.folder / "out.pdf"
    play(shell, paired)
    shell.run("print", paired, "standings", "-o", out)
    assert not any("changed since" in line for line in shell.json("check", paired)["problems"])
    play(shell, paired, extra=200)
    told = [line for line in shell.json("check", paired)["problems"] if "changed since" in line]
    assert told == ["Standings, round 1: changed since it was printed. Print it again?"]
    shell.run("print", paired, "standings", "-o", out, "--not-noted")
    assert [line for line in shell.json("check", paired)["problems"] if "changed since" in line]
    shell.run("print", paired, "standings", "-o", out)
    assert not any("changed since" in line for line in shell.json("check", paired)["problems"])


def test_print_writes_the_reports_of_a_moment_in_one_file(shell: Shell, paired: Path) -> None:
    out = shell.folder / "out.pdf"
    told = shell.json("print", paired, "--set", "round", "-o", out, "--paper", "letter")
    assert told["reports"] == ["pairings-by-name", "pairings-by-table", "slips"]
    assert ["find your table" in text for text in texts(out)][:2] == [True, False]
    assert pypdfium2.PdfDocument(out.read_bytes())[0].get_size() == (612, 792)


def test_print_names_letters_that_no_font_has(
    shell: Shell, paired: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tdapp.reports.shaping.list_font_folders", lambda: [tmp_path / "none"])

    shell.run("do", paired, "edit-player", "player=1", "name=Kari 王小明")
    out = shell.folder / "out.pdf"
    assert shell.json("print", paired, "standings", "-o", out)["missing_letters"] == {"Kari 王小明": "王小明"}
    assert "Kari 王小明 (王小明)" in shell.run("print", paired, "standings", "-o", out)


def test_print_leaves_out_empty_reports_of_a_moment(shell: Shell, paired: Path) -> None:
    play(shell, paired)
    out = shell.folder / "out.pdf"
    told = shell.json("print", paired, "--set", "end", "-o", out)
    assert told["left_out"] == ["prizes"]
    assert told["reports"] == ["standings", "certificates", "statistics"]
    assert not any("There are no prizes." in text for text in texts(out))
    out.unlink()
    assert "Nothing to print. There are no prizes." in shell.refused("print", paired, "prizes", "-o", out)
    assert not out.exists()


@pytest.mark.parametrize(
    "words", [("standings",), ("standings", "--set", "round", "-o", "x.pdf"), ("-o", "x.pdf")]
)
def test_print_needs_one_report(shell: Shell, paired: Path, words: tuple[str, ...]) -> None:
    assert "--set" in shell.refused("print", paired, *words)


def test_print_works_for_a_read_only_file(shell: Shell, paired: Path) -> None:
    out = shell.folder / "out.pdf"
    paired.chmod(stat.S_IREAD)
    told = shell.json("print", paired, "standings", "-o", out)
    paired.chmod(stat.S_IREAD | stat.S_IWRITE)
    assert out.exists()
    assert told["noted"] in {True, False}  # an administrator may write to any file


def test_print_of_short_words_requires_a_practice_list(shell: Shell, paired: Path) -> None:
    out, source = shell.folder / "out.pdf", RESOURCES / "lexicons" / "nl-practice.txt"
    shell.run("lexicon", "build", source, shell.folder / "practice.lex")
    shell.run("print", paired, "short-words", "-o", out, "--wordlist", shell.folder / "practice.lex")
    assert "AAN" in texts(out)[0].split()
    assert "AARDAPPEL" not in texts(out)[0]
    words = shell.file("official.txt", "aap\nab\nzee\n")
    shell.run("lexicon", "build", words, shell.folder / "official.lex", "--language", "nl", "--name", "Official")
    refused = shell.refused("print", paired, "short-words", "-o", out, "--wordlist", shell.folder / "official.lex")
    assert "Official" in refused
    assert "publisher" in refused


def test_print_of_doubtful_words_uses_the_named_list(shell: Shell, paired: Path) -> None:
    out = shell.folder / "out.pdf"
    assert "no word list" in shell.refused("print", paired, "doubtful-words", "-o", out)
    source = RESOURCES / "lexicons" / "nl-practice.txt"
    shell.run("lexicon", "build", source, shell.folder / "practice.lex")
    listed = "--wordlist", shell.folder / "practice.lex"
    assert "No word is in doubt" in shell.refused("print", paired, "doubtful-words", "-o", out, *listed)


def test_print_of_doubtful_words_uses_the_list_of_the_tournament(
    shell: Shell, paired: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, library = shell.folder / "out.pdf", shell.folder / "lexicons"
    library.mkdir()
    source = RESOURCES / "lexicons" / "nl-practice.txt"
    edition = shell.json("lexicon", "build", source, library / "own.lex")["edition_id"]
    for words, code in (
        (["do", str(paired), "choose-wordlist", f"wordlist={edition}"], 0),
        (["print", str(paired), "doubtful-words", "-o", str(out)], 2),
    ):
        assert cli.run_command_line(words, resources=RESOURCES, servers_folder=shell.folder / "shared") == code
    assert "No word is in doubt" in capsys.readouterr().err


def test_print_names_divisions_without_content(shell: Shell, paired: Path) -> None:
    out = shell.folder / "out.pdf"
    play(shell, paired)
    shell.run("do", paired, "add-division", "code=B")
    printed = shell.run("print", paired, "standings", "-o", out)
    assert "Left out because there is nothing to print: Standings (B)" in printed
    assert len(texts(out)) == 1
    shell.run("print", paired, "pairings-by-name", "-o", out)  # division B has no round
    assert len(texts(out)) == 1


def test_print_puts_the_given_address_on_slips(shell: Shell, paired: Path) -> None:
    out = shell.folder / "out.pdf"
    shell.run("do", paired, "open-entry", "key=k")
    shell.run("print", paired, "slips", "-o", out, "--room", "https://192.0.2.7:8089")
    assert texts(out)[0].count("https://192.0.2.7:8089/enter") == 6
    assert not any("changed since" in line for line in shell.json("check", paired)["problems"])
    for bad in ("192.0.2.7", "ftp://192.0.2.7/", "http://192.0.2.7/enter", "http://"):
        with pytest.raises(SystemExit, match="2"):
            shell.run("print", paired, "slips", "-o", out, "--room", bad)


def test_print_distinguishes_namesakes(shell: Shell, event: Path) -> None:
    shell.run(
        "import", event, shell.file("twins.csv", "name;club\nTwin, A;Xanten\nTwin, A;Ypern\n"), "--namesakes"
    )
    shell.run("pair", event)
    shell.run("print", event, "pairings-by-name", "-o", shell.folder / "wall.pdf")
    text = "".join(texts(shell.folder / "wall.pdf"))
    assert "Twin, A (Xanten)" in text
    assert "Twin, A (Ypern)" in text


def test_print_asks_before_very_many_pages(shell: Shell, paired: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "MANY_PAGES", 1)
    out = shell.folder / "many.pdf"

    assert "--many" in shell.refused("print", paired, "--set", "round", "-o", out)
    assert not out.exists()
    shell.run("print", paired, "--set", "round", "-o", out, "--many")
    assert len(texts(out)) > 1
