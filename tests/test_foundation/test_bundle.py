"""What makes the bundles: the parts that run on every system."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from installer import bundle
from installer.bootstrap import ROOT, SetupError, lock_file


def test_the_workflow_calls_the_commands_that_there_are() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    made = set(re.findall(r"make: (\w+)", workflow))
    assert made == set(bundle.MAKERS) - {"folder"}
    assert "run: .ci/run" in workflow


def test_the_packages_of_this_system_are_named() -> None:
    lock = 'numpy==2.0 \\\n    --hash=sha256:00\ncolorama==1 ; sys_platform == "win32" \\\n    --hash=sha256:01\n'
    assert bundle.bundled(lock) == ["numpy"]


def test_the_size_of_a_folder_counts_its_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"123")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_bytes(b"4567")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert bundle.size(tmp_path) == 7
    assert bundle.size(tmp_path / "a") == 3


def test_what_the_package_says_of_itself(tmp_path: Path) -> None:
    bundle.write_control(tmp_path, "amd64", libc="2.36")
    said = (tmp_path / "DEBIAN" / "control").read_text(encoding="utf-8")
    assert f"Version: {bundle.version()}\n" in said
    assert "Architecture: amd64\n" in said
    assert "libc6 (>= 2.36)" in said
    assert "{" not in said


@pytest.mark.skipif(not Path("/etc/debian_version").exists(), reason="only Debian knows whose a library is")
def test_the_licences_of_libraries_are_debians(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "BUILT", tmp_path)
    (tmp_path / "libraries.txt").write_text("/lib/x86_64-linux-gnu/libz.so.1\n/nowhere/lib.so", encoding="utf-8")
    bundle.collect_licences(tmp_path / "libraries")
    (told,) = (tmp_path / "libraries").glob("zlib1g*")
    assert "Jean-loup Gailly" in told.read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="desktop-file-utils is not installed")
def test_the_entry_in_the_menu_is_sound() -> None:
    entry = ROOT / "installer" / "linux" / "tdapp.desktop"
    subprocess.run(["desktop-file-validate", entry], check=True)


def test_the_kind_of_file_names_our_suffix_and_mark() -> None:
    kind = (ROOT / "installer" / "linux" / "tdapp.xml").read_text(encoding="utf-8")
    assert '<glob pattern="*.tdapp"/>' in kind
    assert re.search(r'offset="68" value="0x53435244"', kind)


@pytest.mark.skipif(shutil.which("makensis") is None, reason="NSIS is not installed: apt-get install nsis")
def test_the_setup_program_for_windows_compiles(tmp_path: Path) -> None:
    source = tmp_path / "tdapp"
    (source / "_internal").mkdir(parents=True)
    for name in ("tdapp.exe", "tdapp-cli.exe", "LICENSE", "_internal/some.dll"):
        (source / name).write_bytes(b"x")
    icon = tmp_path / "tdapp.ico"
    icon.write_bytes(ICON)
    made = tmp_path / "tdapp-cup.exe"
    bundle.compile_setup(source, made, icon=icon)
    assert made.read_bytes()[:2] == b"MZ"


def test_without_nsis_it_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match="makensis is missing"):
        bundle.compile_setup(tmp_path, tmp_path / "setup.exe", icon=tmp_path / "tdapp.ico")


def test_an_unknown_bundle_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert bundle.main(["rpm"]) == 2
    assert "deb" in capsys.readouterr().err


def test_the_lock_of_the_bundle_holds_what_runs() -> None:
    pins = {line.split(" ")[0] for line in lock_file("bundle").read_text("utf-8").splitlines() if "==" in line}
    wanted = {line.split(" ")[0] for line in lock_file("run").read_text("utf-8").splitlines() if "==" in line}
    assert wanted <= pins


# The smallest icon that NSIS takes: one picture of 16 by 16 in 32 bits.
ICON = (
    b"\0\0\1\0\1\0\x10\x10\0\0\1\0 \0h\4\0\0\x16\0\0\0"
    b"(\0\0\0\x10\0\0\0 \0\0\0\1\0 \0\0\0\0\0@\4\0\0" + b"\0" * 16 + b"\0" * 1088
)
