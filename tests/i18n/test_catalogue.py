from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path

import pytest

from tdapp.domain.errors import InputError, RuleViolation
from tdapp.domain.journal import Step
from tdapp.domain.model import ResultState, Start
from tdapp.domain.ruleset import Worth
from tdapp.domain.tables.history import make_history_table
from tdapp.domain.tables.table import Kind
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.i18n import LANGUAGES, Catalogue
from tests.rulebook.books import preset

LOCALE = Path("resources/locale")


def english() -> Catalogue:
    return Catalogue("en", Path("nowhere"))


def test_english_needs_no_files_and_another_language_does() -> None:
    assert english().text("Table") == "Table"
    with pytest.raises(FileNotFoundError):
        Catalogue("nl", Path("nowhere"))
    with pytest.raises(ValueError, match="no such language"):
        Catalogue("xx", LOCALE)


def test_numbers_in_a_row_are_said_as_a_run() -> None:
    words = Catalogue("nl", LOCALE)
    assert words.format_numbers((2, 4, 5, 6, 9)) == "2, 4–6, 9"
    assert words.format_numbers(()) == ""


def test_facts_are_put_in_as_the_language_writes_them() -> None:
    words = english()

    assert words.text("{name}: {n}", name="{n}", n=12345) == "{n}: 12345"
    assert words.text("{a}, {b:signed}, {c:points}", a=Fraction(9, 2), b=-24, c="7/2") == "4½, −24, 3½"
    assert words.text("{tables} and {gone}", tables=(1, 2, 9)) == "1–2, 9 and ?"


def test_no_text_is_no_text_and_a_template_keeps_its_places() -> None:
    words = Catalogue("nl", LOCALE)

    assert words.text("") == ""
    assert words.text("Page {page} of {pages}") == "Pagina {page} van {pages}"


@pytest.mark.parametrize(
    ("language", "half", "third"),
    [("en", "4½", "0.33"), ("nl", "4,5", "0,33"), ("nb", "4,5", "0,33"), ("de", "4,5", "0,33")],
)
def test_points(language: str, half: str, third: str) -> None:
    words = Catalogue(language, LOCALE)

    assert (
        words.format_points(9, unit=2) == words.format_points(4.5) == words.format_points(Fraction(9, 2)) == half
    )
    assert words.format_points(Fraction(1, 3)) == third
    assert words.format_points(4) == words.format_points(4.0) == "4"


def test_points_of_nothing_and_below() -> None:
    assert [english().format_points(Fraction(n, 2)) for n in (0, 1, -1, -3)] == ["0", "½", "−½", "−1½"]


def test_signs() -> None:
    assert [english().format_signed(n) for n in (24, 0, -24, -1234)] == ["+24", "0", "−24", "−1234"]


@pytest.mark.parametrize(
    ("language", "date", "moment"),
    [
        ("en", "21 November 2026", "21 Nov 2026, 14:05"),
        ("nl", "21 november 2026", "21 nov 2026, 14:05"),
        ("nb", "21. november 2026", "21. nov. 2026, 14:05"),
        ("de", "21. November 2026", "21.11.2026, 14:05"),
    ],
)
def test_dates_and_times(language: str, date: str, moment: str) -> None:
    words = Catalogue(language, LOCALE, zone=timezone(timedelta(hours=1)))
    at = datetime(2026, 11, 21, 14, 5, tzinfo=UTC)

    assert words.format_date("2026-11-21") == words.format_date(at.date()) == date
    assert words.format_date("one fine day") == "one fine day"
    assert words.format_moment(at) == moment
    assert words.format_time(at) == "14:05"
    assert words.format_instant("2026-11-21T13:05:00+00:00") == moment


def test_norwegian_sorts_its_letters_last() -> None:
    names = ["Åse", "Zorn", "Ødegård", "Ærlig", "Aaberg", "Adam", "Öberg", "Äng", "Über", "Yngve"]

    in_order = sorted(names, key=Catalogue("nb", LOCALE).make_sort_key)

    assert in_order == ["Adam", "Über", "Yngve", "Zorn", "Äng", "Ærlig", "Öberg", "Ødegård", "Aaberg", "Åse"]


