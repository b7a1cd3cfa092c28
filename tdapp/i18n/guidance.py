"""Help pages and the guided tour as data.

A help page (topic) is the file `resources/help/LANGUAGE/ID.md`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.translatable import N_
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.locales import fold_text

CONTENTS = "index"  # topic with links to all others
_COMMENT = re.compile(r" *<!--.*?-->", re.DOTALL)
_HEADING = re.compile(r"^(#{1,6}) +(.*?)$", re.MULTILINE)


class HelpSection(Struct, frozen=True):
    """A heading of a help page and the text below it."""

    topic: str
    title: str
    text: str

    @property
    def anchor(self) -> str:
        return "-".join(re.findall(r"\w+", self.title.lower()))


class HelpTopic(Struct, frozen=True):
    """A help page: the text below its title, and its sections."""

    id: str
    title: str
    markdown: str
    sections: tuple[HelpSection, ...]

    def find_section(self, anchor: str) -> HelpSection | None:
        return next((section for section in self.sections if section.anchor == anchor), None)


def read_topics(folder: Path, language: str) -> Mapping[str, HelpTopic]:
    """Return the topics by id. A topic missing in `language` is in English."""
    files = {path.stem: path for path in (folder / "en").glob("*.md")}
    files |= {path.stem: path for path in (folder / language).glob("*.md")}
    return {name: parse_topic(name, files[name].read_text(encoding="utf-8")) for name in sorted(files)}


def parse_topic(name: str, source: str) -> HelpTopic:
    markdown = _COMMENT.sub("", source)
    headings = list(_HEADING.finditer(markdown))
    ends = [heading.start() for heading in headings[1:]] + [len(markdown)]
    sections = tuple(
        HelpSection(name, heading.group(2).strip(), markdown[heading.end() : end].strip())
        for heading, end in zip(headings, ends, strict=True)
    )
    return HelpTopic(name, sections[0].title if sections else name, markdown, sections)


def search_topics(topics: Mapping[str, HelpTopic], query: str) -> Sequence[HelpSection]:
    """Return the sections with all words of `query`. Sections with the words in the title come first."""
    words = fold_text(query).split()
    hits: list[tuple[int, HelpSection]] = []
    for topic in topics.values():
        for section in topic.sections if words and topic.id != CONTENTS else ():
            title = fold_text(f"{section.title} {topic.title}")
            section_text = f"{title} {fold_text(section.text)}"
            if all(word in section_text for word in words):
                hits.append((0 if all(word in title for word in words) else 1, section))
    return [section for _, section in sorted(hits, key=lambda hit: hit[0])]


class TourProgress(Struct, frozen=True):
    """The user's actions in the current step of the guided tour, and the open page and panel."""

    labels: frozenset[str] = frozenset()  # labels of the new steps in the history
    has_changed_result: bool = False
    has_undone_step: bool = False
    missing_results: int = 0
    page: str = ""
    panel: str = ""  # class name of the open panel
    used_actions: frozenset[str] = frozenset()  # ids of the actions that the user ran


class TourStep(Struct, frozen=True):
    """A step of the guided tour."""

    id: str
    page: str
    title: str
    text: str
    is_done: Callable[[TourProgress], bool]
    can_be_automated: bool = False  # the program can do this step for the user
    needs_draft: bool = False


def list_tour_steps(catalogue: Catalogue) -> tuple[TourStep, ...]:
    text = catalogue.text
    return tuple(replace(step, title=text(step.title), text=text(step.text)) for step in _STEPS)


_STEPS = (
    TourStep(
        "result", "rounds", N_("Enter a result"),
        N_("Type the number of a table that is still playing and both scores, for example 7 412 388, then press "
            "Enter. The line below names the players."),
        lambda progress: "enter-result" in progress.labels,
    ),
    TourStep(
        "mend", "rounds", N_("Correct a result"),
        N_("Type the number of a table that already has a result, then two new scores. The first "
           "Enter shows what changes; the second saves the change."),
        lambda progress: progress.has_changed_result,
    ),
    TourStep(
        "undo", "rounds", N_("Undo a step"),
        N_("Ctrl+Z undoes the last step. Nothing is lost: the History page keeps every step."),
        lambda progress: progress.has_undone_step,
    ),
    TourStep(
        "all-in", "rounds", N_("Complete the round"),
        N_("Enter the missing results, or wait until the players enter them."),
        lambda progress: progress.missing_results == 0, can_be_automated=True,
    ),
    TourStep(
        "pair", "rounds", N_("Pair the next round"),
        N_("F6 proposes a pairing. It is a draft: check it, drag players to swap them, or pair again."),
        lambda progress: bool({"propose-round", "pair-round"} & progress.labels),
    ),
    TourStep(
        "publish", "rounds", N_("Publish the round"),
        N_("F9 publishes the draft. Only published rounds count."),
        lambda progress: bool({"publish-round", "pair-round"} & progress.labels), needs_draft=True,
    ),
    TourStep(
        "print", "rounds", N_("See the printout"),
        N_("F8 shows how the pairings will look on paper, ready to print or save. Esc goes back."),
        lambda progress: bool({"print-round", "print-standings"} & progress.used_actions),
    ),
    TourStep(
        "standings", "standings", N_("Look at the standings"),
        N_("F7 shows the standings from any page. Click a heading to sort by it, and click again to reverse "
           "the order."),
        lambda progress: progress.page == "standings",
    ),
    TourStep(
        "card", "standings", N_("Open a player’s card"),
        N_("Select a player in the table and press F4 to see all games, starts and tables of that player."),
        lambda progress: progress.panel == "PlayerCardPanel",
    ),
    TourStep(
        "palette", "", N_("Find anything"),
        N_("Ctrl+K finds every command, player and table: type a few letters."),
        lambda progress: "palette" in progress.used_actions,
    ),
    TourStep(
        "help", "", N_("Ask for help"),
        N_("F1 opens the help for this page. You can also search all help pages there."),
        lambda progress: "help" in progress.used_actions,
    ),
)  # fmt: skip
