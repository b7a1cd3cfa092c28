"""Tests of the catalogue: numbers, dates, sort keys, codes and error messages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path

import pytest

from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.journal import Step
from tdapp.domain.model import ResultState, StartDecision
from tdapp.domain.ruleset import Outcome
from tdapp.domain.tables.history import make_history_table
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.i18n import LANGUAGES, Catalogue
from tests.rulebook.books import load_preset

LOCALE = Path("resources/locale")


def make_english_catalogue() -> Catalogue:
    return Catalogue("en", Path("nowhere"))


def test_catalogue_needs_files_except_for_english() -> None:
    assert make_english_catalogue().text("Table") == "Table"
    with pytest.raises(FileNotFoundError):
        Catalogue("nl", Path("nowhere"))
    with pytest.raises(ValueError, match="no such language"):
        Catalogue("xx", LOCALE)


def test_catalogue_error_names_columns_in_the_language_and_as_in_the_file() -> None:
    columns = ("first", "rating", "club")
    error = InputError("csv-no-header", source="a.csv", line=1, needed=("name",), columns=columns)
    assert Catalogue("de", LOCALE).describe_error(error) == (
        "a.csv, Zeile 1: Die erste Zeile muss die Spalten nennen. Nötig: Name. "
        "Optional: first, Wertzahl (rating), Verein (club)."
    )


def test_catalogue_problem_names_ignored_data_of_a_file() -> None:
    facts = {"division": "A", "keys": ("date of birth", "sex", "newr")}
    assert Catalogue("de", LOCALE).describe_problem("keys-left-out", facts) == (
        "Klasse A: Diese Angaben entfallen, weil tdapp kein Feld dafür hat: Geburtsdatum, Geschlecht, newr."
    )


def test_format_numbers_joins_consecutive_numbers() -> None:
    catalogue = Catalogue("nl", LOCALE)
    assert catalogue.format_numbers((2, 4, 5, 6, 9)) == "2, 4–6, 9"
    assert catalogue.format_numbers(()) == ""


@pytest.mark.parametrize("kind", [ColumnKind.NUMBER, ColumnKind.POINTS, ColumnKind.RATING, ColumnKind.SIGNED])
@pytest.mark.parametrize("language", LANGUAGES)
def test_format_cells_formats_a_column_as_its_cells(language: str, kind: ColumnKind) -> None:
    values = [0, 12, -3, Fraction(5), Fraction(-5), Fraction(9, 2), Fraction(10, 2), 5, None, True, 1, ""]
    catalogue = Catalogue(language, LOCALE)
    assert catalogue.format_cells(kind, values) == [catalogue.format_cell(kind, value) for value in values]


def test_catalogue_text_formats_facts_of_the_language() -> None:
    catalogue = make_english_catalogue()

    assert catalogue.text("{name}: {n}", name="{n}", n=12345) == "{n}: 12345"
    assert catalogue.text("{a}, {b:signed}, {c:points}", a=Fraction(9, 2), b=-24, c="7/2") == "4½, −24, 3½"
    assert catalogue.text("{tables} and {gone}", tables=(1, 2, 9)) == "1–2, 9 and ?"


def test_catalogue_text_of_an_empty_msgid_and_a_template() -> None:
    catalogue = Catalogue("nl", LOCALE)

    assert catalogue.text("") == ""
    assert catalogue.text("Page {page} of {pages}") == "Pagina {page} van {pages}"


@pytest.mark.parametrize(
    ("language", "half", "third"),
    [("en", "4½", "0.33"), ("nl", "4,5", "0,33"), ("nb", "4,5", "0,33"), ("de", "4,5", "0,33")],
)
def test_format_points_uses_halves_and_decimals(language: str, half: str, third: str) -> None:
    catalogue = Catalogue(language, LOCALE)

    assert (
        catalogue.format_points(9, unit=2)
        == catalogue.format_points(4.5)
        == catalogue.format_points(Fraction(9, 2))
        == half
    )
    assert catalogue.format_points(Fraction(1, 3)) == third
    assert catalogue.format_points(4) == catalogue.format_points(4.0) == "4"


def test_format_points_of_zero_and_negative_values() -> None:
    assert [make_english_catalogue().format_points(Fraction(n, 2)) for n in (0, 1, -1, -3)] == [
        "0",
        "½",
        "−½",
        "−1½",
    ]


def test_format_signed_adds_a_sign() -> None:
    assert [make_english_catalogue().format_signed_value(n) for n in (24, 0, -24, -1234)] == [
        "+24",
        "0",
        "−24",
        "−1234",
    ]


@pytest.mark.parametrize(
    ("language", "date", "moment"),
    [
        ("en", "21 November 2026", "21 Nov 2026, 14:05"),
        ("nl", "21 november 2026", "21 nov 2026, 14:05"),
        ("nb", "21. november 2026", "21. nov. 2026, 14:05"),
        ("de", "21. November 2026", "21.11.2026, 14:05"),
    ],
)
def test_locale_formats_dates_and_times(language: str, date: str, moment: str) -> None:
    catalogue = Catalogue(language, LOCALE, zone=timezone(timedelta(hours=1)))
    moment_in_utc = datetime(2026, 11, 21, 14, 5, tzinfo=UTC)

    assert catalogue.format_date("2026-11-21") == catalogue.format_date(moment_in_utc.date()) == date
    assert catalogue.format_date("one fine day") == "one fine day"
    assert catalogue.format_date_and_time(moment_in_utc) == moment
    assert catalogue.format_time(moment_in_utc) == "14:05"
    assert catalogue.format_utc_as_local_time("2026-11-21T13:05:00+00:00") == moment


def test_make_sort_key_sorts_norwegian_letters_last() -> None:
    names = ["Åse", "Zorn", "Ødegård", "Ærlig", "Aaberg", "Adam", "Öberg", "Äng", "Über", "Yngve"]

    sorted_names = sorted(names, key=Catalogue("nb", LOCALE).make_sort_key)

    assert sorted_names == ["Adam", "Über", "Yngve", "Zorn", "Äng", "Ærlig", "Öberg", "Ødegård", "Aaberg", "Åse"]


def test_make_sort_key_folds_accents_and_puts_short_words_first() -> None:
    names = ["Müller", "Muller", "Mueller", "Öz", "Oz", "Łukasz", "Lukas", "van der Berg", "Vander", "Dĳk", "Dijk"]

    sorted_names = sorted(names, key=Catalogue("de", LOCALE).make_sort_key)

    assert sorted_names == [
        "Dijk", "Dĳk", "Lukas", "Łukasz", "Mueller", "Muller", "Müller", "Oz", "Öz", "van der Berg", "Vander",
    ]  # fmt: skip
    assert Catalogue("nl", LOCALE).make_sort_key("Berg, Jan") < Catalogue("nl", LOCALE).make_sort_key("Bergen, An")


def test_make_sort_key_ignores_a_dutch_prefix_if_the_rules_say_so() -> None:
    catalogue, netherlands, belgium = (
        Catalogue("nl", LOCALE),
        load_preset("nl-match"),
        load_preset("be-brailleliga"),
    )
    names = [
        "Aalst, An", "van Aalst, Bo", "de Beer, Jan", "Beert, Jan", "van den Berg, Jan", "Berg, Piet",
        "d'Hondt, An", "'t Hart, Bo", "Ten, Cor", "Van Dijk, Els", "Vandijk, Els",
    ]  # fmt: skip

    sorted_without_prefix = sorted(names, key=lambda name: catalogue.make_sort_key(name, netherlands))
    sorted_with_prefix = sorted(names, key=lambda name: catalogue.make_sort_key(name, belgium))

    assert sorted_without_prefix == [
        "Aalst, An", "van Aalst, Bo", "de Beer, Jan", "Beert, Jan", "van den Berg, Jan", "Berg, Piet",
        "Van Dijk, Els", "'t Hart, Bo", "d'Hondt, An", "Ten, Cor", "Vandijk, Els",
    ]  # fmt: skip
    assert sorted_with_prefix == [
        "Aalst, An", "Beert, Jan", "Berg, Piet", "de Beer, Jan", "d'Hondt, An", "'t Hart, Bo", "Ten, Cor",
        "van Aalst, Bo", "van den Berg, Jan", "Van Dijk, Els", "Vandijk, Els",
    ]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_make_sort_key_is_a_total_order(language: str) -> None:
    catalogue = Catalogue(language, LOCALE)

    assert catalogue.make_sort_key("Hansen") != catalogue.make_sort_key("hansen")
    assert catalogue.make_sort_key("O’Neill")[0] == catalogue.make_sort_key("ONeill")[0]


def test_catalogue_code_prefers_the_enumeration() -> None:
    catalogue = make_english_catalogue()

    assert catalogue.translate_code(StartDecision.DRAW) != catalogue.translate_code(Outcome.DRAW)
    assert catalogue.translate_code("draw") == catalogue.translate_code(Outcome.DRAW) == "draw"
    assert catalogue.translate_code(ResultState.FINAL) == catalogue.translate_code("final") == "final"
    assert catalogue.translate_code("no-such-code") == "no such code"


def test_format_cell_formats_each_kind() -> None:
    catalogue = Catalogue("en", LOCALE, zone=UTC)
    (row,) = make_history_table([Step(seq=1, at="", station="", label="enter-result", facts={"table": 7})]).rows
    values = [
        (ColumnKind.NUMBER, 0), (ColumnKind.NUMBER, None), (ColumnKind.SIGNED, 24),
        (ColumnKind.POINTS, Fraction(1, 2)), (ColumnKind.MARK, True), (ColumnKind.MARK, False),
        (ColumnKind.CODE, "entered"), (ColumnKind.CODE, ""), (ColumnKind.NAME, "Li"), (ColumnKind.STEP, row),
        (ColumnKind.TIME, "2026-11-21T14:05:00Z"),
    ]  # fmt: skip

    assert [catalogue.format_cell(kind, value) for kind, value in values] == [
        "0", "", "+24", "½", "✓", "", "entered", "", "Li", "Result of table 7 entered", "21 Nov 2026, 14:05",
    ]  # fmt: skip


def test_catalogue_error_names_source_line_and_field() -> None:
    catalogue = make_english_catalogue()
    error = InputError("bad-mark", source="players.csv", line=7, field="provisional", value="x1", others=2)

    assert (
        catalogue.describe_error(error)
        == "players.csv, line 7, Provisional rating: “x1” is not yes or no. There are 2 more mistakes. "
        "Nothing was imported."
    )
    assert catalogue.describe_error(InputError("file-empty", source="a.t")) == "a.t: The file is empty."
    assert catalogue.describe_error(CommandError("no-such-player", player=9)) == "There is no player 9."
    assert catalogue.describe_error(CommandError("no-such-player", id="p9")) == "This player no longer exists."


def test_catalogue_error_names_the_conflicting_step() -> None:
    error = CommandError(
        "undo-changed-since",
        label="enter-result",
        who="hall 2",
        when="2026-11-21T14:05:00Z",
        step_facts={"table": 7},
    )

    message = Catalogue("en", LOCALE, zone=UTC).describe_error(error)

    assert message == (
        "Another station (hall 2) has since changed the same data: Result of table 7 entered (21 Nov 2026, "
        "14:05). Undo that step first."
    )


def test_catalogue_error_names_a_station_by_its_role_in_the_language() -> None:
    facts = {"label": "enter-result", "when": "2026-11-21T14:05:00Z", "step_facts": {"table": 7}}
    error = CommandError("undo-changed-since", who="director", **facts)

    assert "wedstrijdleiding" in Catalogue("nl", LOCALE, zone=UTC).describe_error(error)


def test_catalogue_error_about_changed_data_without_a_known_step() -> None:
    error = CommandError("changed-meanwhile", label="", who="", when="", step_facts={})

    assert (
        make_english_catalogue().describe_error(error) == "This data has changed in the meantime. Check it again."
    )


def test_catalogue_keeps_an_unknown_code_readable() -> None:
    assert make_english_catalogue().describe_error(
        CommandError("moon-in-house", table=7, ratio=Fraction(1, 2))
    ) == ("Moon in house (table 7, ratio ½)")
    assert make_english_catalogue().describe_step("fly-away", {}) == "Fly away"


def test_catalogue_plural_depends_on_the_number() -> None:
    catalogue = make_english_catalogue()

    assert [catalogue.plural("{n} player", "{n} players", n) for n in (0, 1, 2)] == [
        "0 players",
        "1 player",
        "2 players",
    ]
    assert catalogue.describe_step("import-players", {"count": 1}) == "One player imported"
    assert catalogue.describe_step("import-players", {"count": 24}) == "24 players imported"


def test_catalogue_error_differs_by_language() -> None:
    messages = {
        Catalogue(language, LOCALE).describe_error(CommandError("nothing-to-undo")) for language in LANGUAGES
    }

    assert len(messages) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_headings_of_tie_breaks_are_unique_and_wins_has_one_term(language: str) -> None:
    catalogue = Catalogue(language, LOCALE)
    heading, explanation = catalogue.heading("wins"), catalogue.explain_column("wins")
    abbreviations = {key: catalogue.heading(tiebreak.text_id) for key, tiebreak in TIEBREAKS.items()}

    assert explanation.partition(":")[0] == heading == abbreviations["wins"]
    assert explanation == catalogue.explain_column(TIEBREAKS["wins"].text_id)
    assert len({*abbreviations.values()}) == len(abbreviations)
    assert "WP" not in abbreviations.values()


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "place 2: 1 win, 14 resistance points, 2½ wins among the tied players, spread −45"),
        ("nl", "plaats 2: 1 wedstrijdpunt, 14 weerstandspunten, 2,5 wedstrijdpunten onderling, saldo −45"),
        ("nb", "plass 2: 1 seier, 14 motspillerpoeng, 2,5 innbyrdes seire, differanse −45"),
        ("de", "Platz 2: 1 Sieg, 14 Gegnerpunkte, 2,5 Siege untereinander, Differenz −45"),
    ],
)
def test_describe_award_counts_the_ranking_value_in_words(language: str, message: str) -> None:
    figures = "wins 1 resistance 14 head-to-head 5/2 spread -45"
    assert Catalogue(language, LOCALE).describe_award_reason("place", {"place": 2, "figures": figures}) == message


@pytest.mark.parametrize("language", LANGUAGES)
def test_format_tiebreak_values_has_texts_for_every_tie_break(language: str) -> None:
    catalogue = Catalogue(language, LOCALE)
    texts = [
        catalogue.translate_tiebreak_values(f"{tiebreak} {value}")
        for tiebreak in TIEBREAKS
        for value in (0, 1, 2, "1/2")
    ]
    assert len({*texts}) == 4 * len(TIEBREAKS)
    singular_texts = [catalogue.translate_tiebreak_values(f"{tiebreak} 1") for tiebreak in TIEBREAKS]
    plural_texts = [catalogue.translate_tiebreak_values(f"{tiebreak} 2") for tiebreak in TIEBREAKS]
    assert sum(map(len, singular_texts)) < sum(map(len, plural_texts)), (
        "singular texts are shorter than plural texts"
    )
    if language == "en":
        assert (
            catalogue.translate_tiebreak_values("losses 1"),
            catalogue.translate_tiebreak_values("losses 2"),
        ) == (
            "1 loss",
            "2 losses",
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogue_error_names_the_setting_for_the_jury_check(language: str) -> None:
    catalogue = Catalogue(language, LOCALE)
    message = catalogue.describe_error(CommandError("unchecked-results", round=1, tables="1–6", n=6))
    assert catalogue.text("Tournament") in message
