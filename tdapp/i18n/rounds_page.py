"""Content of the Rounds page: the games as a table, and notes as rich text with links."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from operator import attrgetter

from msgspec import Struct

from tdapp.domain.game_results import compute_points_before_rulings
from tdapp.domain.index import TournamentIndex
from tdapp.domain.journal import Step
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.model import (
    Game,
    GameId,
    GameSide,
    PlayerId,
    Result,
    Round,
    RoundState,
    SeatId,
    StartDecision,
)
from tdapp.domain.problems import find_division_problems, find_slip_problems
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.roles import Role
from tdapp.domain.round_clock import format_clock
from tdapp.domain.slip import find_slips_of_both_players
from tdapp.domain.tables import jury_log, rounds
from tdapp.domain.tables.groups import GroupTableGameRow, make_table_of_group_tables
from tdapp.domain.tables.history import find_station_role, find_step_that_checked_result
from tdapp.domain.tables.jury_log import IncidentRow, JuryDecisionRow
from tdapp.domain.tables.rounds import PairingRow
from tdapp.domain.tables.table import Column, ColumnKind, Table
from tdapp.i18n import pairing_sentences
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.group_preview import format_entered_results_as_html
from tdapp.i18n.lists import describe_points_of_break_up_games, format_other_matches_in_final_round
from tdapp.i18n.phrases import capitalize_first, describe_solo_result
from tdapp.i18n.scores import format_scores_of_both_players
from tdapp.pairing import list_unpaired_players

SECOND_PLAYER_COLUMNS = frozenset({"second", "second_name", "score2"})
HIDDEN_SCORE = "•••"  # shown during the second entry
TypedScores = Mapping[str, tuple[str, str]]
_MAX_NAMED_PLAYERS = 4  # of a group table; a larger table shows only counts
_MIN_SCORES_WITHOUT_SPACES = 3  # from this many scores on, a cell has no spaces


class RoundsPageRow(Struct, frozen=True):
    """A game of two players, or a group table (one player, or three or more)."""

    key: str
    game: PairingRow
    points_before_rulings: tuple[int, int] | None = None  # of both players
    typed_scores: tuple[str, str] = ("", "")
    selected_players: tuple[int, ...] = ()
    incidents: tuple[IncidentRow | JuryDecisionRow, ...] = ()
    is_hidden: bool = False  # an unchecked result is not shown
    has_waiting_entries: bool = False  # results from the players wait for the director
    has_unsaved_entries: bool = False  # typed entries cannot be saved
    group: GroupTableGameRow | None = None  # the group table, None for a two-player game


def make_rounds_page_table(
    index: TournamentIndex,
    item: Round,
    *,
    typed_scores: TypedScores,
    selected_players: Iterable[int],
    hide_unchecked: bool = False,
    unsaved_keys: Collection[str] = (),
) -> Table[RoundsPageRow]:
    """Return the games of a round.

    `typed_scores` has unsaved points by game. `selected_players` are player numbers to highlight.
    `hide_unchecked` hides the unchecked results. `unsaved_keys` are ids of games with entries that cannot be
    saved.
    """
    selection = frozenset(selected_players)
    rows = rounds.list_pairings_with_distinct_names(index, item)
    lines = tuple(
        RoundsPageRow(
            row.key,
            row,
            _find_points_before_rulings(index, row),
            typed_scores.get(row.key, ("", "")),
            tuple(sorted(selection & {row.first, row.second})),
            _list_incidents_and_sanctions(index, item, row),
            is_hidden=hide_unchecked and row.status == "entered",
            has_waiting_entries=find_slips_of_both_players(index, index.tournament.games[GameId(row.key)])
            is not None,
            has_unsaved_entries=row.key in unsaved_keys,
        )
        for row in rows
    )
    groups = make_table_of_group_tables(index, item).rows
    if groups:
        lines = tuple(
            sorted((*lines, *(_make_group_table_row(row, selection) for row in groups)), key=_get_table_number)
        )
    if item.state is RoundState.DRAFT:
        return Table("draft", _DRAFT_COLUMNS, lines)
    has_drawn_starts = any(row.start is not StartDecision.ASSIGNED for row in rows)
    return Table(
        "pairings",
        (*_RESULT_COLUMNS[:5], _START_COLUMN, *_RESULT_COLUMNS[5:]) if has_drawn_starts else _RESULT_COLUMNS,
        lines,
    )


def _get_table_number(line: RoundsPageRow) -> int:
    return line.game.table


def _make_group_table_row(row: GroupTableGameRow, selection: frozenset[int]) -> RoundsPageRow:
    first, *other_seats = row.seats
    named_seats = other_seats if len(other_seats) < _MAX_NAMED_PLAYERS else []
    entered_count = sum(seat.entered for seat in row.seats)
    game = PairingRow(
        key=row.key,
        table=row.table,
        first=first.player,
        second=other_seats[0].player if named_seats else 0,
        first_name=first.name if named_seats or not other_seats else "",
        second_name=" · ".join(seat.name for seat in named_seats),
        score1=first.points if named_seats or not other_seats else entered_count,
        score2=None,
        spread=None,
        forfeit=None,
        status=row.status,
        start=StartDecision.ASSIGNED,
        repeat=dict(row.reason.cost).get("repeats", 0) if row.reason else 0,
        locked=False,
        reason=row.reason,
    )
    selected_players = tuple(sorted(selection & {seat.player for seat in row.seats}))
    return RoundsPageRow(
        row.key, game, selected_players=selected_players, group=row, has_waiting_entries=row.needs_decision
    )


def _find_points_before_rulings(index: TournamentIndex, row: PairingRow) -> tuple[int, int] | None:
    result = index.get_result(GameId(row.key))
    return compute_points_before_rulings(result) if result is not None else None


def _list_incidents_and_sanctions(
    index: TournamentIndex, item: Round, row: PairingRow
) -> tuple[IncidentRow | JuryDecisionRow, ...]:
    game = index.tournament.games[GameId(row.key)]
    sanctions = (
        sanction
        for player in (game.first, game.second)
        for sanction in jury_log.list_player_sanctions(index, player)
    )
    return (
        *jury_log.list_game_incidents(index, game.id),
        *(sanction for sanction in sanctions if sanction.round == item.number),
    )


def get_row_tone(line: RoundsPageRow) -> str:
    if line.selected_players:
        return "accent"
    reason = line.game.reason if line.game.status == "open" else None
    repeats = reason is not None and dict(reason.cost).get("repeats")
    return (
        "amber"
        if any(line.typed_scores) or line.has_waiting_entries or line.has_unsaved_entries or repeats
        else ""
    )


def is_cell_of_winner(line: RoundsPageRow, column: str) -> bool:
    decision = None if line.is_hidden else line.game.decision
    winner_columns = (
        {1: ("first_name", "score1"), 2: ("second_name", "score2")}.get(decision.side, ()) if decision else ()
    )
    return column in winner_columns


def make_cell_formatters(catalogue: Catalogue) -> Mapping[str, Callable[[RoundsPageRow], str]]:
    """Return, by column, functions that format a cell. Columns without a function show the plain value."""

    def format_name(line: RoundsPageRow, number: int, name: str) -> str:
        if line.group is not None and not name and number == line.game.first:
            return catalogue.plural("{n} player at one table", "{n} players at one table", len(line.group.seats))
        return f"● {name}" if number in line.selected_players else name

    def format_opponents(line: RoundsPageRow) -> str:
        if line.group is None:
            return format_name(line, line.game.second, line.game.second_name)
        if len(line.group.seats) == 1:
            return " · ".join(describe_solo_result(catalogue, line.group.seats[0]))
        seats = line.group.seats[1:] if len(line.group.seats) <= _MAX_NAMED_PLAYERS else ()
        return " · ".join(format_name(line, seat.player, seat.name) for seat in seats)

    def format_group_scores(group: GroupTableGameRow, side: int) -> str:
        if len(group.seats) > _MAX_NAMED_PLAYERS:
            return str(sum(seat.entered for seat in group.seats)) if side == 0 else f"/ {len(group.seats)}"
        seats = group.seats[:1] if side == 0 else group.seats[1:]
        left_text = catalogue.text("has left")
        scores = [left_text if seat.points is None else f"{seat.points}*" if seat.left else str(seat.points)
                 for seat in seats]  # fmt: skip
        separator = " · " if len(scores) < _MIN_SCORES_WITHOUT_SPACES else "·"
        return separator.join(scores) if any(seat.entered for seat in seats) else ""

    def format_score(line: RoundsPageRow, side: int) -> str:
        if line.is_hidden:
            return HIDDEN_SCORE
        game = line.game
        if line.group is not None:
            return format_group_scores(line.group, side)
        return (
            line.typed_scores[side]
            or format_scores_of_both_players(catalogue, (game.score1, game.score2), game.decision)[side]
        )

    def explain_pairing_reason(line: RoundsPageRow) -> str:
        reason = line.game.reason
        return catalogue.explain_pairing(reason.code, dict(reason.facts)) if reason else ""

    def format_incident(incident: IncidentRow | JuryDecisionRow) -> str:
        if not isinstance(incident, IncidentRow):
            return catalogue.translate_code(incident.kind) + (f" −{incident.points}" if incident.points else "")
        if incident.entry.kind is IncidentKind.EXTRA_TIME:
            return f"+{incident.time}"
        return f"{catalogue.translate_code(incident.entry.kind)} {incident.time}".strip()

    def format_incidents(line: RoundsPageRow) -> str:
        return " · ".join(map(format_incident, line.incidents))

    def format_spread(line: RoundsPageRow) -> str:
        spread = line.game.spread
        return "" if line.is_hidden or spread is None else catalogue.format_signed_value(spread)

    return {
        "notes": format_incidents,
        "spread": format_spread,
        "first_name": lambda line: format_name(line, line.game.first, line.game.first_name),
        "second_name": format_opponents,
        "second": lambda line: str(line.game.second or ""),
        "first": lambda line: (
            "" if line.group and not line.game.second and len(line.group.seats) > 1 else str(line.game.first)
        ),
        "score1": partial(format_score, side=0),
        "score2": partial(format_score, side=1),
        "reason": explain_pairing_reason,
        "status": lambda line: (
            catalogue.text("not saved") if line.has_unsaved_entries else catalogue.translate_code(line.game.status)
        ),
    }


def make_score_cell_editor_formatters() -> Mapping[str, Callable[[RoundsPageRow], str]]:
    """Return one function for each score column. A function makes the text of the cell editor.

    The text is the typed points or, if no points are typed, the points before rulings.
    """

    def format_points(line: RoundsPageRow, side: int) -> str:
        return line.typed_scores[side] or (
            str(line.points_before_rulings[side]) if line.points_before_rulings else ""
        )

    return {"score1": partial(format_points, side=0), "score2": partial(format_points, side=1)}


def find_player_of_cell(index: TournamentIndex, key: str, column: str) -> PlayerId | None:
    """Return the player of a cell, or the first player of the game if the cell names none."""
    game: Game | None = index.tournament.games.get(GameId(key))
    seat = index.tournament.seats.get(SeatId(key))
    if seat is not None:
        players = [table_seat.player for table_seat in index.seats(seat.round) if table_seat.table == seat.table]
        seat_index = {"second": 1, "second_name": 2, "score2": 2}.get(column, 0)
        return players[min(seat_index, len(players) - 1)]
    if game is None:
        return None
    return game.second if column in SECOND_PLAYER_COLUMNS else game.first


def format_time_penalty_codes(result: Result | None) -> Iterator[str]:
    """Yield a result's time penalties as typed codes: "t1 1:15" is player 1's overtime, "t1" a loss on time."""
    for side, code in enumerate(("t1", "t2")):
        if result is not None and result.overtime and result.overtime[side]:
            yield f"{code} {format_clock(result.overtime[side])}"
    if result is not None and result.flag is not None:
        yield f"t{result.flag.value}"


def parse_points(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 6 else None  # noqa: PLR2004


_PLAYER_COLUMNS: tuple[Column[RoundsPageRow], ...] = (
    Column("first", ColumnKind.NUMBER, attrgetter("game.first")),
    Column("first_name", ColumnKind.NAME, attrgetter("game.first_name")),
    Column("second", ColumnKind.NUMBER, attrgetter("game.second")),
    Column("second_name", ColumnKind.NAME, attrgetter("game.second_name")),
)
_DRAFT_COLUMNS: tuple[Column[RoundsPageRow], ...] = (
    Column("table", ColumnKind.NUMBER, attrgetter("game.table"), editable=True),
    *_PLAYER_COLUMNS,
    Column("repeat", ColumnKind.NUMBER, lambda line: line.game.repeat or None),
    Column("locked", ColumnKind.MARK, attrgetter("game.locked")),
    Column("reason", ColumnKind.TEXT, lambda line: line.game.reason and line.game.reason.code),
)
_RESULT_COLUMNS: tuple[Column[RoundsPageRow], ...] = (
    Column("table", ColumnKind.NUMBER, attrgetter("game.table")),
    *_PLAYER_COLUMNS,
    Column("score1", ColumnKind.NUMBER, attrgetter("game.score1"), editable=True),
    Column("score2", ColumnKind.NUMBER, attrgetter("game.score2"), editable=True),
    Column("spread", ColumnKind.SIGNED, attrgetter("game.spread")),
    Column("status", ColumnKind.CODE, attrgetter("game.status")),
    Column("notes", ColumnKind.TEXT, lambda line: len(line.incidents) or None),
)
_START_COLUMN: Column[RoundsPageRow] = Column("start", ColumnKind.CODE, attrgetter("game.start"))


class RoundNoteMaker(Struct, frozen=True):
    """Makes the notes about a round, as rich text."""

    index: TournamentIndex
    catalogue: Catalogue
    colour: Callable[[str], str]  # returns the colour code of a tone such as "amber"

    def describe_draft(self, item: Round, assumed_draws_text: str = "", *, read_only: bool = False) -> str:
        """Describe a draft (unpublished pairing). `read_only` omits hints.

        `assumed_draws_text` is rich text on unfinished games that count as draws.
        """
        catalogue, index = self.catalogue, self.index
        heading = catalogue.text("Draft: players cannot see this round yet. Publish the round when it is right.")
        if read_only:
            heading = catalogue.text("Draft: players cannot see this round yet.")
        locked_count = sum(game.locked for game in index.games(item.id))
        drawbacks = " · ".join(pairing_sentences.list_pairing_drawbacks(index, item, catalogue))
        lines = [_make_bold(heading)]
        lines += [escape(capitalize_first(drawbacks))] if drawbacks else []
        lines += [assumed_draws_text] if assumed_draws_text else []
        ties = [
            problem
            for problem in find_division_problems(index, index.get_division_of_round(item.id))
            if problem.code == "tie-at-cut"
        ]
        lines += [
            self._colour_text("amber", escape(catalogue.describe_problem(problem.code, problem.facts)))
            for problem in ties
        ]
        relaxed_rules = pairing_sentences.list_relaxed_rules(item, catalogue)
        if relaxed_rules:
            message = catalogue.text("Drawbacks of this pairing: {what}", what=", ".join(relaxed_rules))
            lines.append(self._colour_text("amber", escape(message)))
        if locked_count:
            lines.append(
                escape(
                    catalogue.plural(
                        "{n} table is kept when the round is paired again.",
                        "{n} tables are kept when the round is paired again.",
                        locked_count,
                    )
                )
            )
        if not read_only:
            hint = catalogue.text(
                "Press Space to pick a player, or drag one player onto another to see what would change."
            )
            lines.append(self._colour_text("muted", escape(hint)))
        return "<br>".join(lines)

    def explain_pairing(self, game: Game) -> str:
        catalogue = self.catalogue
        if game.reason is None:
            return ""
        drawbacks = pairing_sentences.describe_drawbacks(game.reason.cost, catalogue)
        explanation = catalogue.explain_pairing(game.reason.code, dict(game.reason.facts))
        heading = catalogue.text("Table {table}:", table=game.table)
        return _make_bold(heading) + " " + escape(explanation) + (" · " + escape(drawbacks) if drawbacks else "")

    def describe_group_table(self, key: str) -> str:
        seat = self.index.tournament.seats.get(SeatId(key))
        if seat is None:
            return ""
        item = self.index.tournament.rounds[seat.round]
        row = next(row for row in make_table_of_group_tables(self.index, item).rows if row.table == seat.table)
        explanation = self.catalogue.explain_pairing(row.reason.code, dict(row.reason.facts)) if row.reason else ""
        heading = _make_bold(self.catalogue.text("Table {table}:", table=row.table))
        values = format_entered_results_as_html(self.catalogue, row) if row.status != "open" else ""
        return heading + " " + " · ".join(filter(None, (escape(explanation), values)))

    def describe_other_matches_in_round_of_final(self, item: Round) -> str:
        return escape(format_other_matches_in_final_round(self.catalogue, self.index, item))

    def describe_break_up_game_points(self, item: Round) -> str:
        return "<br>".join(map(escape, describe_points_of_break_up_games(self.catalogue, self.index, item)))

    def describe_byes(self, item: Round) -> str:
        catalogue, players = self.catalogue, map_players_with_distinct_names(self.index)
        entries = []
        rows = rounds.make_bye_table(self.index, item).rows
        for bye, row in zip(self.index.byes(item.id), rows, strict=True):
            value_text = f"{catalogue.format_points(row.points)}, {catalogue.format_signed_value(row.spread)}"
            if row.awarded is not None:
                value_text += ", " + catalogue.plural("{n} point", "{n} points", row.awarded)
            name = _make_link(f"player:{bye.player}", players[bye.player].name)
            explanation = catalogue.explain_pairing(bye.reason.code, dict(bye.reason.facts)) if bye.reason else ""
            details = f"{catalogue.translate_code(row.kind)}: {value_text}" + (
                f"; {explanation}" if explanation else ""
            )
            entries.append(f"{name} ({escape(details)})")
        results = [self.index.get_result(game.id) for game in self.index.games(item.id)]
        forfeited_games = [
            self.index.tournament.games[result.id] for result in results if result is not None and result.forfeit
        ]
        absent_players = {player for game in forfeited_games for player in (game.first, game.second)}
        entries += [
            f"{_make_link(f'player:{row.player_id}', row.name)} ({escape(catalogue.translate_code(row.kind))}: "
            f"{escape(catalogue.plural('{n} point', '{n} points', row.awarded))})"
            for row in rounds.make_bye_and_forfeit_points_table(
                self.index, self.index.get_division_of_round(item.id), absent_players
            ).rows
            if row.round == item.number and isinstance(row.kind, GameSide) and (row.own or row.awarded)
        ]
        return _make_bold(catalogue.text("Without a game:")) + " " + " · ".join(entries) if entries else ""

    def describe_unpaired_players(self, item: Round) -> str:
        players = map_players_with_distinct_names(self.index)
        names = [
            _make_link(f"player:{player}", players[player].name)
            for player in list_unpaired_players(self.index, item)
        ]
        if not names:
            return ""
        heading = _make_bold(self.catalogue.text("Waiting to be paired:"))
        return self._colour_text("red", heading) + " " + " · ".join(names)

    def describe_slip_problems(self, item: Round) -> str:
        catalogue = self.catalogue
        problems = tuple(find_slip_problems(self.index, item))
        texts = [escape(catalogue.describe_problem(problem.code, problem.facts)) for problem in problems]
        help_sentences = {
            catalogue.text(
                "Where the entries differ, type the correct result, or press Ctrl+Shift+R to reject them."
            )
            if problem.code == "slips-differ"
            else catalogue.text(
                "Ctrl+Shift+T accepts the players’ entries at the selected table, Ctrl+Shift+R rejects them."
            )
            for problem in problems
        }
        return "<br>".join(
            (
                *(self._colour_text("amber", text) for text in texts),
                *(self._colour_text("muted", escape(sentence)) for sentence in sorted(help_sentences)),
            )
        )

    def describe_last_result_check(self, game: Game, history: Sequence[Step]) -> str:
        catalogue, step = self.catalogue, find_step_that_checked_result(self.index, game, history)
        if step is None:
            return ""
        station = find_station_role(step.station)
        author = str(
            step.facts.get("author")
            or (catalogue.translate_code(station) if isinstance(station, Role) else station)
        )
        time_text = catalogue.format_utc_as_local_time(step.at)
        sentence = {
            "check-result": catalogue.text("checked by {who}, {when}", who=author, when=time_text),
            "certify-result": catalogue.text("certified by {who}, {when}", who=author, when=time_text),
        }[step.label]
        return _make_bold(catalogue.text("Table {table}:", table=game.table)) + " " + escape(sentence)

    def _colour_text(self, tone: str, text: str) -> str:
        return f'<span style="color:{self.colour(tone)}">{text}</span>'


def _make_bold(text: str) -> str:
    return "<b>" + escape(text) + "</b>"


def _make_link(target: str, text: str) -> str:
    return f'<a href="{escape(target)}" style="text-decoration:none">{escape(text)}</a>'
