"""The sounds that the hall hears: a short one when little time is left, a longer one when it is over.

Hides how each system plays a file. Where nothing can play one, the system's own beep does.
"""

from __future__ import annotations

import math
import struct
import sys
import wave
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import QObject, QProcess, QSignalBlocker, QStandardPaths, QTemporaryDir
from PySide6.QtWidgets import QApplication

SOON, OVER = "soon", "over"
PLAYERS = ("pw-play", "paplay", "afplay", "aplay")  # programs that play the file they are given
_RATE = 22_050
_LOUD = 0.5
_NOTES: Mapping[str, Sequence[tuple[float, float]]] = MappingProxyType(
    {
        SOON: ((659.3, 0.25), (880.0, 0.5)),
        OVER: ((880.0, 0.35), (0.0, 0.1), (880.0, 0.35), (0.0, 0.1), (659.3, 1.1)),
    }
)  # hertz and seconds


class SoundPlayer(QObject):
    """Plays a sound by its name."""

    def __init__(
        self, parent: QObject | None = None, *, find: Callable[[str], str] = QStandardPaths.findExecutable
    ) -> None:
        """`find` returns the path of a program, empty where there is none."""
        super().__init__(parent)
        self._find = find
        self._folder = QTemporaryDir()
        self._process = QProcess(self)
        self._process.errorOccurred.connect(self._beep)
        self._process.finished.connect(self._finished)
        application = QApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.stop)

    def play(self, name: str) -> None:
        """Play a sound, without waiting for its end."""
        path = self._file(name)
        if path is not None and sys.platform == "win32":
            _play_on_windows(path)
            return
        player = next(filter(None, map(self._find, PLAYERS)), "")
        if path is None or not player:
            beep()
        else:
            self.stop()
            self._process.start(player, [str(path)])

    def stop(self) -> None:
        """End what still sounds."""
        if self._process.state() is not QProcess.ProcessState.NotRunning:
            with QSignalBlocker(self._process):
                self._process.kill()
                self._process.waitForFinished(1000)

    def _file(self, name: str) -> Path | None:
        """Return the file of a sound, made when it is wanted first; None where nothing can be written."""
        if not self._folder.isValid():
            return None
        path = Path(self._folder.filePath(f"{name}.wav"))
        try:
            if not path.exists():
                write_sound(path, _NOTES[name])
        except OSError:
            return None
        return path

    def _beep(self) -> None:
        beep()

    def _finished(self, code: int) -> None:
        if code:
            beep()


def beep() -> None:
    """Make the system's own sound."""
    QApplication.beep()


def write_sound(path: Path, notes: Sequence[tuple[float, float]]) -> None:
    """Write notes of hertz (0 is silence) and seconds to a WAV file; raise OSError if that cannot be."""
    samples: list[int] = []
    for pitch, seconds in notes:
        count = int(_RATE * seconds)
        for at in range(count):
            swell = min(1.0, at / 200, (count - at) / (count * 0.7))  # no click at the ends, like a bell
            wave_at = math.sin(2 * math.pi * pitch * at / _RATE) + 0.3 * math.sin(4 * math.pi * pitch * at / _RATE)
            samples.append(int(32767 * _LOUD * swell * wave_at / 1.3))
    with path.open("wb") as raw, wave.open(raw) as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        file.writeframes(struct.pack(f"<{len(samples)}h", *samples))


if sys.platform == "win32":
    import winsound

    def _play_on_windows(path: Path) -> None:
        try:
            winsound.PlaySound(str(path), winsound.SND_FILENAME | winsound.SND_ASYNC | winsound.SND_NODEFAULT)
        except RuntimeError:
            beep()

else:

    def _play_on_windows(_path: Path) -> None:
        """Never called elsewhere."""
