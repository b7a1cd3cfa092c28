"""Find the resources and start the window or the command line."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tdapp.domain.errors import UserError

if TYPE_CHECKING:
    from tdapp.storage.address import Address

_GC_THRESHOLD = 200_000  # new objects before a collection; most commands then need none


def find_resources() -> Path:
    """Return the resource folder of the bundle, the installed package or the checkout."""
    package = Path(__file__).parent
    bundle = getattr(sys, "_MEIPASS", None)
    candidates = [package / "resources", package.parent / "resources"]
    if bundle:
        candidates.insert(0, Path(bundle) / "resources")
    for folder in candidates:
        if (folder / "rulesets").is_dir():
            return folder
    raise FileNotFoundError(f"no resources beside {package}")


def find_settings_folder() -> Path:
    """Return the folder of the settings. Does not load Qt."""
    if os.name == "nt":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "tdapp"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "tdapp"


def main(arguments: Sequence[str] | None = None) -> int:
    all_arguments = list(sys.argv[1:] if arguments is None else arguments)
    language, remaining_arguments = _split_language_option(all_arguments)
    if not remaining_arguments:
        return _open_window(None, language)
    if len(remaining_arguments) == 1 and _is_file_or_address(remaining_arguments[0]):
        from tdapp.storage.address import parse_location  # noqa: PLC0415 - `--version` does not need it

        return _open_window(parse_location(remaining_arguments[0]), language)
    gc.set_threshold(_GC_THRESHOLD)
    from tdapp import cli  # noqa: PLC0415 - not needed to open the window

    if all_arguments[0] == "picture":
        return _save_window_picture_to_file(all_arguments[1:])
    if all_arguments == ["--self-test"]:
        from tdapp import selftest  # noqa: PLC0415 - imports all packages

        return selftest.run_selftest(find_resources())
    try:
        return cli.run_command_line(
            all_arguments, resources=find_resources(), servers_folder=find_settings_folder() / "shared"
        )
    except BrokenPipeError:  # the reader closed the pipe
        sys.stderr.close()
        return 0
    finally:
        gc.freeze()  # the interpreter collects cycles again at its end


def _split_language_option(arguments: list[str]) -> tuple[str | None, list[str]]:
    for index, argument in enumerate(arguments):
        name, equals, language = argument.partition("=")
        if name == "--lang" and equals:
            return language, arguments[:index] + arguments[index + 1 :]
        if name == "--lang" and index + 1 < len(arguments):
            return arguments[index + 1], arguments[:index] + arguments[index + 2 :]
    return None, arguments


def _is_file_or_address(argument: str) -> bool:
    return not argument.startswith("-") and ("." in argument or ":" in argument or Path(argument).is_file())


def _open_window(file: Path | Address | None, language: str | None) -> int:
    if language is not None:
        from tdapp.i18n.catalogue import LANGUAGES  # noqa: PLC0415 - loaded only when needed

        if language not in LANGUAGES:
            sys.stderr.write(f"tdapp: --lang: {language!r} is not one of {', '.join(LANGUAGES)}\n")
            return 2
    disable_garbage_collector()
    from tdapp import gui  # noqa: PLC0415 - the command line needs no Qt

    return gui.run_window(file, resources=find_resources(), language=language)


def disable_garbage_collector() -> None:
    """Pause the garbage collector. This makes the start 10 % faster. The window resumes garbage collection."""
    gc.disable()


def _save_window_picture_to_file(arguments: list[str]) -> int:
    from tdapp import cli, gui  # noqa: PLC0415 - loaded only when needed
    from tdapp.i18n.catalogue import Catalogue  # noqa: PLC0415

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    file, target = cli.parse_picture_arguments(arguments)
    try:
        gui.save_window_picture(file, resources=find_resources(), target=target)
    except UserError as error:
        return cli.print_error(error, Catalogue("en", find_resources() / "locale"))
    return 0
