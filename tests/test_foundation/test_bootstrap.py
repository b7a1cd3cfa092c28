"""Tests of the set-up script. They use no network and do not change the machine."""

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from installer import bootstrap


class RecordedCalls:
    """A replacement of `subprocess.call` that records the commands and returns a code."""

    def __init__(self) -> None:
        self.commands: list[list[str]] = []
        self.environments: list[dict[str, str]] = []
        self.answer: Callable[[list[str]], int] = lambda _command: 0

    def __call__(self, command: list[str], *, cwd: Path | None = None, env: dict[str, str] | None = None) -> int:
        self.commands.append(command)
        self.environments.append(env or {})
        return self.answer(command)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> RecordedCalls:
    recorder = RecordedCalls()
    monkeypatch.setattr(subprocess, "call", recorder)
    return recorder


@pytest.fixture
def checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A separate checkout with only the requirements."""
    lock_folder = tmp_path / "installer" / "requirements"
    lock_folder.mkdir(parents=True)
    (lock_folder / "run.txt").write_text("a==1\n", encoding="utf-8")
    (lock_folder / "dev.txt").write_text("a==1\nb==1\n", encoding="utf-8")
    site_packages = tmp_path / "site-packages"
    site_packages.mkdir()
    (tmp_path / ".venv").mkdir()
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(sysconfig, "get_path", lambda *_args: str(site_packages))
    return tmp_path


@pytest.fixture
def complete_checkout(monkeypatch: pytest.MonkeyPatch, checkout: Path) -> Path:
    """A checkout with all packages installed."""
    monkeypatch.setattr(bootstrap, "list_missing_packages", lambda *_args, **_options: [])
    monkeypatch.setattr(bootstrap, "install_python_packages", lambda _command: None)
    monkeypatch.setattr(bootstrap, "install_test_programs", lambda: None)
    return checkout


def simulate_missing_libraries(monkeypatch: pytest.MonkeyPatch, *libraries: str) -> None:
    monkeypatch.setattr(bootstrap, "can_load", lambda library: library not in libraries)
    monkeypatch.setattr(shutil, "which", lambda program: f"/bin/{program}")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(sys, "platform", "linux")


# --- arguments --------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [[], ["build"], ["--help"]])
def test_bootstrap_shows_its_commands_for_an_unknown_command(
    arguments: list[str], capsys: pytest.CaptureFixture[str], calls: RecordedCalls
) -> None:
    assert bootstrap.main(arguments) == 2

    error_output = capsys.readouterr().err
    assert "bootstrap.py run" in error_output
    assert "bootstrap.py test" in error_output
    assert calls.commands == []


@pytest.mark.usefixtures("complete_checkout")
def test_bootstrap_run_passes_arguments_to_the_program(calls: RecordedCalls) -> None:
    calls.answer = lambda _command: 7

    assert bootstrap.main(["run", "demo", "x.tdapp"]) == 7

    assert calls.commands == [[str(bootstrap.get_venv_python()), "-m", "tdapp", "demo", "x.tdapp"]]


@pytest.mark.usefixtures("complete_checkout")
def test_bootstrap_run_opens_the_window_with_a_screen(
    calls: RecordedCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")

    assert bootstrap.main(["run"]) == 0

    assert calls.commands == [[str(bootstrap.get_venv_python()), "-m", "tdapp"]]


def test_bootstrap_run_plays_the_demonstration_without_a_screen(
    complete_checkout: Path,
    calls: RecordedCalls,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(bootstrap, "has_screen", lambda _environment: False)
    old_file = complete_checkout / "out" / "demo.tdapp"
    old_file.parent.mkdir()
    old_file.write_text("of an earlier run", encoding="utf-8")
    existing_files: list[bool] = []

    def write_output(command: list[str]) -> int:
        existing_files.append((complete_checkout / command[-1]).exists())
        (complete_checkout / command[-1]).write_text("written", encoding="utf-8")
        return 0

    calls.answer = write_output
    assert bootstrap.main(["run"]) == 0

    assert [command[3] for command in calls.commands] == ["demo", "print", "print", "print", "picture"]
    assert not any(existing_files)
    assert {env["QT_QPA_PLATFORM"] for env in calls.environments} == {"offscreen"}
    output = capsys.readouterr().out
    assert "no screen" in output
    assert "wrote out/window.png (7 bytes)" in output


@pytest.mark.usefixtures("complete_checkout")
def test_bootstrap_run_stops_with_the_code_of_a_failed_demonstration(
    calls: RecordedCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "has_screen", lambda _environment: False)
    calls.answer = lambda command: 2 if "print" in command else 0

    assert bootstrap.main(["run"]) == 2

    assert len(calls.commands) == 2


@pytest.mark.usefixtures("complete_checkout")
def test_bootstrap_test_passes_arguments_to_pytest(calls: RecordedCalls) -> None:
    assert bootstrap.main(["test", "-q", "-n", "0", "tests/domain"]) == 0

    (command,) = calls.commands
    assert command[:5] == [str(bootstrap.get_venv_python()), "-m", "pytest", "-n", "logical"]
    assert command[-4:] == ["-q", "-n", "0", "tests/domain"]
    assert calls.environments[0]["QT_QPA_PLATFORM"] == "offscreen"


@pytest.mark.parametrize(
    ("arguments", "is_mentioned"),
    [([], True), (["-q"], True), (["-m", "slow"], False), (["-mlong"], False), (["--version"], False)],
)
@pytest.mark.usefixtures("complete_checkout")
def test_bootstrap_test_mentions_the_slow_tests(
    arguments: list[str], is_mentioned: bool, calls: RecordedCalls, capsys: pytest.CaptureFixture[str]
) -> None:
    calls.answer = lambda _command: 1

    assert bootstrap.main(["test", *arguments]) == 1

    last = capsys.readouterr().out.splitlines()[-1:]
    assert any("bootstrap.py test -m slow" in line for line in last) is is_mentioned


# --- packages of the system -------------------------------------------------------------------------


def test_check_python_refuses_an_old_python_by_name() -> None:
    bootstrap.check_python((3, 11))
    with pytest.raises(bootstrap.SetupError, match=r"Python 3\.11 or newer; this is Python 3\.9"):
        bootstrap.check_python((3, 9))


@pytest.mark.parametrize(
    ("command", "screen", "expected"),
    [("run", False, []), ("run", True, ["libxcb-icccm4"]), ("test", False, ["libxcb-icccm4"])],
)
def test_list_missing_packages_includes_x11_for_window_and_tests(
    command: str, screen: bool, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    simulate_missing_libraries(monkeypatch, "libxcb-icccm.so.4")

    assert bootstrap.list_missing_packages(command, screen=screen) == expected


def test_list_missing_packages_names_all_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    simulate_missing_libraries(monkeypatch, "libGL.so.1", "libEGL.so.1")
    monkeypatch.setattr(shutil, "which", lambda _program: None)
    monkeypatch.setattr(bootstrap, "POSTGRESQL_FOLDER", Path("nowhere"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)

    venv = f"python3.{sys.version_info.minor}-venv"
    assert bootstrap.list_missing_packages("test", screen=False) == [
        "libgl1", "libegl1", "xvfb", "xdotool", "postgresql", venv,
    ]  # fmt: skip


def test_has_postgresql_searches_the_folder_of_debian(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda _program: None)
    monkeypatch.setattr(bootstrap, "POSTGRESQL_FOLDER", tmp_path)
    assert not bootstrap.has_postgresql()
    (tmp_path / "17" / "bin").mkdir(parents=True)
    (tmp_path / "17" / "bin" / "initdb").touch()
    assert bootstrap.has_postgresql()


@pytest.fixture
def debian(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A Debian system without a browser and a print service, used as root."""
    monkeypatch.setattr(shutil, "which", lambda _program: None)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    (tmp_path / "debian_version").touch()
    monkeypatch.setattr(bootstrap, "DISTRIBUTION_FILES", (tmp_path / "debian_version", tmp_path / "lsb-release"))
    return tmp_path


