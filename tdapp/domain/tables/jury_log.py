"""Lists of the jury, and the log of rulings.

The log contains all rulings, and all score changes of games with a ruling. Imported rulings show no scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.game_results import find_decisive_sheet, find_game_of_player
from tdapp.domain.index import TournamentIndex
from tdapp.domain.journal import Step, read_wrong_words_on_sheets
from tdapp.domain.jury_rows import Challenge, Incident, Sanction, TurnRuling, WordRuling
from tdapp.domain.model import Absence, Division, DivisionId, Game, GameId, Player, PlayerId, Result, Round
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.round_clock import format_clock
from tdapp.domain.rulings import (
    TYPED_TOTALS,
    find_final_verdict,
    format_coded_ruling_reason,
    list_wrong_words_without_ruling,
    parse_coded_ruling_reason,
)
from tdapp.domain.tables.history import find_undone_step_numbers
from tdapp.domain.tables.table import Column, ColumnKind, Table, make_columns_from_row_attributes
from tdapp.domain.tournament import Tournament
from tdapp.domain.verdicts import VerdictCostKind, VerdictWithCost, list_applied_verdicts
from tdapp.scrabble.sheet import SanctionKind, compute_paper_form_row_numbers
from tdapp.scrabble.wordlist import WordVerdict


class JuryDecisionRow(Struct, frozen=True):
    """A sanction, or a ruling on words."""

    key: str
    round: int | None
    table: int | None
    number: int
    name: str
    kind: str  # kind of sanction, ruled-wrong or ruled-valid
    why: str
    author: str
    points: int | None = None  # None: no points are deducted
    row: int | None = None
    word: str = ""
    at: str | None = None  # time of a verdict from the judge screen

    @property
    def text_id_of_kind(self) -> str:
        """The text id of `kind`. A prefix distinguishes the sanction `disqualified` from the player status."""
        return f"SanctionKind.{self.kind}" if self.kind in tuple(SanctionKind) else self.kind


def make_sanction_table(index: TournamentIndex, division: Division) -> Table[JuryDecisionRow]:
    rows = [row for player in index.players(division.id) for row in list_player_sanctions(index, player.id)]
    return Table("sanctions", _SANCTION_COLUMNS, tuple(sorted(rows, key=_make_round_player_sort_key)))


def make_jury_decision_table(
    index: TournamentIndex, division: Division, last_round: int | None = None
) -> Table[JuryDecisionRow]:
    rows = (*make_sanction_table(index, division).rows, *list_word_ruling_rows(index, division))
    selected_rows = [row for row in rows if last_round is None or row.round is None or row.round <= last_round]
    return Table("sanctions", _SANCTION_COLUMNS, tuple(sorted(selected_rows, key=_make_round_player_sort_key)))


def list_player_sanctions(index: TournamentIndex, player: PlayerId) -> tuple[JuryDecisionRow, ...]:
    return tuple(_make_sanction_row(index, sanction) for sanction in index.sanctions(player))


def _make_sanction_row(index: TournamentIndex, sanction: Sanction) -> JuryDecisionRow:
    player = map_players_with_distinct_names(index)[sanction.player]
    game = None if sanction.round is None else find_game_of_player(index, sanction.player, sanction.round)
    return JuryDecisionRow(
        key=sanction.id,
        round=sanction.round,
        table=game.table if game else None,
        number=player.number,
        name=player.name,
        kind=sanction.kind.value,
        points=sanction.points or None,
        why=sanction.why,
        author=sanction.author,
    )


def _make_round_player_sort_key(row: JuryDecisionRow) -> tuple[int, int]:
    return row.round or 0, row.number


def list_word_ruling_rows(index: TournamentIndex, division: Division) -> Iterator[JuryDecisionRow]:
    for item in index.list_published_rounds(division.id):
        for game in index.games(item.id):
            for sheet_row in index.sheets(game.id):
                rows = compute_paper_form_row_numbers(
                    (turn.player, turn.kind.is_real_turn) for turn in sheet_row.sheet.turns
                )
                for ruling in sheet_row.rulings:
                    turn = sheet_row.sheet.turns[ruling.turn - 1]
                    player = (game.first, game.second)[turn.player - 1]
                    word, row = turn.word or "", rows[ruling.turn - 1]
                    yield _make_ruling_row(
                        index, item, game, ruling, f"{sheet_row.id}/{ruling.turn}", player, word, row=row
                    )
                if sheet_row != find_decisive_sheet(index.sheets(game.id)):
                    continue
                scores = [turn.score for turn in sheet_row.sheet.turns]
                for wrong_turn in list_wrong_words_without_ruling(
                    game, sheet_row, index.tournament.get_ruleset_of_row(game), scores
                ):
                    turn_ruling = TurnRuling(wrong_turn.turn, phony=True, author="", why="")
                    key = f"{sheet_row.id}/{wrong_turn.turn}!"
                    word, points = wrong_turn.word.upper(), wrong_turn.points or 0
                    yield _make_ruling_row(
                        index,
                        item,
                        game,
                        turn_ruling,
                        key,
                        wrong_turn.player,
                        word,
                        row=wrong_turn.row,
                        points=points,
                    )
            for word_ruling in index.word_rulings(game.id):
                yield _make_ruling_row(
                    index,
                    item,
                    game,
                    word_ruling,
                    word_ruling.id,
                    word_ruling.player,
                    word_ruling.word,
                    points=word_ruling.cost,
                )
            result = index.get_result(game.id)
            for verdict in list_applied_verdicts(index.tournament, result) if result is not None else ():
                if verdict.player is not None and verdict.kind in {VerdictCostKind.POINTS, VerdictCostKind.GAME}:
                    yield _make_challenge_verdict_row(
                        index, item, game, verdict, (game.first, game.second)[verdict.player - 1]
                    )


def _make_ruling_row(  # noqa: PLR0913 - where and on what
    index: TournamentIndex,
    round_row: Round,
    game: Game,
    ruling: TurnRuling | WordRuling,
    key: str,
    player: PlayerId,
    word: str,
    *,
    row: int | None = None,
    points: int = 0,
) -> JuryDecisionRow:
    player_row = map_players_with_distinct_names(index)[player]
    return JuryDecisionRow(
        key=key,
        round=round_row.number,
        table=game.table,
        number=player_row.number,
        name=player_row.name,
        kind="ruled-wrong" if ruling.phony else "ruled-valid",
        row=row,
        word=", ".join(word.split()),
        why=ruling.why,
        author=ruling.author,
        points=points or None,
    )


def _make_challenge_verdict_row(
    index: TournamentIndex, round_row: Round, game: Game, verdict: VerdictWithCost, player: PlayerId
) -> JuryDecisionRow:
    challenge = index.tournament.challenges[verdict.challenge]
    player_row = map_players_with_distinct_names(index)[player]
    is_wrong = find_final_verdict(challenge) is WordVerdict.INVALID
    return JuryDecisionRow(
        key=challenge.id,
        round=round_row.number,
        table=game.table,
        number=player_row.number,
        name=player_row.name,
        kind="ruled-wrong" if is_wrong else "ruled-valid",
        word=", ".join(verdict.words),
        why="",
        author=challenge.second_judge or challenge.judge,
        points=-verdict.points or None,
        at=challenge.at,
    )


# --- preview


class ResultChangedBySanction(Struct, frozen=True):
    """A game whose result a sanction changes."""

    game: GameId
    round: int
    table: int
    before: Result | None
    after: Result


def list_results_changed_by_sanction(before: Tournament, after: Tournament) -> tuple[ResultChangedBySanction, ...]:
    changes = (
        ResultChangedBySanction(
            key, after.rounds[after.games[key].round].number, after.games[key].table, old, result
        )
        for key, result in after.results.items()
        if (old := before.results.get(key)) != result
    )
    return tuple(sorted(changes, key=lambda change: (change.round, change.table)))


def list_new_absences(before: Tournament, after: Tournament) -> tuple[Absence, ...]:
    return tuple(item for key, item in after.absences.items() if key not in before.absences)


_SANCTION_COLUMNS: tuple[Column[JuryDecisionRow], ...] = (
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "round", "table", "number"),
    Column("name", ColumnKind.NAME, attrgetter("name")),
    Column("kind", ColumnKind.CODE, attrgetter("text_id_of_kind")),
    Column("penalty", ColumnKind.NUMBER, attrgetter("points")),
    Column("row", ColumnKind.NUMBER, attrgetter("row")),
    *make_columns_from_row_attributes(ColumnKind.TEXT, "word"),
    *make_columns_from_row_attributes(ColumnKind.WHY, "why"),
    *make_columns_from_row_attributes(ColumnKind.TEXT, "author"),
)


class IncidentRow(Struct, frozen=True):
    """An incident with the names of its players."""

    key: str
    entry: Incident
    number: int | None  # None: both players or none
    name: str  # "": both players or none
    players: str
    time: str


def make_incident_table(
    index: TournamentIndex, division: Division, last_round: int | None = None
) -> Table[IncidentRow]:
    rows = tuple(
        _make_incident_row(index, item)
        for item in index.incidents(division.id)
        if last_round is None or item.round is None or item.round <= last_round
    )
    return Table("incidents", _INCIDENT_COLUMNS, rows)


def list_player_incidents(index: TournamentIndex, player: PlayerId) -> tuple[IncidentRow, ...]:
    row = index.tournament.players[player]
    return tuple(
        _make_incident_row(index, item)
        for item in index.incidents(row.division)
        if item.player == player or (item.player is None and player in list_players_at_incident_table(index, item))
    )


def list_game_incidents(index: TournamentIndex, key: GameId) -> tuple[IncidentRow, ...]:
    game = index.tournament.games[key]
    number = index.tournament.rounds[game.round].number
    return tuple(
        _make_incident_row(index, item)
        for item in index.incidents(index.get_division_of_round(game.round).id)
        if (item.round, item.table) == (number, game.table)
    )


def list_players_at_incident_table(index: TournamentIndex, incident: Incident) -> tuple[PlayerId, ...]:
    """Return the two players at an incident's table, the starter first. Empty without a game."""
    game = index.find_game_at_table(incident.division, incident.round, incident.table)
    return () if game is None else (game.first, game.second)


