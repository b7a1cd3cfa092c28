"""Tests of the round clock: the remaining time after each action and after a restart."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.domain.round_clock import (
    MAX_EXPIRED_TIME,
    MAX_LENGTH,
    MIN_LENGTH,
    ClockState,
    RoundClock,
    compute_usual_round_seconds,
    format_clock,
    list_passed_warning_times,
    make_saved_clock_data,
    restore_saved_clock,
)
from tdapp.domain.ruleset import ThinkingTimeRule

HOUR = 3600


def test_compute_remaining_changes_only_while_running() -> None:
    clock = RoundClock(HOUR)
    assert clock.compute_remaining_seconds(5000) == HOUR
    clock = clock.start(100)
    assert clock.compute_remaining_seconds(160) == HOUR - 60
    clock = clock.pause(160)
    assert clock.compute_remaining_seconds(9999) == HOUR - 60
    assert clock.start(10_000).compute_remaining_seconds(10_040) == HOUR - 100


def test_round_clock_start_and_pause_twice_change_nothing() -> None:
    clock = RoundClock(HOUR).start(100)
    assert clock.start(200) == clock
    paused = clock.pause(200)
    assert paused.pause(900) == paused


def test_compute_remaining_when_the_clock_steps_back() -> None:
    clock = RoundClock(HOUR).start(100)
    assert clock.compute_remaining_seconds(40) == HOUR


@pytest.mark.parametrize("running", [True, False])
def test_add_time_adds_to_the_remaining_time(running: bool) -> None:
    clock = RoundClock(HOUR).start(0)
    clock = clock if running else clock.pause(100)
    assert clock.add_time(300).compute_remaining_seconds(100) == HOUR - 100 + 300


def test_add_time_keeps_the_length_between_zero_and_ten_hours() -> None:
    assert RoundClock(HOUR).add_time(-2 * HOUR).compute_remaining_seconds(0) == 0
    assert RoundClock(HOUR).add_time(99 * HOUR).compute_remaining_seconds(0) == MAX_LENGTH


def test_reset_removes_start_and_extra_time() -> None:
    assert RoundClock(HOUR).start(7).add_time(60).reset() == RoundClock(HOUR)


def test_set_length_keeps_the_elapsed_time() -> None:
    clock = RoundClock(HOUR).start(0).add_time(60)
    assert clock.set_length(1800).compute_remaining_seconds(100) == 1800 + 60 - 100
    assert RoundClock(HOUR).set_length(3).length == MIN_LENGTH
    assert RoundClock(HOUR).set_length(99 * HOUR).compute_remaining_seconds(0) == MAX_LENGTH


def test_find_state_of_a_round_clock() -> None:
    clock = RoundClock(HOUR)
    assert clock.find_clock_state(0) is ClockState.READY
    clock = clock.start(0)
    assert clock.find_clock_state(1) is ClockState.RUNNING
    assert clock.find_clock_state(HOUR - 300) is ClockState.SOON
    assert clock.pause(60).find_clock_state(60) is ClockState.PAUSED
    assert clock.find_clock_state(HOUR) is ClockState.OVER
    assert clock.pause(HOUR + 5).find_clock_state(0) is ClockState.OVER


def test_find_state_short_clock_has_no_early_warning() -> None:
    assert RoundClock(240).start(0).find_clock_state(1) is ClockState.RUNNING


def test_format_clock_of_seconds() -> None:
    clock = RoundClock(60).start(0)
    texts = [
        (seconds, format_clock(clock.compute_displayed_seconds(seconds)))
        for seconds in (0, 0.2, 1, 59.9, 60, 60.5, 61, 130)
    ]
    assert [text for _, text in texts] == ["1:00", "1:00", "0:59", "0:01", "0:00", "0:00", "−0:01", "−1:10"]
    assert format_clock(7205) == "120:05"


def test_find_crossed_marks_reports_a_mark_once() -> None:
    assert list_passed_warning_times(301, 300) == (300,)
    assert list_passed_warning_times(300, 299) == ()
    assert list_passed_warning_times(0.2, 0.0) == (0,)
    assert list_passed_warning_times(400, -5) == (300, 0)
    assert list_passed_warning_times(299, 600) == (), "extra time"


def test_compute_usual_length_by_the_rules() -> None:
    assert compute_usual_round_seconds(ThinkingTimeRule(minutes=25)) == 60 * 60
    assert compute_usual_round_seconds(ThinkingTimeRule()) is None


# --- after a restart


def store_clock(clock: RoundClock, time: float, wall: float) -> dict[str, object]:
    data: dict[str, object] = json.loads(json.dumps(dict(make_saved_clock_data(clock, now=time, wall=wall))))
    return data


def test_restore_clock_running_clock_continues() -> None:
    data = store_clock(RoundClock(HOUR).start(100), 400, 1_000_000)
    restored = restore_saved_clock(data, now=460, wall=1_000_060)
    assert restored is not None
    assert restored.is_running
    assert restored.compute_remaining_seconds(460) == HOUR - 360


def test_restore_clock_paused_clock_stays() -> None:
    data = store_clock(RoundClock(HOUR).start(100).pause(200).add_time(60), 400, 1_000_000)
    restored = restore_saved_clock(data, now=9000, wall=1_900_000)
    assert restored == RoundClock(HOUR, extra=60, elapsed=100.0)


def test_restore_clock_ignores_a_changed_time_of_day() -> None:
    data = store_clock(RoundClock(HOUR).start(100), 400, 1_000_000)
    restored = restore_saved_clock(data, now=460, wall=3)
    assert restored is not None
    assert restored.compute_remaining_seconds(460) == HOUR - 360


def test_restore_clock_uses_time_of_day_after_a_restart() -> None:
    data = store_clock(RoundClock(HOUR).start(100), 4000, 1_000_000)
    restored = restore_saved_clock(data, now=12, wall=1_000_090)
    assert restored is not None
    assert (
        restored.compute_remaining_seconds(12) == RoundClock(HOUR).start(100).compute_remaining_seconds(4000) - 90
    )


def test_restore_clock_resets_a_long_expired_clock() -> None:
    data = store_clock(RoundClock(HOUR).start(0), 10, 0)
    assert restore_saved_clock(data, now=HOUR + MAX_EXPIRED_TIME + 1, wall=0) == RoundClock(HOUR)


@pytest.mark.parametrize(
    "invalid_data",
    [
        {},
        {"length": "long", "extra": 0, "spent": 0, "steady": 0, "wall": 0},
        {"length": float("nan"), "extra": 0, "spent": 0, "steady": 0, "wall": 0},
        {"length": 0, "extra": 0, "spent": 0, "steady": 0, "wall": 0},
    ],
)
def test_restore_clock_ignores_invalid_data(invalid_data: dict[str, object]) -> None:
    assert restore_saved_clock(invalid_data, now=1, wall=1) is None


ACTS = st.lists(
    st.tuples(st.sampled_from(["start", "pause", "add"]), st.floats(0, 500), st.integers(-300, 900)), max_size=12
)


@given(actions=ACTS)
def test_find_crossed_marks_counts_each_second_once(actions: list[tuple[str, float, int]]) -> None:
    """The remaining time is always the length plus extra time minus elapsed time."""
    clock, time, run_seconds = RoundClock(2 * HOUR), 0.0, 0.0
    for action, duration, seconds in actions:
        run_seconds += duration if clock.is_running else 0.0
        time += duration
        if action == "add":
            clock = clock.add_time(seconds)
        elif action == "start":
            clock = clock.start(time)
        else:
            clock = clock.pause(time)
    assert clock.compute_remaining_seconds(time) == pytest.approx(
        clock.length + clock.extra - run_seconds, abs=1e-6
    )
    assert (
        list_passed_warning_times(clock.compute_remaining_seconds(time), clock.compute_remaining_seconds(time))
        == ()
    )


@pytest.mark.parametrize(
    ("spent_seconds", "wait"), [(0.0, 1.0), (0.3, 0.7), (9.75, 0.25), (10.0, 1.0), (10.5, 0.5)]
)
def test_compute_time_to_next_is_when_the_display_changes(spent_seconds: float, wait: float) -> None:
    clock = RoundClock(10).start(0)
    assert clock.compute_seconds_until_display_changes(spent_seconds) == pytest.approx(wait)
    assert (
        clock.compute_displayed_seconds(spent_seconds + wait) == clock.compute_displayed_seconds(spent_seconds) - 1
    )
