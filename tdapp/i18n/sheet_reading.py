"""A draft as it is understood: the sheet so far, what is wrong with it and which words are in doubt, in cells.

Hides that lines which cannot be read are no turns: places of the draft and numbers of turns are told apart here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.errors import InputError, UserError
from tdapp.domain.index import Index
from tdapp.domain.judging import facts_of, judge, pegs
from tdapp.domain.jury_rows import ScoreSheet, SheetId, TurnRuling
from tdapp.domain.model import Game
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.rulings import on_turns
from tdapp.domain.score_breakdown import Breakdown
from tdapp.domain.sheet_draft import Draft, DraftLine
from tdapp.domain.tables import jury
from tdapp.domain.tables.jury import Doubt, SheetReading, TurnRow
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble import coordinates, turn_line
from tdapp.scrabble.board import Board
from tdapp.scrabble.coordinates import Convention
from tdapp.scrabble.issue import Issue
from tdapp.scrabble.replay import ReplayedTurn
from tdapp.scrabble.sheet import Ended, Sheet, Turn, TurnKind
from tdapp.scrabble.tiles import TileSet
from tdapp.scrabble.wordlist import WordList

# What deserves a look and may well be right; everything else is wrong.
MILD = frozenset({"total-missing", "direction-turned", "forms-differ", "pass-not-allowed", "turn-empty"})


class DraftReading(Struct, frozen=True):
    """A draft with everything that follows from it.

    `places` of the turns in the draft, in the order of their numbers; `error`: the foot of the sheet cannot be
    judged yet. `doubts` is empty where nothing may be said about words.
    """

    draft: Draft
    sheet: Sheet
    places: tuple[int, ...]
    reading: SheetReading
    rows: tuple[TurnRow, ...]
    doubts: tuple[Doubt, ...]
    error: InputError | None = None

    @property
    def lines(self) -> tuple[ReplayedTurn, ...]:
        """The turns replayed."""
        return self.reading.judged.turns

    @property
    def accounts(self) -> tuple[Breakdown, ...]:
        """Where the points of both players come from."""
        return self.reading.accounts

    def number(self, place: int) -> int | None:
        """Return the number of the turn at a place, None if there is none to be read."""
        return self.places.index(place) + 1 if place in self.places else None

    def row(self, place: int) -> TurnRow | None:
        """Return the turn at a place."""
        number = self.number(place)
        return self.rows[number - 1] if number else None

    def issues_of_end(self) -> tuple[Issue, ...]:
        """Return what is wrong with the whole game, once its end is known."""
        if self.sheet.ended in {None, Ended.OPEN}:
            return ()
        return tuple(issue for issue in self.reading.judged.issues if issue.turn is None)


def understood(
    index: Index, game: Game, draft: Draft, *, form: int, tileset: TileSet, wordlist: WordList | None
) -> DraftReading:
    """Return a draft understood; `wordlist` None: words are not looked at."""
    tournament = index.tournament
    sheet, places = draft.legible(tileset)
    error_of_end: InputError | None = None
    try:
        reading = jury.reading(tournament, game.id, sheet, tileset, form=form)
    except InputError as error:
        error_of_end, sheet = error, replace(sheet, ended=Ended.OPEN, flag=None)
        reading = jury.reading(tournament, game.id, sheet, tileset, form=form)
    doubts: tuple[Doubt, ...] = ()
    if wordlist is not None:
        rulings = [ruling for item in index.sheets(game.id) if item.form == form for ruling in _kept(item, sheet)]
        lines = reading.judged.turns
        rulings += on_turns(game, sheet, lines, index.word_rulings(game.id))
        doubts = jury.doubts(sheet, lines, wordlist, tournament.rules_of(game), rulings).rows
    rows = jury.turns(sheet, reading.judged, doubts).rows if reading.judged.turns else ()
    return DraftReading(draft, sheet, places, reading, rows, doubts, error_of_end)


def _kept(stored: ScoreSheet, sheet: Sheet) -> list[TurnRuling]:
    """Return the rulings on turns that are still the same."""
    same = [one == two for one, two in zip(stored.sheet.turns, sheet.turns, strict=False)]
    return [ruling for ruling in stored.rulings if ruling.turn <= len(same) and same[ruling.turn - 1]]


def proposed_end(shown: DraftReading, tileset: TileSet | None, rules: RuleSet) -> Ended | None:
    """Return how the game must have ended, as far as that follows from the turns."""
    ends = rules.ending.ends
    last = next((line for line in reversed(shown.lines) if line.kind.is_turn), None)
    if tileset is None or last is None:
        return None
    row = [line.kind.value == "pass" for line in shown.lines[-2:]]
    if Ended.PASSES in ends and len(row) > 1 and all(row):
        return Ended.PASSES
    as_out = replace(shown.draft, end=replace(shown.draft.end, ended=Ended.OUT)).legible(tileset)[0]
    if jury.derived_rack(as_out, shown.lines, tileset) is not None and Ended.OUT in ends:
        return Ended.OUT
    return None


# --- cells


class TurnCell(Struct, frozen=True):
    """A turn as it is shown; `note` is what is wrong with it, in the colour `tone`, `more` all of that.

    `row` is that of the paper form. `struck`: found wrong; `computed`: the score is not written; `wide`: no place
    is kept for a square.
    """

    player: int
    row: int = 0
    square: str = ""
    word: str = ""
    score: str = ""
    total: str = ""
    note: str = ""
    tone: str = "red"
    more: str = ""
    struck: bool = False
    computed: bool = False
    wide: bool = False


class Heading(Struct, frozen=True):
    """What is above a column."""

    name: str
    total: str
    starts: bool


def cells(shown: DraftReading, catalogue: Catalogue, *, silent: bool = False) -> tuple[TurnCell, ...]:
    """Return the lines of a draft as cells; `silent`: nothing about words."""
    rows = shown.draft.rows()
    return tuple(
        replace(_cell(shown, at, entry, catalogue, silent=silent), row=rows[at])
        for at, entry in enumerate(shown.draft.entries)
    )


def headings(shown: DraftReading, *, starts_drawn: bool) -> tuple[Heading, ...]:
    """Return what is above the columns: names and scores so far."""
    return tuple(
        Heading(name, str(part.total), starts=number == 1 and starts_drawn)
        for number, (name, part) in enumerate(zip(shown.draft.players, shown.accounts, strict=True), 1)
    )


def _cell(shown: DraftReading, place: int, entry: DraftLine, catalogue: Catalogue, *, silent: bool) -> TurnCell:
    row = shown.row(place)
    if row is None or entry.turn is None:
        code, detail = entry.error
        note = catalogue.problem(code, {"detail": detail}) if code else ""
        tone = "amber" if code in MILD else "red"
        return TurnCell(entry.player, word=entry.text, note=note, more=note, tone=tone)
    line = shown.lines[row.line.number - 1]
    notes = _notes(row, catalogue, shown.draft.convention, silent=silent)
    tones = {tone for _, tone in notes}
    return TurnCell(
        player=entry.player,
        square=square(entry.turn, line, shown.draft),
        word=said(entry.turn, catalogue),
        score=_score(row, entry.turn),
        total=str(row.line.total),
        note=notes[0][0] + (f"  (+{len(notes) - 1})" if len(notes) > 1 else "") if notes else "",
        tone="red" if "red" in tones else "amber",
        more="\n".join(note for note, _ in notes),
        struck=row.phony and not silent,
        computed=row.line.stated is None,
        wide=row.line.kind is not TurnKind.PLAY and not entry.turn.at,
    )


def _notes(row: TurnRow, catalogue: Catalogue, convention: Convention, *, silent: bool) -> list[tuple[str, str]]:
    mild = [issue for issue in row.issues if issue.code in MILD]
    wrong = [issue for issue in row.issues if issue.code not in MILD]
    notes = [(catalogue.problem(issue.code, facts_of(issue, convention)), "red") for issue in wrong]
    if not silent:
        if row.phony:
            notes.append((catalogue.text("Found wrong by the jury"), "red"))
        notes += [(doubt_said(doubt, catalogue), "amber") for doubt in row.doubts if doubt.is_open]
    return notes + [(catalogue.problem(issue.code, facts_of(issue, convention)), "amber") for issue in mild]


def doubt_said(doubt: Doubt, catalogue: Catalogue) -> str:
    """Return what is in doubt, and what it would cost."""
    text, facts = catalogue.text, {"word": doubt.word, "state": doubt.state}
    if not doubt.cost:
        return text("{word}: {state:code}", **facts)
    return text("{word}: {state:code}, would cost {cost}", cost=doubt.cost, **facts)


def _score(row: TurnRow, turn: Turn) -> str:
    if row.line.stated is None:
        return str(row.line.score) if turn.kind is TurnKind.PLAY else ""
    return str(row.line.stated)


def square(turn: Turn, line: ReplayedTurn, draft: Draft) -> str:
    """Return where a turn's word begins, with the direction that the board shows where none was written."""
    if turn.at is None:
        return ""
    if line.play is not None and line.play.words and turn.at.endswith("?"):
        direction = line.play.words[0].at.direction
        at = coordinates.read(turn.at)._replace(direction=direction)
        return coordinates.write(at, draft.convention)
    return turn_line.square(turn.at, draft.convention)


