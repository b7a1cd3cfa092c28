"""Run the director's upload commands."""

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
from tdapp.services.worker import ignore_values

FOLDER = "{folder}"
LIMIT = 180.0  # seconds for all commands together
_POLL_SECONDS = 0.2  # seconds between two calls of `check_cancel`
_MAX_OUTPUT_LINES = 8  # lines of output shown for a failed command
Commands = Sequence[Sequence[str]]


def parse_upload_commands(text: str) -> tuple[tuple[str, ...], ...]:
    """Split the commands, one on each line, into words.

    Raises UserError (upload-unreadable) if a quote is not closed.
    """
    commands = []
    for line in filter(str.strip, text.splitlines()):
        try:
            words = shlex.split(line, posix=sys.platform != "win32")
        except ValueError:
            raise UserError("upload-unreadable", line=line.strip()) from None
        commands.append(tuple(word.strip('"') if sys.platform == "win32" else word for word in words))
    return tuple(commands)


def run_upload_commands(
    commands: Commands, folder: Path, check_cancel: Callable[[], object] = ignore_values, *, seconds: float = LIMIT
) -> None:
    """Run commands in order until one fails.

    Raises UserError "upload-failed", "upload-late" (after `seconds` in total) or "upload-missing" (no such
    program). `check_cancel` is called repeatedly and can raise to stop.
    """
    deadline = time.monotonic() + seconds
    for words in commands:
        _run_command([word.replace(FOLDER, str(folder)) for word in words], deadline, check_cancel)


def _run_command(words: Sequence[str], deadline: float, check_cancel: Callable[[], object]) -> None:
    command = shlex.join(words)
    try:
        process = _start_process(words)
    except OSError as error:
        raise UserError("upload-missing", command=command, why=error.strerror or str(error)) from error
    try:
        output = _wait_for_output(process, deadline, check_cancel)
    except subprocess.TimeoutExpired:
        raise UserError("upload-late", command=command) from None
    finally:
        _kill_process(process)
    if process.returncode:
        last_lines = output.decode(errors="replace").strip().splitlines()[-_MAX_OUTPUT_LINES:]
        raise UserError("upload-failed", command=command, exit=process.returncode, output="\n".join(last_lines))


def _start_process(words: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - the director's own command
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        env={**os.environ, "GIT_TERMINAL_PROMPT": "0", "SSH_ASKPASS_REQUIRE": "never"},
    )


def _wait_for_output(
    process: subprocess.Popen[bytes], deadline: float, check_cancel: Callable[[], object]
) -> bytes:
    while True:
        check_cancel()
        try:
            return process.communicate(timeout=_POLL_SECONDS)[0]
        except subprocess.TimeoutExpired:
            if time.monotonic() > deadline:
                raise


def _kill_process(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
