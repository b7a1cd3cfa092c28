"""Entry fees, and the prizes of a division: winners, shares and reasons.

The kinds rank and category use the standings. Other kinds use each player's best played game, without byes,
forfeits and spread caps. Lucky stiff and tuff luck are as in tsh: the lowest sum of a player's narrowest wins or
losses.

Equal players share the sum of their prizes. Remaining cents go to the first in the standings, one each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, groupby, pairwise
from operator import attrgetter
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.game_results import find_counting_form
from tdapp.domain.index import Index
from tdapp.domain.jury_rows import ScoreSheet
from tdapp.domain.model import Division, DivisionId, Fee, Player, PlayerId, Prize, PrizeKind, Scalar
from tdapp.domain.publishing import map_distinctly_named_players
from tdapp.domain.records import RoundRecord, compute_records
from tdapp.domain.ruleset import Worth
from tdapp.domain.standings import compute_standings, find_vacant_ranks
from tdapp.scrabble.sheet import Ruling, TurnKind

Facts = Mapping[str, Scalar]
BY_PLACE = frozenset({PrizeKind.RANK, PrizeKind.CATEGORY})


class PrizeWinner(Struct, frozen=True):
    """A player who gets a prize or a share of it."""

    player: Player
    share: int  # in hundredths of the currency
    code: str  # of the reason, with `facts` its text
    facts: Facts


class AwardedPrize(Struct, frozen=True):
    """A prize with its winners. Equal players share the total amount for their ranks."""

    prize: Prize
    winners: tuple[PrizeWinner, ...]
    first: int  # the first of the shared ranks
    last: int  # the last of the shared ranks
    pool: int  # total amount of the shared ranks, in hundredths of the currency
    vacant: bool = False  # both players forfeited the match for its rank

    @property
    def is_shared(self) -> bool:
        return len(self.winners) > 1


class PrizeCandidate(Struct, frozen=True):
    """A player who can win a prize, with the value that decides."""

    player: Player
    measure: tuple[int, ...]  # the lowest wins
    code: str
    facts: Facts
    place: int = 0  # rank, 0 for prizes without ranks


def split_player_categories(player: Player) -> tuple[str, ...]:
    return tuple(one for part in player.category.split(",") if (one := part.strip().casefold()))


def is_in_category(player: Player, category: str) -> bool:
    return not category.strip() or category.strip().casefold() in split_player_categories(player)


def list_categories(players: Iterable[Player]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for player in players:
        for part in player.category.split(","):
            if part.strip():
                found.setdefault(part.strip().casefold(), part.strip())
    return tuple(found[key] for key in sorted(found))


def compute_awards(index: Index, division: Division, after: int | None = None) -> tuple[AwardedPrize, ...]:
    listed = index.prizes(division.id)
    if not listed:
        return ()
    event = _PrizeData(index, division, after)
    given = (_award_prizes(prizes, event.list_candidates(prizes[0])) for prizes in _group_prizes(listed))
    found = {award.prize.id: award for some in given for award in some}
    vacant = find_vacant_ranks(compute_standings(index, division, after))
    for award in found.values() if vacant else ():
        if award.prize.kind is PrizeKind.RANK and award.prize.place in vacant and not award.winners:
            found = {**found, award.prize.id: replace(award, vacant=True)}
    return tuple(found[prize.id] for prize in listed)


def sum_payouts(awards: Iterable[AwardedPrize]) -> Mapping[PlayerId, int]:
    total: dict[PlayerId, int] = defaultdict(int)
    for award in awards:
        for winner in award.winners:
            total[winner.player.id] += winner.share
    return MappingProxyType(dict(total))


def split_amount(amount: int, count: int) -> tuple[int, ...]:
    """Split an amount into `count` shares that differ by at most 1. Larger shares come first."""
    share, odd = divmod(amount, count)
    return tuple(share + (place < odd) for place in range(count))


def _group_prizes(prizes: Iterable[Prize]) -> list[list[Prize]]:
    groups: dict[object, list[Prize]] = defaultdict(list)
    for prize in prizes:
        if prize.kind is PrizeKind.HAND:
            groups[prize.id].append(prize)
            continue
        kind = PrizeKind.RANK if prize.kind in BY_PLACE else prize.kind
        games = prize.games if kind in LUCK else None
        groups[kind, prize.category.strip().casefold(), games].append(prize)
    return list(groups.values())


def _award_prizes(prizes: Sequence[Prize], candidates: Sequence[PrizeCandidate]) -> list[AwardedPrize]:
    found = {prize.id: AwardedPrize(prize, (), prize.place, prize.place, 0) for prize in prizes}
    taken = 0
    for _, group in groupby(candidates, key=lambda one: one.measure):
        tied = tuple(group)
        first = max(taken + 1, tied[0].place)
        taken += len(tied)
        last = max(first, taken)
        won = sorted(
            (prize for prize in prizes if first <= prize.place <= last), key=lambda one: (one.place, one.position)
        )
        found |= {award.prize.id: award for award in _share_prizes_among_tied(won, tied, first, last)}
    return list(found.values())


def _share_prizes_among_tied(
    prizes: Sequence[Prize], tied: Sequence[PrizeCandidate], first: int, last: int
) -> list[AwardedPrize]:
    sums = accumulate((prize.amount for prize in prizes), initial=0)
    steps = pairwise(split_amount(total, len(tied)) for total in sums)
    pool = sum(prize.amount for prize in prizes)
    made = []
    for prize, (before, after) in zip(prizes, steps, strict=True):
        shares = [more - less for more, less in zip(after, before, strict=True)]
        winners = tuple(
            PrizeWinner(one.player, share, one.code, one.facts) for one, share in zip(tied, shares, strict=True)
        )
        made.append(AwardedPrize(prize, winners, first, last, pool))
    return made


LUCK: Mapping[PrizeKind, Worth] = {PrizeKind.LUCKY_STIFF: Worth.WIN, PrizeKind.TUFF_LUCK: Worth.LOSS}


class _PrizeData:
    def __init__(self, index: Index, division: Division, after: int | None) -> None:
        self._index = index
        self._table = [row for row in compute_standings(index, division, after) if not row.disqualified]
        self._records = compute_records(index, division, after)
        self._rounds = index.get_last_published(division.id, after)

    def list_candidates(self, prize: Prize) -> list[PrizeCandidate]:
        if prize.kind is PrizeKind.HAND:
            player = self._index.tournament.players.get(prize.player) if prize.player else None
            return [PrizeCandidate(player, (), "hand", {})] if player else []
        if prize.kind in BY_PLACE:
            return self._rank_category(prize.category)
        found = [
            self._make_prize_candidate(row.player, prize)
            for row in self._table
            if is_in_category(row.player, prize.category)
        ]
        return sorted((one for one in found if one), key=lambda one: one.measure)

    def _rank_category(self, category: str) -> list[PrizeCandidate]:
        known = {player for player, record in self._records.items() if any(entry.worth for entry in record)}
        rows = [row for row in self._table if is_in_category(row.player, category) and row.player.id in known]
        without = [row.rank for row in self._table if row.player.id not in known]
        code = "class-place" if category.strip() else "place"
        found = []
        first: dict[int, int] = {}  # equal players share their first rank
        for position, row in enumerate(rows, 1):
            place = first.setdefault(row.rank, position)
            if not category.strip():  # both players may have forfeited the match for a rank
                place = max(place, row.rank - sum(rank < row.rank for rank in without))
            facts: dict[str, Scalar] = {"place": place, "rank": row.rank, "category": category.strip()}
            facts |= {"wins": str(row.match_points), "spread": row.spread, "figures": row.format_values()}
            found.append(PrizeCandidate(row.player, (row.rank,), code, facts, place))
        return found

    def _make_prize_candidate(self, player: Player, prize: Prize) -> PrizeCandidate | None:
        record = [entry for entry in self._records[player.id] if entry.played]
        if prize.kind in LUCK:
            return _sum_narrowest_margins(player, record, LUCK[prize.kind], min(prize.games, max(self._rounds, 1)))
        if prize.kind is PrizeKind.HIGH_PLAY:
            return self._make_high_play_candidate(player, record)
        eligible, measure = GAMES[prize.kind]
        games = [entry for entry in record if eligible(entry)]
        if not games:
            return None
        best = max(games, key=measure)  # the first of equal turns
        return PrizeCandidate(player, (-measure(best),), prize.kind.value, self._make_facts_of_game(best))

    def _make_facts_of_game(self, entry: RoundRecord) -> Facts:
        named = map_distinctly_named_players(self._index)
        return {
            "round": entry.round,
            "opponent": " · ".join(named[one].name for one in entry.met_players),
            "points": entry.points,
            "against": entry.opponent_points if entry.opponent else None,
            "margin": entry.margin,
        }

    def _make_high_play_candidate(self, player: Player, record: Sequence[RoundRecord]) -> PrizeCandidate | None:
        best: tuple[int, RoundRecord, str] | None = None
        for entry in record:
            play = find_high_play(self._index, player.id, entry)
            if play is not None and (best is None or play[0] > best[0]):
                best = (play[0], entry, play[1])
        if best is None:
            return None
        score, entry, word = best
        return PrizeCandidate(
            player, (-score,), "high-play", {"score": score, "word": word, **self._make_facts_of_game(entry)}
        )


def _sum_narrowest_margins(
    player: Player, record: Iterable[RoundRecord], worth: Worth, games: int
) -> PrizeCandidate | None:
    margins = sorted(abs(one.margin) for one in record if one.worth is worth and _is_decided_by_points(one))[
        :games
    ]
    if len(margins) < games:
        return None
    code = "lucky-stiff" if worth is Worth.WIN else "tuff-luck"
    facts: dict[str, Scalar] = {"sum": sum(margins), "margins": " + ".join(map(str, margins)), "games": games}
    return PrizeCandidate(player, (sum(margins),), code, facts)


def find_high_play(index: Index, player: PlayerId, entry: RoundRecord) -> tuple[int, str] | None:
    """Return score and word of a player's highest valid turn in a game.

    Return None without a finished score sheet.
    """
    if entry.game is None:
        return None
    sheet = find_counting_form(index.sheets(entry.game))
    if sheet is None:
        return None
    turns = _list_plays_of_player(sheet, 1 if index.tournament.games[entry.game].first == player else 2)
    return max(turns, key=lambda one: one[0], default=None)  # the first of equal turns


def _list_plays_of_player(item: ScoreSheet, player: int) -> Iterable[tuple[int, str]]:
    wrong = {ruling.turn for ruling in item.rulings if ruling.phony}
    for number, turn in enumerate(item.sheet.turns, 1):
        valid = turn.ruling is not Ruling.PHONY and number not in wrong
        if turn.player == player and turn.kind is TurnKind.PLAY and turn.score is not None and valid:
            yield turn.score, turn.word or ""


def _is_decided_by_points(entry: RoundRecord) -> bool:
    return bool(entry.met_players) and (entry.margin > 0 if entry.worth is Worth.WIN else entry.margin < 0)


def _get_points_of_round(entry: RoundRecord) -> int:
    return entry.points or 0


GAMES: Mapping[PrizeKind, tuple[Callable[[RoundRecord], bool], Callable[[RoundRecord], int]]] = {
    PrizeKind.HIGH_GAME: (lambda _entry: True, _get_points_of_round),
    PrizeKind.HIGH_LOSS: (lambda entry: entry.worth is Worth.LOSS, _get_points_of_round),
    PrizeKind.BIG_WIN: (
        lambda entry: entry.worth is Worth.WIN and _is_decided_by_points(entry),
        attrgetter("margin"),
    ),
}


class FeeTotals(Struct, frozen=True):
    """Totals of entry fees, in hundredths of the currency."""

    due: int = 0
    paid: int = 0
    missing: int = 0
    owing: int = 0  # number of players


def compute_full_fee(index: Index, player: Player) -> int:
    found = find_fee(index, player)
    return 0 if found is None else found.amount


def find_fee(index: Index, player: Player) -> Fee | None:
    fees = {fee.category.casefold(): fee for fee in index.fees(player.division)}
    return fees.get(player.category.casefold(), fees.get(""))


def compute_amount_due(index: Index, player: Player) -> int:
    """Return the fee due in hundredths of the currency. A withdrawn player owes only what was already paid."""
    return player.paid if index.has_withdrawn(player.id) else compute_full_fee(index, player)


def compute_fee_totals(index: Index, divisions: Iterable[DivisionId]) -> FeeTotals:
    """Return the totals of entry fees. Overpayments do not reduce the missing amount."""
    players = [player for division in divisions for player in index.players(division)]
    owed = [(compute_amount_due(index, player), player.paid) for player in players]
    missing = [max(0, one - paid) for one, paid in owed]
    return FeeTotals(
        due=sum(one for one, _ in owed),
        paid=sum(paid for _, paid in owed),
        missing=sum(missing),
        owing=sum(map(bool, missing)),
    )


def has_fees(index: Index, division: DivisionId) -> bool:
    return bool(index.fees(division)) or any(player.paid for player in index.players(division))
