"""Content of the Rounds page: the games as a table, and notes as rich text with links."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from operator import attrgetter

from msgspec import Struct

from tdapp.domain.game_results import compute_points_before_rulings
from tdapp.domain.index import Index
from tdapp.domain.journal import Step
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.model import (
    Forfeit,
    Game,
    GameId,
    PlayerId,
    Result,
    ResultState,
    Round,
    RoundState,
    SeatId,
    Start,
)
from tdapp.domain.problems import find_problems, find_slip_problems
from tdapp.domain.roles import Role
from tdapp.domain.round_clock import format_clock
from tdapp.domain.slip import find_slip_entry_pair
from tdapp.domain.tables import jury_log, rounds
from tdapp.domain.tables.groups import GroupRow, make_group_table
from tdapp.domain.tables.history import find_newest_step, find_station_role
from tdapp.domain.tables.jury_log import IncidentRow, SanctionRow
from tdapp.domain.tables.rounds import PairingRow
from tdapp.domain.tables.table import Column, ColumnKind, Table
from tdapp.i18n import pairing_sentences
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.group_preview import describe_seat_values
from tdapp.i18n.lists import list_break_ups, name_other_matches
from tdapp.i18n.phrases import capitalize_first, describe_solo_player
from tdapp.i18n.scores import format_side_scores
from tdapp.pairing import list_unpaired_players

SECOND = frozenset({"second", "second_name", "score2"})  # columns of the second player
HIDDEN = "•••"  # placeholder for a score typed twice
Halves = Mapping[str, tuple[str, str]]
_MOST_NAMED = 4  # players of a group table named in its row
_CROWDED = 3  # scores in one cell without spaces
_STEPS: Mapping[ResultState, str] = {ResultState.CHECKED: "check-result", ResultState.FINAL: "certify-result"}


class RoundTableRow(Struct, frozen=True):
    """A row of the Rounds page: a game of two, or a group table."""

    key: str
    game: PairingRow
    made: tuple[int, int] | None = None  # points of both players before adjustments
    typed: tuple[str, str] = ("", "")
    picked: tuple[int, ...] = ()
    happened: tuple[IncidentRow | SanctionRow, ...] = ()
    hidden: bool = False  # the result is not shown because it is unchecked
    waits: bool = False  # results sent by the players wait for the director
    unsaved: bool = False  # the typed entries cannot be saved
    group: GroupRow | None = None  # the group table, None for a game of two


def make_round_table(
    index: Index,
    item: Round,
    *,
    typed: Halves,
    picked: Iterable[int],
    hide_unchecked: bool = False,
    unsaved: Collection[str] = (),
) -> Table[RoundTableRow]:
    """Return the games of a round.

    `typed` has points that are not saved yet, by game. `picked` are the numbers of selected players.
    With `hide_unchecked` unchecked results are hidden. `unsaved` has the ids of games with entries that cannot be
    saved.
    """
    chosen = frozenset(picked)
    rows = rounds.list_pairings_with_distinct_names(index, item)
    lines = tuple(
        RoundTableRow(
            row.key,
            row,
            _find_points_before_adjustments(index, row),
            typed.get(row.key, ("", "")),
            tuple(sorted(chosen & {row.first, row.second})),
            _list_incidents(index, item, row),
            hidden=hide_unchecked and row.status == "entered",
            waits=find_slip_entry_pair(index, index.tournament.games[GameId(row.key)]) is not None,
            unsaved=row.key in unsaved,
        )
        for row in rows
    )
    groups = make_group_table(index, item).rows
    if groups:
        lines = tuple(sorted((*lines, *(_make_group_line(row, chosen) for row in groups)), key=_get_table_number))
    if item.state is RoundState.DRAFT:
        return Table("draft", _DRAFT, lines)
    drawn = any(row.start is not Start.ASSIGNED for row in rows)
    return Table("pairings", (*_RESULTS[:5], _START, *_RESULTS[5:]) if drawn else _RESULTS, lines)


def _get_table_number(line: RoundTableRow) -> int:
    return line.game.table


def _make_group_line(row: GroupRow, chosen: frozenset[int]) -> RoundTableRow:
    """Return the row of a group table. The first player is in the first column, all others in the second."""
    first, *others = row.seats
    shown = others if len(others) < _MOST_NAMED else []
    entered = sum(seat.entered for seat in row.seats)
    game = PairingRow(
        key=row.key,
        table=row.table,
        first=first.player,
        second=others[0].player if shown else 0,
        first_name=first.name if shown or not others else "",
        second_name=" · ".join(seat.name for seat in shown),
        score1=first.points if shown or not others else entered,
        score2=None,
        spread=None,
        forfeit=None,
        status=row.status,
        start=Start.ASSIGNED,
        repeat=dict(row.reason.cost).get("repeats", 0) if row.reason else 0,
        locked=False,
        reason=row.reason,
    )
    picked = tuple(sorted(chosen & {seat.player for seat in row.seats}))
    return RoundTableRow(row.key, game, picked=picked, group=row, waits=row.needs_decision)


def _find_points_before_adjustments(index: Index, row: PairingRow) -> tuple[int, int] | None:
    result = index.result(GameId(row.key))
    return compute_points_before_rulings(result) if result is not None else None


def _list_incidents(index: Index, item: Round, row: PairingRow) -> tuple[IncidentRow | SanctionRow, ...]:
    game = index.tournament.games[GameId(row.key)]
    punished = (
        one for player in (game.first, game.second) for one in jury_log.list_player_sanctions(index, player)
    )
    return (*jury_log.list_game_incidents(index, game.id), *(one for one in punished if one.round == item.number))


def get_row_tone(line: RoundTableRow) -> str:
    if line.picked:
        return "accent"
    reason = line.game.reason if line.game.status == "open" else None
    repeats = reason is not None and dict(reason.cost).get("repeats")
    return "amber" if any(line.typed) or line.waits or line.unsaved or repeats else ""


def is_cell_of_winner(line: RoundTableRow, column: str) -> bool:
    decision = None if line.hidden else line.game.decision
    won = {1: ("first_name", "score1"), 2: ("second_name", "score2")}.get(decision.side, ()) if decision else ()
    return column in won


def make_cell_formatters(catalogue: Catalogue) -> Mapping[str, Callable[[RoundTableRow], str]]:
    """Return, by column, functions for cell texts that differ from the plain value."""

    def format_name(line: RoundTableRow, number: int, own: str) -> str:
        if line.group is not None and not own and number == line.game.first:
            return catalogue.plural("{n} player at one table", "{n} players at one table", len(line.group.seats))
        return f"● {own}" if number in line.picked else own

    def format_other_players(line: RoundTableRow) -> str:
        if line.group is None:
            return format_name(line, line.game.second, line.game.second_name)
        if len(line.group.seats) == 1:
            return " · ".join(describe_solo_player(catalogue, line.group.seats[0]))
        seats = line.group.seats[1:] if len(line.group.seats) <= _MOST_NAMED else ()
        return " · ".join(format_name(line, seat.player, seat.name) for seat in seats)

    def format_group_score(group: GroupRow, place: int) -> str:
        if len(group.seats) > _MOST_NAMED:
            return str(sum(seat.entered for seat in group.seats)) if place == 0 else f"/ {len(group.seats)}"
        seats = group.seats[:1] if place == 0 else group.seats[1:]
        left = catalogue.text("has left")
        shown = [left if seat.points is None else f"{seat.points}*" if seat.left else str(seat.points)
                 for seat in seats]  # fmt: skip
        between = " · " if len(shown) < _CROWDED else "·"
        return between.join(shown) if any(seat.entered for seat in seats) else ""

    def format_score(line: RoundTableRow, place: int) -> str:
        if line.hidden:
            return HIDDEN
        game = line.game
        if line.group is not None:
            return format_group_score(line.group, place)
        return line.typed[place] or format_side_scores(catalogue, (game.score1, game.score2), game.decision)[place]

    def explain_reason(line: RoundTableRow) -> str:
        given = line.game.reason
        return catalogue.explain_pairing(given.code, dict(given.facts)) if given else ""

    def format_incident(incident: IncidentRow | SanctionRow) -> str:
        if not isinstance(incident, IncidentRow):
            return catalogue.code(incident.kind) + (f" −{incident.points}" if incident.points else "")
        if incident.entry.kind is IncidentKind.EXTRA_TIME:
            return f"+{incident.time}"
        return f"{catalogue.code(incident.entry.kind)} {incident.time}".strip()

    def format_incidents(line: RoundTableRow) -> str:
        return " · ".join(map(format_incident, line.happened))

    def format_spread(line: RoundTableRow) -> str:
        own = line.game.spread
        return "" if line.hidden or own is None else catalogue.format_signed_value(own)

    return {
        "notes": format_incidents,
        "spread": format_spread,
        "first_name": lambda line: format_name(line, line.game.first, line.game.first_name),
        "second_name": format_other_players,
        "second": lambda line: str(line.game.second or ""),
        "first": lambda line: (
            "" if line.group and not line.game.second and len(line.group.seats) > 1 else str(line.game.first)
        ),
        "score1": partial(format_score, place=0),
        "score2": partial(format_score, place=1),
        "reason": explain_reason,
        "status": lambda line: catalogue.text("not saved") if line.unsaved else catalogue.code(line.game.status),
    }


def make_edit_formatters() -> Mapping[str, Callable[[RoundTableRow], str]]:
    """Return, by column, functions for the text to edit: points before adjustments."""

    def format_points(line: RoundTableRow, place: int) -> str:
        return line.typed[place] or (str(line.made[place]) if line.made else "")

    return {"score1": partial(format_points, place=0), "score2": partial(format_points, place=1)}


def find_cell_player(index: Index, key: str, column: str) -> PlayerId | None:
    """Return the player of a cell, or the first player if the cell is about the whole game."""
    game: Game | None = index.tournament.games.get(GameId(key))
    seat = index.tournament.seats.get(SeatId(key))
    if seat is not None:
        there = [one.player for one in index.seats(seat.round) if one.table == seat.table]
        place = {"second": 1, "second_name": 2, "score2": 2}.get(column, 0)
        return there[min(place, len(there) - 1)]
    if game is None:
        return None
    return game.second if column in SECOND else game.first


def list_overtime_entries(result: Result | None) -> Iterator[str]:
    """Yield overtime and flag of a result as typed, such as t1 1:15."""
    for at, who in enumerate(("t1", "t2")):
        if result is not None and result.overtime and result.overtime[at]:
            yield f"{who} {format_clock(result.overtime[at])}"
    if result is not None and result.flag is not None:
        yield f"t{result.flag.value}"


def parse_points(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 6 else None  # noqa: PLR2004


_PLAYERS: tuple[Column[RoundTableRow], ...] = (
    Column("first", ColumnKind.NUMBER, attrgetter("game.first")),
    Column("first_name", ColumnKind.NAME, attrgetter("game.first_name")),
    Column("second", ColumnKind.NUMBER, attrgetter("game.second")),
    Column("second_name", ColumnKind.NAME, attrgetter("game.second_name")),
)
_DRAFT: tuple[Column[RoundTableRow], ...] = (
    Column("table", ColumnKind.NUMBER, attrgetter("game.table"), editable=True),
    *_PLAYERS,
    Column("repeat", ColumnKind.NUMBER, lambda line: line.game.repeat or None),
    Column("locked", ColumnKind.MARK, attrgetter("game.locked")),
    Column("reason", ColumnKind.TEXT, lambda line: line.game.reason and line.game.reason.code),
)
_RESULTS: tuple[Column[RoundTableRow], ...] = (
    Column("table", ColumnKind.NUMBER, attrgetter("game.table")),
    *_PLAYERS,
    Column("score1", ColumnKind.NUMBER, attrgetter("game.score1"), editable=True),
    Column("score2", ColumnKind.NUMBER, attrgetter("game.score2"), editable=True),
    Column("spread", ColumnKind.SIGNED, attrgetter("game.spread")),
    Column("status", ColumnKind.CODE, attrgetter("game.status")),
    Column("notes", ColumnKind.TEXT, lambda line: len(line.happened) or None),
)
_START: Column[RoundTableRow] = Column("start", ColumnKind.CODE, attrgetter("game.start"))


class RoundNotes(Struct, frozen=True):
    """The sentences next to a round, as rich text."""

    index: Index
    catalogue: Catalogue
    colour: Callable[[str], str]  # returns the colour code of a tone such as "amber"

    def describe_draft(self, item: Round, assumed: str = "", *, read_only: bool = False) -> str:
        """Describe a draft. `assumed` is rich text about assumed results."""
        catalogue, index = self.catalogue, self.index
        head = catalogue.text("Draft: players cannot see this round yet. Publish the round when it is right.")
        if read_only:
            head = catalogue.text("Draft: players cannot see this round yet.")
        kept = sum(game.locked for game in index.games(item.id))
        cost = " · ".join(pairing_sentences.list_pairing_drawbacks(index, item, catalogue))
        lines = [_make_bold(head)]
        lines += [escape(capitalize_first(cost))] if cost else []
        lines += [assumed] if assumed else []
        ties = [one for one in find_problems(index, index.division_of(item.id)) if one.code == "tie-at-cut"]
        lines += [self._colour_text("amber", escape(catalogue.problem(one.code, one.facts))) for one in ties]
        gave = pairing_sentences.list_relaxed_rules(item, catalogue)
        if gave:
            said = catalogue.text("Shortcomings of this pairing: {what}", what=", ".join(gave))
            lines.append(self._colour_text("amber", escape(said)))
        if kept:
            lines.append(
                escape(
                    catalogue.plural(
                        "{n} table is kept when the round is paired again.",
                        "{n} tables are kept when the round is paired again.",
                        kept,
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
        cost = pairing_sentences.describe_drawbacks(game.reason.cost, catalogue)
        said = catalogue.explain_pairing(game.reason.code, dict(game.reason.facts))
        head = catalogue.text("Table {table}:", table=game.table)
        return _make_bold(head) + " " + escape(said) + (" · " + escape(cost) if cost else "")

    def describe_group_table(self, key: str) -> str:
        seat = self.index.tournament.seats.get(SeatId(key))
        if seat is None:
            return ""
        item = self.index.tournament.rounds[seat.round]
        row = next(row for row in make_group_table(self.index, item).rows if row.table == seat.table)
        said = self.catalogue.explain_pairing(row.reason.code, dict(row.reason.facts)) if row.reason else ""
        head = _make_bold(self.catalogue.text("Table {table}:", table=row.table))
        values = describe_seat_values(self.catalogue, row) if row.status != "open" else ""
        return head + " " + " · ".join(filter(None, (escape(said), values)))

    def describe_other_matches(self, item: Round) -> str:
        return escape(name_other_matches(self.catalogue, self.index, item))

    def describe_break_ups(self, item: Round) -> str:
        return "<br>".join(map(escape, list_break_ups(self.catalogue, self.index, item)))

    def describe_byes(self, item: Round) -> str:
        catalogue, players = self.catalogue, self.index.tournament.players
        said = []
        rows = rounds.make_bye_table(self.index, item).rows
        for bye, row in zip(self.index.byes(item.id), rows, strict=True):
            worth = f"{catalogue.format_points(row.points)}, {catalogue.format_signed_value(row.spread)}"
            if row.awarded is not None:
                worth += ", " + catalogue.plural("{n} point", "{n} points", row.awarded)
            name = _make_link(f"player:{bye.player}", players[bye.player].name)
            why = catalogue.explain_pairing(bye.reason.code, dict(bye.reason.facts)) if bye.reason else ""
            said.append(
                f"{name} ({escape(': '.join((catalogue.code(row.kind), worth)))}{escape(why and '; ' + why)})"
            )
        results = [self.index.result(game.id) for game in self.index.games(item.id)]
        missed = [self.index.tournament.games[one.id] for one in results if one is not None and one.forfeit]
        there = {player for game in missed for player in (game.first, game.second)}
        said += [
            f"{_make_link(f'player:{row.player_id}', row.name)} ({escape(catalogue.code(row.kind))}: "
            f"{escape(catalogue.plural('{n} point', '{n} points', row.awarded))})"
            for row in rounds.make_award_table(self.index, self.index.division_of(item.id), there).rows
            if row.round == item.number and isinstance(row.kind, Forfeit) and (row.own or row.awarded)
        ]
        return _make_bold(catalogue.text("Without a game:")) + " " + " · ".join(said) if said else ""

    def describe_waiting_players(self, item: Round) -> str:
        players = self.index.tournament.players
        names = [_make_link(f"player:{one}", players[one].name) for one in list_unpaired_players(self.index, item)]
        if not names:
            return ""
        head = _make_bold(self.catalogue.text("Waiting to be paired:"))
        return self._colour_text("red", head) + " " + " · ".join(names)

    def describe_phone_entries(self, item: Round) -> str:
        catalogue = self.catalogue
        found = [escape(catalogue.problem(one.code, one.facts)) for one in find_slip_problems(self.index, item)]
        if not found:
            return ""
        keys = catalogue.text(
            "Ctrl+Shift+T accepts the players’ entries at the selected table, Ctrl+Shift+R rejects them."
        )
        return "<br>".join(
            (*(self._colour_text("amber", one) for one in found), self._colour_text("muted", escape(keys)))
        )

    def describe_last_check(self, game: Game, history: Sequence[Step]) -> str:
        catalogue, result = self.catalogue, self.index.result(game.id)
        if result is None or result.state not in _STEPS:
            return ""
        tournament = self.index.tournament
        first, second = (tournament.players[one].name for one in (game.first, game.second))
        facts = {"round": tournament.rounds[game.round].number, "first_name": first, "second_name": second}
        step = find_newest_step(history, _STEPS[result.state], facts)
        if step is None:
            return ""
        station = find_station_role(step.station)
        who = str(step.facts.get("author") or (catalogue.code(station) if isinstance(station, Role) else station))
        when = catalogue.format_utc_as_local_time(step.at)
        said = {
            ResultState.CHECKED: catalogue.text("checked by {who}, {when}", who=who, when=when),
            ResultState.FINAL: catalogue.text("certified by {who}, {when}", who=who, when=when),
        }[result.state]
        return _make_bold(catalogue.text("Table {table}:", table=game.table)) + " " + escape(said)

    def _colour_text(self, tone: str, text: str) -> str:
        return f'<span style="color:{self.colour(tone)}">{text}</span>'


def _make_bold(text: str) -> str:
    return "<b>" + escape(text) + "</b>"


def _make_link(target: str, text: str) -> str:
    return f'<a href="{escape(target)}" style="text-decoration:none">{escape(text)}</a>'
