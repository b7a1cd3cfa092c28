"""The program's data files, found by name; the sample tournament uses them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.domain.errors import UserError
from tdapp.services.demo import PLAYERS, is_demo, open_demo
from tdapp.services.resources import Resources
from tests.building import RESOURCES
from tests.services.headless_session import office


def test_resources_find_presets_and_tile_sets_by_name() -> None:
    resources = Resources(RESOURCES)
    rules = resources.get_preset("nl-match")
    assert resources.find_preset(rules) == rules
    assert resources.list_changed_parameters(rules) == ()
    assert resources.value_names["tileset"][rules.tileset] == resources.get_tileset(rules.tileset).name
    assert resources.ratings
    with pytest.raises(UserError, match="no-such-ruleset") as refused:
        resources.get_preset("none")
    assert "nl-match" in str(refused.value.facts["known"])
    with pytest.raises(UserError, match="no-such-tileset"):
        resources.get_tileset("none")


def test_open_demo_has_a_word_list_and_is_marked_as_sample(tmp_path: Path) -> None:
    opened, _heard = office(tmp_path)
    assert not is_demo(opened)
    open_demo(opened)
    assert is_demo(opened)
    assert len(opened.tournament.players) == PLAYERS