def test_install_test_programs_installs_where_possible(debian: Path, calls: RecordedCalls) -> None:
    bootstrap.install_test_programs()
    assert [command[-2:] for command in calls.commands] == [
        ["Dpkg::Use-Pty=0", "update"],
        ["cups", "cups-client"],
    ]


@pytest.mark.parametrize("situation", ["no root", "ubuntu", "installed"])
def test_install_test_programs_installs_nothing_on_other_systems(
    situation: str, debian: Path, calls: RecordedCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    if situation == "no root":
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
    elif situation == "ubuntu":
        (debian / "lsb-release").touch()
    else:
        monkeypatch.setattr(shutil, "which", lambda program: f"/usr/bin/{program}")
    bootstrap.install_test_programs()
    assert calls.commands == []


def test_list_missing_packages_is_empty_on_other_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    simulate_missing_libraries(monkeypatch, "libGL.so.1")
    monkeypatch.setattr(sys, "platform", "win32")

    assert bootstrap.list_missing_packages("test", screen=True) == []


def test_can_load_is_false_for_a_missing_library() -> None:
    assert not bootstrap.can_load("libthere-is-no-such-thing.so.77")


def test_bootstrap_without_root_shows_the_command_to_type(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], calls: RecordedCalls
) -> None:
    simulate_missing_libraries(monkeypatch, "libGL.so.1", "libEGL.so.1")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    assert bootstrap.main(["run"]) == 2

    assert capsys.readouterr().err.splitlines()[-1].strip() == "sudo apt-get install libgl1 libegl1"
    assert calls.commands == []


