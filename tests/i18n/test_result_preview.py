"""Tests of the preview of a result line."""

from __future__ import annotations

import re

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId
from tdapp.exchange.presets import read_tilesets
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.result_preview import InputNeededForLine, ResultLineReader, ResultPreviewKind
from tdapp.pairing import propose_pairings
from tests.building import DIVISION, RESOURCES, make_event, pair_rounds
from tests.clubs import play_two_evenings


def test_preview_line_names_the_division_of_a_table_number_used_twice() -> None:
    value = commands.add_division(make_event(4), key="e", code="B")
    value = commands.add_stage(value, key="t", division=DivisionId("e"), system="swiss", rounds=2)
    value = commands.edit_division(value, division=DivisionId("e"), first_table=2)
    for name in ("Li", "Bo"):
        value = commands.add_player(value, key=name, division=DivisionId("e"), name=name)
    proposal = propose_pairings(TournamentIndex(value), DivisionId("e"))
    value = pair_rounds(commands.pair_round(value, key="b1", proposal=proposal), results=False)
    index, catalogue = TournamentIndex(value), Catalogue("en", RESOURCES / "locale")
    for division, code in ((DIVISION, "A"), (DivisionId("e"), "B")):
        reader = ResultLineReader(index, index.list_published_rounds(division)[-1], catalogue)
        assert reader.preview_line("2 400 300").text.startswith(f"Division {code} · Table 2: ")
    assert reader.preview_line("1 400 300").text.startswith("Division A · Table 1: ")


def test_preview_line_accepts_a_table_of_another_division() -> None:
    value = commands.add_division(make_event(4), key="e", code="B")
    value = commands.add_stage(value, key="t", division=DivisionId("e"), system="swiss", rounds=2)
    for name in ("Li, An", "Å, Bo <b>"):
        value = commands.add_player(value, key=name[:2], division=DivisionId("e"), name=name)
    value = commands.pair_round(
        value, key="b1", proposal=propose_pairings(TournamentIndex(value), DivisionId("e"))
    )
    value = pair_rounds(value, results=False)
    index = TournamentIndex(value)
    reader = ResultLineReader(
        index, index.list_published_rounds(DIVISION)[-1], Catalogue("en", RESOURCES / "locale")
    )
    (game,) = index.games(index.list_published_rounds(DivisionId("e"))[-1].id)
    preview = reader.preview_line(f"{game.table} 400 300")
    assert preview.game == game.id
    assert preview.text.startswith(f"Division B · Table {game.table}: ")
    assert "Å, Bo &lt;b&gt;" in preview.text
    assert "Å, Bo <b>" in preview.second_line  # the second line is plain text: the name is shown as it is
    assert "&" not in preview.second_line
    entered = preview.make_command()(value).results[game.id]
    assert (entered.first, entered.second) == (400, 300)
    assert reader.preview_line("999 400 300").second_line == ""
    for line in (
        "1",
        "1 400",
        "1 400 300",
        "1 400 300 t",
        "1 f",
        "/99 1 2",
        "xx",
        "1 9999 1",
        "1 -",
        "1 400 300 400",
    ):
        second_line = reader.preview_line(line).second_line
        assert not re.search("<|&[a-z#]", second_line), line  # plain text
    first_key, last_key = reader.rows[0].key, reader.rows[-1].key
    preview = reader.preview_line(
        f"{game.table} 400", proposed_key=first_key
    )  # the number of a table is not a score
    assert (preview.game, preview.kind) == (game.id, ResultPreviewKind.INCOMPLETE)
    preview = reader.preview_line("400 300", proposed_key=last_key)
    assert (preview.game, preview.tone) == (last_key, "text")


@pytest.mark.parametrize(
    "name_part", ["schäfer", "schafer", "schaefer", "SCHAE", "groß", "gross", "roed", "roeed"]
)
def test_preview_line_finds_a_name_with_any_spelling_of_umlauts(name_part: str) -> None:
    value = pair_rounds(make_event(2), results=False)
    (game,) = TournamentIndex(value).games(TournamentIndex(value).list_published_rounds(DIVISION)[-1].id)
    value = commands.edit_player(value, player=game.first, name="Schäfer, Saskia")
    value = commands.edit_player(value, player=game.second, name="Groß-Røed, Åse")
    index = TournamentIndex(value)
    reader = ResultLineReader(
        index, index.list_published_rounds(DIVISION)[-1], Catalogue("de", RESOURCES / "locale")
    )
    assert reader.preview_line(f"{name_part} 400 300").game == game.id


