"""Find player entries of one person, including entries in events copied from other files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import combinations

from msgspec import Struct

from tdapp.domain.entries import can_be_same_person, normalise_name
from tdapp.domain.event_copies import CopiedPlayer
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import CopiedEventId, PersonLink, Player, PlayerId, Season

_MIN_NAME_LENGTH = 5  # letters of names that can differ by one letter
_MIN_WORD_LENGTH = 3  # letters of a word that two similar names share
_MIN_WORD_COUNT = 2  # words of a full name


class CopiedPlayerMatcher:
    """Finds players of copied events among this file's players, by federation number or by name and club."""

    def __init__(self, players: Iterable[Player], links: Iterable[PersonLink]) -> None:
        self._members: dict[str, Player] = {}
        self._names: dict[tuple[str, str], list[Player]] = defaultdict(list)
        players_by_id = {player.id: player for player in players}
        for player in players_by_id.values():
            self.add_player(player)
        for link in links:
            if link.name and link.player in players_by_id:
                self._names[_normalise_name_and_club(link.name, link.club)].append(players_by_id[link.player])

    def add_player(self, player: Player) -> None:
        if player.member:
            self._members.setdefault(player.member.casefold(), player)
        self._names[_normalise_name_and_club(player.name, player.club)].append(player)

    def find_player(self, entry: CopiedPlayer, excluded_ids: Collection[PlayerId]) -> Player | None:
        """Return this file's player who is the same person as `entry`.

        Return None if no player or several players fit. `excluded_ids` are players of this file already matched.
        """
        if (
            entry.member
            and (player := self._members.get(entry.member.casefold()))
            and player.id not in excluded_ids
        ):
            return player
        namesakes = self._names.get(_normalise_name_and_club(entry.name, entry.club), ())
        matches = {
            namesake.id: namesake
            for namesake in namesakes
            if namesake.id not in excluded_ids
            and not _have_different_member_numbers(namesake.member, entry.member)
        }
        return next(iter(matches.values())) if len(matches) == 1 else None


def _normalise_name_and_club(name: str, club: str) -> tuple[str, str]:
    return normalise_name(name), normalise_name(club)


def _have_different_member_numbers(first: str, second: str) -> bool:
    return bool(first and second) and first.casefold() != second.casefold()


def is_similar_name(first: str, second: str) -> bool:
    """Return whether two names may belong to one person.

    They may differ by one letter, a missing word, or a word written as an initial.
    """
    names = normalise_name(first), normalise_name(second)
    if names[0] == names[1] or not _make_one_letter_deletions(names[0]).isdisjoint(
        _make_one_letter_deletions(names[1])
    ):
        return True
    return min(len(name.split()) for name in names) >= _MIN_WORD_COUNT and can_be_same_person(first, second)


def list_players_of_season_divisions(index: TournamentIndex, season: Season) -> list[Player]:
    division_ids = [division.id for division in index.divisions if season.division in {None, division.id}]
    return [player for division in division_ids for player in index.players(division)]


class SamePersonQuestion(Struct, frozen=True):
    """Two similar players. The user must decide whether they are one person."""

    player: Player  # has a federation number or came earlier; the merged player keeps this name
    other: Player
    is_near: bool  # the spellings differ


def find_same_person_questions(index: TournamentIndex) -> tuple[SamePersonQuestion, ...]:
    tournament = index.tournament
    inputs = tournament.players, tournament.copied_results, tournament.person_links
    return index.get_cached_value_or_compute(
        "person questions", inputs, lambda: _find_same_person_questions(index)
    )


def _find_same_person_questions(index: TournamentIndex) -> tuple[SamePersonQuestion, ...]:
    tournament = index.tournament
    events: dict[PlayerId, set[CopiedEventId]] = defaultdict(set)
    for row in tournament.copied_results.values():
        events[row.player].add(row.event)
    if not events:
        return ()
    answered_pairs = {
        frozenset((link.player, link.other)) for link in tournament.person_links.values() if link.other
    }
    questions: list[SamePersonQuestion] = []
    for division in index.divisions:
        players = index.players(division.id)
        names = {player.id: normalise_name(player.name) for player in players}
        for player_a, player_b in _list_similar_pairs(players, names):
            pair_ids = {player_a.id, player_b.id}
            if (
                pair_ids.isdisjoint(events)
                or pair_ids in answered_pairs
                or _have_different_member_numbers(player_a.member, player_b.member)
            ):
                continue
            if events[player_a.id].isdisjoint(events[player_b.id]):
                first, second = sorted((player_a, player_b), key=lambda player: not player.member)
                questions.append(SamePersonQuestion(first, second, names[player_a.id] != names[player_b.id]))
    return tuple(
        sorted(questions, key=lambda question: (question.is_near, question.player.number, question.other.number))
    )


def _list_similar_pairs(players: Iterable[Player], names: dict[PlayerId, str]) -> Iterator[tuple[Player, Player]]:
    groups: dict[str, list[Player]] = defaultdict(list)
    for player in players:
        name = names[player.id]
        words = name.split()
        for key in {
            name,
            *_make_one_letter_deletions(name),
            *(f"+{word}" for word in words if len(word) >= _MIN_WORD_LENGTH),
        }:
            groups[key].append(player)
    seen: set[tuple[PlayerId, PlayerId]] = set()
    for key, group in groups.items():
        for player_a, player_b in combinations(group, 2):
            pair = player_a.id, player_b.id
            if pair not in seen and (
                key[0] != "+" or _is_one_name_short_for_other(names[player_a.id], names[player_b.id])
            ):
                seen.add(pair)
                yield player_a, player_b


def _is_one_name_short_for_other(first: str, second: str) -> bool:
    words = first.split(), second.split()
    word_count = min(map(len, words))
    initials = any(len(word) == 1 for word in (*words[0], *words[1]))
    return (
        word_count >= _MIN_WORD_COUNT
        and (initials or len(words[0]) != len(words[1]))
        and can_be_same_person(first, second)
    )


def _make_one_letter_deletions(name: str) -> set[str]:
    if len(name) < _MIN_NAME_LENGTH:
        return set()
    return {name, *(name[:position] + name[position + 1 :] for position in range(len(name)))}
