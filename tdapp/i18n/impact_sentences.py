"""What a correction means, in a director's words: short sentences, the weightiest first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from tdapp.domain.impact import Impact, RankChange, StalePrintout, WinnerChange
from tdapp.domain.model import Player, PlayerId
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing.hindsight import RoundDifference

MOST_RANKS = 3  # players who are named
MOST_LEADERS = 3
_BETWEEN = " · "  # names hold commas
Players = Mapping[PlayerId, Player]


def impact(
    found: Impact, players: Players, words: Catalogue, *, first: Collection[PlayerId] = ()
) -> tuple[str, ...]:
    """Return winners and first place, ranks, papers that change; of the ranks those of `first` are named first."""
    heads = [_winner(change, players, words) for change in found.winners]
    if found.new_leader:
        heads.append(_leaders(found, players, words))
    said = [_BETWEEN.join(heads)] if heads else []
    said.append(_ranks(found, players, words, first))
    if found.papers:
        papers = ", ".join(_paper(paper, words) for paper in found.papers)
        said.append(words.text("If printed, no longer right: {papers}", papers=papers))
    return tuple(said)


def hindsight(found: Sequence[RoundDifference], players: Players, words: Catalogue) -> str:
    """Return how later rounds would have been paired: the next one in numbers, the others by name."""
    if not found:
        return words.text("Later rounds would have been paired the same")
    parts = [_next_round(found[0], words), _others(found[1:], words), *_byes(found, players, words)]
    return _BETWEEN.join(filter(None, parts))


def _winner(change: WinnerChange, players: Players, words: Catalogue) -> str:
    facts: dict[str, object] = {"round": change.round, "table": change.table}
    if change.after is None:
        before = players[change.before].name if change.before else ""
        return words.text("Round {round}, table {table}: {before} no longer wins", before=before, **facts)
    after = players[change.after].name
    if change.before is None:
        return words.text("Round {round}, table {table}: {after} wins", after=after, **facts)
    before = players[change.before].name
    return words.text(
        "Round {round}, table {table}: {after} wins, not {before}", after=after, before=before, **facts
    )


def _leaders(found: Impact, players: Players, words: Catalogue) -> str:
    def named(who: Sequence[PlayerId]) -> str:
        names = _BETWEEN.join(players[one].name for one in who[:MOST_LEADERS])
        more = len(who) - MOST_LEADERS
        return names if more <= 0 else names + " " + words.text("and {n} more", n=more)

    return words.text("First place: {now} instead of {before}", now=named(found.leads), before=named(found.led))


def _ranks(found: Impact, players: Players, words: Catalogue, first: Collection[PlayerId]) -> str:
    if not found.ranks:
        return words.text("No rank changes")
    listed = sorted(found.ranks, key=lambda change: change.player not in first)
    named = _BETWEEN.join(_rank(change, players, words) for change in listed[:MOST_RANKS])
    more = len(listed) - MOST_RANKS
    if more > 0:
        named += _BETWEEN + words.text("and {n} more", n=more)
    return words.text("Rank after round {round}: {players}", round=found.last, players=named)


def _rank(change: RankChange, players: Players, words: Catalogue) -> str:
    name = players[change.player].name
    if change.after is None:
        return words.text("{player}: no longer listed", player=name)
    if change.before is None:
        return words.text("{player}: {rank}", player=name, rank=change.after)
    return words.text("{player}: {now} instead of {before}", player=name, now=change.after, before=change.before)


def _paper(paper: StalePrintout, words: Catalogue) -> str:
    rounds, n = words.numbers(paper.rounds), len(paper.rounds)
    if paper.report == "standings":
        return words.plural("standings after round {rounds}", "standings after rounds {rounds}", n, rounds=rounds)
    return words.plural("results of round {rounds}", "results of rounds {rounds}", n, rounds=rounds)


def _next_round(found: RoundDifference, words: Catalogue) -> str:
    if not found.tables:
        return ""
    if found.draft:
        return words.plural(
            "{n} table of the draft of round {round} would be paired differently: pair it again",
            "{n} tables of the draft of round {round} would be paired differently: pair it again",
            found.tables,
            round=found.round,
        )
    return words.plural(
        "{n} table of round {round} would have been paired differently",
        "{n} tables of round {round} would have been paired differently",
        found.tables,
        round=found.round,
    )


def _others(found: Sequence[RoundDifference], words: Catalogue) -> str:
    changed = [one.round for one in found if one.tables]
    if not changed:
        return ""
    return words.plural(
        "so would round {rounds}", "so would rounds {rounds}", len(changed), rounds=words.numbers(changed)
    )


def _byes(found: Sequence[RoundDifference], players: Players, words: Catalogue) -> list[str]:
    return [
        words.text(
            "the bye of round {round} would have gone to {instead}, not {had}",
            round=one.round,
            instead=players[one.instead].name,
            had=players[one.had].name,
        )
        for one in found
        if one.had and one.instead and one.had != one.instead
    ]
