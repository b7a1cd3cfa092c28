"""Commands on draft and published rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import count

from msgspec.structs import replace

from tdapp.domain.bracket import (
    find_stage_players,
    list_byes_replaceable_by_latecomer,
    list_players_in_seed_order,
    make_latecomer_seed,
    make_seed_id,
)
from tdapp.domain.commands.rule import HIGHEST_TABLE, check_number_in_range, command, get_row_or_refuse
from tdapp.domain.errors import CommandError
from tdapp.domain.game_results import list_stored_sheet_sanctions, refuse_unchecked_games_if_required
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Bye,
    ByeId,
    Game,
    GameId,
    PairingReason,
    Player,
    PlayerId,
    Round,
    RoundId,
    RoundState,
    Seat,
    SeatId,
    Seed,
    StageId,
    StartDecision,
)
from tdapp.domain.proposal import (
    Proposal,
    compute_pairing_digest,
    find_absences_and_forbidden_pairs_in_draft,
    get_source_round_or_previous,
)
from tdapp.domain.seat_scores import remove_result_from_seat
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_, Plural


@command(
    Plural("Round {round} paired as a draft", "{knockout:knockout} paired as a draft", number_fact="knockout")
)
def propose_round(tournament: Tournament, *, key: str, proposal: Proposal) -> Tournament:
    """Store `proposal` as the draft of the next round.

    Raises CommandError if data used for the proposal has changed.
    """
    index = TournamentIndex(tournament)
    division = get_row_or_refuse(tournament.stages, proposal.stage, "no-such-stage").division
    if proposal.number != index.get_last_published_round_number(division) + 1:
        raise CommandError("not-next-round", round=proposal.number)
    if proposal.based_on != compute_pairing_digest(index, division, proposal.number, proposal.source):
        raise CommandError("pairing-outdated", round=proposal.number)
    refuse_unchecked_games_if_required(
        index, division, get_source_round_or_previous(proposal.number, proposal.source)
    )
    return store_draft_round(tournament, key=key, proposal=proposal)


def store_draft_round(tournament: Tournament, *, key: str, proposal: Proposal) -> Tournament:
    """Store `proposal` as a draft. It replaces an earlier draft.

    Raises CommandError if a player or table occurs twice.
    """
    index = TournamentIndex(tournament)
    division = tournament.stages[proposal.stage].division
    draft = next((item for item in index.rounds(division) if item.state is RoundState.DRAFT), None)
    round_id = draft.id if draft else RoundId(f"{key}.r")
    item = Round(
        round_id,
        proposal.stage,
        proposal.number,
        RoundState.DRAFT,
        proposal.cost,
        proposal.relaxed,
        proposal.source,
        proposal.assumed,
    )
    games = _make_draft_games(index, proposal, round_id, key)
    byes = [
        Bye(ByeId(f"{key}.b{number}"), round_id, entry.player, entry.kind, entry.spread, entry.match, entry.reason)
        for number, entry in enumerate(proposal.byes, 1)
    ]
    seats = [
        Seat(SeatId(f"{key}.{entry.table}.{entry.position}"), round_id, entry.table, entry.position, entry.player,
             reason=entry.reason)
        for entry in proposal.seats
    ]  # fmt: skip
    if draft:
        tournament = _remove_round(tournament, draft)
    after = tournament.put(item, *games, *byes, *seats)
    refuse_duplicate_players_or_tables(TournamentIndex(after), item.id)
    return _update_evening_round_count(after, item.stage)


def _update_evening_round_count(tournament: Tournament, stage_id: StageId) -> Tournament:
    stage = tournament.stages[stage_id]
    round_count = sum(item.stage == stage_id for item in tournament.rounds.values())
    if not stage.evening or round_count == stage.rounds:
        return tournament
    return tournament.put(replace(stage, rounds=round_count))


def _make_draft_games(index: TournamentIndex, proposal: Proposal, round_id: RoundId, key: str) -> list[Game]:
    old_game_ids = {frozenset({game.first, game.second}): game.id for game in index.games(round_id)}
    return [
        Game(
            old_game_ids.get(frozenset({entry.first, entry.second}), GameId(f"{key}.g{number}")),
            round_id,
            entry.table,
            entry.first,
            entry.second,
            entry.start,
            entry.locked,
            entry.match,
            entry.reason,
        )
        for number, entry in enumerate(proposal.games, 1)
    ]


@command(Plural("Round {round} published", "{knockout:knockout} published", number_fact="knockout"))
def publish_round(tournament: Tournament, *, round: RoundId) -> Tournament:
    """Publish a draft. A published round cannot be paired again unless it is made a draft again."""
    item = get_row_or_refuse(tournament.rounds, round, "no-such-draft")
    if item.state is RoundState.PUBLISHED:
        raise CommandError("round-already-published", round=item.number)
    index = TournamentIndex(tournament)
    refuse_unchecked_games_if_required(
        index, index.get_division_of_round(round).id, get_source_round_or_previous(item.number, item.source)
    )
    for code, facts in find_absences_and_forbidden_pairs_in_draft(index, item):
        raise CommandError(code, **facts)
    seeds = _make_seeds_at_publication(index, item)
    return tournament.put(replace(item, state=RoundState.PUBLISHED), *seeds)


def _make_seeds_at_publication(index: TournamentIndex, round_row: Round) -> list[Seed]:
    stage = index.tournament.stages[round_row.stage]
    if (not get_pairing_system(stage).has_seats and stage.cut is None) or index.seeds(stage.id):
        return []
    seated_players = list_players_in_seed_order(index, stage.id)
    participants = {player for game in index.games(round_row.id) for player in (game.first, game.second)}
    participants |= {seat.player for seat in index.seats(round_row.id)}
    if stage.cut is not None and not participants.issubset(seated_players):
        raise CommandError("pairing-outdated", round=round_row.number)
    return [
        Seed(make_seed_id(round_row, number), stage.id, number, player)
        for number, player in enumerate(seated_players, 1)
    ]


@command(
    Plural(
        "Round {round} paired and published", "{knockout:knockout} paired and published", number_fact="knockout"
    )
)
def pair_round(tournament: Tournament, *, key: str, proposal: Proposal) -> Tournament:
    tournament = propose_round(tournament, key=key, proposal=proposal)
    division = tournament.stages[proposal.stage].division
    return publish_round(tournament, round=TournamentIndex(tournament).get_round(division, proposal.number).id)


@command(Plural("Round {round} is a draft again", "{knockout:knockout}: a draft again", number_fact="knockout"))
def unpublish_round(
    tournament: Tournament, *, round: RoundId, reason: str, with_results: bool = False
) -> Tournament:
    """Make the last round a draft again. `with_results` permits deleting its results."""
    item = get_row_or_refuse(tournament.rounds, round, "no-such-round-any-more")
    if item.state is not RoundState.PUBLISHED:
        raise CommandError("round-not-published", round=item.number)
    index = TournamentIndex(tournament)
    _refuse_unremovable_round(index, item, reason=reason, with_results=with_results)
    seeds = _list_seeds_of_round(index, item)
    games = index.games(round)
    sanctions = [sanction for game in games for sanction in list_stored_sheet_sanctions(tournament, game.id)]
    emptied_tournament = tournament.drop(*sanctions, *seeds).drop_with_children(*games)
    seats = [*map(remove_result_from_seat, index.seats(round))]
    return emptied_tournament.put(*games, *seats, replace(item, state=RoundState.DRAFT))


def _refuse_unremovable_round(
    index: TournamentIndex, round_row: Round, *, reason: str, with_results: bool
) -> None:
    if index.rounds(index.get_division_of_round(round_row.id).id)[-1].id != round_row.id:
        raise CommandError("not-last-round", round=round_row.number)
    if round_row.state is RoundState.PUBLISHED and not reason.strip():
        raise CommandError("reason-needed", round=round_row.number)
    tables_with_result = [game.table for game in index.games(round_row.id) if index.get_result(game.id)]
    tables_with_result += sorted({seat.table for seat in index.seats(round_row.id) if seat.state is not None})
    if tables_with_result and not with_results:
        raise CommandError("round-has-results", round=round_row.number, tables=tables_with_result)


def _list_seeds_of_round(index: TournamentIndex, round_row: Round) -> list[Seed]:
    return [seed for seed in index.seeds(round_row.stage) if seed.id.startswith(f"{round_row.id}.s")]


@command(Plural("Round {round} removed", "{knockout:knockout} removed", number_fact="knockout"))
def discard_round(
    tournament: Tournament, *, round: RoundId, reason: str = "", with_results: bool = False
) -> Tournament:
    """Delete the last round. `with_results` permits deleting its results. A published round needs a `reason`."""
    item = get_row_or_refuse(tournament.rounds, round, "no-such-round-any-more")
    index = TournamentIndex(tournament)
    _refuse_unremovable_round(index, item, reason=reason, with_results=with_results)
    seeds = _list_seeds_of_round(index, item)
    return _update_evening_round_count(_remove_round(tournament, item).drop(*seeds), item.stage)


@command(
    Plural(
        "Round {round}: table {table} is kept when the round is paired again",
        "Round {round}: table {table} is no longer kept when the round is paired again",
        number_fact="locked",
    )
)
def lock_game(tournament: Tournament, *, game: GameId, locked: bool = True) -> Tournament:
    """Lock or unlock a game of a draft. A locked game stays when the draft is paired again."""
    row = get_row_or_refuse(tournament.games, game, "game-gone")
    item = tournament.rounds[row.round]
    if item.state is RoundState.PUBLISHED:
        raise CommandError("round-already-published", round=item.number)
    return tournament.put(replace(row, locked=locked))


@command(N_("Round {round}: {first_name} – {second_name} moved to table {table}"))
def set_table(tournament: Tournament, *, game: GameId, table: int) -> Tournament:
    """Move a game to another table. Players at the new table move to the old table."""
    row = get_row_or_refuse(tournament.games, game, "game-gone")
    check_number_in_range(table, "table", low=1, high=HIGHEST_TABLE)
    index = TournamentIndex(tournament)
    swapped_games = [other_game for other_game in index.games(row.round) if other_game.table == table]
    seats = [replace(seat, table=row.table) for seat in index.seats(row.round) if seat.table == table]
    moved_games = (replace(other_game, table=row.table) for other_game in swapped_games)
    after = tournament.put(*moved_games, *seats, replace(row, table=table))
    refuse_duplicate_players_or_tables(TournamentIndex(after), row.round)
    return after


@command(N_("Round {round}: table {table} moved to table {to}"))
def move_group(tournament: Tournament, *, round: RoundId, table: int, to: int) -> Tournament:
    """Move a group of players to the table `to`. Players already there get the group's old table."""
    get_row_or_refuse(tournament.rounds, round, "no-such-round-any-more")
    check_number_in_range(to, "table", low=1, high=HIGHEST_TABLE)
    numbers, index = {table: to, to: table}, TournamentIndex(tournament)
    if not any(seat.table == table for seat in index.seats(round)):
        raise CommandError("no-such-table", table=table, round=tournament.rounds[round].number)
    games = [replace(game, table=numbers.get(game.table, game.table)) for game in index.games(round)]
    seats = [replace(seat, table=numbers.get(seat.table, seat.table)) for seat in index.seats(round)]
    after = tournament.put(*games, *seats)
    refuse_duplicate_players_or_tables(TournamentIndex(after), round)
    return after


