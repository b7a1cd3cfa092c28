"""Tests of the program's data files and of the sample tournament."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.domain.errors import UserError
from tdapp.services.demo import PLAYERS, is_sample_tournament, open_sample_tournament
from tdapp.services.resources import Resources
from tests.building import RESOURCES
from tests.services.headless_session import make_session


def test_resources_find_presets_and_tile_sets_by_name() -> None:
    resources = Resources(RESOURCES)
    rules = resources.get_bundled_ruleset("nl-match")
    assert resources.find_original_preset(rules) == rules
    assert resources.list_changed_rule_parameters(rules) == ()
    assert (
        resources.names_of_parameter_values["tileset"][rules.tileset] == resources.get_tileset(rules.tileset).name
    )
    assert resources.rating_systems
    with pytest.raises(UserError, match="no-such-ruleset") as error_info:
        resources.get_bundled_ruleset("none")
    assert "nl-match" in str(error_info.value.facts["known"])
    with pytest.raises(UserError, match="no-such-tileset"):
        resources.get_tileset("none")


def test_open_demo_has_a_word_list_and_is_marked_as_sample(tmp_path: Path) -> None:
    session, _notifications = make_session(tmp_path)
    assert not is_sample_tournament(session)
    open_sample_tournament(session)
    assert is_sample_tournament(session)
    assert len(session.tournament.players) == PLAYERS


def test_every_rule_set_language_has_a_name() -> None:
    resources = Resources(RESOURCES)
    names = resources.names_of_parameter_values["language"]
    assert {preset.language for preset in resources.bundled_rulesets.values()} <= names.keys()
