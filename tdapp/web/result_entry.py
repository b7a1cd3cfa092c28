"""Results entered on phones: read by a strict schema, written, and answered with a page on what became of them.

It is written by a station of its own beside the director's, which may enter results only.
"""

from __future__ import annotations

import re
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.decision import decide_by
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Game, PlayerId, Start
from tdapp.domain.roles import Role
from tdapp.domain.slip import LENGTH, SlipPair, own_code, pair_of, plain, spaced
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import table_place
from tdapp.i18n.scores import side_scores
from tdapp.web.room_pages import ShownTournament

_POINTS = re.compile(r"-?[0-9]{1,4}")
LONGEST_CODE = 40  # as it is typed
FIELDS = frozenset({"code", "own", "other", "started"})


class Sent(Struct, frozen=True):
    """What a phone has sent: a code and, once the game is known, points as they were typed."""

    code: str = ""
    own: str = ""
    other: str = ""
    started: str = ""


class Notice(Struct, frozen=True):
    """A page's sentence and its tone: plain, green, amber or red."""

    text: str
    tone: str = "plain"


class SlipSeat(Struct, frozen=True):
    """Whom a code stands for: the game, the player, and the names of both as the public reads them."""

    game: Game
    player: PlayerId
    opponent: PlayerId
    name: str
    opposite: str


def seat_of(shown: ShownTournament, code: str) -> SlipSeat | None:
    """Return whom a code stands for, None for no code of ours."""
    found = shown.codes.get(plain(code)) if len(code) <= LONGEST_CODE else None
    if found is None:
        return None
    game = shown.index.tournament.games[found[0]]
    player = found[1]
    opponent, names = game.opponent_of(player), shown.names
    return SlipSeat(game, player, opponent, names[player], names[opponent])


def command(seat: SlipSeat, sent: Sent, device: str) -> partial[Tournament]:
    """Return the command that enters what a device has sent; raise RuleViolation where it is no result."""
    if not (_POINTS.fullmatch(sent.own) and _POINTS.fullmatch(sent.other)):
        raise RuleViolation("points-missing", table=seat.game.table)
    started = {"me": True, "opponent": False}.get(sent.started)
    return partial(
        commands.enter_slip,
        game=seat.game.id,
        player=seat.player,
        own=int(sent.own),
        other=int(sent.other),
        started=started,
        device=device,
    )


def became(shown: ShownTournament, seat: SlipSeat, catalogue: Catalogue) -> Notice | None:
    """Return the state of a game, None while its player has entered nothing."""
    text, game, index = catalogue.text, seat.game, shown.index
    result = index.result(game.id)
    if result is not None:
        if result.first is None or result.second is None:
            return Notice(text("Table {table} has its result.", table=game.table), "green")
        own, other = side_scores(catalogue, (result.first, result.second), decide_by(index, game, result))
        if seat.player != game.first:
            own, other = other, own
        facts = {"table": game.table, "name": seat.name, "own": own, "opponent": seat.opposite, "other": other}
        return Notice(text("Table {table} has its result: {name} {own}, {opponent} {other}.", **facts), "green")
    mine = next((slip for slip in index.slips(game.id) if slip.player == seat.player), None)
    pair = pair_of(index, game)
    if mine is None:
        return None
    if pair is None:
        slip = (mine.own, mine.other) if seat.player == game.first else (mine.other, mine.own)
        waits = text("You have entered {own} – {other}.", own=slip[0], other=slip[1])  # as they stand on the slip
        return Notice(f"{waits} {text('Now {opponent} enters the same.', opponent=seat.opposite)}", "amber")
    if pair.agrees:  # in doubt
        first = pair.first
        entered = text("{own} – {other} is entered for both of you.", own=first.own, other=first.other)
        return Notice(f"{entered} {text('Show your slip at the desk: it has to confirm this.')}", "amber")
    return _differing(seat, pair, catalogue)


def _differing(seat: SlipSeat, pair: SlipPair, catalogue: Catalogue) -> Notice:
    text = catalogue.text(
        "{opponent} has entered something else. Look at your slip together and enter it again, "
        "or go to the director.", opponent=seat.opposite,
    )  # fmt: skip
    if replace(pair, first=replace(pair.first, started=None)).agrees:
        text = catalogue.text("You have not said the same of who started. Enter it again.")
    return Notice(text, "red")


def form(
    shown: ShownTournament, catalogue: Catalogue, seat: SlipSeat | None, sent: Sent, notice: Notice | None
) -> dict[str, object]:
    """Return what the page for entering shows: the code's field, or with a code of ours those for the points."""
    text = catalogue.text
    values: dict[str, object] = {
        "event": shown.tournament.event.name,
        "title": text("Enter a result"),
        "told": notice,
        "seat": seat,
        "sent": sent,
        "code": spaced(plain(sent.code)) if len(plain(sent.code)) == LENGTH else sent.code,
        "asked": False,
        "own": "" if seat is None else own_code(shown.tournament, seat.player),
    }
    if seat is None:
        return values
    game = seat.game
    mine = next((one for one in shown.index.slips(game.id) if one.player == seat.player), None)
    if mine is not None and not sent.own:
        values["sent"] = replace(sent, own=str(mine.own), other=str(mine.other))
    values["where"] = table_place(catalogue, shown.index, game)
    values["open"] = shown.index.result(game.id) is None
    values["asked"] = game.start is Start.DRAW
    asked = {"own": text("Points of {player}", player=seat.name)}
    asked["other"] = text("Points of {player}", player=seat.opposite)
    order = ("own", "other") if seat.player == game.first else ("other", "own")  # as they stand on the slip
    values["points"] = tuple((name, asked[name], getattr(values["sent"], name)) for name in order)
    return values


STATION = "room"  # signs these steps in the history


class RoomStation:
    """Writes beside `desk`, which then follows; to be used on that desk's thread."""

    def __init__(self, desk: Desk, name: str = STATION, role: Role = Role.ENTRY) -> None:
        self._desk, self._name, self._role = desk, name, role
        self._own: Desk | None = None

    def enter(self, command: partial[Tournament], label: str = "") -> Tournament:
        """Run a command and return the tournament as it is then; raises as `Desk.do` does.

        The `label` is the id of the command that it does in other words, empty: its own.
        """
        if self._own is None:
            self._own = Desk(self._desk.store, station=self._name)
            self._own.role = self._role
        self._own.follow()  # a command is refused by what is there now, not by what was there before
        self._own.do(command, label=label)
        self._desk.follow()
        return self._desk.tournament
