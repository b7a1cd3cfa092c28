"""Rulings on words and on challenged plays.

A reason that the program proposes is stored as a code, such as "@not-in-list SWL 2023".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import JudgedSheet
from tdapp.domain.jury_rows import Challenge, Sanction, ScoreSheet, TurnRuling, WordRuling, WordRulingId
from tdapp.domain.model import Game, PlayerId
from tdapp.domain.ruleset import RuleSet, WordListScopeRule
from tdapp.domain.score_breakdown import compute_phony_points
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.coordinates import SIZE
from tdapp.scrabble.issue import SheetIssue
from tdapp.scrabble.replay import ReplayedTurn
from tdapp.scrabble.sheet import Ruling, Sheet, TurnKind, compute_paper_form_row_numbers
from tdapp.scrabble.wordlist import WordList, WordVerdict, combine_word_verdicts

ONLY_TURN_SCORE = -1  # instead of a score: the player's only turn with the word


def list_doubtful_word_issues(
    turns: Iterable[ReplayedTurn], wordlist: WordList, rule: WordListScopeRule
) -> tuple[SheetIssue, ...]:
    """Return an issue for each word that the list does not confirm, with the word as `detail`.

    Include plays with a ruling, but not plays removed after a challenge.
    """
    codes = {WordVerdict.INVALID: "word-not-in-list", WordVerdict.NOT_BINDING: "word-not-binding"}
    return tuple(
        SheetIssue(codes[verdict], line.number, detail=word.upper())
        for line in turns
        if line.kind is TurnKind.PLAY
        for word in line.words
        if (verdict := judge_word(word, wordlist, rule)) in codes
    )


def add_doubtful_word_issues(judged: JudgedSheet, wordlist: WordList, rules: RuleSet) -> JudgedSheet:
    issues = (*judged.issues, *list_doubtful_word_issues(judged.turns, wordlist, rules.words))
    return replace(judged, issues=tuple(sorted(issues, key=lambda issue: issue.turn or inf)))


def judge_word(word: str, wordlist: WordList, rule: WordListScopeRule) -> WordVerdict:
    """Return the verdict on a word.

    Return NOT_BINDING (judges decide) for words longer than the list's limit. If the list has no limit, the rule
    set's limit applies.
    """
    if len(word) > SIZE:
        return WordVerdict.INVALID
    if wordlist.edition.binding_max_length is None and rule.binding is not None and len(word) > rule.binding:
        return WordVerdict.NOT_BINDING
    return wordlist.judge_word(word)


def judge_words(words: Iterable[str], wordlist: WordList, rule: WordListScopeRule) -> WordVerdict:
    """Return one verdict for all words of a play (no-turneringsreglement 3.10)."""
    return combine_word_verdicts([judge_word(word, wordlist, rule) for word in words])


def combine_judge_verdicts(
    first: WordVerdict, second: WordVerdict, joint: WordVerdict | None = None
) -> WordVerdict:
    """Return the final verdict after an appeal (no-turneringsreglement 3.11).

    `first` is the verdict before the appeal, `second` the later verdict. If these verdicts differ, return `joint`.
    With only one judge, pass `second` as `joint`.
    """
    if first is second:
        return first
    if joint is None:
        raise CommandError("joint-verdict-needed")
    return joint


def find_final_verdict(challenge: Challenge) -> WordVerdict:
    if challenge.second is None:
        return challenge.verdict
    return combine_judge_verdicts(challenge.verdict, challenge.second, challenge.joint)


def find_challenge_turn_kind(verdict: WordVerdict) -> TurnKind:
    if verdict is WordVerdict.NOT_BINDING:
        raise CommandError("verdict-open")
    return TurnKind.FAILED_CHALLENGE if verdict is WordVerdict.VALID else TurnKind.WITHDRAWN


class TurnWithWrongWord(Struct, frozen=True):
    """A turn with a wrong word, as typed on the score sheet."""

    turn: int  # from 1
    row: int  # on the paper form
    player: PlayerId
    word: str
    score: int | None  # of the turn, None if unknown
    points: int | None  # cost of the word, None if unknown


def list_wrong_words_without_ruling(
    game: Game, score_sheet: ScoreSheet, rules: RuleSet, scores: Sequence[int | None]
) -> list[TurnWithWrongWord]:
    turns, ruled_turns = score_sheet.sheet.turns, {ruling.turn for ruling in score_sheet.rulings}
    rows = compute_paper_form_row_numbers((turn.player, turn.kind.is_real_turn) for turn in turns)
    wrong_turns = []
    for number, (turn, row, score) in enumerate(zip(turns, rows, scores, strict=True), 1):
        player, points = (game.first, game.second)[turn.player - 1], None
        if turn.contested is not None and rules.contested.known:
            wrong_turns.append(
                TurnWithWrongWord(number, row, player, turn.contested, score, rules.contested.points)
            )
        if turn.ruling is Ruling.PHONY and number not in ruled_turns and rules.phony.ruled:
            if score is not None:
                points = -compute_phony_points(rules.phony, score=score, words=turn.wrong_words)
            wrong_turns.append(TurnWithWrongWord(number, row, player, turn.word or "", score, points))
    return wrong_turns


def has_phonies_not_yet_deducted(sheet: Sheet, rules: RuleSet) -> bool:
    """Return whether wrong words on a sheet have no cost yet, because the game is unfinished."""
    has_phony = any(turn.ruling is Ruling.PHONY for turn in sheet.turns)
    return has_phony and rules.phony.ruled and not sheet.has_ending


class ChallengedTurnOnSheet(Struct, frozen=True):
    """The score sheet turn that matches a challenge."""

    turn: int | None  # from 1; None unless exactly one turn is possible
    is_consistent: bool | None  # the sheet records the final verdict; None if several turns match


def list_turn_numbers_with_word(
    sheet: Sheet, lines: Sequence[ReplayedTurn], *, player: int, word: str, preferred_score: int | None = None
) -> tuple[int, ...]:
    """Return the turn numbers of a player's plays that form `word`. Plays with `preferred_score` are first."""
    letters = convert_to_uppercase_letters(word)
    numbers = [
        line.number
        for turn, line in zip(sheet.turns, lines, strict=True)
        if turn.kind is TurnKind.PLAY
        and turn.player == player
        and letters in map(convert_to_uppercase_letters, (turn.word, *line.words))
    ]
    return tuple(sorted(numbers, key=lambda number: (lines[number - 1].score != preferred_score, number)))


