"""The boxes and pages of a knockout bracket, for drawing it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from tdapp.domain import bracket as brackets
from tdapp.domain.elimination import BracketPart, MatchNode, MatchPlayerSourceKind, make_match_codes
from tdapp.domain.index import TournamentIndex
from tdapp.domain.matches import KnockoutMatchState, Match, compute_stage_round_number
from tdapp.domain.model import Division, DivisionId, GameId, PlayerId, Stage, StartDecision
from tdapp.domain.outcome import DecisionReason, GameDecision, find_game_decision
from tdapp.domain.systems import get_pairing_system

_FINALS = frozenset({BracketPart.FINAL, BracketPart.RESET})


class BracketGame(Struct, frozen=True):
    """A game of a match. `points` is in the order of the match's players."""

    id: GameId
    round: int
    table: int
    points: tuple[int | None, int | None]
    first: int | None  # side that starts: 0 or 1
    status: str
    decision: GameDecision | None = None

    @property
    def decided_by(self) -> DecisionReason | None:
        return self.decision.reason if self.decision is not None else None


class MatchSlot(Struct, frozen=True):
    """One side of a match."""

    player: PlayerId | None  # None if unknown, and for a bye
    number: int | None
    name: str
    seed: int | None
    won: bool
    score: Fraction | None
    origin: str  # "winner/semifinal/1", or "place/1/7" (rank 1 after round 7)
    withdrawn: bool = False
    disqualified: bool = False


class MatchBox(Struct, frozen=True):
    """A match in the drawing."""

    key: str
    name: str
    part: BracketPart
    bracket_round: int
    match: int
    column: int  # from 0
    row: float  # position of its middle from the top, in rows
    row_distance: int
    sides: tuple[MatchSlot, MatchSlot]
    games: tuple[BracketGame, ...]
    rounds: tuple[int, int]  # first and last round
    bye: bool
    needed: bool
    decided: bool
    level: bool
    outdated: bool  # a result changed after the pairing, so another player belongs in this match
    open: bool
    next: str  # key of the winner's next match, or ""
    decider: str = ""


class BracketTree(Struct, frozen=True):
    """A part of a bracket, such as the losers' bracket."""

    title: str
    places: tuple[int, int]
    columns: int
    rows: int
    boxes: tuple[MatchBox, ...]


def find_shown_knockout(index: TournamentIndex, division: DivisionId) -> Stage | None:
    """Return the knockout stage to show: the last started one, otherwise the first planned one."""
    stages = [stage for stage in index.stages(division) if get_pairing_system(stage).is_knockout]
    started_stages = [
        stage for stage in stages if index.get_first_round_number(stage.id) <= len(index.rounds(division))
    ]
    return started_stages[-1] if started_stages else stages[0] if stages else None


def build_bracket_trees(
    index: TournamentIndex, stage: Stage, *, show_current_players: bool = False
) -> tuple[BracketTree, ...]:
    """Return the parts of a knockout, the main part first.

    While the players of the knockout can still change, its slots show ranks in the standings instead of names.
    With `show_current_players` they show the players who have these ranks now.
    """
    builder = _MatchBoxBuilder(index, stage, show_current_players=show_current_players)
    groups: dict[tuple[int, int], list[int]] = {}
    for position, match in enumerate(builder.matches):
        groups.setdefault(_make_bracket_part_sort_key(match.node), []).append(position)
    return tuple(_make_bracket_tree(builder, groups[key]) for key in sorted(groups))


_ORDER = (
    BracketPart.WINNERS,
    BracketPart.LOSERS,
    BracketPart.FINAL,
    BracketPart.RESET,
    BracketPart.THIRD,
    BracketPart.PLACES,
    BracketPart.CONSOLATION,
)


def _make_bracket_part_sort_key(node: MatchNode) -> tuple[int, int]:
    part = BracketPart.FINAL if node.part in _FINALS else node.part
    return _ORDER.index(part), node.top


