"""Content of the judge screen, on which two players get the verdict on a challenged play."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.challenge_case import ChallengeInProgress, JudgeScreenStep
from tdapp.domain.judging import compute_peg_rack_holes
from tdapp.domain.jury_rows import Challenge, WordCheckReason
from tdapp.domain.model import Player
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.rulings import ChallengedTurnOnSheet
from tdapp.domain.verdicts import VerdictCost, VerdictCostKind, compute_verdict_cost
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.wordlist import WordVerdict


def describe_verdict_consequence(
    catalogue: Catalogue,
    rules: RuleSet,
    verdict: WordVerdict,
    *,
    word_count: int,
    occasion: WordCheckReason | None = None,
) -> str:
    text, cost = catalogue.text, compute_verdict_cost(rules, verdict, words=word_count, occasion=occasion)
    if verdict is WordVerdict.NOT_BINDING:
        return text("The word list cannot rule on this play. The judge decides.")
    if cost.kind is VerdictCostKind.WORD:
        return text(
            "The tiles stay and the game continues. The turn scores nothing, and {points} points are deducted.",
            points=-cost.points,
        )
    if verdict is WordVerdict.VALID:
        cost_text = "" if occasion is WordCheckReason.JURY else _describe_cost_of_wrong_challenge(catalogue, cost)
        return f"{text('The play is valid.')} {cost_text}".rstrip()
    if cost.kind is VerdictCostKind.POINTS:
        return text(
            "The tiles go back to the rack and the player makes another play. {points} points are deducted.",
            points=-cost.points,
        )
    if cost.kind is VerdictCostKind.GAME:
        return text("The player who made the play loses the game.")
    return text("The tiles go back to the rack and the turn is lost.")


def _describe_cost_of_wrong_challenge(catalogue: Catalogue, cost: VerdictCost) -> str:
    if cost.kind is VerdictCostKind.TURN:
        return catalogue.text("The challenger loses a turn.")
    if cost.kind is VerdictCostKind.GAME:
        return catalogue.text("The challenger loses the game.")
    if not cost.points:
        return catalogue.text("The challenge costs nothing.")
    if cost.points > 0:
        return catalogue.text("The player who made the play gains {points} points.", points=cost.points)
    return catalogue.text("The challenger loses {points} points.", points=-cost.points)


class JudgeViewState(Struct, frozen=True):
    """Content of the judge screen. Empty parts are hidden."""

    question: str = ""
    words: tuple[str, ...] = ()
    is_typing: bool = False  # the players are typing `words`; a cursor follows these
    word_verdicts: tuple[WordVerdict, ...] = ()  # verdict on each word, () if the players may not know it
    verdict: WordVerdict | None = None
    big: str = ""
    lines: tuple[str, ...] = ()
    note: str = ""
    warning: str = ""
    hint: str = ""
    asks_judge_name: bool = False


def make_judge_view_before_verdict(
    catalogue: Catalogue,
    step: JudgeScreenStep,
    case: ChallengeInProgress,
    *,
    warning: str = "",
    points_per_hole: int | None = None,
) -> JudgeViewState:
    """Return the content of the judge screen before the verdict.

    Blind players keep their score with pegs in two rows of holes. The screen can show the holes for a score.
    A hole in the upper row is worth `points_per_hole`, such as 20. None: no pegs.
    """
    if step is JudgeScreenStep.PEGS and points_per_hole:
        return _make_peg_positions_view(catalogue, case, points_per_hole)
    view = _VIEW_MAKERS[step](catalogue, case)
    if step is JudgeScreenStep.TABLE and points_per_hole and not case.table:
        view = replace(view, hint=f"{view.hint} · {catalogue.text('=: show the rack’s peg holes for a score')}")
    return replace(view, warning=warning)


def make_verdict_view(
    catalogue: Catalogue,
    rules: RuleSet,
    case: ChallengeInProgress,
    verdict: WordVerdict,
    word_verdicts: tuple[WordVerdict, ...],
) -> JudgeViewState:
    """Return the screen with the verdict. `word_verdicts` is empty if players may not know the wrong word."""
    words = case.typed_words.words
    return JudgeViewState(
        words=words,
        word_verdicts=word_verdicts,
        verdict=verdict,
        big=catalogue.translate_code(verdict).upper(),
        note=describe_verdict_consequence(
            catalogue, rules, verdict, word_count=len(words), occasion=case.occasion
        ),
        hint=catalogue.text("Press any key to close this"),
    )


def _make_judge_name_question_view(catalogue: Catalogue, _case: ChallengeInProgress) -> JudgeViewState:
    text = catalogue.text
    return JudgeViewState(
        question=text("Who is the judge?"),
        asks_judge_name=True,
        lines=(text("Every verdict in the log shows this name. You can leave it empty."),),
        note=" ".join(
            (
                text("If the word list cannot rule on a play, you decide: Ctrl+↑ valid, Ctrl+↓ not valid."),
                text("The players do not see these keys."),
            )
        ),
        hint=text("Enter: let the players use the screen"),
    )


def _make_table_question_view(catalogue: Catalogue, case: ChallengeInProgress) -> JudgeViewState:
    text = catalogue.text
    hint = text("Enter: continue")
    return JudgeViewState(
        question=text("A challenge? Type the number of your table."),
        words=(case.table,),
        is_typing=True,
        hint=hint,
    )


def _make_peg_positions_view(
    catalogue: Catalogue, case: ChallengeInProgress, points_per_peg: int
) -> JudgeViewState:
    text = catalogue.text
    lines: tuple[str, ...] = ()
    if case.table:
        upper, lower = compute_peg_rack_holes(int(case.table), points_per_peg)
        lines = (
            text(
                "Upper row of pegs: hole {hole}, {points} points", hole=upper or "–", points=upper * points_per_peg
            ),
            text("Lower row of pegs: hole {hole}", hole=lower or "–"),
        )
    return JudgeViewState(
        question=text("Type a score to see where its pegs go."), words=(case.table,), is_typing=True, lines=lines,
        hint=text("Enter: another score · Esc: back"),
    )  # fmt: skip


def _make_challenger_question_view(catalogue: Catalogue, case: ChallengeInProgress) -> JudgeViewState:
    text = catalogue.text
    hints = [text("Type the number beside the name"), text("Esc: back")]
    if case.has_seats_of_one_game_only and case.may_be_jury:
        hints.insert(1, text("Enter: a check by the jury, not a challenge"))
    names = (
        seat.player.name if case.has_seats_of_one_game_only else f"{seat.code} · {seat.player.name}"
        for seat in case.seats
    )
    return JudgeViewState(
        question=text("Table {table}: who is challenging?", table=int(case.table)),
        lines=tuple(f"{number}   {name}" for number, name in enumerate(names, 1)),
        hint=" · ".join(hints),
    )


def _make_word_entry_view(catalogue: Catalogue, case: ChallengeInProgress) -> JudgeViewState:
    text, typed_words = catalogue.text, case.typed_words
    enter = (
        text("Press Enter when all words are typed")
        if typed_words.completed and not typed_words.current
        else text("Press Enter when the word is complete")
    )
    parts = (text("Space: next word"), enter, text("Backspace: remove a letter"), text("Esc: cancel"))
    return JudgeViewState(
        question=text("Type the challenged words."),
        words=(*typed_words.completed, typed_words.current),
        is_typing=True,
        hint=" · ".join(parts),
    )


def _make_word_confirmation_view(catalogue: Catalogue, case: ChallengeInProgress) -> JudgeViewState:
    return JudgeViewState(
        question=catalogue.text("Both players: are these the challenged words?"),
        words=case.typed_words.words,
        note=""
        if case.challenger_or_first_seat
        else catalogue.text("Without a table, the verdict does not change any result."),
        hint=catalogue.text("Enter: yes, these are the words · Esc: no, go back"),
    )


def _make_reason_for_check_view(catalogue: Catalogue, case: ChallengeInProgress) -> JudgeViewState:
    text = catalogue.text
    choices = (text("The opponent is protesting against the play"), text("The jury is checking during play"))
    return JudgeViewState(
        question=text("Why is this play being checked?"),
        words=case.typed_words.words,
        lines=tuple(f"{number}   {choice}" for number, choice in enumerate(choices, 1)),
        hint=text("Type the number in front of the reason") + " · " + text("Esc: back to the words"),
    )


def _make_judge_decision_view(catalogue: Catalogue, case: ChallengeInProgress) -> JudgeViewState:
    return JudgeViewState(
        question=catalogue.text("The word list cannot rule on this play: call the judge."),
        words=case.typed_words.words,
        hint=catalogue.text("Esc: back to the words"),
    )


def _make_saving_view(catalogue: Catalogue, case: ChallengeInProgress) -> JudgeViewState:
    return replace(_make_word_confirmation_view(catalogue, case), hint="")


def _make_error_view(catalogue: Catalogue, _case: ChallengeInProgress) -> JudgeViewState:
    return JudgeViewState(
        question=catalogue.text("There is no verdict yet: call the judge."),
        hint=catalogue.text("Enter: try again · Esc: back to the words"),
    )


_VIEW_MAKERS: Mapping[JudgeScreenStep, Callable[[Catalogue, ChallengeInProgress], JudgeViewState]] = {
    JudgeScreenStep.NAME: _make_judge_name_question_view,
    JudgeScreenStep.TABLE: _make_table_question_view,
    JudgeScreenStep.CHALLENGER: _make_challenger_question_view,
    JudgeScreenStep.WORDS: _make_word_entry_view,
    JudgeScreenStep.CONFIRM: _make_word_confirmation_view,
    JudgeScreenStep.KIND: _make_reason_for_check_view,
    JudgeScreenStep.DECIDE: _make_judge_decision_view,
    JudgeScreenStep.WRITING: _make_saving_view,
    JudgeScreenStep.ERROR: _make_error_view,
}


def describe_challenge(
    catalogue: Catalogue, challenge: Challenge, challenger: Player | None, edition: str, *, hide_words: bool
) -> list[str]:
    text, code = catalogue.text, catalogue.translate_code
    secret = text("The words are not shown while the judge screen is open.")
    lines = [
        secret if hide_words else " · ".join(challenge.words),
        text("Challenged by {name}", name=challenger.name) if challenger is not None else "",
        code(challenge.occasion).capitalize() if challenge.occasion else "",
        text("Word list: {name}", name=edition),
        text("Verdict: {said}", said=_append_judge_name(code(challenge.verdict), challenge.judge)),
    ]
    if challenge.second is not None:
        lines.append(
            text("Appeal: {said}", said=_append_judge_name(code(challenge.second), challenge.second_judge))
        )
    if challenge.joint is not None:
        lines.append(text("After the appeal: {verdict:code}", verdict=challenge.joint))
    return [line for line in lines if line]


def _append_judge_name(verdict: str, judge: str) -> str:
    return f"{verdict} ({judge})" if judge else verdict


def describe_sheet_consistency(catalogue: Catalogue, challenge: ChallengedTurnOnSheet) -> str:
    text = catalogue.text
    if challenge.is_consistent is None:
        return text("Several turns on the score sheet match this challenge.")
    if challenge.is_consistent:
        return text("This challenge is in row {turn} of the score sheet.", turn=challenge.turn)
    if challenge.turn is None:
        return text("This challenge is not on the score sheet. Enter it on the sheet.")
    return text("The score sheet differs from this verdict. Correct row {turn} of the sheet.", turn=challenge.turn)
