"""The dialog for a new club. One file contains all evenings of the club."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtWidgets import QWidget

from tdapp.domain import commands
from tdapp.domain.commands.evenings import replace_bye_rule_by_tables_of_three
from tdapp.domain.pairing_settings import PairingSettings, ScoreGroupPairing
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.systems import RANDOM, SWISS
from tdapp.domain.tables.evenings import get_date_of_current_evening
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.shell.session import Session
from tdapp.gui.tournament.assistant import build_planned_tournament
from tdapp.gui.tournament.new_file import NewFileDialog, make_local_time_zone_fields, sort_presets_by_locale
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, FormLayout, LineEdit


class NewClubDialog(NewFileDialog):
    """Asks for the name, the rules and the pairing system of a club."""

    topic = "evening"

    def __init__(self, session: Session, *, parent: QWidget | None = None) -> None:
        text = session.catalogue.text
        super().__init__(
            session, text("A club evening"), yes=text("Create the club"), parent=parent, size=(80, 48)
        )
        presets = sort_presets_by_locale(session)
        rule_choices = [
            (preset, f"{preset.name} · {preset.country}" if preset.country else preset.name) for preset in presets
        ]
        systems = [
            (RANDOM.id, text(C_("pairing of a club evening", "By lot"))),
            (SWISS.id, text(C_("pairing of a club evening", "By tonight’s standings"))),
        ]
        self.name = LineEdit(text("Name"), placeholder=text("Name of the club"))
        self.rules: Choice[RuleSet] = Choice(text("Rules"), rule_choices, session.appearance, value=presets[0])
        self.system: Choice[str] = Choice(text("Pairing"), systems, session.appearance, value=RANDOM.id)
        form = FormLayout(self.name)
        form.add_field(
            self.rules,
            text(
                "With an odd number of players, three share a table. To give a bye instead, change the rules "
                "on the Tournament page."
            ),
        )
        form.add_field(self.system, text("No two players meet twice in an evening if it can be avoided."))
        self.add_file_field(form)
        fields.add_parts_to_layout(self.body, form)
        self.name.textChanged.connect(self.propose_file_path)
        self.propose_file_path(text("Club"))
        self.name.setFocus()

    def confirm_dialog(self) -> None:
        rules = self.rules.value()
        if not self.name.text().strip() or rules is None:
            self.show_error(self.text("Give the club a name."), self.name)
        else:
            self.create_file(build_club_tournament(self.name.text(), rules, self.system.value() or RANDOM.id))


def build_club_tournament(name: str, rules: RuleSet, system: str) -> Tournament:
    tournament = build_planned_tournament(
        name,
        replace_bye_rule_by_tables_of_three(rules),
        event_details=make_local_time_zone_fields(),
        codes=("A",),
        stages=(),
    )
    (division,) = tournament.divisions
    return commands.begin_evening(
        tournament, key=f"{division}.e", division=division,
        date=get_date_of_current_evening(datetime.now().astimezone()), system=system,
        settings=PairingSettings(style=ScoreGroupPairing.RANDOM),
    )  # fmt: skip
