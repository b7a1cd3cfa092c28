"""Entry of results by players on their phones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError, UserError
from tdapp.domain.model import Game, GameId, PlayerId, Seat, SeatId, StartDecision
from tdapp.domain.outcome import find_decision_from_result
from tdapp.domain.roles import Role
from tdapp.domain.slip import (
    CODE_LENGTH,
    SlipEntryPair,
    find_agreed_group_points,
    find_slips_of_both_players,
    format_code_with_hyphen,
    make_player_code,
    normalise_typed_code,
)
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import format_round_and_table
from tdapp.i18n.scores import format_scores_of_both_players
from tdapp.web.shown_tournament import ShownTournament

_POINTS = re.compile(r"-?[0-9]{1,4}")
MAX_CODE_LENGTH = 40  # as typed
FIELDS = frozenset({"code", "own", "other", "third", "fourth", "started", "sure"})


class ResultFormFields(Struct, frozen=True):
    """The typed fields of the form for a result."""

    code: str = ""
    own: str = ""  # the sender's points; at a table of three or four: the first points on the slip
    other: str = ""
    started: str = ""  # "me", "opponent" or ""
    sure: str = ""  # unusual points about which the page has already asked
    third: str = ""
    fourth: str = ""

    @property
    def typed_points(self) -> str:
        return " ".join(getattr(self, name) for name in _POINT_FIELDS).rstrip()


_POINT_FIELDS = ("own", "other", "third", "fourth")


class PageNotice(Struct, frozen=True):
    """A message on a page."""

    text: str
    tone: str = "plain"  # "plain", "green", "amber" or "red"


class TwoPlayerSlip(Struct, frozen=True):
    """Result slip of a player in a two-player game."""

    game: Game
    player: PlayerId
    opponent: PlayerId
    player_name: str  # public name
    opponent_name: str  # public name


class MultiPlayerSlip(Struct, frozen=True):
    """Result slip of a player at a table with three or four players."""

    seats: tuple[Seat, ...]
    player: PlayerId
    names: tuple[str, ...]  # public names in the order of the seats

    @property
    def game(self) -> Seat:
        """The first seat, used in place of a game. Its id identifies the table."""
        return self.seats[0]

    @property
    def own_seat(self) -> Seat:
        return next(seat for seat in self.seats if seat.player == self.player)


AnySlip = TwoPlayerSlip | MultiPlayerSlip


def find_slip_by_code(state: ShownTournament, code: str) -> AnySlip | None:
    entry = (
        state.game_and_player_ids_by_slip_code.get(normalise_typed_code(code))
        if len(code) <= MAX_CODE_LENGTH
        else None
    )
    if entry is None:
        return None
    (row_id, player), names, rows = entry, state.public_names, state.index.tournament
    seat = rows.seats.get(SeatId(row_id))
    if seat is not None:
        seats = tuple(other_seat for other_seat in state.index.seats(seat.round) if other_seat.table == seat.table)
        return MultiPlayerSlip(seats, player, tuple(names[seat.player] for seat in seats))
    game = rows.games[GameId(row_id)]
    opponent = game.get_opponent(player)
    return TwoPlayerSlip(game, player, opponent, names[player], names[opponent])


def find_slip_code_of_open_game(state: ShownTournament, player: PlayerId) -> str:
    """Return the slip code of a player's newest game, or "" if that game has a result."""
    codes = [code for code, (_, owner) in state.game_and_player_ids_by_slip_code.items() if owner == player]
    return next((code for code in codes[-1:] if _is_slip_open(state, find_slip_by_code(state, code))), "")


def _is_slip_open(state: ShownTournament, slip: AnySlip | None) -> bool:
    if isinstance(slip, MultiPlayerSlip):
        return slip.own_seat.state is None
    return slip is not None and state.index.get_result(slip.game.id) is None


