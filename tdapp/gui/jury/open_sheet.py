"""The open score sheet: the typed text (draft), the cursor, and the saved sheet."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

from PySide6.QtCore import QSettings

from tdapp.domain import sheet_draft
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import ScoreSheet
from tdapp.domain.model import EventId, Game, GameId, Player, Result
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.sheet_draft import DraftKey, SheetDraft, SheetDraftError, make_sheet_draft
from tdapp.domain.tournament import Diff
from tdapp.gui.shell.session import Session
from tdapp.scrabble.coordinates import SquareNotation
from tdapp.scrabble.sheet import Sheet
from tdapp.scrabble.tiles import TileSet
from tdapp.services.preferences import DRAFTS_FILE_KEY, read_choice


class UnsavedSheetDrafts(dict[DraftKey, SheetDraft]):
    """Drafts of unsaved score sheets, stored in the settings.

    A copy of a tournament file has its own drafts. A renamed file keeps its drafts.
    """

    def __init__(self, settings: QSettings) -> None:
        super().__init__()
        self._settings = settings
        self.event, self._name = EventId(""), ""
        self.path: Path | None = None

    def load_drafts_if_file_changed(self, event: EventId, path: Path | None) -> bool:
        """Read the drafts of a tournament, unless already loaded. Return whether they were read.

        `event` is the tournament id. `path` is None for a tournament on a server or only in memory.
        """
        owner = str(self._settings.value(f"{DRAFTS_FILE_KEY}/{event}", "") or "")
        is_copy = path is not None and owner not in {"", str(path)} and _exists_or_is_unreadable(Path(owner))
        if path is not None and not is_copy:
            self._settings.setValue(f"{DRAFTS_FILE_KEY}/{event}", str(path))
        name = f"{event}@{blake2b(bytes(path), digest_size=8).hexdigest()}" if path and is_copy else str(event)
        before, self.event, self.path, self._name = self._name, event, path, name
        if name == before:
            return False
        self.clear()
        self.update(sheet_draft.parse_stored_drafts(str(self._settings.value(f"jury/drafts/{name}", "") or "")))
        return True

    def save_drafts(self) -> None:
        if self:
            self._settings.setValue(f"jury/drafts/{self._name}", sheet_draft.format_drafts_for_storage(self))
        elif self.event:
            self._settings.remove(f"jury/drafts/{self._name}")


def _exists_or_is_unreadable(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return True


class OpenSheet:
    """The open score sheet. A game can have two sheets (forms), one from each player."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._drafts = UnsavedSheetDrafts(session.settings)
        self._saved_drafts: dict[DraftKey, SheetDraft] = {}  # drafts of the sheets saved since the program started
        self._discarded_drafts: dict[DraftKey, SheetDraft] = {}
        self._new_player: int | None = None  # player of the new turn if the user chose one
        self.key: DraftKey | None = None  # None while no form is open
        self.turn_index = 0  # turn with the cursor
        self.draft = SheetDraft(("", ""))
        self._base = self.draft
        self.warnings: tuple[str, ...] = ()  # about the loaded file
        self.last_step_seq = 0  # history step of the last save or ruling made here
        self._opened_draft: SheetDraft | None = None  # the draft at the opening, if it was unsaved

    # --- session and game

    @property
    def index(self) -> TournamentIndex:
        return self._session.index

    @property
    def game(self) -> Game | None:
        return self._session.tournament.games.get(self.key[0]) if self.key and self._session.is_open else None

    @property
    def rules(self) -> RuleSet:
        return self._session.tournament.get_ruleset_of_row(self.game or self._session.division)

    @property
    def tileset(self) -> TileSet | None:
        return self.find_tileset_or_default(self.draft.tileset)

    @property
    def square_notation(self) -> SquareNotation:
        tiles = self.find_tileset_or_default(None)
        default_notation = (
            SquareNotation.LETTERED_ROWS if tiles and tiles.lettered_rows else SquareNotation.NUMBERED_ROWS
        )
        return SquareNotation(
            read_choice(
                self._session.settings,
                self._get_notation_settings_key(),
                tuple(SquareNotation),
                default_notation,
            )
        )

    @property
    def result(self) -> Result | None:
        return self.index.get_result(self.key[0]) if self.key else None

    @property
    def saved_sheet(self) -> ScoreSheet | None:
        return self.find_saved_sheet(self.key) if self.key else None

    @property
    def is_unsaved(self) -> bool:
        return self.key is not None and self.draft != self._base

    @property
    def has_same_draft_as_when_opened(self) -> bool:
        """Whether the sheet had unsaved text when it was opened, and this text is unchanged."""
        return self.is_unsaved and self.draft == self._opened_draft

    @property
    def has_restorable_draft(self) -> bool:
        return self.key in self._discarded_drafts

    @property
    def player_number_at_cursor(self) -> int:
        if self.turn_index < len(self.draft.entries):
            return self.draft.entries[self.turn_index].player
        return self._new_player or self.draft.find_player_on_turn()

    def can_edit_sheets(self) -> bool:
        session = self._session
        return (
            session.is_open and session.can_run_commands("enter-sheet") and not session.tournament.event.finished
        )

    def find_tileset_or_default(self, tileset_id: str | None) -> TileSet | None:
        """Return the tile set with this id, or for None the tile set of the rules."""
        return self._session.resources.tilesets.get(tileset_id or self.rules.tileset)

    def find_saved_sheet(self, key: DraftKey) -> ScoreSheet | None:
        return next((item for item in self.index.sheets(key[0]) if item.form == key[1]), None)

    def get_draft(self, key: DraftKey) -> SheetDraft:
        return (self._drafts.get(key) or self._make_draft_of_saved_sheet(key)).convert_to_square_notation(
            self.square_notation
        )

    def list_games_with_unsaved_sheets(self) -> frozenset[GameId]:
        return frozenset(game for game, _ in self._drafts)

    # --- open and refresh

    def open_form(self, key: DraftKey | None) -> None:
        """Show a score sheet, with the cursor after its last turn. None closes it."""
        self.normalise_line_and_save_drafts()
        self.key, self.warnings, self.last_step_seq, self._new_player = key, (), 0, None
        if key is not None:
            self._base, self.draft = self._make_draft_of_saved_sheet(key), self.get_draft(key)
            self.turn_index = len(self.draft.entries) if self.can_edit_sheets() else 0
        self._opened_draft = self.draft if self.is_unsaved else None

    def update_draft_from_session(self) -> None:
        event, path = self._session.tournament.event.id, self._session.path
        is_other_file = (event, path) != (self._drafts.event, self._drafts.path)
        if is_other_file and self._drafts.load_drafts_if_file_changed(event, path):
            self.key = None
            self._saved_drafts.clear()
            self._discarded_drafts.clear()
        game, division = self.game, self._session.division
        if game is None or division is None or self.index.get_division_of_round(game.round).id != division.id:
            self.key = None
        if self.key is not None:
            self._base, self.draft = self._make_draft_of_saved_sheet(self.key), self.get_draft(self.key)
            self.turn_index = min(self.turn_index, len(self.draft.entries))

    def save_square_notation(self, notation: SquareNotation) -> None:
        self.normalise_line_and_save_drafts()
        self._session.settings.setValue(self._get_notation_settings_key(), str(notation))

    # --- edit

    def set_turn_text(self, text: str) -> None:
        self.replace_draft(self.draft.replace_line_text(self.turn_index, text, self.player_number_at_cursor))

    def replace_draft(self, draft: SheetDraft, *, turn_index: int | None = None) -> None:
        if self.key is None or not self.can_edit_sheets():
            return
        self.draft = draft
        if turn_index is not None:
            self.turn_index = turn_index
        self.turn_index = max(0, min(self.turn_index, len(draft.entries)))
        if self.is_unsaved:
            self._drafts[self.key] = draft
        else:
            self._drafts.pop(self.key, None)

    def move_cursor(self, turn_index: int) -> None:
        self.normalise_line_and_save_drafts()
        last = len(self.draft.entries) - (0 if self.can_edit_sheets() else 1)
        self.turn_index = max(0, min(turn_index, last))

    def normalise_line_and_save_drafts(self) -> None:
        self.replace_draft(self.draft.normalise_line(self.turn_index))
        self._drafts.save_drafts()
        self._new_player = None

    def give_turn_to_opponent(self) -> None:
        if self.turn_index < len(self.draft.entries):
            self.replace_draft(self.draft.give_line_to_other_player(self.turn_index))
        else:
            self._new_player = 3 - self.player_number_at_cursor

    def discard_or_restore_draft(self) -> None:
        if self.key is None:
            return
        restored_draft = self._discarded_drafts.pop(self.key, None) if not self.is_unsaved else None
        if self.is_unsaved:
            self._discarded_drafts[self.key] = self.draft
        draft = restored_draft or self._base
        self.replace_draft(draft.convert_to_square_notation(self.square_notation), turn_index=len(draft.entries))
        self.normalise_line_and_save_drafts()

    # --- save

    def keep_draft_for_undo(self) -> None:
        if self.key is not None:
            self._saved_drafts[self.key] = self.draft

    def remember_last_history_step(self) -> None:
        step = self._session.desk.undoable_step
        self.last_step_seq = step.seq if step else 0

    def update_drafts_after_save_or_undo(self, diff: Diff) -> bool:
        """Remove the drafts of the sheets that `diff` saved. Return whether drafts have changed.

        If `diff` undoes a save, restore the sheet's draft, unless a newer one exists.
        """
        before = dict(self._drafts)
        self._rename_players_in_drafts(diff)
        steps = self._session.desk.list_all_steps()
        for change in diff:
            row = change.after or change.before
            if not isinstance(row, ScoreSheet) or (row.game, row.form) not in self._saved_drafts:
                continue
            key = (row.game, row.form)
            draft = self._drafts.get(key)
            if isinstance(change.after, ScoreSheet) and draft and change.after.sheet == self._make_sheet(draft):
                del self._drafts[key]
            elif draft is None and steps and steps[-1].label == "enter-sheet" and steps[-1].undoes is not None:
                self._drafts[key] = self._saved_drafts[key]
            self._drafts.save_drafts()
        return before != self._drafts

    def _rename_players_in_drafts(self, diff: Diff) -> None:
        names = {
            change.before.name: change.after.name
            for change in diff
            if isinstance(change.before, Player) and isinstance(change.after, Player)
        }
        names = {old: new for old, new in names.items() if old != new}
        if not names:
            return
        if (self._session.tournament.event.id, self._session.path) != (self._drafts.event, self._drafts.path):
            self.update_draft_from_session()  # read the drafts of this file
        for drafts in (self._drafts, self._saved_drafts, self._discarded_drafts):
            drafts.update({key: draft.rename_players(names) for key, draft in drafts.items()})
        self.draft, self._base = self.draft.rename_players(names), self._base.rename_players(names)
        self._drafts.save_drafts()

    def _make_sheet(self, draft: SheetDraft) -> Sheet | None:
        tileset = self.find_tileset_or_default(draft.tileset)
        try:
            return draft.make_sheet(tileset) if tileset else None
        except SheetDraftError:
            return None

    def _make_draft_of_saved_sheet(self, key: DraftKey) -> SheetDraft:
        game, players = self._session.tournament.games[key[0]], self._session.tournament.players
        names, stored = (players[game.first].name, players[game.second].name), self.find_saved_sheet(key)
        if stored is None:
            return SheetDraft(names, convention=self.square_notation)
        return make_sheet_draft(stored.sheet, names, self.square_notation)

    def _get_notation_settings_key(self) -> str:
        return f"jury/squares/{self.rules.language}"