def _make_bracket_tree(builder: _MatchBoxBuilder, positions: Sequence[int]) -> BracketTree:
    nodes = [builder.matches[position].node for position in positions]
    first_round = min(node.round for node in nodes) if nodes[0].part is not BracketPart.FINAL else 1
    boxes = tuple(builder.make_match_box(position, first_round) for position in positions)
    part = nodes[0].part
    title = "single" if part is BracketPart.WINNERS and builder.is_single else part.value
    last_rank = nodes[0].top + max(node.round_size for node in nodes) - 1
    rows = max(int(box.row + 0.5) for box in boxes)
    return BracketTree(title, (nodes[0].top, last_rank), 1 + max(box.column for box in boxes), rows, boxes)


class _MatchBoxBuilder:
    def __init__(self, index: TournamentIndex, stage: Stage, *, show_current_players: bool) -> None:
        self._index, self._stage = index, stage
        self._hides_names = not show_current_players and brackets.are_stage_players_provisional(index, stage)
        self.matches = brackets.build_bracket(index, stage)
        self._outdated = {
            match.key for match, _, _ in brackets.find_matches_contradicting_results(index, stage, self.matches)
        }
        self._match_names = make_match_codes([match.node for match in self.matches])
        self._seeds = {player: seed for seed, player in brackets.map_players_by_seed(index, stage).items()}
        rounds = index.rounds(stage.division)
        has_open_tables = any(index.list_open_tables(item.id) for item in rounds)
        self._upcoming_round = None if has_open_tables else len(rounds) + 1
        self._next_round = index.get_last_published_round_number(stage.division) + 1
        self.is_single = not any(
            match.node.part in {BracketPart.LOSERS, BracketPart.FINAL} for match in self.matches
        )
        self._next_matches = {
            source.source_number: match
            for match in self.matches
            for source in match.node.player_sources
            if source is not None and source.via is MatchPlayerSourceKind.WINNER
        }

    def make_match_box(self, position: int, first_round: int) -> MatchBox:
        match = self.matches[position]
        node, series = match.node, self._stage.settings.series
        round_offset = self._index.get_first_round_number(self._stage.id) - 1
        start_round = round_offset + compute_stage_round_number(node.bracket_round, 1, series)
        has_both_players = None not in match.players and not match.is_decided
        column = 1 if node.part is BracketPart.RESET else node.round - first_round
        distance = _compute_row_distance(node, first_round)
        next_match = self._next_matches.get(position)
        return MatchBox(
            key=match.key,
            name=self._match_names[position],
            part=node.part,
            bracket_round=node.bracket_round,
            match=node.match,
            column=column,
            row=(node.number - 0.5) * distance,
            row_distance=distance,
            sides=(self._make_slot(match, 0), self._make_slot(match, 1)),
            games=tuple(self._make_bracket_games(match)),
            rounds=(start_round, round_offset + compute_stage_round_number(node.bracket_round, series, series)),
            bye=match.is_bye,
            needed=match.is_needed,
            decided=match.is_decided,
            level=match.score.verdict is KnockoutMatchState.LEVEL,
            outdated=match.key in self._outdated,
            open=has_both_players and (bool(match.games) or start_round == self._upcoming_round),
            next=next_match.key
            if next_match is not None
            and _make_bracket_part_sort_key(next_match.node) == _make_bracket_part_sort_key(node)
            else "",
            decider=brackets.find_decider_of_drawn_match(self._index, self._stage, match),
        )

    def _make_slot(self, match: Match, side: int) -> MatchSlot:
        player, source = match.players[side], match.node.player_sources[side]
        row = self._index.tournament.players.get(player) if player else None
        origin = ""
        if source is not None and source.via is not MatchPlayerSourceKind.SEED:
            source_result = "winner" if source.via is MatchPlayerSourceKind.WINNER else "loser"
            origin = f"{source_result}/{self._match_names[source.source_number]}"
        is_settled = match.is_decided or match.is_bye
        if player is not None and self._hides_names:
            seed = self._seeds[player]
            origin = f"place/{seed}/{self._index.get_first_round_number(self._stage.id) - 1}"
            return MatchSlot(None, None, "", seed, won=False, score=None, origin=origin)
        return MatchSlot(
            player=player,
            number=row.number if row else None,
            name=row.name if row else "",
            seed=self._seeds.get(player) if player else None,
            won=player is not None and player == match.winner,
            score=Fraction(match.score.halves[side], 2) if self._stage.settings.series > 1 and player else None,
            origin="" if is_settled and player is None else origin,
            withdrawn=player is not None and self._index.has_withdrawn_by_round(player, self._next_round),
            disqualified=player is not None and self._index.is_disqualified(player),
        )

    def _make_bracket_games(self, match: Match) -> Iterator[BracketGame]:
        for game_id in match.games:
            game = self._index.tournament.games[game_id]
            result = self._index.get_result(game_id)
            points = (result.first, result.second) if result else (None, None)
            is_swapped, decision = game.first != match.players[0], find_game_decision(self._index, game)
            yield BracketGame(
                id=game_id,
                round=self._index.tournament.rounds[game.round].number,
                table=game.table,
                points=points[::-1] if is_swapped else points,
                first=None if game.start is StartDecision.DRAW else int(is_swapped),
                status=result.status if result else "open",
                decision=decision.swapped if is_swapped and decision is not None else decision,
            )


