"""Erase the personal data of players from a tournament and its journal.

Results stay, with pseudonyms instead of names. `player_fields` defines the personal fields. The names of the event
and of officials stay too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import count
from types import MappingProxyType
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.journal import SHORTENED_LIST, JournalEntry, is_player_name_fact
from tdapp.domain.jury_rows import Incident, Sanction, ScoreSheet, WordRuling
from tdapp.domain.model import Constraint, Event, Game, GameId, PersonLink, Player, PlayerId, Prize, Scalar
from tdapp.domain.player_fields import EMPTY_VALUES, PLAYER_FIELDS
from tdapp.domain.tournament import Row, Tournament

ERASE_LABEL = "erase-players"
MERGE_LABEL = "merge-players"
FREE_TEXT = frozenset({"why", "reason", "note", "notes", "text", "announcement"})  # facts of steps with free text
_EMPTY_VALUES: dict[str, Any] = {
    field.name: EMPTY_VALUES[field.name] for field in PLAYER_FIELDS.values() if field.personal
}
PERSONAL_FACTS = frozenset(_EMPTY_VALUES)  # facts to remove from steps

_SHARED_PSEUDONYM = "…"

_FREE_TEXT_FIELDS: dict[type[Row], str] = {
    Player: "notes",
    Constraint: "why",
    Sanction: "why",
    WordRuling: "why",
    Incident: "note",
    Prize: "text",
}


class NameReplacer:
    """Replaces names in free texts by pseudonyms."""

    def __init__(self, names: Mapping[str, str], other_names: Collection[str]) -> None:
        """Prepare the replacement of `names`, in any word order and case, by their pseudonyms.

        Single capitalised words of the names are replaced too, except words of `other_names`. A word that occurs
        in several `names` becomes "…".
        """
        spellings = [(form, pseudonym) for name, pseudonym in names.items() for form in _list_name_spellings(name)]
        parts: dict[str, set[str]] = {}
        for name, pseudonym in names.items():
            for part in _find_capitalised_words(name):
                parts.setdefault(part, set()).add(pseudonym)
        shared_parts = {part for name in other_names for part in _find_capitalised_words(name)}
        self._pseudonym_by_spelling = {form.lower(): pseudonym for form, pseudonym in spellings}
        self._pseudonym_by_part = {
            part: owners.pop() if len(owners) == 1 else _SHARED_PSEUDONYM
            for part, owners in parts.items()
            if part not in shared_parts
        }
        longest_first = sorted(
            {form for form, _ in spellings} | self._pseudonym_by_part.keys(), key=lambda form: (-len(form), form)
        )
        alternatives = "|".join(map(re.escape, longest_first)) or r"\Z."
        self._pattern = re.compile(rf"(?<!\w)(?:{alternatives})(?=s?(?!\w))", re.IGNORECASE)

    def replace_names(self, text: str) -> str:
        return self._pattern.sub(lambda match: self._replace_by_pseudonym(match[0]), text)

    def _replace_by_pseudonym(self, text: str) -> str:
        lowercase_text = text.lower()
        return self._pseudonym_by_spelling.get(lowercase_text) or (
            self._pseudonym_by_part.get(lowercase_text, text) if text[:1].isupper() else text
        )


class PersonalDataEraser(Struct, frozen=True):
    """Replaces the personal data of players in rows and journal entries."""

    pseudonyms: Mapping[PlayerId, str]
    names: Mapping[str, str]  # pseudonym for every present or past name
    other_names: Collection[str]
    replacer: NameReplacer
    seats: Mapping[GameId, tuple[PlayerId, PlayerId]]  # players of every game, also of deleted games

    def erase_data_in_tournament(self, tournament: Tournament) -> Tournament:
        photos = (row for key, row in tournament.photos.items() if key in self.pseudonyms)
        tournament = tournament.drop(*photos)
        changed_rows = (
            after
            for row in tournament.iterate_rows()
            if (after := self.erase_personal_data_in_row(row)) is not row
        )
        return tournament.put(*changed_rows)

    def erase_data_in_journal_entry(self, entry: JournalEntry) -> JournalEntry:
        changes = tuple(
            replace(
                change,
                before=change.before and self.erase_personal_data_in_row(change.before),
                after=change.after and self.erase_personal_data_in_row(change.after),
            )
            for change in entry.changes
            if change.kind != "photos" or change.id not in self.pseudonyms
        )
        return replace(entry, changes=changes, facts=self._erase_data_in_facts(entry))

    def erase_personal_data_in_row(self, row: Row) -> Row:
        """Return a copy of `row` without personal data, or `row` itself if it has none."""
        after: Row = row
        if isinstance(row, Player) and row.id in self.pseudonyms:
            after = replace(row, name=self.pseudonyms[row.id], **_EMPTY_VALUES)
        elif isinstance(row, ScoreSheet):
            after = self._erase_data_in_sheet(row)
        elif isinstance(row, PersonLink) and row.player in self.pseudonyms:
            after = replace(row, name="", club="")
        elif isinstance(row, Event):
            records = tuple(
                replace(record, name=self.replacer.replace_names(record.name)) for record in row.records
            )
            after = replace(row, records=records, announcement=self.replacer.replace_names(row.announcement))
        elif (field := _FREE_TEXT_FIELDS.get(type(row))) is not None:
            changes: dict[str, Any] = {field: self.replacer.replace_names(getattr(row, field))}
            after = cast("Row", replace(cast("Any", row), **changes))
        return row if after == row else after

    def _erase_data_in_sheet(self, row: ScoreSheet) -> ScoreSheet:
        seats = self.seats.get(row.game, ())
        players = tuple(
            self._find_pseudonym(name, seats[index] if index < len(seats) else None)
            for index, name in enumerate(row.sheet.players)
        )
        sanctions = tuple(
            replace(sanction, why=self.replacer.replace_names(sanction.why)) for sanction in row.sheet.sanctions
        )
        rulings = tuple(replace(ruling, why=self.replacer.replace_names(ruling.why)) for ruling in row.rulings)
        return replace(row, sheet=replace(row.sheet, players=players, sanctions=sanctions), rulings=rulings)

    def _find_pseudonym(self, name: str, fallback_player: PlayerId | None) -> str:
        if name in self.names or name in self.other_names or fallback_player is None:
            return self.names.get(name, name)
        return self.pseudonyms.get(fallback_player, name)

    def _erase_data_in_facts(self, entry: JournalEntry) -> Mapping[str, Scalar]:
        player_ids = {change.id for change in entry.changes if change.kind == "players"}
        pseudonym = self.pseudonyms.get(PlayerId(player_ids.pop()), "") if len(player_ids) == 1 else ""
        facts: dict[str, Scalar] = {}
        for name, value in entry.facts.items():
            if pseudonym and name in PERSONAL_FACTS:
                continue
            if pseudonym and name == "name":
                facts[name] = pseudonym
            elif isinstance(value, str) and is_player_name_fact(name):
                facts[name] = self._erase_names_in_list(value)
            else:
                facts[name] = (
                    self.replacer.replace_names(value) if isinstance(value, str) and name in FREE_TEXT else value
                )
        return MappingProxyType(facts)

    def _erase_names_in_list(self, value: str) -> str:
        match = SHORTENED_LIST.search(value)
        end = match[0] if match else ""
        names = value.removesuffix(end).split("; ")
        return "; ".join(self.names.get(name, name) for name in names) + end


def make_personal_data_eraser(
    tournament: Tournament,
    journal: Iterable[JournalEntry],
    players: Collection[PlayerId] | None,
    *,
    word: str = "Player",
) -> PersonalDataEraser:
    """Prepare the erasure of `players` (None: every player ever entered).

    A pseudonym is `word` and the player number: "Player 12", or "Player A12" with several divisions.
    """
    journal = tuple(journal)
    rows: list[Row] = [
        row for entry in journal for change in entry.changes for row in (change.before, change.after) if row
    ]
    rows += [*tournament.players.values(), *tournament.games.values()]
    player_versions: dict[PlayerId, list[Player]] = {}
    seats: dict[GameId, tuple[PlayerId, PlayerId]] = {}
    for row in rows:
        if isinstance(row, Player):
            player_versions.setdefault(row.id, []).append(row)
        elif isinstance(row, Game):
            seats[row.id] = (row.first, row.second)
    erased_ids = (
        {*player_versions}
        if players is None
        else set(_list_players_and_copies_in_other_divisions(tournament, players))
    )
    erased_ids |= _find_merged_players(tournament, journal, player_versions, erased_ids)
    pseudonyms = _assign_pseudonyms(
        tournament, {key: player_versions[key][-1] for key in player_versions if key in erased_ids}, word
    )
    other_names = {
        row.name for key, versions in player_versions.items() if key not in erased_ids for row in versions
    }
    names = {
        name: pseudonyms[key]
        for key in pseudonyms
        for row in player_versions[key]
        for name in _list_player_name_variants(row)
        if row.name
    }
    return PersonalDataEraser(
        pseudonyms=MappingProxyType(pseudonyms),
        names=MappingProxyType(names),
        other_names=frozenset(other_names),
        replacer=NameReplacer(names, other_names),
        seats=MappingProxyType(seats),
    )


def _list_players_and_copies_in_other_divisions(
    tournament: Tournament, players: Collection[PlayerId]
) -> Iterator[PlayerId]:
    from tdapp.domain.commands.rule import get_row_or_refuse  # noqa: PLC0415 - reading loads no commands

    for key in players:
        player = get_row_or_refuse(tournament.players, key, "no-such-player")
        for candidate in tournament.players.values():
            is_copy = candidate.division != player.division and _get_player_identity(
                candidate
            ) == _get_player_identity(player)
            if candidate.id == key or is_copy:
                yield candidate.id


def _find_merged_players(
    tournament: Tournament,
    journal: Sequence[JournalEntry],
    known_rows: Mapping[PlayerId, Sequence[Player]],
    erased_ids: Set[PlayerId],
) -> set[PlayerId]:
    merged_ids: set[PlayerId] = set()
    for entry in reversed(journal):
        if entry.label != MERGE_LABEL:
            continue
        names = {
            name
            for key in erased_ids | merged_ids
            for row in known_rows[key]
            for name in _list_player_name_variants(row)
        }
        removed_ids = {
            PlayerId(change.id) for change in entry.changes if change.kind == "players" and change.after is None
        }
        if entry.facts.get("player") in names:
            merged_ids |= removed_ids - tournament.players.keys()
    return merged_ids


def _list_player_name_variants(row: Player) -> tuple[str, ...]:
    return row.name, f"{row.name} ({row.number})", f"{row.name} ({row.club})"


def _get_player_identity(row: Player) -> tuple[object, ...]:
    return row.name, row.club, row.country, row.member, row.rating


def _assign_pseudonyms(tournament: Tournament, rows: Mapping[PlayerId, Player], word: str) -> dict[PlayerId, str]:
    taken_names = {row.name for key, row in tournament.players.items() if key not in rows}
    pseudonyms: dict[PlayerId, str] = {}
    for key in sorted(rows, key=lambda key: key not in tournament.players):
        row = rows[key]
        division = tournament.divisions.get(row.division)
        code = division.code if division is not None and len(tournament.divisions) > 1 else ""
        name = f"{word} {code}{row.number}"
        if name in taken_names:
            name = next(candidate for n in count(2) if (candidate := f"{name} ({n})") not in taken_names)
        taken_names.add(name)
        pseudonyms[key] = name
    return pseudonyms


def _find_capitalised_words(name: str) -> set[str]:
    if any(letter.isdigit() for letter in name):
        return set()
    return {part.lower() for part in re.findall(r"\w+(?:[-’']\w+)*", name) if part[0].isupper() and len(part) > 1}


def _list_name_spellings(name: str) -> set[str]:
    last, comma, first = name.partition(",")
    if not comma:
        return {name}
    last, first = last.strip(), first.strip()
    return {name, f"{last}, {first}", f"{first} {last}", f"{last} {first}"}
