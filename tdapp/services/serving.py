"""The switch of the room's page: on while the director wants it, for the tournament that is open.

Hides the server's thread. It is shown every change; what players enter is written on the desk's own thread, by a
station of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tdapp.desk import Desk
from tdapp.domain.errors import UserError
from tdapp.domain.roles import Role
from tdapp.domain.round_clock import RoundClock
from tdapp.domain.tournament import Diff, Tournament
from tdapp.services.featured_service import FeaturingService
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.preferences import number
from tdapp.storage.library import Library
from tdapp.web import PORT

if TYPE_CHECKING:
    from tdapp.web.server import Room

Submit = Callable[[Callable[[], Tournament]], Future[Tournament]]


class ServingService:
    """Whether the room reads an open tournament, and where."""

    def __init__(
        self, tournament: OpenTournament, featuring: FeaturingService, *, changed: Callable[[], None]
    ) -> None:
        """Call `changed` when it is switched on or off."""
        self._open, self._featuring = tournament, featuring
        self._changed = changed
        self._room: Room | None = None

    @property
    def url(self) -> str:
        """What to type in a browser, empty while it is off."""
        return self._room.url if self._room is not None else ""

    @property
    def port(self) -> int:
        """The port chosen last."""
        return number(self._open.settings, "room/port", PORT, most=65_535)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the certificate, empty while it is off or not encrypted."""
        return self._room.fingerprint if self._room is not None else ""

    def start(self, host: str, port: int, *, encrypted: bool = False) -> None:
        """Switch it on; raise UserError where the address or the port cannot be had."""
        self.stop()
        here = self._open
        submit = None if here.read_only else self._submit
        folder = here.library.folder.parent if encrypted else None
        room = make_room(
            here.desk,
            here.resources.folder,
            here.catalogue.language,
            submit,
            typing=submit,
            library=here.library,
            certificates=folder,
        )
        room.start(host, port)
        self._room = room
        self._dress()
        self.feature()
        here.settings.setValue("room/port", port)
        here.settings.setValue("room/host", host)
        here.settings.setValue("room/encrypted", encrypted)
        self._changed()

    @property
    def slots(self) -> tuple[int, ...]:
        """The table that each slot is pointed at, 0 for none, FEATURED_SLOT for the featured one."""
        from tdapp.web.overlays import SLOTS  # noqa: PLC0415 - as above

        kept = str(self._open.settings.value("room/slots", "")).split(",")
        numbers = [int(one) if one.isascii() and one.removeprefix("-").isdigit() else 0 for one in kept]
        return tuple((numbers + [0] * SLOTS)[:SLOTS])

    @property
    def style(self) -> str:
        """The file with the director's style sheet for overlays, empty for none."""
        return str(self._open.settings.value("room/style", ""))

    def dress(self, slots: Iterable[int], style: str) -> None:
        """Point the slots of the overlays at tables and dress all with a style sheet, now and from now on."""
        self._open.settings.setValue("room/slots", ",".join(map(str, slots)))
        self._open.settings.setValue("room/style", style)
        self._dress()

    def _dress(self) -> None:
        if self._room is not None:
            self._room.dress(dict(enumerate(self.slots, 1)), Path(self.style) if self.style else None)

    def feature(self) -> None:
        """Show the featured table as it is now."""
        if self._room is not None:
            self._room.feature(self._featuring.featured)

    def tell_time(self, clock: RoundClock, at: float) -> None:
        """Show the round clock as it is at a second `at` of a steady clock."""
        if self._room is not None:
            self._room.tell_time(clock, at)

    def stop(self) -> None:
        """Switch it off; nothing where it is off."""
        if self._room is not None:
            self._room.stop()
            self._room = None
            self._changed()

    def begin(self) -> None:
        """Switch it off: another tournament is open."""
        self.stop()

    def see(self, _diff: Diff) -> None:
        """Let the room see what has changed."""
        if self._room is not None and self._open.is_open:
            self._room.show(self._open.tournament)

    def _submit(self, call: Callable[[], Tournament]) -> Future[Tournament]:
        """Let the desk's thread run a call; called on the server's."""
        written: Future[Tournament] = Future()
        self._open.work.post(partial(self._in_order, call, written))
        return written

    def _in_order(self, call: Callable[[], Tournament], written: Future[Tournament]) -> None:
        if self._room is None:  # switched off meanwhile
            written.set_exception(UserError("entry-closed"))
        else:
            self._open.ask(call, then=written.set_result, failed=written.set_exception)


def make_room(
    desk: Desk,
    resources: Path,
    language: str,
    submit: Submit | None,
    *,
    typing: Submit | None = None,
    library: Library | None = None,
    certificates: Path | None = None,
) -> Room:
    """Return the room's page of a desk, switched off; `submit` runs calls on the desk's thread, for who enters.

    `typing` does so for who types the featured table, whose words are judged by the lists of a `library`. With a
    folder for `certificates` it is encrypted.
    """
    from tdapp.web.featured_page import no_words  # noqa: PLC0415
    from tdapp.web.result_entry import RoomStation  # noqa: PLC0415
    from tdapp.web.server import Room  # noqa: PLC0415 - a window and most verbs start without the server
    from tdapp.web.typing_page import STATION  # noqa: PLC0415

    station, typist = RoomStation(desk), RoomStation(desk, STATION, Role.JURY)
    return Room(
        desk.tournament,
        resources,
        language=language,
        write=submit and (lambda command: submit(partial(station.enter, command))),
        typing=typing and (lambda command: typing(partial(typist.enter, command, "enter-sheet"))),
        word_lists=library.open_if_there if library else no_words,
        certificates=certificates,
    )
