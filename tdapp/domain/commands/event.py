"""Commands on the tournament itself, its divisions and stages."""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.commands.rule import command, found, required, text, within
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import (
    Division,
    DivisionId,
    Event,
    EventId,
    PlayerId,
    Round,
    Rules,
    RulesId,
    Seed,
    SeedId,
    Stage,
    StageId,
    Tournament,
    Unplayed,
)
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.tiebreaks import check_order

MOST_ROUNDS = 200
AVOIDABLE = ("club", "country", "team", "category")


def new_tournament(*, key: str, name: str, ruleset: RuleSet, seed: int = 1) -> Tournament:
    """Return an empty tournament with its own copy of `ruleset`; `key` is a fresh id, as for every command."""
    event = Event(EventId(f"{key}.e"), required(name, "name"), seed=seed)
    return Tournament().put(event, Rules(RulesId(f"{key}.r"), ruleset))


@command
def edit_event(
    tournament: Tournament,
    *,
    name: str | None = None,
    place: str | None = None,
    date: str | None = None,
    director: str | None = None,
) -> Tournament:
    """Change the tournament's own data; None leaves a field as it is."""
    event = tournament.event
    changed = replace(
        event,
        name=event.name if name is None else required(name, "name"),
        place=event.place if place is None else text(place, "place"),
        date=event.date if date is None else text(date, "date"),
        director=event.director if director is None else text(director, "director"),
    )
    return tournament.put(changed)


@command
def set_check_first(tournament: Tournament, *, check_first: bool) -> Tournament:
    """Let a round be paired only when the jury has checked all results before it, or no longer."""
    return tournament.put(replace(tournament.event, check_first=check_first))


@command
def choose_wordlist(tournament: Tournament, *, wordlist: str) -> Tournament:
    """Let the jury ask a word list edition, by its id; empty for none."""
    return tournament.put(replace(tournament.event, wordlist=text(wordlist, "wordlist")))


@command
def change_rules(tournament: Tournament, *, ruleset: RuleSet) -> Tournament:
    """Play by another rule set from now on; every game counts by it at once."""
    return tournament.put(replace(next(iter(tournament.rules.values())), ruleset=ruleset))


def finish_tournament(tournament: Tournament) -> Tournament:
    """Close the tournament for changes; raise RuleViolation while results are missing."""
    if tournament.event.finished:
        raise RuleViolation("tournament-finished")
    index = Index(tournament)
    for division in index.divisions:
        for item in index.published(division.id):
            still_open = index.open_games(item.id)
            if still_open:
                raise RuleViolation(
                    "results-missing", round=item.number, tables=[game.table for game in still_open]
                )
    return tournament.put(replace(tournament.event, finished=True))


def reopen_tournament(tournament: Tournament) -> Tournament:
    """Open a finished tournament for changes again."""
    if not tournament.event.finished:
        raise RuleViolation("tournament-not-finished")
    return tournament.put(replace(tournament.event, finished=False))


@command
def add_division(
    tournament: Tournament, *, key: str, code: str, name: str = "", first_table: int | None = None
) -> Tournament:
    """Add a division; without `first_table` its tables follow those of the others with room to spare."""
    _free_code(tournament, code)
    if first_table is None:
        taken = (division.first_table for division in tournament.divisions.values())
        first_table = max((table + 100 for table in taken), default=1)
    division = Division(
        DivisionId(key),
        required(code, "code"),
        text(name, "name"),
        first_table=within(first_table, "first_table", low=1, high=100_000),
    )
    return tournament.put(division)


@command
def edit_division(
    tournament: Tournament,
    *,
    division: DivisionId,
    code: str | None = None,
    name: str | None = None,
    first_table: int | None = None,
    list_withdrawn: bool | None = None,
) -> Tournament:
    """Change a division; None leaves a field as it is."""
    row = found(tournament.divisions, division, "no-such-division")
    if code is not None and code != row.code:
        _free_code(tournament, code)
    changed = replace(
        row,
        code=row.code if code is None else required(code, "code"),
        name=row.name if name is None else text(name, "name"),
        first_table=row.first_table
        if first_table is None
        else within(first_table, "first_table", low=1, high=100_000),
        list_withdrawn=row.list_withdrawn if list_withdrawn is None else list_withdrawn,
    )
    return tournament.put(changed)


@command
def set_order(
    tournament: Tournament, *, division: DivisionId, order: tuple[str, ...], unplayed: Unplayed | None = None
) -> Tournament:
    """Rank a division by these tie-breaks in this order; an empty order follows the rule set.

    `unplayed` is how rounds without a game count in resistance points, None leaves it as it is.
    """
    check_order(order)
    row = found(tournament.divisions, division, "no-such-division")
    return tournament.put(replace(row, order=order, unplayed=unplayed or row.unplayed))


