"""Draw the gallery: `python -m tests.gallery OUT [--language nl] [--scheme dark] [--data large]`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import qInstallMessageHandler

from tdapp.gui.shell.crash_handling import log_qt_message
from tdapp.gui.widgets.theme import SCHEMES, SIZES
from tdapp.i18n.catalogue import LANGUAGES
from tests.gallery.data import DATA
from tests.gallery.render import Setting, render_scenes


def parse_size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


def main() -> int:
    """Draw the gallery with the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.gallery")
    parser.add_argument("out", type=Path)
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    parser.add_argument("--scheme", choices=SCHEMES, default="light")
    parser.add_argument("--size", type=parse_size, default=(1440, 900))
    parser.add_argument("--data", choices=tuple(DATA), default="typical")
    parser.add_argument("--only", default="", help="draw only scenes with this text in the name")
    parser.add_argument("--text", type=int, choices=SIZES, default=100, help="the size of text in per cent")
    args = parser.parse_args()
    qInstallMessageHandler(log_qt_message)
    setting = Setting(args.language, args.scheme, args.size, args.data, args.text)
    missing_names = render_scenes(args.out, setting, only=args.only)
    sys.stdout.write(f"{args.out / 'index.html'}\n")
    if missing_names:
        sys.stdout.write(f"not available with these data: {', '.join(missing_names)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