def match_rulings_to_turns(
    game: Game,
    sheet: Sheet,
    lines: Sequence[ReplayedTurn],
    rulings: Iterable[WordRuling],
    *,
    excluded_turns: Collection[int] = (),
) -> Mapping[WordRulingId, int]:
    """Map each ruling to the number of its turn on the sheet. Omit rulings without a matching turn.

    `lines` is the replayed sheet. Use no turn twice, and no turn in `excluded_turns`. If several turns match,
    prefer a turn with the ruling's score.
    """
    turns_by_ruling: dict[WordRulingId, int] = {}
    candidates = [(ruling, _list_turn_numbers_matching_ruling(game, sheet, lines, ruling)) for ruling in rulings]
    for exact in (True, False):
        for ruling, numbers in candidates:
            used_turns = {*excluded_turns, *turns_by_ruling.values()}
            free_turns = [number for number in numbers if number not in used_turns]
            if (
                ruling.id not in turns_by_ruling
                and free_turns
                and not (exact and lines[free_turns[0] - 1].score != ruling.score)
            ):
                turns_by_ruling[ruling.id] = free_turns[0]
    return turns_by_ruling


def _list_turn_numbers_matching_ruling(
    game: Game, sheet: Sheet, lines: Sequence[ReplayedTurn], ruling: WordRuling
) -> list[int]:
    player = 1 if ruling.player == game.first else 2
    numbers = {
        number: None
        for word in ruling.word.split()
        for number in list_turn_numbers_with_word(
            sheet, lines, player=player, word=word, preferred_score=ruling.score
        )
    }
    return sorted(numbers, key=lambda number: (lines[number - 1].score != ruling.score, number))


def list_jury_decisions_by_author(
    tournament: Tournament, author: str
) -> tuple[WordRuling | Sanction | ScoreSheet, ...]:
    word_rulings = (ruling for ruling in tournament.word_rulings.values() if ruling.author == author)
    sanctions = (sanction for sanction in tournament.sanctions.values() if sanction.author == author)
    sheets = (
        sheet for sheet in tournament.sheets.values() if any(ruling.author == author for ruling in sheet.rulings)
    )
    return (*word_rulings, *sanctions, *sheets)


def convert_to_turn_ruling(turn: int, ruling: WordRuling) -> TurnRuling:
    return TurnRuling(turn, ruling.phony, ruling.author, ruling.why, ruling.edition)


