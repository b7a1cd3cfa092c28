"""PySide6 6.12.0 on Python 3.11 loses a reference to True at each Signal.emit and aborts after some hundred."""

import subprocess
import sys

EMITS = 5000
TOLERANCE = 50  # other code may take or give up a reference meanwhile

PROGRAM = f"""
import sys
from PySide6.QtCore import QObject, Signal

class Sender(QObject):
    told = Signal(object)

received = []
sender = Sender()
sender.told.connect(received.append)
before = sys.getrefcount(True)
for number in range({EMITS}):
    sender.told.emit(number)
print(len(received), before - sys.getrefcount(True))
"""


def test_signal_emit_loses_no_reference() -> None:
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, timeout=60
    )

    assert result.returncode == 0, result.stderr
    received, lost_count = map(int, result.stdout.split())
    assert received == EMITS
    assert abs(lost_count) < TOLERANCE
