"""Commands on sanctions, incidents, and challenges with their appeals."""

from __future__ import annotations

from typing import Any, TypedDict, Unpack

from msgspec.structs import replace

from tdapp.domain.commands.players import withdraw_player
from tdapp.domain.commands.rule import (
    HIGHEST_TABLE,
    LAST_ROUND,
    LONGEST_NOTE,
    MOST_POINTS,
    check_number_in_range,
    command,
    get_allowed_change_or_refuse,
    get_row_or_refuse,
    strip_and_check_required_text,
    strip_and_check_text,
)
from tdapp.domain.errors import CommandError
from tdapp.domain.game_results import find_game_of_player, recompute_result, store_recomputed_result
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import (
    Challenge,
    Incident,
    IncidentId,
    IncidentKind,
    Sanction,
    SanctionId,
    ScoreSheet,
    WordCheckReason,
    WordRuling,
)
from tdapp.domain.model import (
    AbsenceId,
    ByeKind,
    ChallengeId,
    DivisionId,
    GameId,
    GameSide,
    PlayerId,
    Result,
    ResultState,
)
from tdapp.domain.ruleset import SanctionPointsSource
from tdapp.domain.rulings import combine_judge_verdicts, list_jury_decisions_by_author
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_
from tdapp.scrabble.sheet import SanctionKind
from tdapp.scrabble.wordlist import WordVerdict


@command(N_("{player}: sanction added ({kind:SanctionKind})"))
def add_sanction(  # noqa: PLR0913 - a sanction's fields
    tournament: Tournament,
    *,
    key: str,
    player: PlayerId,
    kind: SanctionKind,
    why: str,
    round_number: int | None = None,
    points: int = 0,
    author: str = "",
    remaining: ByeKind | None = ByeKind.FORFEIT,
) -> Tournament:
    """Give a player a sanction in the round `round_number` (None: the last published round).

    A disqualified player loses the game of this round and forfeits all open games of published rounds. In later
    rounds this player gets byes of the kind `remaining` (None: no byes).
    """
    row = get_row_or_refuse(tournament.players, player, "no-such-player")
    why = strip_and_check_required_text(why, "why", longest=LONGEST_NOTE)
    if kind.is_measured_in_points != (points != 0):
        raise CommandError("sanction-points", kind=kind.value)
    check_number_in_range(points, "points", low=0, high=MOST_POINTS)
    index = TournamentIndex(tournament)
    last = index.get_last_published_round_number(row.division)
    number = (
        last or None
        if round_number is None
        else check_number_in_range(round_number, "round", low=1, high=max(last, 1))
    )
    game = find_game_of_player(index, player, number) if number is not None else None
    points_source = tournament.get_ruleset_of_row(row).sanctions.find_sanction_points_source(kind)
    if game is None and (kind is SanctionKind.GAME or points_source is SanctionPointsSource.GAME):
        raise CommandError("no-game-to-punish", player=row.name, round=number or 0)
    new_sanction = Sanction(
        SanctionId(key), player, number, kind, points, why, strip_and_check_text(author, "author")
    )
    after = tournament.put(new_sanction)
    if game is not None and game.id in after.results:
        after = store_recomputed_result(after, after.results[game.id])
    if kind is SanctionKind.DISQUALIFIED:
        after = _forfeit_open_games_and_withdraw(after, new_sanction, remaining)
    return after


@command(N_("{player}: sanction removed ({kind:SanctionKind})"))
def remove_sanction(tournament: Tournament, *, sanction: SanctionId, reason: str = "") -> Tournament:
    """Remove a sanction. A disqualified player can play later rounds again.

    Forfeits made by a disqualification become open games, unless they were changed later or certified.
    """
    row = get_row_or_refuse(tournament.sanctions, sanction, "no-such-sanction")
    absence = tournament.absences.get(_make_absence_id(row))
    after = tournament.drop(row, *_list_remaining_forfeits_of_sanction(tournament, row))
    if absence is not None:
        after = after.drop(absence)
    game = (
        find_game_of_player(TournamentIndex(tournament), row.player, row.round) if row.round is not None else None
    )
    if game is not None and game.id in after.results:
        after = store_recomputed_result(after, after.results[game.id])
    return get_allowed_change_or_refuse(tournament, after, reason)


