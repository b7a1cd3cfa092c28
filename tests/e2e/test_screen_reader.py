"""Tests of a round and a score sheet by a blind user, with real keys and the texts of a screen reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tdapp.app import main
from tests.e2e import screen_reader
from tests.e2e.screen_reader import ScreenReader
from tests.e2e.virtual_screen import VirtualScreen, run_display
from tests.e2e.virtual_screen import explain_missing_programs as explain_missing_screen

SKIP_REASON = explain_missing_screen() or screen_reader.explain_missing_programs()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xvfb,
    pytest.mark.skipif(bool(SKIP_REASON), reason=SKIP_REASON or "a screen reader can run"),
    pytest.mark.timeout(600),
]
TABLES = 12


class BlindUser:
    """A user with a keyboard and a screen reader."""

    def __init__(self, screen: VirtualScreen, reader: ScreenReader) -> None:
        self.screen, self.reader = screen, reader

    def press_keys(self, *names: str) -> int:
        """Press keys. Return the number of texts spoken before."""
        before = len(self.reader.spoken_texts)
        self.screen.press_keys(*names)
        return before

    def press_and_hear(self, key: str, *texts: str) -> str:
        """Press a key. Wait for a spoken text that contains all `texts`, and return it."""
        return self.reader.wait_for_speech(*texts, start=self.press_keys(key))

    def tab_to(self, name: str) -> None:
        """Press Tab until the screen reader speaks the name of the focused widget."""
        for _ in range(40):
            if self.press_and_hear("Tab", "> ").startswith(f"> {name}"):
                return
        raise AssertionError(f"Tab does not reach {name}")

    def type_and_hear(self, line: str, *texts: str) -> str:
        """Type a line, and wait for its spoken preview."""
        before = len(self.reader.spoken_texts)
        self.screen.type_text(line)
        return self.reader.wait_for_speech(*texts, start=before)

    def enter_and_hear(self, line: str, *texts: str) -> str:
        """Type a line and Enter, and wait for its spoken result."""
        before = len(self.reader.spoken_texts)
        self.screen.enter_lines(line)
        return self.reader.wait_for_speech(*texts, start=before)


@pytest.fixture
def blind_user(tmp_path: Path) -> Iterator[BlindUser]:
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
    with (
        run_display() as name,
        screen_reader.run_session_bus(name, tmp_path / "bus") as bus,
        closing(ScreenReader(bus)) as reader,
    ):
        screen = VirtualScreen(tmp_path, file, name, bus=bus)
        try:
            screen.start_program(str(file))
            reader.wait_for_speech("> ")
            yield BlindUser(screen, reader)
        finally:
            screen.kill_program()


def test_screen_reader_runs_a_round(blind_user: BlindUser) -> None:
    blind_user.press_and_hear("ctrl+2", "> Result")
    blind_user.press_and_hear("F6", "Round 1 paired as a draft")
    blind_user.press_and_hear("F9", "Round 1 published")
    assert any("12 results missing" in name for name in blind_user.reader.list_shown_names())
    for table in range(1, TABLES + 1):
        preview = blind_user.type_and_hear(f"{table} {400 + table} 388", f"Table {table}:", str(400 + table))
        assert "Jansen" in preview
        announcement = blind_user.press_and_hear("Return", "✓", f"Table {table}:")
        assert (f"Next: table {table + 1}" in announcement) == (table < TABLES)
    blind_user.type_and_hear("99 400 300", "!")
    blind_user.press_keys("ctrl+a", "BackSpace")
    blind_user.type_and_hear("5 511 299", "511 – 299", "The current result is 405 – 388")
    blind_user.press_and_hear("Return", "Press Enter again")
    blind_user.press_and_hear("Return", "✓", "511 – 299")
    blind_user.press_and_hear("F7", "> Standings")
    object_tree = blind_user.reader.list_shown_names()
    best_index = object_tree.index("+212")
    assert any(name.endswith("Jansen") for name in object_tree[best_index - 8 : best_index])
    blind_user.press_and_hear("F8", "Page 1 of 1")
    blind_user.screen.focus_window("^Print")
    blind_user.tab_to("Save as PDF…")
    blind_user.screen.press_keys("space")
    blind_user.screen.name_file("^Save", "standings.pdf")
    blind_user.reader.wait_for_speech("standings.pdf")


def test_screen_reader_types_a_sheet_and_rules_on_it(blind_user: BlindUser) -> None:
    blind_user.press_and_hear("ctrl+2", "> Result")
    blind_user.press_and_hear("F6", "Round 1 paired as a draft")
    blind_user.press_and_hear("F9", "Round 1 published")
    blind_user.press_and_hear("F10", "> ")
    assert "Jansen" in blind_user.enter_and_hear("1", "> Row 1, ")
    for turn, line in enumerate(("8D TAART 20", "E7 TAFEL 22", "12C POST 29", "F10 LATER 33"), 1):
        blind_user.enter_and_hear(line, line.rpartition(" ")[0], f"Row {turn // 2 + 1}, ")
    object_tree = blind_user.reader.list_shown_names()
    assert {"8D TAART", "E7 TAFELS", "8D T, 8E A, 8F A, 8G R, 8H T"} <= set(object_tree)
    blind_user.press_and_hear("ctrl+e", "> ")
    blind_user.screen.press_keys("Home", "Return")
    blind_user.screen.enter_lines("AE")
    blind_user.enter_and_hear("", "Score sheet for table 1 entered")
    blind_user.screen.press_keys("Escape", "ctrl+Home")
    blind_user.press_and_hear("Down", "Row 2, I Jansen")
    blind_user.press_and_hear("alt+minus", "Who is making the rulings?")
    blind_user.enter_and_hear("J. Ury", "> Reason")
    blind_user.screen.enter_lines("no such word")
    blind_user.press_and_hear("Return", "ruled invalid")