@command(N_("Round {round}, table {table}: {player} starts"))
def set_starter(tournament: Tournament, *, game: GameId, player: PlayerId) -> Tournament:
    row = get_row_or_refuse(tournament.games, game, "game-gone")
    if player not in {row.first, row.second}:
        raise CommandError("not-at-table", table=row.table)
    index = TournamentIndex(tournament)
    if index.get_result(game) or index.sheets(game):
        raise CommandError("game-has-result", table=row.table)
    return tournament.put(
        replace(row, first=player, second=row.get_opponent(player), start=StartDecision.ASSIGNED)
    )


@command(N_("Round {round}: actual seating recorded"))
def play_as_seated(
    tournament: Tournament,
    *,
    round: RoundId,
    seats: tuple[tuple[int, PlayerId, PlayerId], ...],
    byes: tuple[PlayerId, ...] = (),
) -> Tournament:
    """Record where players really sit, if that differs from the published pairing.

    Each item of `seats` is a game without a result: its table, the player who starts and the opponent. If a bye
    changes, `byes` lists all players who now have no opponent, in the order of the stored byes.
    """
    item = get_row_or_refuse(tournament.rounds, round, "no-such-round-any-more")
    index = TournamentIndex(tournament)
    rows = {table: index.get_game(round, table) for table, _, _ in seats}
    for table, row in rows.items():
        if index.get_result(row.id) or index.sheets(row.id):
            raise CommandError("game-has-result", table=table)
    replaced_byes = index.list_byes_for_lack_of_opponent(round) if byes else ()
    old_players = sorted([*_list_players_of_games(rows.values()), *(bye.player for bye in replaced_byes)])
    new_players = sorted([player for _, first, second in seats for player in (first, second)] + [*byes])
    if old_players != new_players or len(replaced_byes) != len(byes):
        raise CommandError("not-the-same-players", round=item.number, tables=sorted(rows))
    changed_games = [
        replace(rows[table], first=first, second=second, start=StartDecision.ASSIGNED, reason=None)
        for table, first, second in seats
        if (first, second) != (rows[table].first, rows[table].second)
    ]
    new_byes = [
        replace(bye, player=player, reason=PairingReason("by-hand"))
        for bye, player in zip(replaced_byes, byes, strict=True)
    ]
    return tournament.put(
        *changed_games,
        *(bye for bye, old in zip(new_byes, replaced_byes, strict=True) if bye.player != old.player),
    )


