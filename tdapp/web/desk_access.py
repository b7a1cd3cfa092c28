"""PINs and sessions of browser desks: phones or computers on which helpers enter results or jury decisions.

Session tokens are stored only as hashes. A desk stays signed in after a restart of the program.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from hashlib import sha256
from threading import RLock

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.errors import UserError
from tdapp.domain.roles import Role

DESK_ROLES = (Role.ENTRY, Role.JURY)
PIN_LENGTH = 6
MAX_NAME_LENGTH = 30
_FREE_TRIES = 3  # wrong PINs from an address before it must wait
_MAX_WAIT = 60.0  # longest wait of an address, in seconds
_MAX_WRONG_PINS = 30  # from all addresses in a minute
_MINUTE = 60.0
_ACTIVE_SECONDS = 12.0  # seconds without a request after which a desk counts as inactive


class DeskSession(Struct, frozen=True):
    """The session of a helper signed in with a browser."""

    key: str  # hash of the session token
    role: Role
    name: str

    @property
    def station_name(self) -> str:
        return f"browser {self.name}"


class BrowserDeskState(Struct, frozen=True):
    """PINs and sessions of helpers' browsers, stored between two runs of the program."""

    is_on: bool = False
    entry_pin: str = ""
    jury_pin: str = ""
    sessions: tuple[DeskSession, ...] = ()

    def get_pin(self, role: Role) -> str:
        return self.jury_pin if role is Role.JURY else self.entry_pin


class RefusedQueuedLine(Struct, frozen=True):
    """A line from a helper's browser that waited for the server and was then refused.

    The director must look at it.
    """

    key: str  # unique id of the line
    station: str
    line: str
    why: str  # reason for the refusal
    game: str = ""  # id of the game, or ""
    points: str = ""  # typed points, or ""


