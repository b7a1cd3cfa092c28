"""Commands on results of group tables: tables of one player, or of three or more."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tdapp.domain.commands.rule import (
    LEAST_POINTS,
    MOST_POINTS,
    check_number_in_range,
    command,
    get_row_or_refuse,
    strip_and_check_text,
)
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId, ResultState, RoundId, RoundState, Seat
from tdapp.domain.ruleset import USUAL_TABLE_SIZE
from tdapp.domain.seat_scores import has_result_for_every_seat, remove_result_from_seat
from tdapp.domain.slip import (
    can_players_enter_group_points,
    find_agreed_group_points,
    find_doubt_about_group_points,
)
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_, Plural

MOST_TURNS = 100


@command(N_("Round {round}, table {table}: {points} entered"))
def enter_seats(  # noqa: PLR0913 - the fields of a slip
    tournament: Tournament,
    *,
    round: RoundId,
    table: int,
    points: tuple[int, ...],
    players: tuple[PlayerId, ...] = (),
    left: tuple[PlayerId, ...] = (),
    turns: int | None = None,
    seen: tuple[Seat, ...] | None = None,
    confirmed: bool = False,
    reason: str = "",
    author: str = "",
) -> Tournament:
    """Enter or correct the points of the players at a group table (one player, or three or more).

    - `points` are in the order of `players`, by default all at the table. Players in `left` need no points.
    - `left` are the players who gave up. They rank last at the table.
    - `turns` is the number of turns of a player alone at a table.
    - `confirmed` permits implausible points. A certified result needs a `reason`.

    Raises CommandError "changed-meanwhile" if the seats differ from `seen`.
    """
    strip_and_check_text(author, "author")
    seats = _get_seats_or_refuse(tournament, round, table, seen)
    if tournament.rounds[round].state is RoundState.DRAFT:
        raise CommandError("round-not-published", round=tournament.rounds[round].number)
    _refuse_certified_seats_without_reason(seats, reason)
    entered_players = players or tuple(seat.player for seat in seats)
    seated_players = {seat.player for seat in seats}
    if (
        not seated_players.issuperset((*entered_players, *left))
        or len(set(entered_players)) < len(entered_players)
        or len(points) > len(entered_players)
    ):
        raise CommandError("not-at-table", table=table)
    points_by_player = dict(zip(entered_players, points, strict=False))
    if any(player not in points_by_player and player not in left for player in entered_players):
        raise CommandError("points-missing", table=table)
    _refuse_implausible_seat_points(tournament, seats, tuple(points_by_player.values()), confirmed=confirmed)
    if turns is not None:
        check_number_in_range(turns, "turns", low=1, high=MOST_TURNS if len(seats) == 1 else 0)
    return tournament.put(
        *(
            replace(
                _remove_points_sent_by_phone(seat),
                points=points_by_player.get(seat.player),
                left=seat.player in left,
                state=ResultState.ENTERED,
                turns=turns,
            )
            for seat in seats
            if seat.player in entered_players or seat.player in left
        )
    )


@command(N_("Round {round}, table {table}: result cleared"))
def clear_seats(
    tournament: Tournament,
    *,
    round: RoundId,
    table: int,
    seen: tuple[Seat, ...] | None = None,
    reason: str = "",
) -> Tournament:
    seats = _get_seats_or_refuse(tournament, round, table, seen)
    if all(seat.state is None for seat in seats):
        raise CommandError("no-result", table=table)
    _refuse_certified_seats_without_reason(seats, reason)
    return tournament.put(*map(remove_result_from_seat, seats))


@command(
    Plural(
        "Round {round}, table {table}: result certified",
        "Round {round}, table {table}: result checked",
        number_fact="certified",
    )
)
def check_seats(tournament: Tournament, *, round: RoundId, table: int, certified: bool = False) -> Tournament:
    seats = _get_seats_or_refuse(tournament, round, table, None)
    state = ResultState.FINAL if certified else ResultState.CHECKED
    if any(seat.state is None for seat in seats):
        raise CommandError("no-result", table=table)
    if all(seat.state in {state, ResultState.FINAL} for seat in seats):
        raise CommandError("already-in-state", table=table, state=state.value)
    return tournament.put(*(replace(seat, state=state) for seat in seats))


@command(N_("Round {round}, table {table}: points in the break-up game: {points}"))
def enter_break_up(tournament: Tournament, *, round: RoundId, table: int, points: tuple[int, ...]) -> Tournament:
    """Enter the points of a table in the break-up game, in which players take tiles off the full board.

    Rankings ignore these points. The table needs a result. `points` are in the order of the players. An empty
    tuple deletes points.
    """
    get_row_or_refuse(tournament.rounds, round, "no-such-round-any-more")
    game = next((game for game in TournamentIndex(tournament).games(round) if game.table == table), None)
    seats = () if game is not None else _get_seats_or_refuse(tournament, round, table, None)
    result = tournament.results.get(game.id) if game is not None else None
    if result is None and not (seats and has_result_for_every_seat(seats)):
        raise CommandError("no-result", table=table)
    if points and len(points) != (len(seats) or USUAL_TABLE_SIZE):
        raise CommandError("points-missing", table=table)
    for number in points:
        check_number_in_range(number, "points", low=0, high=MOST_POINTS)
    if result is not None:
        return tournament.put(replace(result, break_up=(points[0], points[1]) if points else None))
    seat_points = points or (None,) * len(seats)
    return tournament.put(*(replace(seat, break_up=value) for seat, value in zip(seats, seat_points, strict=True)))


@command(N_("Round {round}, table {table}: {player} entered {points}"))
def send_points(
    tournament: Tournament,
    *,
    round: RoundId,
    table: int,
    player: PlayerId,
    points: tuple[int, ...],
    device: str = "",
) -> Tournament:
    """Record the points of all three or four players at a table, from the phone `device` of `player`.

    Equal points from two phones become the result. But if they are doubtful, the director must
    first accept them with `take_points`.
    """
    strip_and_check_text(device, "device")
    seats = _get_seats_or_refuse(tournament, round, table, None)
    if not tournament.event.players_enter:
        raise CommandError("entry-closed")
    if any(seat.state is not None for seat in seats):
        raise CommandError("result-there", table=table)
    own_seat = next((seat for seat in seats if seat.player == player), None)
    if own_seat is None or not can_players_enter_group_points(seats):
        raise CommandError("slip-of-another", table=table)
    tournament_with_result = enter_seats(tournament, round=round, table=table, points=points)
    sent_seat = replace(own_seat, sent=points, device=device)
    new_seats = tuple(sent_seat if seat is own_seat else seat for seat in seats)
    if find_agreed_group_points(new_seats) != points:
        return tournament.put(sent_seat)
    if not find_doubt_about_group_points(tournament.get_ruleset_of_row(own_seat), new_seats, points):
        return tournament_with_result
    return tournament.put(sent_seat)


@command(N_("Round {round}, table {table}: the players’ entries accepted"))
def take_points(tournament: Tournament, *, round: RoundId, table: int) -> Tournament:
    """Accept the equal entries of two phones as the result, although they look doubtful."""
    seats = _get_seats_or_refuse(tournament, round, table, None)
    points = find_agreed_group_points(seats)
    if not points:
        raise CommandError("slips-not-equal", table=table)
    return enter_seats(tournament, round=round, table=table, points=points)


@command(N_("Round {round}, table {table}: the players’ entries rejected"))
def drop_points(tournament: Tournament, *, round: RoundId, table: int) -> Tournament:
    """Delete unconfirmed points that players at a table of three or four sent from phones."""
    seats = _get_seats_or_refuse(tournament, round, table, None)
    if not any(seat.sent for seat in seats):
        raise CommandError("no-slips", table=table)
    return tournament.put(*map(_remove_points_sent_by_phone, seats))


def _get_seats_or_refuse(
    tournament: Tournament, round_id: RoundId, table: int, seen: tuple[Seat, ...] | None
) -> tuple[Seat, ...]:
    item = get_row_or_refuse(tournament.rounds, round_id, "no-such-round-any-more")
    seats = tuple(seat for seat in TournamentIndex(tournament).seats(round_id) if seat.table == table)
    if not seats:
        raise CommandError("no-such-table", table=table, round=item.number)
    if seen is not None and [*map(_remove_points_sent_by_phone, seen)] != [
        *map(_remove_points_sent_by_phone, seats)
    ]:
        raise CommandError("changed-meanwhile", kind="seats", id=seats[0].id, table=table)
    return seats


def _remove_points_sent_by_phone(seat: Seat) -> Seat:
    return replace(seat, sent=(), device="")


def _refuse_certified_seats_without_reason(seats: Sequence[Seat], reason: str) -> None:
    if not reason.strip() and any(seat.state is ResultState.FINAL for seat in seats):
        raise CommandError("result-final", table=seats[0].table)


def _refuse_implausible_seat_points(
    tournament: Tournament, seats: Sequence[Seat], points: Sequence[int], *, confirmed: bool
) -> None:
    rules = tournament.get_ruleset_of_row(seats[0])
    limits, has_shared_board = rules.scores, rules.tables.prefer > 1 and len(seats) > 1
    highest = limits.highest * USUAL_TABLE_SIZE // len(seats) if has_shared_board else MOST_POINTS
    for number in points:
        check_number_in_range(number, "points", low=LEAST_POINTS, high=MOST_POINTS)
        if not confirmed and not limits.lowest <= number <= highest:
            raise CommandError(
                "implausible-points", table=seats[0].table, points=number, lowest=limits.lowest, highest=highest
            )