def said(turn: Turn, catalogue: Catalogue) -> str:
    """Return a turn in words, without its figures."""
    match turn.kind:
        case TurnKind.PLAY:
            text = turn.word or "–"
        case TurnKind.EXCHANGE if turn.tiles:
            text = catalogue.text("exchange of {n}", n=turn.tiles)
        case TurnKind.WITHDRAWN if turn.word:
            text = f"{turn.word}, {catalogue.code(turn.kind)}"
        case TurnKind.FAILED_CHALLENGE if turn.words > 1:
            text = f"{catalogue.code(turn.kind)} × {turn.words}"
        case _:
            text = catalogue.code(turn.kind)
    if turn.contested is not None:
        text = catalogue.text("{turn}, for {contested}", turn=text, contested=turn.contested or "…")
    return text


def account_said(part: Breakdown, rules: RuleSet, catalogue: Catalogue) -> str:
    """Return the parts that a score adds up from: `turns 490 · wrong words −50 · racks +4`.

    Where racks have pegs, the holes that show the total follow: `pegs 22 × 20 + 4`.
    """
    names = ("turns", "phonies", "challenges", "racks", "sanctions", "overtime")
    columns: Mapping[str, int] = {name: getattr(part, name) for name in names}
    parts = [
        f"{catalogue.code(f'account-{name}')} {value if name == 'turns' else catalogue.signed(value)}"
        for name, value in columns.items()
        if value or name == "turns"
    ]
    row = rules.form.peg_row
    if row and part.total >= 0:
        upper, lower = pegs(part.total, row)
        parts.append(catalogue.text("pegs {upper} × {row} + {lower}", upper=upper, row=row, lower=lower))
    return "  ·  ".join(parts)