class DeskAccess:
    """Signs helpers' browsers (desks) in and out. Thread-safe."""

    def __init__(
        self,
        state: BrowserDeskState | None = None,
        on_change: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare the sign-in.

        `on_change` is called after each change of the state, each wrong PIN and each refused line. It runs on the
        thread that made the change.
        """
        self.state = state or BrowserDeskState()
        self._on_change, self._clock = on_change, clock
        self._lock = RLock()
        self._wrong_tries: dict[str, tuple[int, float]] = {}  # wrong PINs of an address, and the end of its pause
        self._wrong_pin_times: list[float] = []
        self._last_activity: dict[str, float] = {}
        self.change_count = 0  # when this rises, browser desks reload their page
        self.wrong_pins = 0
        self.refused_lines: tuple[RefusedQueuedLine, ...] = ()
        self._removed_line_keys: set[str] = set()

    # --- director

    def switch_on_with_new_pins(self) -> None:
        """Make new PINs, and allow helpers' browsers to sign in."""
        entry = make_pin()
        self._replace_state(BrowserDeskState(is_on=True, entry_pin=entry, jury_pin=make_pin(entry)))

    def switch_off_and_sign_out_desks(self) -> None:
        """Sign out all helpers' browsers, and refuse new sign-ins. Delete the PINs and `refused_lines`."""
        self.refused_lines, self.wrong_pins = (), 0
        self._replace_state(BrowserDeskState())

    def renew_pin(self, role: Role) -> None:
        """Make a new PIN for a role. Signed-in browsers stay signed in."""
        with self._lock:
            pin = make_pin(self.state.entry_pin, self.state.jury_pin)
            self.wrong_pins = 0
            changes = {"jury_pin": pin} if role is Role.JURY else {"entry_pin": pin}
            self._replace_state(replace(self.state, **changes))

    def end_session(self, key: str) -> None:
        with self._lock:
            sessions = tuple(session for session in self.state.sessions if session.key != key)
            self._replace_state(replace(self.state, sessions=sessions))

    def end_all_sessions(self) -> None:
        """Sign all helpers' browsers out. The PINs stay."""
        if self.state.sessions:
            self._replace_state(replace(self.state, sessions=()))

    def is_browser_connected(self, session: DeskSession) -> bool:
        return self._clock() - self._last_activity.get(session.key, float("-inf")) < _ACTIVE_SECONDS

    # --- server

    def sign_in(self, pin: str, name: str, address: str) -> str:
        """Return the token of a new session.

        Raises UserError "pin-wrong", "pin-wait" with the seconds to wait, or "desks-off".
        """
        with self._lock:
            if not self.state.is_on:
                raise UserError("desks-off")
            self._refuse_sign_in_while_blocked(address)
            typed_pin = "".join(pin.split())
            roles = [
                role
                for role in DESK_ROLES
                if secrets.compare_digest(typed_pin.encode(), self._get_encoded_pin(role))
            ]
            if not roles:
                self._count_wrong_pin(address)
                raise UserError("pin-wrong")
            self._wrong_tries.pop(address, None)
            token = secrets.token_urlsafe(24)
            session = DeskSession(hash_token(token), roles[0], self._choose_desk_name(name, roles[0]))
            self._last_activity[session.key] = self._clock()
            self._replace_state(replace(self.state, sessions=(*self.state.sessions, session)))
            return token

    def find_and_refresh_session(self, token: str) -> DeskSession | None:
        key = hash_token(token) if token else ""
        session = next((item for item in self.state.sessions if item.key == key), None)
        if session is not None:
            self.record_activity(session)
        return session

    def record_activity(self, session: DeskSession) -> None:
        was_active = self.is_browser_connected(session)
        self._last_activity[session.key] = self._clock()
        if not was_active:
            self._on_change()

    # --- refused lines

    def store_refused_line(self, line: RefusedQueuedLine) -> None:
        with self._lock:
            if line.key not in self._removed_line_keys:
                other_lines = tuple(item for item in self.refused_lines if item.key != line.key)
                self.refused_lines = (*other_lines, line)
        self._on_change()

    def remove_refused_lines_by_key(self, *keys: str) -> None:
        with self._lock:
            self.refused_lines = tuple(line for line in self.refused_lines if line.key not in keys)
            self._removed_line_keys.update(keys)
            self.change_count += 1
        self._on_change()

    def remove_refused_lines_of_game(self, station: str, game: str) -> None:
        """Delete the refused lines of one browser (`station`) for one game.

        Call this after saving a later line of the same browser and game.
        """
        keys = [
            line.key for line in self.refused_lines if line.game and (line.station, line.game) == (station, game)
        ]
        if keys:
            self.remove_refused_lines_by_key(*keys)

    @property
    def removed_line_keys(self) -> tuple[str, ...]:
        """Keys of deleted input lines that the tournament had refused. Browsers delete their copies too."""
        return tuple(self._removed_line_keys)

    # --- helpers

    def _replace_state(self, state: BrowserDeskState) -> None:
        self.state = state
        self.change_count += 1
        self._on_change()

    def _get_encoded_pin(self, role: Role) -> bytes:
        return (self.state.get_pin(role) or secrets.token_hex()).encode()

    def _refuse_sign_in_while_blocked(self, address: str) -> None:
        current_time = self._clock()
        self._wrong_pin_times = [
            wrong_pin_time for wrong_pin_time in self._wrong_pin_times if current_time - wrong_pin_time < _MINUTE
        ]
        wait = max(0.0, self._wrong_tries.get(address, (0, 0.0))[1] - current_time)
        if len(self._wrong_pin_times) >= _MAX_WRONG_PINS:
            wait = max(wait, self._wrong_pin_times[0] + _MINUTE - current_time)
        if wait > 0:
            raise UserError("pin-wait", seconds=int(wait) + 1)

    def _count_wrong_pin(self, address: str) -> None:
        current_time, count = self._clock(), self._wrong_tries.get(address, (0, 0.0))[0] + 1
        pause = 0.0 if count < _FREE_TRIES else min(_MAX_WAIT, 2.0 ** (count - _FREE_TRIES + 1))
        self._wrong_tries[address] = count, current_time + pause
        self._wrong_pin_times.append(current_time)
        self.wrong_pins += 1
        self._on_change()

    def _choose_desk_name(self, name: str, role: Role) -> str:
        """Return a name that no other browser has, so that each browser can undo only its own changes."""
        base_name = "".join(filter(str.isprintable, " ".join(name.split())))[:MAX_NAME_LENGTH].strip() or str(role)
        taken_names, number, unique_name = (
            {session.name.casefold() for session in self.state.sessions},
            1,
            base_name,
        )
        while unique_name.casefold() in taken_names:
            number += 1
            unique_name = f"{base_name} {number}"
        return unique_name


def make_pin(*other_pins: str) -> str:
    while (pin := f"{secrets.randbelow(10**PIN_LENGTH):0{PIN_LENGTH}}") in other_pins:
        pass
    return pin


def hash_token(token: str) -> str:
    return sha256(token.encode()).hexdigest()[:32]
