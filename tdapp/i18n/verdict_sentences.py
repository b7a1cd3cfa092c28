"""Sentences about verdicts of the judge screen and their cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tdapp.domain.index import Index
from tdapp.domain.jury_rows import Challenge
from tdapp.domain.translatable import C_
from tdapp.domain.verdicts import CostKind, GameVerdict, find_decision, list_pending_verdicts
from tdapp.i18n.catalogue import Catalogue


def verdict_text(catalogue: Catalogue, verdict: GameVerdict, names: Sequence[str]) -> str:
    """Return the cost and its player, without the words."""
    text, points = catalogue.text, verdict.points
    if verdict.player is None:
        return {
            CostKind.WORD: text("challenge: a wrong word was found during the game"),
            CostKind.POINTS: text("challenge: {points:signed}, the player is not named", points=points),
        }.get(verdict.kind, text("challenge: the player is not named"))
    name = names[verdict.player - 1]
    return {
        CostKind.WORD: text("challenge: a wrong word of {player} during the game", player=name),
        CostKind.TURN: text("challenge: {player} loses a turn", player=name),
        CostKind.GAME: text("challenge: {player} loses the game", player=name),
    }.get(verdict.kind, text("challenge: {player} {points:signed}", player=name, points=points))


def decision_text(catalogue: Catalogue, index: Index, challenge: Challenge) -> str:
    """Return whether the result includes a verdict. "" without a cost or result."""
    decision = find_decision(index, challenge)
    if decision is not None:
        applied, refused = catalogue.text("It is in the total."), catalogue.text("The total had it already.")
        return applied if decision else refused
    game = index.game_at(challenge.division, challenge.round, challenge.table)
    if game is None or index.result(game.id) is None:
        return ""
    waits = any(one.challenge == challenge.id for one in list_pending_verdicts(index, game))
    return catalogue.text("Not decided yet: is it in the total?") if waits else ""


def verdict_texts(catalogue: Catalogue, verdicts: Iterable[GameVerdict], names: Sequence[str]) -> str:
    return " · ".join(verdict_text(catalogue, one, names) for one in verdicts)


def question(catalogue: Catalogue, verdicts: Sequence[GameVerdict]) -> str:
    """Return how to decide waiting verdicts with one key."""
    yes, no = (next(iter(own)) for own in answer_letters(catalogue))
    if all(one.kind is CostKind.TURN for one in verdicts):
        return catalogue.text("{yes}: the turn was lost · {no}: it was not", yes=yes, no=no)
    if any(one.applicable for one in verdicts):
        return catalogue.text("{yes}: change the total · {no}: the total has it already", yes=yes, no=no)
    return catalogue.text("Rule on the word · {no}: the total has it already", no=no)


def refused_text(catalogue: Catalogue, verdicts: Iterable[GameVerdict]) -> str:
    """Return the effect of refusing verdicts."""
    if all(one.kind is CostKind.TURN for one in verdicts):
        return catalogue.text("the turn was not lost")
    return catalogue.text("the total has it already")


def answer_letters(catalogue: Catalogue) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the inputs for yes and no: in the language, then in English."""
    text = catalogue.text
    yes, no = text(C_("letter that says yes", "y")), text(C_("letter that says no", "n"))
    return (yes, "y"), (no, "n")


def answers(catalogue: Catalogue) -> dict[str, bool]:
    """Map letters to whether the verdict is applied."""
    yes, no = answer_letters(catalogue)
    return {**dict.fromkeys(yes, True), **dict.fromkeys(no, False)}
