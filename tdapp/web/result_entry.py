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
from tdapp.domain.errors import RuleViolation, UserError
from tdapp.domain.model import Game, GameId, PlayerId, Seat, SeatId, Start
from tdapp.domain.outcome import find_decision_by_result
from tdapp.domain.roles import Role
from tdapp.domain.slip import (
    LENGTH,
    SlipEntryPair,
    find_agreed_points,
    find_slip_entry_pair,
    format_code,
    make_player_code,
    normalise_code,
)
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import name_table
from tdapp.i18n.scores import format_side_scores
from tdapp.web.shown_tournament import ShownTournament

_POINTS = re.compile(r"-?[0-9]{1,4}")
LONGEST_CODE = 40  # typed text
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
    def points(self) -> str:
        return " ".join(getattr(self, name) for name in _POINT_FIELDS).rstrip()


_POINT_FIELDS = ("own", "other", "third", "fourth")


class PageNotice(Struct, frozen=True):
    """A message on a page."""

    text: str
    tone: str = "plain"  # "plain", "green", "amber" or "red"


class GameSlip(Struct, frozen=True):
    """The game and player that a result slip's code belongs to, with the public names of both players."""

    game: Game
    player: PlayerId
    opponent: PlayerId
    player_name: str  # public name of the player
    opponent_name: str  # public name of the opponent


class GroupSlip(Struct, frozen=True):
    """A code from a result slip of a table with three or four players, and the player that it belongs to."""

    seats: tuple[Seat, ...]
    player: PlayerId
    names: tuple[str, ...]  # public names in the order of the seats

    @property
    def game(self) -> Seat:
        return self.seats[0]

    @property
    def own_seat(self) -> Seat:
        return next(seat for seat in self.seats if seat.player == self.player)


AnySlip = GameSlip | GroupSlip


def find_slip_by_code(shown: ShownTournament, code: str) -> AnySlip | None:
    found = shown.seats_by_code.get(normalise_code(code)) if len(code) <= LONGEST_CODE else None
    if found is None:
        return None
    (place, player), names, rows = found, shown.names, shown.index.tournament
    seat = rows.seats.get(SeatId(place))
    if seat is not None:
        there = tuple(one for one in shown.index.seats(seat.round) if one.table == seat.table)
        return GroupSlip(there, player, tuple(names[one.player] for one in there))
    game = rows.games[GameId(place)]
    opponent = game.get_opponent(player)
    return GameSlip(game, player, opponent, names[player], names[opponent])


def find_code_of_open_game(shown: ShownTournament, player: PlayerId) -> str:
    """Return the slip code of a player's newest game, or "" if that game has a result."""
    found = [code for code, (_, owner) in shown.seats_by_code.items() if owner == player]
    return next((code for code in found[-1:] if _is_slip_open(shown, find_slip_by_code(shown, code))), "")


def _is_slip_open(shown: ShownTournament, slip: AnySlip | None) -> bool:
    if isinstance(slip, GroupSlip):
        return slip.own_seat.state is None
    return slip is not None and shown.index.result(slip.game.id) is None


def make_slip_command(slip: AnySlip, sent: ResultFormFields, device: str) -> partial[Tournament]:
    if isinstance(slip, GroupSlip):
        points = _parse_group_points(slip, sent)
        if points is None:
            raise RuleViolation("points-missing", table=slip.game.table)
        return partial(
            commands.send_points, round=slip.game.round, table=slip.game.table, player=slip.player, points=points,
            device=device,
        )  # fmt: skip
    if not (_POINTS.fullmatch(sent.own) and _POINTS.fullmatch(sent.other)):
        raise RuleViolation("points-missing", table=slip.game.table)
    started = {"me": True, "opponent": False}.get(sent.started)
    return partial(
        commands.enter_slip,
        game=slip.game.id,
        player=slip.player,
        own=int(sent.own),
        other=int(sent.other),
        started=started,
        device=device,
    )


def _parse_group_points(slip: GroupSlip, sent: ResultFormFields) -> tuple[int, ...] | None:
    typed = [getattr(sent, name) for name in _POINT_FIELDS[: len(slip.seats)]]
    return tuple(map(int, typed)) if all(map(_POINTS.fullmatch, typed)) else None


def _ask_about_group_points(slip: GroupSlip, sent: ResultFormFields, catalogue: Catalogue) -> PageNotice | None:
    points = _parse_group_points(slip, sent)
    if points is None or sent.sure == sent.points or (min(points) >= 0 and max(points) > 0):
        return None
    text = catalogue.text("Is {points} right? Then press Enter again.", points=_join_points(points))
    return PageNotice(text, "amber")


