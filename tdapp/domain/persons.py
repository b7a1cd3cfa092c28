"""Find the same person among several players, also for events copied from another file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import combinations

from msgspec import Struct

from tdapp.domain.entries import can_be_same_person, normalise_name
from tdapp.domain.event_copies import CopiedPlayer
from tdapp.domain.index import Index
from tdapp.domain.model import CopiedEventId, PersonLink, Player, PlayerId, Season

_SHORTEST = 5  # letters of names that can differ by one letter
_WORD = 3  # letters of a word that two similar names share
_WORDS = 2  # words of a full name


class KnownPersons:
    """Finds the player of a copied event by federation number, otherwise by name and club."""

    def __init__(self, players: Iterable[Player], links: Iterable[PersonLink]) -> None:
        self._members: dict[str, Player] = {}
        self._names: dict[tuple[str, str], list[Player]] = defaultdict(list)
        known = {player.id: player for player in players}
        for player in known.values():
            self.add_player(player)
        for link in links:
            if link.name and link.player in known:
                self._names[_fold_name_and_club(link.name, link.club)].append(known[link.player])

    def add_player(self, player: Player) -> None:
        if player.member:
            self._members.setdefault(player.member.casefold(), player)
        self._names[_fold_name_and_club(player.name, player.club)].append(player)

    def find_player(self, entry: CopiedPlayer, taken: Collection[PlayerId]) -> Player | None:
        """Return the player of this file for a player of a copied event, None if unknown or ambiguous.

        Players in `taken` are excluded, because they already belong to another player of the event.
        """
        if entry.member and (found := self._members.get(entry.member.casefold())) and found.id not in taken:
            return found
        alike = self._names.get(_fold_name_and_club(entry.name, entry.club), ())
        fitting = {
            one.id: one
            for one in alike
            if one.id not in taken and not _have_different_member_numbers(one.member, entry.member)
        }
        return next(iter(fitting.values())) if len(fitting) == 1 else None


def _fold_name_and_club(name: str, club: str) -> tuple[str, str]:
    return normalise_name(name), normalise_name(club)


def _have_different_member_numbers(one: str, other: str) -> bool:
    return bool(one and other) and one.casefold() != other.casefold()


def is_similar_name(one: str, other: str) -> bool:
    """Return whether two names may belong to one person.

    In one of them, a letter may differ, a word may be missing, or a word may be only an initial.
    """
    folded = normalise_name(one), normalise_name(other)
    if folded[0] == folded[1] or not _list_forms_with_one_letter_less(folded[0]).isdisjoint(
        _list_forms_with_one_letter_less(folded[1])
    ):
        return True
    return min(len(name.split()) for name in folded) >= _WORDS and can_be_same_person(one, other)


def list_season_players(index: Index, season: Season) -> list[Player]:
    divisions = [one.id for one in index.divisions if season.division in {None, one.id}]
    return [player for division in divisions for player in index.players(division)]


class SamePersonQuestion(Struct, frozen=True):
    """Two players who may be one person. The user must decide."""

    player: Player  # has a federation number or came earlier; this name is kept
    other: Player
    is_near: bool  # the spellings differ


def find_same_person_questions(index: Index) -> tuple[SamePersonQuestion, ...]:
    value = index.tournament
    inputs = value.players, value.copied_results, value.person_links
    return index.cache_by_inputs("person questions", inputs, lambda: _find_same_person_questions(index))


def _find_same_person_questions(index: Index) -> tuple[SamePersonQuestion, ...]:
    value = index.tournament
    events: dict[PlayerId, set[CopiedEventId]] = defaultdict(set)
    for row in value.copied_results.values():
        events[row.player].add(row.event)
    if not events:
        return ()
    decided = {frozenset((link.player, link.other)) for link in value.person_links.values() if link.other}
    found: list[SamePersonQuestion] = []
    for division in index.divisions:
        players = index.players(division.id)
        names = {player.id: normalise_name(player.name) for player in players}
        for one, other in _list_similar_pairs(players, names):
            both = {one.id, other.id}
            if (
                both.isdisjoint(events)
                or both in decided
                or _have_different_member_numbers(one.member, other.member)
            ):
                continue
            if events[one.id].isdisjoint(events[other.id]):
                first, second = sorted((one, other), key=lambda player: not player.member)
                found.append(SamePersonQuestion(first, second, names[one.id] != names[other.id]))
    return tuple(sorted(found, key=lambda one: (one.is_near, one.player.number, one.other.number)))


def _list_similar_pairs(players: Iterable[Player], names: dict[PlayerId, str]) -> Iterator[tuple[Player, Player]]:
    groups: dict[str, list[Player]] = defaultdict(list)
    for player in players:
        name = names[player.id]
        words = name.split()
        for key in {
            name,
            *_list_forms_with_one_letter_less(name),
            *(f"+{word}" for word in words if len(word) >= _WORD),
        }:
            groups[key].append(player)
    seen: set[tuple[PlayerId, PlayerId]] = set()
    for key, group in groups.items():
        for one, other in combinations(group, 2):
            pair = one.id, other.id
            if pair not in seen and (key[0] != "+" or _is_shorter_form_of_name(names[one.id], names[other.id])):
                seen.add(pair)
                yield one, other


def _is_shorter_form_of_name(one: str, other: str) -> bool:
    words = one.split(), other.split()
    fewest = min(map(len, words))
    initials = any(len(word) == 1 for word in (*words[0], *words[1]))
    return fewest >= _WORDS and (initials or len(words[0]) != len(words[1])) and can_be_same_person(one, other)


def _list_forms_with_one_letter_less(name: str) -> set[str]:
    """Return the name and all forms with one letter less."""
    if len(name) < _SHORTEST:
        return set()
    return {name, *(name[:at] + name[at + 1 :] for at in range(len(name)))}
