"""What the steps of the journal are about, to choose among them by."""

from __future__ import annotations

from tdapp.domain.commands import COMMANDS
from tdapp.domain.erasing import ERASED
from tdapp.domain.journal import SALVAGED

GROUPS = ("results", "rounds", "jury", "players", "settings")
_GROUP_OF_MODULE = {"sheets": "jury", "constraints": "players", "imports": "players", "transfers": "players",
                    "entry_desk": "players"}  # fmt: skip


def group_of(label: str) -> str:
    """Return which of GROUPS a step belongs to: the module of its command; those that pair are of the rounds."""
    if label in {ERASED, SALVAGED}:
        return "players" if label == ERASED else "settings"
    command = COMMANDS.get(label)
    module = command.__module__.rpartition(".")[2] if command is not None else "rounds"
    group = _GROUP_OF_MODULE.get(module, module)
    return group if group in GROUPS else "settings"
