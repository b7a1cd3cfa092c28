"""The verbs `lexicon`, for editions of word lists, and `judge`, for challenged plays."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tdapp.cli.jury_json_types import PlayVerdictJson
from tdapp.cli.program import Program
from tdapp.desk import Desk, get_utc_timestamp
from tdapp.domain import commands
from tdapp.domain.commands.rule import strip_and_check_required_text
from tdapp.domain.errors import CommandError
from tdapp.domain.jury_rows import WordCheckReason
from tdapp.domain.rulings import judge_words
from tdapp.exchange.json_text import make_document_from_rows
from tdapp.exchange.wordlist import DroppedLines, ParsedWordList, WordListOptions
from tdapp.i18n.judge_screen import describe_verdict_consequence
from tdapp.scrabble.wordlist import WordListEdition, WordVerdict, combine_word_verdicts, normalise_word
from tdapp.services import word_lists
from tdapp.services.word_lists import SupplementChanges
from tdapp.storage.lexicon import EditionMetadata, Lexicon
from tdapp.storage.library import write_word_list_edition


class EditionJson(Struct):
    """An edition of a word list.

    The key `hyphens` is true if words with a hyphen or apostrophe were imported. `marked` counts words listed only
    with a hyphen or apostrophe. `names` counts words listed only with a capital letter. `printable` is true if
    printing is permitted.
    """

    name: str
    language: str
    date: str
    edition_id: str
    source_hash: str
    binding_max_length: int | None
    hyphens: bool
    practice: bool
    imported: str
    words: int
    marked: int
    names: int
    printable: bool


class BuiltEditionJson(EditionJson):
    """A new edition of a word list, and the skipped lines of its file by reason.

    The key `compounds` counts the entries that can be parts of compound words.
    """

    encoding: str
    compounds: int
    dropped: dict[str, DroppedLines]
    changes: SupplementChanges | UnsetType = UNSET


class VerifiedEditionJson(EditionJson):
    """An edition of a word list whose whole file was verified."""

    sound: bool


class PracticeListJson(Struct):
    """A word list for practice on this computer."""

    path: str
    language: str
    name: str


_Document = BuiltEditionJson | VerifiedEditionJson | word_lists.EditionComparison | list[PracticeListJson]
_EXIT_CODES = {WordVerdict.VALID: 0, WordVerdict.INVALID: 1, WordVerdict.NOT_BINDING: 3}


def run_lexicon_action(program: Program, options: Namespace) -> _Document:
    path_count, verb = _ACTIONS[options.what]
    if len(options.paths) != path_count:
        raise CommandError("lexicon-what")
    return verb(program, options)


def _build_edition(program: Program, options: Namespace) -> BuiltEditionJson:
    source, target = options.paths
    practice = next((item for item in program.practice_lists if item.path.resolve() == source.resolve()), None)
    language = options.language or (practice.language if practice else None)
    if language is None:
        raise CommandError("lexicon-language-missing")
    names = not options.without_names and (practice is None or practice.is_language_with_capitalised_nouns)
    list_options = WordListOptions(
        language, joints=not options.without_hyphens, names=names, encoding=options.encoding
    )
    word_list = word_lists.preview_word_list(source, list_options).word_list
    edition = WordListEdition(
        name=options.name or (practice.name if practice else source.stem),
        language=language,
        date=options.date or word_lists.get_file_date(source),
        source_hash=word_list.source_hash,
        binding_max_length=options.binding_max_length,
    )
    metadata = write_word_list_edition(
        target,
        word_list.words,
        edition,
        notes=word_list.notes,
        accept_hyphens_and_apostrophes=not options.without_hyphens,
        practice=options.practice or practice is not None,
        printable=options.printable,
        marked_word_count=word_list.marked,
        capitalised_word_count=word_list.names,
        import_date=word_lists.get_today_as_iso_date(),
    )
    return _print_built_edition_and_make_json(program, options, metadata, word_list)


def _build_supplemented_edition(program: Program, options: Namespace) -> BuiltEditionJson:
    base, source, target = options.paths
    with Lexicon.open(base) as lexicon:
        old = lexicon.metadata
    list_options = WordListOptions(old.edition.language, joints=old.joints, encoding=options.encoding)
    preview = word_lists.preview_word_list_supplement(base, source, list_options)
    edition = replace(
        old.edition,
        name=options.name or f"{old.edition.name} + {source.stem}",
        date=options.date or word_lists.get_file_date(source),
        source_hash=preview.word_list.source_hash,
    )
    edition_options: dict[str, Any] = {
        "accept_hyphens_and_apostrophes": old.joints,
        "practice": old.practice or options.practice,
    }
    edition_options |= {"printable": old.printable or options.printable}
    edition_options |= {
        "marked_word_count": preview.word_list.marked,
        "capitalised_word_count": preview.word_list.names,
    }
    edition_options |= {"notes": preview.word_list.notes, "import_date": word_lists.get_today_as_iso_date()}
    metadata = write_word_list_edition(target, preview.word_list.words, edition, **edition_options)
    document = _print_built_edition_and_make_json(program, options, metadata, preview.word_list)
    if not options.json:
        print(word_lists.describe_supplement_changes(program.catalogue, preview.changes))
    return replace(document, changes=preview.changes)


def _compare_editions(program: Program, options: Namespace) -> word_lists.EditionComparison:
    comparison = word_lists.compare_editions(*options.paths)
    if not options.json:
        print(word_lists.describe_edition_comparison(program.catalogue, comparison))
        for sign, words in (("+", comparison.added), ("-", comparison.removed)):
            print("".join(f"{sign}{word}\n" for word in words), end="")
    return comparison


def _print_built_edition_and_make_json(
    program: Program, options: Namespace, metadata: EditionMetadata, word_list: ParsedWordList
) -> BuiltEditionJson:
    if not options.json:
        _print_metadata(program, metadata)
    for reason, dropped_lines in word_list.dropped_lines.items() if not options.json else ():
        examples = ", ".join(f"{line.number}: {line.text[:40]}" for line in dropped_lines.examples)
        text = program.catalogue.plural(
            "{n} line left out: {reason}", "{n} lines left out: {reason}", dropped_lines.count, reason=reason
        )
        print(f"{text} ({examples})" if examples else text)
    if not options.json and (compounds := word_lists.describe_unlisted_compounds(program.catalogue, word_list)):
        print(compounds)
    return make_document_from_rows(
        BuiltEditionJson, _make_edition_json(metadata), word_list, dropped=dict(word_list.dropped_lines)
    )


def _verify_edition(program: Program, options: Namespace) -> VerifiedEditionJson:
    metadata = word_lists.verify_edition(options.paths[0])
    if not options.json:
        _print_metadata(program, metadata)
        print(program.catalogue.text("The file is intact."))
    return make_document_from_rows(VerifiedEditionJson, _make_edition_json(metadata), sound=True)


def _show_found_practice_lists(program: Program, options: Namespace) -> list[PracticeListJson]:
    lists = program.practice_lists
    if not options.json:
        for item in lists:
            print(f"{item.language:4}{item.name:32}{item.path}")
    return [make_document_from_rows(PracticeListJson, item, path=str(item.path)) for item in lists]


_ACTIONS: Mapping[str, tuple[int, Callable[[Program, Namespace], _Document]]] = {  # number of files each takes
    "build": (2, _build_edition), "supplement": (3, _build_supplemented_edition),
    "compare": (2, _compare_editions), "info": (1, _verify_edition),
    "found": (0, _show_found_practice_lists),
}  # fmt: skip


def _make_edition_json(metadata: EditionMetadata) -> EditionJson:
    return make_document_from_rows(
        EditionJson, metadata.edition, metadata, edition_id=metadata.id, hyphens=metadata.joints
    )


def _print_metadata(program: Program, metadata: EditionMetadata) -> None:
    catalogue, edition = program.catalogue, metadata.edition
    print(f"{edition.name} ({edition.language}, {edition.date}), {metadata.id}")
    print(catalogue.plural("{n} word", "{n} words", metadata.words))
    if metadata.practice:
        print(catalogue.text("This is a practice word list. No federation uses it."))
    if edition.binding_max_length is not None:
        print(word_lists.describe_word_length_limit(catalogue, edition.binding_max_length))
    if metadata.printable and not metadata.practice:
        print(catalogue.text("The words of this list may be printed."))
    for line in word_lists.describe_hyphens_and_capitals(
        catalogue, hyphenated_count=metadata.marked, capitalised_count=metadata.names
    ):
        print(line)
    print(f"sha256 {edition.source_hash}")


def judge_play(program: Program, options: Namespace) -> tuple[PlayVerdictJson, int]:
    """Judge a play as a whole, without naming the wrong word (Norwegian Turneringsreglement 3.10).

    If the user names a tournament, apply its limit on the word length and record the challenge.
    """
    with Lexicon.open(options.lexicon) as lexicon, _open_tournament_if_given(program, options) as desk:
        metadata = lexicon.metadata
        letters = [_normalise_judged_word(word, metadata) for word in options.words]
        if desk is None:
            verdict, note = combine_word_verdicts([lexicon.judge_word(word) for word in letters]), ""
        else:
            verdict, note = _judge_and_store_challenge(program, options, desk, lexicon, letters)
            rules = desk.tournament.get_ruleset_of_row(desk.index.get_division(options.division))
            note = "\n".join([note, *word_lists.list_rule_warnings(program.catalogue, metadata, rules)])
    if not options.json:
        print(program.catalogue.translate_code(verdict), *filter(None, [note]), sep="\n")
    facts = {"edition": metadata.edition.name, "edition_id": metadata.id, "words": len(options.words)}
    return make_document_from_rows(PlayVerdictJson, metadata, verdict=verdict, **facts), _EXIT_CODES[verdict]


def _open_tournament_if_given(program: Program, options: Namespace) -> AbstractContextManager[Desk | None]:
    if options.file is None and (options.table or options.challenger):
        raise CommandError("judge-file")
    return nullcontext() if options.file is None else program.open_desk(options.file)


def _judge_and_store_challenge(
    program: Program, options: Namespace, desk: Desk, lexicon: Lexicon, letters: Sequence[str]
) -> tuple[WordVerdict, str]:
    index = desk.index
    division = index.get_division(options.division)
    rules, number = (
        index.tournament.get_ruleset_of_row(division),
        index.get_last_published_round_number(division.id) or None,
    )
    game = index.find_game_at_table(division.id, number, options.table)
    if options.table and game is None:
        raise CommandError("no-such-table", table=options.table, round=number or 0)
    challenger = (game.first, game.second)[options.challenger - 1] if game and options.challenger else None
    verdict = judge_words(letters, lexicon, rules.words)
    occasion = WordCheckReason(options.occasion) if options.occasion else None
    command = partial(
        commands.record_challenge, key=desk.make_row_id(), division=division.id, at=get_utc_timestamp(),
        judge=options.judge, words=tuple(letters), verdict=verdict, edition=lexicon.metadata.id,
        round_number=number, table=options.table, challenger=challenger, occasion=occasion,
    )  # fmt: skip
    desk.do(command)
    return verdict, describe_verdict_consequence(
        program.catalogue, rules, verdict, word_count=len(letters), occasion=occasion
    )


def _normalise_judged_word(word: str, metadata: EditionMetadata) -> str:
    language = metadata.edition.language
    normalised_word = normalise_word(
        strip_and_check_required_text(word, "word"), language, accept_hyphens_and_apostrophes=metadata.joints
    )
    if normalised_word is None and normalise_word(word, language) is None:
        raise CommandError("judge-no-word", typed=word)
    return normalised_word or ""  # no word of the list has this hyphen or apostrophe
