"""Tests of the preview of a jury line."""

from __future__ import annotations

from typing import Any

import pytest

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.rulings import JUDGE_SCREEN, format_coded_ruling_reason
from tdapp.domain.tables import jury
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_tilesets
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.jury_preview import JuryEnterKeyAction, JuryLinePreview, JuryLineReader, list_help_lines
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import DIVISION, RESOURCES, make_event, pair_rounds


def make_jury_reader(value: Tournament) -> JuryLineReader:
    index = TournamentIndex(value)
    rows = jury.make_jury_game_table(
        index, index.list_published_rounds(DIVISION)[-1], find_doubts=lambda _form: frozenset()
    ).rows
    return JuryLineReader(index, rows, Catalogue("en", RESOURCES / "locale"), tileset=None, wordlist=None)


def test_jury_preview_line_names_the_action_of_enter() -> None:
    value = pair_rounds(make_event(8), results=False)
    games = [
        TournamentIndex(value).get_game(TournamentIndex(value).list_published_rounds(DIVISION)[-1].id, table).id
        for table in (1, 2, 3)
    ]
    for game in games:
        value = commands.enter_result(value, game=game, first=412, second=388)
    value = commands.check_result(value, game=games[1])
    value = commands.dispute_result(value, game=games[2], first=420, second=388)
    reader = make_jury_reader(value)
    actions = {
        line: reader.preview_line(line).action
        for line in ("1", "2", "3", "4", "1-2", "1 #", "1 =", "1 = 400 388", "1 2 AAP", "?", "99", "1 = 9999 1")
    }
    assert actions == {
        "1": JuryEnterKeyAction.SAVE,
        "2": JuryEnterKeyAction.NEXT_WORD,  # checked already
        "3": JuryEnterKeyAction.OPEN_SHEET,  # disputed
        "4": JuryEnterKeyAction.OPEN_SHEET,  # no result yet
        "1-2": JuryEnterKeyAction.SAVE,
        "1 #": JuryEnterKeyAction.OPEN_SHEET,
        "1 =": JuryEnterKeyAction.CONTINUE,
        "1 = 400 388": JuryEnterKeyAction.SAVE,
        "1 2 AAP": JuryEnterKeyAction.CHOOSE_LIST,
        "?": JuryEnterKeyAction.HELP,
        "99": JuryEnterKeyAction.REFUSE,
        "1 = 9999 1": JuryEnterKeyAction.CONFIRM,
    }
    with_command = {line for line in actions if reader.preview_line(line).command is not None}
    assert with_command == {"1", "3", "1-2", "1 = 400 388", "1 = 9999 1"}  # Ctrl+Enter saves these


def test_jury_preview_line_stores_the_reason_of_a_verdict_as_a_code() -> None:
    """Printouts show the reason in their own language, not in that of the window."""
    value = pair_rounds(make_event(2, rules="no-nsf"), results=False)
    (game,) = TournamentIndex(value).games(TournamentIndex(value).list_published_rounds(DIVISION)[-1].id)
    value = commands.enter_result(value, game=game.id, first=400, second=388)
    challenge_facts: dict[str, Any] = {
        "words": ("HUS",),
        "verdict": WordVerdict.VALID,
        "edition": "x",
        "at": "2026-11-28T14:19:00Z",
    }
    value = commands.record_challenge(
        value, key="c", division=DIVISION, round_number=1, table=1, challenger=game.first, **challenge_facts
    )
    command = make_jury_reader(value).preview_line("1 y").command
    assert command is not None
    reason = str(command.keywords["reason"])
    assert reason == format_coded_ruling_reason(JUDGE_SCREEN)
    catalogues = [Catalogue(language, RESOURCES / "locale") for language in ("en", "de")]
    assert [catalogue.describe_stored_reason(reason) for catalogue in catalogues] == [
        "verdict from the judge screen",
        "Urteil des Schiedsrichterbildschirms",
    ]


def test_list_help_lines_keeps_related_forms_together() -> None:
    """The translation of the second form with = refers to the first."""
    forms = [form for form, _ in list_help_lines(Catalogue("nl", RESOURCES / "locale"))]
    assert forms.index("12 = 347 388 =") == forms.index("12 = 412 388") + 1
    assert "12 2 XQBAR goed" in forms


def test_preview_of_a_verdict_shows_no_arrow_if_the_score_stays() -> None:
    value = pair_rounds(make_event(2, rules="naspa-nwl"), results=False)
    index = TournamentIndex(value)
    (game,) = index.games(index.list_published_rounds(DIVISION)[-1].id)
    value = commands.enter_result(value, game=game.id, first=400, second=388)
    value = commands.record_challenge(
        value,
        key="c",
        division=DIVISION,
        round_number=1,
        table=1,
        challenger=game.first,
        words=("HUS",),
        verdict=WordVerdict.VALID,
        edition="x",
        at="2026-11-28T14:19:00Z",
    )
    preview = make_jury_reader(value).preview_line("1 y")
    assert preview.command is not None
    assert "→" not in preview.text
    facts = {"round": 1, "table": 1, "apply": 1, "was": "400–388", "now": "400–388"}
    step = Catalogue("en", RESOURCES / "locale").describe_step("decide-verdicts", facts)
    assert step == "Round 1, table 1: verdicts from the judge screen applied, 400–388"


def _preview_line_of_played_round(line: str, rules: str) -> JuryLinePreview:
    value = pair_rounds(make_event(2, rules=rules), times=1)
    index = TournamentIndex(value)
    rows = jury.make_jury_game_table(
        index, index.list_published_rounds(DIVISION)[-1], find_doubts=lambda _form: frozenset()
    ).rows
    tileset = read_tilesets(RESOURCES / "tilesets")["nl"]
    catalogue = Catalogue("en", RESOURCES / "locale")
    return JuryLineReader(index, rows, catalogue, tileset=tileset, wordlist=None).preview_line(line)


@pytest.mark.parametrize("line", ["1 2 XQBAR 48", "1 2 XQBAR"])
def test_preview_of_a_ruling_explains_rules_without_rulings(line: str) -> None:
    preview = _preview_line_of_played_round(line, "de-scrabble")
    assert "the jury does not rule on it" in preview.text
    assert "which needs a word list" in preview.text
    assert "type “1 =” and both totals" in preview.second_line
    assert "Word lists" in preview.second_line


def test_preview_of_a_ruling_without_score_asks_for_it() -> None:
    preview = _preview_line_of_played_round("1 2 XQBAR", "nl-match")
    assert "type the score of the turn too" in preview.text
