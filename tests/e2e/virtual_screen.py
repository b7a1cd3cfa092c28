"""The program on a virtual screen, with real keys and a mouse (xdotool).

Tests check its file, the titles of its windows, and pictures of the screen.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from PIL import ImageGrab

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.tournament import Tournament

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 120.0  # seconds to wait for a fact, for a machine ten times as slow
POLL, MAX_POLL = 0.02, 0.3  # seconds between two checks, first and later
STILL_TIME = 1.2  # longer than a cursor takes to blink
SIZE = ("1280", "800")
ALL = (0, 0, 1280, 800)
MAIN = r" – tdapp$|^tdapp$"
KEYPAD = {"0": 90, "1": 87, "2": 88, "3": 89, "4": 83, "5": 84, "6": 85, "7": 79, "8": 80, "9": 81, ".": 91}
KEYPAD_ENTER = 104  # X keycodes: key names depend on Num Lock
LEFT_BUTTON, RIGHT_BUTTON = "1", "3"


def explain_missing_programs() -> str:
    """Return the missing programs for real keys as text, or an empty text."""
    programs = [name for name in ("Xvfb", "xdotool") if not shutil.which(name)]
    return f"needs {' and '.join(programs)}: installer/bootstrap.py test provides them" if programs else ""


@contextmanager
def run_display() -> Iterator[str]:
    """Run a separate X server without a screen. Yield its name."""
    size = ["-screen", "0", "1280x800x24"]
    command = ["Xvfb", "-displayfd", "1", *size, "-nolisten", "tcp", "-noreset", "-r"]  # no repeated keys
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        try:
            number = server.stdout.readline().strip()  # printed when the server listens
            assert number, "Xvfb did not start"
            yield f":{number}"
        finally:
            server.terminate()


class VirtualScreen:
    """A display with one running program. Its home is in `folder`. A session bus is optional."""

    def __init__(self, folder: Path, file: Path, display: str, *, bus: str = "") -> None:
        self.folder, self.file, self._display = folder, file, display
        self._bus = {"DBUS_SESSION_BUS_ADDRESS": bus} if bus else {}
        self._program: subprocess.Popen[bytes] | None = None
        self._log = folder / "said.txt"
        self._window = ""

    # --- the program

    def start_program(self, *arguments: str) -> None:
        """Start the program and wait for its window."""
        with self._log.open("ab") as log:
            command = [sys.executable, "-m", "tdapp", *arguments]
            self._program = subprocess.Popen(
                command, cwd=ROOT, env=self._make_environment(), stdout=log, stderr=log
            )
        self.focus_window()

    def wait_for_exit(self) -> int:
        """Wait until the program ends. Return its exit code."""
        assert self._program is not None
        code = self._program.wait(TIMEOUT)
        self._program = None
        return code

    def kill_program(self) -> None:
        """Kill the program at once."""
        if self._program is not None:
            self._program.send_signal(signal.SIGKILL)
            self._program.wait(TIMEOUT)
            self._program = None

    def read_output(self) -> str:
        """Return the standard output and the errors of the program."""
        return self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""

    def _make_environment(self) -> Mapping[str, str]:
        home = self.folder / "home"
        folder_names = {"CONFIG_HOME": "config", "DATA_HOME": "data", "CACHE_HOME": "cache", "RUNTIME_DIR": "run"}
        for name in folder_names.values():
            (home / name).mkdir(parents=True, exist_ok=True, mode=0o700)
        removed_names = (
            "DBUS_SESSION_BUS_ADDRESS",
            "WAYLAND_DISPLAY",
            "XDG_CURRENT_DESKTOP",
            "QT_QPA_PLATFORMTHEME",
        )
        kept_variables = {name: value for name, value in os.environ.items() if name not in removed_names}
        folders = {f"XDG_{name}": str(home / folder) for name, folder in folder_names.items()}
        words = {"LC_ALL": "C.UTF-8", "LANGUAGE": "en"}
        screen = {"HOME": str(home), "QT_QPA_PLATFORM": "xcb", "DISPLAY": self._display}
        return {**kept_variables, **folders, **words, **self._bus, **screen}

    # --- windows

    def focus_window(self, title: str = MAIN) -> None:
        """Wait for a window whose title matches a regular expression, and give it the focus."""
        self._window = self.wait_for(lambda: self._find_window(title), f"a window called {title!r}")
        if title == MAIN:
            self._xdotool("windowsize", self._window, *SIZE, "windowmove", self._window, "0", "0")
        self._set_focus()

    def has_open_menu(self) -> bool:
        """Return whether a menu is open, which is a second window."""
        return len(self._list_windows()) > 1

    def read_title(self) -> str:
        """Return the title of the focused window."""
        return self._read_window_title(self._window)

    def wait_until_closed(self, title: str) -> None:
        """Wait until no window has this title. Focus the main window."""
        self.wait_for(lambda: not self._find_window(title), f"no window called {title!r}")
        self.focus_window()

    def save_picture(self, name: str) -> Path:
        """Save a picture of the screen. Return its path."""
        path = self.folder / f"{name}.png"
        ImageGrab.grab(xdisplay=self._display).save(path)
        return path

    def grab_pixels(self, box: tuple[int, int, int, int]) -> bytes:
        """Return the pixels of a box: left, top, right, bottom."""
        return ImageGrab.grab(xdisplay=self._display).crop(box).tobytes()

    def read_colour(self, x: int, y: int) -> tuple[int, ...]:
        """Return the red, green and blue of a point of the screen."""
        return tuple(self.grab_pixels((x, y, x + 1, y + 1))[:3])

    def wait_until_still(self, box: tuple[int, int, int, int], *, other_than: bytes = b"") -> bytes:
        """Wait until a part of the screen does not change for a second, and return its pixels. A cursor may blink.

        `other_than` is the picture before the action: on a busy machine the change can come late.
        """
        seen_pictures: set[bytes] = set()
        picture, start_time = b"", time.monotonic()

        def is_still() -> bool:
            nonlocal picture, start_time
            picture = self.grab_pixels(box)
            if picture not in seen_pictures:
                seen_pictures.add(picture)
                start_time = time.monotonic()
            return picture != other_than and time.monotonic() - start_time > STILL_TIME

        self.wait_for(is_still, "an unchanged screen")
        return picture

    def _find_window(self, title: str) -> str:
        return next(
            (window for window in self._list_windows() if re.search(title, self._read_window_title(window))), ""
        )

    def _list_windows(self) -> list[str]:
        assert self._program is not None
        window_ids = self._xdotool("search", "--onlyvisible", "--pid", str(self._program.pid), may_fail=True)
        return window_ids.split()

    def _read_window_title(self, window: str) -> str:
        return self._xdotool("getwindowname", window, may_fail=True).strip()

    def _set_focus(self) -> None:
        def has_keys() -> bool:
            self._xdotool("windowfocus", self._window, may_fail=True)
            return self._xdotool("getwindowfocus", "-f", may_fail=True).strip() == self._window

        self.wait_for(has_keys, "the focus in the window")

    # --- keys and the mouse

    def press_keys(self, *names: str) -> None:
        """Press keys one after the other. The names are those of X: Return, ctrl+z."""
        self._xdotool("key", "--delay", "4", *names)

    def type_text(self, text: str) -> None:
        """Type a text."""
        self._xdotool("type", "--delay", "4", "--", text)

    def enter_lines(self, *lines: str) -> None:
        """Type lines, and Enter after each line."""
        for line in lines:
            if line:
                self.type_text(line)
            self.press_keys("Return")

    def type_burst(self, lines: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start typing lines without pauses. The end of a `with` block waits for the last key."""
        keys = [("space" if character == " " else character) for line in lines for character in (*line, "Return")]
        return subprocess.Popen(["xdotool", "key", "--delay", "4", *keys], env=self._make_display_environment())

    def name_file(self, title: str, name: str) -> None:
        """Type a file name in a file dialog. Repeat it if the list of proposals used the Enter key."""
        self.focus_window(title)

        def type_name() -> None:
            self.press_keys("ctrl+a")
            self.type_text(name)
            self.press_keys("Return")

        self.repeat_until(type_name, lambda: not self._find_window(title), f"{name} named")

    def press_button(self, x: int, y: int, title: str) -> None:
        """Click a button until a window with this title opens."""
        self.open_window(lambda: self.click_at(x, y), title)

    def open_window(self, action: Callable[[], None], title: str) -> None:
        """Run an action until a window with this title opens."""
        self.repeat_until(action, lambda: self._find_window(title), f"a window called {title!r}")
        self.focus_window(title)

    def type_on_keypad(self, text: str) -> None:
        """Type digits and dots on the numeric keypad, and press its Enter key."""
        self.press_keys("Num_Lock", *(str(KEYPAD[character]) for character in text), str(KEYPAD_ENTER), "Num_Lock")

    def click_at(self, x: int, y: int, button: str = LEFT_BUTTON, *, times: int = 1, pause: int = 40) -> None:
        """Click a point of the screen several `times`, with `pause` milliseconds between clicks."""
        self.move_mouse_to(x, y)
        self._xdotool("click", "--repeat", str(times), "--delay", str(pause), button)

    def move_mouse_to(self, x: int, y: int) -> None:
        """Move the mouse to a point of the screen."""
        self._xdotool("mousemove", str(x), str(y))

    def drag_between(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Drag with the left button from a point to another point, in steps."""
        (x, y), (to_x, to_y) = start, end
        points = [(x + (to_x - x) * step // 5, y + (to_y - y) * step // 5) for step in range(1, 6)]
        moves = [word for point in points for word in ("mousemove", "--sync", *map(str, point))]
        self._xdotool("mousemove", str(x), str(y), "mousedown", LEFT_BUTTON, *moves, "mouseup", LEFT_BUTTON)

    def _xdotool(self, *words: str, may_fail: bool = False) -> str:
        command = ["xdotool", *words]
        result = subprocess.run(
            command,
            env=self._make_display_environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT,
        )
        if result.returncode and not may_fail:
            raise AssertionError(f"xdotool {' '.join(words)}: {result.stderr}")
        return result.stdout

    def _make_display_environment(self) -> Mapping[str, str]:
        return {**os.environ, "DISPLAY": self._display}

    # --- facts

    def wait_for(self, fact: Callable[[], T], description: str) -> T:
        """Wait until the result of `fact` is true, and return it. Save a picture after a timeout."""
        end, pause = time.monotonic() + TIMEOUT, POLL
        while not (result := fact()):
            if self._program is None or self._program.poll() is not None:
                raise AssertionError(f"the program has ended before {description}: {self.read_output()}")
            if time.monotonic() > end:
                raise AssertionError(
                    f"timeout: {description}; picture: {self.save_picture('failed')}; output: {self.read_output()}"
                )
            time.sleep(pause)
            pause = min(1.4 * pause, MAX_POLL)
        return result

    def repeat_until(self, action: Callable[[], None], fact: Callable[[], object], description: str) -> None:
        """Repeat an action until `fact` is true. Before each repetition, wait for an unchanged screen."""
        end = time.monotonic() + TIMEOUT
        while not fact() and time.monotonic() < end:
            action()
            self._wait_briefly(fact, description)
        self.wait_for(fact, description)

    def _wait_briefly(self, fact: Callable[[], object], description: str) -> None:
        end = time.monotonic() + TIMEOUT / 40
        self.wait_for(lambda: fact() or time.monotonic() > end, description)
        if not fact():
            self.wait_until_still(ALL)

    def count_steps(self) -> int:
        """Return the number of steps in the journal of the file."""
        return self._read_desk(lambda desk: len(desk.list_all_steps()))

    @contextmanager
    def wait_for_step(self, description: str) -> Iterator[None]:
        """Wait at the end of the block until the journal has a new step."""
        before = self.count_steps()
        yield
        self.wait_for(lambda: self.count_steps() > before, f"a step in the journal for {description!r}")

    def read_tournament(self) -> Tournament:
        """Return the tournament in the file."""
        return self._read_desk(lambda desk: desk.tournament)

    def read_index(self) -> TournamentIndex:
        """Return the index of the tournament in the file."""
        return TournamentIndex(self.read_tournament())

    def _read_desk(self, read: Callable[[Desk], T]) -> T:
        with closing(Desk.open(self.file, read_only=True)) as desk:
            return read(desk)

    def wait_for_state(self, fact: Callable[[TournamentIndex], object], description: str) -> None:
        """Wait until `fact` is true for the tournament in the file."""
        self.wait_for(lambda: self._is_true_in_file(fact), description)

    def press_until(
        self, keys: Callable[[], None], fact: Callable[[TournamentIndex], object], description: str
    ) -> None:
        """Press keys until `fact` is true for the file. The screen can still show an earlier state."""
        self.repeat_until(keys, lambda: self._is_true_in_file(fact), description)

    def _is_true_in_file(self, fact: Callable[[TournamentIndex], object]) -> bool:
        try:
            return bool(fact(self.read_index()))
        except StorageError:
            return False  # the file does not exist yet