def _compute_row_distance(node: MatchNode, first_round: int) -> int:
    if node.part in _FINALS:
        return 1
    if node.part is BracketPart.LOSERS:
        return 1 << ((node.round - 1) // 2 - (first_round - 1) // 2)
    return 1 << (node.round - first_round)


COLUMNS_PER_PAGE = 3  # rounds on a page
MATCHES_PER_COLUMN = 4  # matches in the first column
_TOLERANCE = 1e-6  # a match on the border of two pages belongs to the first


class MatchBoxOnPage(Struct, frozen=True):
    """A match on a page."""

    box: MatchBox
    column: int
    row: float  # position of its middle from the top, in rows


class BracketTreePage(Struct, frozen=True):
    """The matches of a bracket part on one page."""

    title: str
    places: tuple[int, int]
    columns: int
    height: float  # in rows
    matches: tuple[MatchBoxOnPage, ...]


def build_current_bracket_pages(index: TournamentIndex, division: Division) -> tuple[BracketTreePage, ...]:
    stage = find_shown_knockout(index, division.id)
    pages = (
        [page for tree in build_bracket_trees(index, stage) for page in _split_tree_into_pages(tree)]
        if stage
        else []
    )
    open_pages = [page for page in pages if not all(match.box.decided or match.box.bye for match in page.matches)]
    pages_by_part = {(page.title, page.places): page for page in pages}
    return tuple(open_pages or pages_by_part.values())


def _split_tree_into_pages(tree: BracketTree) -> Iterator[BracketTreePage]:
    boxes = [box for box in tree.boxes if box.needed or box.games]
    last_column = max((box.column for box in boxes), default=-1)
    columns = [
        range(start, start + COLUMNS_PER_PAGE) for start in range(0, max(1, last_column), COLUMNS_PER_PAGE - 1)
    ]
    for distance, matches in split_bracket_into_pages(boxes, columns, MATCHES_PER_COLUMN):
        used_height = max(match.row + match.box.row_distance / distance / 2 for match in matches)
        height = min(max(used_height, MATCHES_PER_COLUMN / 2), MATCHES_PER_COLUMN)
        yield BracketTreePage(tree.title, tree.places, 1 + max(match.column for match in matches), height, matches)


def split_bracket_into_pages(
    boxes: Sequence[MatchBox], column_ranges: Iterable[range], max_matches_per_column: int
) -> Iterator[tuple[int, tuple[MatchBoxOnPage, ...]]]:
    """Yield a row distance and the matches for each page of a drawing.

    The distance is the smallest `row_distance` of the boxes in the page's range of columns. Each range gets its
    own pages.
    """
    for columns in column_ranges:
        pages: dict[int, list[MatchBoxOnPage]] = {}
        column_boxes = [box for box in boxes if box.column in columns]
        distance = min((box.row_distance for box in column_boxes), default=1)
        for box in column_boxes:
            page = int(box.row / distance / max_matches_per_column - _TOLERANCE)
            pages.setdefault(page, []).append(
                MatchBoxOnPage(box, box.column - columns.start, box.row / distance - page * max_matches_per_column)
            )
        yield from ((distance, tuple(pages[page])) for page in sorted(pages))