def make_command_from_slip_form(slip: AnySlip, form: ResultFormFields, device: str) -> partial[Tournament]:
    if isinstance(slip, MultiPlayerSlip):
        points = _parse_group_points(slip, form)
        if points is None:
            raise CommandError("points-missing", table=slip.game.table)
        return partial(
            commands.send_points, round=slip.game.round, table=slip.game.table, player=slip.player, points=points,
            device=device,
        )  # fmt: skip
    if not (_POINTS.fullmatch(form.own) and _POINTS.fullmatch(form.other)):
        raise CommandError("points-missing", table=slip.game.table)
    started = {"me": True, "opponent": False}.get(form.started)
    return partial(
        commands.enter_slip,
        game=slip.game.id,
        player=slip.player,
        own=int(form.own),
        other=int(form.other),
        started=started,
        device=device,
    )


def _parse_group_points(slip: MultiPlayerSlip, form: ResultFormFields) -> tuple[int, ...] | None:
    values = [getattr(form, name) for name in _POINT_FIELDS[: len(slip.seats)]]
    return tuple(map(int, values)) if all(map(_POINTS.fullmatch, values)) else None


def _ask_about_group_points(
    slip: MultiPlayerSlip, form: ResultFormFields, catalogue: Catalogue
) -> PageNotice | None:
    points = _parse_group_points(slip, form)
    if points is None or form.sure == form.typed_points or (min(points) >= 0 and max(points) > 0):
        return None
    text = catalogue.text(
        "Is {points} right? If so, press “Enter” again.", points=_format_points_with_dashes(points)
    )
    return PageNotice(text, "amber")


def _format_points_with_dashes(points: Iterable[int]) -> str:
    return " – ".join(map(str, points))


def ask_about_unlikely_points(slip: AnySlip, form: ResultFormFields, catalogue: Catalogue) -> PageNotice | None:
    """Return a question about possible but unlikely points: 0 – 0, or less than 0."""
    if isinstance(slip, MultiPlayerSlip):
        return _ask_about_group_points(slip, form, catalogue)
    if not (_POINTS.fullmatch(form.own) and _POINTS.fullmatch(form.other)) or form.sure == form.typed_points:
        return None
    own_points, opponent_points = int(form.own), int(form.other)
    if min(own_points, opponent_points) >= 0 and max(own_points, opponent_points) > 0:
        return None
    first, second = (
        (own_points, opponent_points) if slip.player == slip.game.first else (opponent_points, own_points)
    )
    text = catalogue.text("Is {own} – {other} right? If so, press “Enter” again.", own=first, other=second)
    return PageNotice(text, "amber")


def explain_result_entry_error(error: UserError, catalogue: Catalogue) -> str:
    if isinstance(error, CommandError) and error.code == "implausible-points":
        return catalogue.text(
            "{points} is not between {lowest} and {highest}. Type it again, or bring your slip to the director.",
            **error.facts,
        )
    return catalogue.describe_error(error)


def _describe_winner(slip: TwoPlayerSlip, own_points: int, opponent_points: int, catalogue: Catalogue) -> str:
    name = slip.player_name if own_points > opponent_points else slip.opponent_name
    if own_points == opponent_points:
        return catalogue.text("It is a tie.")
    return catalogue.text("{player} wins by {points}.", player=name, points=abs(own_points - opponent_points))


