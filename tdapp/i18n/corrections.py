"""Corrections of a decided game. Their effects are described before they are made."""

from __future__ import annotations

from functools import partial

from msgspec import Struct

from tdapp.domain.errors import RuleViolation
from tdapp.domain.impact import assess_impact, find_certified_change, has_certified_seats, needs_assessment
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, GameId, PlayerId, SeatId
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.impact_sentences import describe_hindsight, describe_impact
from tdapp.pairing.recheck import find_pairing_changes


class Correction(Struct, frozen=True):
    """A correction. `round` is the first affected round, `yes` the text of the button.

    `reasoned`: the command has a reason already.
    """

    command: partial[Tournament]
    said: str
    division: DivisionId
    players: tuple[PlayerId, ...]
    round: int
    yes: str = ""
    reasoned: bool = False

    def make_tournament(self, tournament: Tournament) -> Tournament:
        return self.make_command("…")(tournament)

    def make_command(self, reason: str) -> partial[Tournament]:
        return partial(self.command, reason=reason) if reason and not self.reasoned else self.command


def make_game_correction(
    index: Index, key: GameId, command: partial[Tournament], said: str, *, yes: str = "", reasoned: bool = False
) -> Correction:
    game = index.tournament.games[key]
    division, number = index.division_of(game.round).id, index.tournament.rounds[game.round].number
    players = (game.first, game.second)
    return Correction(command, said, division, players, number, yes=yes, reasoned=reasoned)


def make_seats_correction(
    index: Index, key: SeatId, command: partial[Tournament], said: str, *, yes: str = ""
) -> Correction:
    """Return the correction of a group table. `key` is its first seat."""
    seat = index.tournament.seats[key]
    division, number = index.division_of(seat.round).id, index.tournament.rounds[seat.round].number
    players = tuple(one.player for one in index.seats(seat.round) if one.table == seat.table)
    return Correction(command, said, division, players, number, yes=yes)


def has_effects(correction: Correction, tournament: Tournament) -> bool:
    """Return whether the effects must be shown first."""
    after = correction.make_tournament(tournament)
    return needs_assessment(tournament, after) or find_certified_change(tournament, after) is not None


class CorrectionEffects(Struct, frozen=True):
    """Effects of a correction. `needs_reason`: a certified result changes.

    `repaired`: the tournaments before and after, if the other effects require pairing later rounds again.
    """

    changes: tuple[str, ...]
    later: str = ""
    needs_reason: bool = False
    repaired: tuple[Tournament, Tournament] | None = None


def describe_effects(correction: Correction, index: Index, catalogue: Catalogue) -> CorrectionEffects:
    before, division = index.tournament, correction.division
    try:
        after = correction.make_tournament(before)
    except RuleViolation as error:
        return CorrectionEffects((catalogue.error(error),))
    certified = find_certified_change(before, after) is not None or has_certified_seats(before, after)
    reason = not correction.reasoned and certified
    found = assess_impact(index, after, division)
    changes = describe_impact(found, before.players, catalogue, first=correction.players)
    rounds = [item.number for item in index.rounds(division) if item.number > correction.round]
    if not rounds:
        return CorrectionEffects(changes, "", reason)
    if before.results.keys() <= after.results.keys():
        return CorrectionEffects(changes, catalogue.text("Looking at later rounds…"), reason, (before, after))
    numbers = catalogue.format_numbers(rounds)
    later = catalogue.plural(
        "Round {rounds} is paired on this result", "Rounds {rounds} are paired on this result", len(rounds),
        rounds=numbers,
    )  # fmt: skip
    return CorrectionEffects(changes, later, reason)


def describe_later_rounds(correction: Correction, effects: CorrectionEffects, catalogue: Catalogue) -> str:
    """Describe the effects on later rounds. Pairing these again can take seconds."""
    if effects.repaired is None:
        return effects.later
    before, after = effects.repaired
    return describe_hindsight(find_pairing_changes(before, after, correction.division), before.players, catalogue)
