"""Entry fees, and the prizes of a division: winners, shares and reasons.

Prizes of the kinds rank and category use the standings. Most other prizes use each player's best game, without
a spread cap. Byes and forfeits do not count.

Lucky stiff is a prize for narrow wins, tuff luck for narrow losses (as in the program tsh). Add each player's
narrowest margins (by default six). The lowest sum wins.

Equal players share the sum of their prizes. Cents left over go to the first in the standings, one cent each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, groupby, pairwise
from operator import attrgetter
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.game_results import find_decisive_sheet
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import ScoreSheet
from tdapp.domain.model import Division, DivisionId, EntryFee, Player, PlayerId, Prize, PrizeKind, Scalar
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.records import RoundRecord, compute_records
from tdapp.domain.ruleset import Outcome
from tdapp.domain.standings import compute_standings, find_ranks_vacant_by_double_forfeit
from tdapp.scrabble.sheet import Ruling, TurnKind

Facts = Mapping[str, Scalar]
RANKED_KINDS = frozenset({PrizeKind.RANK, PrizeKind.CATEGORY})


class PrizeWinner(Struct, frozen=True):
    """A player who gets a prize or a share of it."""

    player: Player
    share: int  # in hundredths of the currency
    code: str  # of the reason; `facts` are the values in its text
    facts: Facts


class AwardedPrize(Struct, frozen=True):
    """A prize with its winners. Equal players share the total amount for their ranks."""

    prize: Prize
    winners: tuple[PrizeWinner, ...]
    first: int  # of the shared ranks
    last: int  # of the shared ranks
    pool: int  # total amount of the shared ranks, in hundredths of the currency
    vacant: bool = False  # both players forfeited the match for its rank

    @property
    def is_shared(self) -> bool:
        return len(self.winners) > 1


class PrizeCandidate(Struct, frozen=True):
    """A player who can win a prize."""

    player: Player
    measure: tuple[int, ...]  # the candidate with the lowest wins
    code: str
    facts: Facts
    rank: int = 0  # 0 for prizes without ranks


def split_player_categories(player: Player) -> tuple[str, ...]:
    return tuple(category for part in player.category.split(",") if (category := part.strip().casefold()))


def is_eligible_for_category(player: Player, category: str) -> bool:
    return not category.strip() or category.strip().casefold() in split_player_categories(player)


def list_categories(players: Iterable[Player]) -> tuple[str, ...]:
    categories: dict[str, str] = {}
    for player in players:
        for part in player.category.split(","):
            if part.strip():
                categories.setdefault(part.strip().casefold(), part.strip())
    return tuple(categories[key] for key in sorted(categories))


def compute_awarded_prizes(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> tuple[AwardedPrize, ...]:
    division_prizes = index.prizes(division.id)
    if not division_prizes:
        return ()
    data = _PrizeCandidateFinder(index, division, after_round)
    award_groups = (
        _award_prizes(prizes, data.list_candidates(prizes[0]))
        for prizes in _group_prizes_awarded_together(division_prizes)
    )
    awards = {award.prize.id: award for group in award_groups for award in group}
    vacant_ranks = find_ranks_vacant_by_double_forfeit(compute_standings(index, division, after_round))
    for award in awards.values() if vacant_ranks else ():
        if award.prize.kind is PrizeKind.RANK and award.prize.place in vacant_ranks and not award.winners:
            awards = {**awards, award.prize.id: replace(award, vacant=True)}
    return tuple(awards[prize.id] for prize in division_prizes)


def sum_payouts(awards: Iterable[AwardedPrize]) -> Mapping[PlayerId, int]:
    total: dict[PlayerId, int] = defaultdict(int)
    for award in awards:
        for winner in award.winners:
            total[winner.player.id] += winner.share
    return MappingProxyType(dict(total))


def split_amount_into_equal_shares(amount: int, count: int) -> tuple[int, ...]:
    """Split an amount into `count` shares that differ by at most 1. Larger shares come first."""
    share, remainder = divmod(amount, count)
    return tuple(share + (position < remainder) for position in range(count))


def _group_prizes_awarded_together(prizes: Iterable[Prize]) -> list[list[Prize]]:
    groups: dict[object, list[Prize]] = defaultdict(list)
    for prize in prizes:
        if prize.kind is PrizeKind.HAND:
            groups[prize.id].append(prize)
            continue
        kind = PrizeKind.RANK if prize.kind in RANKED_KINDS else prize.kind
        games = prize.games if kind in LUCK_PRIZES else None
        groups[kind, prize.category.strip().casefold(), games].append(prize)
    return list(groups.values())


def _award_prizes(prizes: Sequence[Prize], candidates: Sequence[PrizeCandidate]) -> list[AwardedPrize]:
    awards = {prize.id: AwardedPrize(prize, (), prize.place, prize.place, 0) for prize in prizes}
    candidate_count = 0
    for _, group in groupby(candidates, key=lambda candidate: candidate.measure):
        tied_candidates = tuple(group)
        first = max(candidate_count + 1, tied_candidates[0].rank)
        candidate_count += len(tied_candidates)
        last = max(first, candidate_count)
        won_prizes = sorted(
            (prize for prize in prizes if first <= prize.place <= last),
            key=lambda prize: (prize.place, prize.position),
        )
        awards |= {
            award.prize.id: award
            for award in _share_prizes_among_tied_players(won_prizes, tied_candidates, first, last)
        }
    return list(awards.values())


def _share_prizes_among_tied_players(
    prizes: Sequence[Prize], candidates: Sequence[PrizeCandidate], first: int, last: int
) -> list[AwardedPrize]:
    sums = accumulate((prize.amount for prize in prizes), initial=0)
    steps = pairwise(split_amount_into_equal_shares(total, len(candidates)) for total in sums)
    pool = sum(prize.amount for prize in prizes)
    awards = []
    for prize, (before, after) in zip(prizes, steps, strict=True):
        shares = [upper - lower for upper, lower in zip(after, before, strict=True)]
        winners = tuple(
            PrizeWinner(candidate.player, share, candidate.code, candidate.facts)
            for candidate, share in zip(candidates, shares, strict=True)
        )
        awards.append(AwardedPrize(prize, winners, first, last, pool))
    return awards


LUCK_PRIZES: Mapping[PrizeKind, Outcome] = {PrizeKind.LUCKY_STIFF: Outcome.WIN, PrizeKind.TUFF_LUCK: Outcome.LOSS}


class _PrizeCandidateFinder:
    def __init__(self, index: TournamentIndex, division: Division, after_round: int | None) -> None:
        self._index = index
        self._table = [row for row in compute_standings(index, division, after_round) if not row.disqualified]
        self._records = compute_records(index, division, after_round)
        self._rounds = index.get_last_published_round_number(division.id, after_round)

    def list_candidates(self, prize: Prize) -> list[PrizeCandidate]:
        if prize.kind is PrizeKind.HAND:
            player = self._index.tournament.players.get(prize.player) if prize.player else None
            return [PrizeCandidate(player, (), "hand", {})] if player else []
        if prize.kind in RANKED_KINDS:
            return self._list_category_candidates(prize.category)
        candidates = [
            self._make_prize_candidate(row.player, prize)
            for row in self._table
            if is_eligible_for_category(row.player, prize.category)
        ]
        return sorted(
            (candidate for candidate in candidates if candidate), key=lambda candidate: candidate.measure
        )

    def _list_category_candidates(self, category: str) -> list[PrizeCandidate]:
        scored_players = {
            player for player, record in self._records.items() if any(entry.outcome for entry in record)
        }
        rows = [
            row
            for row in self._table
            if is_eligible_for_category(row.player, category) and row.player.id in scored_players
        ]
        unscored_ranks = [row.rank for row in self._table if row.player.id not in scored_players]
        code = "class-place" if category.strip() else "place"
        candidates = []
        first_ranks: dict[int, int] = {}  # equal players share their first rank
        for position, row in enumerate(rows, 1):
            prize_rank = first_ranks.setdefault(row.rank, position)
            if not category.strip():  # both players may have forfeited the match for a rank
                prize_rank = max(prize_rank, row.rank - sum(rank < row.rank for rank in unscored_ranks))
            facts: dict[str, Scalar] = {"place": prize_rank, "rank": row.rank, "category": category.strip()}
            facts |= {"wins": str(row.match_points), "spread": row.spread, "figures": row.join_tiebreak_values()}
            candidates.append(PrizeCandidate(row.player, (row.rank,), code, facts, prize_rank))
        return candidates

    def _make_prize_candidate(self, player: Player, prize: Prize) -> PrizeCandidate | None:
        record = [entry for entry in self._records[player.id] if entry.is_played]
        if prize.kind in LUCK_PRIZES:
            return _make_narrowest_margins_candidate(
                player, record, LUCK_PRIZES[prize.kind], min(prize.games, max(self._rounds, 1))
            )
        if prize.kind is PrizeKind.HIGH_PLAY:
            return self._make_high_play_candidate(player, record)
        is_eligible, measure = GAME_PRIZES[prize.kind]
        games = [entry for entry in record if is_eligible(entry)]
        if not games:
            return None
        best = max(games, key=measure)  # the first of equal turns
        return PrizeCandidate(player, (-measure(best),), prize.kind.value, self._make_facts_of_game(best))

    def _make_facts_of_game(self, entry: RoundRecord) -> Facts:
        players = map_players_with_distinct_names(self._index)
        return {
            "round": entry.round,
            "opponent": " · ".join(players[opponent].name for opponent in entry.met_players),
            "points": entry.points,
            "against": entry.opponent_points if entry.opponent else None,
            "margin": entry.point_difference,
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


def _make_narrowest_margins_candidate(
    player: Player, record: Iterable[RoundRecord], outcome: Outcome, games: int
) -> PrizeCandidate | None:
    margins = sorted(
        abs(entry.point_difference)
        for entry in record
        if entry.outcome is outcome and _is_decided_by_points(entry)
    )[:games]
    if len(margins) < games:
        return None
    code = "lucky-stiff" if outcome is Outcome.WIN else "tuff-luck"
    facts: dict[str, Scalar] = {"sum": sum(margins), "margins": " + ".join(map(str, margins)), "games": games}
    return PrizeCandidate(player, (sum(margins),), code, facts)


def find_high_play(index: TournamentIndex, player: PlayerId, entry: RoundRecord) -> tuple[int, str] | None:
    """Return score and word of a player's highest valid turn in a game.

    Return None without a finished score sheet.
    """
    if entry.game is None:
        return None
    sheet = find_decisive_sheet(index.sheets(entry.game))
    if sheet is None:
        return None
    plays = _list_scores_and_words_of_plays(sheet, 1 if index.tournament.games[entry.game].first == player else 2)
    return max(plays, key=lambda play: play[0], default=None)  # the first of equal turns


def _list_scores_and_words_of_plays(score_sheet: ScoreSheet, player: int) -> Iterable[tuple[int, str]]:
    phony_turns = {ruling.turn for ruling in score_sheet.rulings if ruling.phony}
    for number, turn in enumerate(score_sheet.sheet.turns, 1):
        is_valid = turn.ruling is not Ruling.PHONY and number not in phony_turns
        if turn.player == player and turn.kind is TurnKind.PLAY and turn.score is not None and is_valid:
            yield turn.score, turn.word or ""


def _is_decided_by_points(entry: RoundRecord) -> bool:
    return bool(entry.met_players) and (
        entry.point_difference > 0 if entry.outcome is Outcome.WIN else entry.point_difference < 0
    )


def _get_points_or_zero(entry: RoundRecord) -> int:
    return entry.points or 0


GAME_PRIZES: Mapping[PrizeKind, tuple[Callable[[RoundRecord], bool], Callable[[RoundRecord], int]]] = {
    PrizeKind.HIGH_GAME: (lambda _entry: True, _get_points_or_zero),
    PrizeKind.HIGH_LOSS: (lambda entry: entry.outcome is Outcome.LOSS, _get_points_or_zero),
    PrizeKind.BIG_WIN: (
        lambda entry: entry.outcome is Outcome.WIN and _is_decided_by_points(entry),
        attrgetter("point_difference"),
    ),
}


class FeeTotals(Struct, frozen=True):
    """Totals of entry fees, in hundredths of the currency."""

    due: int = 0
    paid: int = 0
    missing: int = 0
    debtor_count: int = 0


def compute_full_fee(index: TournamentIndex, player: Player) -> int:
    fee = find_entry_fee(index, player)
    return 0 if fee is None else fee.amount


def find_entry_fee(index: TournamentIndex, player: Player) -> EntryFee | None:
    fees = {fee.category.casefold(): fee for fee in index.fees(player.division)}
    return fees.get(player.category.casefold(), fees.get(""))


def compute_fee_due(index: TournamentIndex, player: Player) -> int:
    """Return the fee due in hundredths of the currency. For a withdrawn player it is the amount already paid."""
    return player.paid if index.has_withdrawn(player.id) else compute_full_fee(index, player)


def compute_fee_totals(index: TournamentIndex, divisions: Iterable[DivisionId]) -> FeeTotals:
    """Return the totals of entry fees. Overpayments do not reduce the missing amount."""
    players = [player for division in divisions for player in index.players(division)]
    amounts = [(compute_fee_due(index, player), player.paid) for player in players]
    missing = [max(0, due - paid) for due, paid in amounts]
    return FeeTotals(
        due=sum(due for due, _ in amounts),
        paid=sum(paid for _, paid in amounts),
        missing=sum(missing),
        debtor_count=sum(map(bool, missing)),
    )


def has_fees_or_payments(index: TournamentIndex, division: DivisionId) -> bool:
    return bool(index.fees(division)) or any(player.paid for player in index.players(division))
