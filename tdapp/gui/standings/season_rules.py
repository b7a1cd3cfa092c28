"""The rules of a season as a form, with a preview of the ranks that change."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tdapp.domain import commands
from tdapp.domain.errors import CommandError, UserError
from tdapp.domain.impact import find_season_rank_changes
from tdapp.domain.model import Season, SeasonId
from tdapp.domain.rule_fields import list_season_fields
from tdapp.domain.season_rule import MAX_VALUE, SeasonRule, list_invalid_season_rule_fields
from tdapp.domain.season_table import compute_season_table
from tdapp.domain.seasons import compute_season_lines, list_season_evenings, map_season_members
from tdapp.domain.translatable import C_
from tdapp.exchange.presets import format_season_rule, read_season_rule
from tdapp.exchange.text import write_file
from tdapp.gui.shell.session import Session, is_alive_and_visible
from tdapp.gui.tournament.rule_form import Draft, RuleForm, RuleFormDeclaration
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import ask_existing_file, ask_file_to_write
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.theme import UNIT, scale_pixels
from tdapp.i18n.season_sentences import SEASON_GROUPS, describe_season_rank_changes, describe_season_rule

SeasonRuleDrafts = dict[SeasonId, Draft]  # unsaved changes of rules
_MAX_MOVES = 8  # maximum of named members
_OPEN_GROUPS = ("evening", "total")


def make_season_rule_form_declaration(session: Session) -> RuleFormDeclaration:
    presets = session.resources.season_rules
    return RuleFormDeclaration(
        fields=list_season_fields(),
        groups=SEASON_GROUPS,
        presets=presets,
        names={"id": {preset.id: session.catalogue.text(preset.name) for preset in presets.values()}},
        list_problems=_list_season_rule_errors,
    )


def _list_season_rule_errors(rule: SeasonRule) -> Iterator[tuple[str, CommandError]]:
    for name in list_invalid_season_rule_fields(rule):
        most = 1 if name == "least_share" else MAX_VALUE
        yield name, CommandError("season-scale" if name == "scale" else "season-value-within", least=0, most=most)


class SeasonRulesPanel(Panel):
    """The rules of one season. `drafts` contains the unsaved changes of all seasons."""

    topic = "season"

    def __init__(self, session: Session, drafts: SeasonRuleDrafts, season: Season) -> None:
        super().__init__(session, session.catalogue.text("Rules for {season}", season=season.name))
        self.setMinimumWidth(scale_pixels(UNIT * 52))
        self._season, self._draft = season.id, drafts.setdefault(season.id, {})
        self._summary, self.moves = fields.make_note_label(), fields.make_label(wrap=True, is_announced=True)
        self.form = RuleForm(
            session, season.rule, self._draft, declaration=make_season_rule_form_declaration(session)
        )
        for group in _OPEN_GROUPS:
            self.form.folds[group].set_expanded(expanded=True)
        self.open_button = fields.make_button(self.text("Open…"), self._choose_file_to_open)
        self.save_button = fields.make_button(
            self.text(C_("rules of a season", "Save as…")), self._ask_path_and_save_rules
        )
        self.keep_button = fields.make_button(
            self.text("Change the rules"), self.save_changed_rules, role="primary"
        )
        buttons = fields.make_row(self.open_button, self.save_button, 1, self.keep_button)
        fields.add_parts_to_layout(self.body, self._summary, self.form, self.moves, buttons, wide=self.form)
        self.form.changed.connect(self._show_rules_preview)
        self.setFocusProxy(self.form)
        self._show_rules_preview()

    def refresh_panel(self) -> None:
        season = self._find_season()
        if season is None:
            self.closed.emit()
            return
        self.form.set_original_rules(season.rule)
        self._show_rules_preview()

    def _find_season(self) -> Season | None:
        return self.session.tournament.seasons.get(self._season)

    def _show_rules_preview(self) -> None:
        season, rule, is_editable = self._find_season(), self.form.rules, self.session.is_editable
        self.form.setEnabled(is_editable)
        self.open_button.setEnabled(is_editable)
        self.keep_button.setEnabled(is_editable and bool(self._draft))
        self._summary.setText(describe_season_rule(self.session.catalogue, rule))
        self.moves.setText(self._describe_rank_changes(season, rule) if season is not None and self._draft else "")

    def _describe_rank_changes(self, season: Season, rule: SeasonRule) -> str:
        index = self.session.index
        after = compute_season_table(rule, list_season_evenings(index, season), map_season_members(index, season))
        move = find_season_rank_changes(season.name, compute_season_lines(index, season), after)
        if not (move.moves or move.totals):
            return self.text("With these rules the season table stays the same.")
        return describe_season_rank_changes(move, self.session.catalogue, limit=_MAX_MOVES)

    def save_changed_rules(self) -> None:
        if self.form.store_and_check_typed_rules():
            change = partial(commands.edit_season, season=self._season, rule=self.form.rules)
            self.session.do(change, field=self.form, on_success=self._close_after_saving)

    def _close_after_saving(self) -> None:
        self._draft.clear()
        if is_alive_and_visible(self):
            self.closed.emit()

    # --- files

    def _choose_file_to_open(self) -> None:
        if path := ask_existing_file(self, self.session, self.text("Open season rules"), self._get_file_pattern()):
            self.load_rules_file_into_form(path)

    def load_rules_file_into_form(self, path: Path) -> None:
        """Load the rules from a file into the form, without applying them."""
        try:
            self.form.copy_rules_to_draft(read_season_rule(path))
        except UserError as error:
            self.session.show_error(error, self.form)

    def _ask_path_and_save_rules(self) -> None:
        proposed_path = Path(self.session.recent.propose_save_folder()) / f"{Path(self.form.rules.name).name}.toml"
        if path := ask_file_to_write(
            self, self.text("Save season rules"), proposed_path, self._get_file_pattern()
        ):
            self.save_rules_to_file(path)

    def save_rules_to_file(self, path: Path) -> None:
        if self.form.store_and_check_typed_rules():
            message = self.text("File saved: {name}", name=path.name)
            self.session.run_in_background(
                partial(write_file, path, format_season_rule(self.form.rules).encode()),
                on_success=lambda _: self.session.show_message(message),
                label=self.text("Writing {name}", name=path.name),
            )

    def _get_file_pattern(self) -> str:
        return self.text("Season rules (*.toml)")