@command(N_("Rulings signed by {old} are now signed by {new}"))
def sign_rulings(tournament: Tournament, *, old: str, new: str) -> Tournament:
    """Replace the author `old` of rulings and sanctions by `new`."""
    name, rows = strip_and_check_required_text(new, "new"), list_jury_decisions_by_author(tournament, old)
    if not rows:
        raise CommandError("nothing-signed", author=old)
    return tournament.put(*(_replace_author_of_decision(row, old, name) for row in rows))


def _replace_author_of_decision(
    row: WordRuling | Sanction | ScoreSheet, old: str, new: str
) -> WordRuling | Sanction | ScoreSheet:
    if not isinstance(row, ScoreSheet):
        return replace(row, author=new)
    rulings = (replace(ruling, author=new) if ruling.author == old else ruling for ruling in row.rulings)
    return replace(row, rulings=tuple(rulings))


def _make_absence_id(sanction: Sanction) -> AbsenceId:
    return AbsenceId(f"{sanction.id}.w")


def _list_remaining_forfeits_of_sanction(tournament: Tournament, sanction: Sanction) -> list[Result]:
    results = (tournament.results.get(game) for game in sanction.forfeits)
    return [
        result
        for result in results
        if result is not None and result == _make_forfeit(tournament, result.id, sanction)
    ]


def _make_forfeit(tournament: Tournament, game: GameId, sanction: Sanction) -> Result:
    loser = GameSide.FIRST if tournament.games[game].first == sanction.player else GameSide.SECOND
    return Result(game, ResultState.ENTERED, forfeit=loser)


def _forfeit_open_games_and_withdraw(
    tournament: Tournament, sanction: Sanction, remaining: ByeKind | None
) -> Tournament:
    index, player = TournamentIndex(tournament), sanction.player
    forfeits = [
        _make_forfeit(tournament, game.id, sanction)
        for item in index.list_published_rounds(tournament.players[player].division)
        for game in index.list_open_games(item.id)
        if player in {game.first, game.second}
    ]
    tournament = tournament.put(replace(sanction, forfeits=tuple(result.id for result in forfeits)), *forfeits)
    if index.has_withdrawn(player):
        return tournament
    return withdraw_player(tournament, key=_make_absence_id(sanction), player=player, kind=remaining)


MOST_SECONDS = 36_000


@command(N_("Incident noted: {kind:IncidentKind}"))
def note_incident(  # noqa: PLR0913 - an incident's fields
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    kind: IncidentKind,
    at: str,
    round_number: int | None = None,
    table: int | None = None,
    player: PlayerId | None = None,
    seconds: int = 0,
    note: str = "",
    author: str = "",
) -> Tournament:
    """Record an incident. `at` is UTC in ISO 8601. `seconds` (up to ten hours) are extra time or delay."""
    get_row_or_refuse(tournament.divisions, division, "no-such-division")
    row = Incident(
        IncidentId(key),
        division,
        kind,
        strip_and_check_text(at, "at"),
        round_number,
        table,
        player,
        seconds,
        note,
        author,
    )
    return tournament.put(_get_checked_incident_or_refuse(tournament, row))


class IncidentChanges(TypedDict, total=False):
    """Editable fields of an incident. None empties a field."""

    kind: IncidentKind
    round_number: int | None
    table: int | None
    player: PlayerId | None  # None: both players or no player
    seconds: int
    note: str
    author: str


@command(N_("Incident corrected"))
def edit_incident(
    tournament: Tournament, *, incident: IncidentId, **changes: Unpack[IncidentChanges]
) -> Tournament:
    row = get_row_or_refuse(tournament.incidents, incident, "no-such-incident")
    fields: dict[str, Any] = {{"round_number": "round"}.get(name, name): value for name, value in changes.items()}
    return tournament.put(_get_checked_incident_or_refuse(tournament, replace(row, **fields)))


@command(N_("Incident removed from the log"))
def remove_incident(tournament: Tournament, *, incident: IncidentId) -> Tournament:
    return tournament.drop(get_row_or_refuse(tournament.incidents, incident, "no-such-incident"))


