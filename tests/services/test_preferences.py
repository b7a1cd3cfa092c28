"""Tests of stored settings: invalid values count as missing."""

from __future__ import annotations

import pytest

from tdapp.services.preferences import read_choice, read_positive_number
from tests.services.headless_session import SettingsInMemory


@pytest.mark.parametrize("invalid_text", ["abc", "", "-5", "0", "241", "1e2", "²", "٣", "99999999999999999999"])
def test_read_number_returns_the_default_for_an_invalid_number(invalid_text: str) -> None:
    settings = SettingsInMemory()
    settings.setValue("minutes", invalid_text)
    assert read_positive_number(settings, "minutes", 5, maximum=240) == 5
    settings.setValue("minutes", "240")
    assert read_positive_number(settings, "minutes", 5, maximum=240) == 240


def test_read_choice_returns_the_default_for_an_invalid_choice() -> None:
    settings = SettingsInMemory()
    settings.setValue("scheme", "purple")
    assert read_choice(settings, "scheme", ("light", "dark"), "light") == "light"
    settings.setValue("scheme", "dark")
    assert read_choice(settings, "scheme", ("light", "dark"), "light") == "dark"
