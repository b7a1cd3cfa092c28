"""Tests of fault reports: they contain technical details but no personal data."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.model import PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.services import fault_report
from tdapp.services.fault_report import FaultReportFacts, make_exception_fault, remove_folders_above_package
from tests.building import DIVISION, make_event

HIDDEN = "van den Berg, Björn"


def run_faulty_command(value: Tournament) -> Tournament:
    """Fail as a command with a bug would."""
    players = {player.name: player for player in value.players.values()}
    players["p1"] = players["Nobody, Nora"]
    return value


def raise_given_error(error: Exception) -> None:
    raise error


def catch_fault(call: Callable[[], object]) -> fault_report.CaughtFault:
    try:
        call()
    except Exception as error:
        return make_exception_fault(error)
    raise AssertionError


def raise_chained_error() -> None:
    try:
        raise_given_error(CommandError("name-empty", name=HIDDEN))
    except CommandError as error:
        raise RuntimeError("worse") from error


def test_write_fault_report_contains_no_player_and_no_file(tmp_path: Path) -> None:
    value = commands.edit_event(make_event(23), name="Open Leiden")
    value = commands.add_player(value, key="x", division=DIVISION, name=HIDDEN, club="Leiden Letters")
    player, path = value.players[PlayerId("x")], tmp_path / "hidden.tdapp"
    fault = catch_fault(
        partial(raise_given_error, LookupError(f"{player.name} ({player.club}) of '{value.event.name}' in {path}"))
    )
    text = fault_report.format_fault_report(fault, FaultReportFacts("6.9"), count=3, tournament=value)

    for word in (*player.name.replace(",", "").split(), value.event.name, str(tmp_path), "hidden.tdapp", "Leiden"):
        assert word not in text
    assert "seen 3 times" in text
    assert "24 players" in text
    assert "test_fault_report.py:" in text
    assert "in raise_given_error" in text


def test_write_fault_report_keeps_ids_and_words_of_the_code() -> None:
    value = make_event(players=2)
    player = next(iter(value.players))
    faults = (
        catch_fault(partial(run_faulty_command, value)),
        catch_fault(lambda: value.no_such_thing),  # type: ignore[attr-defined]
        catch_fault(partial(raise_given_error, KeyError(player))),
    )
    reports = [
        fault_report.format_fault_report(fault, FaultReportFacts(""), count=1, tournament=value)
        for fault in faults
    ]

    assert "KeyError: '<text>'" in reports[0]
    assert "'Tournament' object has no attribute 'no_such_thing'" in reports[1]
    assert f"KeyError: '{player}'" in reports[2]


def test_write_fault_report_lists_causes_in_order_without_facts_of_user_errors() -> None:
    fault = catch_fault(raise_chained_error)
    text = fault_report.format_fault_report(fault, FaultReportFacts(""), count=1, tournament=None)

    assert text.index("CommandError: name-empty name") < text.index("RuntimeError: worse")
    assert "Berg" not in text


@pytest.mark.parametrize(
    ("path", "short_path"),
    [
        ("/home/nora/tdapp/tdapp/gui/shell/window.py", "tdapp/gui/shell/window.py"),
        (r"C:\Users\Nora\tdapp\gui\shell\window.py", "tdapp/gui/shell/window.py"),
        ("/home/nora/v/lib/python3.12/site-packages/sqlalchemy/sql/x.py", "sqlalchemy/sql/x.py"),
        ("/usr/lib/python3.12/threading.py", "threading.py"),
    ],
)
def test_shorten_path_removes_the_part_outside_the_package(path: str, short_path: str) -> None:
    assert remove_folders_above_package(path) == short_path
