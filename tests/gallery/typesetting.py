"""Sets a page of the help for paper: Markdown in, ReportLab's flowables out; hides both grammars."""

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

SIZE, LEADING = 10.0, 14.5
LINK, CODE, BAND, QUIET = HexColor("#1d4f91"), HexColor("#ececec"), HexColor("#f3f3f3"), Color(0.35, 0.35, 0.35)
_HEADS = {1: 22.0, 2: 13.0, 3: 11.0}
_TODO = "[ ] "


class Heading(TaggedParagraph):
    """A heading that the bookmarks list, and the contents if it is `listed`; `level` 0 is a chapter."""

    def __init__(
        self, text: str, style: ParagraphStyle, part: Part, *, level: int, key: str, listed: bool
    ) -> None:
        super().__init__(text, style, part)
        self.level = level
        self.key = key
        self.listed = listed


class Todo(TaggedParagraph):
    """An entry with a square to be ticked."""

    def draw(self) -> None:
        """Draw the square beside the first line."""
        self.canv.setLineWidth(0.7)
        self.canv.rect(2, self.height - LEADING + 3.5, 8, 8)
        super().draw()


class Setter(Struct, frozen=True):
    """Sets texts in the faces of `style`, `width` points wide.

    `words` has those for signs that these lack; `topics` are those that a link can lead to.
    """

    style: PrintStyle
    words: Words
    width: float
    topics: frozenset[str]
    _markdown: MarkdownIt = field(default_factory=lambda: MarkdownIt("commonmark").enable("table"))

    def __post_init__(self) -> None:
        """Let bold be found from the regular face."""
        regular, bold = self.style.regular.name, self.style.bold.name
        registerFontFamily(regular, normal=regular, bold=bold, italic=regular, boldItalic=bold)

    def paragraph_style(
        self, name: str, size: float = SIZE, *, bold: bool = False, **options: Any
    ) -> ParagraphStyle:
        """Return a style of paragraphs; `more` are ReportLab's."""
        values: dict[str, Any] = {
            "fontName": self.style.get_face(bold=bold).name,
            "bulletFontName": self.style.regular.name,
            "fontSize": size,
            "leading": size * LEADING / SIZE,
            "spaceAfter": size * 0.55,
            "alignment": TA_LEFT,
        }
        return ParagraphStyle(name, **values | options)

    def heading(
        self, text: str, depth: int, key: str, section: Part, *, listed: bool = True, size: float = 0
    ) -> Heading:
        """Return a heading; `depth` 1 is a chapter's, `key` is what links lead to; `size` 0: the usual one."""
        size = size or _HEADS[depth]
        space_above = 0 if depth == 1 else size * 1.1
        style = self.paragraph_style(
            f"h{depth}", size, bold=True, leading=size * 1.25, spaceBefore=space_above, keepWithNext=1
        )
        return Heading(self.plain(text), style, section.part(f"H{depth}"), level=depth - 1, key=key, listed=listed)

    def plain(self, text: str) -> str:
        """Return a text as ReportLab wants it, with nothing that the faces lack."""
        text = self.words.keys.get(text, text).replace("◆", self.words.mark)
        return escape(self.style.replace_unprintable(text))

    def topic(self, name: str, markdown: str, section: Part) -> Iterator[Flowable]:
        """Yield what a page of the help is on paper."""
        for node in SyntaxTreeNode(self._markdown.parse(markdown)).children:
            yield from self._block(node, name, section)

    # --- blocks

    def _block(self, node: SyntaxTreeNode, topic: str, parent_part: Part, depth: int = 0) -> Iterator[Flowable]:
        if node.type == "heading":
            (inline,) = node.children
            level = int(node.tag[1])
            key = topic if level == 1 else f"{topic}#{HelpSection(topic, inline.content, '').anchor}"
            yield self.heading(inline.content, level, key, parent_part)
        elif node.type == "paragraph":
            text = self._inlines(node.children[0], topic)
            yield TaggedParagraph(text, self.paragraph_style("body"), parent_part.part("P"))
        elif node.type in {"bullet_list", "ordered_list"}:
            list_part = parent_part.part("L")
            for number, item in enumerate(node.children, 1):
                body = list_part.part("LI").part("LBody")
                yield from self._item(
                    item, topic, body, depth, "•" if node.type == "bullet_list" else f"{number}."
                )
        elif node.type == "table":
            yield self._table(node, topic, parent_part.part("Table"))
        elif node.type in {"fence", "code_block"}:
            style = self.paragraph_style("code", SIZE - 1, backColor=CODE, borderPadding=5, spaceBefore=6)
            text = self.plain(node.content.rstrip()).replace("\n", "<br/>")
            yield TaggedParagraph(text, style, parent_part.part("P"))
        else:
            raise ValueError(f"{topic}: {node.type}")

    def _item(self, item: SyntaxTreeNode, topic: str, body: Part, depth: int, mark: str) -> Iterator[Flowable]:
        indent = 16.0 * (depth + 1)
        style = self.paragraph_style(
            f"item{depth}", leftIndent=indent, bulletIndent=indent - 12, spaceAfter=3, bulletFontSize=SIZE
        )
        for node in item.children:
            if node.type != "paragraph":
                yield from self._block(node, topic, body, depth + 1)
                continue
            text = self._inlines(node.children[0], topic)
            if text.startswith(_TODO):
                yield Todo(text.removeprefix(_TODO), style, body.part("P"))
            else:
                yield TaggedParagraph(text, style, body.part("P"), bulletText=mark)
                mark = ""

    def _table(self, node: SyntaxTreeNode, topic: str, table: Part) -> Table:
        styles = {
            "td": self.paragraph_style("cell", SIZE - 1, spaceAfter=0),
            "th": self.paragraph_style("head", SIZE - 1, bold=True, spaceAfter=0),
        }
        rows = [row for part in node.children for row in part.children]
        cells = [
            [
                TaggedParagraph(
                    self._inlines(child.children[0], topic), styles[child.type], part.part(child.type.upper())
                )
                for child in row.children
            ]
            for row, part in [(row, table.part("TR")) for row in rows]
        ]
        columns = len(cells[0])
        shares = (0.36, 0.64) if columns == 2 else (0.24, 0.42, 0.34)
        looks: list[Any] = [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LINEBELOW", (0, 0), (-1, 0), 0.8, Color(0, 0, 0)),
            ("ROWBACKGROUNDS", (0, 1), (-1, -1), (None, BAND)),
            ("TOPPADDING", (0, 0), (-1, -1), 2.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
        ]
        widths = [share * self.width for share in shares]
        return Table(cells, widths, repeatRows=1, style=TableStyle(looks), spaceAfter=10, spaceBefore=4)

    # --- within a line

    def _inlines(self, node: SyntaxTreeNode, topic: str) -> str:
        return "".join(self._inline(child, topic) for child in node.children)

    def _inline(self, node: SyntaxTreeNode, topic: str) -> str:
        match node.type:
            case "text":
                return self.plain(node.content)
            case "softbreak" | "hardbreak":
                return " " if node.type == "softbreak" else "<br/>"
            case "strong":
                return f"<b>{self._inlines(node, topic)}</b>"
            case "em":
                return f"<i>{self._inlines(node, topic)}</i>"
            case "code_inline":
                return f'<font backColor="{CODE.hexval()}">{self.plain(node.content)}</font>'
            case "link":
                return self._link(unquote(str(node.attrs["href"])), self._inlines(node, topic), topic)
            case _:
                raise ValueError(f"{topic}: {node.type}")

    def _link(self, target: str, text: str, topic: str) -> str:
        name, _, section = target.partition("#")
        if (name or topic) not in self.topics:
            return text
        location = f"{name or topic}#{section}" if section else name
        return f'<a href="#{location}" color="{LINK.hexval()}">{text}</a>'
