"""Actions of the verb `season` for copied events and for players."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from tdapp.cli.program import Program, find_player_by_number_or_name
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.impact import find_season_rank_changes
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import CopiedEvent, Season
from tdapp.domain.persons import find_same_person_questions
from tdapp.domain.seasons import compute_season_lines, find_copied_event, is_within_season
from tdapp.domain.tournament import Tournament
from tdapp.exchange.json_text import make_document_from_rows
from tdapp.i18n.season_sentences import describe_same_person_question, describe_season_rank_changes
from tdapp.services.event_files import EventsFromFiles, read_event_files

ACTIONS = ("add", "refresh", "drop", "same", "different")


class CopiedEventJson(Struct):
    """An event whose results were copied from another file into a season.

    The key `event` is its number for the option `--event` and the action `drop`. `counts` is true if the event is
    within the dates of the season.
    """

    event: int
    name: str
    date: str
    division: str
    source: str
    head: str
    players: int
    games: int
    counts: bool


class SamePersonQuestionJson(Struct):
    """The numbers of two players who may be one person, and a question about them to the director."""

    player: int
    other: int
    text: str


def change_season_events_or_players(program: Program, desk: Desk, season: Season, options: Namespace) -> list[str]:
    """Add, refresh or remove copied events, or merge or separate players of a season.

    Return messages about omitted data and changed ranks.
    """
    before = after = desk.index
    messages: list[str] = []
    match options.action:
        case "add" | "refresh":
            event_files, command = _read_event_files(desk, season, options)
            messages = event_files.describe_omitted_data(program.catalogue)
            after = TournamentIndex(command(desk.tournament))
            if not options.preview:
                desk.do(command)
        case "drop":
            for number in options.what or [""]:
                event = find_copied_event(before, _parse_event_number(number))
                desk.do(partial(commands.remove_copied_event, copied_event=event.id))
            after = desk.index
        case _:
            _merge_players_or_mark_distinct(desk, options)
            after = desk.index
    old, new = (compute_season_lines(index, season) for index in (before, after))
    move = find_season_rank_changes(season.name, old, new)
    return messages + (
        [describe_season_rank_changes(move, program.catalogue)] if move.moves or move.totals else []
    )


def _read_event_files(
    desk: Desk, season: Season, options: Namespace
) -> tuple[EventsFromFiles, partial[Tournament]]:
    paths = [Path(word) for word in options.what]
    if not paths:
        raise CommandError("season-file-missing")
    if len(paths) > 1 and (options.name or options.date or options.event):
        raise CommandError("season-single-file")
    copied_events = () if options.action == "add" else desk.index.copied_events(season.id)
    copied_event = None if options.event is None else find_copied_event(desk.index, options.event)
    name = options.name or (copied_event.name if copied_event else "")
    date = options.date or ""
    event_files = read_event_files(
        paths, desk.tournament.ruleset, season=season, known_events=copied_events, name=name, date=date
    )
    facts: dict[str, Any] = {"key": desk.make_row_id(), "season": season.id, "events": event_files.events}
    if options.action == "add":
        return event_files, partial(commands.add_copied_events, **facts)
    return event_files, partial(
        commands.refresh_copied_events, **facts, copied_event=None if copied_event is None else copied_event.id
    )


def _merge_players_or_mark_distinct(desk: Desk, options: Namespace) -> None:
    if len(options.what) != 2:  # noqa: PLR2004 - of two players
        raise CommandError("season-two-players")
    player, other_player = (
        find_player_by_number_or_name(desk.index, options.division, word).id for word in options.what
    )
    decide = commands.merge_players if options.action == "same" else commands.separate_persons
    desk.do(partial(decide, player=player, other=other_player))


def _parse_event_number(word: str) -> int:
    return int(word) if word.isdecimal() else 0


def list_copied_events_json(index: TournamentIndex, season: Season) -> list[CopiedEventJson]:
    return [
        _make_copied_event_json(index, season, number, event)
        for number, event in enumerate(index.listed_copied_events, 1)
        if event.season == season.id
    ]


def format_copied_events(program: Program, index: TournamentIndex, season: Season) -> str:
    events = list_copied_events_json(index, season)
    if not events:
        return program.catalogue.text("No events from other files yet. Add them: tdapp season FILE add FILE...")
    words = ((str(event.event), event.name, event.division, event.date or "–", event.source) for event in events)
    return "\n".join("  ".join(filter(None, line)) for line in words)


def _make_copied_event_json(
    index: TournamentIndex, season: Season, number: int, event: CopiedEvent
) -> CopiedEventJson:
    return make_document_from_rows(
        CopiedEventJson,
        event,
        event=number,
        players=len(index.copied_results(event.id)),
        games=len(event.games),
        counts=is_within_season(season, event.date),
    )


def list_same_person_questions_json(program: Program, index: TournamentIndex) -> list[SamePersonQuestionJson]:
    return [
        SamePersonQuestionJson(
            question.player.number,
            question.other.number,
            describe_same_person_question(program.catalogue, question),
        )
        for question in find_same_person_questions(index)
    ]
