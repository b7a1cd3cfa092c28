"""A round and a sheet by a blind user: real keys, and only the texts of a screen reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tdapp.app import main
from tests.e2e import screen_reader
from tests.e2e.screen_reader import Reader
from tests.e2e.virtual_screen import Screen, display
from tests.e2e.virtual_screen import missing as no_screen

SKIP_REASON = no_screen() or screen_reader.missing()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xvfb,
    pytest.mark.skipif(bool(SKIP_REASON), reason=SKIP_REASON or "there is a screen reader's bus"),
    pytest.mark.timeout(600),
]
TABLES = 12


class Blind:
    """A user who presses keys and hears the spoken texts."""

    def __init__(self, screen: Screen, ear: Reader) -> None:
        self.screen, self.ear = screen, ear

    def key(self, *names: str) -> int:
        """Press keys; return how much had been spoken before."""
        before = len(self.ear.spoken_texts)
        self.screen.key(*names)
        return before

    def presses(self, key: str, *texts: str) -> str:
        """Press a key and wait until something with all texts is spoken."""
        return self.ear.wait_for_speech(*texts, start=self.key(key))

    def tabs_to(self, name: str) -> None:
        """Press Tab until the name of what has the keys is spoken."""
        for _ in range(40):
            if self.presses("Tab", "> ").startswith(f"> {name}"):
                return
        raise AssertionError(f"Tab does not come to {name}")

    def types(self, line: str, *texts: str) -> str:
        """Type a line and wait until its preview is spoken."""
        before = len(self.ear.spoken_texts)
        self.screen.type(line)
        return self.ear.wait_for_speech(*texts, start=before)

    def enters(self, line: str, *texts: str) -> str:
        """Type a line and Enter, and wait until its outcome is spoken."""
        before = len(self.ear.spoken_texts)
        self.screen.enter(line)
        return self.ear.wait_for_speech(*texts, start=before)


@pytest.fixture
def blind(tmp_path: Path) -> Iterator[Blind]:
    file, players = tmp_path / "Open Leiden.tdapp", tmp_path / "players.csv"
    names = "".join(f"{chr(65 + index)} Jansen\n" for index in range(2 * TABLES))
    players.write_text("name\n" + names, encoding="utf-8")
    assert (
        main(
            ["new", str(file), "--name", "Open Leiden", "--rules", "nl-match", "--no-check-first", "--rounds", "3"]
        )
        == 0
    )
    assert main(["import", str(file), str(players)]) == 0
    with display() as name, screen_reader.bus(name, tmp_path / "bus") as bus, closing(Reader(bus)) as ear:
        screen = Screen(tmp_path, file, name, bus=bus)
        try:
            screen.start(str(file))
            ear.wait_for_speech("> ")
            yield Blind(screen, ear)
        finally:
            screen.kill()


def test_screen_reader_runs_a_round(blind: Blind) -> None:
    blind.presses("ctrl+2", "> Result")
    blind.presses("F6", "Round 1 paired as a draft")
    blind.presses("F9", "Round 1 published")
    assert any("12 results missing" in name for name in blind.ear.list_shown_names())
    for table in range(1, TABLES + 1):
        echo = blind.types(f"{table} {400 + table} 388", f"Table {table}:", str(400 + table))
        assert "Jansen" in echo
        announcement = blind.presses("Return", "✓", f"Table {table}:")
        assert (f"Next: table {table + 1}" in announcement) == (table < TABLES)
    blind.types("99 400 300", "!")
    blind.key("ctrl+a", "BackSpace")
    blind.types("5 511 299", "511 – 299", "The result of the table is 405 – 388")
    blind.presses("Return", "Press Enter again")
    blind.presses("Return", "✓", "511 – 299")
    blind.presses("F7", "> Standings")
    object_tree = blind.ear.list_shown_names()
    best = object_tree.index("+212")
    assert any(name.endswith("Jansen") for name in object_tree[best - 8 : best])
    blind.presses("F8", "Page 1 of 1")
    blind.screen.focus_window("^Print")
    blind.tabs_to("Save as PDF…")
    blind.screen.key("space")
    blind.screen.name_file("^Save", "standings.pdf")
    blind.ear.wait_for_speech("standings.pdf")


def test_screen_reader_types_a_sheet_and_rules_on_it(blind: Blind) -> None:
    blind.presses("ctrl+2", "> Result")
    blind.presses("F6", "Round 1 paired as a draft")
    blind.presses("F9", "Round 1 published")
    blind.presses("F10", "> ")
    assert "Jansen" in blind.enters("1", "> Row 1, ")
    for turn, line in enumerate(("8D TAART 20", "E7 TAFEL 22", "12C POST 29", "F10 LATER 33"), 1):
        blind.enters(line, line.rpartition(" ")[0], f"Row {turn // 2 + 1}, ")
    tree = blind.ear.list_shown_names()
    assert {"8D TAART", "E7 TAFELS", "8D T, 8E A, 8F A, 8G R, 8H T"} <= set(tree)
    blind.presses("ctrl+e", "> ")
    blind.screen.key("Home", "Return")
    blind.screen.enter("AE")
    blind.enters("", "Score sheet of table 1 entered")
    blind.screen.key("Escape", "ctrl+Home")
    blind.presses("Down", "Row 2, I Jansen")
    blind.presses("alt+minus", "Who rules?")
    blind.enters("J. Ury", "> Reason")
    blind.screen.enter("no such word")
    blind.presses("Return", "wrong")