def _list_players_of_games(games: Iterable[Game]) -> list[PlayerId]:
    return [player for game in games for player in (game.first, game.second)]


def seat_latecomer(
    tournament: Tournament, *, key: str, round: RoundId, player: PlayerId, starter: PlayerId
) -> Tournament:
    """Pair a late player with a player who has a bye. In a knockout, the latecomer gets the vacant seed."""
    index, item, row = _get_latecomer_or_refuse(tournament, round, player)
    byes = list_byes_replaceable_by_latecomer(index, item, player)
    if not byes:
        raise CommandError("nobody-has-bye", round=item.number)
    opponent = byes[0].player
    if starter not in {player, opponent}:
        raise CommandError("not-at-table", table=0)
    second_player = opponent if starter == player else player
    reason = PairingReason("latecomer", (("late", row.number),))
    match = byes[0].match
    game = Game(
        GameId(key), round, _find_free_table(index, item), starter, second_player, match=match, reason=reason
    )
    seeds = [] if match is None else [make_latecomer_seed(index, item, player, byes[0])]
    return _mark_latecomer_present(tournament.drop(byes[0]).put(game, *seeds), item, row)


def split_table_of_three(
    tournament: Tournament,
    *,
    key: str,
    round: RoundId,
    player: PlayerId,
    table: int,
    games: tuple[tuple[PlayerId, PlayerId], tuple[PlayerId, PlayerId]],
) -> Tournament:
    """Add a late player to a table of three without results, and make two tables of two.

    The first player of each pair in `games` starts. The game without the late player stays at `table`.
    """
    index, item, row = _get_latecomer_or_refuse(tournament, round, player)
    seats = _get_seats_without_result_or_refuse(index, item, table)
    participants = [player, *(seat.player for seat in seats)]
    if sorted(player_id for pair in games for player_id in pair) != sorted(participants):
        raise CommandError("not-at-table", table=table)
    reason = PairingReason(SPLIT_REASON, (("late", row.number),))
    tables = sorted(games, key=lambda pair: player in pair), (table, _find_free_table(index, item))
    new_games = [
        Game(GameId(f"{key}.{number}"), round, number, first, second, reason=reason)
        for (first, second), number in zip(*tables, strict=True)
    ]
    return _mark_latecomer_present(tournament.drop(*seats).put(*new_games), item, row)


