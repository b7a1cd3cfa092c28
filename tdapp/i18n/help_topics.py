"""The help as data: topics in the user's language, their sections, and what a search finds in them.

A topic is a Markdown file in `resources/help/LANGUAGE`, English where a language does not have it;
a page's topic has its id for a name. Remarks between <!-- and --> are not shown; ids of rules stand in them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tdapp.i18n.locales import folded

CONTENTS = "index"  # the topic that leads to all others
_REMARK = re.compile(r" *<!--.*?-->", re.DOTALL)
_HEADING = re.compile(r"^(#{1,6}) +(.*?)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class HelpSection:
    """A heading of a topic and what follows it until the next one."""

    topic: str
    title: str
    text: str

    @property
    def anchor(self) -> str:
        """The part after # of a link to the section."""
        return "-".join(re.findall(r"\w+", self.title.lower()))


@dataclass(frozen=True, slots=True)
class Topic:
    """One page of the help; `sections` begin with what follows its title."""

    id: str
    title: str
    markdown: str
    sections: tuple[HelpSection, ...]

    def section(self, anchor: str) -> HelpSection | None:
        """Return the section that a link leads to."""
        return next((one for one in self.sections if one.anchor == anchor), None)


def read_topics(folder: Path, language: str) -> Mapping[str, Topic]:
    """Return the topics of `folder` by id, sorted by id, each in `language` if it is there in it."""
    files = {path.stem: path for path in (folder / "en").glob("*.md")}
    files |= {path.stem: path for path in (folder / language).glob("*.md")}
    return {name: parsed(name, files[name].read_text(encoding="utf-8")) for name in sorted(files)}


def parsed(name: str, source: str) -> Topic:
    """Return the topic that a Markdown text is; its first heading is its title."""
    markdown = _REMARK.sub("", source)
    found = list(_HEADING.finditer(markdown))
    ends = [heading.start() for heading in found[1:]] + [len(markdown)]
    sections = tuple(
        HelpSection(name, heading.group(2).strip(), markdown[heading.end() : end].strip())
        for heading, end in zip(found, ends, strict=True)
    )
    return Topic(name, sections[0].title if sections else name, markdown, sections)


def search(topics: Mapping[str, Topic], typed: str) -> Sequence[HelpSection]:
    """Return the sections that hold all of the words typed, those with them in their titles first."""
    words = folded(typed).split()
    hits: list[tuple[int, HelpSection]] = []
    for topic in topics.values():
        for section in topic.sections if words and topic.id != CONTENTS else ():
            title = folded(f"{section.title} {topic.title}")
            everything = f"{title} {folded(section.text)}"
            if all(word in everything for word in words):
                hits.append((0 if all(word in title for word in words) else 1, section))
    return [section for _, section in sorted(hits, key=lambda hit: hit[0])]