def _make_incident_row(index: TournamentIndex, incident: Incident) -> IncidentRow:
    players = map_players_with_distinct_names(index)
    player = players[incident.player] if incident.player is not None else None
    player_ids = (player.id,) if player is not None else list_players_at_incident_table(index, incident)
    return IncidentRow(
        key=incident.id,
        entry=incident,
        number=player.number if player else None,
        name=player.name if player else "",
        players=" – ".join(players[player_id].name for player_id in player_ids),
        time=format_clock(incident.seconds) if incident.seconds else "",
    )


_INCIDENT_COLUMNS: tuple[Column[IncidentRow], ...] = (
    Column("at", ColumnKind.TIME, attrgetter("entry.at")),
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "round", "table", parent="entry"),
    Column("kind", ColumnKind.CODE, attrgetter("entry.kind")),
    Column("time", ColumnKind.TEXT, attrgetter("time")),
    Column("players", ColumnKind.NAME, attrgetter("players")),
    *make_columns_from_row_attributes(ColumnKind.TEXT, "note", "author", parent="entry"),
)


class ChallengeRow(Struct, frozen=True):
    """A challenge with its final verdict."""

    key: str
    entry: Challenge
    words: str  # "" if hidden
    challenger: str
    final: WordVerdict


class SeatedPlayer(Struct, frozen=True):
    """A player at a table in the newest published round."""

    division: DivisionId
    code: str
    round: int
    player: Player


