"""The hall window on a second display of another size and scaling, in a separate process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HERE = Path(__file__).parents[2]


def display(name: str, left: int, size: tuple[int, int]) -> dict[str, object]:
    return {
        "name": name, "x": left, "y": 0, "width": size[0], "height": size[1],
        "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("size", "scale"), [((1920, 1080), 1.0), ((1920, 1080), 2.0), ((1024, 768), 1.5), ((3840, 2160), 1.25)]
)
def test_room_window_opens_on_the_other_display(tmp_path: Path, size: tuple[int, int], scale: float) -> None:
    laptop, beamer = display("laptop", 0, (1440, 900)), display("beamer", 1440, size)
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"screens": [laptop, beamer]}))
    surroundings = os.environ | {
        "QT_QPA_PLATFORM": f"offscreen:configfile={config}",
        "QT_SCREEN_SCALE_FACTORS": f"laptop=1.25;beamer={scale}",
        "PYTHONPATH": str(HERE),
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.gui.two_displays", str(tmp_path)],
        cwd=HERE, env=surroundings, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["on"] == "beamer"
    assert found["whole"]
    assert found["keys"], "the director's window keeps the keys"
    assert found["ratio"] == scale
    assert found["pixels"] == pytest.approx(size[0], abs=2)
    assert found["sees"] == "Standings after round 1"
    assert found["moved"] == "laptop"
    assert found["left"] == []
