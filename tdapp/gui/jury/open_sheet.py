"""The sheet that is open on the Jury page: the draft, where the cursor is in it, and the sheet it began with.

Hides where drafts come from and when they are made safe: what is typed stays until it is kept or put aside, and
comes back when keeping it is undone.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

from PySide6.QtCore import QSettings

from tdapp.domain import sheet_draft
from tdapp.domain.index import Index
from tdapp.domain.jury_rows import ScoreSheet
from tdapp.domain.model import EventId, Game, GameId, Player, Result
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.sheet_draft import Draft, Key, UnreadyError, draft_of_sheet
from tdapp.domain.tournament import Diff
from tdapp.gui.shell.session import Session
from tdapp.scrabble.coordinates import Convention
from tdapp.scrabble.sheet import Sheet
from tdapp.scrabble.tiles import TileSet
from tdapp.services.preferences import TYPED_IN, chosen


class Drafts(dict[Key, Draft]):
    """What is typed and not kept yet, by game and form; it outlives the window, and whatever happens to it.

    It belongs to the file in which the tournament was opened first, also while that is shared, and goes along when
    it is renamed. A copy of the file has its own.
    """

    def __init__(self, settings: QSettings) -> None:
        super().__init__()
        self._settings = settings
        self.event, self._name = EventId(""), ""
        self.path: Path | None = None

    def open(self, event: EventId, path: Path | None) -> bool:
        """Take up what was typed for a tournament in a file, None for one on a server or in memory.

        Return whether that is something else than what is here.
        """
        owner = str(self._settings.value(f"{TYPED_IN}/{event}", "") or "")
        copied = path is not None and owner not in {"", str(path)} and _is_there(Path(owner))
        if path is not None and not copied:
            self._settings.setValue(f"{TYPED_IN}/{event}", str(path))
        name = f"{event}@{blake2b(bytes(path), digest_size=8).hexdigest()}" if path and copied else str(event)
        before, self.event, self.path, self._name = self._name, event, path, name
        if name == before:
            return False
        self.clear()
        self.update(sheet_draft.read(str(self._settings.value(f"jury/drafts/{name}", "") or "")))
        return True

    def save(self) -> None:
        """Write everything to the settings."""
        if self:
            self._settings.setValue(f"jury/drafts/{self._name}", sheet_draft.written(self))
        elif self.event:
            self._settings.remove(f"jury/drafts/{self._name}")


def _is_there(path: Path) -> bool:
    """Return whether a file is there, also where nobody may look."""
    try:
        return path.exists()
    except OSError:
        return True


class OpenSheet:
    """One game's sheet, in one of its two forms; `key` None: none is open."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._drafts = Drafts(session.settings)
        self._kept: dict[Key, Draft] = {}  # what was typed for sheets that were kept since the program started
        self._aside: dict[Key, Draft] = {}
        self._new_player: int | None = None  # whose turn comes, if not the one whose turn it is
        self.key: Key | None = None
        self.place = 0  # of the cursor among the lines
        self.draft = Draft(("", ""))
        self._base = self.draft
        self.warnings: tuple[str, ...] = ()  # of the file that was loaded
        self.done = 0  # the step of the history that was made here last

    # --- what it belongs to

    @property
    def index(self) -> Index:
        """The look-ups of the tournament."""
        return self._session.index

    @property
    def game(self) -> Game | None:
        """The game, None while none is open."""
        return self._session.tournament.games.get(self.key[0]) if self.key and self._session.is_open else None

    @property
    def rules(self) -> RuleSet:
        """The rules of the game's division, of the chosen one while none is open."""
        return self._session.tournament.rules_of(self.game or self._session.division)

    @property
    def tileset(self) -> TileSet | None:
        """The tiles of the sheet, None where the program does not have them."""
        return self.tiles_of(self.draft.tileset)

    @property
    def convention(self) -> Convention:
        """What squares are written in, as this user wants it for the rule set's language."""
        tiles = self.tiles_of(None)
        usual = Convention.LETTERED_ROWS if tiles and tiles.lettered_rows else Convention.NUMBERED_ROWS
        return Convention(chosen(self._session.settings, self._squares(), tuple(Convention), usual))

    @property
    def result(self) -> Result | None:
        """The result that the game has."""
        return self.index.result(self.key[0]) if self.key else None

    @property
    def stored(self) -> ScoreSheet | None:
        """The sheet that is kept for the game and the form."""
        return self.kept(self.key) if self.key else None

    @property
    def unsaved(self) -> bool:
        """Whether something is typed that is not kept."""
        return self.key is not None and self.draft != self._base

    @property
    def set_aside(self) -> bool:
        """Whether something was put aside that can be brought back."""
        return self.key in self._aside

    @property
    def player(self) -> int:
        """Whose turn the cursor is on."""
        if self.place < len(self.draft.entries):
            return self.draft.entries[self.place].player
        return self._new_player or self.draft.next_player()

    def may_change(self) -> bool:
        """Return whether anything may be changed."""
        session = self._session
        return session.is_open and session.may("enter-sheet") and not session.tournament.event.finished

    def tiles_of(self, tileset: str | None) -> TileSet | None:
        """Return a tile set by its id, None: the rule set's."""
        return self._session.resources.tilesets.get(tileset or self.rules.tileset)

    def kept(self, key: Key) -> ScoreSheet | None:
        """Return a form of a game that is kept."""
        return next((item for item in self.index.sheets(key[0]) if item.form == key[1]), None)

    def draft_of(self, key: Key) -> Draft:
        """Return what is typed for a form, else what is kept of it."""
        return (self._drafts.get(key) or self._kept_draft(key)).rewritten(self.convention)

    def typed(self) -> frozenset[GameId]:
        """Return the games for which something is typed that is not kept."""
        return frozenset(game for game, _ in self._drafts)

    # --- opening and following

    def open(self, key: Key | None) -> None:
        """Open a game's form with the cursor behind its last turn; None closes what is open."""
        self.settle()
        self.key, self.warnings, self.done, self._new_player = key, (), 0, None
        if key is not None:
            self._base, self.draft = self._kept_draft(key), self.draft_of(key)
            self.place = len(self.draft.entries) if self.may_change() else 0

    def follow(self) -> None:
        """Take over the session as it is now; what is typed stays."""
        event, path = self._session.tournament.event.id, self._session.path
        elsewhere = (event, path) != (self._drafts.event, self._drafts.path)
        if elsewhere and self._drafts.open(event, path):
            self.key = None
            self._kept.clear()
            self._aside.clear()
        game, division = self.game, self._session.division
        if game is None or division is None or self.index.division_of(game.round).id != division.id:
            self.key = None
        if self.key is not None:
            self._base, self.draft = self._kept_draft(self.key), self.draft_of(self.key)
            self.place = min(self.place, len(self.draft.entries))

    def choose_squares(self, convention: Convention) -> None:
        """Write squares in another convention from now on."""
        self.settle()
        self._session.settings.setValue(self._squares(), str(convention))

    # --- changing

    def type(self, text: str) -> None:
        """Take what is typed in the line of the cursor."""
        self.take(self.draft.typed(self.place, text, self.player))

    def take(self, draft: Draft, *, place: int | None = None) -> None:
        """Take another draft, with the cursor at `place`."""
        if self.key is None or not self.may_change():
            return
        self.draft = draft
        if place is not None:
            self.place = place
        self.place = max(0, min(self.place, len(draft.entries)))
        if self.unsaved:
            self._drafts[self.key] = draft
        else:
            self._drafts.pop(self.key, None)

    def go_to(self, place: int) -> None:
        """Put the cursor on a line, or behind the last one."""
        self.settle()
        last = len(self.draft.entries) - (0 if self.may_change() else 1)
        self.place = max(0, min(place, last))

    def settle(self) -> None:
        """Write the line of the cursor as it is understood, and make what is typed safe."""
        self.take(self.draft.settled(self.place))
        self._drafts.save()
        self._new_player = None

    def give_away(self) -> None:
        """Give the turn of the cursor to the other player."""
        if self.place < len(self.draft.entries):
            self.take(self.draft.given_away(self.place))
        else:
            self._new_player = 3 - self.player

    def put_aside(self) -> None:
        """Go back to the sheet that is kept, or bring back what was put aside before."""
        if self.key is None:
            return
        back = self._aside.pop(self.key, None) if not self.unsaved else None
        if self.unsaved:
            self._aside[self.key] = self.draft
        draft = back or self._base
        self.take(draft.rewritten(self.convention), place=len(draft.entries))
        self.settle()

    # --- keeping

    def remember(self) -> None:
        """Remember what was typed for the sheet that is about to be kept."""
        if self.key is not None:
            self._kept[self.key] = self.draft

    def note_done(self) -> None:
        """Remember that the newest step was made here, so that it can be named beside the sheet."""
        step = self._session.desk.undo_step
        self.done = step.seq if step else 0

    def hear(self, diff: Diff) -> bool:
        """Forget what is typed when it is kept; when that is undone bring it back, unless more was typed since.

        Return whether other things are typed now than before.
        """
        before = dict(self._drafts)
        self._rename(diff)
        steps = self._session.desk.history()
        for change in diff:
            row = change.after or change.before
            if not isinstance(row, ScoreSheet) or (row.game, row.form) not in self._kept:
                continue
            key = (row.game, row.form)
            typed = self._drafts.get(key)
            if isinstance(change.after, ScoreSheet) and typed and change.after.sheet == self._sheet(typed):
                del self._drafts[key]
            elif typed is None and steps and steps[-1].label == "enter-sheet" and steps[-1].undoes is not None:
                self._drafts[key] = self._kept[key]
            self._drafts.save()
        return before != self._drafts

    def _rename(self, diff: Diff) -> None:
        """Rename the players in what is typed: an erased name is in no draft either."""
        names = {
            change.before.name: change.after.name
            for change in diff
            if isinstance(change.before, Player) and isinstance(change.after, Player)
        }
        names = {old: new for old, new in names.items() if old != new}
        if not names:
            return
        if (self._session.tournament.event.id, self._session.path) != (self._drafts.event, self._drafts.path):
            self.follow()  # takes up what was typed
        for drafts in (self._drafts, self._kept, self._aside):
            drafts.update({key: draft.renamed(names) for key, draft in drafts.items()})
        self.draft, self._base = self.draft.renamed(names), self._base.renamed(names)
        self._drafts.save()

    def _sheet(self, draft: Draft) -> Sheet | None:
        tileset = self.tiles_of(draft.tileset)
        try:
            return draft.sheet(tileset) if tileset else None
        except UnreadyError:
            return None

    def _kept_draft(self, key: Key) -> Draft:
        """Return the sheet that is kept for a form as a draft, an empty one if there is none."""
        game, players = self._session.tournament.games[key[0]], self._session.tournament.players
        names, stored = (players[game.first].name, players[game.second].name), self.kept(key)
        if stored is None:
            return Draft(names, convention=self.convention)
        return draft_of_sheet(stored.sheet, names, self.convention)

    def _squares(self) -> str:
        return f"jury/squares/{self.rules.language}"
