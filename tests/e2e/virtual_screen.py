"""The program on a virtual screen, with real keys and mouse (xdotool).

Its effects are observed from outside: in its file, in the titles of its windows, in a picture of the screen.
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
from tdapp.domain.index import Index
from tdapp.domain.tournament import Tournament

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 120.0  # seconds until a fact, for a machine ten times as slow
POLL, MAX_POLL = 0.02, 0.3  # seconds between two looks, at first and after a while: each costs what a step does
STILL_TIME = 1.2  # longer than a cursor takes to blink
SIZE = ("1280", "800")
ALL = (0, 0, 1280, 800)
MAIN = r" – tdapp$|^tdapp$"
KEYPAD = {"0": 90, "1": 87, "2": 88, "3": 89, "4": 83, "5": 84, "6": 85, "7": 79, "8": 80, "9": 81, ".": 91}
KEYPAD_ENTER = 104  # X keycodes, as Num Lock leaves their meaning open
LEFT_BUTTON, RIGHT_BUTTON = "1", "3"


def missing() -> str:
    """Return why real keys are not available here, or an empty text."""
    programs = [name for name in ("Xvfb", "xdotool") if not shutil.which(name)]
    return f"needs {' and '.join(programs)}: installer/bootstrap.py test provides them" if programs else ""


@contextmanager
def display() -> Iterator[str]:
    """Start a separate X server without a screen; yield its name; end it afterwards."""
    size = ["-screen", "0", "1280x800x24"]
    command = ["Xvfb", "-displayfd", "1", *size, "-nolisten", "tcp", "-noreset", "-r"]  # no key repeats itself
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        try:
            number = server.stdout.readline().strip()  # said once it listens
            assert number, "Xvfb did not start"
            yield f":{number}"
        finally:
            server.terminate()


class Screen:
    """One program at a time, with its own home under `folder`, on a display with an optional session bus."""

    def __init__(self, folder: Path, file: Path, display: str, *, bus: str = "") -> None:
        self.folder, self.file, self._display = folder, file, display
        self._bus = {"DBUS_SESSION_BUS_ADDRESS": bus} if bus else {}
        self._program: subprocess.Popen[bytes] | None = None
        self._log = folder / "said.txt"
        self._window = ""

    # --- the program

    def start(self, *arguments: str) -> None:
        """Start the program and wait for its window."""
        with self._log.open("ab") as log:
            command = [sys.executable, "-m", "tdapp", *arguments]
            self._program = subprocess.Popen(command, cwd=ROOT, env=self._environment(), stdout=log, stderr=log)
        self.focus_window()

    def wait_for_exit(self) -> int:
        """Wait until the program has ended by itself; return its exit code."""
        assert self._program is not None
        code = self._program.wait(TIMEOUT)
        self._program = None
        return code

    def kill(self) -> None:
        """Kill the program at once."""
        if self._program is not None:
            self._program.send_signal(signal.SIGKILL)
            self._program.wait(TIMEOUT)
            self._program = None

    def read_output(self) -> str:
        """Return what the program has said on its outputs."""
        return self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""

    def _environment(self) -> Mapping[str, str]:
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
        """Wait for a window with this title, a regular expression, and give it the keys, as a desktop does."""
        self._window = self.wait_for(lambda: self._find_window(title), f"a window called {title!r}")
        if title == MAIN:
            self._xdotool("windowsize", self._window, *SIZE, "windowmove", self._window, "0", "0")
        self._focus()

    def has_open_menu(self) -> bool:
        """Return whether a menu is open: one window more than the focused one."""
        return len(self._all()) > 1

    def title(self) -> str:
        """Return the title of the window that has the keys."""
        return self._name(self._window)

    def wait_until_closed(self, title: str) -> None:
        """Wait until no window has this title, and go back to the main window."""
        self.wait_for(lambda: not self._find_window(title), f"no window called {title!r}")
        self.focus_window()

    def picture(self, name: str) -> Path:
        """Keep a picture of the screen."""
        path = self.folder / f"{name}.png"
        ImageGrab.grab(xdisplay=self._display).save(path)
        return path

    def grab_pixels(self, box: tuple[int, int, int, int]) -> bytes:
        """Return a part of the screen as pixels: left, top, right, bottom."""
        return ImageGrab.grab(xdisplay=self._display).crop(box).tobytes()

    def colour(self, x: int, y: int) -> tuple[int, ...]:
        """Return the colour of a point of the screen, as red, green and blue."""
        return tuple(self.grab_pixels((x, y, x + 1, y + 1))[:3])

    def wait_until_still(self, box: tuple[int, int, int, int], *, other_than: bytes = b"") -> bytes:
        """Return a part of the screen after a second without change; a cursor may blink.

        It must differ from `other_than`, the picture before the action, because the machine may be busy.
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

        self.wait_for(is_still, "the screen still")
        return picture

    def _find_window(self, title: str) -> str:
        return next((window for window in self._all() if re.search(title, self._name(window))), "")

    def _all(self) -> list[str]:
        assert self._program is not None
        window_ids = self._xdotool("search", "--onlyvisible", "--pid", str(self._program.pid), may_fail=True)
        return window_ids.split()

    def _name(self, window: str) -> str:
        return self._xdotool("getwindowname", window, may_fail=True).strip()

    def _focus(self) -> None:
        def has_keys() -> bool:
            self._xdotool("windowfocus", self._window, may_fail=True)
            return self._xdotool("getwindowfocus", "-f", may_fail=True).strip() == self._window

        self.wait_for(has_keys, "the keys in the window")

    # --- keys and the mouse

    def key(self, *names: str) -> None:
        """Press keys one after the other, named as X names them: Return, ctrl+z."""
        self._xdotool("key", "--delay", "4", *names)

    def type(self, text: str) -> None:
        """Type a text."""
        self._xdotool("type", "--delay", "4", "--", text)

    def enter(self, *lines: str) -> None:
        """Type lines, each ended by Enter."""
        for line in lines:
            if line:
                self.type(line)
            self.key("Return")

    def burst(self, lines: Sequence[str]) -> subprocess.Popen[bytes]:
        """Begin to type lines without a pause between them; `with` waits until all are typed."""
        signs = [("space" if sign == " " else sign) for line in lines for sign in (*line, "Return")]
        return subprocess.Popen(["xdotool", "key", "--delay", "4", *signs], env=self._keys())

    def name_file(self, title: str, name: str) -> None:
        """Name a file in a dialog of Qt, once more where its list of proposals has taken the Enter for itself."""
        self.focus_window(title)

        def type_name() -> None:
            self.key("ctrl+a")
            self.type(name)
            self.key("Return")

        self.repeat_until(type_name, lambda: not self._find_window(title), f"{name} named")

    def press(self, x: int, y: int, title: str) -> None:
        """Click on a button, as soon as it can be pressed, that opens a window with this title."""
        self.open(lambda: self.click(x, y), title)

    def open(self, do: Callable[[], None], title: str) -> None:
        """Do what opens a window with this title, again after a while if it has not."""
        self.repeat_until(do, lambda: self._find_window(title), f"a window called {title!r}")
        self.focus_window(title)

    def keypad(self, text: str) -> None:
        """Type digits and dots on the numeric keypad, ended by its Enter."""
        self.key("Num_Lock", *(str(KEYPAD[sign]) for sign in text), str(KEYPAD_ENTER), "Num_Lock")

    def click(self, x: int, y: int, button: str = LEFT_BUTTON, *, times: int = 1, pause: int = 40) -> None:
        """Click at a place of the screen, with `pause` milliseconds between several times."""
        self.point(x, y)
        self._xdotool("click", "--repeat", str(times), "--delay", str(pause), button)

    def point(self, x: int, y: int) -> None:
        """Move the mouse to a place of the screen."""
        self._xdotool("mousemove", str(x), str(y))

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Press the left button at a place, move on in steps, release it at another place."""
        (x, y), (to_x, to_y) = start, end
        ways = [(x + (to_x - x) * step // 5, y + (to_y - y) * step // 5) for step in range(1, 6)]
        moves = [word for way in ways for word in ("mousemove", "--sync", *map(str, way))]
        self._xdotool("mousemove", str(x), str(y), "mousedown", LEFT_BUTTON, *moves, "mouseup", LEFT_BUTTON)

    def _xdotool(self, *words: str, may_fail: bool = False) -> str:
        command = ["xdotool", *words]
        result = subprocess.run(
            command, env=self._keys(), capture_output=True, text=True, check=False, timeout=TIMEOUT
        )
        if result.returncode and not may_fail:
            raise AssertionError(f"xdotool {' '.join(words)}: {result.stderr}")
        return result.stdout

    def _keys(self) -> Mapping[str, str]:
        return {**os.environ, "DISPLAY": self._display}

    # --- facts

    def wait_for(self, fact: Callable[[], T], description: str) -> T:
        """Return the result of `fact` as soon as it is true; fail with a picture otherwise."""
        end, pause = time.monotonic() + TIMEOUT, POLL
        while not (result := fact()):
            if self._program is None or self._program.poll() is not None:
                raise AssertionError(f"the program has ended before {description}: {self.read_output()}")
            if time.monotonic() > end:
                raise AssertionError(
                    f"{description}: not so; see {self.picture('failed')}; it said: {self.read_output()}"
                )
            time.sleep(pause)
            pause = min(1.4 * pause, MAX_POLL)
        return result

    def repeat_until(self, do: Callable[[], None], fact: Callable[[], object], description: str) -> None:
        """Do something until `fact` is true; again where it has not come to anything and the screen is still."""
        end = time.monotonic() + TIMEOUT
        while not fact() and time.monotonic() < end:
            do()
            self._wait_briefly(fact, description)
        self.wait_for(fact, description)

    def _wait_briefly(self, fact: Callable[[], object], description: str) -> None:
        end = time.monotonic() + TIMEOUT / 40
        self.wait_for(lambda: fact() or time.monotonic() > end, description)
        if not fact():
            self.wait_until_still(ALL)

    def steps(self) -> int:
        """Return how many steps the file's journal has."""
        return self._read(lambda desk: len(desk.history()))

    @contextmanager
    def step(self, description: str) -> Iterator[None]:
        """Wait at the end until the journal has grown."""
        before = self.steps()
        yield
        self.wait_for(lambda: self.steps() > before, f"a step in the journal for {description!r}")

    def value(self) -> Tournament:
        """Return the tournament as it is on disk."""
        return self._read(lambda desk: desk.tournament)

    def index(self) -> Index:
        """Return the look-ups of the tournament on disk."""
        return Index(self.value())

    def _read(self, read: Callable[[Desk], T]) -> T:
        with closing(Desk.open(self.file, read_only=True)) as desk:
            return read(desk)

    def wait_for_state(self, fact: Callable[[Index], object], description: str) -> None:
        """Wait until something is so in the file."""
        self.wait_for(lambda: self._is_so(fact), description)

    def do(self, keys: Callable[[], None], fact: Callable[[Index], object], description: str) -> None:
        """Press keys until something is so in the file; an earlier change may not be on the screen yet."""
        self.repeat_until(keys, lambda: self._is_so(fact), description)

    def _is_so(self, fact: Callable[[Index], object]) -> bool:
        try:
            return bool(fact(self.index()))
        except StorageError:
            return False  # not there yet
