"""Make the manual as PDF: `python -m tests.gallery.manual OUT.pdf [--language nl]`.

The manual has all help pages, pictures of the gallery, and the rules of each rule set.
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
from tdapp.gui.shell.crash_handling import log_qt_message
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.toast import Toast
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import load_fonts
from tdapp.i18n import LANGUAGES, Catalogue, rule_sentences
from tdapp.i18n.guidance import HelpTopic, read_topics
from tdapp.reports.style import PrintStyle, load_style
from tdapp.services.resources import Resources
from tests.gallery.chapters import CHAPTERS, WORDS, Chapter, Words
from tests.gallery.render import Setting, show_scenes
from tests.gallery.scenes import SCENES
from tests.gallery.tagged_pdf import Contents, Figure, Part, TaggedCanvas, TaggedParagraph
from tests.gallery.typesetting import GREY, Heading, Typesetter
from tests.gui.samples import RESOURCES

WINDOW_SIZE = (1180, 740)  # a small window, so that its text is readable on paper
MARGIN = 22 * mm
COLUMN_GAP = 10 * mm  # in the contents and in the rules

Pictures = Mapping[str, tuple[QImage, str]]  # by scene name: picture and title


def draw_pictures(chapters: Sequence[Chapter], language: str) -> Pictures:
    """Draw the scenes of the chapters. Return picture and title of each."""
    application = start.make_application()
    load_fonts(RESOURCES / "fonts")
    application.processEvents()
    scene_names = {name for chapter in chapters for name in chapter.scenes}
    scenes = [scene for scene in SCENES if scene.name in scene_names]
    drawn_scenes = show_scenes(Setting(language, size=WINDOW_SIZE), scenes)
    return {
        scene.name: (grab_widget(window, shown_widget), make_picture_title(window, shown_widget))
        for window, scene, shown_widget in drawn_scenes
        if shown_widget is not None
    }


def grab_widget(window: Window, shown_widget: QWidget) -> QImage:
    for toast in window.findChildren(Toast):
        toast.hide()
    return shown_widget.grab().toImage()


def make_picture_title(window: Window, shown_widget: QWidget) -> str:
    """Return the title of the dialog, or the names of the page and its panel. Empty for the welcome page."""
    if shown_widget is not window:
        return shown_widget.windowTitle()
    catalogue = window.session.catalogue
    names = [PAGES[window.page.id].name(catalogue)] if window.session.is_open else []
    names += [window.panel.heading.text()] if window.panel is not None else []
    return ", ".join(names)


class ManualDocument(BaseDocTemplate):
    """A document with page footers. Headings become bookmarks and entries of the table of contents."""

    def __init__(self, file: BytesIO, style: PrintStyle, title: str, language: str) -> None:
        super().__init__(
            file, pagesize=style.page, title=title, author="tdapp", subject=title, creator="tdapp", lang=language,
            invariant=1, initialFontName=style.regular.name, pageCompression=1, displayDocTitle=1,
        )  # fmt: skip
        self._style = style
        width, height = style.page
        frame = Frame(MARGIN, MARGIN, width - 2 * MARGIN, height - 2 * MARGIN, 0, 0, 0, 0)
        column_width = (width - 2 * MARGIN - COLUMN_GAP) / 2
        column_positions = (MARGIN, MARGIN + column_width + COLUMN_GAP)
        columns = [
            Frame(position, MARGIN, column_width, height - 2 * MARGIN, 0, 0, 0, 0) for position in column_positions
        ]
        self.addPageTemplates(
            [
                PageTemplate("title", [frame]),
                PageTemplate("columns", columns, onPage=self._draw_footer),
                PageTemplate("text", [frame], onPage=self._draw_footer),
            ]
        )

    @property
    def text_width(self) -> float:
        """The width of the text in points."""
        return self._style.page[0] - 2 * MARGIN

    def _draw_footer(self, canvas: Any, _document: object) -> None:
        with canvas.tags.mark_artifact():
            canvas.setFont(self._style.regular.name, 8.5)
            canvas.setFillColor(GREY)
            canvas.drawString(MARGIN, MARGIN * 0.55, str(self.title))
            canvas.drawRightString(self._style.page[0] - MARGIN, MARGIN * 0.55, str(canvas.getPageNumber()))

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 - ReportLab calls it
        """Add a heading to the bookmarks and the table of contents."""
        if not isinstance(flowable, Heading):
            return
        text = flowable.getPlainText()
        self.canv.bookmarkPage(flowable.key)
        self.canv.addOutlineEntry(text, flowable.key, flowable.level, closed=True)
        if flowable.is_listed:
            self.notify("TOCEntry", (flowable.level, flowable.text, self.page, flowable.key))


def make_manual(language: str, chapters: Sequence[Chapter] = CHAPTERS, *, rule_sets: bool = True) -> bytes:
    """Return the chapters and the texts of the rule sets as PDF. Links lead to chapters in the document."""
    style, words = load_style(RESOURCES / "fonts"), WORDS[language]
    file = BytesIO()
    document = ManualDocument(file, style, f"tdapp – {words.manual}", language)
    typesetter = Typesetter(style, words, document.text_width, frozenset(chapter.topic for chapter in chapters))
    topics = read_topics(RESOURCES / "help", language)
    pictures_by_scene = draw_pictures(chapters, language)
    story = [*make_front_pages(typesetter, words)]
    for chapter in chapters:
        story += [
            *make_chapter(
                typesetter, topics[chapter.topic], [pictures_by_scene[name] for name in chapter.scenes], words
            )
        ]
    if rule_sets:
        story += [*make_appendices(typesetter, words, Catalogue(language, RESOURCES / "locale", zone=UTC))]
    document.multiBuild(story, canvasmaker=TaggedCanvas)
    return file.getvalue()


def make_front_pages(typesetter: Typesetter, words: Words) -> Iterator[Flowable]:
    yield Spacer(1, 180)
    section = Part("Sect")
    name = typesetter.make_paragraph_style("name", 48, bold=True, spaceAfter=6)
    grey_style = typesetter.make_paragraph_style("what", 13, textColor=GREY)
    for text, style in (
        ("tdapp", name),
        (words.manual, typesetter.make_paragraph_style("title", 24)),
        (words.subtitle, grey_style),
        (tdapp.__version__, grey_style),
    ):
        yield TaggedParagraph(text, style, section.make_part("P"))
    yield NextPageTemplate("columns")
    yield PageBreak()
    heading = typesetter.make_paragraph_style("contents", 22, bold=True, leading=28)
    yield TaggedParagraph(words.contents, heading, section.make_part("H1"))
    styles = [
        typesetter.make_paragraph_style("toc0", 10.5, bold=True, spaceAfter=0, leading=13),
        typesetter.make_paragraph_style("toc1", 9, leftIndent=14, spaceAfter=0, leading=11.5),
    ]
    yield Contents(styles, section.make_part("TOC"))
    yield NextPageTemplate("text")


def make_chapter(
    typesetter: Typesetter, topic: HelpTopic, shown_pictures: Sequence[tuple[QImage, str]], words: Words
) -> Iterator[Flowable]:
    """Yield a chapter. The first picture is above the second heading, the others above the last one."""
    yield PageBreak()
    section = Part("Sect")
    flowables = list(typesetter.typeset_topic(topic.id, topic.markdown, section))
    headings = [index for index, flowable in enumerate(flowables) if isinstance(flowable, Heading)]
    figures = [
        make_figure(
            typesetter, image, section.make_part("Figure", words.picture.format(title=title or topic.title))
        )
        for image, title in shown_pictures
    ]
    first_index, last_index = headings[min(1, len(headings) - 1)], headings[-1]
    yield from flowables[:first_index]
    yield from figures[:1]
    yield from flowables[first_index:last_index]
    yield from figures[1:]
    yield from flowables[last_index:]


def make_figure(typesetter: Typesetter, picture: QImage, part: Part) -> Flowable:
    scale = typesetter.width / max(picture.width(), WINDOW_SIZE[0])  # a dialog keeps its proportion to the window
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.convertToFormat(QImage.Format.Format_RGB888).save(buffer, "PNG")  # type: ignore[call-overload] # the stubs expect bytes
    return Figure(BytesIO(bytes(buffer.data().data())), picture.width() * scale, picture.height() * scale, part)


def make_appendices(typesetter: Typesetter, words: Words, catalogue: Catalogue) -> Iterator[Flowable]:
    resources = Resources(RESOURCES)
    headings = rule_sentences.map_rule_group_headings(catalogue)
    body = typesetter.make_paragraph_style("sentence", 9.5, spaceAfter=3, leading=12.5)
    yield NextPageTemplate("columns")
    for rules in resources.bundled_rulesets.values():
        yield PageBreak()
        section = Part("Sect")
        yield typesetter.make_heading(
            words.appendix.format(name=rules.name), 1, f"rules-{rules.id}", section, size=15
        )
        sources = resources.sources_of_rule_values[rules.id]
        for group, explanations in rule_sentences.explain_rules(
            catalogue, rules, resources.names_of_parameter_values, sources
        ).items():
            if explanations:
                yield typesetter.make_heading(
                    headings[group], 2, f"rules-{rules.id}#{group}", section, is_listed=False
                )
            for sentence in explanations:
                yield TaggedParagraph(
                    typesetter.escape_text(rule_sentences.format_sentence_with_source(catalogue, sentence)),
                    body,
                    section.make_part("P"),
                )


def main() -> int:
    """Write the manual with the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.gallery.manual")
    parser.add_argument("out", type=Path)
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    args = parser.parse_args()
    qInstallMessageHandler(log_qt_message)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_bytes(make_manual(args.language))
    sys.stdout.write(f"{args.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