def make_challenge_table(
    index: TournamentIndex, division: Division, *, table: int | None = None, show_words: bool = True
) -> Table[ChallengeRow]:
    """Return the challenges of a division, newest first. With `table`, return only those at this table.

    Without `show_words`, the words are hidden.
    """
    challenges = (
        challenge
        for challenge in reversed(index.challenges(division.id))
        if table is None or challenge.table == table
    )
    rows = tuple(_make_challenge_row(index, challenge, show_words=show_words) for challenge in challenges)
    return Table("challenges", _CHALLENGE_COLUMNS, rows)


def list_current_seats_at_table(index: TournamentIndex, table: int) -> tuple[SeatedPlayer, ...]:
    """Return the players at a table in the newest published round of each division."""
    players = map_players_with_distinct_names(index)
    return tuple(
        SeatedPlayer(division.id, division.code, item.number, players[player])
        for division in index.divisions
        for item in index.list_published_rounds(division.id)[-1:]
        for game in index.games(item.id)
        if game.table == table
        for player in (game.first, game.second)
    )


def _make_challenge_row(index: TournamentIndex, challenge: Challenge, *, show_words: bool) -> ChallengeRow:
    challenger = challenge.challenger
    return ChallengeRow(
        key=challenge.id,
        entry=challenge if show_words else replace(challenge, words=()),
        words=" · ".join(challenge.words) if show_words else "",
        challenger=map_players_with_distinct_names(index)[challenger].name if challenger else "",
        final=find_final_verdict(challenge),
    )


