"""Functions that parse web pages strictly, read their texts and check their links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import html5lib

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    import httpx

NAMESPACE = "{http://www.w3.org/1999/xhtml}"


@lru_cache(maxsize=200)
def parse_page(page: bytes) -> Element:
    """Return the root element of a page. Fail on invalid HTML."""
    parser = html5lib.HTMLParser(strict=True)
    root: Element = parser.parse(page, transport_encoding="utf-8")
    return root


def iterate_elements(root: Element, *tags: str) -> Iterator[Element]:
    names = {NAMESPACE + tag for tag in tags}
    return (element for element in root.iter() if element.tag in names)


def read_element_text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def read_notice(page: httpx.Response) -> str:
    """Return the texts of all notices of a page."""
    texts = [
        read_element_text(element)
        for element in iterate_elements(parse_page(page.content), "p")
        if "notice" in element.attrib.get("class", "").split()
    ]
    return " ".join(" ".join(texts).split())


def list_links(root: Element) -> Iterator[str]:
    for element in root.iter():
        for attribute in ("href", "src", "action"):
            if attribute in element.attrib:
                yield element.attrib[attribute]


def find_dead_links(files: Mapping[str, bytes]) -> set[tuple[str, str]]:
    """Return pairs of a page and a link with no target in the files."""
    dead_links = set()
    for name, content in files.items():
        if name.endswith(".html"):
            root = parse_page(content)
            ids = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
            for link in list_links(root):
                file, _, fragment = link.partition("#")
                is_valid = file in files or (not file and fragment in ids) or link == "data:,"
                if not is_valid:
                    dead_links.add((name, link))
    return dead_links
