"""Runs the director's own commands that bring written pages elsewhere: rsync, scp, git, a script.

No shell reads them: a line is a command with its arguments, in which {folder} stands for the folder of the pages.
Nothing can be asked of anybody meanwhile, so a command that wants a password fails: it needs a key, or an agent.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tdapp.domain.errors import UserError
from tdapp.services.worker import ignore

FOLDER = "{folder}"
LIMIT = 180.0  # seconds for all commands together
_LOOK = 0.2  # seconds between two looks whether it is still wanted
_SHOWN = 8  # last lines of what a failed one has written
Commands = Sequence[Sequence[str]]


def read_commands(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the commands of a text, one a line; raise UserError (upload-unreadable) for quotes left open."""
    found = []
    for line in filter(str.strip, text.splitlines()):
        try:
            words = shlex.split(line, posix=sys.platform != "win32")
        except ValueError:
            raise UserError("upload-unreadable", line=line.strip()) from None
        found.append(tuple(word.strip('"') if sys.platform == "win32" else word for word in words))
    return tuple(found)


def upload(commands: Commands, folder: Path, look: Callable[[], object] = ignore, *, limit: float = LIMIT) -> None:
    """Run commands one after another until one fails; raise UserError with what it wrote.

    "upload-failed", "upload-late" or "upload-missing"; `look` is called again and again, and may raise to end it.
    """
    until = time.monotonic() + limit
    for words in commands:
        _run([word.replace(FOLDER, str(folder)) for word in words], until, look)


def _run(words: Sequence[str], until: float, look: Callable[[], object]) -> None:
    command = shlex.join(words)
    try:
        process = _started(words)
    except OSError as error:
        raise UserError("upload-missing", command=command, why=error.strerror or str(error)) from error
    try:
        written = _waited(process, until, look)
    except subprocess.TimeoutExpired:
        raise UserError("upload-late", command=command) from None
    finally:
        _end(process)
    if process.returncode:
        last = written.decode(errors="replace").strip().splitlines()[-_SHOWN:]
        raise UserError("upload-failed", command=command, exit=process.returncode, output="\n".join(last))


def _started(words: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a command without a terminal, so that it asks nobody, in a group that can be ended with it."""
    return subprocess.Popen(  # noqa: S603 - the director's own command
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        env={**os.environ, "GIT_TERMINAL_PROMPT": "0", "SSH_ASKPASS_REQUIRE": "never"},
    )


def _waited(process: subprocess.Popen[bytes], until: float, look: Callable[[], object]) -> bytes:
    """Return what a command has written when it has ended; raise TimeoutExpired after the limit."""
    while True:
        look()
        try:
            return process.communicate(timeout=_LOOK)[0]
        except subprocess.TimeoutExpired:
            if time.monotonic() > until:
                raise


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command that still runs, with all that it has started."""
    if process.poll() is None:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
