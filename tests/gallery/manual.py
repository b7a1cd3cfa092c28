"""The manual as PDF: `python -m tests.gallery.manual OUT.pdf [--language nl]`.

It is the help, page after page, with pictures that the gallery draws and the rule sets in words.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from io import BytesIO
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QBuffer, QIODevice, qInstallMessageHandler
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from reportlab.lib.units import mm
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Spacer,
)

import tdapp
from tdapp.gui.shell import start
from tdapp.gui.shell.bottom_bar import Toast
from tdapp.gui.shell.crash_handling import log_qt_message
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import load_fonts
from tdapp.i18n import LANGUAGES, Catalogue, rule_sentences
from tdapp.i18n.guidance import HelpTopic, read_topics
from tdapp.reports.style import PrintStyle, load_style
from tdapp.services.resources import Resources
from tests.gallery.chapters import CHAPTERS, WORDS, Chapter, Words
from tests.gallery.render import Setting, walk
from tests.gallery.scenes import SCENES
from tests.gallery.tagged_pdf import Contents, Figure, Part, TaggedCanvas, TaggedParagraph
from tests.gallery.typesetting import QUIET, Heading, Setter
from tests.gui.samples import RESOURCES

WINDOW = (1180, 740)  # of the pictures: small, so that their letters are large enough on paper
MARGIN = 22 * mm
_GUTTER = 10 * mm  # between the columns of the contents and of the rules

Pictures = Mapping[str, tuple[QImage, str]]  # and its contents


def pictures(chapters: Sequence[Chapter], language: str) -> Pictures:
    """Return the scenes that the chapters show, in a language."""
    application = start.make_application()
    load_fonts(RESOURCES / "fonts")
    application.processEvents()
    scene_names = {name for chapter in chapters for name in chapter.scenes}
    scenes = [scene for scene in SCENES if scene.name in scene_names]
    drawn_scenes = walk(Setting(language, size=WINDOW), scenes)
    return {
        scene.name: (_grabbed(window, shown_widget), _titled(window, shown_widget))
        for window, scene, shown_widget in drawn_scenes
        if shown_widget is not None
    }


def _grabbed(window: Window, shown_widget: QWidget) -> QImage:
    for toast in window.findChildren(Toast):
        toast.hide()
    return shown_widget.grab().toImage()


def _titled(window: Window, shown_widget: QWidget) -> str:
    """Return the title of the dialog, of the page with its panel, or nothing where none is open."""
    if shown_widget is not window:
        return shown_widget.windowTitle()
    catalogue = window.session.catalogue
    names = [PAGES[window.page.id].name(catalogue)] if window.session.is_open else []
    names += [window.panel.heading.text()] if window.panel is not None else []
    return ", ".join(names)


class _Book(BaseDocTemplate):
    """Pages with a foot; headings tell the contents and the bookmarks where they are."""

    def __init__(self, file: BytesIO, style: PrintStyle, title: str, language: str) -> None:
        super().__init__(
            file, pagesize=style.page, title=title, author="tdapp", subject=title, creator="tdapp", lang=language,
            invariant=1, initialFontName=style.regular.name, pageCompression=1, displayDocTitle=1,
        )  # fmt: skip
        self._style = style
        width, height = style.page
        frame = Frame(MARGIN, MARGIN, width - 2 * MARGIN, height - 2 * MARGIN, 0, 0, 0, 0)
        half = (width - 2 * MARGIN - _GUTTER) / 2
        lefts = (MARGIN, MARGIN + half + _GUTTER)
        columns = [Frame(left, MARGIN, half, height - 2 * MARGIN, 0, 0, 0, 0) for left in lefts]
        self.addPageTemplates(
            [
                PageTemplate("title", [frame]),
                PageTemplate("columns", columns, onPage=self._foot),
                PageTemplate("text", [frame], onPage=self._foot),
            ]
        )

    @property
    def text_width(self) -> float:
        """The width of the text in points."""
        return self._style.page[0] - 2 * MARGIN

    def _foot(self, canvas: Any, _document: object) -> None:
        with canvas.tags.mark_artifact():
            canvas.setFont(self._style.regular.name, 8.5)
            canvas.setFillColor(QUIET)
            canvas.drawString(MARGIN, MARGIN * 0.55, str(self.title))
            canvas.drawRightString(self._style.page[0] - MARGIN, MARGIN * 0.55, str(canvas.getPageNumber()))

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 - ReportLab calls it
        """Record the position of a heading."""
        if not isinstance(flowable, Heading):
            return
        text = flowable.getPlainText()
        self.canv.bookmarkPage(flowable.key)
        self.canv.addOutlineEntry(text, flowable.key, flowable.level, closed=True)
        if flowable.listed:
            self.notify("TOCEntry", (flowable.level, flowable.text, self.page, flowable.key))


def manual(language: str, chapters: Sequence[Chapter] = CHAPTERS, *, rule_sets: bool = True) -> bytes:
    """Return the chapters and the texts of the rule sets as PDF. Links lead to chapters in the document."""
    style, words = load_style(RESOURCES / "fonts"), WORDS[language]
    file = BytesIO()
    book = _Book(file, style, f"tdapp – {words.manual}", language)
    setter = Setter(style, words, book.text_width, frozenset(chapter.topic for chapter in chapters))
    topics = read_topics(RESOURCES / "help", language)
    drawn_pictures = pictures(chapters, language)
    story = [*_front(setter, words)]
    for chapter in chapters:
        story += [
            *_chapter(setter, topics[chapter.topic], [drawn_pictures[name] for name in chapter.scenes], words)
        ]
    if rule_sets:
        story += [*_appendices(setter, words, Catalogue(language, RESOURCES / "locale", zone=UTC))]
    book.multiBuild(story, canvasmaker=TaggedCanvas)
    return file.getvalue()


def _front(setter: Setter, words: Words) -> Iterator[Flowable]:
    yield Spacer(1, 180)
    section = Part("Sect")
    name = setter.paragraph_style("name", 48, bold=True, spaceAfter=6)
    quiet = setter.paragraph_style("what", 13, textColor=QUIET)
    for text, style in (
        ("tdapp", name),
        (words.manual, setter.paragraph_style("title", 24)),
        (words.what, quiet),
        (tdapp.__version__, quiet),
    ):
        yield TaggedParagraph(text, style, section.part("P"))
    yield NextPageTemplate("columns")
    yield PageBreak()
    heading = setter.paragraph_style("contents", 22, bold=True, leading=28)
    yield TaggedParagraph(words.contents, heading, section.part("H1"))
    styles = [
        setter.paragraph_style("toc0", 10.5, bold=True, spaceAfter=0, leading=13),
        setter.paragraph_style("toc1", 9, leftIndent=14, spaceAfter=0, leading=11.5),
    ]
    yield Contents(styles, section.part("TOC"))
    yield NextPageTemplate("text")


def _chapter(
    setter: Setter, topic: HelpTopic, shown_pictures: Sequence[tuple[QImage, str]], words: Words
) -> Iterator[Flowable]:
    """Yield a page of the help: a picture is ahead of the second heading, the others above the last."""
    yield PageBreak()
    section = Part("Sect")
    flowables = list(setter.topic(topic.id, topic.markdown, section))
    headings = [index for index, flowable in enumerate(flowables) if isinstance(flowable, Heading)]
    figures = [
        _picture(setter, image, section.part("Figure", words.picture.format(title=title or topic.title)))
        for image, title in shown_pictures
    ]
    first, last = headings[min(1, len(headings) - 1)], headings[-1]
    yield from flowables[:first]
    yield from figures[:1]
    yield from flowables[first:last]
    yield from figures[1:]
    yield from flowables[last:]


def _picture(setter: Setter, picture: QImage, part: Part) -> Flowable:
    scale = setter.width / max(picture.width(), WINDOW[0])  # a dialog keeps its proportion to the window
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.convertToFormat(QImage.Format.Format_RGB888).save(buffer, "PNG")  # type: ignore[call-overload] # text, whatever the stubs say
    return Figure(BytesIO(bytes(buffer.data().data())), picture.width() * scale, picture.height() * scale, part)


def _appendices(setter: Setter, words: Words, catalogue: Catalogue) -> Iterator[Flowable]:
    books = Resources(RESOURCES)
    headings = rule_sentences.name_rule_groups(catalogue)
    body = setter.paragraph_style("sentence", 9.5, spaceAfter=3, leading=12.5)
    yield NextPageTemplate("columns")
    for rules in books.presets.values():
        yield PageBreak()
        section = Part("Sect")
        yield setter.heading(words.appendix.format(name=rules.name), 1, f"rules-{rules.id}", section, size=15)
        sources = books.sources_of_rule_values[rules.id]
        for group, explanations in rule_sentences.explain_rules(
            catalogue, rules, books.value_names, sources
        ).items():
            if explanations:
                yield setter.heading(headings[group], 2, f"rules-{rules.id}#{group}", section, listed=False)
            for sentence in explanations:
                yield TaggedParagraph(
                    setter.plain(rule_sentences.append_source(catalogue, sentence)), body, section.part("P")
                )


def main() -> int:
    """Write the manual that the arguments ask for."""
    parser = argparse.ArgumentParser(prog="python -m tests.gallery.manual")
    parser.add_argument("out", type=Path)
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    args = parser.parse_args()
    qInstallMessageHandler(log_qt_message)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_bytes(manual(args.language))
    sys.stdout.write(f"{args.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
