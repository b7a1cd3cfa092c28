"""The bracket of a knockout as a drawing: parts, matches and pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from tdapp.domain import bracket as brackets
from tdapp.domain.elimination import BracketPart, MatchNode, SlotSource, name_matches
from tdapp.domain.index import Index
from tdapp.domain.matches import Match, SeriesVerdict, compute_stage_round
from tdapp.domain.model import Division, DivisionId, GameId, PlayerId, Stage, Start
from tdapp.domain.outcome import DecidedBy, Decision, decide_game
from tdapp.domain.systems import get_system

_FINALS = frozenset({BracketPart.FINAL, BracketPart.RESET})


class BracketGame(Struct, frozen=True):
    """A game of a match.

    `decision` is from the view of side 0, None while the game is open.
    """

    id: GameId
    round: int
    table: int
    points: tuple[int | None, int | None]
    first: int | None
    status: str
    decision: Decision | None = None

    @property
    def decided_by(self) -> DecidedBy | None:
        return self.decision.reason if self.decision is not None else None


class MatchSlot(Struct, frozen=True):
    """One of the two players of a match, empty if no player comes.

    `came` is where the player comes from: "winner/semifinal/1", or "place/1/7" (rank 1 after round 7).
    """

    player: PlayerId | None
    number: int | None
    name: str
    seed: int | None
    won: bool
    score: Fraction | None
    came: str
    withdrawn: bool = False
    disqualified: bool = False


class MatchBox(Struct, frozen=True):
    """A match in the drawing. `column` counts from 0, and `row` is the height of its middle, in rows.

    - `spread` is the distance between matches of its column, in rows.
    - `rounds` are the first and the last round. `next` is the key of the winner's next match, or "".
    - `outdated`: after the pairing a result changed, so that a player is missing.
    """

    key: str
    name: str
    part: BracketPart
    turn: int
    match: int
    column: int
    row: float
    spread: int
    sides: tuple[MatchSlot, MatchSlot]
    games: tuple[BracketGame, ...]
    rounds: tuple[int, int]
    bye: bool
    needed: bool
    decided: bool
    level: bool
    outdated: bool
    open: bool
    next: str
    decider: str = ""


class BracketTree(Struct, frozen=True):
    """A part of a bracket."""

    title: str
    places: tuple[int, int]
    columns: int
    rows: int
    boxes: tuple[MatchBox, ...]


def find_shown_knockout(index: Index, division: DivisionId) -> Stage | None:
    """Return the knockout stage to show: the last begun, otherwise the first planned."""
    stages = [stage for stage in index.stages(division) if get_system(stage).is_knockout]
    started = [stage for stage in stages if index.first_round(stage.id) <= len(index.rounds(division))]
    return started[-1] if started else stages[0] if stages else None


def build_bracket_trees(index: Index, stage: Stage, *, foreseen: bool = False) -> tuple[BracketTree, ...]:
    """Return the parts of a knockout, the main part first.

    Slots of unknown players show ranks, or with `foreseen` the players who have them now.
    """
    maker = _TreeBuilder(index, stage, foreseen=foreseen)
    groups: dict[tuple[int, int], list[int]] = {}
    for at, match in enumerate(maker.matches):
        groups.setdefault(_get_group_key(match.node), []).append(at)
    return tuple(_make_tree(maker, groups[key]) for key in sorted(groups))


_ORDER = (
    BracketPart.WINNERS,
    BracketPart.LOSERS,
    BracketPart.FINAL,
    BracketPart.RESET,
    BracketPart.THIRD,
    BracketPart.PLACES,
    BracketPart.CONSOLATION,
)


def _get_group_key(node: MatchNode) -> tuple[int, int]:
    part = BracketPart.FINAL if node.part in _FINALS else node.part
    return _ORDER.index(part), node.top


def _make_tree(maker: _TreeBuilder, positions: Sequence[int]) -> BracketTree:
    nodes = [maker.matches[at].node for at in positions]
    begins = min(node.round for node in nodes) if nodes[0].part is not BracketPart.FINAL else 1
    boxes = tuple(maker.make_box(at, begins) for at in positions)
    part = nodes[0].part
    title = "single" if part is BracketPart.WINNERS and maker.alone else part.value
    last = nodes[0].top + max(node.round_size for node in nodes) - 1
    rows = max(int(box.row + 0.5) for box in boxes)
    return BracketTree(title, (nodes[0].top, last), 1 + max(box.column for box in boxes), rows, boxes)


class _TreeBuilder:
    def __init__(self, index: Index, stage: Stage, *, foreseen: bool) -> None:
        self._index, self._stage = index, stage
        self._hides_names = not foreseen and brackets.can_stage_players_change(index, stage)
        self.matches = brackets.build_bracket(index, stage)
        self._outdated = {match.key for match, _, _ in brackets.find_outdated_matches(index, stage, self.matches)}
        self._called = name_matches([match.node for match in self.matches])
        self._seeds = {player: seed for seed, player in brackets.map_players_by_seed(index, stage).items()}
        rounds = index.rounds(stage.division)
        playing = any(index.open_tables(item.id) for item in rounds)
        self._coming = None if playing else len(rounds) + 1
        self._next_round = index.get_last_published(stage.division) + 1
        self.alone = not any(match.node.part in {BracketPart.LOSERS, BracketPart.FINAL} for match in self.matches)
        self._next = {
            feed.at: match
            for match in self.matches
            for feed in match.node.feeds
            if feed is not None and feed.via is SlotSource.WINNER
        }

    def make_box(self, at: int, begins: int) -> MatchBox:
        match = self.matches[at]
        node, series = match.node, self._stage.settings.series
        first = self._index.first_round(self._stage.id) - 1
        begin = first + compute_stage_round(node.turn, 1, series)
        both = None not in match.players and not match.decided
        column = 1 if node.part is BracketPart.RESET else node.round - begins
        spread = _compute_row_distance(node, begins)
        after = self._next.get(at)
        return MatchBox(
            key=match.key,
            name=self._called[at],
            part=node.part,
            turn=node.turn,
            match=node.match,
            column=column,
            row=(node.number - 0.5) * spread,
            spread=spread,
            sides=(self._make_slot(match, 0), self._make_slot(match, 1)),
            games=tuple(self._make_games(match)),
            rounds=(begin, first + compute_stage_round(node.turn, series, series)),
            bye=match.bye,
            needed=match.needed,
            decided=match.decided,
            level=match.score.verdict is SeriesVerdict.LEVEL,
            outdated=match.key in self._outdated,
            open=both and (bool(match.games) or begin == self._coming),
            next=after.key if after is not None and _get_group_key(after.node) == _get_group_key(node) else "",
            decider=brackets.find_tie_decision(self._index, self._stage, match),
        )

    def _make_slot(self, match: Match, at: int) -> MatchSlot:
        player, feed = match.players[at], match.node.feeds[at]
        row = self._index.tournament.players.get(player) if player else None
        came = ""
        if feed is not None and feed.via is not SlotSource.SEED:
            came = f"{'winner' if feed.via is SlotSource.WINNER else 'loser'}/{self._called[feed.at]}"
        settled = match.decided or match.bye
        if player is not None and self._hides_names:
            seed = self._seeds[player]
            came = f"place/{seed}/{self._index.first_round(self._stage.id) - 1}"
            return MatchSlot(None, None, "", seed, won=False, score=None, came=came)
        return MatchSlot(
            player=player,
            number=row.number if row else None,
            name=row.name if row else "",
            seed=self._seeds.get(player) if player else None,
            won=player is not None and player == match.winner,
            score=Fraction(match.score.halves[at], 2) if self._stage.settings.series > 1 and player else None,
            came="" if settled and player is None else came,
            withdrawn=player is not None and self._index.has_withdrawn_in_round(player, self._next_round),
            disqualified=player is not None and self._index.is_disqualified(player),
        )

    def _make_games(self, match: Match) -> Iterator[BracketGame]:
        for game_id in match.games:
            game = self._index.tournament.games[game_id]
            result = self._index.result(game_id)
            points = (result.first, result.second) if result else (None, None)
            turned, decision = game.first != match.players[0], decide_game(self._index, game)
            yield BracketGame(
                id=game_id,
                round=self._index.tournament.rounds[game.round].number,
                table=game.table,
                points=points[::-1] if turned else points,
                first=None if game.start is Start.DRAW else int(turned),
                status=result.status if result else "open",
                decision=decision.swapped if turned and decision is not None else decision,
            )


def _compute_row_distance(node: MatchNode, begins: int) -> int:
    if node.part in _FINALS:
        return 1
    if node.part is BracketPart.LOSERS:
        return 1 << ((node.round - 1) // 2 - (begins - 1) // 2)
    return 1 << (node.round - begins)


COLUMNS = 3  # rounds on a page
MATCHES = 4  # matches in the first column
_HAIR = 1e-6  # tolerance: keep a match in the middle of four on their page


class PageMatch(Struct, frozen=True):
    """A match on a page: its column from 0, its middle in rows from the top."""

    box: MatchBox
    column: int
    row: float


class TreePage(Struct, frozen=True):
    """The part of a drawing on one page. `height` is in rows."""

    title: str
    places: tuple[int, int]
    columns: int
    height: float
    twigs: tuple[PageMatch, ...]


def build_bracket_pages(index: Index, division: Division) -> tuple[TreePage, ...]:
    stage = find_shown_knockout(index, division.id)
    found = [branch for tree in build_bracket_trees(index, stage) for branch in _cut_tree(tree)] if stage else []
    live = [branch for branch in found if not all(twig.box.decided or twig.box.bye for twig in branch.twigs)]
    ends = {(branch.title, branch.places): branch for branch in found}
    return tuple(live or ends.values())


def _cut_tree(tree: BracketTree) -> Iterator[TreePage]:
    boxes = [box for box in tree.boxes if box.needed or box.games]
    last = max((box.column for box in boxes), default=-1)
    columns = [range(begin, begin + COLUMNS) for begin in range(0, max(1, last), COLUMNS - 1)]
    for spread, twigs in cut_bracket_pages(boxes, columns, MATCHES):
        used = max(twig.row + twig.box.spread / spread / 2 for twig in twigs)
        height = min(max(used, MATCHES / 2), MATCHES)
        yield TreePage(tree.title, tree.places, 1 + max(twig.column for twig in twigs), height, twigs)


def cut_bracket_pages(
    boxes: Sequence[MatchBox], columns: Iterable[range], most: int
) -> Iterator[tuple[int, tuple[PageMatch, ...]]]:
    """Yield each page's row distance and matches, with at most `most` matches in its first column."""
    for inside in columns:
        pages: dict[int, list[PageMatch]] = {}
        here = [box for box in boxes if box.column in inside]
        spread = min((box.spread for box in here), default=1)
        for box in here:
            page = int(box.row / spread / most - _HAIR)
            pages.setdefault(page, []).append(
                PageMatch(box, box.column - inside.start, box.row / spread - page * most)
            )
        yield from ((spread, tuple(pages[page])) for page in sorted(pages))