def test_bootstrap_system_installs_only_system_packages(
    monkeypatch: pytest.MonkeyPatch, calls: RecordedCalls
) -> None:
    simulate_missing_libraries(monkeypatch, "libGL.so.1")
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    assert bootstrap.main(["packages"]) == 0

    assert [command[0] for command in calls.commands] == ["apt-get", "apt-get"]
    assert "libgl1" in calls.commands[1]


def test_install_system_packages_runs_apt_get_as_root(
    monkeypatch: pytest.MonkeyPatch, calls: RecordedCalls
) -> None:
    simulate_missing_libraries(monkeypatch)
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    bootstrap.install_system_packages(["libgl1", "xvfb"])

    assert [command[-1] for command in calls.commands] == ["update", "xvfb"]
    assert calls.commands[1][-5:] == ["install", "-y", "--no-install-recommends", "libgl1", "xvfb"]
    assert calls.environments[1]["DEBIAN_FRONTEND"] == "noninteractive"


def test_install_system_packages_names_packages_without_apt_get(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _program: None)

    with pytest.raises(bootstrap.SetupError, match="libgl1"):
        bootstrap.install_system_packages(["libgl1"])


# --- packages of Python -----------------------------------------------------------------------------


def test_bootstrap_stamp_depends_on_lock_and_python() -> None:
    first = bootstrap.compute_stamp(b"a==1\n", "3.11")

    assert first == bootstrap.compute_stamp(b"a==1\r\n", "3.11")
    assert (
        len({first, bootstrap.compute_stamp(b"a==2\n", "3.11"), bootstrap.compute_stamp(b"a==1\n", "3.12")}) == 3
    )


def test_install_python_packages_runs_pip_once_with_hashes(checkout: Path, calls: RecordedCalls) -> None:
    bootstrap.install_python_packages("test")
    bootstrap.install_python_packages("test")

    make_command, install_command = calls.commands
    assert make_command[1:4] == ["-m", "venv", "--clear"]
    assert install_command[-2:] == ["-r", str(checkout / "installer" / "requirements" / "dev.txt")]
    assert {"--require-hashes", "--only-binary"} <= set(install_command)
    path_file = checkout / "site-packages" / "tdapp-checkout.pth"
    assert path_file.read_text(encoding="locale").strip() == str(checkout)


@pytest.mark.parametrize(("first", "second", "times"), [("test", "run", 1), ("run", "test", 2)])
@pytest.mark.usefixtures("checkout")
def test_install_python_packages_for_tests_also_runs_the_program(
    first: str, second: str, times: int, calls: RecordedCalls
) -> None:
    bootstrap.install_python_packages(first)
    bootstrap.install_python_packages(second)

    assert len(calls.commands) == 2 * times


def test_install_python_packages_runs_again_after_a_change_of_the_lock(
    checkout: Path, calls: RecordedCalls
) -> None:
    bootstrap.install_python_packages("run")
    (checkout / "installer" / "requirements" / "run.txt").write_text("a==2\n", encoding="utf-8")
    bootstrap.install_python_packages("run")

    assert len(calls.commands) == 4


@pytest.mark.usefixtures("checkout")
def test_install_python_packages_repeats_a_failed_installation(calls: RecordedCalls) -> None:
    calls.answer = lambda command: int("pip" in command)
    for _ in range(2):
        with pytest.raises(bootstrap.SetupError, match="The set-up stopped"):
            bootstrap.install_python_packages("run")

    assert len(calls.commands) == 4


def test_compile_translations_compiles_missing_or_older_files(calls: RecordedCalls, checkout: Path) -> None:
    source = checkout / "resources" / "locale" / "nl" / "LC_MESSAGES" / "tdapp.po"
    source.parent.mkdir(parents=True)
    source.touch()
    compiled_file = source.with_suffix(".mo")

    bootstrap.compile_translations()
    compiled_file.touch()
    os.utime(compiled_file, ns=(source.stat().st_mtime_ns, source.stat().st_mtime_ns))
    bootstrap.compile_translations()
    os.utime(source, ns=(source.stat().st_mtime_ns + 1_000_000_000,) * 2)
    bootstrap.compile_translations()

    assert [command[1:4] for command in calls.commands] == [["-m", "tdapp.i18n", "compile"]] * 2
