"""Web page on which a typist enters the plays of the featured table, which spectators follow.

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

from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.featured_game import (
    FeaturedGameHistory,
    TypedTurn,
    WordValidityAudience,
    enter_game_end,
    enter_turn,
    find_sheet_with_form_number_1,
    get_square_notation_for_tileset,
)
from tdapp.domain.model import Game, PlayerId
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.sheet_draft import SheetDraft, SheetDraftError, SheetEnd, make_sheet_draft
from tdapp.domain.slip import normalise_typed_code
from tdapp.domain.tables.featured_view import make_featured_game
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import format_round_and_table
from tdapp.i18n.sheet_reading import (
    ParsedSheetDraft,
    TurnCell,
    list_turn_cells,
    parse_sheet_draft,
    propose_game_end,
)
from tdapp.i18n.sheet_sentences import (
    explain_sheet_draft_error,
    format_unplayed_racks,
    list_problems_of_whole_sheet,
    list_turn_examples,
)
from tdapp.scrabble import turn_line
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.sheet import GameEnding
from tdapp.scrabble.tiles import TileSet
from tdapp.web.overlays import make_featured_game_view
from tdapp.web.rate_limits import parse_short_number_or_zero, read_form_strictly
from tdapp.web.result_entry import PageNotice
from tdapp.web.shown_tournament import RequestHandlerServices, ShownTournament, WriteCommand

STATION = "featured"  # name of the typist's station in the history
MAX_FIELD_LENGTH = 80
_END_FIELDS = ("ended", "whose", "rack1", "rack2", "overtime1", "overtime2")
FEATURED_PAGE = "featured"
FIELDS = frozenset({"code", "game", "number", "player", "line", "rack", "old", *_END_FIELDS})
_MAX_TURN_DIGITS = 3


class GameBeingTyped(Struct, frozen=True):
    """The featured game with its rules, tile set and public names."""

    game: Game
    featured: FeaturedGameHistory
    rules: RuleSet
    tileset: TileSet
    names: tuple[str, str]


def find_featured_game_by_typist_code(
    state: ShownTournament, code: str, earlier_game: str = ""
) -> GameBeingTyped | None:
    """Return the featured game, or None if `code` is not the typist's code.

    A phone can send a play of the previous featured game late. If `earlier_game` is the id of the
    previous game, return the previous game.
    """
    featured, value = state.featured, state.tournament
    if featured is None or not code or code != featured.code or featured.game not in value.games:
        return None
    earlier_id = featured.previous.game if featured.previous else None
    game = value.games[earlier_id if earlier_id == earlier_game and earlier_id in value.games else featured.game]
    form, rules = find_sheet_with_form_number_1(value, game.id), value.get_ruleset_of_row(game)
    tileset = state.tilesets.get((form.sheet.tileset if form else None) or rules.tileset)
    if tileset is None:
        return None
    return GameBeingTyped(
        game, featured, rules, tileset, (state.public_names[game.first], state.public_names[game.second])
    )


def make_turn_or_game_end_command(typed_game: GameBeingTyped, fields: Mapping[str, str]) -> partial[Tournament]:
    game, tileset = typed_game.game.id, typed_game.tileset
    if fields.get("game", game) != game:  # typed in an earlier round
        raise CommandError("another-game-featured", table=typed_game.game.table)
    if "ended" in fields:
        return partial(enter_game_end, game=game, end=_parse_game_end(fields), tileset=tileset)
    line, rack, number = (fields.get(name, "").strip() for name in ("line", "rack", "number"))
    rack = "".join(rack.upper().split())
    tileset.parse_tile_text(rack)
    text = f"{line} @{rack}" if line and rack and "@" not in line else line
    turn = (
        turn_line.parse_turn_line(text, player=1, convention=get_square_notation_for_tileset(tileset))
        if text
        else None
    )
    if fields.get("player") not in {typed_game.game.first, typed_game.game.second} or not _is_turn_number(number):
        raise CommandError("turn-typed-otherwise", table=typed_game.game.table, turn=number)
    typed_turn = TypedTurn(PlayerId(fields["player"]), turn, "" if line else rack, fields.get("old", ""))
    return partial(enter_turn, game=game, number=int(number), typed_turn=typed_turn, tileset=tileset)


def _is_turn_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MAX_TURN_DIGITS


def _parse_game_end(fields: Mapping[str, str]) -> SheetEnd:
    try:
        ended = GameEnding(fields["ended"])
    except ValueError:
        ended = None
    racks, overtime = ((fields.get(f"{name}1", ""), fields.get(f"{name}2", "")) for name in ("rack", "overtime"))
    side = fields.get("whose", "") if ended in {GameEnding.FLAG, GameEnding.FORFEIT} else ""
    return SheetEnd(ended, side if side in {"1", "2"} else "", racks, overtime)


def explain_typing_error_or_raise(
    error: Exception, typed_game: GameBeingTyped, catalogue: Catalogue
) -> PageNotice:
    """Return a notice for an error that the user can fix. Raise any other error again."""
    if isinstance(error, ScrabbleError):
        return PageNotice(catalogue.describe_problem(error.code, {"detail": error.detail}), "red")
    if isinstance(error, SheetDraftError):
        return PageNotice(explain_sheet_draft_error(error, catalogue, SheetDraft(typed_game.names)), "red")
    if isinstance(error, CommandError | InputError):
        return PageNotice(catalogue.describe_error(error), "red")
    raise error


# --- page


class TypedTurnRow(Struct, frozen=True):
    """A turn on the page for entering plays."""

    number: int
    cell: TurnCell  # the parsed turn
    name: str
    player: PlayerId
    text: str  # as typed


def make_typing_page_template_values(
    state: ShownTournament,
    catalogue: Catalogue,
    typed_game: GameBeingTyped | None,
    notice: PageNotice | None,
    edited_turn: int,
) -> dict[str, object]:
    """Return the template values. `edited_turn` is the number of the turn to correct, or 0."""
    values: dict[str, object] = {
        "event": state.tournament.event.name,
        "title": catalogue.text("Featured table"),
        "notice": notice,
        "typed_game": typed_game,
    }
    if typed_game is not None:
        values |= _make_sheet_template_values(state, catalogue, typed_game, edited_turn)
    return values


def _make_sheet_template_values(
    state: ShownTournament, catalogue: Catalogue, typed_game: GameBeingTyped, edited_turn: int
) -> dict[str, object]:
    game, read, judged = typed_game.game, *_parse_typed_sheet_with_word_list(state, typed_game)
    players, lines = (game.first, game.second), _list_typed_turns(typed_game, read, catalogue)
    next_player = players[read.draft.find_player_on_turn() - 1]
    corrected_turn = next((row for row in lines if row.number == edited_turn), None)
    featured_game = make_featured_game(
        read.sheet, typed_game.rules, typed_game.tileset, table=game.table, names=typed_game.names, wordlist=None
    )
    return {
        "table_name": format_round_and_table(catalogue, state.index, game),
        "lines": lines,
        "view": make_featured_game_view(featured_game, typed_game.tileset, catalogue),
        "players": tuple(zip(players, typed_game.names, strict=True)),
        "next_number": len(lines) + 1,
        "next_player": next_player,
        "selected_player": corrected_turn.player if corrected_turn else next_player,
        "corrected_turn": corrected_turn,
        "end_notice": _describe_game_end(state, catalogue, typed_game, read),
        "has_valid_words": judged and bool(lines) and not lines[-1].cell.note and bool(read.rows[-1].line.words),
        "grammar": list_turn_examples(catalogue),
        "end": _make_game_end_template_values(catalogue, typed_game, read),
    }


def _parse_typed_sheet_with_word_list(
    state: ShownTournament, typed_game: GameBeingTyped
) -> tuple[ParsedSheetDraft, bool]:
    game, form, convention = (
        typed_game.game,
        find_sheet_with_form_number_1(state.tournament, typed_game.game.id),
        get_square_notation_for_tileset(typed_game.tileset),
    )
    draft = make_sheet_draft(form.sheet, typed_game.names, convention) if form else SheetDraft(typed_game.names)
    shows_verdicts = typed_game.featured.words is not WordValidityAudience.NOBODY
    with state.word_lists(state.tournament.get_wordlist_id_of_row(game) if shows_verdicts else "") as wordlist:
        read = parse_sheet_draft(state.index, game, draft, form=1, tileset=typed_game.tileset, wordlist=wordlist)
        return read, wordlist is not None


def _list_typed_turns(
    typed_game: GameBeingTyped, read: ParsedSheetDraft, catalogue: Catalogue
) -> tuple[TypedTurnRow, ...]:
    hides_words = typed_game.featured.words is WordValidityAudience.NOBODY
    players, names = (
        (typed_game.game.first, typed_game.game.second),
        [name.partition(",")[0] for name in typed_game.names],
    )
    return tuple(
        TypedTurnRow(number, cell, names[cell.player - 1], players[cell.player - 1], entry.text)
        for number, (cell, entry) in enumerate(
            zip(list_turn_cells(read, catalogue, hide_word_notes=hides_words), read.draft.entries, strict=True), 1
        )
    )


def _describe_game_end(
    state: ShownTournament, catalogue: Catalogue, typed_game: GameBeingTyped, read: ParsedSheetDraft
) -> PageNotice | None:
    if not read.sheet.has_ending:
        return None
    problems = list_problems_of_whole_sheet(catalogue, typed_game.tileset, read)
    if problems:
        return PageNotice(" ".join(problems), "amber")
    result = state.index.get_result(typed_game.game.id)
    scores = f"{result.first} – {result.second}" if result else "–"
    names = " – ".join(typed_game.names)
    return PageNotice(
        catalogue.text("{names} {scores}: the jury will check this sheet.", names=names, scores=scores), "green"
    )


def _make_game_end_template_values(
    catalogue: Catalogue, typed_game: GameBeingTyped, read: ParsedSheetDraft
) -> dict[str, object]:
    end, racks = read.draft.end, format_unplayed_racks(typed_game.tileset, read)
    proposed_kind = propose_game_end(read, typed_game.tileset, typed_game.rules)
    ending = end.ended if read.sheet.has_ending else proposed_kind
    if ending is GameEnding.OUT:
        as_out = replace(read, sheet=replace(read.sheet, ended=GameEnding.OUT))
        racks = format_unplayed_racks(typed_game.tileset, as_out)
    kinds = [kind for kind in typed_game.rules.ending.ends if kind not in {GameEnding.OPEN, GameEnding.FORFEIT}]
    return {
        "kinds": tuple((kind.value, catalogue.translate_code(kind)) for kind in kinds),
        "chosen": ending.value if ending else "",
        "whose": end.whose,
        "racks": tuple(
            (name, typed_game.names[index], end.racks[index] or racks[index].partition(" ")[0])
            for index, name in enumerate(("rack1", "rack2"))
        ),
        "overtime": tuple(
            (name, typed_game.names[index], end.overtime[index])
            for index, name in enumerate(("overtime1", "overtime2"))
        ),
    }


class TypingPageHandlers:
    """Request handlers of the typing page. `write` runs the commands. If it is None, the page is off."""

    def __init__(self, services: RequestHandlerServices, write: WriteCommand | None) -> None:
        self._services, self._write = services, write
        self.routes = (
            Route(f"/{FEATURED_PAGE}", self._show_page),
            Route(f"/{FEATURED_PAGE}", self._save_turn_or_game_end, methods=["POST"]),
        )

    def is_from_featured_table_typist(self, request: Request) -> bool:
        return self._find_game_of_typist_code(request.query_params.get("code", "")) is not None

    def limit_wrong_typist_codes(self, request: Request) -> None:
        if code := request.query_params.get("code", ""):
            self._find_typed_game_or_notice(request, code)

    async def _show_page(self, request: Request) -> Response:
        code = request.query_params.get("code", "")
        typed_game, notice = self._find_typed_game_or_notice(request, code) if code else (None, None)
        return self._make_response(
            request, typed_game, notice, parse_short_number_or_zero(request.query_params.get("turn"))
        )

    async def _save_turn_or_game_end(self, request: Request) -> Response:
        fields = await read_form_strictly(request, FIELDS, MAX_FIELD_LENGTH)
        typed_game, notice = self._find_typed_game_or_notice(
            request, fields.get("code", ""), fields.get("game", "")
        )
        if typed_game is None or self._write is None:
            return self._make_response(request, None, notice, 0)
        try:
            await self._services.run_command(make_turn_or_game_end_command(typed_game, fields), self._write)
        except Exception as error:
            error_notice = explain_typing_error_or_raise(error, typed_game, self._services.get_catalogue(request))
            return self._make_response(request, typed_game, error_notice, 0, status=422)
        return RedirectResponse(f"{FEATURED_PAGE}?code={typed_game.featured.code}", status_code=303)

    def _find_typed_game_or_notice(
        self, request: Request, code: str, earlier_game: str = ""
    ) -> tuple[GameBeingTyped | None, PageNotice | None]:
        self._services.refuse_too_many_requests(request)
        typed_game = self._find_game_of_typist_code(code, earlier_game)
        if typed_game is not None:
            return typed_game, None
        self._services.refuse_too_many_wrong_codes(request)
        return None, PageNotice(
            self._services.get_catalogue(request).text("This is not the featured table’s code. Check it."), "red"
        )

    def _find_game_of_typist_code(self, code: str, earlier_game: str = "") -> GameBeingTyped | None:
        if self._write is None:
            return None
        return find_featured_game_by_typist_code(self._services.state, normalise_typed_code(code), earlier_game)

    def _make_response(
        self,
        request: Request,
        typed_game: GameBeingTyped | None,
        notice: PageNotice | None,
        edited_turn: int,
        *,
        status: int = 200,
    ) -> Response:
        catalogue = self._services.get_catalogue(request)
        values = make_typing_page_template_values(self._services.state, catalogue, typed_game, notice, edited_turn)
        content = self._services.context.templates.render_page("featured.html", catalogue, **values)
        status = 403 if notice is not None and typed_game is None else status
        return Response(content, status, {"Cache-Control": "no-store"}, "text/html")
