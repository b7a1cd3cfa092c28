"""Checks of web pages: strict HTML, and links with a target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import html5lib

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NAMESPACE = "{http://www.w3.org/1999/xhtml}"


@lru_cache(maxsize=200)
def parsed(page: bytes) -> Element:
    """Return a page's root element. Fail on invalid HTML."""
    parser = html5lib.HTMLParser(strict=True)
    root: Element = parser.parse(page, transport_encoding="utf-8")
    return root


def iterate_elements(root: Element, *tags: str) -> Iterator[Element]:
    names = {NAMESPACE + tag for tag in tags}
    return (element for element in root.iter() if element.tag in names)


def text_of(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def links(root: Element) -> Iterator[str]:
    for element in root.iter():
        for name in ("href", "src", "action"):
            if name in element.attrib:
                yield element.attrib[name]


def dead_links(files: Mapping[str, bytes]) -> set[tuple[str, str]]:
    """Return the links that lead out of the folder or to nothing."""
    dead = set()
    for name, content in files.items():
        if name.endswith(".html"):
            root = parsed(content)
            ids = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
            for link in links(root):
                file, _, fragment = link.partition("#")
                is_valid = file in files or (not file and fragment in ids) or link == "data:,"
                if not is_valid:
                    dead.add((name, link))
    return dead
