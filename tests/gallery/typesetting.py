"""Converts help pages in Markdown to ReportLab flowables for the printed manual."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote
from xml.sax.saxutils import escape

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from msgspec import Struct, field
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.enums import TA_LEFT
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase.pdfmetrics import registerFontFamily
from reportlab.platypus import Flowable, Table, TableStyle

from tdapp.i18n.guidance import HelpSection
from tdapp.reports.style import PrintStyle
from tests.gallery.chapters import Words
from tests.gallery.tagged_pdf import Part, TaggedParagraph

TEXT_SIZE, LEADING = 10.0, 14.5
LINK_COLOUR, CODE_COLOUR, BAND_COLOUR, GREY = (
    HexColor("#1d4f91"),
    HexColor("#ececec"),
    HexColor("#f3f3f3"),
    Color(0.35, 0.35, 0.35),
)
HEADING_SIZES = {1: 22.0, 2: 13.0, 3: 11.0}
CHECKBOX_MARKER = "[ ] "


class Heading(TaggedParagraph):
    """A heading in the PDF bookmarks. `is_listed`: also in the table of contents. Level 0 is a chapter."""

    def __init__(
        self, text: str, style: ParagraphStyle, part: Part, *, level: int, key: str, is_listed: bool
    ) -> None:
        super().__init__(text, style, part)
        self.level = level
        self.key = key
        self.is_listed = is_listed


class CheckboxItem(TaggedParagraph):
    """A list item with an empty checkbox."""

    def draw(self) -> None:
        """Draw the square beside the first line."""
        self.canv.setLineWidth(0.7)
        self.canv.rect(2, self.height - LEADING + 3.5, 8, 8)
        super().draw()


class Typesetter(Struct, frozen=True):
    """Converts Markdown to flowables in the fonts of `style`, `width` points wide.

    `words` replaces characters that the fonts lack. Only links to `topics` are kept.
    """

    style: PrintStyle
    words: Words
    width: float
    topics: frozenset[str]
    _markdown: MarkdownIt = field(default_factory=lambda: MarkdownIt("commonmark").enable("table"))

    def __post_init__(self) -> None:
        """Register the bold font for bold text within a paragraph."""
        regular, bold = self.style.regular.name, self.style.bold.name
        registerFontFamily(regular, normal=regular, bold=bold, italic=regular, boldItalic=bold)

    def make_paragraph_style(
        self, name: str, size: float = TEXT_SIZE, *, bold: bool = False, **options: Any
    ) -> ParagraphStyle:
        """Return a paragraph style. `options` are options of ReportLab."""
        values: dict[str, Any] = {
            "fontName": self.style.get_typeface(bold=bold).name,
            "bulletFontName": self.style.regular.name,
            "fontSize": size,
            "leading": size * LEADING / TEXT_SIZE,
            "spaceAfter": size * 0.55,
            "alignment": TA_LEFT,
        }
        return ParagraphStyle(name, **values | options)

    def make_heading(
        self, text: str, depth: int, key: str, section: Part, *, is_listed: bool = True, size: float = 0
    ) -> Heading:
        """Return a heading. Depth 1 is a chapter, `key` is the link target, size 0 is the default size."""
        size = size or HEADING_SIZES[depth]
        space_above = 0 if depth == 1 else size * 1.1
        style = self.make_paragraph_style(
            f"h{depth}", size, bold=True, leading=size * 1.25, spaceBefore=space_above, keepWithNext=1
        )
        return Heading(
            self.escape_text(text),
            style,
            section.make_part(f"H{depth}"),
            level=depth - 1,
            key=key,
            is_listed=is_listed,
        )

    def escape_text(self, text: str) -> str:
        """Escape a text for ReportLab. Replace characters that the fonts lack."""
        text = self.words.keys.get(text, text).replace("◆", self.words.changed_rule_mark)
        return escape(self.style.replace_unprintable_characters(text))

    def typeset_topic(self, name: str, markdown: str, section: Part) -> Iterator[Flowable]:
        """Yield the flowables of a help page."""
        for node in SyntaxTreeNode(self._markdown.parse(markdown)).children:
            yield from self._typeset_block(node, name, section)

    # --- blocks

    def _typeset_block(
        self, node: SyntaxTreeNode, topic: str, parent_part: Part, depth: int = 0
    ) -> Iterator[Flowable]:
        if node.type == "heading":
            (inline,) = node.children
            level = int(node.tag[1])
            key = topic if level == 1 else f"{topic}#{HelpSection(topic, inline.content, '').anchor}"
            yield self.make_heading(inline.content, level, key, parent_part)
        elif node.type == "paragraph":
            text = self._convert_children(node.children[0], topic)
            yield TaggedParagraph(text, self.make_paragraph_style("body"), parent_part.make_part("P"))
        elif node.type in {"bullet_list", "ordered_list"}:
            list_part = parent_part.make_part("L")
            for number, item in enumerate(node.children, 1):
                body = list_part.make_part("LI").make_part("LBody")
                yield from self._typeset_item(
                    item, topic, body, depth, "•" if node.type == "bullet_list" else f"{number}."
                )
        elif node.type == "table":
            yield self._make_table(node, topic, parent_part.make_part("Table"))
        elif node.type in {"fence", "code_block"}:
            style = self.make_paragraph_style(
                "code", TEXT_SIZE - 1, backColor=CODE_COLOUR, borderPadding=5, spaceBefore=6
            )
            text = self.escape_text(node.content.rstrip()).replace("\n", "<br/>")
            yield TaggedParagraph(text, style, parent_part.make_part("P"))
        else:
            raise ValueError(f"{topic}: {node.type}")

    def _typeset_item(
        self, item: SyntaxTreeNode, topic: str, body: Part, depth: int, bullet: str
    ) -> Iterator[Flowable]:
        indent = 16.0 * (depth + 1)
        style = self.make_paragraph_style(
            f"item{depth}", leftIndent=indent, bulletIndent=indent - 12, spaceAfter=3, bulletFontSize=TEXT_SIZE
        )
        for node in item.children:
            if node.type != "paragraph":
                yield from self._typeset_block(node, topic, body, depth + 1)
                continue
            text = self._convert_children(node.children[0], topic)
            if text.startswith(CHECKBOX_MARKER):
                yield CheckboxItem(text.removeprefix(CHECKBOX_MARKER), style, body.make_part("P"))
            else:
                yield TaggedParagraph(text, style, body.make_part("P"), bulletText=bullet)
                bullet = ""

    def _make_table(self, node: SyntaxTreeNode, topic: str, table: Part) -> Table:
        styles = {
            "td": self.make_paragraph_style("cell", TEXT_SIZE - 1, spaceAfter=0),
            "th": self.make_paragraph_style("head", TEXT_SIZE - 1, bold=True, spaceAfter=0),
        }
        rows = [row for part in node.children for row in part.children]
        cells = [
            [
                TaggedParagraph(
                    self._convert_children(child.children[0], topic),
                    styles[child.type],
                    part.make_part(child.type.upper()),
                )
                for child in row.children
            ]
            for row, part in [(row, table.make_part("TR")) for row in rows]
        ]
        columns = len(cells[0])
        shares = (0.36, 0.64) if columns == 2 else (0.24, 0.42, 0.34)
        style_commands: list[Any] = [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LINEBELOW", (0, 0), (-1, 0), 0.8, Color(0, 0, 0)),
            ("ROWBACKGROUNDS", (0, 1), (-1, -1), (None, BAND_COLOUR)),
            ("TOPPADDING", (0, 0), (-1, -1), 2.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
        ]
        widths = [share * self.width for share in shares]
        return Table(cells, widths, repeatRows=1, style=TableStyle(style_commands), spaceAfter=10, spaceBefore=4)

    # --- within a line

    def _convert_children(self, node: SyntaxTreeNode, topic: str) -> str:
        return "".join(self._convert_inline(child, topic) for child in node.children)

    def _convert_inline(self, node: SyntaxTreeNode, topic: str) -> str:
        match node.type:
            case "text":
                return self.escape_text(node.content)
            case "softbreak" | "hardbreak":
                return " " if node.type == "softbreak" else "<br/>"
            case "strong":
                return f"<b>{self._convert_children(node, topic)}</b>"
            case "em":
                return f"<i>{self._convert_children(node, topic)}</i>"
            case "code_inline":
                return f'<font backColor="{CODE_COLOUR.hexval()}">{self.escape_text(node.content)}</font>'
            case "link":
                return self._convert_link(
                    unquote(str(node.attrs["href"])), self._convert_children(node, topic), topic
                )
            case _:
                raise ValueError(f"{topic}: {node.type}")

    def _convert_link(self, target: str, text: str, topic: str) -> str:
        name, _, section = target.partition("#")
        if (name or topic) not in self.topics:
            return text
        location = f"{name or topic}#{section}" if section else name
        return f'<a href="#{location}" color="{LINK_COLOUR.hexval()}">{text}</a>'
