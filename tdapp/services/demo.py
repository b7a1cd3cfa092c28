"""Make the sample tournament, which exists in memory only, and sample files of any size."""

from __future__ import annotations

from functools import partial

from tdapp.desk import Desk, get_utc_timestamp
from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.ruleset import RuleSet
from tdapp.pairing import sample_events
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.resources import Resources
from tdapp.storage import Store
from tdapp.storage.library import WordListLibrary

PLAYERS, ROUNDS, PLANNED = 24, 5, 7
KEY = "sample"
MISSING_RESULTS = 8  # in the last round


def open_sample_tournament(tournament: OpenTournament) -> None:
    resources, language = tournament.resources, tournament.catalogue.language
    presets = list(resources.bundled_rulesets.values())
    rules = next((preset for preset in presets if preset.language == language), presets[0])
    name = tournament.catalogue.text("Sample tournament")
    tournament.open_tournament_in_background(partial(_make_demo_desk, rules, name, tournament.library, resources))


def is_sample_tournament(tournament: OpenTournament) -> bool:
    return tournament.is_open and tournament.path is None and tournament.tournament.event.id.startswith(KEY)


def add_players_and_play_rounds(desk: Desk, *, players: int, rounds: int, planned: int = 0) -> None:
    """Add 2 to 400 players to an empty tournament and play 1 to 50 rounds.

    `planned` is the number of scheduled rounds if greater than `rounds`.
    """
    sample_events.play_tournament(
        desk.do, lambda: desk.index, players=players, rounds=rounds, key=desk.make_row_id, planned=planned
    )


def make_sample_tournament_desk(rules: RuleSet, name: str, *, wordlist: str = "") -> Desk:
    """Return a sample tournament of five rounds. `wordlist` is the id of its word list."""
    value = commands.new_tournament(key=KEY, name=name, ruleset=rules)
    value = commands.choose_wordlist(value, wordlist=wordlist)
    desk = Desk(Store.create_in_memory(value), clock=get_utc_timestamp)
    add_players_and_play_rounds(desk, players=PLAYERS, rounds=ROUNDS, planned=PLANNED)
    for _ in range(MISSING_RESULTS):
        desk.undo()
    return desk


def _make_demo_desk(rules: RuleSet, name: str, library: WordListLibrary, resources: Resources) -> Desk:
    return make_sample_tournament_desk(
        rules, name, wordlist=_add_practice_list_in_language(rules, library, resources)
    )


def _add_practice_list_in_language(rules: RuleSet, library: WordListLibrary, resources: Resources) -> str:
    from tdapp.services import word_lists  # noqa: PLC0415 - not needed to open the window

    matching_lists = [
        practice_list
        for practice_list in resources.bundled_practice_word_lists
        if practice_list.language == rules.language
    ]
    if not matching_lists:
        return ""
    try:
        return word_lists.add_practice_list(
            library, matching_lists[0], accept_hyphens_and_apostrophes=word_lists.can_words_have_hyphens(rules)
        ).id
    except UserError:
        return ""
