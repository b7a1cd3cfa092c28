"""The pairing settings of a stage and their defaults."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, field


class ScoreGroupPairing(StrEnum):
    """The method to pair players with equal points (a score group)."""

    SLIDE = "slide"  # top half against bottom half
    FOLD = "fold"  # first against last
    ADJACENT = "adjacent"  # neighbours in the standings
    RANDOM = "random"


class RankingQuarterPairing(StrEnum):
    """The quarters of the ranking that play each other.

    `1-3/2-4`: the first plays the third, the second the fourth.
    """

    NEAR = "1-2/3-4"
    MIDDLE = "1-3/2-4"
    OUTER = "1-4/2-3"


class EliminationKind(StrEnum):
    """The kind of knockout: what the losers of a match play next."""

    SINGLE = "single"  # losers are eliminated
    CLASSIFICATION = "classification"  # losers play for every rank
    CONSOLATION = "consolation"  # losers of the first match play a separate knockout
    DOUBLE = "double"  # losers continue in the losers' bracket


class PrizePairingSettings(Struct, frozen=True):
    """Settings of the pairing system that simulates who can still win prizes.

    In `gibson_spread` and `hopefulness`, item 0 is for the last round, item 1 for the round before. In the last
    `control_rounds` rounds the leader must meet a pursuer who needs a game against the leader to win the
    tournament.
    """

    gibson_spread: tuple[int, ...] = (250, 200)  # largest spread that a player can gain in a game
    # least share of simulations, per mille, in which a contender for a rank reaches it
    hopefulness: tuple[int, ...] = (100, 100, 50, 20, 10)
    control_loss: int = 250  # loss of winning chance, per mille, from which a pursuer must meet the leader
    control_rounds: int = 4
    simulations: int = 100_000
    control_simulations: int = 10_000
    top_down_byes: bool = False
    repeat_byes: bool = False


class PairingSettings(Struct, frozen=True):
    """The pairing settings of a stage."""

    style: ScoreGroupPairing = ScoreGroupPairing.SLIDE
    avoid: tuple[str, ...] = ()  # any of club, country, team, category, most important first
    avoid_until: int | None = None  # last round in which `avoid` counts
    repeats_from: int | None = None  # games before this round do not count as repeats
    max_repeats: int | None = None  # number of repeats that do not count
    guard_starts: bool = False  # keeping starts minus replies below 3 comes before score differences
    level_rounds: int = 0  # in this many last rounds, starts minus replies below 2
    draw_starts: bool = False  # players draw tiles to decide who starts
    double: bool = False  # round robin: every pair plays twice
    third_place: bool = False  # knockout: match of the semifinal losers
    quarters: RankingQuarterPairing = RankingQuarterPairing.MIDDLE  # quartile pairing
    factor: int | None = None  # factor pairing: ranks between opponents; None: rounds left in the stage
    behind: int = 0  # use standings this many rounds before the latest
    boards: int = 0  # team systems: players of a team in a match; 0: no team matches
    groups: int = 1  # round robin: number of snake-seeded groups
    elimination: EliminationKind = EliminationKind.SINGLE  # knockout
    series: int = 1  # knockout: games of a match, won by series // 2 + 1 wins
    aggregate: bool = False  # knockout: play all games of a series, decided by total spread
    contention: PrizePairingSettings = field(default_factory=PrizePairingSettings)  # prize-aware pairing
