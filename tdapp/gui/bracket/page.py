"""The Bracket page."""

from __future__ import annotations

from functools import partial

from tdapp.domain import commands
from tdapp.domain.bracket import compute_worst_possible_knockout_ranks
from tdapp.domain.commands.stages import Seeding
from tdapp.domain.model import Game, PlayerId, Stage, StageId
from tdapp.domain.pairing_settings import EliminationKind
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.tables import bracket as tables
from tdapp.domain.translatable import C_
from tdapp.gui.bracket.view import ZOOM_STEP, BracketView
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice
from tdapp.gui.widgets.page import Page
from tdapp.services.sidebar_counts import list_selected_division_knockouts


class BracketPage(Page):
    """The bracket of the selected division."""

    id = "bracket"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.view = BracketView(session.appearance, session.catalogue)
        self.view.activated.connect(self._open_last_game_of_current_match)
        self.view.cursor_moved.connect(self.cursor_moved)
        self._stage: Choice[StageId] = Choice(self.text("Knockout"), [], session.appearance)
        self._stage.currentIndexChanged.connect(self._show_chosen_stage)
        self._winner_label = fields.make_label("", "lead")
        self._keys_label = fields.make_label(
            self.text(
                "Arrow keys move from match to match, Enter opens one; + and − zoom, 0 shows the whole bracket."
            ),
            "muted",
        )
        self.body.addLayout(fields.make_row(self._stage, self._winner_label, 1))
        self.body.addWidget(self.view, 1)
        self.body.addWidget(self._keys_label)
        self._chosen_stage_id: StageId | None = None
        self.setFocusProxy(self.view)

    # --- actions and content

    def list_page_actions(self) -> tuple[Action, ...]:
        text, menu, can_seed = self.session.catalogue.text, "bracket", self._can_seed_players
        seed_handlers = {method: partial(self._seed_players, method) for method in Seeding}
        zoom = self.view.zoom_by
        return (
            Action("seed-lot", text("Draw seeds by lot"), seed_handlers[Seeding.LOT], "shuffle", "", menu,
                   can_seed, header=True, vanishes=True),
            Action("seed-rating", text("Take seeds from the ratings"), seed_handlers[Seeding.RATING], "", "", menu,
                   can_seed),
            Action("seed-standings", text("Take seeds from the standings"), seed_handlers[Seeding.STANDINGS], "",
                   "", menu, can_seed),
            Action("bracket-larger", text("Zoom in"), partial(zoom, ZOOM_STEP), "", "", menu, self._has_bracket),
            Action("bracket-smaller", text("Zoom out"), partial(zoom, 1 / ZOOM_STEP), "", "", menu,
                   self._has_bracket),
            Action("bracket-whole", text("Show the whole bracket"), self.view.zoom_out_to_whole_bracket, "", "",
                   menu, self._has_bracket, header=True),
            Action("print-bracket", text("Print the bracket…"), self.open_bracket_print_preview, "print", "F8",
                   menu, self._has_bracket, header=True, vanishes=True),
        )  # fmt: skip

    def refresh_page(self) -> None:
        session, text = self.session, self.session.catalogue.text
        stage = self._find_knockout_to_display()
        self._fill_stage_choice(stage)
        self._winner_label.hide()
        self._keys_label.hide()
        if stage is None:
            self.set_title(text("Bracket"))
            self.view.show_bracket_trees(())
            self.view.set_empty_text(self._explain_missing_bracket())
            return
        trees = tables.build_bracket_trees(session.index, stage, show_current_players=True)
        players = len({side.player for tree in trees for box in tree.boxes for side in box.sides if side.player})
        message = session.catalogue.plural("one player", "{n} players", players)
        has_open_seeds = trees and not self._has_rounds(stage) and not session.index.seeds(stage.id)
        seed_note = text("seeds from the current standings") if has_open_seeds else ""
        self.set_title(
            text("Bracket"), " · ".join(filter(None, (self._describe_knockout_format(stage), message, seed_note)))
        )
        self.view.set_empty_text(
            text("The bracket appears when the division has two players. Add them under Players.")
        )
        self.view.show_bracket_trees(trees)
        fields.show_text(self._winner_label, self._describe_winner(stage, trees))
        self._keys_label.setVisible(bool(trees))

    def get_current_player_id(self) -> PlayerId | None:
        box = self.view.current_match
        if box is None:
            return None
        players = sorted(box.sides, key=lambda side: not side.won)
        return next((side.player for side in players if side.player), None)

    def get_selected_game(self) -> Game | None:
        box = self.view.current_match
        if box is None or not box.games:
            return None
        return self.session.tournament.games.get(box.games[-1].id)

    def reveal_row(self, key: str) -> None:
        stage = self._find_knockout_to_display()
        for tree in (
            tables.build_bracket_trees(self.session.index, stage, show_current_players=True) if stage else ()
        ):
            for box in tree.boxes:
                if any(game.id == key for game in box.games):
                    self.view.select_match(box.key)

    # --- texts and choices

    def _find_knockout_to_display(self) -> Stage | None:
        stages = list_selected_division_knockouts(self.session)
        chosen_stage = next((stage for stage in stages if stage.id == self._chosen_stage_id), None)
        division = self.session.division if stages else None
        return chosen_stage or (tables.find_shown_knockout(self.session.index, division.id) if division else None)

    def _fill_stage_choice(self, shown_stage: Stage | None) -> None:
        text, stages = self.session.catalogue.text, list_selected_division_knockouts(self.session)
        values = []
        for stage in stages:
            first = self.session.index.get_first_round_number(stage.id)
            last = first + stage.rounds - 1
            values.append((stage.id, text("Knockout, rounds {first}–{last}", first=first, last=last)))
        self._stage.set_choices(values, shown_stage.id if shown_stage else None)
        self._stage.setVisible(len(stages) > 1)

    def _show_chosen_stage(self) -> None:
        self._chosen_stage_id = self._stage.value()
        self.refresh_page()

    def _explain_missing_bracket(self) -> str:
        if self.session.division is None:
            return self.text("First add a division, under Tournament.")
        return self.text(
            "This division has no knockout. To add one, choose Knockout as the system for a stage, under "
            "Tournament."
        )

    def _describe_knockout_format(self, stage: Stage) -> str:
        catalogue, settings = self.session.catalogue, stage.settings
        parts = [catalogue.translate_code(settings.elimination)]
        if settings.third_place and settings.elimination in {EliminationKind.SINGLE, EliminationKind.CONSOLATION}:
            parts.append(catalogue.text("match for third place"))
        if settings.aggregate and settings.series > 1:
            parts.append(
                catalogue.text(C_("knockout match", "total spread over {games} games"), games=settings.series)
            )
        elif settings.series > 1:
            parts.append(catalogue.text(C_("knockout match", "best of {games}"), games=settings.series))
        return " · ".join(parts)

    def _describe_winner(self, stage: Stage, trees: tuple[tables.BracketTree, ...]) -> str:
        if not trees or not all(box.decided for tree in trees for box in tree.boxes):
            return ""
        winners = [
            player
            for player, rank in compute_worst_possible_knockout_ranks(self.session.index, stage).items()
            if rank == 1
        ]
        if len(winners) != 1:
            return ""
        name = map_players_with_distinct_names(self.session.index)[winners[0]].name
        return self.text("{player} has won the knockout.", player=name)

    # --- conditions

    def _has_bracket(self) -> bool:
        return self.view.current_match is not None

    def _can_seed_players(self) -> bool:
        stage = self._find_knockout_to_display()
        return stage is not None and self.session.is_editable and not self._has_rounds(stage)

    def _has_rounds(self, stage: Stage) -> bool:
        return any(item.stage == stage.id for item in self.session.tournament.rounds.values())

    # --- handlers

    def open_bracket_print_preview(self) -> None:
        PrintPreview(self.session, "bracket", parent=self.window()).open()

    def _open_last_game_of_current_match(self, key: str) -> None:
        game = self.get_selected_game()
        if key and game is not None:
            self.page_requested.emit("rounds", game.id)

    def _seed_players(self, method: Seeding) -> None:
        stage = self._find_knockout_to_display()
        if stage is not None:
            self.session.do(
                partial(commands.seed_stage, key=self.session.make_row_id(), stage=stage.id, by=method)
            )