def add_latecomer_to_group_table(
    tournament: Tournament, *, key: str, round: RoundId, player: PlayerId, table: int
) -> Tournament:
    """Add a late player to a group table (three or more players) that has no results yet."""
    index, item, row = _get_latecomer_or_refuse(tournament, round, player)
    seats = _get_seats_without_result_or_refuse(index, item, table)
    reason = PairingReason(JOINED_REASON, (("late", row.number),))
    seat = Seat(SeatId(key), round, table, seats[-1].position + 1, player, reason=reason)
    return _mark_latecomer_present(tournament.put(*seats, seat), item, row)


SPLIT_REASON, JOINED_REASON = "latecomer-split", "latecomer-joined"  # reasons of a late player's game or seat


def _get_latecomer_or_refuse(
    tournament: Tournament, round: RoundId, player: PlayerId
) -> tuple[TournamentIndex, Round, Player]:
    item = get_row_or_refuse(tournament.rounds, round, "no-such-round-any-more")
    row = get_row_or_refuse(tournament.players, player, "no-such-player")
    if item.state is RoundState.DRAFT:
        raise CommandError("round-not-published", round=item.number)
    index = TournamentIndex(tournament)
    if index.find_player_game(round, player) is not None or index.find_player_seat(round, player) is not None:
        raise CommandError("twice-in-round", player=row.name, round=item.number)
    stage = tournament.stages[item.stage]
    if player not in find_stage_players(index, stage) and (
        stage.cut is not None or not get_pairing_system(stage).is_knockout
    ):
        raise CommandError("not-in-stage", player=row.name, round=item.number)
    return index, item, row


