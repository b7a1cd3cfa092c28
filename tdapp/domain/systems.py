"""The pairing systems by id. `tdapp.pairing.systems` implements them.

A file can contain a stage with an unknown system. Such a stage supports no settings and cannot be paired.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from tdapp.domain.model import Stage
from tdapp.domain.translatable import C_, N_


class PairingSystem(Struct, frozen=True):
    """A pairing system with the settings that it supports."""

    id: str
    name: str
    settings: tuple[str, ...] = ()  # the supported fields of PairingSettings
    has_seats: bool = False  # the first published round gives each player a seat number for the whole stage
    is_knockout: bool = False
    is_prescribed: bool = False  # seats or the bracket determine all pairings, even of forbidden pairs
    team_schedule: bool = False
    evenings: bool = False  # it can pair club evenings, whose number of rounds is open
    ignores_scores: bool = False

    @property
    def text_id(self) -> str:
        return f"system.{self.id}"

    def supports_setting(self, setting: str) -> bool:
        return setting in self.settings


_COMMON_SETTINGS = ("draw_starts",)
_STANDINGS_SETTINGS = (*_COMMON_SETTINGS, "behind")  # of systems that use current or earlier standings
_REPEAT_SETTINGS = (*_STANDINGS_SETTINGS, "repeats_from", "max_repeats")
_START_SETTINGS = (*_REPEAT_SETTINGS, "guard_starts", "level_rounds")
_SCORE_GROUP_SETTINGS = (*_START_SETTINGS, "style", "avoid", "avoid_until")

SWISS = PairingSystem("swiss", N_("Swiss"), _SCORE_GROUP_SETTINGS, evenings=True)
ROUND_ROBIN = PairingSystem(
    "round-robin", N_("round robin"), (*_COMMON_SETTINGS, "double", "groups"), has_seats=True, is_prescribed=True
)
KING_OF_THE_HILL = PairingSystem("king-of-the-hill", N_("king of the hill"), _START_SETTINGS, evenings=True)
FACTOR = PairingSystem("factor", C_("pairing system", "factor pairing"), (*_SCORE_GROUP_SETTINGS, "factor"))
QUARTILES = PairingSystem(
    "quartiles", C_("pairing system", "quartile pairing"), (*_REPEAT_SETTINGS, "quarters"), evenings=True
)
# No `max_repeats`: if repeats are unavoidable, the Australian draw ignores earlier games.
AUSTRALIAN = PairingSystem(
    "australian", C_("pairing system", "Australian draw"), (*_STANDINGS_SETTINGS, "repeats_from")
)
PRIZE = PairingSystem("prize", C_("pairing system", "prize-aware (COP)"), (*_STANDINGS_SETTINGS, "contention"))
SNAKE_GROUPS = PairingSystem(
    "snake-groups", C_("pairing system", "snake groups"), _COMMON_SETTINGS, has_seats=True
)
TEAM_SWISS = PairingSystem("team-swiss", N_("team Swiss"), (*_SCORE_GROUP_SETTINGS, "boards"), evenings=True)
TEAM_ROUND_ROBIN = PairingSystem(
    "team-round-robin", N_("team round robin"), (*_COMMON_SETTINGS, "boards"), has_seats=True, team_schedule=True
)
RANDOM = PairingSystem("random", N_("drawn by lot"), _REPEAT_SETTINGS, evenings=True, ignores_scores=True)
KNOCKOUT = PairingSystem(
    "knockout",
    N_("knockout"),
    (*_COMMON_SETTINGS, "elimination", "third_place", "series", "aggregate"),
    has_seats=True,
    is_knockout=True,
    is_prescribed=True,
)
MANUAL = PairingSystem("manual", C_("pairing system", "by hand"), _STANDINGS_SETTINGS, evenings=True)

PAIRING_SYSTEMS: Mapping[str, PairingSystem] = {
    system.id: system for system in tuple(globals().values()) if isinstance(system, PairingSystem)
}


def find_system_or_placeholder(system_id: str) -> PairingSystem:
    return PAIRING_SYSTEMS.get(system_id) or PairingSystem(system_id, system_id)


def get_pairing_system(stage: Stage) -> PairingSystem:
    return find_system_or_placeholder(stage.system)
