"""Tests of the display window on a second display with another size and scaling, in a separate process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PROJECT_FOLDER = Path(__file__).parents[2]


def make_display_config(name: str, x: int, size: tuple[int, int]) -> dict[str, object]:
    return {
        "name": name, "x": x, "y": 0, "width": size[0], "height": size[1],
        "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("size", "scale"), [((1920, 1080), 1.0), ((1920, 1080), 2.0), ((1024, 768), 1.5), ((3840, 2160), 1.25)]
)
def test_display_window_opens_on_the_second_display(tmp_path: Path, size: tuple[int, int], scale: float) -> None:
    laptop, beamer = make_display_config("laptop", 0, (1440, 900)), make_display_config("beamer", 1440, size)
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"screens": [laptop, beamer]}))
    environment = os.environ | {
        "QT_QPA_PLATFORM": f"offscreen:configfile={config}",
        "QT_SCREEN_SCALE_FACTORS": f"laptop=1.25;beamer={scale}",
        "PYTHONPATH": str(PROJECT_FOLDER),
    }
    process = subprocess.run(
        [sys.executable, "-m", "tests.gui.two_displays", str(tmp_path)],
        cwd=PROJECT_FOLDER, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    report = json.loads(process.stdout)
    assert report["display"] == "beamer"
    assert report["fills_display"]
    assert report["has_keyboard"], "the director's window lost the keyboard"
    assert report["ratio"] == scale
    assert report["pixels"] == pytest.approx(size[0], abs=2)
    assert report["first_line"] == "Standings after round 1"
    assert report["display_after_action"] == "laptop"
    assert report["open_windows"] == []