def list_turn_rulings(
    game: Game, sheet: Sheet, lines: Sequence[ReplayedTurn], rulings: Collection[WordRuling]
) -> tuple[TurnRuling, ...]:
    turns_by_ruling = match_rulings_to_turns(game, sheet, lines, rulings)
    return tuple(
        convert_to_turn_ruling(turns_by_ruling[ruling.id], ruling)
        for ruling in rulings
        if ruling.id in turns_by_ruling
    )


def compare_challenge_with_sheet(index: TournamentIndex, challenge: Challenge) -> ChallengedTurnOnSheet | None:
    final_verdict = find_final_verdict(challenge)
    game = index.find_game_at_table(challenge.division, challenge.round, challenge.table)
    sheets = index.sheets(game.id) if game is not None else ()
    if game is None or not sheets or final_verdict is WordVerdict.NOT_BINDING:
        return None
    player_numbers = {game.first: 1, game.second: 2}
    challenger = player_numbers.get(challenge.challenger) if challenge.challenger else None
    turns = _list_possible_turns_of_challenge(sheets[0].sheet, challenger, challenge.words)
    matches = [number for number, kind in turns if kind is find_challenge_turn_kind(final_verdict)]
    if len(matches) > 1:
        return ChallengedTurnOnSheet(None, None)
    if matches:
        return ChallengedTurnOnSheet(matches[0], is_consistent=True)
    return ChallengedTurnOnSheet(turns[0][0] if len(turns) == 1 else None, is_consistent=False)


def _list_possible_turns_of_challenge(
    sheet: Sheet, challenger: int | None, words: Iterable[str]
) -> list[tuple[int, TurnKind]]:
    turns: list[tuple[int, TurnKind, str]] = []
    last_play = ""
    for number, turn in enumerate(sheet.turns, 1):
        if turn.kind is TurnKind.FAILED_CHALLENGE and challenger in {None, turn.player}:
            turns.append((number, TurnKind.FAILED_CHALLENGE, last_play))
        elif (turn.kind is TurnKind.WITHDRAWN or turn.contested is not None) and challenger != turn.player:
            turns.append((number, TurnKind.WITHDRAWN, convert_to_uppercase_letters(turn.contested or turn.word)))
        if turn.kind is TurnKind.PLAY:
            last_play = convert_to_uppercase_letters(turn.word)
    matches = [turn for turn in turns if turn[2] in {*words}]
    return [(number, kind) for number, kind, _ in matches or turns]


_PUNCTUATION = str.maketrans("", "", "-'’")  # ignored on the board


def is_well_formed_word(word: str) -> bool:
    """Return whether a text has at least two letters and contains only letters, hyphens and apostrophes."""
    letters = word.translate(_PUNCTUATION)
    return letters.isalpha() and len(letters) > 1


def normalise_typed_words(text: str) -> str:
    words = text.split()
    invalid_word = next((word for word in words if not is_well_formed_word(word)), None)
    if invalid_word is not None or not words:
        raise CommandError("no-word", word=invalid_word or text)
    return " ".join(map(convert_to_uppercase_letters, words))


def convert_to_uppercase_letters(word: str | None) -> str:
    return "".join(filter(str.isalpha, word or "")).upper()


NOT_IN_LIST = "not-in-list"  # the detail is the name of the word list
NO_SUCH_WORD = "no-such-word"
WORD_IS_VALID = "word-stands"
WRITTEN_ON_FORM = "form-says-so"
JUDGE_SCREEN = "judge-screen"
TYPED_TOTALS = "typed"  # the detail is both typed totals

_CODE_PREFIX = "@"


def format_coded_ruling_reason(code: str, detail: str = "") -> str:
    return f"{_CODE_PREFIX}{code} {detail}".rstrip()


def parse_coded_ruling_reason(reason: str) -> tuple[str, str]:
    """Return code and detail: ("not-in-list", "SWL 2023") for "@not-in-list SWL 2023", ("", "") for free text."""
    code, _, detail = reason[1:].partition(" ") if reason.startswith(_CODE_PREFIX) else ("", "", "")
    return code, detail


def make_word_list_ruling_reason(*, phony: bool, edition: str = "") -> str:
    if not phony:
        return format_coded_ruling_reason(WORD_IS_VALID)
    return (
        format_coded_ruling_reason(NOT_IN_LIST, edition) if edition else format_coded_ruling_reason(NO_SUCH_WORD)
    )
