"""A rule set as text and as a form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QWidget

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.model import Division, DivisionId
from tdapp.domain.rule_fields import (
    CHECK_FIRST,
    RuleField,
    find_differing_fields,
    find_rule_differences,
    get_rule_value,
    is_same_rule_value,
    list_rule_fields,
    replace_rule_values,
)
from tdapp.domain.ruleset import RuleContradiction, RuleSet, find_rule_contradictions
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.tournament import Tournament
from tdapp.gui.editor.fields import make_tournament_or_division_choice
from tdapp.gui.shell.session import Session, is_alive_and_visible, make_callback_unless_deleted
from tdapp.gui.tournament.rule_editors import RuleControl, make_rule_editor
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import ENTER, SearchField
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.scroll_body import CollapsibleSection, make_scroll_area
from tdapp.gui.widgets.theme import UNIT, scale_pixels
from tdapp.i18n import impact_sentences, rule_sentences
from tdapp.i18n.locales import fold_text
from tdapp.i18n.rule_sentences import Names, RuleSentence
from tdapp.pairing import SYSTEMS

R = TypeVar("R", bound=RuleSet | SeasonRule)
Draft = dict[str, object]
Drafts = dict[DivisionId | None, Draft]  # None: rules of the tournament
BOOK = "id"  # parameter with the id of the preset


class RuleTextView(QWidget):
    """The rule set as text: all its sentences."""

    def __init__(self, session: Session, *, is_unfolded: bool) -> None:
        super().__init__()
        self._session = session
        self._rules: RuleSet | None = None
        headings = rule_sentences.map_rule_group_headings(session.catalogue)
        self.folds = {group: CollapsibleSection(title, session.appearance) for group, title in headings.items()}
        # text of collapsed sections, written when they open
        self._unwritten_lines: dict[CollapsibleSection, list[tuple[str, str]]] = {}
        self._legend = fields.make_note_label(
            session.catalogue.text(
                "The source of each rule is in brackets: a section of the rule book, or who decided it."
            )
        )
        fields.make_column(self._legend, *self.folds.values(), gap=2, parent=self)
        for fold in self.folds.values():
            fold.body.setSpacing(UNIT // 2)
            fold.contents_requested.connect(self._fill_section_when_opened)
            fold.set_expanded(expanded=is_unfolded)

    def show_rules(self, rules: RuleSet) -> None:
        if rules == self._rules:
            return
        self._rules = rules
        preset = self._session.resources.find_original_preset(rules) or rules
        changed_parameters = self._session.resources.list_changed_rule_parameters(rules)
        catalogue, names = self._session.catalogue, self._session.resources.names_of_parameter_values
        sources = self._session.resources.sources_of_rule_values.get(rules.id, {})
        self._legend.setVisible(bool(sources))
        preset_sentences = rule_sentences.explain_rules(catalogue, preset, names, sources)
        for group, sentences in rule_sentences.explain_rules(catalogue, rules, names, sources).items():
            fold, lines = (
                self.folds[group],
                [
                    *self._list_sentence_texts_with_label_kinds(
                        sentences, preset_sentences[group], changed_parameters
                    )
                ],
            )
            self._unwritten_lines[fold] = lines
            if fold.is_open:
                self._fill_section_when_opened(fold)
            changed_count = sum(kind == "changed" for _, kind in lines)
            fold.set_title_remark(catalogue.text("◆ changed rules: {n}", n=changed_count) if changed_count else "")

    def _fill_section_when_opened(self, section: CollapsibleSection) -> None:
        if section in self._unwritten_lines:
            fields.clear_layout(section.body)
            for line, kind in self._unwritten_lines.pop(section):
                section.body.addWidget(fields.make_label(line, kind, wrap=True))

    def _list_sentence_texts_with_label_kinds(
        self,
        sentences: Sequence[RuleSentence],
        preset_sentences: Sequence[RuleSentence],
        changed_parameters: Sequence[str],
    ) -> Iterator[tuple[str, str]]:
        catalogue, text = self._session.catalogue, self._session.catalogue.text
        old_texts = {
            preset_sentence.paths: rule_sentences.format_sentence_with_source(catalogue, preset_sentence)
            for preset_sentence in preset_sentences
        }
        for sentence in sentences:
            if not any(sentence.is_about_rule_parameter(path) for path in changed_parameters):
                yield rule_sentences.format_sentence_with_source(catalogue, sentence), ""
                continue
            yield text("◆ Changed: {sentence}", sentence=sentence.text), "changed"
            if old := old_texts.get(sentence.paths):
                yield text("In the rule set: {sentence}", sentence=old), "muted"
        for paths in old_texts.keys() - {rule_sentence.paths for rule_sentence in sentences}:
            yield text("◆ Does not apply: {sentence}", sentence=old_texts[paths]), "changed"


class RuleRow(QWidget):
    """Label, control and error of a rule parameter, and the original value of a changed parameter."""

    reset_requested = Signal(str)  # path of the parameter to reset

    def __init__(self, session: Session, editor: RuleControl) -> None:
        super().__init__()
        self.editor = editor
        self.field = editor.field
        note = session.catalogue.get_rule_parameter_note(editor.field.text_key)
        label = fields.make_label(editor.label, wrap=True)
        label.setBuddy(editor)
        self.error_label = fields.make_label("", "error", wrap=True)
        self.difference_label = fields.make_label("", "changed", wrap=True)
        button_name = session.catalogue.text("{rule}: use the value from the rule set", rule=editor.label)
        request_reset = partial(self.reset_requested.emit, self.field.path)
        self.reset_button = fields.make_button(
            session.catalogue.text("Use the value from the rule set"), request_reset, role="link", name=button_name
        )
        self._search_text = fold_text(f"{editor.label} {note} {editor.value_names}")
        first = fields.make_row(label, *([] if editor.wide else [editor]), wide=label)
        difference_row = fields.make_row(self.difference_label, self.reset_button, wide=self.difference_label)
        parts: list[fields.Part] = [first, *([editor] if editor.wide else [])]
        if note:
            parts.append(fields.make_note_label(note))
        fields.make_column(*parts, self.error_label, difference_row, gap=2, parent=self)
        self.show_error("")
        self.show_difference("")

    def show_error(self, sentence: str) -> None:
        fields.show_text(self.error_label, sentence)
        self.editor.mark_invalid(is_invalid=bool(sentence))

    def show_difference(self, text: str) -> None:
        fields.show_text(self.difference_label, text)
        self.reset_button.setVisible(bool(text))

    def matches_words(self, words: list[str], heading: str) -> bool:
        return all(word in self._search_text or word in heading for word in words)


class RuleFormDeclaration(Struct, frozen=True, kw_only=True):
    """Describes the rules that a form edits."""

    fields: tuple[RuleField, ...]
    # heading of each group, and the first parts of its parameters' dotted paths in display order
    groups: Mapping[str, tuple[str, tuple[str, ...]]]
    presets: Mapping[str, Any]
    names: Names
    # returns contradictions, each with the first part of a path
    list_problems: Callable[[Any], Iterable[tuple[str, CommandError]]]

    def find_group_of_parameter(self, path: str) -> str:
        """Return the group of the parameter `path`, "" if the form does not show this parameter."""
        first = path.partition(".")[0]
        return next((group for group, (_, first_parts) in self.groups.items() if first in first_parts), "")

    def list_changed_parameters(self, rules: Any) -> tuple[str, ...]:
        preset = self.presets.get(rules.id)
        return find_differing_fields(self.fields, rules, preset) if preset is not None else ()


def declare_rule_set_form(session: Session) -> RuleFormDeclaration:
    return RuleFormDeclaration(
        fields=list_rule_fields(tuple(SYSTEMS)),
        groups={
            name: (rule_group.heading, rule_group.first_path_parts)
            for name, rule_group in rule_sentences.GROUPS.items()
        },
        presets=session.resources.bundled_rulesets,
        names=session.resources.names_of_parameter_values,
        list_problems=lambda rules: (
            (contradiction.path, _make_contradiction_error(contradiction))
            for contradiction in find_rule_contradictions(rules)
        ),
    )


class RuleForm(QWidget, Generic[R]):
    """A form for the rule set `rules`. `draft` contains the unsaved changes."""

    changed = Signal()

    def __init__(
        self,
        session: Session,
        rules: R,
        draft: Draft,
        *,
        can_choose_preset: bool = True,
        declaration: RuleFormDeclaration | None = None,
    ) -> None:
        super().__init__()
        self._session, self._base, self._draft = session, rules, draft
        self._declaration = declaration or declare_rule_set_form(session)
        text = session.catalogue.text
        self._fields = {field.path: field for field in self._declaration.fields}
        self._rows: dict[str, RuleRow] = {}  # rows created so far
        self.search = SearchField(text("Find a rule"), session.appearance)
        self.search.textChanged.connect(self._filter_rows)
        self.only_changed: QCheckBox = fields.make_check_box(text("Only changed rules"))
        self.only_changed.toggled.connect(self._filter_rows)
        self._no_rule_note = fields.make_note_label(
            text("No rules found. Press Esc in the search field to show all.")
        )
        groups = self._declaration.groups
        self.folds = {
            name: CollapsibleSection(text(title), session.appearance) for name, (title, _) in groups.items()
        }
        self._groups = {
            group: [*self._list_rule_paths_of_group(group, can_choose_preset=can_choose_preset)]
            for group in self.folds
        }
        self._build_form()
        self._show_change_counts_and_emit_changed()
        self._filter_rows()

    # --- interface

    @property
    def rows(self) -> dict[str, RuleRow]:
        for fold in self.folds.values():
            self._make_rule_rows(fold)
        return {path: self._rows[path] for paths in self._groups.values() for path in paths}

    @property
    def rules(self) -> R:
        return replace_rule_values(self._base, self._draft)

    def set_original_rules(self, rules: R) -> None:
        if rules != self._base:
            self._base = rules
            for path in [
                path for path, value in self._draft.items() if self._is_rule_equal_to_value(path, rules, value)
            ]:
                del self._draft[path]
            self._show_values_of_all_rules()

    def copy_rules_to_draft(self, rules: R) -> None:
        for path in self._fields:
            self._set_draft_value(path, get_rule_value(rules, path))
        self._show_values_of_all_rules()

    def store_and_check_typed_rules(self) -> bool:
        """Store the typed values in the draft and show their errors. Return whether all rules are valid."""
        for path in self._rows:
            self._copy_typed_value_to_draft(path)
        for beginning, violation in self._declaration.list_problems(self.rules):
            row = next(row for path, row in self.rows.items() if path.startswith(beginning))
            if not row.error_label.text():
                row.show_error(self._session.catalogue.describe_error(violation))
        invalid_row = next((row for row in self._rows.values() if row.error_label.text()), None)
        if invalid_row is not None:
            self.show_and_focus_rule(invalid_row.field.path)
        return invalid_row is None

    def show_and_focus_rule(self, path: str) -> None:
        self.search.clear()
        self.only_changed.setChecked(False)
        self.folds[self._declaration.find_group_of_parameter(path)].set_expanded(expanded=True)
        self._rows[path].editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._scroll.ensureWidgetVisible(self._rows[path])

    def reset_to_preset(self) -> None:
        for path in self.rows:
            self._reset_rule(path)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in ENTER:
            super().keyPressEvent(event)
        elif self.search.hasFocus():
            phrase = fold_text(self.search.text().strip())
            visible_rows = [row for row in self.rows.values() if not row.isHidden()]
            if visible_rows:
                chosen_row = min(visible_rows, key=lambda row: phrase not in fold_text(row.editor.label))
                self.folds[self._declaration.find_group_of_parameter(chosen_row.field.path)].set_expanded(
                    expanded=True
                )
                chosen_row.editor.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.focusNextChild()

    def _find_preset(self) -> Any:
        return self._declaration.presets.get(self.rules.id)

    # --- build

    def _list_rule_paths_of_group(self, group: str, *, can_choose_preset: bool) -> Iterator[str]:
        order = self._declaration.groups[group][1]
        paths = [path for path in self._fields if self._declaration.find_group_of_parameter(path) == group]
        for path in sorted(paths, key=lambda path: order.index(path.partition(".")[0])):
            if path != CHECK_FIRST and (can_choose_preset or path != BOOK):
                yield path

    def _build_form(self) -> None:
        folds = fields.make_column(*self.folds.values(), self._no_rule_note, 1, gap=2, margins=(0, 0, UNIT, 0))
        self._scroll = make_scroll_area(folds)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        fields.make_column(fields.make_row(self.search, self.only_changed, 1), self._scroll, parent=self)
        for fold in self.folds.values():
            fold.body.setSpacing(UNIT * 2)
            fold.contents_requested.connect(self._make_rule_rows)
        self.setFocusProxy(self.search)

    def _make_rule_rows(self, fold: CollapsibleSection) -> None:
        group = next(group for group, section in self.folds.items() if section is fold)
        for path in self._groups[group]:
            if path not in self._rows:
                fold.body.addWidget(self._make_rule_row(self._fields[path]))
                self._show_value_of_rule(path, self.rules)

    def _make_rule_row(self, field: RuleField) -> RuleRow:
        row = RuleRow(self._session, make_rule_editor(self._session, field, self._declaration.names))
        row.editor.edited.connect(self._save_edited_rule)
        row.reset_requested.connect(self._reset_rule)
        self._rows[field.path] = row
        return row

    # --- input

    def _save_edited_rule(self, path: str) -> None:
        if path == BOOK:
            self.copy_rules_to_draft(
                self._declaration.presets.get(str(self._rows[path].editor.read_rule_value())) or self._base
            )
        else:
            self._copy_typed_value_to_draft(path)
            self._show_difference_from_preset(path)
        self._show_change_counts_and_emit_changed()

    def _copy_typed_value_to_draft(self, path: str) -> None:
        row = self._rows[path]
        try:
            self._set_draft_value(path, row.editor.read_rule_value())
        except CommandError as error:
            row.show_error(self._session.catalogue.describe_error(error))
        else:
            row.show_error("")

    def _set_draft_value(self, path: str, value: object) -> None:
        if self._is_rule_equal_to_value(path, self._base, value):
            self._draft.pop(path, None)
        else:
            self._draft[path] = value

    def _is_rule_equal_to_value(self, path: str, rules: Struct, value: object) -> bool:
        return is_same_rule_value(self._fields[path], get_rule_value(rules, path), value)

    def _reset_rule(self, path: str) -> None:
        preset = self._find_preset()
        if preset is not None:
            value = get_rule_value(preset, path)
            self._set_draft_value(path, value)
            row = self._rows[path]
            row.show_error("")
            row.editor.show_value(value)
            row.editor.setFocus(Qt.FocusReason.OtherFocusReason)
            self._show_difference_from_preset(path)
            self._show_change_counts_and_emit_changed()

    # --- display

    def _show_values_of_all_rules(self) -> None:
        rules = self.rules
        for path in self._rows:
            self._show_value_of_rule(path, rules)
        self._show_change_counts_and_emit_changed()

    def _show_value_of_rule(self, path: str, rules: R) -> None:
        row = self._rows[path]
        row.show_error("")
        row.editor.show_value(get_rule_value(rules, path))
        self._show_difference_from_preset(path)

    def _show_difference_from_preset(self, path: str) -> None:
        preset, row = self._find_preset(), self._rows[path]
        words = ""
        if preset is not None and not self._is_rule_equal_to_value(path, preset, get_rule_value(self.rules, path)):
            catalogue, field = self._session.catalogue, self._fields[path]
            message = rule_sentences.describe_rule_value(
                catalogue, field, get_rule_value(preset, path), self._declaration.names
            )
            words = catalogue.text("◆ Changed. Value in the rule set: {value}", value=message)
        row.show_difference(words)

    def _show_change_counts_and_emit_changed(self) -> None:
        changed_paths = frozenset(self._declaration.list_changed_parameters(self.rules))
        change_counts = Counter(
            group for group, paths in self._groups.items() for path in paths if path in changed_paths
        )
        for group, fold in self.folds.items():
            fold.set_title_remark(
                self._session.catalogue.text("◆ changed rules: {n}", n=change_counts[group])
                if change_counts[group]
                else ""
            )
        self.changed.emit()

    def _filter_rows(self) -> None:
        """Show the rules that contain the typed phrase, otherwise those that contain all its words."""
        words = fold_text(self.search.text()).split()
        groups, text = self._declaration.groups, self._session.catalogue.text
        headings = {group_name: fold_text(text(title)) for group_name, (title, _) in groups.items()}
        is_filtered = bool(words) or self.only_changed.isChecked()
        visible_counts = Counter[str]()
        if not is_filtered:
            visible_counts.update({group: len(paths) for group, paths in self._groups.items()})
        rows = {
            path: (row, self._declaration.find_group_of_parameter(path))
            for path, row in (self.rows if is_filtered else self._rows).items()
        }
        phrase = [" ".join(words)]
        if any(row.matches_words(phrase, headings[group]) for row, group in rows.values()):
            words = phrase
        for row, group in rows.values():
            is_accepted = bool(row.difference_label.text()) or not self.only_changed.isChecked()
            is_match = row.matches_words(words, headings[group]) and is_accepted
            row.setVisible(is_match)
            visible_counts[group] += is_match
        for group, fold in self.folds.items():
            fold.setVisible(bool(visible_counts[group]))
            if is_filtered:
                fold.set_expanded(expanded=True)
        self._no_rule_note.setVisible(not any(visible_counts.values()))


def _make_contradiction_error(contradiction: RuleContradiction) -> CommandError:
    if contradiction.minimum is not None:
        return CommandError("rule-range", low=contradiction.minimum, high=contradiction.maximum)
    if contradiction.path.startswith("tables.places"):
        return CommandError("rule-places")
    return CommandError("rule-order") if contradiction.path.startswith("order") else CommandError("rule-needed")


class RulesPanel(Panel):
    """The rules as form and text. `drafts` contains the unsaved changes by division (None: the tournament).

    Signal `scope_requested` asks to show the rules of another division (None: the tournament).
    """

    topic = "rules"
    scope_requested = Signal(object)

    def __init__(self, session: Session, drafts: Drafts, division: DivisionId | None) -> None:
        super().__init__(session, session.catalogue.text("Rules"))
        self.setMinimumWidth(scale_pixels(UNIT * 52))
        self._division, self._draft = division, drafts.setdefault(division, {})
        self.scope = make_tournament_or_division_choice(session, division)
        self.scope.currentIndexChanged.connect(self._emit_chosen_scope)
        self._note, self.effects = fields.make_note_label(), fields.make_label(wrap=True)
        self.check_first = fields.make_check_box(
            self.text("Pair a round only when the jury has checked all results")
        )
        self._default: bool | None = None  # default of the rule set for which the box was set
        self._assessed: tuple[Tournament, RuleSet] | None = None  # input of the shown effects
        self.form = RuleForm(session, self._get_stored_rules(), self._draft)
        self.reset_button = fields.make_button(self.text("Reset all to the rule set"), self.form.reset_to_preset)
        self.save_button = fields.make_button(self.text("Save"), self._save_rules_or_show_effects, role="primary")
        self.copy_rules_button = fields.make_button(
            self.text("Use the tournament’s rules"), self._copy_tournament_rules_to_draft
        )
        scope, buttons = (
            fields.make_row(self.scope, self.copy_rules_button, wide=self.scope),
            fields.make_row(self.reset_button, 1, self.save_button),
        )
        fields.add_parts_to_layout(
            self.body, scope, self._note, self.form, self.check_first, self.effects, buttons
        )
        self.form.changed.connect(self._update_note_and_buttons)
        self.setFocusProxy(self.form)
        self._update_note_and_buttons()

    def refresh_panel(self) -> None:
        if self._division and self._find_edited_division() is None:
            self.closed.emit()
        else:
            self.form.set_original_rules(self._get_stored_rules())
            self._update_note_and_buttons()

    def _emit_chosen_scope(self) -> None:
        self.scope_requested.emit(self.scope.value())

    def _find_edited_division(self) -> Division | None:
        return self.session.tournament.divisions.get(self._division) if self._division else None

    def _get_stored_rules(self) -> RuleSet:
        return self.session.tournament.get_ruleset_of_row(self._find_edited_division())

    def _update_note_and_buttons(self) -> None:
        text, is_editable, division = (
            self.session.catalogue.text,
            self.session.is_editable,
            self._find_edited_division(),
        )
        self.copy_rules_button.setVisible(division is not None and division.ruleset is not None)
        self.copy_rules_button.setEnabled(is_editable)
        open_note = text("Rule changes take effect immediately, including for games already played.")
        closed_note = text("The rules cannot be changed: the tournament is finished or read only.")
        self._note.setText(open_note if is_editable else closed_note)
        self.form.setEnabled(is_editable)
        self._offer_result_check_before_pairing()
        self.save_button.setEnabled(is_editable and bool(self._draft))
        self.reset_button.setEnabled(
            is_editable and bool(self.session.resources.list_changed_rule_parameters(self.form.rules))
        )
        is_assessed = self._assessed == (self.session.tournament, self.form.rules)
        self.effects.setVisible(is_assessed)
        self.save_button.setText(text("Change the rules") if is_assessed else text("Save"))

    def _offer_result_check_before_pairing(self) -> None:
        """Show the check box "pair only after the jury's check" if the edited rules change its default."""
        default = self.form.rules.judges.check_first
        if default != self._default:
            self.check_first.setChecked(default)
            self._default = default
        event, before = self.session.tournament.event, self._get_stored_rules().judges.check_first
        self.check_first.setVisible(self._division is None and default not in {event.check_first, before})

    def _copy_tournament_rules_to_draft(self) -> None:
        self.form.copy_rules_to_draft(self.session.tournament.ruleset)

    def _make_rules_command(self) -> partial[Tournament]:
        rules = self.form.rules
        if self._division is None:
            is_box_visible = not self.check_first.isHidden()
            first = self.check_first.isChecked() if is_box_visible else None
            return partial(commands.change_rules, ruleset=rules, check_first=first)
        division_rules = rules if find_rule_differences(rules, self.session.tournament.ruleset) else None
        return partial(commands.change_division_rules, division=self._division, ruleset=division_rules)

    def _save_rules_or_show_effects(self) -> None:
        if not self.form.store_and_check_typed_rules():
            return
        before, rules, command = self.session.tournament, self.form.rules, self._make_rules_command()
        after = command(before)
        if not any(impact_sentences.find_divisions_with_changed_rules(before, after)) or self._assessed == (
            before,
            rules,
        ):
            self.session.do(command, field=self.form, on_success=self._close_after_saving)
            return
        self._assessed = (before, rules)
        self.effects.setText(self.text("Checking later rounds…"))
        self._update_note_and_buttons()
        call = partial(impact_sentences.describe_rule_change_effects, before, after, self.session.catalogue)
        self.session.run_in_background(
            call, on_success=make_callback_unless_deleted(self, self.effects.setText), label=self.effects.text()
        )

    def _close_after_saving(self) -> None:
        self._draft.clear()
        if is_alive_and_visible(self):
            self.closed.emit()
