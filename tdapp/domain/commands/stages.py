"""Commands on the stages of a division. A stage is a group of consecutive rounds with one pairing system."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TypedDict, Unpack

from msgspec.structs import replace

from tdapp.domain.bracket import (
    generate_random_bits,
    get_first_cut_tie_or_refuse,
    list_players_in_seed_order,
    make_play_off_stage,
    select_qualifiers_by_rank_and_lot,
)
from tdapp.domain.commands.rule import (
    LAST_ROUND,
    check_number_in_range,
    command,
    get_row_or_refuse,
    parse_date_to_iso_or_refuse,
    strip_and_check_required_text,
    strip_and_check_text,
)
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, PlayerId, Round, Seed, SeedId, Stage, StageId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.stages import find_next_stage, list_stages_up_to
from tdapp.domain.systems import PAIRING_SYSTEMS, get_pairing_system
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_

MOST_ROUNDS = 200
MOST_GAMES = 15  # in a series
MOST_GROUPS = 100
MOST_BOARDS = 100
MOST_SPREAD = 2_000  # points in a game
MOST_SIMULATIONS = 1_000_000
PER_MILLE = 1_000
MIN_PLAYERS = 2  # in a stage
AVOIDABLE = ("club", "country", "team", "category")


@command(N_("Division {division}: stage added ({system:system})"))
def add_stage(  # noqa: PLR0913 - a stage's fields
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    system: str,
    rounds: int,
    settings: PairingSettings | None = None,
    cut: int | None = None,
    carry: bool = True,
    before: StageId | None = None,
    name: str = "",
    date: str = "",
) -> Tournament:
    """Add a stage of `rounds` rounds (1 to 200) at the end, or `before` another stage.

    `model.Stage` explains the remaining arguments.
    """
    get_row_or_refuse(tournament.divisions, division, "no-such-division")
    stages = list(TournamentIndex(tournament).stages(division))
    stage = Stage(
        StageId(key),
        division,
        1 + max((old_stage.position for old_stage in stages), default=0),
        _get_system_id_or_refuse(system),
        check_number_in_range(rounds, "rounds", low=1, high=MOST_ROUNDS),
        _get_valid_pairing_settings_or_refuse(settings or PairingSettings()),
        _check_cut_size(cut),
        carry,
        name=strip_and_check_text(name, "name"),
        date=parse_date_to_iso_or_refuse(date, "date"),
    )
    if before is None:
        return tournament.put(stage)
    return _insert_stage(tournament, stages, stage, before)


class StageChanges(TypedDict, total=False):
    """Editable fields of a stage."""

    system: str
    rounds: int
    settings: PairingSettings
    cut: int  # 0 removes the cut
    carry: bool
    name: str
    date: str


@command(N_("Stage changed ({stage:system})"))
def edit_stage(
    tournament: Tournament,
    *,
    stage: StageId,
    key: str = "",
    seats: tuple[PlayerId, ...] | None = None,
    **changes: Unpack[StageChanges],
) -> Tournament:
    """Change the given fields of a stage. `seats` are its players in seed order.

    Once the stage has a round, its cut, groups and kind of knockout cannot change.
    """
    row = get_row_or_refuse(tournament.stages, stage, "no-such-stage")
    stage_rounds = _list_rounds_of_stage(tournament, row)
    new_stage = replace(row, **changes)
    if new_stage.system != row.system:
        _get_system_id_or_refuse(new_stage.system)
        _refuse_play_off_stage(row)
    if new_stage.rounds < len(stage_rounds):
        raise CommandError("rounds-already-made", rounds=new_stage.rounds, made=len(stage_rounds))
    if new_stage.rounds != row.rounds and _list_rounds_of_later_stages(tournament, row):
        raise CommandError("later-stage-started")
    new_stage = replace(
        new_stage,
        rounds=check_number_in_range(new_stage.rounds, "rounds", low=0 if row.evening else 1, high=MOST_ROUNDS),
        name=strip_and_check_text(new_stage.name, "name"),
        date=parse_date_to_iso_or_refuse(new_stage.date, "date"),
        settings=_get_valid_pairing_settings_or_refuse(new_stage.settings)
        if "settings" in changes
        else row.settings,
        cut=_check_cut_size(new_stage.cut) if "cut" in changes else row.cut,
    )
    if new_stage.evening and (new_stage.rounds != len(stage_rounds) or new_stage.cut or new_stage.carry):
        raise CommandError("evening-stays")
    if new_stage.evening and not get_pairing_system(new_stage).evenings:
        raise CommandError("evening-system", system=get_pairing_system(new_stage).text_id)
    if stage_rounds and _list_immutable_stage_settings(new_stage) != _list_immutable_stage_settings(row):
        raise CommandError("stage-started")
    tournament = tournament.put(new_stage)
    return tournament if seats is None else set_seeds(tournament, key=key, stage=stage, players=seats)


@command(N_("Number of rounds changed ({stage:system})"))
def schedule_stage(
    tournament: Tournament, *, stage: StageId, first: int | None = None, last: int | None = None
) -> Tournament:
    """Set the `first` and `last` round of a stage, if given. The neighbouring stages are adjusted."""
    row = get_row_or_refuse(tournament.stages, stage, "no-such-stage")
    index = TournamentIndex(tournament)
    first_round = index.get_first_round_number(stage)
    last_round = first_round + row.rounds - 1 if last is None else last
    earlier_stages = [
        earlier_stage for earlier_stage in list_stages_up_to(index, row) if earlier_stage.id != stage
    ]
    if first is not None and first != first_round:
        if not earlier_stages:
            raise CommandError("number-out-of-range", field="rounds", value=first, low=1, high=1)
        previous_stage = earlier_stages[-1]
        first_round = check_number_in_range(
            first, "rounds", low=index.get_first_round_number(previous_stage.id) + 1, high=last_round
        )
        if _list_rounds_of_stage(tournament, row):
            raise CommandError("stage-started")
        tournament = _set_round_count(
            tournament, previous_stage, first_round - index.get_first_round_number(previous_stage.id)
        )
    return _set_round_count(
        tournament,
        row,
        check_number_in_range(last_round, "rounds", low=first_round, high=first_round + MOST_ROUNDS)
        - first_round
        + 1,
    )


@command(N_("Stage split into two ({stage:system})"))
def split_stage(
    tournament: Tournament, *, key: str, stage: StageId, rounds: int, system: str | None = None
) -> Tournament:
    """End a stage after `rounds` rounds. The new stage `key` has the remaining rounds, with `system` if given."""
    row = get_row_or_refuse(tournament.stages, stage, "no-such-stage")
    _refuse_play_off_stage(row)
    _refuse_evening_stage(row)
    if row.rounds == 1:
        raise CommandError("stage-too-short")
    check_number_in_range(rounds, "rounds", low=1, high=row.rounds - 1)
    if rounds < len(stage_rounds := _list_rounds_of_stage(tournament, row)):
        raise CommandError("rounds-already-made", rounds=rounds, made=len(stage_rounds))
    new_stage = replace(
        row,
        id=StageId(key),
        rounds=row.rounds - rounds,
        system=row.system if system is None else _get_system_id_or_refuse(system),
        cut=None,
        carry=True,
    )
    stages = list(TournamentIndex(tournament).stages(row.division))
    index = stages.index(row)
    return _update_stage_positions(
        tournament, [*stages[:index], replace(row, rounds=rounds), new_stage, *stages[index + 1 :]]
    )


@command(N_("Stage merged with the next one ({stage:system})"))
def merge_stages(tournament: Tournament, *, stage: StageId) -> Tournament:
    row = get_row_or_refuse(tournament.stages, stage, "no-such-stage")
    next_stage = find_next_stage(TournamentIndex(tournament), row)
    if next_stage is None:
        raise CommandError("last-stage")
    for merged_stage in (row, next_stage):
        _refuse_play_off_stage(merged_stage)
        _refuse_evening_stage(merged_stage)
    if _list_rounds_of_later_stages(tournament, row):
        raise CommandError("later-stage-started")
    rounds = check_number_in_range(row.rounds + next_stage.rounds, "rounds", low=row.rounds, high=MOST_ROUNDS)
    return tournament.drop_with_children(next_stage).put(replace(row, rounds=rounds))


@command(N_("Stage moved ({stage:system})"))
def move_stage(tournament: Tournament, *, stage: StageId, position: int) -> Tournament:
    row = get_row_or_refuse(tournament.stages, stage, "no-such-stage")
    stages = list(TournamentIndex(tournament).stages(row.division))
    check_number_in_range(position, "position", low=1, high=len(stages))
    other_stages = [other_stage for other_stage in stages if other_stage.id != stage]
    new_order = [*other_stages[: position - 1], row, *other_stages[position - 1 :]]
    moved_stages = [
        moved_stage for index, moved_stage in enumerate(new_order) if stages[index].id != moved_stage.id
    ]
    if any(_list_rounds_of_stage(tournament, moved_stage) for moved_stage in moved_stages):
        raise CommandError("stage-started")
    return _update_stage_positions(tournament, new_order)


@command(N_("Stage removed ({stage:system})"))
def remove_stage(tournament: Tournament, *, stage: StageId) -> Tournament:
    row = get_row_or_refuse(tournament.stages, stage, "no-such-stage")
    if _list_rounds_of_stage(tournament, row):
        raise CommandError("stage-started")
    if _list_rounds_of_later_stages(tournament, row):
        raise CommandError("later-stage-started")
    return tournament.drop_with_children(row)


@command(N_("Seeds set for the knockout"))
def set_seeds(tournament: Tournament, *, key: str, stage: StageId, players: tuple[PlayerId, ...]) -> Tournament:
    """Set the players of a stage in the order of seeds, regardless of its cut (number of qualifiers).

    With empty `players`, the standings determine them again.
    """
    row = get_row_or_refuse(tournament.stages, stage, "no-such-stage")
    if _list_rounds_of_stage(tournament, row):
        raise CommandError("stage-started")
    for player in players:
        if get_row_or_refuse(tournament.players, player, "no-such-player").division != row.division:
            raise CommandError("other-division", player=tournament.players[player].name)
    if len(set(players)) != len(players):
        raise CommandError("seeded-twice")
    seeds = [Seed(SeedId(f"{key}.{number}"), stage, number, player) for number, player in enumerate(players, 1)]
    return tournament.drop(*TournamentIndex(tournament).seeds(stage)).put(*seeds)


@command(N_("Qualifying players drawn by lot"))
def draw_cut(tournament: Tournament, *, key: str, stage: StageId) -> Tournament:
    """Draw lots among the players tied for the last qualifying places."""
    row = get_row_or_refuse(tournament.stages, stage, "no-such-stage")
    get_first_cut_tie_or_refuse(TournamentIndex(tournament), row)
    return set_seeds(
        tournament,
        key=key,
        stage=stage,
        players=select_qualifiers_by_rank_and_lot(TournamentIndex(tournament), row),
    )


@command(N_("Play-off for the last qualifying places added"))
def insert_play_off(tournament: Tournament, *, key: str, stage: StageId) -> Tournament:
    row = get_row_or_refuse(tournament.stages, stage, "no-such-stage")
    index = TournamentIndex(tournament)
    tie = get_first_cut_tie_or_refuse(index, row)
    play_off = make_play_off_stage(row, tie, StageId(key))
    seeds = [
        Seed(SeedId(f"{key}.{number}"), play_off.id, number, player)
        for number, player in enumerate(tie.players, 1)
    ]
    return _insert_stage(tournament, index.stages(row.division), play_off, stage).put(*seeds)


def _insert_stage(tournament: Tournament, stages: Sequence[Stage], stage: Stage, before: StageId) -> Tournament:
    next_stage = get_row_or_refuse({old_stage.id: old_stage for old_stage in stages}, before, "no-such-stage")
    if _list_rounds_of_stage(tournament, next_stage) or _list_rounds_of_later_stages(tournament, next_stage):
        raise CommandError("stage-started")
    index = stages.index(next_stage)
    return _update_stage_positions(tournament, [*stages[:index], stage, *stages[index:]])


def _update_stage_positions(tournament: Tournament, stages: Sequence[Stage]) -> Tournament:
    numbered_stages = (replace(stage, position=position) for position, stage in enumerate(stages, start=1))
    return tournament.put(*(stage for stage in numbered_stages if tournament.stages.get(stage.id) != stage))


def _set_round_count(tournament: Tournament, stage: Stage, rounds: int) -> Tournament:
    return edit_stage(tournament, stage=stage.id, rounds=rounds) if rounds != stage.rounds else tournament


def _list_rounds_of_stage(tournament: Tournament, stage: Stage) -> list[Round]:
    return [item for item in tournament.rounds.values() if item.stage == stage.id]


def _list_immutable_stage_settings(stage: Stage) -> tuple[object, ...]:
    settings, knockout = stage.settings, get_pairing_system(stage).is_knockout
    return stage.cut, settings.groups, knockout, knockout and (settings.elimination, settings.series)


def _refuse_play_off_stage(stage: Stage) -> None:
    if stage.play_off:
        raise CommandError("play-off-stays")


def _refuse_evening_stage(stage: Stage) -> None:
    if stage.evening:
        raise CommandError("evening-stays")


def _check_cut_size(cut: int | None) -> int | None:
    return check_number_in_range(cut, "cut", low=MIN_PLAYERS, high=100_000) if cut else None


def _list_rounds_of_later_stages(tournament: Tournament, stage: Stage) -> list[Round]:
    later_ids = {
        later_stage.id
        for later_stage in tournament.stages.values()
        if later_stage.division == stage.division and later_stage.position > stage.position
    }
    return [item for item in tournament.rounds.values() if item.stage in later_ids]


def _get_system_id_or_refuse(system: str) -> str:
    if strip_and_check_required_text(system, "system") not in PAIRING_SYSTEMS:
        raise CommandError("unknown-system", system=system, known=", ".join(PAIRING_SYSTEMS))
    return system


def _get_valid_pairing_settings_or_refuse(settings: PairingSettings) -> PairingSettings:
    for field in settings.avoid:
        if field not in AVOIDABLE:
            raise CommandError("unknown-setting", field="avoid", value=field)
    for name, low, high in (
        ("avoid_until", 0, LAST_ROUND),
        ("repeats_from", 0, LAST_ROUND),
        ("max_repeats", 0, LAST_ROUND),
        ("factor", 1, MOST_ROUNDS),
        ("level_rounds", 0, MOST_ROUNDS),
        ("series", 1, MOST_GAMES),
        ("behind", 0, MOST_ROUNDS),
        ("groups", 1, MOST_GROUPS),
        ("boards", 0, MOST_BOARDS),
    ):
        value: int | None = getattr(settings, name)
        if value is not None:
            check_number_in_range(value, name, low=low, high=high)
    for name, low, high in (
        ("gibson_spread", 1, MOST_SPREAD),
        ("hopefulness", 1, PER_MILLE),
        ("control_loss", 1, PER_MILLE),
        ("control_rounds", 0, MOST_ROUNDS),
        ("simulations", 1_000, MOST_SIMULATIONS),
        ("control_simulations", 1_000, MOST_SIMULATIONS),
    ):
        setting: int | tuple[int, ...] = getattr(settings.contention, name)
        # An empty list is checked as 0: too low.
        for number in (setting or (0,)) if isinstance(setting, tuple) else (setting,):
            check_number_in_range(number, name, low=low, high=high)
    return settings


class Seeding(StrEnum):
    """How the players of a stage are seeded."""

    STANDINGS = "seeds-standings"  # with tie-breaks; by rating before the first round
    RATING = "seeds-rating"
    LOT = "seeds-lot"  # by lot, from the tournament's random seed


@command(N_("Knockout seeds: {by:code}"))
def seed_stage(tournament: Tournament, *, key: str, stage: StageId, by: Seeding) -> Tournament:
    """Seed the players of a stage that has no rounds yet.

    With STANDINGS, the seeds follow the results until the first round is published.
    """
    row = get_row_or_refuse(tournament.stages, stage, "no-such-stage")
    cleared_tournament = set_seeds(tournament, key=key, stage=stage, players=())
    if by is Seeding.STANDINGS:
        return cleared_tournament
    position, seed = row.position, tournament.event.seed

    def compute_sort_key(player: PlayerId) -> int:
        player_row = tournament.players[player]
        if by is Seeding.LOT:
            return generate_random_bits(seed, position, player_row.number)
        return -(player_row.rating or 0)

    players = tuple(
        sorted(list_players_in_seed_order(TournamentIndex(cleared_tournament), stage), key=compute_sort_key)
    )
    return set_seeds(cleared_tournament, key=key, stage=stage, players=players)