# --- the board


def board_at(shown: DraftReading, place: int) -> tuple[Board, tuple[tuple[int, int], ...], bool]:
    """Return the board after the turn at a place, its new squares, and whether that is the whole board."""
    number = next((n for n, known in enumerate(shown.places, 1) if known >= place), len(shown.places) + 1)
    here = shown.number(place)
    board = jury.board_before(shown.lines, number)
    if board is None:
        return _last_known(shown.lines[: number - 1]), (), False
    play = shown.lines[here - 1].play if here else None
    if play is None:
        known = here is None or shown.lines[here - 1].kind is not TurnKind.PLAY
        return board, (), known
    new = tuple((row, column) for row, column, _ in play.placement.tiles)
    return board.lay(play.placement.tiles), new, True


def _last_known(lines: Sequence[ReplayedTurn]) -> Board:
    """Return the board as far as it is known."""
    for number in range(len(lines), 0, -1):
        board = jury.board_before(lines, number)
        if board is not None:
            return board
    return Board()


class DoubtCounts:
    """How much is in doubt on kept sheets; a sheet is judged once for each word list."""

    def __init__(self) -> None:
        self._known: dict[SheetId, tuple[tuple[object, ...], frozenset[int]]] = {}

    def of(self, index: Index, form: ScoreSheet, tileset: TileSet, wordlist: WordList | None) -> frozenset[int]:
        """Return the turns with something wrong, or a word without a ruling that the list does not vouch for.

        The whole game counts as turn 0; without a list no word is in doubt.
        """
        about = (form, wordlist.edition if wordlist is not None else None, index.word_rulings(form.game))
        known = self._known.get(form.id)
        if known is None or known[0] != about:
            known = self._known[form.id] = (about, self._turns(index, form, tileset, wordlist))
        return known[1]

    @staticmethod
    def _turns(index: Index, form: ScoreSheet, tileset: TileSet, wordlist: WordList | None) -> frozenset[int]:
        game, rules = index.tournament.games[form.game], index.tournament.rules_of(form)
        try:
            judged = judge(form.sheet, rules, tileset)
        except UserError:
            return frozenset({0})
        found = {issue.turn or 0 for issue in judged.issues if issue.code not in MILD}
        if wordlist is not None and judged.turns:
            ruled = (*form.rulings, *on_turns(game, form.sheet, judged.turns, index.word_rulings(game.id)))
            doubts = jury.doubts(form.sheet, judged.turns, wordlist, rules, ruled).rows
            found |= {doubt.turn for doubt in doubts if doubt.is_open}
        return frozenset(found)
