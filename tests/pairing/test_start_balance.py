"""Tests of the balance of starts and replies after many simulated tournaments."""

from __future__ import annotations

import sys

import pytest

from tdapp.domain.pairing_settings import PairingSettings
from tests.pairing.simulated_swiss import Tally, simulate_tournaments

PLAIN = PairingSettings()
GUARDED = PairingSettings(guard_starts=True)
LEVEL_LAST = PairingSettings(level_rounds=1)
LEVEL_ALWAYS = PairingSettings(level_rounds=200)


@pytest.mark.slow
def test_start_balance_after_an_odd_number_of_games() -> None:
    tally = simulate_tournaments(12, PLAIN)
    assert tally.count_above("odd", 1) < 5
    assert tally.count_above("even", 2) == 0


@pytest.mark.slow
def test_start_balance_guard_prevents_three() -> None:
    tally = simulate_tournaments(12, GUARDED)
    assert max(tally.balances_during_event) == 2


@pytest.mark.slow
def test_start_balance_levelled_in_the_last_round() -> None:
    plain, levelled = simulate_tournaments(12, PLAIN), simulate_tournaments(12, LEVEL_LAST)
    assert levelled.count_above("even", 1) < plain.count_above("even", 1) / 3
    assert levelled.repeats == plain.repeats == 0


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", ["PLAIN", "GUARDED", "LEVEL_LAST", "LEVEL_ALWAYS"])
def test_start_balance_of_a_thousand_tournaments(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    tally = simulate_tournaments(1000, globals()[name])
    with capsys.disabled():
        sys.stdout.write(f"\n{_format_report(name, tally)}\n")
    assert tally.count_above("odd", 1) < 5
    assert tally.count_above("odd", 3) == tally.count_above("even", 2) == 0
    if name != "PLAIN":
        assert max(tally.balances_during_event) == 2 or name == "LEVEL_LAST"


def _format_report(name: str, tally: Tally) -> str:
    return (
        f"{name}: of 1,000 players over 1 after an odd number of games {tally.count_above('odd', 1):.1f}, "
        f"over 1 after an even number {tally.count_above('even', 1):.1f}; reached 3 during the event "
        f"{sum(count for balance, count in tally.balances_during_event.items() if balance > 2)} times; "
        f"squared score differences {tally.score_difference}, repeats {tally.repeats}"
    )
