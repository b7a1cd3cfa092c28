"""What the parts of the room's page share: what is shown, who asks, how often, and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Protocol

from starlette.requests import Request

from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.web.room_pages import PageContext, ShownTournament

Write = Callable[[partial[Tournament]], "Future[Tournament]"]  # runs a command where the tournament is written


class Front(Protocol):
    """What the room's pages do for those who answer at addresses of their own."""

    context: PageContext

    @property
    def shown(self) -> ShownTournament:
        """The value that is shown."""

    def catalogue(self, request: Request) -> Catalogue:
        """Return the catalogue of the language of whoever asks."""

    def count_try(self, request: Request) -> None:
        """Count one more try of an address; raise HTTPException where that is one too many."""

    def count_wrong(self, request: Request) -> None:
        """Count one more wrong code of an address; raise HTTPException where that is one too many."""

    async def written(self, command: partial[Tournament], write: Write | None = None) -> None:
        """Run a command where results are written, or by `write`; raise UserError where that cannot be."""
