"""The guided tour of the sample tournament as data: what is to be done, and by what it is seen to be done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tdapp.i18n.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class StepProgress:
    """What has happened since a step began, and where the director is now.

    `labels` are the journal's, `changed` tells that a result that stood was changed, `undone` that a step was
    taken back; `commands` are ids of rows of the table of actions, `panel` is the name of the open panel's class.
    """

    labels: frozenset[str] = frozenset()
    changed: bool = False
    undone: bool = False
    still_out: int = 0
    place: str = ""
    panel: str = ""
    commands: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class GuideStep:
    """One thing to try; `place` is where it is done.

    `fills`: the guide can do it itself; `on_draft`: it is passed over where no draft stands.
    """

    id: str
    place: str
    title: str
    text: str
    done: Callable[[StepProgress], bool]
    fills: bool = False
    on_draft: bool = False


def guide_steps(catalogue: Catalogue) -> tuple[GuideStep, ...]:
    """Return the steps in their order, in the user's language."""
    return (*_result_steps(catalogue), *_round_steps(catalogue), *_looking_steps(catalogue))


def _result_steps(catalogue: Catalogue) -> tuple[GuideStep, ...]:
    text = catalogue.text
    return (
        GuideStep(
            "result", "rounds", text("Enter a result"),
            text("Type a table that is still out and both scores into the field, for example 7 412 388, then "
                 "Enter. The line below says who is meant."),
            lambda seen: "enter-result" in seen.labels,
        ),
        GuideStep(
            "mend", "rounds", text("Correct a result"),
            text("Type a table that has its result, with other scores. The first Enter shows what changes, the "
                 "second does it."),
            lambda seen: seen.changed,
        ),
        GuideStep(
            "undo", "rounds", text("Take it back"),
            text("Ctrl+Z takes back what was done last. Nothing is lost: the History page keeps every step."),
            lambda seen: seen.undone,
        ),
        GuideStep(
            "all-in", "rounds", text("Complete the round"),
            text("Enter the results that are still out, or let them come in by themselves."),
            lambda seen: seen.still_out == 0, fills=True,
        ),
    )  # fmt: skip


def _round_steps(catalogue: Catalogue) -> tuple[GuideStep, ...]:
    text = catalogue.text
    return (
        GuideStep(
            "pair", "rounds", text("Pair the next round"),
            text("F6 proposes a pairing. It is a draft: look at it, drag players to swap them, pair again."),
            lambda seen: bool({"propose-round", "pair-round"} & seen.labels),
        ),
        GuideStep(
            "publish", "rounds", text("Publish the round"),
            text("F9 makes the draft the round that is played. From now on it keeps its tables."),
            lambda seen: bool({"publish-round", "pair-round"} & seen.labels), on_draft=True,
        ),
        GuideStep(
            "print", "rounds", text("See what is printed"),
            text("F8 shows the pairings on paper, to print or to save. Esc leads back."),
            lambda seen: bool({"print-round", "print-standings"} & seen.commands),
        ),
    )  # fmt: skip


def _looking_steps(catalogue: Catalogue) -> tuple[GuideStep, ...]:
    text = catalogue.text
    return (
        GuideStep(
            "standings", "standings", text("Look at the standings"),
            text("F7 goes there from anywhere. A click on a heading sorts, one more sorts the other way round."),
            lambda seen: seen.place == "standings",
        ),
        GuideStep(
            "card", "standings", text("Open a player’s card"),
            text("Choose a player in the table and press F4: all the games, starts and tables stand there."),
            lambda seen: seen.panel == "CardPanel",
        ),
        GuideStep(
            "palette", "", text("Find anything"),
            text("Ctrl+K finds whatever can be done, every player and every table: type a few letters."),
            lambda seen: "palette" in seen.commands,
        ),
        GuideStep(
            "help", "", text("Ask for help"),
            text("F1 opens the help about what is shown, with a search over all of it."),
            lambda seen: "help" in seen.commands,
        ),
    )  # fmt: skip
