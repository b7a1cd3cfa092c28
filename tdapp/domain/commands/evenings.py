"""Commands on club evenings. A club evening is a stage that gets one more round at each pairing."""

from __future__ import annotations

from msgspec.structs import replace

from tdapp.domain.commands.players import add_player, check_in
from tdapp.domain.commands.rule import command, get_row_or_refuse
from tdapp.domain.commands.stages import add_stage
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, PlayerId, RoundState, StageId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.ruleset import OddPlayerRule, RuleSet
from tdapp.domain.stages import find_last_evening
from tdapp.domain.systems import RANDOM, get_pairing_system
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_


def replace_bye_rule_by_tables_of_three(rules: RuleSet) -> RuleSet:
    odd_player = OddPlayerRule.THREE if rules.tables.odd is OddPlayerRule.BYE else rules.tables.odd
    return replace(rules, tables=replace(rules.tables, odd=odd_player))


@command(N_("Evening of {date:date} started"))
def begin_evening(
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    date: str,
    name: str = "",
    system: str | None = None,
    settings: PairingSettings | None = None,
) -> Tournament:
    """Begin a club evening with standings from zero and no player checked in.

    Without `system` or `settings`, use those of the last evening. The first evening uses random pairing.
    """
    get_row_or_refuse(tournament.divisions, division, "no-such-division")
    last_evening = find_last_evening(TournamentIndex(tournament), division)
    has_same_system = last_evening is not None and system in {None, last_evening.system}
    tournament = end_evening(_trim_schedule_to_published_rounds(tournament, division), division=division)
    tournament = add_stage(
        tournament,
        key=key,
        division=division,
        system=system or (last_evening.system if last_evening else RANDOM.id),
        rounds=1,
        settings=settings or (last_evening.settings if last_evening and has_same_system else None),
        carry=False,
        name=name,
        date=date,
    )
    stage = replace(tournament.stages[StageId(key)], rounds=0, evening=True)
    if not get_pairing_system(stage).evenings:
        raise CommandError("evening-system", system=get_pairing_system(stage).text_id)
    return tournament.put(stage)


@command(N_("Evening ended"))
def end_evening(tournament: Tournament, *, division: DivisionId) -> Tournament:
    get_row_or_refuse(tournament.divisions, division, "no-such-division")
    present_players = (row for row in TournamentIndex(tournament).players(division) if row.checked_in)
    return tournament.put(*(replace(row, checked_in=False) for row in present_players))


@command(N_("New member checked in: {name}"))
def add_member(tournament: Tournament, *, key: str, division: DivisionId, name: str) -> Tournament:
    tournament = add_player(tournament, key=key, division=division, name=name)
    return check_in(tournament, players=(PlayerId(key),))


def _trim_schedule_to_published_rounds(tournament: Tournament, division: DivisionId) -> Tournament:
    index = TournamentIndex(tournament)
    drafts = [item for item in index.rounds(division) if item.state is RoundState.DRAFT]
    tournament = tournament.drop_with_children(*drafts)
    for stage in reversed(index.stages(division)):
        round_count = sum(item.stage == stage.id for item in index.list_published_rounds(division))
        if round_count and round_count != stage.rounds:
            return tournament.put(replace(stage, rounds=round_count))
        if round_count:
            return tournament
        tournament = tournament.drop_with_children(stage)
    return tournament