def test_elsewhere_accents_are_folded_and_short_words_come_first() -> None:
    names = ["Müller", "Muller", "Mueller", "Öz", "Oz", "Łukasz", "Lukas", "van der Berg", "Vander", "Dĳk", "Dijk"]

    in_order = sorted(names, key=Catalogue("de", LOCALE).make_sort_key)

    assert in_order == [
        "Dijk", "Dĳk", "Lukas", "Łukasz", "Mueller", "Muller", "Müller", "Oz", "Öz", "van der Berg", "Vander",
    ]  # fmt: skip
    assert Catalogue("nl", LOCALE).make_sort_key("Berg, Jan") < Catalogue("nl", LOCALE).make_sort_key("Bergen, An")


def test_a_dutch_prefix_stands_behind_the_name_where_the_rules_say_so() -> None:
    catalogue, netherlands, belgium = Catalogue("nl", LOCALE), preset("nl-match"), preset("be-brailleliga")
    names = [
        "Aalst, An", "van Aalst, Bo", "de Beer, Jan", "Beert, Jan", "van den Berg, Jan", "Berg, Piet",
        "d'Hondt, An", "'t Hart, Bo", "Ten, Cor", "Van Dijk, Els", "Vandijk, Els",
    ]  # fmt: skip

    past = sorted(names, key=lambda name: catalogue.make_sort_key(name, netherlands))
    first = sorted(names, key=lambda name: catalogue.make_sort_key(name, belgium))

    assert past == [
        "Aalst, An", "van Aalst, Bo", "de Beer, Jan", "Beert, Jan", "van den Berg, Jan", "Berg, Piet",
        "Van Dijk, Els", "'t Hart, Bo", "d'Hondt, An", "Ten, Cor", "Vandijk, Els",
    ]  # fmt: skip
    assert first == [
        "Aalst, An", "Beert, Jan", "Berg, Piet", "de Beer, Jan", "d'Hondt, An", "'t Hart, Bo", "Ten, Cor",
        "van Aalst, Bo", "van den Berg, Jan", "Van Dijk, Els", "Vandijk, Els",
    ]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_order_of_names_is_total(language: str) -> None:
    words = Catalogue(language, LOCALE)

    assert words.make_sort_key("Hansen") != words.make_sort_key("hansen")
    assert words.make_sort_key("O’Neill")[0] == words.make_sort_key("ONeill")[0]


def test_a_word_for_a_code_goes_by_its_enum_first() -> None:
    words = english()

    assert words.code(Start.DRAW) != words.code(Worth.DRAW)
    assert words.code("draw") == words.code(Worth.DRAW) == "draw"
    assert words.code(ResultState.FINAL) == words.code("final") == "final"
    assert words.code("no-such-code") == "no such code"


def test_cells() -> None:
    words = Catalogue("en", LOCALE, zone=UTC)
    (row,) = make_history_table([Step(seq=1, at="", station="", label="enter-result", facts={"table": 7})]).rows
    values = [
        (Kind.NUMBER, 0), (Kind.NUMBER, None), (Kind.SIGNED, 24), (Kind.POINTS, Fraction(1, 2)), (Kind.MARK, True),
        (Kind.MARK, False), (Kind.CODE, "entered"), (Kind.CODE, ""), (Kind.NAME, "Li"), (Kind.STEP, row),
        (Kind.TIME, "2026-11-21T14:05:00Z"),
    ]  # fmt: skip

    assert [words.format_cell(kind, value) for kind, value in values] == [
        "0", "", "+24", "½", "✓", "", "entered", "", "Li", "Result of table 7 entered", "21 Nov 2026, 14:05",
    ]  # fmt: skip