def _refuse_invalid_round_table_or_player(
    tournament: Tournament, round_number: int | None, table: int | None, player: PlayerId | None
) -> None:
    if round_number is not None:
        check_number_in_range(round_number, "round", low=1, high=LAST_ROUND)
    if table is not None:
        check_number_in_range(table, "table", low=1, high=HIGHEST_TABLE)
    if player is not None:
        get_row_or_refuse(tournament.players, player, "no-such-player")


def _get_checked_incident_or_refuse(tournament: Tournament, row: Incident) -> Incident:
    _refuse_invalid_round_table_or_player(tournament, row.round, row.table, row.player)
    if row.kind is IncidentKind.EXTRA_TIME and not row.seconds:
        raise CommandError("extra-time-missing")
    return replace(
        row,
        seconds=check_number_in_range(row.seconds, "seconds", low=0, high=MOST_SECONDS),
        note=strip_and_check_text(row.note, "note", longest=LONGEST_NOTE),
        author=strip_and_check_text(row.author, "author"),
    )


MOST_WORDS = 8  # a main word and seven across it


@command(N_("Challenge: {verdict:code}"))
def record_challenge(  # noqa: PLR0913 - a ruling's fields
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    at: str,
    words: tuple[str, ...],
    verdict: WordVerdict,
    edition: str,
    judge: str = "",
    round_number: int | None = None,
    table: int | None = None,
    challenger: PlayerId | None = None,
    occasion: WordCheckReason | None = None,
) -> Tournament:
    """Record the verdict on a challenge. `at` is UTC in ISO 8601. `edition` names the word list."""
    get_row_or_refuse(tournament.divisions, division, "no-such-division")
    check_number_in_range(len(words), "words", low=1, high=MOST_WORDS)
    _refuse_invalid_round_table_or_player(tournament, round_number, table, challenger)
    game = TournamentIndex(tournament).find_game_at_table(division, round_number, table)
    if game is not None and challenger is not None and challenger not in {game.first, game.second}:
        raise CommandError("player-not-here", table=game.table, player=tournament.players[challenger].name)
    row = Challenge(
        ChallengeId(key),
        division,
        strip_and_check_text(at, "at"),
        tuple(strip_and_check_required_text(word, "words") for word in words),
        strip_and_check_text(edition, "edition"),
        verdict,
        strip_and_check_text(judge, "judge"),
        round_number,
        table,
        challenger,
        occasion=occasion,
    )
    return tournament.put(row)


@command(N_("Appeal, second verdict: {second:code}"))
def appeal_challenge(
    tournament: Tournament,
    *,
    challenge: ChallengeId,
    second: WordVerdict,
    judge: str = "",
    joint: WordVerdict | None = None,
    reason: str = "",
) -> Tournament:
    """Record the second verdict on an appealed challenge.

    If the two verdicts differ, also record the final verdict `joint` (no-turneringsreglement 3.11).
    """
    row = get_row_or_refuse(tournament.challenges, challenge, "no-such-challenge")
    if not tournament.get_ruleset_of_row(row).judges.appeal:
        raise CommandError("no-appeal-in-rules")
    combine_judge_verdicts(row.verdict, second, joint)
    if row.verdict is second:
        joint = None
    row = replace(row, second=second, second_judge=strip_and_check_text(judge, "judge"), joint=joint)
    after = _recompute_challenged_results(tournament.put(row), challenge)
    return get_allowed_change_or_refuse(tournament, after, reason)


@command(N_("Challenge removed from the log"))
def remove_challenge(tournament: Tournament, *, challenge: ChallengeId, reason: str = "") -> Tournament:
    after = tournament.drop(get_row_or_refuse(tournament.challenges, challenge, "no-such-challenge"))
    return get_allowed_change_or_refuse(tournament, _recompute_challenged_results(after, challenge), reason)


def _recompute_challenged_results(tournament: Tournament, challenge: ChallengeId) -> Tournament:
    results = [result for result in tournament.results.values() if challenge in result.applied]
    return tournament.put(*(recompute_result(tournament, result) for result in results))
