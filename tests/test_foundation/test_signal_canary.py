"""Test of a bug in PySide6 6.12.0 on Python 3.11: each Signal.emit loses a reference to True."""

import subprocess
import sys

EMIT_COUNT = 5000
TOLERANCE = 50  # other code can change the count of references too

PROGRAM = f"""
import sys
from PySide6.QtCore import QObject, Signal

class Sender(QObject):
    told = Signal(object)

received = []
sender = Sender()
sender.told.connect(received.append)
before = sys.getrefcount(True)
for number in range({EMIT_COUNT}):
    sender.told.emit(number)
print(len(received), before - sys.getrefcount(True))
"""


def test_signal_emit_loses_no_reference() -> None:
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, timeout=60
    )

    assert result.returncode == 0, result.stderr
    received, lost_count = map(int, result.stdout.split())
    assert received == EMIT_COUNT
    assert abs(lost_count) < TOLERANCE
