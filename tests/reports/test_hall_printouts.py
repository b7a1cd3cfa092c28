"""Tests of printouts for the playing room: cards, slips, forms, grids, certificates and lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType

import pytest
from msgspec.structs import replace

from tdapp.domain import commands, entry_line
from tdapp.domain.entry_line import PartialResultLine, ResultLine
from tdapp.domain.index import TournamentIndex
from tdapp.domain.journal import Step
from tdapp.domain.jury_rows import Challenge, WordCheckReason
from tdapp.domain.model import (
    ChallengeId,
    DivisionId,
    Game,
    GameSide,
    Prize,
    PrizeId,
    PrizeKind,
    Stage,
    StageId,
    StartDecision,
)
from tdapp.domain.ruleset import PlayersPerTableRule
from tdapp.domain.slip import (
    format_code_with_hyphen,
    map_player_codes_to_players,
    map_slip_codes_to_games_and_players,
)
from tdapp.domain.tables import statistics
from tdapp.domain.tables.rounds import make_pairing_table
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_tilesets
from tdapp.reports import REPORTS, render_report
from tdapp.reports.printed import compute_report_fingerprint
from tdapp.scrabble.sheet import parse_sheet
from tdapp.scrabble.wordlist import WordListEdition, WordVerdict
from tests.building import RESOURCES, get_game_at, load_rule_set, make_event, pair_rounds
from tests.clubs import THREE, make_club
from tests.reports import sample_tournament
from tests.reports.test_reports import make_context, read_page_texts


def render_lines(report: str, index: TournamentIndex) -> list[str]:
    return read_page_texts(render_report(report, make_context(index)))[0].splitlines()


def render_text(report: str, index: TournamentIndex, *, round_number: int | None = None) -> str:
    return " ".join(
        " ".join(read_page_texts(render_report(report, make_context(index, round_number=round_number)))).split()
    )


def render_column(report: str, index: TournamentIndex, heading: str, count: int) -> list[str]:
    """Return the first `count` cells below a heading."""
    page_lines = render_lines(report, index)
    start = page_lines.index(heading) + 1
    return page_lines[start : start + count]


# --- scorecards and slips


def test_scorecard_report_has_all_data_of_each_round() -> None:
    card = render_lines("scorecards", sample_tournament.make_index(4))

    assert "1 Kari Hansen" in card
    assert "Open Leiden Scrabble 2026 NL · 1800" in card
    columns = {"Table": "1 2 2", "Starts": "×", "No.": "2 4 2", "Points": "359 459",
               "Points against": "403 493", "Spread": "−44 −34", "Total": "0 0",
               "Total spread": "−44 −78"}  # fmt: skip
    for heading, cells in columns.items():
        assert (
            " ".join(render_column("scorecards", sample_tournament.make_index(4), heading, len(cells.split())))
            == cells
        )


def test_scorecard_report_blank_has_rounds_only() -> None:
    card = render_lines("scorecards-blank", sample_tournament.make_index(4))

    assert [line for line in card if line in {"1", "2", "3"}][:3] == ["1", "2", "3"]
    assert not any("Wójcik" in line for line in card if not re.match(r"\d+ ", line))
    assert "403" not in " ".join(card)


@pytest.mark.parametrize(("rounds", "count"), [(14, 3), (15, 5)])
def test_scorecard_report_has_two_cards_on_a_page(rounds: int, count: int) -> None:
    value = sample_tournament.make_tournament(5, rounds=3)
    stage = next(iter(value.stages.values()))
    index = TournamentIndex(value.put(replace(stage, rounds=rounds)))

    assert len(read_page_texts(render_report("scorecards-blank", make_context(index)))) == count


def test_slip_report_is_in_table_order_after_the_sheets_are_cut() -> None:
    texts = read_page_texts(render_report("slips", make_context(sample_tournament.make_index(26))))

    tables = [[int(number) for number in re.findall(r"Table\s+(\d+)\s+Round", text)] for text in texts]
    assert tables == [[1, 4, 7, 10, 13], [2, 5, 8, 11], [3, 6, 9, 12]]


def test_slip_report_code_starts_a_result_line() -> None:
    index = sample_tournament.make_index(6)
    rows = make_pairing_table(index, index.list_published_rounds(DivisionId("A"))[-1]).rows

    codes = re.findall(r"\d+V\d+", render_text("slips", index))
    assert [entry_line.parse_result_line(f"{code} 412 388", rows) for code in codes] == [
        ResultLine(row, 412, 388) for row in rows
    ]
    assert [entry_line.parse_result_line(f"{code} ", rows) for code in codes] == [
        PartialResultLine(row) for row in rows
    ]


def test_slip_report_has_player_codes_while_entry_is_open() -> None:
    index = sample_tournament.make_index(6)
    value = commands.open_entry(replace(index.tournament, secret="s"), key="k")  # noqa: S106
    assert "Code" not in render_text("slips", index)
    printed_codes = re.findall(r"Code ([2-9B-Z]{4}-[2-9B-Z]{4})", render_text("slips", TournamentIndex(value)))
    last = TournamentIndex(value).list_published_rounds(DivisionId("A"))[-1]
    games = {game.id for game in TournamentIndex(value).games(last.id)}
    expected_codes = [
        format_code_with_hyphen(code)
        for code, (game, _) in map_slip_codes_to_games_and_players(TournamentIndex(value)).items()
        if game in games
    ]
    assert printed_codes == expected_codes
    assert "Code" not in render_text("slips", TournamentIndex(commands.close_entry(value)))


@pytest.mark.parametrize(("players", "tables"), [(3, THREE), (4, PlayersPerTableRule(prefer=4))])
def test_slip_report_has_the_codes_of_three_and_four_players(players: int, tables: PlayersPerTableRule) -> None:
    value = replace(pair_rounds(make_club(players, tables), results=False), secret="s")  # noqa: S106
    assert "Code" not in render_text("slips", TournamentIndex(value))
    value = commands.open_entry(value, key="k")
    printed_codes = re.findall(r"Code ([2-9B-Z]{4}-[2-9B-Z]{4})", render_text("slips", TournamentIndex(value)))
    assert printed_codes == [
        format_code_with_hyphen(code) for code in map_slip_codes_to_games_and_players(TournamentIndex(value))
    ]
    assert len(printed_codes) == players


def test_slip_report_explains_missing_codes() -> None:
    value = commands.open_entry(replace(sample_tournament.make_index(2).tournament, secret=""), key="k")
    slip_text = render_text("slips", TournamentIndex(value))
    assert "Code " not in slip_text
    assert "Only slips printed by the director’s computer have codes for phones." in slip_text


@pytest.mark.parametrize("language", ["en", "de"])
def test_badge_report_has_the_code_of_the_player_page(language: str) -> None:
    value = replace(sample_tournament.make_index(4).tournament, secret="s")  # noqa: S106
    context = make_context(TournamentIndex(value), language=language)
    (page_text,) = read_page_texts(render_report("badges", context))
    printed_codes = re.findall(r"Code ([2-9B-Z]{4}-[2-9B-Z]{4})", page_text)
    assert {code.replace("-", "") for code in printed_codes} == set(map_player_codes_to_players(value))
    context_with_url = replace(context, server_url="http://192.0.2.7:8089/")
    assert read_page_texts(render_report("badges", context_with_url))[0].count("http://192.0.2.7:8089/me") == 4
    assert "Code" not in render_text("badges", TournamentIndex(replace(value, secret="")))


def test_fee_report_has_debtors_and_sums() -> None:
    value = commands.edit_event(sample_tournament.make_index(4).tournament, currency="EUR")
    division = DivisionId("A")
    assert "To pay" not in render_text("check-in", TournamentIndex(value))
    value = commands.add_fee(value, key="f", division=division, amount=1250)
    value = commands.note_paid(value, players=(TournamentIndex(value).players(division)[0].id,))
    sums = {"fees": ["50.00", "12.50", "37.50"], "check-in": ["37.50"]}
    for report, expected_amounts in sums.items():
        report_lines = render_lines(report, TournamentIndex(value))
        assert "Total EUR" in report_lines
        amounts = [amount for amount in report_lines if amount.endswith("0") and "." in amount]
        assert [amount for amount in amounts if amount != "12.50"] == [
            amount for amount in expected_amounts if amount != "12.50"
        ]
        assert amounts.count("12.50") == (9 if report == "fees" else 3)


def test_compute_fingerprint_of_slips_ignores_the_server() -> None:
    value = commands.open_entry(replace(sample_tournament.make_index(4).tournament, secret="s"), key="k")  # noqa: S106
    context = make_context(TournamentIndex(value))
    context_with_url = replace(context, server_url="http://192.0.2.7:8089/")
    assert read_page_texts(render_report("slips", context_with_url))[0].count("http://192.0.2.7:8089/enter") == 4
    assert len(render_report("slips", context_with_url)) > len(render_report("slips", context))
    division = context.divisions[0]
    assert compute_report_fingerprint("slips", context_with_url, division) == compute_report_fingerprint(
        "slips", context, division
    )


def test_slip_report_asks_for_the_starter_if_tiles_decide() -> None:
    index = sample_tournament.make_index(2)
    assert "Tick the player who started" not in render_text("slips", index)
    games = [replace(game, start=StartDecision.DRAW) for game in index.tournament.games.values()]
    slip_text = render_text("slips", TournamentIndex(index.tournament.put(*games)))
    assert "Tick the player who started" in slip_text
    assert "replies" not in slip_text


# --- grids


def test_crosstable_report_names_the_number_of_each_opponent() -> None:
    index = sample_tournament.make_index(4)

    assert "Crosstable after round 2" in render_lines("crosstable", index)
    names = ["Małgorzata Wójcik-Szczęsna", "Jiří Dvořák", "Jan-Willem van der Berg", "Kari Hansen"]
    numbers = {row.name: row.number for row in index.tournament.players.values()}
    a, b, c, d = map(numbers.__getitem__, names)
    first = ["1", f"W{b}", "440–430", f"L{a}", "430–440", f"W{d}", "403–359", f"L{c}", "359–403"]
    assert [a, b, c, d] != [1, 2, 3, 4]
    assert render_column("crosstable", index, "Name", 13) == [*names, *first]
    assert "456–388" not in render_text("crosstable", index, round_number=1)


def test_crosstable_report_with_space_has_whole_names() -> None:
    index, long_name = sample_tournament.make_index(4), "van der Meulen-Hoogendoorn van Oldenbarnevelt, Wilhelmina"
    player = next(iter(index.tournament.players.values()))
    index = TournamentIndex(index.tournament.put(replace(player, name=long_name)))

    assert long_name in render_lines("crosstable", index)


def test_crosstable_report_of_several_pages_has_whole_names() -> None:
    index, long_name = sample_tournament.make_index(10, rounds=23, open_last=False), "Christodoulou-Ångström, J."
    player = next(iter(index.tournament.players.values()))
    index = TournamentIndex(index.tournament.put(replace(player, name=long_name)))

    assert all(long_name in page for page in read_page_texts(render_report("crosstable", make_context(index))))
    assert (
        "Plaats"
        in read_page_texts(render_report("crosstable", make_context(index, language="nl")))[0].splitlines()
    )


def test_matrix_report_of_all_players() -> None:
    index = sample_tournament.make_index(4, rounds=2, open_last=False)
    report_text = render_text("matrix", index)

    scores = [f"{result.first}–{result.second}" for result in index.tournament.results.values()]
    assert [report_text.count(score) >= 1 for score in scores] == [True] * 4
    assert render_lines("matrix", index).count("×") == 4


def test_crosstable_report_of_many_rounds_repeats_names() -> None:
    texts = read_page_texts(
        render_report("crosstable", make_context(sample_tournament.make_index(8, rounds=24, open_last=False)))
    )

    assert len(texts) > 1
    assert all("Kari Hansen" in text for text in texts)
    numbers = [line for text in texts for line in text.splitlines() if line.isdigit()]
    assert set(map(str, range(1, 25))) <= set(numbers)


def test_wall_chart_report_has_open_rounds() -> None:
    value = sample_tournament.make_tournament(4, rounds=1, open_last=False)
    stage = next(iter(value.stages.values()))
    chart = render_lines("wall-chart", TournamentIndex(value.put(replace(stage, rounds=5))))

    assert chart[-1] == "2 3 4 5"
    assert "440–430" in chart


# --- forms


def test_score_sheet_report_has_a_form_for_each_player() -> None:
    texts = read_page_texts(render_report("score-sheets", make_context(sample_tournament.make_index(6))))

    assert len(texts) == 6
    assert ["Form 1" in texts[0], "Form 2" in texts[1], "Table 1" in texts[0], "Table 3" in texts[5]] == [True] * 4
    report_text = texts[0].split()
    assert [report_text.count(bonus) for bonus in ("3W", "2W", "3L", "2L")] == [8, 17, 12, 24]
    for heading in ("Square", "Word", "Points", "Total", "Subtotal", "Tiles left", "Final score (jury)"):
        assert heading in texts[0]


def test_score_sheet_report_back_has_each_tile() -> None:
    context = replace(
        make_context(sample_tournament.make_index(6)), tilesets=read_tilesets(RESOURCES / "tilesets")
    )
    rules = load_rule_set("nl-match")
    context = replace(
        context, index=TournamentIndex(commands.change_rules(context.index.tournament, ruleset=rules))
    )
    texts = read_page_texts(render_report("score-sheets", context))
    assert len(texts) == 12
    assert ["Form 1" in texts[0], "Form 2" in texts[2]] == [True, True]
    assert "102 tiles, 2 blanks" in texts[1]
    assert {"E 1 × 18", "Q 10 × 1", "? 0 × 2"} <= {" ".join(line.split()) for line in texts[1].splitlines()}


def test_score_sheet_report_prints_pegs_large() -> None:
    """Check an example of the rule book: 18 + 12 = 30 is one peg of twenty and ten."""
    value = commands.change_rules(
        sample_tournament.make_tournament(4, rounds=1, open_last=False), ruleset=load_rule_set("be-brailleliga")
    )
    context = replace(make_context(TournamentIndex(value)), tilesets=read_tilesets(RESOURCES / "tilesets"))
    back = " ".join(read_page_texts(render_report("score-sheets", context))[1].split())
    assert "Upper row: one hole for every 20 points Lower row: one hole for every point" in back
    assert "403 = upper peg 20 × 20 + lower peg 3" in back


def test_score_sheet_report_has_the_penalty_lines_of_the_rules() -> None:
    def render_form(name: str) -> str:
        value = commands.change_rules(sample_tournament.make_index(6).tournament, ruleset=load_rule_set(name))
        return read_page_texts(render_report("score-sheets", make_context(TournamentIndex(value))))[0]

    dutch, norwegian = render_form("nl-match"), render_form("no-nsf")
    assert ["Time ran out" in dutch, "Invalid words" in dutch, "Overtime" in dutch] == [True, True, False]
    assert ["Time ran out" in norwegian, "Invalid words" in norwegian, "Overtime" in norwegian] == [
        False,
        False,
        True,
    ]


def test_score_sheet_report_before_the_first_round() -> None:
    assert (
        len(
            read_page_texts(render_report("score-sheets", make_context(sample_tournament.make_index(6, rounds=0))))
        )
        == 1
    )


def test_challenge_slip_report_has_appeals() -> None:
    index = sample_tournament.make_index(4)
    report_text = render_text("challenge-slips", index)
    assert report_text.count("Words, in capitals") == report_text.count("not valid") == 6
    assert "Appeal" not in report_text
    (rules,) = index.tournament.rules.values()
    appeals = replace(rules, ruleset=replace(rules.ruleset, judges=replace(rules.ruleset.judges, appeal=1)))
    report_text = render_text("challenge-slips", TournamentIndex(index.tournament.put(appeals)))
    assert report_text.count("not valid") == 18
    assert report_text.count("Appeal") == 6


def test_challenge_report_lists_challenges() -> None:
    index = sample_tournament.make_index(4)
    assert "No plays were challenged." in render_text("challenges", index)
    row = Challenge(ChallengeId("c"), DivisionId("A"), "2026-11-21T10:00:00+00:00", ("ZZZ", "QI"), "x",
                    WordVerdict.INVALID, judge="Kim", round=1, table=2)  # fmt: skip
    report_text = render_text("challenges", TournamentIndex(index.tournament.put(row)))
    assert "ZZZ · QI" in report_text
    assert "Kim" in report_text
    assert "checked by the jury" not in report_text
    row = replace(row, occasion=WordCheckReason.JURY)
    assert "checked by the jury" in render_text("challenges", TournamentIndex(index.tournament.put(row)))


# --- cards


def test_place_card_report_names_players_on_both_sides() -> None:
    report_text = render_text("place-cards", sample_tournament.make_index(7))

    assert report_text.count("Kari Hansen") == 2
    assert len(read_page_texts(render_report("place-cards", make_context(sample_tournament.make_index(7))))) == 2


def test_table_card_report_has_each_table() -> None:
    value = sample_tournament.make_tournament(5)
    far = next(iter(value.games.values()))
    report_text = render_text("table-cards", TournamentIndex(value.put(replace(far, table=19))))

    assert set(re.findall(r"2026 (\d+) Table", report_text)) == {"1", "2", "19"}


@pytest.mark.parametrize(("paper", "count"), [("a4", 2), ("letter", 1)])
def test_label_report_fits_common_sheets(paper: str, count: int) -> None:
    assert (
        len(read_page_texts(render_report("labels", make_context(sample_tournament.make_index(30), paper=paper))))
        == count
    )


# --- certificates


def test_certificate_report_for_the_first_three_and_prizes() -> None:
    value = sample_tournament.make_tournament(8, open_last=False)
    prize = Prize(PrizeId("p"), DivisionId("A"), 1, PrizeKind.HIGH_GAME)
    texts = read_page_texts(render_report("certificates", make_context(TournamentIndex(value.put(prize)))))

    assert [re.search(r"Place \d|high game", text)[0] for text in texts] == [  # type: ignore[index]
        "Place 1", "Place 2", "Place 3", "high game",
    ]  # fmt: skip


def test_certificate_report_shows_tiebreaks_and_open_event() -> None:
    value = sample_tournament.make_tournament(5, rounds=2, open_last=False)
    [stage] = value.stages.values()
    running = render_text("certificates", TournamentIndex(value.put(replace(stage, rounds=3))))
    assert "Interim: Standings after round 2" in running
    value = value.put(replace(value.divisions[DivisionId("A")], order=("points",)))
    report_text = render_text("certificates", TournamentIndex(value))
    assert "Interim" not in report_text
    assert re.search(r"2–0, 8\d\d points", report_text)
    assert "1–1, spread" in running  # with a bye
    assert "Leiden, 21 November 2026" in report_text


@pytest.mark.parametrize("report", ["standings", "crosstable", "matrix"])
def test_ranking_reports_show_the_tiebreaks(report: str) -> None:
    value = sample_tournament.make_tournament(4)
    value = value.put(replace(value.divisions[DivisionId("A")], order=("points", "cumulative")))
    report_text = render_text(report, TournamentIndex(value))
    assert "Ranked by Points, Cumul." in report_text
    for heading, expected_count in {"Points": 2, "Cumul.": 2, "Spread": report == "standings"}.items():
        assert report_text.count(heading) == expected_count


def test_certificate_report_names_the_knockout_round_reached() -> None:
    value = pair_rounds(make_event(4, rounds=2, system="knockout"), times=2)
    report_text = render_text("certificates", TournamentIndex(value))
    assert "won the knockout, 2–0, spread +" in report_text
    assert "lost the final, 1–1, spread " in report_text
    assert "won the knockout" not in render_text(
        "certificates", TournamentIndex(pair_rounds(make_event(4, rounds=2, system="knockout")))
    )


def test_certificate_report_counts_a_forfeit_win() -> None:
    value = pair_rounds(make_event(4, rounds=1), results=False)
    value = commands.enter_result(value, game=get_game_at(value, 1).id, forfeit=GameSide.SECOND)
    value = commands.enter_result(value, game=get_game_at(value, 2).id, first=400, second=390)
    report_text = render_text("certificates", TournamentIndex(value))
    assert "1–0, spread +50" in report_text
    assert "resistance" not in report_text


def test_certificate_report_puts_the_first_name_first() -> None:
    value = sample_tournament.make_tournament(4, rounds=1, open_last=False)
    renamed_players = [
        replace(player, name=f"van den Berg, Kari {player.number}") for player in value.players.values()
    ]
    report_text = render_text("certificates", TournamentIndex(value.put(*renamed_players)))
    assert "Kari 2 van den Berg" in report_text
    assert "Berg, Kari" not in report_text


def test_certificate_report_needs_a_game() -> None:
    assert "No player is ranked yet." in render_text("certificates", sample_tournament.make_index(4, rounds=0))


# --- lists


def test_statistics_report_names_best_and_averages() -> None:
    report_text = render_text("statistics", sample_tournament.make_index(8, open_last=False))

    for part in (
        "High game",
        "Biggest win",
        "Games played",
        "12",
        "Average score",
        "Games won by the player who started",
    ):
        assert part in report_text


def test_list_figures_use_played_games() -> None:
    index = sample_tournament.make_index(2, rounds=2, open_last=False)
    division = index.divisions[0]
    scores = [(result.first, result.second) for result in index.tournament.results.values()]
    values = {statistic.key: statistic.value for statistic in statistics.list_game_statistics(index, division)}
    total = sum((first or 0) + (second or 0) for first, second in scores)

    assert values["games-played"] == 2
    assert values["average-score"] == pytest.approx(total / 4, abs=0.051)
    assert {statistic.key: statistic.value for statistic in statistics.list_game_statistics(index, division, 0)}[
        "average-score"
    ] is None


def test_schedule_report_shows_future_rounds() -> None:
    value = sample_tournament.make_tournament(4, rounds=0)
    stage = Stage(StageId("As"), DivisionId("A"), 1, "round-robin", 3)
    table = render_lines("schedule", TournamentIndex(value.put(stage)))
    start = table.index("Round Starts Second") + 1

    assert table[start : start + 3] == ["1", "2", "3"]  # each round is named once
    starts, replies = table[start + 3 : start + 9], table[start + 9 : start + 15]
    assert len({frozenset(pair) for pair in zip(starts, replies, strict=True)}) == 6


def test_check_in_report_is_sorted_by_name() -> None:
    given_names = [
        line.split()[0]
        for line in render_lines("check-in", sample_tournament.make_index(6))
        if line.split()[0] in sample_tournament.GIVEN_NAMES
    ]

    assert given_names == ["Anneliese", "Jan-Willem", "Jiří", "Kari", "Małgorzata", "Øyvind"]


def test_history_report_is_printed_once_for_all_divisions() -> None:
    steps = (Step(seq=1, at="2026-11-21T10:00:00+00:00", station="desk", label="x", facts=MappingProxyType({})),)
    context = replace(make_context(sample_tournament.make_index(4, divisions=("A", "B"))), steps=steps)

    assert [page.count("desk") for page in read_page_texts(render_report("history", context))] == [1]


@pytest.mark.slow
def test_reports_of_a_new_event() -> None:
    empty = TournamentIndex(_remove_games(sample_tournament.make_tournament(2)))
    of_a_round = {"pairings-by-table", "pairings-by-name", "slips"}  # missing
    assert of_a_round < set(REPORTS)
    for report in REPORTS:
        if report not in of_a_round:
            assert read_page_texts(render_report(report, make_context(empty)))


def _remove_games(value: Tournament) -> Tournament:
    rows: list[Game] = list(value.games.values())
    value = value.drop(*value.results.values()).drop(*rows)
    return value.drop(*value.rounds.values())


# --- the jury's list


class OneWordList:
    """A word list with one word."""

    edition = WordListEdition("Own list", "nl")

    def judge_word(self, word: Sequence[str]) -> WordVerdict:
        return WordVerdict.VALID if "".join(word).upper() == "TAART" else WordVerdict.INVALID


def test_doubtful_word_report_lists_all_words() -> None:
    value = pair_rounds(make_event(4, rules="nl-match"), results=False)
    turns = [{"player": 1, "kind": "play", "at": "8D", "word": "TAART", "score": 20},
             {"player": 2, "kind": "play", "at": "E7", "word": "TAFEL", "score": 26}]  # fmt: skip
    sheet = parse_sheet({"players": ["", ""], "turns": turns, "ended": "open"})
    tiles = read_tilesets(RESOURCES / "tilesets")
    game = get_game_at(value, 1)
    value = commands.enter_sheet(value, game=game.id, sheet=sheet, tileset=tiles["nl"])
    context = replace(
        make_context(TournamentIndex(value)),
        wordlists={value.players[game.first].division: OneWordList()},
        tilesets=tiles,
    )
    report_text = " ".join(read_page_texts(render_report("doubtful-words", context))[0].split())

    assert ["TAFEL" in report_text, "TAART" in report_text, "Own list" in report_text] == [True, False, True]
    assert value.players[game.second].name in report_text
    silent = " ".join(
        read_page_texts(render_report("doubtful-words", make_context(TournamentIndex(value))))[0].split()
    )
    assert "The jury has no word list." in silent


def test_score_sheet_report_follows_division_rules() -> None:
    value = make_event(4, rules="wespa")
    value = commands.add_division(value, key="b", code="B")
    value = commands.change_division_rules(value, division=DivisionId("b"), ruleset=load_rule_set("nl-match"))
    context = replace(make_context(TournamentIndex(value)), tilesets=read_tilesets(RESOURCES / "tilesets"))
    page_texts = [
        read_page_texts(render_report("score-sheets", replace(context, divisions=(division,))))
        for division in context.index.divisions
    ]

    assert ["100 tiles" in page_texts[0][1], "102 tiles" in page_texts[1][1]] == [True, True]
    assert ["Overtime" in page_texts[0][0], "Time ran out" in page_texts[1][0]] == [True, True]
    assert ["Overtime" in page_texts[1][0], "Time ran out" in page_texts[0][0]] == [False, False]