def _get_seats_without_result_or_refuse(index: TournamentIndex, round_row: Round, table: int) -> tuple[Seat, ...]:
    seats = tuple(seat for seat in index.seats(round_row.id) if seat.table == table)
    if not seats:
        raise CommandError("no-such-table", table=table, round=round_row.number)
    if any(seat.state is not None for seat in seats):
        raise CommandError("game-has-result", table=table)
    return tuple(map(remove_result_from_seat, seats))


def _find_free_table(index: TournamentIndex, round_row: Round) -> int:
    used_tables = {*index.list_tables(round_row.id)}
    return next(
        number
        for number in count(index.get_division_of_round(round_row.id).first_table)
        if number not in used_tables
    )


def _mark_latecomer_present(tournament: Tournament, round_row: Round, row: Player) -> Tournament:
    player_byes = [bye for bye in TournamentIndex(tournament).byes(round_row.id) if bye.player == row.id]
    after = _end_absence_before_round(tournament.drop(*player_byes), row.id, round_row.number)
    if tournament.stages[round_row.stage].evening:
        after = after.put(replace(row, checked_in=True))
    refuse_duplicate_players_or_tables(TournamentIndex(after), round_row.id)
    return after


def refuse_duplicate_players_or_tables(index: TournamentIndex, round_id: RoundId) -> None:
    tournament = index.tournament
    item = tournament.rounds[round_id]
    division = index.get_division_of_round(round_id)
    tables: set[int] = set()
    players = [bye.player for bye in index.byes(round_id)]
    for game in index.games(round_id):
        if game.first == game.second:
            raise CommandError("against-himself", player=tournament.players[game.first].name)
        if game.table in tables:
            raise CommandError("table-twice", table=game.table, round=item.number)
        tables.add(game.table)
        players += [game.first, game.second]
    for seats in index.list_seats_by_table(round_id):
        if seats[0].table in tables:
            raise CommandError("table-twice", table=seats[0].table, round=item.number)
        players += [seat.player for seat in seats]
    for player, times in Counter(players).items():
        row = get_row_or_refuse(tournament.players, player, "no-such-player")
        if row.division != division.id:
            raise CommandError("other-division", player=row.name)
        if times > 1:
            raise CommandError("twice-in-round", player=row.name, round=item.number)


def _remove_round(tournament: Tournament, round_row: Round) -> Tournament:
    sanctions = [
        sanction
        for game in TournamentIndex(tournament).games(round_row.id)
        for sanction in list_stored_sheet_sanctions(tournament, game.id)
    ]
    return tournament.drop(*sanctions).drop_with_children(round_row)


def _end_absence_before_round(tournament: Tournament, player: PlayerId, round_number: int) -> Tournament:
    absence = TournamentIndex(tournament).find_stored_absence(player, round_number)
    if absence is None:
        return tournament
    remaining_absences = (
        [replace(absence, last_round=round_number - 1)] if absence.first_round < round_number else []
    )
    return tournament.drop(absence).put(*remaining_absences)