def test_an_error_says_where_it_was_found() -> None:
    words = english()
    error = InputError("bad-rating", source="players.csv", line=7, field="rating", value="x1", others=2)

    assert words.error(error) == "players.csv, line 7, Rating: “x1” is not a rating. 2 more things are wrong."
    assert words.error(InputError("file-empty", source="a.t")) == "a.t: The file is empty."
    assert words.error(RuleViolation("no-such-player", player=9)) == "There is no player 9."
    assert words.error(RuleViolation("no-such-player", id="p9")) == "This player no longer exists."


def test_an_error_names_the_step_that_is_in_the_way() -> None:
    error = RuleViolation(
        "undo-changed-since",
        label="enter-result",
        who="hall 2",
        when="2026-11-21T14:05:00Z",
        step_facts={"table": 7},
    )

    said = Catalogue("en", LOCALE, zone=UTC).error(error)

    assert said == (
        "This was changed later by hall 2: Result of table 7 entered (21 Nov 2026, 14:05). Undo that first."
    )


def test_an_unknown_code_stays_readable() -> None:
    assert english().error(RuleViolation("moon-in-house", table=7, ratio=Fraction(1, 2))) == (
        "Moon in house (table 7, ratio ½)"
    )
    assert english().describe_step("fly-away", {}) == "Fly away"


def test_plurals_follow_the_number() -> None:
    words = english()

    assert [words.plural("{n} player", "{n} players", n) for n in (0, 1, 2)] == [
        "0 players",
        "1 player",
        "2 players",
    ]
    assert words.describe_step("import-players", {"count": 1}) == "One player imported"
    assert words.describe_step("import-players", {"count": 24}) == "24 players imported"


def test_each_language_says_it_differently() -> None:
    said = {Catalogue(language, LOCALE).error(RuleViolation("nothing-to-undo")) for language in LANGUAGES}

    assert len(said) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_wins_are_called_is_one_term_and_no_abbreviation_is_two_things(language: str) -> None:
    catalogue = Catalogue(language, LOCALE)
    heading, full = catalogue.heading("wins"), catalogue.explanation("wins")
    short = {one: catalogue.heading(tiebreak.key) for one, tiebreak in TIEBREAKS.items()}

    assert full.partition(":")[0] == heading == short["wins"]
    assert full == catalogue.explanation(TIEBREAKS["wins"].key)
    assert len({*short.values()}) == len(short)
    assert "WP" not in short.values()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "place 2: 1 win, 14 resistance points, 2½ wins among the tied players, spread −45"),
        ("nl", "plaats 2: 1 wedstrijdpunt, 14 weerstandspunten, 2,5 wedstrijdpunten onderling, saldo −45"),
        ("nb", "plass 2: 1 partipoeng, 14 motspillerpoeng, 2,5 innbyrdes partipoeng, differanse −45"),
        ("de", "Platz 2: 1 Siegpunkt, 14 Gegnerpunkte, 2,5 Siegpunkte untereinander, Differenz −45"),
    ],
)
def test_what_somebody_is_ranked_by_is_counted_in_words(language: str, said: str) -> None:
    figures = "wins 1 resistance 14 head-to-head 5/2 spread -45"
    assert Catalogue(language, LOCALE).describe_award("place", {"place": 2, "figures": figures}) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tie_break_is_counted_in_words(language: str) -> None:
    catalogue = Catalogue(language, LOCALE)
    said = [catalogue.format_figures(f"{one} {value}") for one in TIEBREAKS for value in (0, 1, 2, "1/2")]
    assert len({*said}) == 4 * len(TIEBREAKS)
    plain = [catalogue.format_figures(f"{one} 1") for one in TIEBREAKS]
    several = [catalogue.format_figures(f"{one} 2") for one in TIEBREAKS]
    assert sum(map(len, plain)) < sum(map(len, several)), "one of a thing is the shorter word"
    if language == "en":
        assert (catalogue.format_figures("losses 1"), catalogue.format_figures("losses 2")) == (
            "1 loss",
            "2 losses",
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_waits_for_the_jury_says_where_that_is_chosen(language: str) -> None:
    words = Catalogue(language, LOCALE)
    said = words.error(RuleViolation("unchecked-results", round=1, tables="1–6", n=6))
    assert words.text("Tournament") in said
