"""Import, compare, search and choose word lists. Functions with a parameter `progress` are slow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from itertools import islice
from pathlib import Path

from msgspec import Struct

from tdapp.domain.dates import EXAMPLE_DATE, parse_date_to_iso
from tdapp.domain.errors import CommandError, InputError, StorageError
from tdapp.domain.ruleset import HyphenAndApostropheRule, RuleSet, WordListScopeRule
from tdapp.domain.rulings import judge_word
from tdapp.exchange import wordlist
from tdapp.exchange.text import read_file
from tdapp.exchange.wordlist import ParsedWordList, PracticeWordList, WordListOptions
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.wordlist import WordListEdition, WordVerdict, normalise_word
from tdapp.services.resources import Resources
from tdapp.storage import lexicon_search
from tdapp.storage.lexicon import LONGEST, EditionMetadata, Lexicon, Progress
from tdapp.storage.library import StoredWordListEdition, WordListLibrary

SAMPLE = 6  # words in a preview
_PROGRESS_INTERVAL = 50_000  # words between two reports of progress
_FORMATS = ("%Y-%m-%d", "%Y-%m", "%Y")


class SupplementChanges(Struct, frozen=True, rename={"present": "there"}):
    """Effect of a supplement: a file of words to add to a word list, or to remove from it."""

    added: int = 0  # number of words
    removed: int = 0  # number of words
    present: tuple[str, ...] = ()  # words to add that the list already has
    missing: tuple[str, ...] = ()  # words to remove that the list does not have


class WordListPreview(Struct, frozen=True):
    """Preview of a word list, or of a list changed by a supplement."""

    word_list: ParsedWordList  # for a supplement: the resulting list
    sample: tuple[str, ...]  # some words, if possible with letters that a wrong encoding would damage
    changes: SupplementChanges = SupplementChanges()  # effect of the supplement


class EditionComparison(Struct, frozen=True):
    """The differences of two editions of a word list."""

    added: tuple[str, ...]  # words only in the new edition, alphabetically
    removed: tuple[str, ...]  # words only in the old edition, alphabetically
    same: int  # number of words in both editions


def preview_word_list(
    source: Path, options: WordListOptions, *, progress: Progress | None = None
) -> WordListPreview:
    """Read a list. For a Hunspell dictionary `source` is either of its two files. Raises InputError."""
    affixes = None
    if source.suffix in {".dic", ".aff"}:
        source, affixes = source.with_suffix(".dic"), read_file(source.with_suffix(".aff"))
    _refuse_huge_file(source)
    word_list = wordlist.read_words(read_file(source), options, source.name, affixes=affixes, progress=progress)
    sample = tuple(islice((word for word in word_list.words if not word.isascii()), SAMPLE))
    return WordListPreview(word_list, sample or word_list.words[:SAMPLE])


def preview_word_list_supplement(
    base: Path, source: Path, options: WordListOptions, *, progress: Progress | None = None
) -> WordListPreview:
    _refuse_huge_file(source)
    additions, removals = wordlist.read_word_list_supplement(read_file(source), options, source.name)
    with Lexicon.open(base) as old:
        words, metadata = dict(_read_words_and_notes(old, progress)), old.metadata
    present = tuple(word for word in additions.words if word in words)
    missing = tuple(word for word in removals.words if words.pop(word, None) is None)
    words |= {word: additions.notes.get(word, words.get(word, "")) for word in additions.words}
    changes = SupplementChanges(
        len(additions.words) - len(present), len(removals.words) - len(missing), present, missing
    )
    dropped_words = {**removals.dropped_lines, **additions.dropped_lines}
    digest = sha256(f"{metadata.edition.source_hash}\n{additions.source_hash}".encode()).hexdigest()
    notes = {word: note for word, note in words.items() if note}
    word_list = ParsedWordList(
        tuple(words), notes, dropped_words, additions.encoding, digest,
        marked=metadata.marked + additions.marked, names=metadata.names + additions.names,
    )  # fmt: skip
    return WordListPreview(word_list, (*additions.words, *removals.words)[:SAMPLE], changes)


def compare_editions(old_path: Path, new_path: Path, *, progress: Progress | None = None) -> EditionComparison:
    with Lexicon.open(old_path) as old_lexicon, Lexicon.open(new_path) as new_lexicon:
        removed_words = {word for word, _ in old_lexicon.iterate_words_and_notes()}
        added_words, same_count = [], 0
        for word, _ in _read_words_and_notes(new_lexicon, progress):
            if word in removed_words:
                removed_words.remove(word)
                same_count += 1
            else:
                added_words.append(word)
    return EditionComparison(tuple(sorted(added_words)), tuple(sorted(removed_words)), same_count)


def _read_words_and_notes(lexicon: Lexicon, progress: Progress | None) -> Iterator[tuple[str, str]]:
    for number, pair in enumerate(lexicon.iterate_words_and_notes()):
        if progress and number % _PROGRESS_INTERVAL == 0:
            progress(number, lexicon.metadata.words)
        yield pair


def add_new_word_list(
    library: WordListLibrary,
    word_list: ParsedWordList,
    edition: WordListEdition,
    *,
    accept_hyphens_and_apostrophes: bool,
    practice: bool,
    printable: bool = False,
    progress: Progress | None = None,
) -> EditionMetadata:
    """Add a list to the library.

    `accept_hyphens_and_apostrophes`: whether the list includes words written with these characters. Raises
    StorageError, with "edition-there" if the library already has the list.
    """
    if metadata := _find_stored_edition_of_same_list(
        library, word_list, edition, accept_hyphens_and_apostrophes=accept_hyphens_and_apostrophes
    ):
        raise StorageError("edition-there", edition=metadata.edition.name)
    return library.add_edition(
        word_list.words,
        edition,
        notes=word_list.notes,
        accept_hyphens_and_apostrophes=accept_hyphens_and_apostrophes,
        practice=practice,
        printable=printable,
        marked_word_count=word_list.marked,
        capitalised_word_count=word_list.names,
        import_date=get_today_as_iso_date(),
        progress=progress,
    )


def add_practice_list(
    library: WordListLibrary,
    source: PracticeWordList,
    *,
    accept_hyphens_and_apostrophes: bool,
    progress: Progress | None = None,
) -> EditionMetadata:
    options = WordListOptions(
        source.language, joints=accept_hyphens_and_apostrophes, names=source.is_language_with_capitalised_nouns
    )
    word_list = preview_word_list(source.path, options, progress=progress).word_list
    edition = WordListEdition(source.name, source.language, get_file_date(source.path), word_list.source_hash)
    metadata = _find_stored_edition_of_same_list(
        library, word_list, edition, accept_hyphens_and_apostrophes=accept_hyphens_and_apostrophes
    )
    return metadata or add_new_word_list(
        library,
        word_list,
        edition,
        accept_hyphens_and_apostrophes=accept_hyphens_and_apostrophes,
        practice=True,
        progress=progress,
    )


def verify_edition(path: Path, *, progress: Progress | None = None) -> EditionMetadata:
    with Lexicon.open(path) as lexicon:
        lexicon.verify_file(progress)
        return lexicon.metadata


def get_file_date(source: Path) -> str:
    """Return the date of a file in ISO 8601, "" if it cannot be read."""
    try:
        return datetime.fromtimestamp(source.stat().st_mtime, UTC).date().isoformat()
    except OSError:
        return ""


def get_today_as_iso_date() -> str:
    return datetime.now().astimezone().date().isoformat()


def parse_partial_date(date_text: str) -> str:
    """Return a typed year, month or day in ISO 8601. Raises CommandError (lexicon-date)."""
    text = date_text.strip()
    if iso_date := parse_date_to_iso(text):
        return iso_date
    for form in _FORMATS:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC).strftime(form)
        except ValueError:
            continue
    if text:
        raise CommandError("lexicon-date", typed=text, example=EXAMPLE_DATE)
    return ""


def can_words_have_hyphens(rules: RuleSet) -> bool:
    return rules.words.marked is HyphenAndApostropheRule.ALLOWED


def list_offered_practice_lists(
    resources: Resources, preferred_language: str, stored: Sequence[StoredWordListEdition] = ()
) -> tuple[PracticeWordList, ...]:
    """Return the practice lists not in `stored`: first `preferred_language`, then by size, largest first."""
    practice = [
        edition.metadata.edition
        for edition in stored
        if edition.metadata is not None and edition.metadata.practice
    ]
    known_lists = {(edition.language, edition.name) for edition in practice}
    missing_lists = [
        practice_list
        for practice_list in resources.practice_lists
        if (practice_list.language, practice_list.name) not in known_lists
    ]
    return tuple(
        sorted(
            missing_lists,
            key=lambda practice_list: (
                not is_same_language(practice_list.language, preferred_language),
                -_get_file_size_or_zero(practice_list.path),
                practice_list.name,
            ),
        )
    )


def find_only_edition_in_language(
    stored: Sequence[StoredWordListEdition], language: str
) -> EditionMetadata | None:
    """Return the only stored edition in a language. Return None if none or several match."""
    all_metadata = [edition.metadata for edition in stored if edition.metadata is not None]
    matches = [metadata for metadata in all_metadata if is_same_language(metadata.edition.language, language)]
    return matches[0] if len(matches) == 1 else None


def sort_editions_by_preference(
    stored: Sequence[StoredWordListEdition], language: str
) -> tuple[StoredWordListEdition, ...]:
    def get_sort_key(edition: StoredWordListEdition) -> tuple[bool, bool]:
        metadata = edition.metadata
        return (
            metadata is None or not is_same_language(metadata.edition.language, language),
            metadata is None or metadata.practice,
        )

    newest = sorted(
        stored, key=lambda edition: edition.metadata.edition.date if edition.metadata else "", reverse=True
    )
    return tuple(sorted(newest, key=get_sort_key))


def is_same_language(language: str, other_language: str) -> bool:
    return _replace_norwegian_variant_code(language) == _replace_norwegian_variant_code(other_language)


def get_language_name(catalogue: Catalogue, code: str) -> str:
    names = {
        "nl": catalogue.text("Dutch"),
        "nb": catalogue.text("Norwegian"),
        "no": catalogue.text("Norwegian"),
        "nn": catalogue.text("Norwegian (nynorsk)"),
        "de": catalogue.text("German"),
        "en": catalogue.text("English"),
        "es": catalogue.text("Spanish"),
        "fr": catalogue.text("French"),
        "sv": catalogue.text("Swedish"),
    }
    return names.get(code, code)


def format_word_count(catalogue: Catalogue, count: int) -> str:
    return catalogue.plural("{n} word", "{n} words", count, n=format_number(count))


def format_number(count: int) -> str:
    return f"{count:,}".replace(",", "\u202f")


def describe_edition_in_lines(catalogue: Catalogue, metadata: EditionMetadata) -> tuple[str, ...]:
    edition = metadata.edition
    parts = [get_language_name(catalogue, edition.language), format_word_count(catalogue, metadata.words)]
    if edition.date:
        parts.insert(1, catalogue.text("edition of {date:date}", date=edition.date))
    lines = [" · ".join(parts)]
    if edition.binding_max_length is not None:
        lines.append(describe_word_length_limit(catalogue, edition.binding_max_length))
    if not metadata.joints:
        lines.append(catalogue.text("Words with a hyphen or an apostrophe were left out."))
    if metadata.printable and not metadata.practice:
        lines.append(catalogue.text("The words of this list may be printed."))
    return tuple(lines)


def describe_word_length_limit(catalogue: Catalogue, length: int) -> str:
    if length == LONGEST:
        return catalogue.text("The list decides on words of all lengths.")
    return catalogue.text("The list decides on words of up to {length} letters.", length=length)


def describe_hyphens_and_capitals(
    catalogue: Catalogue, *, hyphenated_count: int, capitalised_count: int
) -> tuple[str, ...]:
    """Return sentences about the words written with a hyphen, an apostrophe or a capital."""
    sentences = []
    if hyphenated_count:
        sentences.append(catalogue.plural(
            "One word is written with a hyphen or an apostrophe.",
            "{n} words are written with a hyphen or an apostrophe.", hyphenated_count,
        ))  # fmt: skip
    if capitalised_count:
        sentences.append(catalogue.plural(
            "One word is written with a capital, as names are.",
            "{n} words are written with a capital, as names are.", capitalised_count,
        ))  # fmt: skip
    return tuple(sentences)


def list_rule_warnings(catalogue: Catalogue, metadata: EditionMetadata, rules: RuleSet) -> tuple[str, ...]:
    """Return warnings that the edition is in another language or has words that the rules do not allow."""
    language, text = metadata.edition.language, catalogue.text
    if not is_same_language(language, rules.language):
        names = {
            "language": get_language_name(catalogue, language),
            "other": get_language_name(catalogue, rules.language),
        }
        return (
            text("The language of this list is {language}, but the language of the rules is {other}.", **names),
        )
    hyphenated_count = 0 if can_words_have_hyphens(rules) else metadata.marked
    warnings = describe_hyphens_and_capitals(
        catalogue, hyphenated_count=hyphenated_count, capitalised_count=metadata.names
    )
    if not warnings:
        return ()
    return (*warnings, text("These rules do not allow such words: import the list again without them."))


def describe_unlisted_compounds(catalogue: Catalogue, word_list: ParsedWordList) -> str:
    if not word_list.compounds:
        return ""
    return catalogue.plural(
        "Only listed compound words are imported. One word of this dictionary can also form other "
        "compounds, which will be missing.",
        "Only listed compound words are imported. {n} words of this dictionary can also form other "
        "compounds, which will be missing.",
        word_list.compounds,
    )


def describe_supplement_changes(catalogue: Catalogue, changes: SupplementChanges) -> str:
    text = catalogue.text
    lines = [text("Words added: {added}, removed: {removed}", added=changes.added, removed=changes.removed)]
    if changes.present:
        lines.append(text("Already in the list: {words}", words=_join_first_words(changes.present)))
    if changes.missing:
        lines.append(text("Not in the list, so not removed: {words}", words=_join_first_words(changes.missing)))
    return "\n".join(lines)


def describe_edition_comparison(catalogue: Catalogue, comparison: EditionComparison) -> str:
    numbers = {"added": format_number(len(comparison.added)), "removed": format_number(len(comparison.removed))}
    return catalogue.text(
        "New words: {added}, removed words: {removed}, in both lists: {same}",
        **numbers,
        same=format_number(comparison.same),
    )


def _join_first_words(words: Sequence[str]) -> str:
    return ", ".join(words[:SAMPLE]) + (" …" if len(words) > SAMPLE else "")


def describe_missing_word_list(catalogue: Catalogue, edition_id: str) -> str:
    if not edition_id:
        return catalogue.text("No word list is chosen for this tournament.")
    return catalogue.text(
        "The jury’s word list, number {id}, is not on this computer. Add its file from the "
        "computer where it was chosen. Or import the same text file with the same settings, or "
        "choose another list.",
        id=edition_id,
    )


def _find_stored_edition_of_same_list(
    library: WordListLibrary,
    word_list: ParsedWordList,
    edition: WordListEdition,
    *,
    accept_hyphens_and_apostrophes: bool,
) -> EditionMetadata | None:
    requested_metadata = EditionMetadata(
        edition,
        joints=accept_hyphens_and_apostrophes,
        practice=False,
        imported="",
        words=len(word_list.words),
        alphabet="",
    )
    stored_metadata = (
        stored_edition.metadata
        for stored_edition in library.list_editions()
        if stored_edition.metadata is not None
    )
    return next((metadata for metadata in stored_metadata if metadata.id == requested_metadata.id), None)


def _replace_norwegian_variant_code(language: str) -> str:
    return "no" if language in {"nb", "nn"} else language


def _refuse_huge_file(source: Path) -> None:
    if _get_file_size_or_zero(source) > wordlist.MAX_BYTES:
        megabytes = wordlist.MAX_BYTES // 1_000_000
        raise InputError("file-too-large", source=source.name, megabytes=megabytes)


def _get_file_size_or_zero(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


class WordQuestionKind(StrEnum):
    """Kind of question about words."""

    WORD = "word"
    RACK = "rack"
    PATTERN = "pattern"


class WordQuestion(Struct, frozen=True):
    """A typed question about words."""

    kind: WordQuestionKind
    text: str
    allow_fewer_tiles: bool = False  # for a rack: also find words that use only some of its tiles


class WordAnswerRow(Struct, frozen=True):
    """A word of an answer: a typed word with its verdict, or a found word such as an anagram."""

    key: str
    word: str
    hook: str = ""  # side of the added letter, "before" or "behind"
    verdict: WordVerdict | None = None  # set if several words were typed
    note: str = ""  # note in the list, such as a meaning

    @property
    def letters(self) -> int:
        return len(self.word)


class WordAnswer(Struct, frozen=True):
    """The answer to a question about words."""

    rows: tuple[WordAnswerRow, ...] = ()
    verdict: WordVerdict | None = None  # set if one word was typed
    note: str = ""
    is_truncated: bool = False  # whether the search found more than its limit


def answer_word_question(path: Path, question: WordQuestion, rule: WordListScopeRule) -> WordAnswer:
    """Answer a question with the word list at `path`. `rule` limits the words that the list decides on.

    Raises CommandError for an invalid question, and StorageError if the list cannot be opened.
    """
    with Lexicon.open(path) as lexicon:
        match question.kind:
            case WordQuestionKind.WORD:
                return _judge_words_and_find_hooks(lexicon, question.text, rule)
            case WordQuestionKind.RACK:
                result = lexicon_search.find_anagrams(
                    lexicon, question.text, allow_fewer_tiles=question.allow_fewer_tiles
                )
            case WordQuestionKind.PATTERN:
                result = lexicon_search.find_words_by_pattern(lexicon, question.text.replace(".", "?"))
        rows = (WordAnswerRow(word, word, note=lexicon.find_word_note(word)) for word in result.words)
        return WordAnswer(tuple(rows), is_truncated=result.is_truncated)


def _judge_words_and_find_hooks(lexicon: Lexicon, text: str, rule: WordListScopeRule) -> WordAnswer:
    words = list(dict.fromkeys(_normalise_typed_word(lexicon, word) for word in text.split()))
    if len(words) > 1:
        verdicts = ((word, judge_word(word, lexicon, rule), lexicon.find_word_note(word)) for word in words)
        return WordAnswer(
            tuple(WordAnswerRow(word, word, verdict=verdict, note=note) for word, verdict, note in verdicts)
        )
    word = words[0]
    hooks = lexicon_search.find_hooks(lexicon, word)
    words_before = ((f"before {letter}", letter + word, "before") for letter in hooks.before)
    words_after = ((f"behind {letter}", word + letter, "behind") for letter in hooks.after)
    rows = (
        WordAnswerRow(key, hooked_word, side, note=lexicon.find_word_note(hooked_word))
        for key, hooked_word, side in (*words_before, *words_after)
    )
    return WordAnswer(tuple(rows), judge_word(word, lexicon, rule), lexicon.find_word_note(word))


def _normalise_typed_word(lexicon: Lexicon, text: str) -> str:
    letters = normalise_word(
        text, lexicon.edition.language, accept_hyphens_and_apostrophes=lexicon.metadata.joints
    )
    if letters is None:
        raise CommandError("search-letters", typed=text)
    return letters