def _describe_group_state(slip: MultiPlayerSlip, catalogue: Catalogue) -> PageNotice | None:
    text, own_seat, agreed_points = catalogue.text, slip.own_seat, find_agreed_group_points(slip.seats)
    if own_seat.state is not None:
        texts = ("–" if seat.points is None else str(seat.points) for seat in slip.seats)
        points = ", ".join(f"{name} {number}" for name, number in zip(slip.names, texts, strict=True))
        return PageNotice(
            text("The result of table {table} is in: {points}.", table=own_seat.table, points=points), "green"
        )
    if not own_seat.sent:
        return None
    message = text("You have entered {points}.", points=_format_points_with_dashes(own_seat.sent))
    if own_seat.sent == agreed_points:  # equal but doubtful
        message = text("Two entries agree: {points}.", points=_format_points_with_dashes(agreed_points))
        return PageNotice(
            f"{message} {text('Show your slip at the desk: the desk must confirm this result.')}", "amber"
        )
    pairs = zip(slip.names, slip.seats, strict=True)
    differing_names = [name for name, seat in pairs if seat.sent not in {(), own_seat.sent}]
    if differing_names:
        question = text(
            "{opponent} has entered something else. Look at your slip together and enter the result again, or "
                "go to the director.", opponent=differing_names[0],
        )  # fmt: skip
        return PageNotice(question, "red")
    return PageNotice(f"{message} {text('Now another player at your table must enter the same result.')}", "amber")


def describe_result_or_sent_points(
    state: ShownTournament, slip: AnySlip, catalogue: Catalogue
) -> PageNotice | None:
    """Return a notice about the result of a table, or about the points that its players have sent.

    Without a result, return None if the player of `slip` has sent nothing.
    """
    if isinstance(slip, MultiPlayerSlip):
        return _describe_group_state(slip, catalogue)
    return _describe_game_state(state, slip, catalogue)


def _describe_game_state(
    state: ShownTournament, game_slip: TwoPlayerSlip, catalogue: Catalogue
) -> PageNotice | None:
    text, game, index = catalogue.text, game_slip.game, state.index
    result = index.get_result(game.id)
    if result is not None:
        if result.first is None or result.second is None:
            return PageNotice(text("The result of table {table} is in.", table=game.table), "green")
        own_score, opponent_score = format_scores_of_both_players(
            catalogue, (result.first, result.second), find_decision_from_result(index, game, result)
        )
        if game_slip.player != game.first:
            own_score, opponent_score = opponent_score, own_score
        facts = {
            "table": game.table,
            "name": game_slip.player_name,
            "own": own_score,
            "opponent": game_slip.opponent_name,
            "other": opponent_score,
        }
        return PageNotice(
            text("The result of table {table} is in: {name} {own}, {opponent} {other}.", **facts), "green"
        )
    own_entry = next((slip for slip in index.slips(game.id) if slip.player == game_slip.player), None)
    pair = find_slips_of_both_players(index, game)
    if own_entry is None:
        return None
    if pair is None:
        points = (
            (own_entry.own, own_entry.other)
            if game_slip.player == game.first
            else (own_entry.other, own_entry.own)
        )
        entered_text = text(
            "You have entered {own} – {other}.", own=points[0], other=points[1]
        )  # in the order of the slip
        winner_text = _describe_winner(game_slip, own_entry.own, own_entry.other, catalogue)
        waiting_text = text("Now {opponent} must enter the same result.", opponent=game_slip.opponent_name)
        return PageNotice(f"{entered_text} {winner_text} {waiting_text}", "amber")
    if pair.has_equal_entries:  # equal but doubtful
        entry = pair.first
        entered_text = text("{own} – {other} has been entered for both of you.", own=entry.own, other=entry.other)
        return PageNotice(
            f"{entered_text} {text('Show your slip at the desk: the desk must confirm this result.')}", "amber"
        )
    return _explain_entry_difference(game_slip, pair, catalogue)


def _explain_entry_difference(slip: TwoPlayerSlip, pair: SlipEntryPair, catalogue: Catalogue) -> PageNotice:
    text = catalogue.text(
        "{opponent} has entered something else. Look at your slip together and enter the result again, or go "
            "to the director.", opponent=slip.opponent_name,
    )  # fmt: skip
    if replace(pair, first=replace(pair.first, started=None)).has_equal_entries:
        text = catalogue.text("You and your opponent disagree about who started. Enter the result again.")
    return PageNotice(text, "red")


