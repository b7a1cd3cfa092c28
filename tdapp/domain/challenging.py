"""Cost of the challenges on a score sheet, including lost turns and games, and pointless challenges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from tdapp.domain import score_breakdown
from tdapp.domain.ruleset import ChallengeMode, ChallengeRule, PaidTo
from tdapp.domain.score_breakdown import Column
from tdapp.scrabble.gcg import EventKind, GcgEvent
from tdapp.scrabble.issue import Issue
from tdapp.scrabble.sheet import MAX_WORDS, Sheet, Turn, TurnKind

# Turns after a challenge: a play is taken back only if challenged.
_CHALLENGED = frozenset({TurnKind.FAILED_CHALLENGE, TurnKind.WITHDRAWN})
_IDLE = frozenset({TurnKind.LOST_TURN, TurnKind.PASS})  # players write one or the other


def compute_challenge_points(sheet: Sheet, rule: ChallengeRule) -> tuple[Column, ...]:
    """Return the points that each line gives each player for challenges.

    The challenged player is the last to move.
    """
    found = []
    challenged: int | None = None
    doubtful = find_pointless_challenges(sheet)
    for number, turn in enumerate(sheet.turns, 1):
        points: Column = (0,) * len(sheet.players)
        if turn.kind is TurnKind.FAILED_CHALLENGE and number not in doubtful:
            points = score_breakdown.price_failed_challenge(
                rule,
                players=len(sheet.players),
                challenger=turn.player - 1,
                challenged=challenged,
                words=turn.words,
            )
        elif turn.kind.is_turn:
            challenged = turn.player - 1
        found.append(points)
    return tuple(found)


def infer_word_counts(
    sheet: Sheet, events: Sequence[GcgEvent], rule: ChallengeRule
) -> tuple[Sheet, tuple[GcgEvent, ...]]:
    """Set the word counts of wrong challenges from the `events` of an imported file.

    Also return unexplained events.

    The file has points only: under a rule of 5 points per word, 10 points are two words.
    """
    made = [event for event in events if event.kind is EventKind.CHALLENGE]
    words = {event: _count_words(rule, event.points) for event in made}
    found = iter(made)
    turns = tuple(
        replace(turn, words=words[next(found)] or 1) if turn.kind is TurnKind.FAILED_CHALLENGE else turn
        for turn in sheet.turns
    )
    return replace(sheet, turns=turns), tuple(event for event in events if not words.get(event))


def _count_words(rule: ChallengeRule, points: int) -> int | None:
    """Return the number of words in a wrong challenge that gives `points`, or None if no number fits."""
    to_other = rule.to is PaidTo.OPPONENT
    return next((n for n in range(1, MAX_WORDS + 1) if points == (rule.price(n) if to_other else 0)), None)


def find_challenge_losers(sheet: Sheet, rule: ChallengeRule) -> tuple[int, ...]:
    """Return the players (0-based) who lose the game by a wrong challenge, if the rule says so."""
    decided = _find_deciding_line(sheet, rule)
    return () if decided is None else (sheet.turns[decided - 1].player - 1,)


def find_lost_turns(sheet: Sheet, rule: ChallengeRule) -> Mapping[int, bool]:
    """Return the turns lost by wrong challenges, by number, each with whether the player really passed."""
    found: dict[int, bool] = {}
    owing: set[int] = set()
    doubtful = find_pointless_challenges(sheet)
    for number, turn in enumerate(sheet.turns, 1):
        if turn.kind is TurnKind.FAILED_CHALLENGE:
            if rule.mode is ChallengeMode.DOUBLE and number not in doubtful:
                owing.add(turn.player)
        elif turn.player in owing:
            owing.remove(turn.player)
            found[number] = turn.kind in _IDLE
    return found


def find_challenge_issues(sheet: Sheet, rule: ChallengeRule) -> Iterator[Issue]:
    """Yield the problems of challenges under this rule, including pointless wrong challenges."""
    for number, codes in find_pointless_challenges(sheet).items():
        yield from (Issue(code, number) for code in codes)
    if rule.mode is ChallengeMode.VOID:
        found = (number for number, turn in enumerate(sheet.turns, 1) if turn.kind in _CHALLENGED)
        yield from (Issue("challenge-not-in-rules", number) for number in found)
    yield from (
        Issue("turn-not-lost", number) for number, lost in find_lost_turns(sheet, rule).items() if not lost
    )
    decided = _find_deciding_line(sheet, rule)
    if decided is not None and decided < len(sheet.turns):
        yield Issue("turn-after-end", decided + 1)


def find_pointless_challenges(sheet: Sheet) -> Mapping[int, tuple[str, ...]]:
    """Return, by line number, why a wrong challenge is impossible. Confirmed ones are left out.

    A challenge concerns the last move, comes from another player and happens once (no-turneringsreglement
    3.9).
    """
    found: dict[int, tuple[str, ...]] = {}
    last: Turn | None = None
    laid = challenged = False
    for number, turn in enumerate(sheet.turns, 1):
        if turn.kind.is_turn:
            last, challenged, laid = turn, False, laid or turn.kind is TurnKind.PLAY
            continue
        reasons = {
            "challenge-before-play": not laid,
            "challenge-no-play": last is not None and last.kind is not TurnKind.PLAY,
            "challenge-own-play": last is not None and last.kind is TurnKind.PLAY and last.player == turn.player,
            "challenge-twice": challenged,
        }
        codes = tuple(code for code, applies in reasons.items() if applies)
        challenged = challenged or not codes
        if codes and not turn.confirmed:
            found[number] = codes
    return found


def _find_deciding_line(sheet: Sheet, rule: ChallengeRule) -> int | None:
    """Return the number of the first challenge line that decides the game, if the rule puts the game at stake."""
    if rule.mode is not ChallengeMode.TRIPLE:
        return None
    doubtful = find_pointless_challenges(sheet)
    wrong = (number for number, turn in enumerate(sheet.turns, 1) if turn.kind in _CHALLENGED)
    return next((number for number in wrong if number not in doubtful), None)