def _join_points(points: Iterable[int]) -> str:
    return " – ".join(map(str, points))


def ask_about_unlikely_points(slip: AnySlip, sent: ResultFormFields, catalogue: Catalogue) -> PageNotice | None:
    """Return a question about possible but unlikely points: 0 – 0, or less than 0."""
    if isinstance(slip, GroupSlip):
        return _ask_about_group_points(slip, sent, catalogue)
    if not (_POINTS.fullmatch(sent.own) and _POINTS.fullmatch(sent.other)) or sent.sure == sent.points:
        return None
    own, other = int(sent.own), int(sent.other)
    if min(own, other) >= 0 and max(own, other) > 0:
        return None
    first, second = (own, other) if slip.player == slip.game.first else (other, own)
    text = catalogue.text("Is {own} – {other} right? Then press Enter again.", own=first, other=second)
    return PageNotice(text, "amber")


def explain_entry_error(error: UserError, catalogue: Catalogue) -> str:
    if isinstance(error, RuleViolation) and error.code == "implausible-points":
        return catalogue.text(
            "{points} is not between {lowest} and {highest}. Type it again, or bring your slip to the director.",
            **error.facts,
        )
    return catalogue.error(error)


def _describe_winner(slip: GameSlip, own: int, other: int, catalogue: Catalogue) -> str:
    name = slip.player_name if own > other else slip.opponent_name
    if own == other:
        return catalogue.text("It is a tie.")
    return catalogue.text("{player} wins by {points}.", player=name, points=abs(own - other))


def _describe_group_state(slip: GroupSlip, catalogue: Catalogue) -> PageNotice | None:
    text, own, agreed = catalogue.text, slip.own_seat, find_agreed_points(slip.seats)
    if own.state is not None:
        shown = ("–" if seat.points is None else str(seat.points) for seat in slip.seats)
        points = ", ".join(f"{name} {one}" for name, one in zip(slip.names, shown, strict=True))
        return PageNotice(text("Table {table} has its result: {points}.", table=own.table, points=points), "green")
    if not own.sent:
        return None
    said = text("You have entered {points}.", points=_join_points(own.sent))
    if own.sent == agreed:  # in doubt
        said = text("Two players have entered {points}.", points=_join_points(agreed))
        return PageNotice(
            f"{said} {text('Show your slip at the desk: the desk must confirm this result.')}", "amber"
        )
    others = zip(slip.names, slip.seats, strict=True)
    different = [name for name, seat in others if seat.sent not in {(), own.sent}]
    if different:
        asked = text(
            "{opponent} has entered something else. Look at your slip together and enter it again, "
            "or go to the director.", opponent=different[0],
        )  # fmt: skip
        return PageNotice(asked, "red")
    return PageNotice(f"{said} {text('Now another player of the table must enter the same result.')}", "amber")


def describe_entry_state(shown: ShownTournament, slip: AnySlip, catalogue: Catalogue) -> PageNotice | None:
    """Return a notice about the result, or about the entries that the players at a table have sent.

    Return None if this player has entered nothing.
    """
    if isinstance(slip, GroupSlip):
        return _describe_group_state(slip, catalogue)
    return _describe_game_state(shown, slip, catalogue)


def _describe_game_state(shown: ShownTournament, game_slip: GameSlip, catalogue: Catalogue) -> PageNotice | None:
    text, game, index = catalogue.text, game_slip.game, shown.index
    result = index.result(game.id)
    if result is not None:
        if result.first is None or result.second is None:
            return PageNotice(text("Table {table} has its result.", table=game.table), "green")
        own, other = format_side_scores(
            catalogue, (result.first, result.second), find_decision_by_result(index, game, result)
        )
        if game_slip.player != game.first:
            own, other = other, own
        facts = {
            "table": game.table,
            "name": game_slip.player_name,
            "own": own,
            "opponent": game_slip.opponent_name,
            "other": other,
        }
        return PageNotice(
            text("Table {table} has its result: {name} {own}, {opponent} {other}.", **facts), "green"
        )
    mine = next((slip for slip in index.slips(game.id) if slip.player == game_slip.player), None)
    pair = find_slip_entry_pair(index, game)
    if mine is None:
        return None
    if pair is None:
        slip = (mine.own, mine.other) if game_slip.player == game.first else (mine.other, mine.own)
        entered = text("You have entered {own} – {other}.", own=slip[0], other=slip[1])  # in the order of the slip
        won = _describe_winner(game_slip, mine.own, mine.other, catalogue)
        waits = text("Now {opponent} must enter the same result.", opponent=game_slip.opponent_name)
        return PageNotice(f"{entered} {won} {waits}", "amber")
    if pair.is_equal:  # in doubt
        first = pair.first
        entered = text("{own} – {other} is entered for both of you.", own=first.own, other=first.other)
        return PageNotice(
            f"{entered} {text('Show your slip at the desk: the desk must confirm this result.')}", "amber"
        )
    return _explain_entry_difference(game_slip, pair, catalogue)


