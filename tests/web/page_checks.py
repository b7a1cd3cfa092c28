"""What tests ask of the pages of a site: strictly read HTML, and links that lead somewhere."""

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
    """Return a page's root element; fail on anything that HTML does not allow."""
    parser = html5lib.HTMLParser(strict=True)
    root: Element = parser.parse(page, transport_encoding="utf-8")
    return root


def each(root: Element, *tags: str) -> Iterator[Element]:
    wanted = {NAMESPACE + tag for tag in tags}
    return (one for one in root.iter() if one.tag in wanted)


def text_of(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def links(root: Element) -> Iterator[str]:
    for one in root.iter():
        for name in ("href", "src", "action"):
            if name in one.attrib:
                yield one.attrib[name]


def dead_links(files: Mapping[str, bytes]) -> set[tuple[str, str]]:
    """Return the links that lead out of the folder or to nothing in it."""
    found = set()
    for name, content in files.items():
        if name.endswith(".html"):
            root = parsed(content)
            ids = {one.attrib["id"] for one in root.iter() if "id" in one.attrib}
            for link in links(root):
                file, _, place = link.partition("#")
                fine = file in files or (not file and place in ids) or link == "data:,"
                if not fine:
                    found.add((name, link))
    return found
