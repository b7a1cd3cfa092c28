"""Web page on which a typist enters the plays of the featured table.

Each line has a number. If a phone sends a line twice, it is entered once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tdapp.domain.errors import InputError, RuleViolation
from tdapp.domain.featured_game import (
    FeaturedGameHistory,
    TypedTurn,
    WordsShownTo,
    choose_notation,
    enter_game_end,
    enter_turn,
    find_first_sheet_form,
)
from tdapp.domain.model import Game, PlayerId
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.sheet_draft import SheetDraft, SheetEnd, UnfinishedDraftError, make_sheet_draft
from tdapp.domain.slip import normalise_code
from tdapp.domain.tables.featured_view import make_featured_game
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import name_table
from tdapp.i18n.sheet_reading import (
    ParsedSheetDraft,
    TurnCell,
    list_turn_cells,
    parse_sheet_draft,
    propose_game_end,
)
from tdapp.i18n.sheet_sentences import (
    explain_unfinished_draft,
    list_remaining_tiles,
    list_sheet_problems,
    list_turn_examples,
)
from tdapp.scrabble import turn_line
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.sheet import GameEnding
from tdapp.scrabble.tiles import TileSet
from tdapp.web.overlays import make_featured_view
from tdapp.web.rate_limits import parse_short_number, read_form_fields
from tdapp.web.result_entry import PageNotice
from tdapp.web.shown_tournament import RequestServices, ShownTournament, WriteCommand

STATION = "featured"  # name of this station in the history
LONGEST = 80  # maximum length of a field
_END_FIELDS = ("ended", "whose", "rack1", "rack2", "overtime1", "overtime2")
FEATURED_PAGE = "featured"
FIELDS = frozenset({"code", "game", "number", "player", "line", "rack", "old", *_END_FIELDS})
_MOST_TURNS = 3  # digits


class GameBeingTyped(Struct, frozen=True):
    """The featured game with its rules, tile set and public names."""

    game: Game
    featured: FeaturedGameHistory
    rules: RuleSet
    tileset: TileSet
    names: tuple[str, str]


def find_game_being_typed(shown: ShownTournament, code: str, earlier_game: str = "") -> GameBeingTyped | None:
    """Return the featured game if `code` is the typist's code, else None.

    A phone may send its last lines late. Therefore return the previous featured game if its id is
    `earlier_game`.
    """
    featured, value = shown.featured, shown.tournament
    if featured is None or not code or code != featured.code or featured.game not in value.games:
        return None
    earlier = featured.previous.game if featured.previous else None
    game = value.games[earlier if earlier == earlier_game and earlier in value.games else featured.game]
    form, rules = find_first_sheet_form(value, game.id), value.rules_of(game)
    tileset = shown.tilesets.get((form.sheet.tileset if form else None) or rules.tileset)
    if tileset is None:
        return None
    return GameBeingTyped(game, featured, rules, tileset, (shown.names[game.first], shown.names[game.second]))


def make_turn_command(typed: GameBeingTyped, fields: Mapping[str, str]) -> partial[Tournament]:
    game, tileset = typed.game.id, typed.tileset
    if fields.get("game", game) != game:  # typed in an earlier round
        raise RuleViolation("another-game-featured", table=typed.game.table)
    if "ended" in fields:
        return partial(enter_game_end, game=game, end=_parse_game_end(fields), tileset=tileset)
    line, rack, number = (fields.get(name, "").strip() for name in ("line", "rack", "number"))
    rack = "".join(rack.upper().split())
    tileset.read_tiles(rack)
    text = f"{line} @{rack}" if line and rack and "@" not in line else line
    turn = turn_line.read_turn_line(text, player=1, convention=choose_notation(tileset)) if text else None
    if fields.get("player") not in {typed.game.first, typed.game.second} or not _is_turn_number(number):
        raise RuleViolation("turn-typed-otherwise", table=typed.game.table, turn=number)
    known = TypedTurn(PlayerId(fields["player"]), turn, "" if line else rack, fields.get("old", ""))
    return partial(enter_turn, game=game, number=int(number), typed_turn=known, tileset=tileset)


def _is_turn_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_TURNS


def _parse_game_end(fields: Mapping[str, str]) -> SheetEnd:
    try:
        ended = GameEnding(fields["ended"])
    except ValueError:
        ended = None
    racks, overtime = ((fields.get(f"{name}1", ""), fields.get(f"{name}2", "")) for name in ("rack", "overtime"))
    whose = fields.get("whose", "") if ended in {GameEnding.FLAG, GameEnding.FORFEIT} else ""
    return SheetEnd(ended, whose if whose in {"1", "2"} else "", racks, overtime)


def explain_typing_error(error: Exception, typed: GameBeingTyped, catalogue: Catalogue) -> PageNotice:
    """Return a notice for an error that the user can fix. Raise any other error again."""
    if isinstance(error, ScrabbleError):
        return PageNotice(catalogue.problem(error.code, {"detail": error.detail}), "red")
    if isinstance(error, UnfinishedDraftError):
        return PageNotice(explain_unfinished_draft(error, catalogue, SheetDraft(typed.names)), "red")
    if isinstance(error, RuleViolation | InputError):
        return PageNotice(catalogue.error(error), "red")
    raise error


# --- page


class TypedTurnRow(Struct, frozen=True):
    """A turn on the page for entering plays."""

    number: int
    cell: TurnCell  # the parsed turn
    name: str
    player: PlayerId
    text: str  # as typed


def make_typing_page_values(
    shown: ShownTournament,
    catalogue: Catalogue,
    typed: GameBeingTyped | None,
    notice: PageNotice | None,
    editing: int,
) -> dict[str, object]:
    """Return the template values. `editing` is the number of the turn to correct, or 0."""
    values: dict[str, object] = {
        "event": shown.tournament.event.name,
        "title": catalogue.text("Featured table"),
        "told": notice,
        "typed": typed,
    }
    if typed is not None:
        values |= _make_sheet_values(shown, catalogue, typed, editing)
    return values


def _make_sheet_values(
    shown: ShownTournament, catalogue: Catalogue, typed: GameBeingTyped, editing: int
) -> dict[str, object]:
    game, read, judged = typed.game, *_read_sheet_draft_and_word_state(shown, typed)
    players, lines = (game.first, game.second), _list_typed_turns(typed, read, catalogue)
    coming = players[read.draft.find_next_player() - 1]
    mended = next((one for one in lines if one.number == editing), None)
    here = make_featured_game(
        read.sheet, typed.rules, typed.tileset, table=game.table, names=typed.names, wordlist=None
    )
    return {
        "where": name_table(catalogue, shown.index, game),
        "lines": lines,
        "view": make_featured_view(here, typed.tileset, catalogue),
        "players": tuple(zip(players, typed.names, strict=True)),
        "next": len(lines) + 1,
        "next_player": coming,
        "turn": mended.player if mended else coming,
        "mended": mended,
        "state": _describe_game_end(shown, catalogue, typed, read),
        "good": judged and bool(lines) and not lines[-1].cell.note and bool(read.rows[-1].line.words),
        "grammar": list_turn_examples(catalogue),
        "end": _propose_game_end(catalogue, typed, read),
    }


def _read_sheet_draft_and_word_state(
    shown: ShownTournament, typed: GameBeingTyped
) -> tuple[ParsedSheetDraft, bool]:
    game, form, convention = (
        typed.game,
        find_first_sheet_form(shown.tournament, typed.game.id),
        choose_notation(typed.tileset),
    )
    draft = make_sheet_draft(form.sheet, typed.names, convention) if form else SheetDraft(typed.names)
    told = typed.featured.words is not WordsShownTo.NOBODY
    with shown.word_lists(shown.tournament.wordlist_of(game) if told else "") as wordlist:
        read = parse_sheet_draft(shown.index, game, draft, form=1, tileset=typed.tileset, wordlist=wordlist)
        return read, wordlist is not None


def _list_typed_turns(
    typed: GameBeingTyped, read: ParsedSheetDraft, catalogue: Catalogue
) -> tuple[TypedTurnRow, ...]:
    silent = typed.featured.words is WordsShownTo.NOBODY
    players, names = (typed.game.first, typed.game.second), [name.partition(",")[0] for name in typed.names]
    return tuple(
        TypedTurnRow(number, cell, names[cell.player - 1], players[cell.player - 1], entry.text)
        for number, (cell, entry) in enumerate(
            zip(list_turn_cells(read, catalogue, hide_words=silent), read.draft.entries, strict=True), 1
        )
    )


def _describe_game_end(
    shown: ShownTournament, catalogue: Catalogue, typed: GameBeingTyped, read: ParsedSheetDraft
) -> PageNotice | None:
    if not read.sheet.is_finished:
        return None
    wrong = list_sheet_problems(catalogue, typed.tileset, read)
    if wrong:
        return PageNotice(" ".join(wrong), "amber")
    result = shown.index.result(typed.game.id)
    scores = f"{result.first} – {result.second}" if result else "–"
    names = " – ".join(typed.names)
    return PageNotice(
        catalogue.text("{names} {scores}: the jury will check this sheet.", names=names, scores=scores), "green"
    )


def _propose_game_end(catalogue: Catalogue, typed: GameBeingTyped, read: ParsedSheetDraft) -> dict[str, object]:
    end, racks = read.draft.end, list_remaining_tiles(typed.tileset, read)
    proposed = propose_game_end(read, typed.tileset, typed.rules)
    known = end.ended if read.sheet.is_finished else proposed
    if known is GameEnding.OUT:
        as_out = replace(read, sheet=replace(read.sheet, ended=GameEnding.OUT))
        racks = list_remaining_tiles(typed.tileset, as_out)
    kinds = [one for one in typed.rules.ending.ends if one not in {GameEnding.OPEN, GameEnding.FORFEIT}]
    return {
        "kinds": tuple((kind.value, catalogue.code(kind)) for kind in kinds),
        "chosen": known.value if known else "",
        "whose": end.whose,
        "racks": tuple(
            (name, typed.names[at], end.racks[at] or racks[at].partition(" ")[0])
            for at, name in enumerate(("rack1", "rack2"))
        ),
        "overtime": tuple(
            (name, typed.names[at], end.overtime[at]) for at, name in enumerate(("overtime1", "overtime2"))
        ),
    }


class TypingPages:
    """Request handlers of the typing page. `write` runs the commands. Without it the page is off."""

    def __init__(self, services: RequestServices, write: WriteCommand | None) -> None:
        self._services, self._write = services, write
        self.routes = (
            Route(f"/{FEATURED_PAGE}", self._handle_page),
            Route(f"/{FEATURED_PAGE}", self._handle_turn_form, methods=["POST"]),
        )

    def is_from_typist(self, request: Request) -> bool:
        code = request.query_params.get("code", "")
        return bool(code) and self._find_game_being_typed(request, code)[0] is not None

    async def _handle_page(self, request: Request) -> Response:
        code = request.query_params.get("code", "")
        typed, notice = self._find_game_being_typed(request, code) if code else (None, None)
        return self._make_response(request, typed, notice, parse_short_number(request.query_params.get("turn")))

    async def _handle_turn_form(self, request: Request) -> Response:
        fields = await read_form_fields(request, FIELDS, LONGEST)
        typed, notice = self._find_game_being_typed(request, fields.get("code", ""), fields.get("game", ""))
        if typed is None or self._write is None:
            return self._make_response(request, None, notice, 0)
        try:
            await self._services.run_command(make_turn_command(typed, fields), self._write)
        except Exception as error:
            told = explain_typing_error(error, typed, self._services.get_catalogue(request))
            return self._make_response(request, typed, told, 0, status=422)
        return RedirectResponse(f"{FEATURED_PAGE}?code={typed.featured.code}", status_code=303)

    def _find_game_being_typed(
        self, request: Request, code: str, earlier: str = ""
    ) -> tuple[GameBeingTyped | None, PageNotice | None]:
        self._services.refuse_too_many_requests(request)
        typed = find_game_being_typed(self._services.shown, normalise_code(code), earlier) if self._write else None
        if typed is not None:
            return typed, None
        self._services.refuse_too_many_wrong_codes(request)
        return None, PageNotice(
            self._services.get_catalogue(request).text("This is not the code of the featured table."), "red"
        )

    def _make_response(
        self,
        request: Request,
        typed: GameBeingTyped | None,
        notice: PageNotice | None,
        editing: int,
        *,
        status: int = 200,
    ) -> Response:
        catalogue = self._services.get_catalogue(request)
        values = make_typing_page_values(self._services.shown, catalogue, typed, notice, editing)
        made = self._services.context.templates.render_page("featured.html", catalogue, **values)
        status = 403 if notice is not None and typed is None else status
        return Response(made, status, {"Cache-Control": "no-store"}, "text/html")
