"""Turn the web server for the venue on and off for the open tournament.

The server runs in its own thread and gets every change of the tournament. The `Desk` object saves the results of
players on another thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, TypeVar

from tdapp.desk import Desk
from tdapp.domain.errors import UserError
from tdapp.domain.problems import Problem
from tdapp.domain.roles import Role
from tdapp.domain.round_clock import RoundClock
from tdapp.domain.tournament import Diff
from tdapp.services.featured_service import FeaturedTableService
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.preferences import load_settings_object, read_positive_number, save_settings_object
from tdapp.storage.library import WordListLibrary
from tdapp.web import PORT
from tdapp.web.desk_access import BrowserDeskState, DeskAccess, RefusedQueuedLine

if TYPE_CHECKING:
    from tdapp.web.server import WebServer

T = TypeVar("T")


class DeskThreadRunner(Protocol):
    """Runs a call on the thread of the `Desk` object."""

    def __call__(self, call: Callable[[], T], /) -> Future[T]: ...


class ServingService:
    """Serves an open tournament as web pages."""

    def __init__(
        self, tournament: OpenTournament, featuring: FeaturedTableService, *, on_change: Callable[[], None]
    ) -> None:
        self._open, self._featuring = tournament, featuring
        self._on_change = on_change
        self._server: WebServer | None = None
        self.access = DeskAccess()

    @property
    def url(self) -> str:
        """URL to type in a browser, "" if the server is off."""
        return self._server.url if self._server is not None else ""

    @property
    def stored_port(self) -> int:
        return read_positive_number(self._open.settings, "room/port", PORT, maximum=65_535)

    @property
    def certificate_fingerprint(self) -> str:
        """Fingerprint of the certificate, "" if the server is off or not encrypted."""
        return self._server.certificate_fingerprint if self._server is not None else ""

    def start_server(self, host: str, port: int, *, encrypted: bool = False) -> None:
        """Start the server. Raises UserError if the address or the port is not available."""
        self.stop_server()
        tournament = self._open
        submit = None if tournament.is_read_only_or_not_director else self._run_on_desk_thread
        folder = tournament.library.folder.parent if encrypted else None
        server = make_web_server(
            tournament.desk, tournament.resources.folder, tournament.catalogue.language, submit, typing=submit,
            library=tournament.library, certificates=folder,
        )  # fmt: skip
        if submit is not None:
            server.enable_browser_desks(tournament.desk, self.access, submit)
        server.start(host, port)
        self._server = server
        self._pass_overlay_settings_to_server()
        self.send_featured_game()
        tournament.settings.setValue("room/port", port)
        tournament.settings.setValue("room/host", host)
        tournament.settings.setValue("room/encrypted", encrypted)
        self._on_change()

    @property
    def table_numbers_of_overlays(self) -> tuple[int, ...]:
        """Table of each overlay (page for a video stream). 0: no table. FEATURED_SLOT: the featured table."""
        from tdapp.web.overlays import SLOTS  # noqa: PLC0415 - as above

        texts = str(self._open.settings.value("room/slots", "")).split(",")
        numbers = [int(text) if text.isascii() and text.removeprefix("-").isdigit() else 0 for text in texts]
        return tuple((numbers + [0] * SLOTS)[:SLOTS])

    @property
    def overlay_style_path(self) -> str:
        """File with the director's style sheet for overlays, or ""."""
        return str(self._open.settings.value("room/style", ""))

    def set_overlays(self, tables: Iterable[int], style: str) -> None:
        self._open.settings.setValue("room/slots", ",".join(map(str, tables)))
        self._open.settings.setValue("room/style", style)
        self._pass_overlay_settings_to_server()

    def _pass_overlay_settings_to_server(self) -> None:
        if self._server is not None:
            self._server.set_overlays(
                dict(enumerate(self.table_numbers_of_overlays, 1)),
                Path(self.overlay_style_path) if self.overlay_style_path else None,
            )

    def send_featured_game(self) -> None:
        if self._server is not None:
            self._server.set_featured_game(self._featuring.featured)

    def send_round_clock_to_server(self, clock: RoundClock, current_time: float) -> None:
        """Send the round clock to the server.

        `current_time`: the current time in seconds, from the same time source as `clock.started_at`.
        """
        if self._server is not None:
            self._server.set_round_clock(clock, current_time)

    def stop_and_sign_out_desks(self) -> None:
        """Stop the server for good. Helpers who enter results in browsers must sign in again later."""
        self.access.end_all_sessions()
        self.stop_server()

    def stop_server(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None
            self._on_change()

    def stop_server_and_load_desk_sign_ins(self) -> None:
        """Stop the server. Load the stored PINs and helpers' sign-ins, for use when the server starts again."""
        self.stop_server()
        state = (
            load_settings_object(self._open.settings, self._make_settings_key_of_desk_access(), BrowserDeskState())
            if self._open.is_open
            else None
        )
        self.access = DeskAccess(
            state, partial(self._open.work.post_call_to_owner_thread, self._store_sign_ins_and_reload_desk_pages)
        )

    def _make_settings_key_of_desk_access(self) -> str:
        return f"tournaments/{self._open.tournament.event.id}/desks"

    def _store_sign_ins_and_reload_desk_pages(self) -> None:
        if self._open.is_open:
            save_settings_object(self._open.settings, self._make_settings_key_of_desk_access(), self.access.state)
        if self._server is not None:
            self._server.reload_pages_of_browser_desks()
        self._on_change()

    def problems(self) -> tuple[Problem, ...]:
        """Return a problem for each input line that a helper sent from a browser and the tournament refused."""
        return tuple(map(_make_refused_line_problem, self.access.refused_lines))

    def remove_refused_line_of_problem(self, problem: Problem) -> None:
        self.access.remove_refused_lines_by_key(
            *(line.key for line in self.access.refused_lines if _make_refused_line_problem(line) == problem)
        )

    def send_tournament_to_web_server(self, _diff: Diff) -> None:
        if self._server is not None and self._open.is_open:
            self._server.show_tournament(self._open.tournament)

    def _run_on_desk_thread(self, call: Callable[[], T], /) -> Future[T]:
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()  # even if the server stops waiting, the call runs
        self._open.work.post_call_to_owner_thread(partial(self._run_call_and_complete_future, call, future))
        return future

    def _run_call_and_complete_future(self, call: Callable[[], T], future: Future[T]) -> None:
        if self._server is None:  # stopped in the meantime
            future.set_exception(UserError("entry-closed"))
        else:
            self._open.run_on_desk_thread(call, on_success=future.set_result, on_error=future.set_exception)


def make_web_server(
    desk: Desk,
    resources: Path,
    language: str,
    submit: DeskThreadRunner | None,
    *,
    typing: DeskThreadRunner | None = None,
    library: WordListLibrary | None = None,
    certificates: Path | None = None,
) -> WebServer:
    """Return a web server without starting it.

    - `submit` saves results and check-ins that players enter (None: not allowed).
    - `typing` saves turns that a typist enters at the featured table (None: not allowed).
    - `certificates` is a folder for encrypted connections (None: not encrypted).
    """
    from tdapp.web.overlays import skip_opening_word_list  # noqa: PLC0415
    from tdapp.web.result_entry import WebPageCommandRunner  # noqa: PLC0415
    from tdapp.web.server import WebServer  # noqa: PLC0415 - most commands need no server
    from tdapp.web.typing_page import STATION  # noqa: PLC0415

    station, typist = WebPageCommandRunner(desk), WebPageCommandRunner(desk, STATION, Role.JURY)
    return WebServer(
        desk.tournament,
        resources,
        language=language,
        write=submit and (lambda command: submit(partial(station.run_command, command))),
        typing=typing and (lambda command: typing(partial(typist.run_command, command, "enter-sheet"))),
        word_lists=library.open_edition_if_available if library else skip_opening_word_list,
        certificates=certificates,
    )


def _make_refused_line_problem(line: RefusedQueuedLine) -> Problem:
    facts = MappingProxyType({"step": f"{line.station}: {line.line}", "why": line.why})
    return Problem("step-refused", facts, "rounds", key=f"{line.game} {line.points}".strip())