@command
def set_spread_caps(tournament: Tournament, *, division: DivisionId, caps: tuple[int, ...]) -> Tournament:
    """Cap the spread of one game by round, the last cap for all later rounds; 0 = no cap, empty = none at all."""
    for cap in caps:
        within(cap, "spread_caps", low=0, high=10_000)
    return tournament.put(replace(found(tournament.divisions, division, "no-such-division"), spread_caps=caps))


@command
def remove_division(tournament: Tournament, *, division: DivisionId) -> Tournament:
    """Remove a division and its stages; raise RuleViolation while it has players or rounds."""
    row = found(tournament.divisions, division, "no-such-division")
    index = Index(tournament)
    if index.players(division) or index.rounds(division):
        raise RuleViolation("division-not-empty", division=row.code)
    without = tournament.drop(row, *index.stages(division), *index.prizes(division), *index.table_groups(division))
    return without.drop(*index.incidents(division), *index.challenges(division))


@command
def add_stage(
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    system: str,
    rounds: int,
    settings: PairingSettings | None = None,
) -> Tournament:
    """Let a division play `rounds` (1 to 200) more rounds under a pairing system."""
    found(tournament.divisions, division, "no-such-division")
    position = 1 + max((stage.position for stage in Index(tournament).stages(division)), default=0)
    stage = Stage(
        StageId(key),
        division,
        position,
        required(system, "system"),
        within(rounds, "rounds", low=1, high=MOST_ROUNDS),
        _checked(settings or PairingSettings()),
    )
    return tournament.put(stage)


@command
def edit_stage(
    tournament: Tournament,
    *,
    stage: StageId,
    system: str | None = None,
    rounds: int | None = None,
    settings: PairingSettings | None = None,
) -> Tournament:
    """Change a stage; raise RuleViolation if it has more rounds already, or the system after its first round."""
    row = found(tournament.stages, stage, "no-such-stage")
    made = [item for item in tournament.rounds.values() if item.stage == stage]
    if rounds is not None and rounds < len(made):
        raise RuleViolation("rounds-already-made", rounds=rounds, made=len(made))
    if rounds is not None and rounds != row.rounds and _after(tournament, row):
        raise RuleViolation("later-stage-started")
    if system is not None and system != row.system and made and "knockout" in {system, row.system}:
        raise RuleViolation("stage-started")
    changed = replace(
        row,
        system=row.system if system is None else required(system, "system"),
        rounds=row.rounds if rounds is None else within(rounds, "rounds", low=1, high=MOST_ROUNDS),
        settings=row.settings if settings is None else _checked(settings),
    )
    return tournament.put(changed)


@command
def remove_stage(tournament: Tournament, *, stage: StageId) -> Tournament:
    """Remove a stage; raise RuleViolation once it has rounds."""
    row = found(tournament.stages, stage, "no-such-stage")
    if any(item.stage == stage for item in tournament.rounds.values()):
        raise RuleViolation("stage-started")
    if _after(tournament, row):
        raise RuleViolation("later-stage-started")
    return tournament.drop(*Index(tournament).seeds(stage), row)


@command
def set_seeds(tournament: Tournament, *, key: str, stage: StageId, players: tuple[PlayerId, ...]) -> Tournament:
    """Seat `players` in a knockout or round robin, first seed first; raise RuleViolation once it has rounds."""
    row = found(tournament.stages, stage, "no-such-stage")
    if any(item.stage == stage for item in tournament.rounds.values()):
        raise RuleViolation("stage-started")
    for player in players:
        if found(tournament.players, player, "no-such-player").division != row.division:
            raise RuleViolation("other-division", player=tournament.players[player].name)
    if len(set(players)) != len(players):
        raise RuleViolation("seeded-twice")
    seeds = [Seed(SeedId(f"{key}.{number}"), stage, number, one) for number, one in enumerate(players, 1)]
    return tournament.drop(*Index(tournament).seeds(stage)).put(*seeds)


def _after(tournament: Tournament, stage: Stage) -> list[Round]:
    """Return the rounds of the stages that follow in the same division."""
    later = {
        item.id
        for item in tournament.stages.values()
        if item.division == stage.division and item.position > stage.position
    }
    return [item for item in tournament.rounds.values() if item.stage in later]


def _checked(settings: PairingSettings) -> PairingSettings:
    for item in settings.avoid:
        if item not in AVOIDABLE:
            raise RuleViolation("unknown-setting", field="avoid", value=item)
    if settings.factor is not None:
        within(settings.factor, "factor", low=1, high=MOST_ROUNDS)
    return settings


def _free_code(tournament: Tournament, code: str) -> None:
    if any(item.code.casefold() == code.strip().casefold() for item in tournament.divisions.values()):
        raise RuleViolation("division-exists", division=code)