_CHALLENGE_COLUMNS: tuple[Column[ChallengeRow], ...] = (
    Column("at", ColumnKind.TIME, attrgetter("entry.at")),
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "round", "table", parent="entry"),
    Column("words", ColumnKind.TEXT, attrgetter("words")),
    Column("challenger", ColumnKind.NAME, attrgetter("challenger")),
    Column("occasion", ColumnKind.CODE, attrgetter("entry.occasion")),
    Column("edition", ColumnKind.TEXT, attrgetter("entry.edition")),
    Column("verdict", ColumnKind.CODE, attrgetter("entry.verdict")),
    Column("judge", ColumnKind.TEXT, attrgetter("entry.judge")),
    Column("appeal", ColumnKind.CODE, attrgetter("entry.second")),
    Column("second_judge", ColumnKind.TEXT, attrgetter("entry.second_judge")),
    Column("final_verdict", ColumnKind.CODE, attrgetter("final")),
)


RULING_COMMANDS = frozenset({"rule-on-word", "rule-on-turn"})
_SIGN_COMMAND = "sign-rulings"
_RESULT_KINDS: Mapping[str, str] = {
    "enter-result": "result-corrected",
    "second-result": "result-corrected",
    "clear-result": "result-cleared",
    "enter-sheet": "sheet-entered",
    "settle-forms": "sheet-entered",
    "clear-sheet": "sheet-cleared",
    "remove-sanction": "sanction-removed",
}
_VERDICT_KINDS: Mapping[str, str] = {
    "decide-verdicts": "verdict-decided",
    "appeal-challenge": "appeal",
    "remove-challenge": "challenge-removed",
}


class JuryLogRow(Struct, frozen=True):
    """A change of a game's score, or a ruling on its words."""

    key: str
    at: str | None
    round: int
    table: int
    name: str  # one player or both
    kind: str  # ruled-wrong, ruled-valid, a kind of sanction, or an action on the result
    word: str = ""
    row: int | None = None
    turn_score: int | None = None
    change: int | None = None
    before: str = ""  # score, first player first; "" if unchanged
    after: str = ""  # as in `before`
    why: str = ""
    author: str = ""


def make_ruling_log(
    index: TournamentIndex, division: Division, steps: Iterable[Step], last_round: int | None = None
) -> Table[JuryLogRow]:
    """Return the rulings, and all score changes of games with a ruling, by round, table and time."""
    log_rows = list(_list_log_rows_from_steps(index, tuple(steps), division))
    word_keys = {key for row in log_rows for key in _make_word_keys_of_log_row(row)}
    # Imported rulings and verdicts from the judge screen are not steps of the journal: no scores are known.
    log_rows += [
        row
        for row in _list_all_rulings_as_log_rows(index, division)
        if word_keys.isdisjoint(_make_word_keys_of_log_row(row))
    ]
    ruled_games = {(row.round, row.table) for row in log_rows if _is_jury_decision_row(row)}
    if last_round is not None and is_after_last_published_round(index, division, last_round + 1):
        last_round = None
    rows = [
        row
        for row in log_rows
        if (row.round, row.table) in ruled_games and (last_round is None or row.round <= last_round)
    ]
    rows.sort(key=attrgetter("round", "table"))  # stable sort: keeps the order of time
    return Table("ruling-log", _COLUMNS, tuple(rows))


def is_after_last_published_round(index: TournamentIndex, division: Division, round_number: int) -> bool:
    return round_number > len(index.list_published_rounds(division.id))


def _make_word_keys_of_log_row(row: JuryLogRow) -> set[tuple[object, ...]]:
    name = row.name.partition(" (")[0]
    return {(row.round, row.table, name, word) for word in row.word.split(", ")}


def _is_jury_decision_row(row: JuryLogRow) -> bool:
    is_ordinary = row.kind in {"result-entered", "result-cleared", *_RESULT_KINDS.values()}
    return not is_ordinary or bool(row.why and parse_coded_ruling_reason(row.why)[0] != TYPED_TOTALS)


def _list_log_rows_from_steps(
    index: TournamentIndex, steps: Sequence[Step], division: Division
) -> Iterator[JuryLogRow]:
    undone_numbers = find_undone_step_numbers(steps)
    valid_steps = [step for step in steps if step.undoes is None and step.seq not in undone_numbers]
    new_names: dict[str, str] = {}  # newest name of each author
    rows: list[JuryLogRow] = []
    for step in reversed(valid_steps):
        if step.label == _SIGN_COMMAND:
            old, new = str(step.facts["old"]), str(step.facts["new"])
            new_names[old] = new_names.get(new, new)
            continue
        typed_rows = list(_make_rows_of_wrong_words_on_sheets(index, division, step))
        rows += [replace(row, author=new_names.get(row.author, row.author)) for row in reversed(typed_rows)]
        if step.facts.get("division") == division.code and "table" in step.facts:
            row = _make_jury_log_row(step)
            if row is not None:
                row = replace(row, after=typed_rows[0].before) if typed_rows else row
                rows.append(replace(row, author=new_names.get(row.author, row.author)))
    yield from reversed(rows)


