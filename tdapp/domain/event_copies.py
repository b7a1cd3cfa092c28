"""Copy the public results of an event from another file into a season."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import CopiedGame, Division, Player, PlayerId, PublicNameFormat, Round, Stage
from tdapp.domain.publishing import make_public_view
from tdapp.domain.ratings import SCORES, is_rated_round
from tdapp.domain.records import Record, compute_records
from tdapp.domain.ruleset import Outcome
from tdapp.domain.standings import Standing, compute_standings
from tdapp.domain.tournament import Tournament


class CopiedPlayer(Struct, frozen=True):
    """A player of an event from another file, with published results."""

    number: int  # unique in the event
    name: str
    rank: int
    games: int
    points: int
    spread: int
    match_points: Fraction
    unscored: int = 0  # rounds with a result but no points, such as a bye
    member: str = ""
    club: str = ""
    country: str = ""
    category: str = ""
    rating: int | None = None


class EventToCopy(Struct, frozen=True):
    """A division or a club evening of an event from another file.

    The fields `name`, `date`, `source`, `division` and `games` are as in `model.CopiedEvent`.
    """

    name: str
    date: str
    source: str
    head: str  # checksum of the file
    entries: tuple[CopiedPlayer, ...]
    games: tuple[CopiedGame, ...] = ()
    division: str = ""
    open_games: int = 0  # games without a result


def list_events_to_copy(tournament: Tournament, *, source: str, head: str) -> tuple[EventToCopy, ...]:
    """Return a copy of each division with results. Copy each club evening separately.

    `source` is the file name, `head` the file's checksum. Names are those shown to the public.
    """
    index = TournamentIndex(make_public_view(tournament))
    has_many_divisions = len(index.divisions) > 1
    copies = []
    for division in index.divisions:
        code = division.code if has_many_divisions else ""
        for stage, rounds in _list_evenings_or_whole_event(index, division):
            name, date = tournament.event.name, tournament.event.date
            if stage is not None:
                name, date = " · ".join(filter(None, (name, stage.name))), stage.date
            rows = list_standings_of_participants(index, division, rounds)
            records = compute_records(index, division, rounds[-1].number)
            entries = tuple(_copy_standing(tournament, row, records[row.player.id], rounds) for row in rows)
            games = tuple(_copy_rated_games(rows, records, rounds))
            open_games = sum(index.get_result(game.id) is None for item in rounds for game in index.games(item.id))
            if entries:
                copies.append(EventToCopy(name, date, source, head, entries, games, code, open_games))
    return tuple(copies)


def _list_evenings_or_whole_event(
    index: TournamentIndex, division: Division
) -> Iterator[tuple[Stage | None, Sequence[Round]]]:
    published_rounds = index.list_published_rounds(division.id)
    if not any(stage.evening for stage in index.stages(division.id)):
        if published_rounds:
            yield None, published_rounds
        return
    for stage in index.stages(division.id):
        rounds = [item for item in published_rounds if item.stage == stage.id]
        if rounds:
            yield stage, rounds


def list_standings_of_participants(
    index: TournamentIndex, division: Division, rounds: Sequence[Round]
) -> list[Standing]:
    """Return the standings after the last of `rounds`. Omit disqualified players and players without games.

    Players behind an omitted player move up, so that no rank exceeds the number of rows.
    """
    rows = compute_standings(index, division, rounds[-1].number)
    omitted_ranks = [row.rank for row in rows if not row.games or row.disqualified]
    return [
        row._replace(rank=row.rank - sum(rank < row.rank for rank in omitted_ranks))
        for row in rows
        if row.games and not row.disqualified
    ]


def count_byes_and_forfeits_without_points(record: Record, rounds: Sequence[Round]) -> int:
    """Count a player's byes and forfeits without awarded points. Ignore the rounds before `rounds[0]`."""
    entries = [entry for entry in record if entry.round >= rounds[0].number and entry.outcome in SCORES]
    return sum(entry.points is None and not entry.awarded_points for entry in entries)


def _copy_standing(tournament: Tournament, row: Standing, record: Record, rounds: Sequence[Round]) -> CopiedPlayer:
    public_player, player = row.player, tournament.players[row.player.id]
    return CopiedPlayer(
        number=player.number,
        name=_choose_name_of_copied_player(tournament, player, public_player),
        rank=row.rank,
        games=row.games,
        points=row.points,
        spread=row.spread,
        match_points=row.match_points,
        unscored=count_byes_and_forfeits_without_points(record, rounds),
        member=player.member,
        club=public_player.club,
        country=public_player.country,
        category=public_player.category,
        rating=public_player.rating,
    )


def _choose_name_of_copied_player(tournament: Tournament, player: Player, public_row: Player) -> str:
    match tournament.event.names_shown:
        case PublicNameFormat.FULL:  # the public view adds the number to namesakes
            return player.shown_as or player.name
        case PublicNameFormat.NUMBER if not player.shown_as:  # a number is unique only in the event
            return f"{public_row.name} ({tournament.event.name})"
        case _:
            return public_row.name


def _copy_rated_games(
    rows: Sequence[Standing], records: Mapping[PlayerId, Record], rounds: Sequence[Round]
) -> Iterator[CopiedGame]:
    numbers, rounds_before = {row.player.id: row.player.number for row in rows}, rounds[0].number - 1
    points = {(row.player.id, entry.round): entry.points or 0 for row in rows for entry in records[row.player.id]}
    for row in rows:
        key, own_number = row.player.id, row.player.number
        for entry in records[key]:
            if not entry.is_rated or entry.round <= rounds_before:
                continue
            opponents = [*zip(entry.other_players, entry.opponent_outcomes, strict=True)]
            if entry.opponent is not None and entry.outcome is not None and is_rated_round(entry):
                opponents = [(entry.opponent, Outcome.DRAW if entry.is_tie_decided else entry.outcome)]
            for opponent, outcome in opponents:
                if own_number < numbers.get(opponent, 0):
                    scores = points[key, entry.round], points[opponent, entry.round]
                    yield CopiedGame(entry.round - rounds_before, own_number, numbers[opponent], *scores, outcome)
