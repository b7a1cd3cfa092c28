"""Texts of one language for everything that the program shows."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, tzinfo
from enum import Enum
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import cast

from tdapp.domain.errors import InputError, UserError
from tdapp.domain.journal import CLOCK_JUMP, DIVISION_CODE, read_wrong_words_on_sheets
from tdapp.domain.model import PrizeKind
from tdapp.domain.outcome import DecisionReason
from tdapp.domain.roles import Role
from tdapp.domain.round_clock import format_clock
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.rulings import parse_coded_ruling_reason
from tdapp.domain.tables.history import HistoryRow, find_station_role
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.text_characters import isolate_text_direction
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.domain.translatable import C_, CONTEXT, Plural, Text
from tdapp.i18n import locales
from tdapp.i18n.locales import LocaleFormats, Number
from tdapp.i18n.messages import sentences
from tdapp.i18n.messages.codes import (
    CODES,
    FULL_NAMES,
    KINDS,
    NOTES,
    PLAIN_TEXTS,
    RULES,
    SHORT_NAMES,
    load_pairing_reasons,
)
from tdapp.i18n.messages.errors import ERRORS
from tdapp.i18n.messages.headings import EXPLANATIONS, HEADINGS

LANGUAGE_NAMES: Mapping[str, str] = {
    "en": "English",
    "nl": "Nederlands",
    "nb": "Norsk bokmål",
    "de": "Deutsch",
}  # each name in its own language
LANGUAGES = tuple(LANGUAGE_NAMES)
RULE_SET_LANGUAGE_NAMES = {**LANGUAGE_NAMES, "es": "Español", "fr": "Français", "sv": "Svenska"}
ALIASES = {"no": "nb", "nn": "nb"}  # other codes of Norwegian
_WORD = re.compile("[a-z]+")
DOMAIN = "tdapp"
TICK = "✓"
_ORDER = "order."
_DAY = 86_400  # seconds
_SANCTION_STEPS = frozenset({"add-sanction", "remove-sanction"})
_PRIZE_STEPS = frozenset({"add-prize", "edit-prize", "remove-prize", "move-prize"})
_NAME_FORMATS = frozenset(
    {"heading", "tiebreak", "tiebreaks", "rules", "figures", "match", "knockout", "came", "criterion", "station"}
)
_MAX_RULES = 3  # in a sentence
_MAX_SORT_KEYS = 20_000
_NUMBER_KINDS = frozenset({ColumnKind.NUMBER, ColumnKind.POINTS, ColumnKind.RATING})
_PLACEHOLDER = re.compile(r"\{(\w+)(?::(\w+))?\}")


def get_language_from_environment(environment: Mapping[str, str]) -> str:
    """Return the language from LC_ALL, LC_MESSAGES or LANG, or English if the program lacks it."""
    locale_name = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    match = _WORD.match(locale_name)
    language = match[0] if match else ""
    return ALIASES.get(language, language if language in LANGUAGES else "en")


@cache
def _read_translations(path: Path) -> gettext.GNUTranslations:
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


class Catalogue(LocaleFormats):
    """Texts, numbers, dates and name order of one language.

    Placeholders in texts are `{name}` or, with a format, `{name:points}`. For the value of an enumeration, the
    format is the enumeration's name, such as `{kind:ConstraintKind}`. `facts` are the values for placeholders.
    """

    def __init__(self, language: str, locale_dir: Path, *, zone: tzinfo | None = None) -> None:
        """Load the texts. English needs no file. If `zone` is None, use the local time zone."""
        if language not in LANGUAGES:
            raise ValueError(f"no such language: {language}")
        super().__init__(language)
        self._zone = zone
        self._sort_keys: dict[tuple[str, bool], locales.SortKey] = {}  # cached: names are sorted often
        self._messages = gettext.NullTranslations()
        if language != "en":
            self._messages = _read_translations(locale_dir / language / "LC_MESSAGES" / f"{DOMAIN}.mo")

    # --- texts

    def text(self, msgid: str, /, **facts: object) -> str:
        text = self._messages.gettext(msgid).rpartition(CONTEXT)[2] if msgid else ""
        return self._fill_placeholders(text, facts) if facts else text

    def plural(self, singular: str, plural: str, n: int, /, **facts: object) -> str:
        """Return the singular or plural form for `n`. The text can contain `{n}`."""
        return self._fill_placeholders(self._messages.ngettext(singular, plural, n), {"n": n, **facts})

    def translate_code(self, value: object) -> str:
        """Return the text for `value` (an enumeration member, a key such as `system.swiss`, or a plain value)."""
        key = f"{type(value).__name__}.{value.value}" if isinstance(value, Enum) else str(value)
        msgid = CODES.get(key) or PLAIN_TEXTS.get(key)
        return self.text(msgid) if msgid else _format_code_as_words(key.rpartition(".")[2])

    def heading(self, column: str) -> str:
        """Return the short heading of a column or tie-break, such as `tiebreak.spread`."""
        msgid = HEADINGS.get(column) or SHORT_NAMES.get(column)
        return self.text(msgid) if msgid else _format_code_as_words(column).capitalize()

    def explain_column(self, column: str) -> str:
        """Return the explanation of a column. Without one, return its full name or its heading."""
        msgid = EXPLANATIONS.get(column) or FULL_NAMES.get(column)
        return self.text(msgid) if msgid else self.heading(column)

    def get_rule_name(self, path: str) -> str:
        """Return the name of a rule parameter by its path, such as `order.swiss`."""
        if path not in RULES and path.startswith(_ORDER):
            return self.text(RULES["order"], system=self.translate_code(path.removeprefix(_ORDER)))
        return self.text(RULES[path]) if path in RULES else _format_code_as_words(path)

    def get_rule_parameter_note(self, path: str) -> str:
        return self.text(NOTES.get(path, NOTES["order"] if path.startswith(_ORDER) else ""))

    def describe_step(self, label: str, facts: Mapping[str, object]) -> str:
        return " · ".join(self._list_step_texts(label, facts))

    def _list_step_texts(
        self, label: str, facts: Mapping[str, object], *, detailed: bool = False
    ) -> Iterator[str]:
        """Yield sentences about a history step. `detailed` adds score, players and round of a game."""
        facts = {
            **facts,
            **{name: self._format_stored_score(str(facts[name])) for name in ("was", "now") if name in facts},
        }
        kind, _, game = str(facts.get("knockout", "")).partition("/")
        if kind == "game":  # a club evening counts its own games
            facts["round"] = int(game)
        sentence = self._make_sentence(sentences.load_step_sentences(), label, facts)
        if label in _SANCTION_STEPS and facts.get("points"):
            sentence += f" {self.format_signed_value(-cast('int', facts['points']))}"
        if facts.get("was") == facts.get("now"):  # show an unchanged score once, without an arrow
            sentence = sentence.replace(f"{facts.get('was')} → {facts.get('now')}", str(facts.get("now")))
        yield sentence
        if reports := str(facts.get("reports", "")).split():
            yield ", ".join(self.translate_code(f"report.{report}") for report in reports)
        if detailed:
            prize = _list_prize_details(self, facts) if label in _PRIZE_STEPS else ()
            details = (
                *_list_jury_log_details(self, facts),
                *_list_game_details(self, facts),
                *self._describe_ruling(facts),
                *prize,
            )
            yield from (detail for detail in details if detail.casefold() not in sentence.casefold())
        elif {"words", "was"} <= facts.keys():  # a challenge that changes a result
            yield self.text("Round {round}, table {table}: result changed, {was} → {now}", **facts)
        if DIVISION_CODE in facts:
            division = self.text("Division {division}", division=facts[DIVISION_CODE])
            if division not in sentence:
                yield division
        if CLOCK_JUMP in facts:
            yield describe_clock_jump(self, facts)

    def _format_stored_score(self, code: str) -> str:
        """Return a stored score as text. "f1" is a forfeit by player 1, "t1" a loss on time."""
        if code.startswith("f"):
            return self.text(CODES[f"GameSide.{code[1:] or 'both'}"])
        points, _, late_side = code.partition(" t")
        time = self.text(sentences.DECISION_MARKS[DecisionReason.TIME][0])
        totals = zip("12", points.split("–"), strict=False)
        return "–".join(f"{total} {time}" if late_side in {side, "both"} else total for side, total in totals)

    def _describe_ruling(self, facts: Mapping[str, object]) -> Iterator[str]:
        if "word" in facts and facts.get("phony", 1) and isinstance(facts.get("score"), int):
            yield self.text(C_("score of a turn", "turn of {score}"), score=facts["score"])
        points = facts.get("points")
        if "first_name" in facts and isinstance(points, int) and points:
            yield self.format_signed_value(-points)
        for ruling in read_wrong_words_on_sheets(facts):
            turn = self.text(C_("score of a turn", "turn of {score}"), score=ruling.score)
            points_text = self.format_signed_value(-ruling.points)
            yield f"{ruling.word}: {turn}, {points_text}, {ruling.old_score} → {ruling.new_score}"
        if reason := facts.get("why") or facts.get("reason"):
            yield self.describe_stored_reason(str(reason))
        if author := facts.get("author"):
            yield self.text(C_("who made the change", "by {author}"), author=author)

    def describe_history_step(self, row: HistoryRow, *, hide_words: bool = False) -> str:
        """Describe a step in the history. With `hide_words` omit challenged words."""
        facts = {**row.step.facts, "words": ""} if hide_words and "words" in row.step.facts else row.step.facts
        words = " · ".join(self._list_step_texts(row.step.label, facts, detailed=True))
        if row.step.undoes is None:
            return words
        if row.is_redo:
            return self.text("Redone: {step}", step=words)
        return self.text("Undone: {step}", step=words)

    def describe_stored_reason(self, reason: str) -> str:
        """Return the text for a stored reason code, and a typed reason unchanged."""
        code, detail = parse_coded_ruling_reason(reason)
        return (
            self.text(sentences.STORED_REASONS[code], detail=detail)
            if code in sentences.STORED_REASONS
            else reason
        )

    def explain_pairing(self, code: str, facts: Mapping[str, object]) -> str:
        sentence = self._make_sentence(load_pairing_reasons(), code, facts)
        return "; ".join([sentence, *_describe_earlier_meetings_and_byes(self, facts)])

    def format_knockout_match(self, name: str, *, in_bracket: bool = False) -> str:
        """Return the text for a match code such as "semifinal/1".

        With `in_bracket` omit the knockout round, which a title shows.
        """
        text = self._format_match_name(name, sentences.MATCHES_IN_BRACKET if in_bracket else {})
        return text[:1].upper() + text[1:]

    def format_knockout_round(self, name: str) -> str:
        """Return "Final, game 2" for "final#2", "Round of 16" for "round-of/16"."""
        kind, _, game = name.partition("#")
        kind, *numbers = kind.split("/")
        round_name = self.text(sentences.ROUNDS[kind], **dict(zip("ab", numbers, strict=False)))
        return self.text("{round}, game {game}", round=round_name, game=int(game)) if game else round_name

    def format_bracket_part(self, part: str, first: int = 1, last: int = 1) -> str:
        """Name a part of the bracket. The part "places" decides the ranks `first` to `last`."""
        return self.text(sentences.BRACKET_PARTS[part], a=first, b=last)

    def describe_bracket_slot_origin(self, origin: str, *, in_bracket: bool = False) -> str:
        """Return where the player of an empty bracket slot will come from.

        `origin` is a code such as "winner/semifinal/1" or "place/1/7" (rank 1 after round 7). `in_bracket` is for
        texts in the bracket, where each winner comes from the column before.
        """
        kind, _, name = origin.partition("/")
        if kind == "place":
            rank, _, round_number = name.partition("/")
            return self.text(sentences.SLOT_ORIGINS[kind], place=rank, round=round_number)
        short = sentences.MATCHES_IN_BRACKET if in_bracket and kind == "winner" else {}
        return self.text(sentences.SLOT_ORIGINS[kind], match=self._format_match_name(name, short)) if name else ""

    def _format_match_name(self, name: str, replacement_texts: Mapping[str, str] = MappingProxyType({})) -> str:
        kind, *numbers = name.split("/")
        return self.text(
            replacement_texts.get(kind, sentences.MATCHES[kind]), **dict(zip("abc", numbers, strict=False))
        )

    def _describe_seed_and_origin(self, origin: str) -> str:
        seed, kind, *name = origin.split("/")
        return self.text(
            sentences.PLAYER_ORIGINS[kind],
            seed=seed,
            match=self._format_match_name("/".join(name)) if name else "",
        )

    def explain_rank(self, code: str, facts: Mapping[str, object]) -> str:
        tiebreak = TIEBREAKS.get(code)
        return (
            self._fill_placeholders(self.text(tiebreak.reason_text), facts)
            if tiebreak
            else self._make_sentence(sentences.RANK_REASONS, code, facts)
        )

    def describe_award_reason(self, code: str, facts: Mapping[str, object]) -> str:
        if facts.get("against", 0) is None:  # at a group table, or alone
            group = f"{code}-{'table' if facts['opponent'] else 'alone'}"
            code = group if group in sentences.AWARDS else code
        return self._make_sentence(sentences.AWARDS, code, facts)

    def describe_availability_effect(self, code: str, facts: Mapping[str, object]) -> str:
        return self._make_sentence(sentences.CONSEQUENCES, code, facts)

    def describe_problem(self, code: str, facts: Mapping[str, object]) -> str:
        sentence = self._make_sentence(sentences.PROBLEMS if code in sentences.PROBLEMS else ERRORS, code, facts)
        return f"{self.format_date(str(facts['evening']))}: {sentence}" if "evening" in facts else sentence

    def describe_error(self, error: UserError) -> str:
        """Return the file, line and field of an error, then its sentence."""
        facts = dict(error.facts)
        label, step_facts = facts.get("label"), facts.get("step_facts")
        if label and isinstance(step_facts, Mapping):
            facts["step"] = self.describe_step(str(label), step_facts)
        sentence = self._make_sentence(ERRORS, error.code, facts)
        other_count = facts.get("others")
        if isinstance(other_count, int):  # a refused list
            more = self.plural("There is one more mistake.", "There are {n} more mistakes.", other_count)
            sentence = " ".join([sentence, *([more] if other_count else []), self.text("Nothing was imported.")])
        if not isinstance(error, InputError):
            return sentence
        line = (
            self.text(C_("position of an error in a file", "line {line}"), line=error.line)
            if error.line is not None
            else ""
        )
        field = self.heading(error.field) if error.field in HEADINGS else error.field
        source = ", ".join(part for part in (error.source, line, field) if part)
        return f"{source}: {sentence}" if source else sentence

    def _make_sentence(self, texts: Mapping[str, Text], code: str, facts: Mapping[str, object]) -> str:
        detailed = (
            f"{code}.{fact}" for fact in ("id", "path", "who", "before_evening") if facts.get(fact, "") != ""
        )
        template = next((texts[key] for key in (*detailed, code) if key in texts), None)
        if template is None:
            fact_list = ", ".join(
                f"{_format_code_as_words(key)} {self._format_fact(value)}" for key, value in facts.items()
            )
            sentence = _format_code_as_words(code).capitalize()
            return f"{sentence} ({fact_list})" if fact_list else sentence
        if isinstance(template, Plural):
            count = facts.get(template.number_fact, 1)
            text = self._messages.ngettext(
                template.singular, template.plural, count if isinstance(count, int) else 2
            )
            return self._fill_placeholders(text, facts)
        return self._fill_placeholders(self._messages.gettext(template).rpartition(CONTEXT)[2], facts)

    def _fill_placeholders(self, text: str, facts: Mapping[str, object]) -> str:
        if "{" not in text:
            return text

        def fill_placeholder(match: re.Match[str]) -> str:
            name, format_name = match.groups()
            value = facts.get(name, "?")
            if format_name == "round":
                round_name = self.text(
                    sentences.GAME if facts.get("is_evening") else sentences.ROUND, number=value
                )
                return round_name if match.start() else round_name[0].upper() + round_name[1:]
            if format_name in {"columns", "headings"} and isinstance(value, tuple):
                return ", ".join(_format_column_name(self, column, format_name) for column in value)
            return self._format_fact_in_named_format(value, format_name) if name in facts else "?"

        return _PLACEHOLDER.sub(fill_placeholder, text)

    def _format_fact_in_named_format(self, value: object, format_name: str | None) -> str:
        if format_name == "code" or format_name in KINDS:
            return self.translate_code(
                value if format_name == "code" or isinstance(value, Enum) else f"{format_name}.{value}"
            )
        if format_name in _NAME_FORMATS:
            return self._format_code_in_named_format(str(value), format_name)
        if format_name == "time":
            return self.format_utc_as_local_time(value)
        if format_name in {"date", "day"} and isinstance(value, (date, str)):
            return self.format_date(value) if format_name == "date" else self.format_short_date(str(value), "yMd")
        if format_name in {"signed", "points"} and isinstance(value, (int, float, Fraction, str)):
            number = Fraction(value)
            return self.format_signed_value(number) if format_name == "signed" else self.format_points(number)
        return self._format_fact(value)

    def _format_code_in_named_format(self, value: str, format_name: str) -> str:
        formatters: Mapping[str, Callable[[str], str]] = {
            "heading": self.explain_column,
            "tiebreak": lambda tiebreak: self.explain_column(f"tiebreak.{tiebreak}"),
            "tiebreaks": lambda order: self.join_tiebreak_headings(order.split()),
            "rules": lambda paths: _join_first_rule_names([self.get_rule_name(path) for path in paths.split()]),
            "figures": self.translate_tiebreak_values,
            "match": self.format_knockout_match,
            "knockout": self.format_knockout_round,
            "came": self._describe_seed_and_origin,
            "station": lambda station: self._format_fact(find_station_role(station)),
            "criterion": lambda criterion: self.text(sentences.CRITERIA.get(criterion, criterion)),
        }
        return formatters[format_name](value)

    def _format_fact(self, value: object) -> str:
        match value:
            case None:
                text = ""
            case Enum():
                text = self.translate_code(value)
            case tuple() | list() if all(type(item) is int for item in value):
                text = self.format_numbers(value)
            case tuple() if value and all(isinstance(item, UserError) for item in value):
                text = " ".join(map(self.describe_error, value))
            case tuple() | list():
                text = ", ".join(self._format_fact(item) for item in value)
            case int() | float() | Fraction():
                text = self.format_points(value)
            case datetime():
                text = self.format_date_and_time(value)
            case date():
                text = self.format_date(value)
            case _:
                text = isolate_text_direction(str(value))
        return text

    # --- values

    def format_cell(self, kind: ColumnKind, value: object) -> str:  # noqa: PLR0912 - one for each form of value
        match kind, value:
            case ((ColumnKind.NUMBER | ColumnKind.POINTS), int()):  # the most frequent kinds first
                text = self.format_number(int(value))
            case [ColumnKind.SIGNED, int() | float()]:
                text = self.format_signed_value(value)
            case ((ColumnKind.NUMBER | ColumnKind.POINTS), Fraction()):
                text = self.format_points(value)
            case [_, Role()]:
                text = self.translate_code(value)
            case [ColumnKind.RATING, int()]:
                text = str(value)
            case ((ColumnKind.TEXT | ColumnKind.NAME | ColumnKind.NUMBER), str()):
                text = value
            case [_, None]:
                text = ""
            case [ColumnKind.WHY, str()]:
                text = self.describe_stored_reason(value)
            case [ColumnKind.CODE, _]:
                text = self.translate_code(value) if value else ""
            case [ColumnKind.MARK, _]:
                text = TICK if value else ""
            case [ColumnKind.TIME, _]:
                text = self.format_utc_as_local_time(value)
            case [ColumnKind.STEP, HistoryRow()]:
                text = self.describe_history_step(value)
            case [ColumnKind.RESULTS, tuple()]:
                text = " ".join(_format_evening_result(self, result) for result in value)
            case [ColumnKind.AVERAGE, int() | float() | Fraction()]:
                text = self.format_one_decimal(value)
            case [ColumnKind.SIGNED, Fraction()]:  # a mean
                text = ("+" if value > 0 else "") + self.format_one_decimal(value)
            case [ColumnKind.SHARE, int() | float() | Fraction()]:
                text = self.format_percentage(value)
            case [ColumnKind.DECIMAL, int() | float() | Fraction()]:
                text = self.format_money(round(value * 100))
            case [ColumnKind.MONEY, int()]:
                text = self.format_money(value) if value else ""
            case _:
                text = self._format_fact(value)
        return text

    def format_cells(self, kind: ColumnKind, values: Iterable[object]) -> list[str]:
        """Format the cells of a column, faster than `format_cell` for whole numbers and repeated values."""
        if kind not in _NUMBER_KINDS:
            return [self.format_cell(kind, value) for value in values]
        texts_by_ratio: dict[tuple[int, int], str] = {}  # by ratio: the hash of a fraction is slow
        texts = []
        for value in values:
            if type(value) is int and value >= 0:
                text = str(value)
            elif isinstance(value, Fraction):
                ratio = value.as_integer_ratio()
                text = texts_by_ratio.get(ratio) or texts_by_ratio.setdefault(ratio, self.format_cell(kind, value))
            else:
                text = self.format_cell(kind, value)
            texts.append(text)
        return texts

    def format_points(self, value: Number, *, unit: int = 1) -> str:
        """Format `value` divided by `unit`: 9 and 2 give 4½ in English, 4,5 in other languages."""
        if type(value) is int and value % unit == 0:  # most numbers are whole
            return self.format_number(value // unit)
        exact = value if isinstance(value, Fraction) else Fraction(value)
        if unit != 1:
            exact /= unit
        if self.language == "en" and exact.denominator == 2:  # noqa: PLR2004 - a half
            integer, sign = int(abs(exact)), "−" if exact < 0 else ""
            return f"{sign}{integer or ''}½"
        return self.format_number(exact)

    def join_tiebreak_headings(self, order: Iterable[str]) -> str:
        return ", ".join(self.heading(TIEBREAKS[tiebreak].text_id) for tiebreak in order)

    def translate_tiebreak_values(self, values: str) -> str:
        """Return tie-break values such as "wins 1 resistance 14" as text: 1 win, 14 resistance points."""
        words = values.split()
        pairs = zip(words[::2], map(Fraction, words[1::2]), strict=True)
        count_texts = {tiebreak.id: tiebreak.value_text for tiebreak in TIEBREAKS.values()}
        return ", ".join(
            self._make_sentence(count_texts, name, {"value": int(value) if value.denominator == 1 else value})
            for name, value in pairs
        )

    def format_numbers(self, values: Sequence[int]) -> str:
        """Return a list of numbers in short form: 2, 4–6, 9."""
        runs: list[list[int]] = []
        for value in values:
            if runs and value == runs[-1][-1] + 1:
                runs[-1].append(value)
            else:
                runs.append([value])
        return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)

    def format_utc_as_local_time(self, value: object) -> str:
        """Return UTC in ISO 8601 as local time, and any other text unchanged."""
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError:
            return str(value)
        return self.format_date_and_time(moment.astimezone(self._zone) if moment.tzinfo else moment)

    def format_local_time_of_day(self, moment: datetime) -> str:
        return self.format_time(moment.astimezone(self._zone))

    def make_sort_key(self, name: str, rules: RuleSet | None = None) -> locales.SortKey:
        past_prefix = rules is not None and rules.past_prefix
        sort_key = self._sort_keys.get((name, past_prefix))
        if sort_key is None:
            sort_key = locales.make_sort_key(self.language, name, ignore_surname_prefix=past_prefix)
            if len(self._sort_keys) >= _MAX_SORT_KEYS:
                self._sort_keys.clear()
            self._sort_keys[name, past_prefix] = sort_key
        return sort_key


def _format_evening_result(catalogue: Catalogue, value_and_is_counted: tuple[Fraction, bool] | None) -> str:
    if value_and_is_counted is None:
        return "–"
    value, counts = value_and_is_counted
    exact = value.denominator <= 2  # noqa: PLR2004 - whole or a half
    text = catalogue.format_points(value) if exact else catalogue.format_one_decimal(value)
    return text if counts else f"({text})"


def _describe_earlier_meetings_and_byes(catalogue: Catalogue, facts: Mapping[str, object]) -> Iterator[str]:
    byes, meetings = facts.get("earlier_byes"), facts.get("season")
    if isinstance(byes, int):
        yield catalogue.plural("{n} bye on earlier evenings", "{n} byes on earlier evenings", byes)
    if meetings == 0:
        yield catalogue.text("first meeting this season")
    elif isinstance(meetings, int) and facts.get("last"):
        last = catalogue.format_date(str(facts["last"]))
        yield catalogue.plural(
            "met on {last}", "met {n} times before tonight, last on {last}", meetings, last=last
        )


def _format_code_as_words(code: str) -> str:
    return code.replace("-", " ").replace("_", " ")


def _format_column_name(catalogue: Catalogue, column: str, format_name: str) -> str:
    """Return the heading of a column, such as "Public name".

    If `format_name` is "columns", add the id that import files can also use: "Public name (shown_as)".
    """
    heading = catalogue.heading(column) if column in HEADINGS and column != "first" else column
    return heading if format_name == "headings" or heading.casefold() == column else f"{heading} ({column})"


def _join_first_rule_names(rules: Sequence[str]) -> str:
    text = "; ".join(rules[:_MAX_RULES])
    return text if len(rules) <= _MAX_RULES else f"{text}; +{len(rules) - _MAX_RULES}"


def _list_jury_log_details(catalogue: Catalogue, facts: Mapping[str, object]) -> Iterator[str]:
    if facts.get("words"):
        yield str(facts["words"])
    if facts.get("table") and not {"words", "note"}.isdisjoint(facts):
        yield catalogue.text("Table {table}", table=facts["table"])
    if challenger := facts.get("challenger"):
        yield catalogue.text("Challenged by {name}", name=challenger)
    if seconds := facts.get("seconds"):
        yield format_clock(cast("int", seconds))
    for name in ("note", "title"):  # the note of an incident, the name of a word list
        if facts.get(name):
            yield str(facts[name])


def _list_game_details(catalogue: Catalogue, facts: Mapping[str, object]) -> Iterator[str]:
    if "first_name" not in facts and not {"words", "note"} & facts.keys():
        return
    if facts.get("now", "–") != "–":  # not cleared
        yield f"{facts['was']} → {facts['now']}" if "was" in facts else str(facts["now"])
    if facts.get("round"):
        yield catalogue.text("Round {round}", round=facts["round"])
    if "first_name" in facts:
        yield f"{facts['first_name']} – {facts['second_name']}"


def _list_prize_details(catalogue: Catalogue, facts: Mapping[str, object]) -> Iterator[str]:
    if facts.get("kind") in {PrizeKind.RANK, PrizeKind.CATEGORY} and facts.get("place"):
        yield str(facts["place"])
    if facts.get("category"):
        yield str(facts["category"])
    if amount := facts.get("amount"):
        yield catalogue.format_money(cast("int", amount))
    if facts.get("text"):
        yield str(facts["text"])


def describe_clock_jump(catalogue: Catalogue, facts: Mapping[str, object]) -> str:
    seconds = cast("int", facts[CLOCK_JUMP])
    minutes, days = max(1, -seconds // 60), abs(seconds) // _DAY
    if seconds > 0:
        return catalogue.plural(
            "the computer’s clock jumped forward by a day", "the computer’s clock jumped forward by {n} days", days
        )
    if days:
        return catalogue.plural(
            "the computer’s clock jumped back by a day", "the computer’s clock jumped back by {n} days", days
        )
    return catalogue.plural(
        "the computer’s clock jumped back by a minute", "the computer’s clock jumped back by {n} minutes", minutes
    )
