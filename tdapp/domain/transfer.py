"""Preview the consequences of moving players to another division or merging divisions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tdapp.domain.attendance import Consequence, make_consequence
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, Player, RoundState
from tdapp.domain.tournament import Tournament


def assess_transfer(before: Tournament, after: Tournament) -> tuple[Consequence, ...]:
    """Return the consequences for moved players, drafts, forced pairings, prizes and division sizes."""
    old, new = Index(before), Index(after)
    found = [
        *_find_lost_drafts(old, after),
        *_count_games(old, new),
        *_find_new_numbers(before, after),
        *_count_lost_rows(before, after),
    ]
    found += [one for division in new.divisions for one in _count_players(old, new, division.id)]
    return tuple(sorted(found, key=lambda one: not one.attend))


def _find_lost_drafts(old: Index, after: Tournament) -> Iterator[Consequence]:
    for item in old.tournament.rounds.values():
        if item.state is RoundState.DRAFT and item.id not in after.rounds:
            code = old.division_of(item.id).code
            yield make_consequence("draft-gone", attend=True, round=item.number, division=code)


def _count_games(old: Index, new: Index) -> Iterator[Consequence]:
    before, after = old.tournament, new.tournament
    names = [player.name for key, player in after.players.items() if key not in before.players]
    if names:
        yield make_consequence("games-left", players="; ".join(names), n=len(names))
    both = [(game, after.games[key]) for key, game in before.games.items() if key in after.games]
    moved = sum(was.round != now.round for was, now in both)
    if moved:
        yield make_consequence("games-come", n=moved)
    others = {after.rules_of(now).name for was, now in both if before.rules_of(was) != after.rules_of(now)}
    if others:
        yield make_consequence("rules-other", attend=True, rules=", ".join(sorted(others)))
    for division in old.divisions:
        if division.id not in after.divisions and (missed := _count_missed_rounds(old, new, division.id)):
            yield make_consequence("rounds-missed", division=division.code, n=missed)


def _count_missed_rounds(old: Index, new: Index, division: DivisionId) -> int:
    into = next((new.tournament.players[player.id].division for player in old.players(division)), None)
    return old.latest(into) - old.latest(division) if into is not None else 0


def _find_new_numbers(before: Tournament, after: Tournament) -> Iterator[Consequence]:
    come: dict[DivisionId, list[Player]] = defaultdict(list)
    for key, player in after.players.items():
        if key not in before.players or before.players[key].division != player.division:
            come[player.division].append(player)
    for division, players in come.items():
        numbers = sorted(player.number for player in players)
        yield make_consequence(
            "numbers-new", division=after.divisions[division].code, numbers=numbers, n=len(numbers)
        )


def _count_lost_rows(before: Tournament, after: Tournament) -> Iterator[Consequence]:
    for code, kind in (("constraints-gone", "constraints"), ("prizes-gone", "prizes")):
        count = len(before.rows(kind)) - len(after.rows(kind))
        if count:
            yield make_consequence(code, n=count)


def _count_players(old: Index, new: Index, division: DivisionId) -> Iterator[Consequence]:
    number = new.latest(division) + 1

    def here(index: Index) -> int:
        return sum(index.absence(player.id, number) is None for player in index.players(division))

    if number > new.planned_rounds(division) or here(old) == here(new):
        return
    code = "field-odd" if here(new) % 2 else "field-even"
    yield make_consequence(code, division=new.tournament.divisions[division].code, round=number, n=here(new))
