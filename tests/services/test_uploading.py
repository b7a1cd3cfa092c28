"""Tests of upload commands: no shell, a time limit, and the output of a failed command."""

from __future__ import annotations

import shlex
import sys
import threading
import time
from pathlib import Path

import pytest

from tdapp.domain.errors import UserError
from tdapp.services.featured_service import FeaturedTableService
from tdapp.services.publishing import PublishingService
from tdapp.services.uploading import parse_upload_commands, run_upload_commands
from tdapp.services.worker import TaskStopped, ignore_values
from tests.services.test_copies import open_tournament_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the test uses Unix commands")
PYTHON = shlex.quote(sys.executable)


def make_python_command(code: str) -> str:
    return f"{PYTHON} -c {shlex.quote(code)} {{folder}}"


def test_run_upload_commands_runs_a_line_without_a_shell(tmp_path: Path) -> None:
    folder, target = tmp_path / "the pages; $HOME", tmp_path / "target"
    folder.mkdir()
    (folder / "index.html").write_text("here")
    run_upload_commands(
        parse_upload_commands(f"cp -r {{folder}}/. {shlex.quote(str(target))}\n\n touch '{target}/$(id)'"), folder
    )
    assert {path.name for path in target.iterdir()} == {"index.html", "$(id)"}


def test_run_upload_commands_stops_at_a_failed_command_and_repeats_its_output(tmp_path: Path) -> None:
    lines = make_python_command("import sys; print('no route'); sys.exit('to host')") + f"\ntouch {tmp_path}/next"
    with pytest.raises(UserError) as error_info:
        run_upload_commands(parse_upload_commands(lines), tmp_path)
    assert error_info.value.code == "upload-failed"
    assert (error_info.value.facts["exit"], str(error_info.value.facts["output"]).split()) == (
        1,
        ["no", "route", "to", "host"],
    )
    assert not (tmp_path / "next").exists()


def test_run_upload_commands_ends_a_hanging_command_with_its_children(tmp_path: Path) -> None:
    late_file = tmp_path / "late"
    with pytest.raises(UserError) as error_info:
        run_upload_commands(parse_upload_commands(f"sh -c 'sleep 3; touch {late_file}'"), tmp_path, seconds=0.3)
    assert error_info.value.code == "upload-late"
    time.sleep(3.2)
    assert not late_file.exists()


def test_run_upload_commands_gives_a_command_an_empty_input(tmp_path: Path) -> None:
    script = tmp_path / "asks.py"
    script.write_text(
        "import os, sys\nassert sys.stdin.read() == ''\n"
        "try:\n    os.open('/dev/tty', os.O_RDWR)\nexcept OSError:\n    sys.exit(0)\nsys.exit('a terminal')\n"
    )
    run_upload_commands(parse_upload_commands(f"{PYTHON} {script}"), tmp_path)


def test_run_upload_commands_ends_when_cancelled(tmp_path: Path) -> None:
    was_called = threading.Event()

    def check_cancel() -> None:
        if was_called.is_set():
            raise TaskStopped
        was_called.set()

    start = time.monotonic()
    with pytest.raises(TaskStopped):
        run_upload_commands(parse_upload_commands("sleep 30"), tmp_path, check_cancel)
    assert time.monotonic() - start < 10


@pytest.mark.parametrize(
    ("line", "code"), [("no-such-program {folder}", "upload-missing"), ("rsync 'a", "upload-unreadable")]
)
def test_run_upload_commands_reports_commands_that_cannot_be_run(tmp_path: Path, line: str, code: str) -> None:
    with pytest.raises(UserError) as error_info:
        run_upload_commands(parse_upload_commands(line), tmp_path)
    assert error_info.value.code == code


def test_publish_pages_uploads_without_a_target_folder_and_stores_the_time(tmp_path: Path) -> None:
    session = open_tournament_file(tmp_path)
    publishing = PublishingService(
        session, FeaturedTableService(session, on_change=ignore_values), on_change=ignore_values
    )
    assert (publishing.is_publishing_on, publishing.describe_page_age(), publishing.published_at) == (
        False,
        "",
        None,
    )
    target = tmp_path / "target"
    publishing.upload_commands_text = f"cp -r {{folder}}/. {shlex.quote(str(target))}"
    assert (publishing.is_publishing_on, publishing.describe_page_age()) == (
        True,
        "Web pages have never been published",
    )
    publishing.publish_pages()
    assert (target / "index.html").exists()
    assert publishing.describe_page_age() == "Web pages published 1 minute ago"
    restarted_service = PublishingService(
        session, FeaturedTableService(session, on_change=ignore_values), on_change=ignore_values
    )
    assert restarted_service.published_at == publishing.published_at
    session.close()


def test_publish_pages_reports_a_failure_once_and_keeps_the_time(tmp_path: Path) -> None:
    session = open_tournament_file(tmp_path)
    messages: list[str] = []
    session.show_message = lambda sentence, **_: messages.append(sentence)  # type: ignore[method-assign]
    publishing = PublishingService(
        session, FeaturedTableService(session, on_change=ignore_values), on_change=ignore_values
    )
    publishing.upload_commands_text = make_python_command("import sys; sys.exit('disk full ' * 50)")
    for _ in range(2):
        publishing.publish_pages()
    assert [problem.code for problem in publishing.problems()] == ["site-failed"]
    assert len(messages) == 1
    assert messages[0].startswith("The web pages could not be published. disk full")
    assert len(messages[0]) <= 200
    assert publishing.published_at is None
    publishing.upload_commands_text = "true"
    publishing.publish_pages()
    assert publishing.problems() == ()
    session.close()
