"""Commands on results of games of two players."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.bracket import is_match_tied_after_game
from tdapp.domain.commands.rule import (
    LEAST_POINTS,
    MOST_POINTS,
    check_number_in_range,
    command,
    get_allowed_change_or_refuse,
    get_row_or_refuse,
    strip_and_check_text,
)
from tdapp.domain.entries import ResultEntry
from tdapp.domain.errors import CommandError
from tdapp.domain.game_results import (
    compute_word_ruling_costs,
    get_start_decision_after_tile_draw,
    list_stored_sheet_sanctions,
    recompute_result,
    store_recomputed_result,
    swap_players_after_tile_draw,
)
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    DivisionId,
    Game,
    GameId,
    GameSide,
    PlayerId,
    Result,
    ResultFromPlayer,
    ResultState,
    RoundId,
    RoundState,
    SlipId,
    StartDecision,
)
from tdapp.domain.records import find_bye_or_forfeit_win
from tdapp.domain.ruleset import (
    MAX_AWARDED_POINTS,
    ForfeitCause,
    UnplayedRoundPointsRule,
    UnplayedRoundPointsSource,
)
from tdapp.domain.slip import ResultSlip, find_slips_of_both_players, make_slip_result
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_, Plural
from tdapp.domain.verdicts import copy_old_verdict_decisions, list_pending_verdicts
from tdapp.scrabble.tiles import TileSet


class ResultBeforeChange(Struct, frozen=True):
    """The result that a user saw before a change."""

    result: Result | None  # None: the game was open


@command(
    Plural(
        "Result of table {table} entered",
        "Round {round}, table {table}: result changed, {was} → {now}",
        number_fact="fresh",
    )
)
def enter_result(  # noqa: PLR0913 - the fields of a slip
    tournament: Tournament,
    *,
    game: GameId,
    first: int | None = None,
    second: int | None = None,
    forfeit: GameSide | None = None,
    started: GameSide | None = None,
    overtime1: int = 0,
    overtime2: int = 0,
    rack1: str | None = None,
    rack2: str | None = None,
    flag: GameSide | None = None,
    cause: ForfeitCause | None = None,
    tileset: TileSet | None = None,
    seen: ResultBeforeChange | None = None,
    confirmed: bool = False,
    reason: str = "",
    verdicts: bool | None = None,
    author: str = "",
    after_rulings: bool = False,
) -> Tournament:
    """Enter or correct a result: the points of the `first` and `second` player, or a `forfeit`.

    - `started` ("1" or "2") is the player who started, if the players drew tiles for the start.
    - `overtime1` and `overtime2` are seconds. Their penalties are deducted from the points.
    - `rack1`, `rack2`: remaining tiles of `tileset`, "" for none. They change the points, unless both are None.
    - `flag` is the player whose time ran out.
    - `verdicts`: apply (True), refuse (False) or keep (None) the undecided verdicts.
    - `after_rulings`: the points already include rulings on words.
    - `confirmed` permits implausible points. A certified result needs a `reason`.

    Raises CommandError "changed-meanwhile" if the result differs from `seen`.
    """
    strip_and_check_text(author, "author")
    row = get_published_game_or_refuse(tournament, game, seen=seen)
    slip = ResultSlip(overtime=(overtime1, overtime2), racks=(rack1, rack2), flag=flag)
    _refuse_missing_or_implausible_points(tournament, row, first, second, forfeit=forfeit, confirmed=confirmed)
    if forfeit is not None and slip != ResultSlip():
        raise CommandError("forfeit-with-points", table=row.table)
    if forfeit is None and cause is not None:
        raise CommandError("cause-without-forfeit", table=row.table)
    points = (first or 0, second or 0)
    if after_rulings:
        costs = compute_word_ruling_costs(tournament, row)
        points = (points[0] + costs[0], points[1] + costs[1])
    result = make_slip_result(tournament.get_ruleset_of_row(row), row, slip, points=points, tileset=tileset)
    if forfeit is not None:
        result = Result(game, ResultState.ENTERED, forfeit=forfeit, cause=cause)
    after = store_recomputed_result(
        tournament, copy_old_verdict_decisions(tournament, result, tournament.results.get(game))
    )
    if verdicts is not None:
        after = _decide_pending_verdicts(after, row, apply=verdicts)
    if started is not None:
        after = _set_starter_of_game(after, row, started)
    return get_allowed_change_or_refuse(tournament, after, reason)


def get_published_game_or_refuse(
    tournament: Tournament, game: GameId, *, seen: ResultBeforeChange | None = None
) -> Game:
    """Return a game of a published round. Refuse a game whose result differs from `seen`."""
    row = _get_unchanged_game_or_refuse(tournament, game, seen)
    item = tournament.rounds[row.round]
    if item.state is RoundState.DRAFT:
        raise CommandError("round-not-published", round=item.number)
    return row


def _get_unchanged_game_or_refuse(tournament: Tournament, game: GameId, seen: ResultBeforeChange | None) -> Game:
    row = get_row_or_refuse(tournament.games, game, "game-gone")
    if seen is not None and seen.result != tournament.results.get(game):
        raise CommandError("changed-meanwhile", kind="results", id=game, table=row.table)
    return row


@command(N_("Round {round}: bye or forfeit points set for {player}"))
def set_award(
    tournament: Tournament,
    *,
    player: PlayerId,
    round: RoundId,
    by: UnplayedRoundPointsSource | None = None,
    points: int = 0,
) -> Tournament:
    """Set the game points for a bye or a forfeit win.

    If `by` is None, the rule set decides the points. If `by` is FIXED, the player gets `points` (0 to 1000).
    """
    item = get_row_or_refuse(tournament.rounds, round, "no-such-round-any-more")
    row = find_bye_or_forfeit_win(TournamentIndex(tournament), round, player)
    if item.state is RoundState.DRAFT:
        raise CommandError("round-not-published", round=item.number)
    if row is None:
        name = get_row_or_refuse(tournament.players, player, "no-such-player").name
        raise CommandError("no-round-without-game", player=name, round=item.number)
    check_number_in_range(
        points, "points", low=0, high=MAX_AWARDED_POINTS if by is UnplayedRoundPointsSource.FIXED else 0
    )
    return tournament.put(replace(row, award=None if by is None else UnplayedRoundPointsRule(by, points)))


@command(N_("Round {round}, table {table}: result cleared (was {was})"))
def clear_result(
    tournament: Tournament, *, game: GameId, seen: ResultBeforeChange | None = None, reason: str = ""
) -> Tournament:
    row = _get_unchanged_game_or_refuse(tournament, game, seen)
    old = tournament.results.get(game)
    if old is None:
        raise CommandError("no-result", table=row.table)
    start = StartDecision.DRAW if row.start is StartDecision.DRAWN else row.start
    sheets = [sheet for sheet in tournament.sheets.values() if sheet.game == game]
    word_rulings = TournamentIndex(tournament).word_rulings(game)
    after = tournament.drop(old, *sheets, *word_rulings, *list_stored_sheet_sanctions(tournament, game)).put(
        replace(row, start=start)
    )
    return get_allowed_change_or_refuse(tournament, after, reason)


@command(Plural("One result entered", "{count} results entered", "count"))
def enter_results(tournament: Tournament, *, division: DivisionId, entries: tuple[ResultEntry, ...]) -> Tournament:
    """Enter several results, or none if one is invalid. An entry equal to the stored result changes nothing."""
    get_row_or_refuse(tournament.divisions, division, "no-such-division")
    index = TournamentIndex(tournament)
    entered_tables: set[tuple[int, int]] = set()
    for entry in entries:
        try:
            tournament = _enter_imported_result(
                index, tournament, entry, division=division, entered_tables=entered_tables
            )
        except CommandError as error:
            error.facts.setdefault("line", entry.line)
            raise
    return tournament


def _enter_imported_result(
    index: TournamentIndex,
    tournament: Tournament,
    entry: ResultEntry,
    *,
    division: DivisionId,
    entered_tables: set[tuple[int, int]],
) -> Tournament:
    if (entry.round, entry.table) in entered_tables:
        raise CommandError("result-twice", round=entry.round, table=entry.table)
    entered_tables.add((entry.round, entry.table))
    game = index.get_game(index.get_round(division, entry.round).id, entry.table)
    started = GameSide(entry.started) if entry.started else None
    after = enter_result(tournament, game=game.id, first=entry.first, second=entry.second, started=started)
    old, new_result = tournament.results.get(game.id), after.results[game.id]
    is_unchanged = old is not None and replace(new_result, state=old.state) == old and after.games[game.id] == game
    return tournament if is_unchanged else after


@command(
    Plural(
        "Round {round}, table {table}: verdicts from the judge screen applied, {was} → {now}",
        "Round {round}, table {table}: verdicts from the judge screen not applied",
        number_fact="apply",
    )
)
def decide_verdicts(
    tournament: Tournament, *, game: GameId, apply: bool, seen: ResultBeforeChange | None = None, reason: str = ""
) -> Tournament:
    """Apply the costs of verdicts from the judge screen, such as lost points, to a result.

    Ignore verdicts already applied or refused. With `apply` False, refuse the costs, because the entered points
    already include them.
    """
    row = get_published_game_or_refuse(tournament, game, seen=seen)
    if game not in tournament.results:
        raise CommandError("no-result", table=row.table)
    return get_allowed_change_or_refuse(tournament, _decide_pending_verdicts(tournament, row, apply=apply), reason)


def _decide_pending_verdicts(tournament: Tournament, row: Game, *, apply: bool) -> Tournament:
    result = tournament.results[row.id]
    pending_verdicts = list_pending_verdicts(TournamentIndex(tournament), row, include_lost_turns=True)
    challenges = tuple(verdict.challenge for verdict in pending_verdicts if verdict.can_be_applied or not apply)
    if not pending_verdicts:
        raise CommandError("no-verdict", table=row.table)
    if not challenges:
        raise CommandError("verdict-unclear", table=row.table)
    if apply:
        result = replace(result, applied=(*result.applied, *challenges))
    else:
        result = replace(result, refused=(*result.refused, *challenges))
    return tournament.put(recompute_result(tournament, result))


@command(N_("Result of table {table} checked"))
def check_result(tournament: Tournament, *, game: GameId, author: str = "") -> Tournament:
    strip_and_check_text(author, "author")
    return _advance_result_to_state(tournament, game, ResultState.CHECKED)


@command(Plural("One result checked", "{count} results checked", "count"))
def check_results(tournament: Tournament, *, games: tuple[GameId, ...], author: str = "") -> Tournament:
    for game in games:
        tournament = check_result(tournament, game=game, author=author)
    return tournament


@command(N_("Round {round}, table {table}: second entry changed the result, {was} → {now}"))
def second_result(  # noqa: PLR0913 - the fields of a slip
    tournament: Tournament,
    *,
    game: GameId,
    first: int | None = None,
    second: int | None = None,
    forfeit: GameSide | None = None,
    started: GameSide | None = None,
    overtime1: int = 0,
    overtime2: int = 0,
    flag: GameSide | None = None,
    seen: ResultBeforeChange | None = None,
    confirmed: bool = False,
    reason: str = "",
    verdicts: bool | None = None,
    after_rulings: bool = False,
) -> Tournament:
    """Enter a result for the second time and mark it as checked. A different result replaces the first one.

    The arguments are as in `enter_result`.
    """
    after = enter_result(
        tournament,
        game=game,
        first=first,
        second=second,
        forfeit=forfeit,
        started=started,
        overtime1=overtime1,
        overtime2=overtime2,
        flag=flag,
        seen=seen,
        confirmed=confirmed,
        reason=reason,
        verdicts=verdicts,
        after_rulings=after_rulings,
    )
    return _advance_result_to_state(after, game, ResultState.CHECKED)


@command(N_("Round {round}, table {table}: disputed, another slip says {first}–{second}"))
def dispute_result(
    tournament: Tournament,
    *,
    game: GameId,
    first: int,
    second: int,
    seen: ResultBeforeChange | None = None,
    confirmed: bool = False,
) -> Tournament:
    """Dispute a result: record the different points on another slip.

    A correction, a check or a score sheet ends the dispute.
    """
    row = get_published_game_or_refuse(tournament, game, seen=seen)
    result = _get_result_not_yet_in_state_or_refuse(tournament, row, ResultState.CHECKED)
    if result.forfeit is not None:
        raise CommandError("forfeit-with-points", table=row.table)
    _refuse_missing_or_implausible_points(tournament, row, first, second, forfeit=None, confirmed=confirmed)
    return tournament.put(replace(result, disputed=(first, second)))


@command(N_("Result of table {table} certified"))
def certify_result(tournament: Tournament, *, game: GameId, author: str = "") -> Tournament:
    strip_and_check_text(author, "author")
    return _advance_result_to_state(tournament, game, ResultState.FINAL)


@command(N_("Table {table}: winner of the tie entered"))
def decide_tie(tournament: Tournament, *, game: GameId, winner: GameSide, reason: str = "") -> Tournament:
    """Record the winner ("1" or "2") of an extra game after a tie. In a series, `game` is the last game."""
    row = get_row_or_refuse(tournament.games, game, "game-gone")
    result = tournament.results.get(game)
    if result is None or not is_match_tied_after_game(TournamentIndex(tournament), game):
        raise CommandError("no-tie", table=row.table)
    if winner is GameSide.BOTH:
        raise CommandError("one-winner", table=row.table)
    return get_allowed_change_or_refuse(tournament, tournament.put(replace(result, advances=winner)), reason)


def _advance_result_to_state(tournament: Tournament, game: GameId, state: ResultState) -> Tournament:
    result = _get_result_not_yet_in_state_or_refuse(
        tournament, get_row_or_refuse(tournament.games, game, "game-gone"), state
    )
    return tournament.put(replace(result, state=state, disputed=None))


def _get_result_not_yet_in_state_or_refuse(tournament: Tournament, row: Game, state: ResultState) -> Result:
    result = tournament.results.get(row.id)
    if result is None:
        raise CommandError("no-result", table=row.table)
    states = list(ResultState)
    if states.index(result.state) >= states.index(state):
        raise CommandError("already-in-state", table=row.table, state=result.state.value)
    return result


def _refuse_missing_or_implausible_points(
    tournament: Tournament,
    game: Game,
    first: int | None,
    second: int | None,
    *,
    forfeit: GameSide | None,
    confirmed: bool,
) -> None:
    if forfeit is not None:
        if first is not None or second is not None:
            raise CommandError("forfeit-with-points", table=game.table)
        return
    if first is None or second is None:
        raise CommandError("points-missing", table=game.table)
    limits = tournament.get_ruleset_of_row(game).scores
    for points in (first, second):
        check_number_in_range(points, "points", low=LEAST_POINTS, high=MOST_POINTS)
        if not confirmed and not limits.lowest <= points <= limits.highest:
            raise CommandError(
                "implausible-points", table=game.table, points=points, lowest=limits.lowest, highest=limits.highest
            )


def _set_starter_of_game(tournament: Tournament, game: Game, started: GameSide) -> Tournament:
    if started is GameSide.BOTH:
        raise CommandError("one-starter", table=game.table)
    if started is GameSide.FIRST:
        return tournament.put(replace(game, start=get_start_decision_after_tile_draw(game)))
    if game.start is StartDecision.ASSIGNED:
        raise CommandError("start-assigned", table=game.table)
    return swap_players_after_tile_draw(tournament, game.id)


@command(N_("Players may enter results"))
def open_entry(tournament: Tournament, *, key: str) -> Tournament:
    """Let players enter results with codes. Codes printed earlier become valid again."""
    event = tournament.event
    return tournament.put(replace(event, players_enter=True, slip_key=event.slip_key or key))


@command(N_("Players may no longer enter results"))
def close_entry(tournament: Tournament) -> Tournament:
    return tournament.put(replace(tournament.event, players_enter=False))


@command(N_("New codes made for result slips"))
def renew_codes(tournament: Tournament, *, key: str) -> Tournament:
    return tournament.put(replace(tournament.event, slip_key=key))


@command(N_("Round {round}, table {table}: {player} entered {own} for themselves and {other} for the opponent"))
def enter_slip(
    tournament: Tournament,
    *,
    game: GameId,
    player: PlayerId,
    own: int,
    other: int,
    started: bool | None = None,
    device: str = "",
) -> Tournament:
    """Record the result that `player` entered: `own` points against `other`.

    If both players entered the same result, it counts. But if it is doubtful, the director
    must first accept it with `take_slips`.
    """
    strip_and_check_text(device, "device")
    row = get_published_game_or_refuse(tournament, game)
    if not tournament.event.players_enter:
        raise CommandError("entry-closed")
    if game in tournament.results:
        raise CommandError("result-there", table=row.table)
    if player not in {row.first, row.second}:
        raise CommandError("slip-of-another", table=row.table)
    if row.start is not StartDecision.DRAW:
        started = None
    elif started is None:
        raise CommandError("starter-missing", table=row.table)
    slip = ResultFromPlayer(SlipId(f"{game}.{player}"), game, player, own, other, started, device)
    tournament_with_result = _enter_slip_as_result(tournament, row, slip)  # refuses invalid points
    tournament_with_slip = tournament.put(slip)
    pair = find_slips_of_both_players(TournamentIndex(tournament_with_slip), row)
    if (
        pair is not None
        and pair.has_equal_entries
        and not pair.find_doubt_about_agreed_result(tournament.get_ruleset_of_row(row))
    ):
        return tournament_with_result
    return tournament_with_slip


@command(N_("Round {round}, table {table}: the players’ entries accepted"))
def take_slips(tournament: Tournament, *, game: GameId) -> Tournament:
    """Accept the result that both players entered, although it looks doubtful."""
    row = get_published_game_or_refuse(tournament, game)
    if game in tournament.results:
        raise CommandError("game-has-result", table=row.table)
    pair = find_slips_of_both_players(TournamentIndex(tournament), row)
    if pair is None or not pair.has_equal_entries:
        raise CommandError("slips-not-equal", table=row.table)
    return _enter_slip_as_result(tournament, row, pair.first)


@command(N_("Round {round}, table {table}: the players’ entries rejected"))
def drop_slips(tournament: Tournament, *, game: GameId) -> Tournament:
    """Delete the points that the players of a game entered."""
    row = get_row_or_refuse(tournament.games, game, "game-gone")
    slips = TournamentIndex(tournament).slips(game)
    if not slips:
        raise CommandError("no-slips", table=row.table)
    return tournament.drop(*slips)


def _enter_slip_as_result(tournament: Tournament, row: Game, slip: ResultFromPlayer) -> Tournament:
    first, second = (slip.own, slip.other) if slip.player == row.first else (slip.other, slip.own)
    started = None
    if slip.started is not None:
        starts_first = slip.started == (slip.player == row.first)
        started = GameSide.FIRST if starts_first else GameSide.SECOND
    return enter_result(tournament, game=row.id, first=first, second=second, started=started)
