"""Hunspell dictionaries: all forms made by their affix rules, each with its base form.

Supports all flag notations, aliases, prefixes combined with suffixes, and double suffixes. Compounds are not
listed, because their number is unlimited.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from msgspec import Struct, field

from tdapp.domain.errors import InputError

MOST_FORMS = 5_000_000
_SIDES = frozenset({"PFX", "SFX"})
_ROLES = {  # options that give a flag a special meaning
    "NEEDAFFIX": "bare", "PSEUDOROOT": "bare", "ONLYINCOMPOUND": "part", "FORBIDDENWORD": "forbidden",
    "CIRCUMFIX": "around",
}  # fmt: skip

_COMPOUNDS = frozenset({
    "COMPOUNDFLAG", "COMPOUNDBEGIN", "COMPOUNDMIDDLE", "COMPOUNDEND", "COMPOUNDLAST", "ONLYINCOMPOUND",
})  # fmt: skip
_MORPHOLOGY = re.compile(r"\t| +\w\w:")
_SLASH = re.compile(r"(?<!\\)/")

Flags = frozenset[str]


class HunspellWordForms(NamedTuple):
    """A base form of a dictionary with the sorted forms made from it."""

    base: str
    forms: list[str]
    line: int  # from 1
    can_be_in_compound: bool = False  # it can be part of a compound


class AffixRule(Struct, frozen=True):
    """A rule that changes the start or the end of a word."""

    prefix: bool
    combines_with_other_end: bool  # it can be combined with a rule for the other end of the word
    strip: str
    add: str
    flags: Flags
    condition: Callable[[str], object] | None
    edge_condition: Callable[[str], object]  # quick check of the word's first or last letter

    def apply_to_word(self, word: str) -> str | None:
        """Return the changed word, None if the rule does not fit it."""
        if self.condition is not None and not self.condition(word):
            return None
        if self.prefix:
            return self.add + word[len(self.strip) :] if word.startswith(self.strip) else None
        return word[: len(word) - len(self.strip)] + self.add if word.endswith(self.strip) else None


class AffixFile(Struct):
    """Content of an affix file."""

    notation: str = ""
    aliases: list[str] = field(default_factory=list)
    roles: dict[str, str] = field(default_factory=dict)
    affixes: dict[str, list[AffixRule]] = field(default_factory=dict)
    prefixes: set[str] = field(default_factory=set)
    compounds: set[str] = field(default_factory=set)
    _roles_by_flags: dict[Flags, frozenset[str]] = field(default_factory=dict)
    _rules_by_edges: dict[tuple[str, str, str], list[AffixRule]] = field(default_factory=dict)

    def list_candidate_rules(self, flag: str, word: str) -> list[AffixRule]:
        """Return the rules of a flag that fit the first or last letter of a word."""
        key = (flag, word[:1], word[-1:])
        rules = self._rules_by_edges.get(key)
        if rules is None:
            flag_rules = self.affixes.get(flag, ())
            rules = self._rules_by_edges[key] = [
                rule for rule in flag_rules if rule.edge_condition(word[:1] if rule.prefix else word[-1:])
            ]
        return rules

    def parse_flags(self, text: str) -> Flags:
        if self.aliases and text.isdecimal():
            number = int(text)
            return (
                self._split_flag_text(self.aliases[number - 1]) if 0 < number <= len(self.aliases) else frozenset()
            )
        return self._split_flag_text(text)

    def find_flag_roles(self, flags: Flags) -> frozenset[str]:
        """Return the special meanings of `flags`, such as "forbidden"."""
        roles = self._roles_by_flags.get(flags)
        if roles is None:
            roles = frozenset(role for flag, role in self.roles.items() if flag in flags)
            self._roles_by_flags[flags] = roles
        return roles

    def parse_compound_rule_flags(self, rule: str) -> Flags:
        if self.notation in {"num", "long"}:
            return frozenset(re.findall(r"\(([^)]*)\)", rule))
        return frozenset(rule) - frozenset("*?")

    def _split_flag_text(self, text: str) -> Flags:
        if self.notation == "num":
            return frozenset(text.split(","))
        if self.notation == "long":
            return frozenset(text[start : start + 2] for start in range(0, len(text), 2))
        return frozenset(text)


def read_hunspell_word_forms(dictionary: bytes, affixes: bytes, source: str = "") -> Iterator[HunspellWordForms]:
    encoding = _find_encoding(affixes)
    try:
        rules, lines = _parse_affixes(affixes.decode(encoding)), dictionary.decode(encoding).splitlines()
    except (LookupError, UnicodeError) as error:
        raise InputError("wordlist-encoding", source=source, encoding=encoding) from error
    except _InvalidAffixLineError as error:
        raise InputError("hunspell-affixes", source=source, line=error.line) from error
    parse_flags, count = cache(rules.parse_flags), 0
    stems = [(number, *_split_word_and_flags(line)) for number, line in enumerate(lines[1:], 2) if line.strip()]
    forbidden_words = {
        word for _, word, flags in stems if "forbidden" in rules.find_flag_roles(parse_flags(flags))
    }
    for number, word, flag_text in stems:
        forms = set(_expand_word_forms(rules, word, parse_flags(flag_text))) - forbidden_words
        count += len(forms)
        if count > MOST_FORMS:
            raise InputError("wordlist-too-many", source=source, most=MOST_FORMS)
        yield HunspellWordForms(
            word, sorted(forms), number, not rules.compounds.isdisjoint(parse_flags(flag_text))
        )


def _expand_word_forms(rules: AffixFile, word: str, flags: Flags) -> Iterator[str]:
    roles = rules.find_flag_roles(flags)
    if "forbidden" in roles or "part" in roles:
        return
    if "bare" not in roles:
        yield word
    prefixes = flags & rules.prefixes
    for flag in flags:
        for first in rules.list_candidate_rules(flag, word):
            form = first.apply_to_word(word)
            if form is not None:
                yield from _expand_form_with_second_affix(rules, form, prefixes, first)


def _expand_form_with_second_affix(
    rules: AffixFile, form: str, prefixes: Flags, first: AffixRule
) -> Iterator[str]:
    roles = rules.find_flag_roles(first.flags)
    if "part" in roles:
        return
    if not roles:
        yield form
    if first.prefix:  # the suffix branch finds the combination with a suffix
        return
    for flag in first.flags | prefixes if first.combines_with_other_end else first.flags:
        for second in rules.list_candidate_rules(flag, form):
            fits = (
                first.combines_with_other_end and second.combines_with_other_end
                if second.prefix
                else flag in first.flags
            )
            second_roles = rules.find_flag_roles(second.flags)
            if fits and "part" not in second_roles and ("around" in second_roles) == ("around" in roles):
                long_form = second.apply_to_word(form)
                if long_form is not None:
                    yield long_form


def _split_word_and_flags(line: str) -> tuple[str, str]:
    text = _MORPHOLOGY.split(line, maxsplit=1)[0].strip()
    word, *flags = _SLASH.split(text, maxsplit=1) if "\\" in text else text.split("/", 1)
    return word.replace("\\/", "/"), flags[0].strip() if flags else ""


class _InvalidAffixLineError(Exception):
    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def _find_encoding(affixes: bytes) -> str:
    match = re.search(rb"^(?:\xef\xbb\xbf)?SET\s+(\S+)", affixes, re.MULTILINE)
    name = match[1].decode("ascii", "replace") if match else "ISO8859-1"
    return "utf-8-sig" if name == "UTF-8" else name


def _parse_affixes(text: str) -> AffixFile:
    rules, can_combine = AffixFile(), dict[tuple[str, str], bool]()
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        try:
            match words:
                case ["FLAG", notation, *_]:
                    rules.notation = notation
                case ["AF", flags, *_]:
                    rules.aliases.append(flags)
                case [option, flag, *_] if option in _ROLES or option in _COMPOUNDS:
                    rules.roles |= {flag: _ROLES[option]} if option in _ROLES else {}
                    rules.compounds |= {flag} if option in _COMPOUNDS else set()
                case ["COMPOUNDRULE", rule, *_]:
                    rules.compounds |= set() if rule.isdecimal() else rules.parse_compound_rule_flags(rule)
                case [side, flag, crosses, count, *_] if side in _SIDES and (side, flag) not in can_combine:
                    can_combine[side, flag] = crosses == "Y"
                    rules.prefixes |= {flag} if side == "PFX" else set()
                    int(count)
                case [side, flag, strip, add, *more] if side in _SIDES:
                    affix = _make_affix_rule(rules, side == "PFX", can_combine[side, flag], strip, add, *more[:1])
                    rules.affixes.setdefault(flag, []).append(affix)
        except (ValueError, re.error, RecursionError) as error:
            raise _InvalidAffixLineError(number) from error
    del rules.aliases[:1]  # the count line
    return rules


def _make_affix_rule(
    rules: AffixFile, is_prefix: bool, combines_with_other_end: bool, strip: str, add: str, condition: str = "."
) -> AffixRule:
    added_text, *flags = _SLASH.split(add, maxsplit=1)
    return AffixRule(
        prefix=is_prefix,
        combines_with_other_end=combines_with_other_end,
        strip="" if strip == "0" else strip,
        add="" if added_text == "0" else added_text,
        flags=rules.parse_flags(flags[0]) if flags else frozenset(),
        condition=_compile_condition(condition, is_prefix=is_prefix),
        edge_condition=re.compile(_split_condition(condition)[0 if is_prefix else -1]).match,
    )


def _split_condition(condition: str) -> list[str]:
    return [
        part if part == "." else f"[{part[1:-1]}]" if part[0] == "[" and len(part) > 1 else re.escape(part)
        for part in re.findall(r"\[[^\]]*\]|.", condition)
    ]


@cache
def _compile_condition(condition: str, *, is_prefix: bool) -> Callable[[str], object] | None:
    if condition == ".":
        return None
    pattern = "".join(_split_condition(condition))
    return re.compile(pattern).match if is_prefix else re.compile(rf"(?:{pattern})\Z").search
