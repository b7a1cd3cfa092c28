"""Tests of the scripts for bundles: the parts that run on every system."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from installer import bundle
from installer.bootstrap import ROOT, SetupError, get_lock_path
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.versions import find_homepage


def test_workflow_calls_existing_commands() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    made_targets = set(re.findall(r"make: (\w+)", workflow))
    assert made_targets == set(bundle.MAKERS) - {"folder"}
    assert "run: .ci/run" in workflow


def find_command(step: str) -> str:
    """Return the command of a step of the workflow."""
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    match = re.search(rf"name: {re.escape(step)}\n(?: +if: .*\n)? +run: (.*)", workflow)
    assert match is not None, step
    return str(json.loads(match[1])) if match[1].startswith('"') else match[1]


def test_workflow_stops_while_an_address_is_invalid(tmp_path: Path) -> None:
    command = ["bash", "-e", "-c", find_command("the home page and the mail address are filled in")]
    for address, code in (("club.invalid", 1), ("example.org", 0)):
        (tmp_path / "pyproject.toml").write_text(f'Homepage = "https://{address}"\n', encoding="utf-8")
        assert subprocess.run(command, cwd=tmp_path, check=False, capture_output=True).returncode == code


def test_workflow_makes_bundles_only_after_the_ready_check() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert re.search(r"\n  bundle:\n.*\n    needs: \[ready, ", workflow)
    assert re.search(r"\n  release:\n.*\n    needs: bundle\n", workflow)


def test_workflow_release_page_has_the_newest_changes_and_advice(tmp_path: Path) -> None:
    (tmp_path / "installer").mkdir()
    shutil.copy(ROOT / "installer" / "first-start.md", tmp_path / "installer")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 2\n\n* new\n\n## 1\n\n* old\n", encoding="utf-8")
    command = find_command("the newest section of the changelog, and advice for the first start")
    subprocess.run(["bash", "-e", "-c", command], cwd=tmp_path, check=True)
    notes = (tmp_path / "notes.md").read_text(encoding="utf-8")
    assert "* new" in notes
    assert "* old" not in notes
    assert {"SmartScreen", "Gatekeeper", "SHA256SUMS"} <= set(re.findall(r"\w+", notes))


def test_workflow_tries_the_installed_program() -> None:
    assert find_command("mount it, try it") == "installer/macos/try.sh out/bundle/dist/*.dmg"
    script = (ROOT / "installer" / "macos" / "try.sh").read_text(encoding="utf-8")
    assert "hdiutil attach" in script
    assert "tdapp.app/Contents/MacOS/tdapp" in script


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "installer/first-start.md",
        *(f"resources/help/{language}/command-line.md" for language in LANGUAGES),
    ],
)
def test_help_names_the_command_of_each_bundle(path: str) -> None:
    """The help must use the same names as the installers."""
    text, installer_folder = (ROOT / path).read_text(encoding="utf-8"), ROOT / "installer"
    spec = (installer_folder / "tdapp.spec").read_text(encoding="utf-8")
    setup = (installer_folder / "windows" / "tdapp.nsi").read_text(encoding="utf-8")
    (folder,) = re.findall(r'InstallDir "\$LOCALAPPDATA\\(.+)"', setup)
    (console,) = re.findall(r'name="([\w-]+)", console=True', spec)
    (app,) = re.findall(r'name="(\w+\.app)"', spec)
    (window,) = re.findall(r'name="(\w+)",\n    console=False', spec)
    assert f"%LOCALAPPDATA%\\{folder}\\{console}.exe" in text
    assert f"/Applications/{app}/Contents/MacOS/{window}" in text
    assert f"flatpak run {bundle.FLATPAK_ID}" in text


def test_list_bundled_packages_names_the_packages_of_this_system() -> None:
    lock = 'numpy==2.0 \\\n    --hash=sha256:00\ncolorama==1 ; sys_platform == "win32" \\\n    --hash=sha256:01\n'
    assert bundle.list_bundled_packages(lock) == ["numpy"]


def test_size_adds_the_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"123")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_bytes(b"4567")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert bundle.size(tmp_path) == 7
    assert bundle.size(tmp_path / "a") == 3


def test_write_control_describes_the_package(tmp_path: Path) -> None:
    (tmp_path / "usr").mkdir()
    (tmp_path / "usr" / "a").write_bytes(b"a")
    bundle.write_control(tmp_path, "amd64", libc="2.36")
    text = (tmp_path / "DEBIAN" / "control").read_text(encoding="utf-8")
    assert f"Version: {bundle.version()}\n" in text
    assert "Architecture: amd64\n" in text
    assert "libc6 (>= 2.36)" in text
    assert "Section: games\n" in text
    assert "{" not in text
    assert f"Maintainer: {bundle.maintainer()}\nHomepage: {find_homepage()}\n" in re.sub(
        r"(?s)Installed.*?optional\n", "", text
    )
    sums = (tmp_path / "DEBIAN" / "md5sums").read_text(encoding="utf-8")
    assert sums == "0cc175b9c0f1b6a831c399e269772661  usr/a\n"


@pytest.mark.slow
def test_find_homepage_returns_an_address_that_only_pyproject_contains() -> None:
    urls, (author,) = bundle.project()["urls"], bundle.project()["authors"]
    assert all(url.startswith(find_homepage()) for url in urls.values())
    words = {find_homepage().encode(), author["email"].encode()}
    folders = ("tdapp", "resources", "installer", "tests", ".github", ".ci")
    files = [*ROOT.glob("*"), *(file for folder in folders for file in (ROOT / folder).rglob("*"))]
    files_with_address = {
        file.name for file in files if file.is_file() and any(word in file.read_bytes() for word in words)
    }
    assert files_with_address - {file.name for file in files if file.suffix == ".pyc"} == {"pyproject.toml"}


def test_changelog_of_debian_has_version_maintainer_and_day() -> None:
    first_line, *_, last_line = bundle.changelog().strip().splitlines()
    assert first_line == f"tdapp ({bundle.version()}) unstable; urgency=low"
    assert re.fullmatch(r" -- .+ <\S+@\S+>  \w{3}, \d\d \w{3} \d{4} 00:00:00 \+0000", last_line)


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="appstream is not installed")
def test_fill_share_writes_valid_store_metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "OUTPUT", tmp_path)
    monkeypatch.setattr(bundle, "read_command_output", lambda *_words: "told")
    for size in bundle.ICON_SIZES:
        (tmp_path / f"tdapp-{size}.png").write_bytes(b"")
    bundle.fill_share(tmp_path / "share")
    metadata_file = tmp_path / "share" / "metainfo" / "org.tdapp.tdapp.metainfo.xml"
    subprocess.run(["appstreamcli", "validate", "--no-net", metadata_file], check=True)
    pictures = re.findall(r"<image>(.*)</image>", metadata_file.read_text(encoding="utf-8"))
    assert pictures
    for picture in pictures:
        picture_address, _, path = picture.partition(f"/raw/v{bundle.version()}/")
        assert (picture_address, (ROOT / path).is_file()) == (find_homepage(), True), picture
    assert (tmp_path / "share" / "man" / "man1" / "tdapp.1.gz").read_bytes()[:2] == b"\x1f\x8b"


def test_installer_scripts_have_valid_syntax() -> None:
    scripts = [*(ROOT / "installer").glob("*/*.sh")]
    assert len(scripts) == 4
    for script in scripts:
        subprocess.run(["bash", "-n", script], check=True)


@pytest.mark.skipif(not Path("/etc/debian_version").exists(), reason="only Debian lists the packages of libraries")
def test_collect_licences_uses_the_licences_of_debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "OUTPUT", tmp_path)
    (tmp_path / "libraries.txt").write_text("/lib/x86_64-linux-gnu/libz.so.1\n/nowhere/lib.so", encoding="utf-8")
    bundle.collect_licences(tmp_path / "libraries")
    (licence_file,) = (tmp_path / "libraries").glob("zlib1g*")
    assert "Jean-loup Gailly" in licence_file.read_text(encoding="utf-8")


def test_desktop_entry_has_each_language() -> None:
    linux, windows = ROOT / "installer" / "linux", ROOT / "installer" / "windows"
    for name, attribute in (
        ("tdapp.desktop", "Comment[{}]="),
        ("metainfo.xml", 'xml:lang="{}"'),
        ("tdapp.xml", 'xml:lang="{}"'),
    ):
        text = (linux / name).read_text(encoding="utf-8")
        assert [
            language for language in LANGUAGES if language != "en" and attribute.format(language) not in text
        ] == [], name
    assert (windows / "tdapp.nsi").read_text(encoding="utf-8").count("LoadLanguageFile ") == len(LANGUAGES)


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="desktop-file-utils is not installed")
def test_desktop_entry_is_valid() -> None:
    entry = ROOT / "installer" / "linux" / "tdapp.desktop"
    subprocess.run(["desktop-file-validate", entry], check=True)


def test_flatpak_uses_the_files_of_the_debian_package() -> None:
    linux = ROOT / "installer" / "linux"
    recipe = json.loads((linux / "flatpak.json").read_text(encoding="utf-8"))
    (module,), metainfo = recipe["modules"], (linux / "metainfo.xml").read_text(encoding="utf-8")
    assert recipe["app-id"] == bundle.FLATPAK_ID
    assert f"<id>{bundle.FLATPAK_ID}</id>" in metainfo
    assert (linux / module["sources"][0]["path"]).resolve() == bundle.OUTPUT / "deb"
    assert (linux / recipe["rename-desktop-file"]).is_file()
    year, month = map(int, recipe["runtime-version"].split("."))
    assert (2000 + year, month) >= (2025, 8), "an older runtime gets no security fixes"


@pytest.mark.skipif(shutil.which("flatpak-builder") is None, reason="flatpak-builder is not installed")
def test_flatpak_recipe_is_valid() -> None:
    command = ["flatpak-builder", "--show-manifest", str(ROOT / "installer" / "linux" / "flatpak.json")]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    assert (json.loads(result.stdout)["id"], result.stderr) == (bundle.FLATPAK_ID, "")


def test_flatpak_names_the_missing_builder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match="flatpak-builder is missing"):
        bundle.flatpak()


def test_file_type_has_the_suffix_and_the_application_id() -> None:
    kind = (ROOT / "installer" / "linux" / "tdapp.xml").read_text(encoding="utf-8")
    assert '<glob pattern="*.tdapp"/>' in kind
    assert re.search(r'offset="68" value="0x53435244"', kind)


@pytest.mark.skipif(shutil.which("makensis") is None, reason="NSIS is not installed: apt-get install nsis")
def test_compile_setup_makes_the_windows_installer(tmp_path: Path) -> None:
    source = tmp_path / "tdapp"
    (source / "_internal").mkdir(parents=True)
    for name in ("tdapp.exe", "tdapp-cli.exe", "LICENSE", "_internal/some.dll"):
        (source / name).write_bytes(b"x")
    icon = tmp_path / "tdapp.ico"
    icon.write_bytes(ICON)
    setup_file = tmp_path / "tdapp-cup.exe"
    bundle.compile_setup(source, setup_file, icon=icon)
    assert setup_file.read_bytes()[:2] == b"MZ"


def test_compile_setup_names_the_missing_nsis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match="makensis is missing"):
        bundle.compile_setup(tmp_path, tmp_path / "setup.exe", icon=tmp_path / "tdapp.ico")


def test_bundle_refuses_an_unknown_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert bundle.main(["rpm"]) == 2
    assert "deb" in capsys.readouterr().err


def test_bundle_lock_has_the_packages_of_the_program() -> None:
    bundle_packages = {
        line.split(" ")[0] for line in get_lock_path("bundle").read_text("utf-8").splitlines() if "==" in line
    }
    run_packages = {
        line.split(" ")[0] for line in get_lock_path("run").read_text("utf-8").splitlines() if "==" in line
    }
    assert run_packages <= bundle_packages


# The smallest icon for NSIS: a picture of 16 by 16 pixels with 32 bits.
ICON = (
    b"\0\0\1\0\1\0\x10\x10\0\0\1\0 \0h\4\0\0\x16\0\0\0"
    b"(\0\0\0\x10\0\0\0 \0\0\0\1\0 \0\0\0\0\0@\4\0\0" + b"\0" * 16 + b"\0" * 1088
)
