"""Tests of the export of a site folder and of the verb `serve`."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tdapp import cli
from tdapp.desk import Desk
from tdapp.domain.slip import find_slip_code_secret, make_game_code
from tests.building import RESOURCES
from tests.web.page_checks import find_dead_links
from tests.web.running_server import make_http_client


def test_export_writes_a_folder_of_pages(
    demo_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "www"
    words = ["export", str(demo_file), str(folder), "--format", "html", "--lang", "nl", "--json"]
    assert cli.run_command_line(words, resources=RESOURCES) == 0
    document = json.loads(capsys.readouterr().out)
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert document == {"file": str(folder), "format": "html", "files": len(files) - 1}
    assert not find_dead_links(files)
    assert b'lang="nl"' in files["index.html"]


def test_export_refuses_a_folder_with_other_files(
    demo_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        cli.run_command_line(["export", str(demo_file), str(tmp_path), "--format", "html"], resources=RESOURCES)
        == 2
    )
    assert "was not changed" in capsys.readouterr().err
    assert demo_file.exists()


needs_unix = pytest.mark.skipif(sys.platform == "win32", reason="the commands need Unix")


@pytest.mark.slow
@needs_unix
def test_export_runs_an_upload_command(
    demo_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["export", str(demo_file), str(tmp_path / "www"), "--format", "html"]
    assert cli.run_command_line([*words, "--then", f"cp -r {{folder}} {tmp_path}/there"], resources=RESOURCES) == 0
    assert (tmp_path / "there" / "index.html").exists()
    assert cli.run_command_line([*words, "--then", "ls /nowhere/at/all"], resources=RESOURCES) == 2
    assert "(ls /nowhere/at/all failed with exit code" in capsys.readouterr().err
    assert (
        cli.run_command_line(
            ["export", str(demo_file), str(tmp_path / "a.csv"), "--then", "true"], resources=RESOURCES
        )
        == 2
    )
    assert not (tmp_path / "a.csv").exists()
    assert cli.run_command_line(["serve", str(demo_file), "--then", "true"], resources=RESOURCES) == 2
    assert (
        cli.run_command_line(["serve", str(demo_file), "--address", "https://example.org"], resources=RESOURCES)
        == 2
    )
    assert capsys.readouterr().err.count("--then and --address only for web pages") == 3
    assert cli.run_command_line([*words, "--address", "example.org"], resources=RESOURCES) == 2
    assert "“example.org” is not a web address such as https://" in capsys.readouterr().err
    assert cli.run_command_line([*words, "--address", "https://example.org/open"], resources=RESOURCES) == 0
    assert "https://example.org/open/index.html" in (tmp_path / "www" / "index.html").read_text(encoding="utf-8")


@needs_unix
@pytest.mark.slow
def test_serve_publishes_pages_after_each_round(demo_file: Path, tmp_path: Path) -> None:
    folder, other_folder = tmp_path / "www", tmp_path / "there"
    words = [
        sys.executable,
        "-m",
        "tdapp",
        "serve",
        str(demo_file),
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--site",
        str(folder),
        "--then",
        f"cp -r {{folder}}/. {other_folder}",
        "--then",
        "ls /nowhere/at/all",
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "(ls /nowhere/at/all failed with exit code" in process.stderr.readline()
        old_page = (other_folder / "a-round-3.html").read_bytes()
        words = ["result", str(demo_file), "--round", "3", "--table", "1", "777", "333", "--confirmed"]
        assert cli.run_command_line(words, resources=RESOURCES) == 0
        assert (
            "(ls /nowhere/at/all failed with exit code" in process.stderr.readline()
        )  # the server is still running
        process.terminate()
    assert old_page != (other_folder / "a-round-3.html").read_bytes()
    assert "777" in (other_folder / "a-round-3.html").read_text(encoding="utf-8")
    assert process.returncode == 0


@pytest.mark.slow
def test_serve_prints_the_fingerprint_of_an_encrypted_page(demo_file: Path, tmp_path: Path) -> None:
    words = [
        sys.executable,
        "-m",
        "tdapp",
        "serve",
        str(demo_file),
        "--https",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
    ]
    environment = os.environ | {
        "XDG_CONFIG_HOME": str(tmp_path),
        "APPDATA": str(tmp_path),
        "PYTHONUNBUFFERED": "1",
    }
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        fingerprint, address_line = process.stdout.readline(), process.stdout.readline()
        process.terminate()
    url = address_line.split()[1]
    assert url.startswith("https://")
    assert (tmp_path / "tdapp" / "room.pem").exists()
    assert len(fingerprint.partition(":")[2].split()) == 16


@pytest.mark.slow
def test_serve_runs_until_interrupted(demo_file: Path) -> None:
    words = [
        sys.executable,
        "-m",
        "tdapp",
        "serve",
        str(demo_file),
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--entry",
        "--json",
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        text = ""
        while not text.rstrip().endswith("}"):
            text += process.stdout.readline()
        url = json.loads(text)["url"]
        assert httpx.get(url, trust_env=False).status_code == 200
        desk = Desk.open(demo_file)
        game = next(iter(desk.tournament.games.values()))
        code = make_game_code(find_slip_code_secret(desk.tournament), game.id, game.first)
        entry_page = httpx.post(f"{url}enter", data={"code": code, "own": "1", "other": "2"}, trust_env=False)
        assert "has a result" in entry_page.text
        desk.undo()  # the step that opens result entry
        desk.close()
        while "Enter a result" in httpx.get(url, trust_env=False).text:
            pass
        process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        assert process.wait(30) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.slow
def test_serve_offers_check_in(demo_file: Path) -> None:
    address_options = ["--host", "127.0.0.1", "--port", "0"]
    words = [sys.executable, "-m", "tdapp", "serve", str(demo_file), *address_options, "--check-in"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        tablet_line, address_line = process.stdout.readline(), process.stdout.readline()
        page = httpx.get(tablet_line.split()[-1], trust_env=False).text
        overview = httpx.get(address_line.split()[1], trust_env=False).text
        process.terminate()
    assert "data-back" in page
    assert ("check-in" in overview, "Enter a result" in overview) == (True, False)


@pytest.mark.slow
def test_serve_shows_a_featured_table_after_the_delay(demo_file: Path, tmp_path: Path) -> None:
    """The exported pages also hide the result before the delay."""
    site = tmp_path / "www"
    words = [
        sys.executable,
        "-m",
        "tdapp",
        "serve",
        str(demo_file),
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--json",
        "--featured",
        "1",
        "--delay",
        "30",
        "--site",
        str(site),
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        text = ""
        while not text.rstrip().endswith("}"):
            text += process.stdout.readline()
        document = json.loads(text)
        page = httpx.get(document["featured"], trust_env=False)
        player = re.findall(r'name="player" value="([^"]+)"', page.text)[0]
        code = document["featured"].partition("=")[2]
        data = {"code": code, "number": "1", "player": player, "line": "8H TAART", "rack": "", "old": ""}
        response = httpx.post(f"{document['url']}featured", data=data, trust_env=False, follow_redirects=True)
        overlay, old_page = (
            httpx.get(document["url"] + name, trust_env=False)
            for name in ("overlay/featured", f"version?code={code}")
        )
        assert (
            cli.run_command_line(
                ["result", str(demo_file), "--round", "3", "--table", "1", "777", "333", "--confirmed"],
                resources=RESOURCES,
            )
            == 0
        )
        while httpx.get(f"{document['url']}version?code={code}", trust_env=False).text == old_page.text:
            pass
        public_page = httpx.get(f"{document['url']}a-round.html", trust_env=False)
        process.terminate()
    assert "TAART" in response.text
    assert "TAART" not in overlay.text
    assert "777" not in public_page.text
    assert "777" not in (site / "a-round.html").read_text(encoding="utf-8")


def test_export_refuses_an_invalid_address(demo_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["serve", str(demo_file), "--host", "192.0.2.77"]
    assert cli.run_command_line(words, resources=RESOURCES) == 2
    assert "192.0.2.77" in capsys.readouterr().err


@pytest.mark.slow
def test_serve_prints_the_pins_of_its_desks(demo_file: Path) -> None:
    words = [
        sys.executable,
        "-m",
        "tdapp",
        "serve",
        str(demo_file),
        "--desks",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
    ]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen([*words, "--json"], stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        document = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
        try:
            with make_http_client(document["url"], headers={"Origin": document["url"].rstrip("/")}) as browser:
                assert browser.post("desk", data={"pin": document["jury_pin"], "name": "Kim"}).status_code == 303
                answer = browser.post("desk/enter", data={"line": "1 400 380", "key": "a"}).json()
        finally:
            process.terminate()
    assert answer["status"] == "ask", answer  # the table has a result: the desk asks before it replaces the result
