"""Split names of people into first and last name.

Names are stored as "Last, First", with prefixes in the last name: "de Vries, Jan". The prefixes depend on the
country.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

DUTCH = (
    *("aan", "bij", "de", "den", "der", "het", "in", "onder", "op", "over", "te", "ten", "ter", "tot"),
    *("uit", "uyt", "van", "voor", "von", "'s", "’s", "'t", "’t"),
)
_FRENCH = ("de", "des", "du", "la", "le", "les")
_NORDIC = ("af", "av", "de", "van", "von")
# Prefixes even if capitalised, by the country of a rule set. Lower-case words are always prefixes.
_PREFIXES: Mapping[str, Sequence[str]] = {
    "Nederland": DUTCH,
    "België": (*DUTCH, *_FRENCH),
    "Deutschland": ("am", "de", "der", "im", "van", "vom", "von", "zu", "zum", "zur"),
    "España": ("de", "del", "la", "las", "los"),
    "France": _FRENCH,
    "Norge": _NORDIC,
    "Sverige": _NORDIC,
}
_OTHER_PREFIXES = (
    "da",
    "de",
    "del",
    "della",
    "den",
    "der",
    "di",
    "dos",
    "du",
    "la",
    "le",
    "ten",
    "ter",
    "van",
    "von",
)
_SUFFIXES = frozenset({"jr", "jr.", "sr", "sr.", "ii", "iii", "iv"})
_MIN_SORTED_LENGTH = 8  # shorter lists may be sorted by chance


def put_last_name_first(name: str, country: str = "") -> str:
    """Convert "First Last" to "Last, First". Names with a comma and single words do not change."""
    words = name.split()
    if "," in name or len(words) == 1:
        return " ".join(words)
    index = _find_last_name_index(words, country)
    return ", ".join(filter(None, (" ".join(words[index:]), " ".join(words[:index]))))


def is_name_split_unsure(name: str, country: str = "") -> bool:
    """Return whether a name has several first names, so that one may belong to the last name."""
    words = name.split()
    return "," not in name and len(words) > 1 and _find_last_name_index(words, country) > 1


def are_names_in_first_last_order(names: Sequence[str], country: str = "") -> bool:
    """Return whether most names are probably written "First Last".

    A prefix such as "van" or a first word in capitals shows the last name. Otherwise, alphabetical order suggests
    "Last First".
    """
    parts = [words for name in names if len(words := name.split()) > 1]
    if not parts or 2 * sum("," in name for name in names) > len(parts):
        return False
    first = sum(_is_name_prefix(words[0], country) or _is_only_first_word_in_capitals(words) for words in parts)
    last = sum(any(_is_name_prefix(word, country) for word in words[1:-1]) for words in parts)
    if first or last:
        return last >= first
    full_names = [" ".join(words).casefold() for words in parts]
    return len(full_names) < _MIN_SORTED_LENGTH or full_names != sorted(full_names)


def _find_last_name_index(words: Sequence[str], country: str) -> int:
    index = len(words) - 1
    while index > 1 and words[index].casefold() in _SUFFIXES:
        index -= 1
    while index > 1 and _is_name_prefix(words[index - 1], country, lower_case=not words[0].islower()):
        index -= 1
    return index


def _is_name_prefix(word: str, country: str, *, lower_case: bool = True) -> bool:
    return (lower_case and word.islower()) or word.casefold() in _PREFIXES.get(country, _OTHER_PREFIXES)


def _is_only_first_word_in_capitals(words: Sequence[str]) -> bool:
    return len(words[0]) > 1 and words[0].isupper() and not words[-1].isupper()
