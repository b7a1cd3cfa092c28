"""A rule set in sentences on screen, under headings that open; what differs from the preset is marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QWidget

from tdapp.domain.ruleset import RuleSet
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.collapsible import CollapsibleSection
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n import rule_sentences
from tdapp.i18n.rule_sentences import Sentence
from tdapp.services.resources import Resources


class RuleText(QWidget):
    """All sentences of a rule set; those that differ from its preset with the preset's below them."""

    def __init__(self, session: Session, books: Resources, *, unfolded: bool) -> None:
        super().__init__()
        self._session = session
        self._books = books
        self._rules: RuleSet | None = None
        headings = rule_sentences.headings(session.catalogue)
        self.folds = {group: CollapsibleSection(title, session.look) for group, title in headings.items()}
        fields.column(*self.folds.values(), gap=2, parent=self)
        for fold in self.folds.values():
            fold.body.setSpacing(UNIT // 2)
            fold.open(show=unfolded)

    def tell(self, rules: RuleSet) -> None:
        """Show a rule set."""
        if rules == self._rules:
            return
        self._rules = rules
        preset = self._books.preset_of(rules) or rules
        changed = self._books.changed(rules)
        catalogue, names = self._session.catalogue, self._books.names
        theirs = rule_sentences.explained(catalogue, preset, names)
        for group, told in rule_sentences.explained(catalogue, rules, names).items():
            self._fill(self.folds[group], told, theirs[group], changed)

    def _fill(
        self,
        fold: CollapsibleSection,
        told: Sequence[Sentence],
        theirs: Sequence[Sentence],
        changed: Sequence[str],
    ) -> None:
        text = self._session.catalogue.text
        fields.clear(fold.body)
        before = {one.paths: one.text for one in theirs}
        different = 0
        for sentence in told:
            if any(sentence.tells(path) for path in changed):
                different += 1
                fold.body.addWidget(_label(text("◆ Changed: {sentence}", sentence=sentence.text), "changed"))
                old = before.get(sentence.paths)
                if old:
                    fold.body.addWidget(_label(text("The book: {sentence}", sentence=old), "muted"))
            else:
                fold.body.addWidget(_label(sentence.text))
        for paths in before.keys() - {one.paths for one in told}:
            different += 1
            fold.body.addWidget(_label(text("◆ Left out: {sentence}", sentence=before[paths]), "changed"))
        fold.remark(text("◆ {n} changed", n=different) if different else "")


def _label(sentence: str, kind: str = "") -> QLabel:
    return fields.label(sentence, kind, wrap=True)