def test_preview_line_deducts_rulings_unless_the_score_includes_them() -> None:
    value = pair_rounds(make_event(4), results=False)
    game = TournamentIndex(value).get_game(TournamentIndex(value).list_published_rounds(DIVISION)[-1].id, 1)
    tiles = read_tilesets(RESOURCES / "tilesets")["nl"]
    value = commands.rule_on_word(
        value, tileset=tiles, key="w", game=game.id, player=game.first, word="XQBAR", score=30
    )
    index = TournamentIndex(value)
    reader = ResultLineReader(
        index, index.list_published_rounds(DIVISION)[-1], Catalogue("en", RESOURCES / "locale")
    )
    preview = reader.preview_line("1 347 388")
    assert preview.tone == "amber"
    assert "Deducted for the jury’s rulings: " in preview.second_line
    assert "−50" in preview.second_line
    assert preview.new_result is not None
    assert (preview.new_result.first, preview.new_result.second) == (297, 388)
    for line in ("1 347 388 =", "1 347 388="):
        preview = reader.preview_line(line)
        assert "Deducted for the jury" not in preview.second_line
        assert preview.new_result is not None
        assert (preview.new_result.first, preview.new_result.second) == (347, 388)
    assert reader.preview_line("1 =").tone == "red"
    assert reader.preview_line("1 347 =").tone == "red"


def test_list_help_lines_mentions_overtime_only_with_a_rule_for_it() -> None:
    for rules, is_listed in (("nl-match", False), ("no-nsf", True)):
        value = pair_rounds(make_event(4, rules=rules), results=False)
        index = TournamentIndex(value)
        reader = ResultLineReader(
            index, index.list_published_rounds(DIVISION)[-1], Catalogue("en", RESOURCES / "locale")
        )
        assert ("7 412 388 t2 1:15" in dict(reader.list_help_lines())) is is_listed


def test_preview_line_names_the_input_that_enter_needs() -> None:
    value = pair_rounds(make_event(4), results=False)
    item = TournamentIndex(value).list_published_rounds(DIVISION)[-1]
    value = commands.enter_result(
        value, game=TournamentIndex(value).get_game(item.id, 1).id, first=412, second=388
    )
    reader = ResultLineReader(TournamentIndex(value), item, Catalogue("en", RESOURCES / "locale"))
    needs = {
        line: reader.preview_line(line).needed_inputs
        for line in ("2 412 388", "2 650 120", "2 9999 1", "1 420 388", "1 -")
    }
    assert needs == {
        "2 412 388": frozenset(),
        "2 650 120": {InputNeededForLine.RARE},
        "2 9999 1": {InputNeededForLine.CONTROL},
        "1 420 388": {InputNeededForLine.REPLACE},
        "1 -": {InputNeededForLine.REPLACE},
    }
    assert reader.preview_line("1 650 120").needed_inputs == {
        InputNeededForLine.RARE,
        InputNeededForLine.REPLACE,
    }
    assert reader.preview_line("1 420 388 ?").needed_inputs == frozenset()  # disputed: the existing result stays
    value = commands.check_result(value, game=TournamentIndex(value).get_game(item.id, 1).id)
    assert ResultLineReader(TournamentIndex(value), item, Catalogue("en", RESOURCES / "locale")).preview_line(
        "1 -"
    ).needed_inputs == {InputNeededForLine.EFFECT}
    kinds = {line: reader.preview_line(line).kind for line in ("", "?", "2", "xx", "1 412 388", "2 412 388")}
    assert kinds == {
        "": ResultPreviewKind.INCOMPLETE,
        "?": ResultPreviewKind.HELP,
        "2": ResultPreviewKind.INCOMPLETE,
        "xx": ResultPreviewKind.INCOMPLETE,
        "1 412 388": ResultPreviewKind.UNCHANGED,
        "2 412 388": ResultPreviewKind.RESULT,
    }


def test_make_command_of_a_preview_uses_confirmation_and_reason() -> None:
    value = pair_rounds(make_event(4), results=False)
    item = TournamentIndex(value).list_published_rounds(DIVISION)[-1]
    preview = ResultLineReader(TournamentIndex(value), item, Catalogue("en", RESOURCES / "locale")).preview_line(
        "2 9999 1"
    )
    with pytest.raises(CommandError):
        preview.make_command()(value)
    game = TournamentIndex(value).get_game(item.id, 2).id
    value = preview.make_command(control=True, reason="so it was")(value)
    assert value.results[game].first == 9999
    cleared = ResultLineReader(TournamentIndex(value), item, Catalogue("en", RESOURCES / "locale")).preview_line(
        "2 -"
    )
    assert game not in cleared.make_command(control=True)(value).results


def test_preview_line_counts_only_games_of_the_evening() -> None:
    index = TournamentIndex(play_two_evenings())
    reader = ResultLineReader(
        index, index.list_published_rounds(DIVISION)[-1], Catalogue("en", RESOURCES / "locale")
    )
    preview = reader.preview_line("1 400 300")
    assert "1–0  +100" in preview.second_line
    assert "0–1  −100" in preview.second_line


def test_preview_line_asks_who_loses_by_forfeit() -> None:
    index = TournamentIndex(pair_rounds(make_event(4), results=False))
    reader = ResultLineReader(
        index, index.list_published_rounds(DIVISION)[-1], Catalogue("en", RESOURCES / "locale")
    )
    second_line = reader.preview_line("2 f").second_line
    assert re.fullmatch(r"Who loses by forfeit\? Type f1 for P\d, f2 for P\d\.", second_line)
    assert "comes first" in reader.preview_line("2").second_line
