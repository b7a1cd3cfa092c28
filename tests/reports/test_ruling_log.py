"""Tests of the ruling log: each step with its points, totals, reason and jury member."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any

import pypdfium2
import pytest

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.entries import SheetToEnter
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import IncidentId, IncidentKind, WordCheckReason
from tdapp.domain.model import ChallengeId, Game, GameSide, PrizeId, PrizeKind
from tdapp.domain.rulings import WRITTEN_ON_FORM, format_coded_ruling_reason, make_word_list_ruling_reason
from tdapp.domain.tables.history import make_history_table
from tdapp.domain.tables.jury_log import JuryLogRow, make_jury_decision_table, make_ruling_log
from tdapp.domain.tables.table import Table
from tdapp.exchange.presets import read_tilesets
from tdapp.i18n import Catalogue
from tdapp.reports import ReportContext, load_style, render_report
from tdapp.scrabble.sheet import SanctionKind, parse_sheet
from tdapp.scrabble.wordlist import WordVerdict
from tdapp.storage.store import Store
from tests.building import DIVISION, RESOURCES, get_game_at, load_rule_set, make_event, pair_rounds
from tests.reports import sample_tournament

TILES = read_tilesets(RESOURCES / "tilesets")["nl"]


class JuryDesk:
    """A jury desk after a first round. Each game ended 400–388."""

    def __init__(self) -> None:
        self.desk = Desk(Store.create_in_memory(pair_rounds(make_event(4), results=False)))
        for table in (1, 2):
            self.run_command(commands.enter_result, game=self.get_game(table).id, first=400, second=388)

    def get_game(self, table: int) -> Game:
        return get_game_at(self.desk.tournament, table)

    def run_command(self, command: Any, **arguments: Any) -> None:
        self.desk.do(partial(command, **arguments))

    def rule_on_word(self, word: str, score: int, *, table: int = 1, **more: Any) -> None:
        game = self.get_game(table)
        fields = {
            "player": game.first,
            "author": "all",
            "why": make_word_list_ruling_reason(phony=True, edition="SWL"),
            **more,
        }
        key = self.desk.make_row_id()
        self.run_command(
            commands.rule_on_word, key=key, game=game.id, word=word, score=score, tileset=TILES, **fields
        )

    def rows(self) -> tuple[JuryLogRow, ...]:
        return self._make_table().rows

    def list_steps(self) -> list[tuple[object, ...]]:
        return [(row.kind, row.word, row.turn_score, row.change, row.before, row.after) for row in self.rows()]

    def _make_table(self) -> Table[JuryLogRow]:
        index = TournamentIndex(self.desk.tournament)
        return make_ruling_log(index, index.tournament.divisions[DIVISION], self.desk.list_all_steps())

    def print_log(self, language: str) -> str:
        index = self.desk.index
        catalogue = Catalogue(language, sample_tournament.LOCALE)
        steps = self.desk.list_all_steps()
        context = ReportContext(
            index,
            index.divisions,
            catalogue,
            load_style(sample_tournament.FONTS),
            datetime(2026, 11, 21, 14, 5),
            steps=steps,
        )
        pages = pypdfium2.PdfDocument(render_report("rulings", context))
        return " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in pages)


@pytest.fixture
def jury_desk() -> JuryDesk:
    return JuryDesk()


def test_make_ruling_log_has_each_step_of_a_result(jury_desk: JuryDesk) -> None:
    jury_desk.rule_on_word("XQBAR", 15)
    jury_desk.rule_on_word("xyz zzz", 40)
    jury_desk.rule_on_word("XQBAR", 30, another=True)
    jury_desk.rule_on_word("XQBAR", 0, phony=False, why=make_word_list_ruling_reason(phony=False))
    player = jury_desk.get_game(1).second
    fields = {"player": player, "kind": SanctionKind.POINTS, "points": 10, "why": "late", "author": "all"}
    jury_desk.run_command(commands.add_sanction, key="s", round_number=1, **fields)
    assert jury_desk.list_steps() == [
        ("result-entered", "", None, None, "", "400–388"),
        ("ruled-wrong", "XQBAR", 15, -35, "400–388", "365–388"),
        ("ruled-wrong", "XYZ, ZZZ", 40, -60, "365–388", "305–388"),
        ("ruled-wrong", "XQBAR", 30, -50, "305–388", "255–388"),
        ("ruled-valid", "XQBAR", None, 85, "255–388", "340–388"),
        ("points", "", None, -10, "340–388", "340–378"),
    ]
    assert {(row.round, row.table) for row in jury_desk.rows()} == {(1, 1)}
    assert {row.author for row in jury_desk.rows()} == {"", "all"}
    jury_desk.run_command(commands.sign_rulings, old="all", new="Truus")
    assert {row.author for row in jury_desk.rows()} == {"", "Truus"}


def test_make_ruling_log_omits_undone_steps(jury_desk: JuryDesk) -> None:
    jury_desk.rule_on_word("XQBAR", 15)
    jury_desk.desk.undo()
    assert jury_desk.rows() == ()
    seen = {"first": 445, "second": 401, "reason": format_coded_ruling_reason(WRITTEN_ON_FORM), "author": "Truus"}
    jury_desk.run_command(commands.enter_result, game=jury_desk.get_game(2).id, **seen)
    assert [(row.kind, row.before, row.after, row.author) for row in jury_desk.rows()] == [
        ("result-entered", "", "400–388", ""),
        ("result-corrected", "400–388", "445–401", "Truus"),
    ]
    assert "zo staat het op het formulier" in jury_desk.print_log("nl")


def test_make_ruling_log_has_typed_totals(jury_desk: JuryDesk) -> None:
    jury_desk.rule_on_word("XQBAR", 15)
    jury_desk.run_command(commands.enter_result, game=jury_desk.get_game(1).id, first=410, second=388)
    assert jury_desk.list_steps()[-1] == ("result-corrected", "", None, None, "365–388", "375–388")
    assert "ingevoerd als 410–388" in jury_desk.print_log("nl")


def list_history_lines(jury_desk: JuryDesk, language: str = "en") -> list[str]:
    catalogue = Catalogue(language, sample_tournament.LOCALE)
    return [
        catalogue.describe_history_step(row) for row in make_history_table(jury_desk.desk.list_all_steps()).rows
    ]


def record_challenge(jury_desk: JuryDesk, rules: str = "no-nsf", *, table: int = 1) -> None:
    """Record a wrong challenge of HUS and BIL by the first player. Norwegian rules take 10 points."""
    jury_desk.run_command(commands.change_rules, ruleset=load_rule_set(rules))
    challenge_fields = {
        "words": ("HUS", "BIL"),
        "verdict": WordVerdict.VALID,
        "edition": "x",
        "judge": "Even",
        "table": table,
    }
    challenger = jury_desk.get_game(table).first
    jury_desk.run_command(
        commands.record_challenge,
        key="c",
        division=DIVISION,
        at="2026-11-28T14:19:00Z",
        round_number=1,
        challenger=challenger,
        **challenge_fields,
    )


def test_make_ruling_log_keeps_a_removed_challenge(jury_desk: JuryDesk) -> None:
    record_challenge(jury_desk)
    jury_desk.run_command(commands.decide_verdicts, game=jury_desk.get_game(1).id, apply=True)
    jury_desk.run_command(commands.remove_challenge, challenge=ChallengeId("c"))
    names = {player.id: player.name for player in jury_desk.desk.tournament.players.values()}
    game = jury_desk.get_game(1)
    removed_line, decided_line, recorded_line = list_history_lines(jury_desk)[:3]
    for line in (removed_line, recorded_line):
        for part in ("HUS · BIL", "Table 1", "Round 1", f"Challenged by {names[game.first]}", "by Even"):
            assert part in line
    assert "390–388 → 400–388" in removed_line
    assert "400–388 → 390–388" in decided_line
    assert jury_desk.list_steps() == [
        ("result-entered", "", None, None, "", "400–388"),
        ("verdict-decided", "", None, None, "400–388", "390–388"),
        ("challenge-removed", "HUS, BIL", None, None, "390–388", "400–388"),
    ]
    step = jury_desk.desk.list_all_steps()[-1]
    assert Catalogue("en", sample_tournament.LOCALE).describe_step(step.label, step.facts) == (
        "Challenge removed from the log · Round 1, table 1: result changed, 390–388 → 400–388"
    )


def test_make_ruling_log_of_an_appeal_names_the_judge(jury_desk: JuryDesk) -> None:
    record_challenge(jury_desk)
    jury_desk.run_command(commands.decide_verdicts, game=jury_desk.get_game(1).id, apply=True)
    fields = {"second": WordVerdict.INVALID, "joint": WordVerdict.INVALID, "judge": "Sigrid"}
    jury_desk.run_command(commands.appeal_challenge, challenge=ChallengeId("c"), **fields)
    line = list_history_lines(jury_desk)[0]
    for part in ("Appeal, second verdict: not valid", "HUS · BIL", "390–388 → 400–388", "by Sigrid"):
        assert part in line
    assert jury_desk.list_steps()[-1] == ("appeal", "HUS, BIL", None, None, "390–388", "400–388")


def test_challenge_history_hides_words_at_the_judge_screen(jury_desk: JuryDesk) -> None:
    record_challenge(jury_desk)
    row = make_history_table(jury_desk.desk.list_all_steps()).rows[0]
    line = Catalogue("en", sample_tournament.LOCALE).describe_history_step(row, hide_words=True)
    assert "HUS" not in line
    assert "Table 1" in line


def test_make_ruling_log_lists_an_applied_verdict(jury_desk: JuryDesk) -> None:
    jury_desk.run_command(commands.clear_result, game=jury_desk.get_game(1).id)
    record_challenge(jury_desk)
    jury_desk.run_command(
        commands.enter_result, game=jury_desk.get_game(1).id, first=400, second=388, verdicts=True
    )
    assert jury_desk.list_steps()[-2:] == [
        ("verdict-decided", "", None, None, "", "390–388"),
        ("ruled-valid", "HUS, BIL", None, -10, "", ""),
    ]
    assert "typed as 400–388" in jury_desk.print_log("en")


def test_history_keeps_table_and_note_of_an_incident(jury_desk: JuryDesk) -> None:
    fields = {"round_number": 1, "table": 2, "seconds": 180, "note": "clock paused", "author": "Käthe"}
    jury_desk.run_command(commands.note_incident, key="i", division=DIVISION, kind=IncidentKind.EXTRA_TIME,
            at="2026-11-28T14:07:00Z", **fields)  # fmt: skip
    jury_desk.run_command(commands.remove_incident, incident=IncidentId("i"))
    lines = list_history_lines(jury_desk)[:2]
    assert len(lines) == 2
    for line in lines:
        for part in ("Table 2", "Round 1", "3:00", "clock paused", "by Käthe"):
            assert part in line


def test_ruling_log_report_explains_codes(jury_desk: JuryDesk) -> None:
    jury_desk.rule_on_word("XQBAR", 15)
    flags, forfeits = "t1, t2: de eerste of tweede speler", "f1, f2, f: reglementair verloren"
    assert flags not in jury_desk.print_log("nl")
    jury_desk.run_command(
        commands.enter_result, game=jury_desk.get_game(1).id, first=410, second=388, flag=GameSide.FIRST
    )
    assert "375–388 t1" in jury_desk.print_log("nl")
    assert flags in jury_desk.print_log("nl")
    assert forfeits not in jury_desk.print_log("nl")
    jury_desk.run_command(commands.enter_result, game=jury_desk.get_game(1).id, forfeit=GameSide.BOTH)
    assert forfeits in jury_desk.print_log("nl")


def test_make_ruling_log_lists_a_ruling_on_a_turn(jury_desk: JuryDesk) -> None:
    turns = [
        {"player": 1, "kind": "play", "word": "XQBAR", "score": 48},
        {"player": 2, "kind": "play", "score": 9},
    ]
    sheet = parse_sheet({"players": ["", ""], "turns": turns, "rack_values": [0, 0], "ended": "passes"})
    game = jury_desk.get_game(1).id
    jury_desk.run_command(commands.enter_sheet, game=game, sheet=sheet, tileset=TILES)
    fields = {"turn": 1, "phony": True, "author": "J", "why": "no", "tileset": TILES}
    jury_desk.run_command(commands.rule_on_turn, game=game, **fields)
    row = jury_desk.rows()[-1]
    assert (row.kind, row.word, row.row, row.turn_score, row.change) == ("ruled-wrong", "XQBAR", 1, 48, -68)
    assert (row.before, row.after) == ("48–9", "-20–9")


def test_make_ruling_log_lists_wrong_words_of_a_sheet(jury_desk: JuryDesk) -> None:
    turns = [
        {"player": 1, "kind": "play", "word": "XQBAR", "score": 48, "ruling": "phony"},
        {"player": 2, "kind": "play", "word": "WEL", "score": 30, "contested": "XYZ"},
        {"player": 1, "kind": "play", "word": "FOUT", "score": 60, "ruling": "phony", "wrong_words": 2},
        {"player": 2, "kind": "play", "word": "TAART", "score": 20},
    ]
    fields = {"players": ["", ""], "rack_values": [0, 0], "ended": "passes"}
    sheet, key = parse_sheet({**fields, "turns": turns}), jury_desk.get_game(1).id
    jury_desk.run_command(commands.enter_sheet, game=key, sheet=sheet, tileset=TILES, author="Truus")
    assert jury_desk.list_steps() == [
        ("result-entered", "", None, None, "", "400–388"),
        ("sheet-entered", "", None, None, "400–388", "108–50"),
        ("ruled-wrong", "XQBAR", 48, -68, "108–50", "40–50"),
        ("ruled-wrong", "XYZ", 30, -20, "40–50", "40–30"),
        ("ruled-wrong", "FOUT", 60, -80, "40–30", "-40–30"),
    ]
    rows = jury_desk.rows()[2:]
    assert [(row.round, row.table, row.row, row.author) for row in rows] == [
        (1, 1, 1, "Truus"), (1, 1, 1, "Truus"), (1, 1, 2, "Truus"),
    ]  # fmt: skip
    players = jury_desk.desk.tournament.players
    assert [row.name for row in rows] == [
        players[player].name
        for player in (jury_desk.get_game(1).first, jury_desk.get_game(1).second, jury_desk.get_game(1).first)
    ]
    assert all(
        part in jury_desk.print_log("nl") for part in ("XQBAR", "−68", "XYZ", "−20", "FOUT", "−80", "Truus")
    )
    line = Catalogue("en", sample_tournament.LOCALE).describe_history_step(
        make_history_table(jury_desk.desk.list_all_steps()).rows[0]
    )
    for part in ("XQBAR: turn of 48, −68, 108–50 → 40–50", "FOUT: turn of 60, −80", "Round 1", "by Truus"):
        assert part in line
    jury_desk.run_command(
        commands.enter_sheet, game=key, sheet=parse_sheet({**fields, "turns": turns[:3]}), tileset=TILES
    )
    assert [row.kind for row in jury_desk.rows()].count("ruled-wrong") == 3  # the same words are not listed twice


def test_make_ruling_log_lists_wrong_words_of_imported_sheets(jury_desk: JuryDesk) -> None:
    turns = [{"player": 2, "kind": "play", "word": "XQBAR", "score": 48, "ruling": "phony"}]
    fields = {"players": ["", ""], "turns": turns, "rack_values": [0, 0], "ended": "passes", "first": 2}
    entries = (SheetToEnter(jury_desk.get_game(2).id, parse_sheet({**fields, "first": 1}), 1),)
    jury_desk.run_command(commands.enter_sheets, entries=entries, tileset=TILES)
    assert [(row.table, row.kind, row.word, row.change) for row in jury_desk.rows()][-1] == (
        2, "ruled-wrong", "XQBAR", -68,
    )  # fmt: skip
    index = TournamentIndex(jury_desk.desk.tournament)
    (row,) = make_ruling_log(index, index.tournament.divisions[DIVISION], ()).rows
    assert (row.kind, row.word, row.row, row.change) == ("ruled-wrong", "XQBAR", 1, -68)


def test_make_ruling_log_marks_rulings_of_an_unpublished_round(jury_desk: JuryDesk) -> None:
    jury_desk.rule_on_word("XQBAR", 15)
    text = "Ronde 1 is teruggenomen: de beslissingen daarvan tellen niet meer."
    assert text not in jury_desk.print_log("nl")
    item = jury_desk.desk.tournament.games[jury_desk.get_game(1).id].round
    jury_desk.run_command(commands.unpublish_round, round=item, reason="wrong", with_results=True)
    printed = jury_desk.print_log("nl")
    assert all(part in printed for part in ("XQBAR", "−35", "400–388", "365–388", text))


def test_make_ruling_log_lists_a_ruling_without_step(jury_desk: JuryDesk) -> None:
    jury_desk.rule_on_word("XQBAR", 15)
    index = TournamentIndex(jury_desk.desk.tournament)
    (row,) = make_ruling_log(index, index.tournament.divisions[DIVISION], ()).rows
    assert (row.kind, row.word, row.change, row.at, row.before) == ("ruled-wrong", "XQBAR", -35, None, "")


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "not in SWL"), ("nl", "niet in SWL"), ("nb", "ikke i SWL"), ("de", "nicht in SWL")],
)
def test_ruling_log_report_is_translated(jury_desk: JuryDesk, language: str, text: str) -> None:
    jury_desk.rule_on_word("XQBAR", 15)
    printed = jury_desk.print_log(language)
    for part in (
        text,
        Catalogue(language, sample_tournament.LOCALE).translate_code("ruled-wrong"),
        "XQBAR",
        "−35",
        "365–388",
        "all",
    ):
        assert part in printed


def test_make_history_table_has_round_points_and_jury_member(jury_desk: JuryDesk) -> None:
    jury_desk.rule_on_word("XQBAR", 15)
    line = Catalogue("en", sample_tournament.LOCALE).describe_history_step(
        make_history_table(jury_desk.desk.list_all_steps()).rows[0]
    )
    for part in ("Table 1: XQBAR", "400–388 → 365–388", "Round 1", "turn of 15", "−35", "not in SWL", "by all"):
        assert part in line


@pytest.mark.parametrize("at_once", [True, False])
def test_make_ruling_log_verdict_names_player_words_and_points(*, at_once: bool) -> None:
    desk = Desk(Store.create_in_memory(pair_rounds(make_event(4), results=False)))
    game = get_game_at(desk.tournament, 1)
    desk.do(
        partial(
            commands.record_challenge, key="c", division=DIVISION, at="2026-11-28T10:00:00+00:00",
            words=("XQBAR", "ZZZ"), verdict=WordVerdict.INVALID, edition="e", judge="Els", round_number=1, table=1,
            challenger=game.first, occasion=WordCheckReason.PROTEST,
        )
    )  # fmt: skip
    desk.do(partial(commands.enter_result, game=game.id, first=400, second=388, verdicts=at_once or None))
    if not at_once:
        desk.do(partial(commands.decide_verdicts, game=game.id, apply=True))
    division = desk.tournament.divisions[DIVISION]
    name = desk.tournament.players[game.second].name
    rows = make_ruling_log(desk.index, division, desk.list_all_steps()).rows
    assert [(row.name, row.kind, row.word, row.change, row.author) for row in rows if row.change] == [
        (name, "ruled-wrong", "XQBAR, ZZZ", -20, "Els")
    ]
    assert rows[-1].at == "2026-11-28T10:00:00+00:00"
    assert "400–368" in {row.after for row in rows}
    (decision,) = make_jury_decision_table(desk.index, division).rows
    assert (decision.name, decision.points, decision.word) == (name, 20, "XQBAR, ZZZ")
    desk.undo()
    assert not make_jury_decision_table(desk.index, division).rows


def test_make_history_table_distinguishes_namesakes(jury_desk: JuryDesk) -> None:
    first, second = jury_desk.get_game(1).first, jury_desk.get_game(1).second
    for player in (first, second):
        jury_desk.run_command(commands.edit_player, player=player, name="Müller, Peter")
    number = jury_desk.desk.tournament.players[first].number
    jury_desk.rule_on_word("XQBAR", 15)
    assert f"XQBAR (Müller, Peter ({number}))" in list_history_lines(jury_desk)[0]
    assert [row.kind for row in jury_desk.rows()] == ["result-entered", "ruled-wrong"]  # not listed twice
    jury_desk.desk.erase_personal_data([first])
    (line,) = [line for line in list_history_lines(jury_desk) if "XQBAR" in line]
    assert f"XQBAR (Player {number})" in line
    assert f"Müller, Peter ({number})" not in line


def test_make_history_table_names_a_prize_and_a_word_list(jury_desk: JuryDesk) -> None:
    fields = {"division": DIVISION, "kind": PrizeKind.RANK, "place": 2, "amount": 25_000, "text": "cup"}
    jury_desk.run_command(commands.add_prize, key="p", **fields)
    jury_desk.run_command(commands.remove_prize, prize=PrizeId("p"))
    jury_desk.run_command(commands.choose_wordlist, wordlist="899098b0b92a", title="SWL 2023")
    chosen_line, removed_line, added_line = list_history_lines(jury_desk, "de")[:3]
    assert added_line == "Preis hinzugefügt: Platz · 2 · 250,00 · cup"
    assert removed_line.endswith(" · 2 · 250,00 · cup")
    assert chosen_line == "Wortliste der Jury gewählt · SWL 2023"
