"""Interface of the page handlers: shown value, language, rate limits and writing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Protocol

from starlette.requests import Request

from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.web.room_pages import PageContext, ShownTournament

Write = Callable[[partial[Tournament]], "Future[Tournament]"]  # runs a command on the desk's thread


class Front(Protocol):
    """Services of the main pages for handlers with their own address."""

    context: PageContext

    @property
    def shown(self) -> ShownTournament:
        """The current value."""

    def catalogue(self, request: Request) -> Catalogue:
        """Return the catalogue in the client's language."""

    def count_try(self, request: Request) -> None:
        """Count an attempt of an address. Raises HTTPException above the limit."""

    def count_wrong(self, request: Request) -> None:
        """Count a wrong code of an address. Raises HTTPException above the limit."""

    async def written(self, command: partial[Tournament], write: Write | None = None) -> None:
        """Run a command with `write` or the default writer. Raises UserError."""
