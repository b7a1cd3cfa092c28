"""What is in doubt on the forms of a round: the rows of its tables, each sheet judged once."""

from __future__ import annotations

from tdapp.domain.jury_rows import ScoreSheet
from tdapp.domain.model import Round, RoundState
from tdapp.domain.tables.jury import SheetRow, sheets
from tdapp.gui.shell.session import Session
from tdapp.i18n.sheet_reading import DoubtCounts


class RoundDoubts:
    """Reads the tournament of a session with its word list, unless the judge's screen is open."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._counts = DoubtCounts()

    def rows(self, item: Round | None) -> tuple[SheetRow, ...]:
        """Return the tables of a round, none while it is not published."""
        if item is None or item.state is not RoundState.PUBLISHED:
            return ()
        return sheets(self._session.index, item, doubtful=self.turns).rows

    def turns(self, form: ScoreSheet) -> frozenset[int]:
        """Return the numbers of a kept sheet's turns with something in doubt, 0 for the whole game."""
        session, rules = self._session, self._session.tournament.rules_of(form)
        tileset = self._session.resources.tilesets.get(form.sheet.tileset or rules.tileset)
        wordlist = None if session.judging else session.word_list(form)
        return self._counts.of(session.index, form, tileset, wordlist) if tileset is not None else frozenset()
