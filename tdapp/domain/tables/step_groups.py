"""Groups of journal steps by subject, for filters."""

from __future__ import annotations

from tdapp.domain.commands import COMMANDS
from tdapp.domain.erasing import ERASED
from tdapp.domain.journal import SALVAGED

GROUPS = ("results", "rounds", "jury", "players", "settings")
_GROUP_OF_MODULE = {"sheets": "jury", "constraints": "players", "imports": "players", "transfers": "players",
                    "entry_desk": "players"}  # fmt: skip


def group_of(label: str) -> str:
    """Return the group of a step in GROUPS: the module of its command ("rounds" for pairing steps)."""
    if label in {ERASED, SALVAGED}:
        return "players" if label == ERASED else "settings"
    command = COMMANDS.get(label)
    module = command.__module__.rpartition(".")[2] if command is not None else "rounds"
    group = _GROUP_OF_MODULE.get(module, module)
    return group if group in GROUPS else "settings"
