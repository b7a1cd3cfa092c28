"""Tests of TSH folders: known and unknown lines of config.tsh, and round trips."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.entries import DivisionEntry, EventEntry, PlayerEntry
from tdapp.domain.errors import InputError
from tdapp.exchange import imports, tsh_folder
from tests.data_events import find_data_folder
from tests.exchange.random_divisions import draw_division, texts

FILES = {
    "a.t": b"One                  1500 2; 400; p12 1\nTwo                  1400 1; 300; p12 2\n",
    "b.t": b"#spread_cap 99\nThree                1300\n",
}
CONFIG = """\ufeff# a comment
config event_name = "Open \\"Leiden\\""   # another
config event_date = '21 November 2026';
config max_rounds = 12
config track_firsts = 1
config spread_cap = [200, 700,]
config bye_spread = 100
config rating_system = 'nor'
config division_rating_system{'B'} = 'none'
config division_label = { A => 'Open', "B" => "It's B" }
division A a.t
DIVISION B  b.t

prize rank 1 A "$100"
config html_suffix = '.htm'
config name = "$x"
autopair A 3 5 koth 0 3 A
begin hook
"""


def read_folder(text: str, files: dict[str, bytes] | None = None) -> EventEntry:
    """Read a config.tsh with its division files."""

    def open_file(name: str) -> bytes:
        return (FILES if files is None else files)[name]

    return tsh_folder.read_tsh_folder(text.encode(), "config.tsh", open_file)


def get_refusal(text: str) -> InputError:
    """Return the error of a refused config.tsh."""
    with pytest.raises(InputError) as error_info:
        read_folder(text)
    return error_info.value


def test_read_folder_reads_known_and_reports_unknown_lines() -> None:
    event = read_folder(CONFIG)
    assert (event.name, event.date, event.rounds, event.bye_spread) == (
        'Open "Leiden"', "21 November 2026", 12, 100
    )  # fmt: skip
    divisions = [
        (item.code, item.name, item.rating, item.spread_caps, len(item.players)) for item in event.divisions
    ]
    assert divisions == [("A", "Open", "nor", (200, 700), 2), ("B", "It's B", "", (99,), 1)]
    assert [line for line, _ in event.dropped] == [14, 15, 16, 17, 18]
    assert event.dropped[0] == (14, 'prize rank 1 A "$100"')


@pytest.mark.parametrize(
    ("lines", "spread", "omitted_lines"),
    [
        ("config realm = 'absp'", 100, []),
        ("config bye_spread = 60\nconfig realm = 'pol'", 60, []),
        ("config realm = 'nor'", None, [1]),
    ],
)
def test_read_folder_uses_the_realm_for_the_value_of_a_bye(
    lines: str, spread: int | None, omitted_lines: list[int]
) -> None:
    event = read_folder(f"{lines}\ndivision A a.t\n")
    assert (event.bye_spread, [line for line, _ in event.dropped]) == (spread, omitted_lines)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("config max_rounds = 3\n", "tsh-no-divisions", None),
        ("division A a.t\ndivision a b.t\n", "tsh-division-twice", 2),
        ("division A ../a.t\n", "tsh-file-outside", 1),
        ("division A /etc/passwd\n", "tsh-file-outside", 1),
        ("division A C:a.t\n", "tsh-file-outside", 1),
        ("division A ..\\a.t\n", "tsh-file-outside", 1),
    ],
)
def test_read_folder_refuses_unusable_folders(text: str, code: str, line: int | None) -> None:
    error = get_refusal(text)
    assert (error.code, error.source, error.line) == (code, "config.tsh", line)


@pytest.mark.parametrize(
    "line",
    [
        "config spread_cap = [1, 99999999]",
        "config spread_cap = (1, 2)",
        "config spread_cap = [-1]",
        "config bye_spread = 2000",
        "config bye_spread = [50]",
        "config rating_system = 'unheard-of'",
        "config division_label = { A => $x }",
        "config division_label{A} = label()",
        'config event_name = "a $name"',
        "config event_name{'A'} = 'x'",
        "config max_rounds = 0",
        "config = 3",
    ],
)  # fmt: skip
def test_read_folder_ignores_perl_code(line: str) -> None:
    event = read_folder(f"{line}\ndivision A a.t\n")
    assert event.dropped == ((1, line),)
    assert replace(event, dropped=()) == read_folder("division A a.t\n")


def test_read_import_reads_a_tsh_folder_by_its_path(tmp_path: Path) -> None:
    for name, content in {"config.tsh": b"division A a.t\n", **FILES}.items():
        (tmp_path / name).write_bytes(content)
    assert imports.read_file_to_import(tmp_path) == imports.read_file_to_import(tmp_path / "config.tsh")
    (tmp_path / "a.t").unlink()
    with pytest.raises(InputError) as error_info:
        imports.read_file_to_import(tmp_path)
    assert (error_info.value.code, error_info.value.source) == ("no-file-there", "a.t")


@pytest.mark.slow
@pytest.mark.timeout(600)
@given(
    st.lists(draw_division(), min_size=1, max_size=3), texts, texts, st.integers(-1000, 1000), st.integers(0, 50)
)
def test_write_folder_round_trip(
    read_files: list[DivisionEntry], name: str, date: str, bye_spread: int, rounds: int
) -> None:
    event = EventEntry(
        tuple(replace(item, code=f"D{index}", name=name) for index, item in enumerate(read_files)),
        name, date, rounds, bye_spread,
    )  # fmt: skip
    files = tsh_folder.encode_tsh_folder(event)
    read_event = tsh_folder.read_tsh_folder(files["config.tsh"], "config.tsh", lambda file: files[file])
    assert (read_event.name, read_event.date, read_event.rounds, read_event.bye_spread) == (
        name,
        date,
        rounds,
        bye_spread,
    )
    assert read_event.dropped == ()
    assert [(item.code, item.name, item.rounds) for item in read_event.divisions] == [
        (item.code, item.name, item.rounds) for item in event.divisions
    ]
    assert tsh_folder.encode_tsh_folder(read_event) == files


def test_write_folder_makes_unique_names_from_division_codes() -> None:
    divisions = tuple(DivisionEntry(code, (PlayerEntry(1, "One"),)) for code in ("A 1", "Å", "a1!"))
    assert [*tsh_folder.encode_tsh_folder(EventEntry(divisions))] == ["config.tsh", "a1.t", "d2.t", "a1-3.t"]


def test_write_folder_makes_unique_division_codes() -> None:
    divisions = tuple(DivisionEntry(code, (PlayerEntry(1, "One"),), name=code) for code in ("A 1", "A1", "a1-2"))
    files = tsh_folder.encode_tsh_folder(EventEntry(divisions))
    read_event = tsh_folder.read_tsh_folder(files["config.tsh"], "config.tsh", lambda file: files[file])
    assert [(item.code, item.name) for item in read_event.divisions] == [
        ("A1", "A 1"), ("A1-2", "A1"), ("a1-2-2", "a1-2")
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.data
def test_write_folder_round_trip_of_real_divisions(tmp_path: Path) -> None:
    config = "config spread_cap = [200, 700]\ndivision A e4c5_tournament1_a.t\ndivision B mgi2022_a.t\n"
    names = ("e4c5_tournament1_a.t", "mgi2022_a.t")
    event = read_folder(config, {name: (find_data_folder() / "events" / name).read_bytes() for name in names})
    for name, content in tsh_folder.encode_tsh_folder(event).items():
        (tmp_path / name).write_bytes(content)
    same_event = imports.read_file_to_import(tmp_path)
    assert same_event == event
    assert [item.spread_caps for item in event.divisions] == [(200, 700)] * 2