def _explain_entry_difference(slip: GameSlip, pair: SlipEntryPair, catalogue: Catalogue) -> PageNotice:
    text = catalogue.text(
        "{opponent} has entered something else. Look at your slip together and enter it again, "
        "or go to the director.", opponent=slip.opponent_name,
    )  # fmt: skip
    if replace(pair, first=replace(pair.first, started=None)).is_equal:
        text = catalogue.text("You and your opponent disagree about who started. Enter it again.")
    return PageNotice(text, "red")


def make_entry_form_values(
    shown: ShownTournament,
    catalogue: Catalogue,
    seat: AnySlip | None,
    sent: ResultFormFields,
    notice: PageNotice | None,
) -> dict[str, object]:
    """Return the template values: the code field, or the fields for points if the code is known."""
    text = catalogue.text
    values: dict[str, object] = {
        "event": shown.tournament.event.name,
        "title": text("Enter a result"),
        "told": notice,
        "seat": seat,
        "sent": sent,
        "code": format_code(normalise_code(sent.code)) if len(normalise_code(sent.code)) == LENGTH else sent.code,
        "asked": False,
        "outcomes": (),
        "kept": bool(sent.own and notice),
        "sure": sent.points if sent.own and notice is not None and notice.tone == "amber" else "",
        "own": "" if seat is None else make_player_code(shown.tournament, seat.player),
    }
    if seat is None:
        return values
    if isinstance(seat, GroupSlip):
        return values | _make_group_form_values(shown, catalogue, seat, sent)
    game = seat.game
    mine = next((one for one in shown.index.slips(game.id) if one.player == seat.player), None)
    if mine is not None and not sent.own:
        values["sent"] = replace(sent, own=str(mine.own), other=str(mine.other))
    values["where"] = name_table(catalogue, shown.index, game)
    values["open"] = shown.index.result(game.id) is None
    values["asked"] = game.start is Start.DRAW
    wins = [
        text("{player} wins by {points}.", player=one, points="#")
        for one in (seat.player_name, seat.opponent_name)
    ]
    values["outcomes"] = (*wins, text("It is a tie."))
    asked = {"own": text("Points of {player}", player=seat.player_name)}
    asked["other"] = text("Points of {player}", player=seat.opponent_name)
    order = ("own", "other") if seat.player == game.first else ("other", "own")  # in the order of the slip
    values["points"] = tuple((name, asked[name], getattr(values["sent"], name)) for name in order)
    return values


def _make_group_form_values(
    shown: ShownTournament, catalogue: Catalogue, slip: GroupSlip, sent: ResultFormFields
) -> dict[str, object]:
    names = _POINT_FIELDS[: len(slip.seats)]
    typed = [getattr(sent, name) for name in names] if sent.own else map(str, slip.own_seat.sent)
    labels = [catalogue.text("Points of {player}", player=name) for name in slip.names]
    return {
        "where": name_table(catalogue, shown.index, slip.game),
        "open": slip.own_seat.state is None,
        "points": tuple(zip_longest(names, labels, typed, fillvalue="")),
    }


STATION = "room"  # name of this station in the history


class WebStation:
    """A station for entries from the web. It has its own `Desk`, which writes to the store of `desk`.

    After each command `desk` reads the change from the store. Use the station on the thread of `desk`.
    """

    def __init__(self, desk: Desk, name: str = STATION, role: Role = Role.ENTRY) -> None:
        self._desk, self._name, self._role = desk, name, role
        self._own: Desk | None = None

    def get_own_desk(self) -> Desk:
        if self._own is None:
            self._own = Desk(self._desk.store, station=self._name)
            self._own.role = self._role
        self._own.read_store_changes()  # validate against the current value
        return self._own

    def run_command(self, command: partial[Tournament], label: str = "") -> Tournament:
        """Run a command and return the new tournament.

        `label` is an id for the journal; "" uses that of the command.
        """
        self.get_own_desk().do(command, label=label)
        return self.read_store_changes()

    def read_store_changes(self) -> Tournament:
        self._desk.read_store_changes()
        return self._desk.tournament