def _make_jury_log_row(step: Step) -> JuryLogRow | None:
    facts, kind = step.facts, _find_jury_log_kind(step)
    has_new_score = "now" in facts
    if not kind or not (has_new_score or step.label in {*RULING_COMMANDS, "add-sanction"}):
        return None
    points = facts.get("points")
    change = (
        -points
        if isinstance(points, int) and points and step.label in {*RULING_COMMANDS, "add-sanction"}
        else None
    )
    words = ", ".join(str(facts.get("word", "")).upper().split())
    return JuryLogRow(
        key=str(step.seq),
        at=step.at,
        round=int(str(facts["round"])),
        table=int(str(facts["table"])),
        name=str(facts.get("player") or f"{facts.get('first_name')} – {facts.get('second_name')}"),
        kind=kind,
        word=words or str(facts.get("words", "")).replace(" · ", ", "),
        row=_get_number_fact(step, "row"),
        turn_score=_get_number_fact(step, "score")
        if step.label in RULING_COMMANDS and facts.get("phony", 1)
        else None,
        change=change,
        before=str(facts.get("was", "")),
        after=str(facts.get("now", "")),
        why=str(facts.get("reason") or facts.get("why") or _make_reason_with_typed_totals(step)),
        author=str(facts.get("author", "")),
    )


def _make_rows_of_wrong_words_on_sheets(
    index: TournamentIndex, division: Division, step: Step
) -> Iterator[JuryLogRow]:
    names = {player.number: player.name for player in index.players(division.id)}
    for number, ruling in enumerate(read_wrong_words_on_sheets(step.facts), 1):
        if ruling.division == division.code:
            yield JuryLogRow(
                f"{step.seq}.{number}", step.at, ruling.round, ruling.table, names.get(ruling.number, ""),
                "ruled-wrong", ruling.word, ruling.row, ruling.score, -ruling.points,
                ruling.old_score, ruling.new_score,
                author=str(step.facts.get("author", "")),
            )  # fmt: skip


def _find_jury_log_kind(step: Step) -> str:
    if step.label in RULING_COMMANDS:
        return "ruled-wrong" if step.facts.get("phony", 1) else "ruled-valid"
    if step.label == "add-sanction":
        return str(step.facts.get("kind", ""))
    if step.facts.get("verdicts"):
        return _VERDICT_KINDS["decide-verdicts"]
    if step.label == "enter-result" and "was" not in step.facts:
        return "result-entered"
    return _RESULT_KINDS.get(step.label) or _VERDICT_KINDS.get(step.label, "")


def _make_reason_with_typed_totals(step: Step) -> str:
    first, second = step.facts.get("first"), step.facts.get("second")
    totals = f"{first}–{second}"
    is_different = first is not None and not str(step.facts.get("now", "")).startswith(totals)
    return format_coded_ruling_reason(TYPED_TOTALS, totals) if is_different else ""


def _get_number_fact(step: Step, name: str) -> int | None:
    value = step.facts.get(name)
    return int(value) if isinstance(value, int) else None


def _list_all_rulings_as_log_rows(index: TournamentIndex, division: Division) -> Iterator[JuryLogRow]:
    for row in list_word_ruling_rows(index, division):
        change = -row.points if row.points else None
        yield JuryLogRow(
            row.key, row.at, row.round or 0, row.table or 0, row.name, row.kind, row.word, row.row,
            change=change, why=row.why, author=row.author,
        )  # fmt: skip


_COLUMNS: tuple[Column[JuryLogRow], ...] = (
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "round", "table"),
    Column("at", ColumnKind.TIME, attrgetter("at")),
    Column("name", ColumnKind.NAME, attrgetter("name")),
    Column("kind", ColumnKind.CODE, attrgetter("kind")),
    *make_columns_from_row_attributes(ColumnKind.TEXT, "word"),
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "row", "turn_score"),
    Column("points_change", ColumnKind.SIGNED, attrgetter("change")),
    *make_columns_from_row_attributes(ColumnKind.TEXT, "before", "after"),
    *make_columns_from_row_attributes(ColumnKind.WHY, "why"),
    *make_columns_from_row_attributes(ColumnKind.TEXT, "author"),
)