def make_result_form_template_values(
    state: ShownTournament,
    catalogue: Catalogue,
    slip: AnySlip | None,
    form: ResultFormFields,
    notice: PageNotice | None,
) -> dict[str, object]:
    """Return the template values of the form for points. If `slip` is None, the form asks for a code."""
    text = catalogue.text
    values: dict[str, object] = {
        "event": state.tournament.event.name,
        "title": text("Enter a result"),
        "notice": notice,
        "seat": slip,
        "form": form,
        "code": format_code_with_hyphen(normalise_typed_code(form.code))
        if len(normalise_typed_code(form.code)) == CODE_LENGTH
        else form.code,
        "asks_start": False,
        "outcomes": (),
        "keeps_notice": bool(form.own and notice),
        "sure": form.typed_points if form.own and notice is not None and notice.tone == "amber" else "",
        "player_code": "" if slip is None else make_player_code(state.tournament, slip.player),
    }
    if slip is None:
        return values
    if isinstance(slip, MultiPlayerSlip):
        return values | _make_group_form_template_values(state, catalogue, slip, form)
    game = slip.game
    own_entry = next((entry for entry in state.index.slips(game.id) if entry.player == slip.player), None)
    if own_entry is not None and not form.own:
        values["form"] = replace(form, own=str(own_entry.own), other=str(own_entry.other))
    values["table_name"] = format_round_and_table(catalogue, state.index, game)
    values["is_open"] = state.index.get_result(game.id) is None
    values["asks_start"] = game.start is StartDecision.DRAW
    wins = [
        text("{player} wins by {points}.", player=name, points="#")
        for name in (slip.player_name, slip.opponent_name)
    ]
    values["outcomes"] = (*wins, text("It is a tie."))
    labels = {"own": text("{player}’s points", player=slip.player_name)}
    labels["other"] = text("{player}’s points", player=slip.opponent_name)
    order = ("own", "other") if slip.player == game.first else ("other", "own")  # in the order of the slip
    values["points"] = tuple((name, labels[name], getattr(values["form"], name)) for name in order)
    return values


def _make_group_form_template_values(
    state: ShownTournament, catalogue: Catalogue, slip: MultiPlayerSlip, form: ResultFormFields
) -> dict[str, object]:
    names = _POINT_FIELDS[: len(slip.seats)]
    values = [getattr(form, name) for name in names] if form.own else map(str, slip.own_seat.sent)
    labels = [catalogue.text("{player}’s points", player=name) for name in slip.names]
    return {
        "table_name": format_round_and_table(catalogue, state.index, slip.game),
        "is_open": slip.own_seat.state is None,
        "points": tuple(zip_longest(names, labels, values, fillvalue="")),
    }


STATION = "room"  # name of this station in the history


class WebPageCommandRunner:
    """Runs commands from web pages with a separate station name and role.

    The commands use a second `Desk` (open tournament), the station desk. After each command, the program's main
    desk reads the change. Use this object on the main desk's thread.
    """

    def __init__(self, desk: Desk, name: str = STATION, role: Role = Role.ENTRY) -> None:
        self._desk, self._name, self._role = desk, name, role
        self._own_desk: Desk | None = None

    def get_updated_station_desk(self) -> Desk:
        """Update the station desk from the store and return it."""
        if self._own_desk is None:
            self._own_desk = Desk(self._desk.store, station=self._name)
            self._own_desk.role = self._role
        self._own_desk.apply_changes_of_other_computers()  # validate against the current value
        return self._own_desk

    def run_command(self, command: partial[Tournament], label: str = "") -> Tournament:
        """Run a command and return the new tournament.

        `label` is the id of the command in the history. If it is "", use the command's own id.
        """
        self.get_updated_station_desk().do(command, label=label)
        return self.update_main_desk_and_get_tournament()

    def update_main_desk_and_get_tournament(self) -> Tournament:
        self._desk.apply_changes_of_other_computers()
        return self._desk.tournament
