"""The panel of sanctions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.jury_rows import SanctionId
from tdapp.domain.model import ByeKind, Division, PlayerId
from tdapp.domain.tables.jury_log import SanctionRow, make_sanction_table
from tdapp.domain.tournament import Tournament
from tdapp.gui.editor.editor import Editor, EditorPanel, Listing
from tdapp.gui.editor.fields import Input, PlayerControl, Values
from tdapp.gui.shell.session import Session, run_if_alive, run_if_seen
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.impact_bar import ImpactBar
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n import impact_sentences
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.corrections import Correction
from tdapp.scrabble.sheet import SanctionKind
from tdapp.services.worker import Task


def format_sanction(row: SanctionRow, catalogue: Catalogue) -> str:
    kind = catalogue.code(row.code) + (f" −{row.points}" if row.points else "")
    return f"{kind} · {row.why}" + (f" ({row.author})" if row.author else "")


def _join_effects(before: Tournament, after: Tournament, *facts: Any) -> str:
    return "\n".join(impact_sentences.list_sanction_effects(before, after, *facts))


class SanctionsPanel(EditorPanel):
    """The sanctions of the division, with a form."""

    def __init__(self, session: Session, player: PlayerId | None = None) -> None:
        super().__init__(session, session.catalogue.text("Sanctions"), width=UNIT * 58)
        self._ready = False  # the form is complete
        self._task = Task("")  # computes the effect
        self.effect = fields.label(wrap=True)
        self.bar = ImpactBar(session)
        self.bar.left.connect(self._close_preview)
        self._print_button = fields.button(self.text("Print…"), partial(self.preview_report, "sanctions"))
        listing = Listing(
            name=self.text("Sanctions"),
            table=partial(self.make_table, make_sanction_table),
            widths={"round": 56, "name": 150, "why": 0},
            empty=self.text("No sanctions yet."),
            shown={"why": self._format_line},
            line=self._format_line,
        )
        self.set_editor(
            Editor(
                session,
                fields=self._make_fields(player),
                listing=listing,
                command=commands.add_sanction,
                remove=commands.remove_sanction,
                blame={"": "why"},
                keep=self.text("Give the sanction"),
                begins="kind",
                run=self._run_previewed,
                ready=lambda: self._ready,
                parts=self._make_parts,
            )
        )
        self.editor.form.changed.connect(self._drop_preview)
        self.setFocusProxy(self.field("player" if player is None else "kind"))

    def show_surroundings(self, _division: Division) -> None:
        self._show_effect()
        self.bar.update_effects()

    # --- build

    def _make_fields(self, player: PlayerId | None) -> list[Input]:
        session, text = self.session, self.session.catalogue.text
        division = session.division
        last = len(session.index.published(division.id)) if division else 0
        number = min(session.round_number or last, last) or None
        forfeits = [(ByeKind.FORFEIT, text("losses by forfeit")), (None, text("nothing is recorded"))]
        return [
            Input(name="player", label=text("Player"), control=PlayerControl, value=player),
            Input(name="round_number", label=text("Round"), value=number, stays=True, width=ROW * 2),
            Input(name="kind", label=text("Sanction"), options=self._list_kinds),
            Input(
                name="points",
                label=text("Points"),
                shown=lambda typed: typed["kind"].is_in_points,
                width=ROW * 2,
                most=9_999,
            ),
            Input(
                name="remaining",
                label=text("Rounds to come"),
                options=lambda _typed: forfeits,
                shown=lambda typed: typed["kind"] is SanctionKind.DISQUALIFIED,
            ),
            Input(name="why", label=text("Why"), hint=text("Why? The history keeps the reason.")),
            Input(name="author", label=text("By"), stays=True),
        ]

    def _list_kinds(self, _typed: Values) -> list[tuple[SanctionKind, str]]:
        catalogue, named = self.session.catalogue, self.session.rules.sanctions.named
        others = {kind: catalogue.code(kind) for kind in SanctionKind if kind not in named}
        unnamed = [(one, catalogue.text("{kind} (not in these rules)", kind=said)) for one, said in others.items()]
        return [(kind, catalogue.code(kind)) for kind in named] + unnamed

    def _make_parts(self, editor: Editor) -> list[fields.Part]:
        form, buttons = editor.list_form_parts()
        return [
            form,
            self.effect,
            self.bar,
            buttons,
            fields.make_rule(),
            *editor.list_table_parts(self._print_button),
        ]

    def _format_line(self, row: SanctionRow) -> str:
        return format_sanction(row, self.session.catalogue)

    # --- preview

    def _drop_preview(self) -> None:
        self.bar.drop_correction()
        self._show_preview_room()
        self._show_effect()

    def _show_effect(self) -> None:
        typed, effect, tone, session = self.editor.form.get_values(), "", "", self.session
        assess: partial[str] | None = None
        self._task.cancel_work()
        waits = typed["kind"].is_in_points and not typed["points"]
        if waits:
            effect = session.catalogue.text("Type how many points.")
        elif typed["player"] is not None:
            given = {name: typed[name] for name in ("player", "round_number", "kind", "remaining")}
            points = typed["points"] if typed["kind"].is_in_points else 0
            give = partial(commands.add_sanction, key=session.make_key(), points=points, why="-", **given)
            player = session.tournament.players[typed["player"]]
            try:
                after = give(session.tournament)
            except RuleViolation as error:
                effect, tone, waits = session.catalogue.error(error), "error", True
            else:
                facts = (player, typed["kind"], typed["round_number"], points, session.catalogue)
                effect = self.text("Calculating what follows…")
                assess = partial(_join_effects, session.tournament, after, *facts)
        self.effect.setText(effect)
        fields.set_kind(self.effect, tone)
        self._ready = typed["player"] is not None and not waits
        self.editor.enable_buttons()
        if assess is not None:
            show, clear = run_if_alive(self, self.effect.setText), run_if_alive(self, self.effect.clear)
            self._task = session.run_in_background(assess, then=show, label=effect, stopped=clear)

    # --- commands

    def _run_previewed(self, command: partial[Tournament], done: Callable[[], None]) -> None:
        removed = self.session.tournament.sanctions.get(command.keywords.get("sanction", SanctionId("")))
        player = self.session.tournament.players[removed.player if removed else command.keywords["player"]]
        number = removed.round if removed else command.keywords["round_number"]
        yes = self.editor.remove_button if removed else self.editor.keep_button
        about = (player.division, (player.id,), number or 0)
        correction = Correction(command, "", *about, yes=yes.text(), reasoned=removed is None)
        self.bar.run_or_ask(correction, partial(self._run_command, done))
        self._show_preview_room()

    def _run_command(self, done: Callable[[], None], command: partial[Tournament]) -> None:
        self._show_preview_room()
        if command.func is commands.remove_sanction:
            self.editor.view.setFocus()
        self.session.do(command, done=run_if_seen(self, done), refused=self.editor.show_refusal)

    def _show_preview_room(self) -> None:
        assessed, editor = self.bar.correction, self.editor
        giving, asked = assessed is not None and assessed.reasoned, assessed is not None
        editor.form.setHidden(asked and not giving)
        self.effect.setHidden(asked)
        editor.keep_button.setHidden(asked)
        for one in (editor.view, self._print_button, editor.remove_button):
            one.setHidden(giving)
        editor.line.setHidden(giving or not editor.line.text())

    def _close_preview(self) -> None:
        giving = self.bar.correction is not None and self.bar.correction.reasoned
        self.bar.drop_correction()
        self._show_preview_room()
        (self.field("why") if giving else self.editor.view).setFocus()
