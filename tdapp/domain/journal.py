"""The journal of a tournament. A step is one executed command, with `facts`: the values for its message."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.bracket import find_round_code_and_game_number
from tdapp.domain.entries import EventEntry, SheetToEnter
from tdapp.domain.game_results import find_decisive_sheet, find_game_of_player
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import judge_sheet
from tdapp.domain.jury_rows import Challenge, Incident, IncidentId, Sanction, SanctionId
from tdapp.domain.model import (
    ChallengeId,
    Constraint,
    Division,
    Game,
    GameId,
    GameSide,
    Player,
    PlayerId,
    Prize,
    Result,
    Round,
    Scalar,
    SeasonId,
    StageId,
)
from tdapp.domain.paper import Printout
from tdapp.domain.publishing import make_names_distinct
from tdapp.domain.rule_fields import SEASON_SCOPE, find_differing_fields, find_rule_differences, list_season_fields
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.rulings import TurnWithWrongWord, list_wrong_words_without_ruling
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.tournament import PARENTS, Diff, Row, Tournament
from tdapp.scrabble.sheet import compute_paper_form_row_numbers
from tdapp.scrabble.tiles import TileSet

SALVAGE_LABEL = "salvage"  # label of the step that imports rows from a damaged file
# Steps about events outside the program, which cannot be undone: undo and redo skip them.
SKIPPED_LABELS = frozenset({"note-printouts", "unnote-printouts", "waive-printouts"})

# Facts that `Desk` adds: the digest of the initial state (first step only), the seconds of a clock jump since
# the previous step, the division if there are several, and the id of a line that a browser may send twice.
INITIAL_DIGEST, CLOCK_JUMP, DIVISION_CODE, LINE_ID = "beginning", "clock", "of_division", "sent"
_MAX_CLOCK_DIFFERENCE = 60  # permitted clock difference between two computers, in seconds
_DAY = 86_400


class Step(Struct, frozen=True, kw_only=True):
    """One executed command."""

    seq: int  # revision of the tournament after the step, from 1
    at: str  # UTC in ISO 8601
    station: str  # name of the computer
    label: str  # command id
    facts: Mapping[str, Scalar]  # values for the message
    undoes: int | None = None  # `seq` of the step that this one undoes


class JournalEntry(Step, frozen=True, kw_only=True):
    """A step with the rows that it changed."""

    changes: Diff
    digest: str = ""  # hash over this and all earlier steps, "" until stored

    @property
    def step(self) -> Step:
        return Step(**{name: getattr(self, name) for name in Step.__struct_fields__})


def find_command_id(command: Callable[..., Tournament]) -> str:
    function = command.func if isinstance(command, partial) else command
    return function.__name__.replace("_", "-")


_MAX_LISTED_NAMES = 3
SHORTENED_LIST = re.compile(r" \+\d+$")  # the number of omitted names, at the end of a list


_JURY_ARGUMENTS = frozenset({"tileset", "turn", "word", "why", "sanction", "incident", "challenge", "key"})


def make_argument_facts(
    before: Tournament, after: Tournament, arguments: Mapping[str, object]
) -> dict[str, Scalar]:
    """Convert the arguments of a command to values for messages: names, tables and round numbers, not ids."""
    facts: dict[str, Scalar] = {}
    for name, value in arguments.items():
        if name in {"key", "seen", "data"}:
            continue
        row = _find_row_named_by_argument(after, name, value) or _find_row_named_by_argument(before, name, value)
        if row is not None:
            facts.update(_make_row_facts(after if row.id in after.games else before, name, row))
            if isinstance(row, Game):
                facts |= _make_result_change_facts(before.results.get(row.id), after.results.get(row.id))
        elif isinstance(value, (str, int)):
            facts[name] = str(value) if isinstance(value, str) else value
        elif isinstance(value, tuple):
            facts |= _make_facts_of_list_argument(after, name, value)
        elif isinstance(value, EventEntry):
            facts["divisions"] = ", ".join(division_entry.code for division_entry in value.divisions)
        elif name == "ruleset":
            facts |= _make_rule_change_facts(before, arguments.get("division"), value)
        elif isinstance(value, SeasonRule):
            facts |= _make_season_rule_facts(before, arguments.get("season"), value)
        elif name == "proposal":
            facts |= _make_round_facts(after, getattr(value, "number", None), getattr(value, "stage", None))
    if not _JURY_ARGUMENTS.isdisjoint(arguments):
        facts |= _make_jury_command_facts(before, after, arguments)
    return facts


def _make_facts_of_list_argument(after: Tournament, name: str, value: tuple[Any, ...]) -> dict[str, Scalar]:
    if name == "players":
        return dict(
            make_facts_with_count_and_names(
                _list_player_names(after, [player for player in value if player in after.players])
            )
        )
    if name == "photos":
        return dict(make_facts_with_count_and_names(_list_player_names(after, [player for player, _ in value])))
    if name == "points":
        return {"points": " – ".join(map(str, value)) or "–"}
    if name == "events":
        return {"count": len(value), "names": "; ".join(event.name for event in value[:_MAX_LISTED_NAMES])}
    if name == "printouts":
        return {"count": len(value), "reports": " ".join(_list_printed_report_ids(after, value))}
    return {"count": len(value)} if name in {"entries", "games", "records"} else {}


def _list_printed_report_ids(after: Tournament, printouts: tuple[Any, ...]) -> list[str]:
    # each item is a Printout or a pair of a printout id and a fingerprint
    rows = (row if isinstance(row, Printout) else after.printouts.get(row[0]) for row in printouts)
    return list(dict.fromkeys(row.report for row in rows if row is not None))


def _make_jury_command_facts(
    before: Tournament, after: Tournament, arguments: Mapping[str, object]
) -> dict[str, Scalar]:
    if (
        isinstance(tileset := arguments.get("tileset"), TileSet)
        and {"sheet", "entries", "field"} & arguments.keys()
    ):
        return _make_wrong_word_facts(before, after, arguments, tileset)
    if "turn" in arguments and "field" not in arguments:
        return _make_turn_ruling_facts(before, after, arguments)
    if {"word", "game", "player"} <= arguments.keys():
        return _make_phony_points_change_fact(before, after, arguments["game"], arguments["player"])
    if {"kind", "why", "player"} <= arguments.keys() or "sanction" in arguments:
        return _make_sanctioned_game_facts(before, after, arguments)
    return _make_incident_or_challenge_facts(before, after, arguments)


def _make_incident_or_challenge_facts(
    before: Tournament, after: Tournament, arguments: Mapping[str, object]
) -> dict[str, Scalar]:
    key = str(arguments.get("incident") or arguments.get("challenge") or arguments.get("key"))
    row = _find_incident_or_challenge(after, key) or _find_incident_or_challenge(before, key)
    if row is None:
        return {}
    game = TournamentIndex(after).find_game_at_table(row.division, row.round, row.table)
    facts: dict[str, Scalar] = {"round": row.round, "table": row.table}
    if game is not None:
        facts |= _make_row_facts(after, "game", game)
        facts |= _make_result_change_facts(before.results.get(game.id), after.results.get(game.id))
    name, player = ("player", row.player) if isinstance(row, Incident) else ("challenger", row.challenger)
    if player is not None and player in after.players:
        facts[name] = _get_distinct_player_name(after, player)
    if isinstance(row, Incident):
        return {**facts, "kind": row.kind.value, "seconds": row.seconds, "note": row.note, "author": row.author}
    judge = row.second_judge if "second" in arguments else row.judge
    return {**facts, "words": " · ".join(row.words), "author": judge}


def _find_incident_or_challenge(tournament: Tournament, key: str) -> Incident | Challenge | None:
    return tournament.incidents.get(IncidentId(key)) or tournament.challenges.get(ChallengeId(key))


class WrongWordOnSheet(Struct, frozen=True, array_like=True):
    """A word ruled wrong when its score sheet was entered."""

    division: str
    round: int
    table: int
    number: int  # player number
    row: int
    word: str
    score: int
    points: int
    old_score: str  # score of the game
    new_score: str


def read_wrong_words_on_sheets(facts: Mapping[str, object]) -> tuple[WrongWordOnSheet, ...]:
    try:
        return msgspec.json.decode(str(facts.get("ruled", "[]")), type=tuple[WrongWordOnSheet, ...])
    except msgspec.MsgspecError:  # in a hand-made journal
        return ()


def _make_wrong_word_facts(
    before: Tournament, after: Tournament, arguments: Mapping[str, object], tileset: TileSet
) -> dict[str, Scalar]:
    entries = cast("Sequence[SheetToEnter]", arguments.get("entries", ()))
    games = [entry.game for entry in entries] or [GameId(str(arguments["game"]))]
    rulings = [ruling for game in games for ruling in _list_new_wrong_words(before, after, game, tileset)]
    return {"ruled": msgspec.json.encode(rulings).decode()} if rulings else {}


def _list_new_wrong_words(
    before: Tournament, after: Tournament, game: GameId, tileset: TileSet
) -> list[WrongWordOnSheet]:
    result, item = after.results.get(game), after.rounds[after.games[game].round]
    if result is None or result.first is None or result.second is None:
        return []
    old_counts = Counter(
        (turn.player, turn.word, turn.score) for turn in _list_turns_with_wrong_words(before, game, tileset)
    )
    division = after.divisions[after.stages[item.stage].division].code
    row, totals, rulings = after.games[game], [result.first, result.second], []
    for turn in reversed(_list_turns_with_wrong_words(after, game, tileset)):
        old_counts[turn.player, turn.word, turn.score] -= 1
        if old_counts[turn.player, turn.word, turn.score] >= 0 or not turn.points:
            continue
        number, new_score = after.players[turn.player].number, f"{totals[0]}–{totals[1]}"
        totals[turn.player != row.first] += turn.points
        old_score, word, score = f"{totals[0]}–{totals[1]}", turn.word.upper(), turn.score or 0
        ruling = WrongWordOnSheet(
            division, item.number, row.table, number, turn.row, word, score, turn.points, old_score, new_score
        )
        rulings.append(ruling)
    return rulings[::-1]


def _list_turns_with_wrong_words(
    tournament: Tournament, game: GameId, tileset: TileSet
) -> list[TurnWithWrongWord]:
    score_sheet = find_decisive_sheet(TournamentIndex(tournament).sheets(game))
    if score_sheet is None:
        return []
    rules = tournament.get_ruleset_of_row(score_sheet)
    scores = [line.score for line in judge_sheet(score_sheet.sheet, rules, tileset).turns]
    return list_wrong_words_without_ruling(tournament.games[game], score_sheet, rules, scores)


def _make_phony_points_change_fact(
    before: Tournament, after: Tournament, game: object, player: object
) -> dict[str, Scalar]:
    points = [_sum_phony_points(value, GameId(str(game)), PlayerId(str(player))) for value in (before, after)]
    return {"points": points[1] - points[0]}


def _sum_phony_points(tournament: Tournament, game: GameId, player: PlayerId) -> int:
    result = tournament.results.get(game)
    if result is None:
        rulings = tournament.word_rulings.values()
        return sum(ruling.cost for ruling in rulings if (ruling.game, ruling.player) == (game, player))
    index = 0 if tournament.games[game].first == player else 1
    return -result.accounts[index].phonies if result.accounts else 0


def _make_sanctioned_game_facts(
    before: Tournament, after: Tournament, arguments: Mapping[str, object]
) -> dict[str, Scalar]:
    sanctions = {**before.sanctions, **after.sanctions}
    key = SanctionId(str(arguments.get("sanction") or arguments.get("key")))
    sanction = sanctions.get(key)
    game = (
        find_game_of_player(TournamentIndex(after), sanction.player, sanction.round)
        if sanction is not None and sanction.round
        else None
    )
    if sanction is None or game is None:
        return {}
    facts = _make_row_facts(after, "game", game)
    return {
        **facts,
        "why": sanction.why,
        **_make_result_change_facts(before.results.get(game.id), after.results.get(game.id)),
    }


def make_changed_division_facts(before: Tournament, after: Tournament, changes: Diff) -> dict[str, Scalar]:
    """Return the code of the changed division as a value for messages.

    Return {} if the tournament has only one division, or if no division or several divisions changed.
    """
    if len(after.divisions) < 2:  # noqa: PLR2004
        return {}
    codes: set[str] = set()
    for change in changes:
        value, row = (before, change.before) if change.after is None else (after, change.after)
        codes.add(_find_division_code(value, change.kind, row))
        if len(codes) > 1:
            return {}
    code = "".join(codes)
    return {DIVISION_CODE: code} if code else {}


def _find_division_code(tournament: Tournament, kind: str, row: Row | None) -> str:
    while row is not None and not isinstance(row, Division):
        name, kind = next(iter(PARENTS.get(kind, {}).items()), ("", ""))
        row = tournament.rows(kind).get(getattr(row, name)) if name else None
    return row.code if row is not None else ""


def _make_rule_change_facts(before: Tournament, division: object, value: object) -> dict[str, Scalar]:
    rules = value if isinstance(value, RuleSet) else before.ruleset
    changed_rules = find_rule_differences(
        before.get_ruleset_of_row(_find_row_named_by_argument(before, "division", division)), rules
    )
    return {
        "rules": rules.name,
        "changed": " ".join(changed_rules),
        "whole": int("id" in changed_rules or not changed_rules),
    }


def _make_season_rule_facts(before: Tournament, season: object, rules: SeasonRule) -> dict[str, Scalar]:
    row = before.seasons.get(SeasonId(str(season)))
    changed_rules = find_differing_fields(list_season_fields(), row.rule, rules) if row is not None else ()
    return (
        {"changed": " ".join(SEASON_SCOPE + path for path in changed_rules), "whole": 0} if changed_rules else {}
    )


def remove_facts_added_by_desk(facts: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Return `facts` without the values that the class `Desk` added. Keep the division code."""
    return {name: value for name, value in facts.items() if name not in {INITIAL_DIGEST, CLOCK_JUMP, LINE_ID}}


def measure_clock_jump(previous_time: str, time: str, *, is_playing: Callable[[], bool]) -> int:
    """Return how many seconds the computer's clock jumped between two steps (negative: back), 0 for no jump.

    The times of the steps are UTC in ISO 8601. Ignore jumps back of less than a minute, and
    jumps forward of less than a day. If `is_playing()` is false, ignore all jumps forward.
    """
    try:
        seconds = int((datetime.fromisoformat(time) - datetime.fromisoformat(previous_time)).total_seconds())
    except (ValueError, TypeError):  # in a hand-made journal
        return 0
    return seconds if seconds <= -_MAX_CLOCK_DIFFERENCE or (seconds >= _DAY and is_playing()) else 0


def _make_turn_ruling_facts(
    before: Tournament, after: Tournament, arguments: Mapping[str, object]
) -> dict[str, Scalar]:
    form = next(
        sheet
        for sheet in after.sheets.values()
        if (sheet.game, sheet.form) == (arguments["game"], arguments.get("form", 1))
    )
    index = int(str(arguments["turn"])) - 1
    game, turns = after.games[form.game], form.sheet.turns
    player = (game.first, game.second)[turns[index].player - 1]
    rows = compute_paper_form_row_numbers((turn.player, turn.kind.is_real_turn) for turn in turns)
    turn_facts = {"word": turns[index].word, "score": turns[index].score}
    return {
        "row": rows[index],
        "player": _get_distinct_player_name(after, player),
        **{name: value for name, value in turn_facts.items() if value is not None},
        **_make_phony_points_change_fact(before, after, game.id, player),
    }


_KINDS = {
    "starter": "players", "challenger": "players", "other": "players", "into": "divisions", "group": "table_groups"
} | {
    name: f"{name}s"
    for name in (
        "player", "division", "round", "game", "stage", "sanction", "incident", "challenge", "prize", "constraint",
        "season", "copied_event",
    )
}  # fmt: skip


def make_facts_with_count_and_names(names: Collection[str]) -> dict[str, Scalar]:
    listed_names = list(names)[:_MAX_LISTED_NAMES]
    suffix = f" +{len(names) - _MAX_LISTED_NAMES}" if len(names) > _MAX_LISTED_NAMES else ""
    return {"count": len(names), "player": "; ".join(listed_names) + suffix}


def make_facts_of_blocking_step(step: Step | None) -> dict[str, object]:
    """Return values for an error message about `step`, a later step that prevents an action (None: unknown)."""
    if step is None:
        return {"label": "", "who": "", "when": "", "step_facts": {}}
    return {
        "seq": step.seq,
        "label": step.label,
        "who": step.station,
        "when": step.at,
        "step_facts": dict(step.facts),
    }


def is_player_name_fact(name: str) -> bool:
    return name in {"first_name", "second_name"} or _KINDS.get(name) == "players"


def _make_result_change_facts(old: Result | None, new: Result | None) -> dict[str, Scalar]:
    if old is None:
        return {} if new is None else {"now": _format_points_or_forfeit(new)}
    if new is not None and replace(old, state=new.state) == new:
        return {}
    return {
        "fresh": 0,
        "was": _format_points_or_forfeit(old),
        "now": "–" if new is None else _format_points_or_forfeit(new),
    }


def _format_points_or_forfeit(result: Result) -> str:
    if result.forfeit is not None:
        return "f" if result.forfeit is GameSide.BOTH else f"f{result.forfeit}"
    return f"{result.first}–{result.second}" + (f" t{result.flag}" if result.flag else "")


def _find_row_named_by_argument(tournament: Tournament, name: str, value: object) -> Row | None:
    kind = _KINDS.get(name)
    return tournament.rows(kind).get(str(value)) if kind else None


def _make_round_facts(tournament: Tournament, number: int | None, stage: StageId | None) -> dict[str, Scalar]:
    row = tournament.stages.get(stage) if stage else None
    if row is None or number is None:
        return {"round": number}
    kind, game = find_round_code_and_game_number(TournamentIndex(tournament), row, number)
    knockout: dict[str, Scalar] = {"knockout": f"{kind}#{game}" if game else kind} if kind else {}
    return {"round": number, "division": tournament.divisions[row.division].code, **knockout}


def _get_distinct_player_name(tournament: Tournament, player: PlayerId) -> str:
    row = tournament.players[player]
    namesakes = (
        namesake
        for namesake in tournament.players.values()
        if namesake.name == row.name and namesake.division == row.division
    )
    named_tournament = make_names_distinct(tournament) if sum(1 for _ in namesakes) > 1 else tournament
    return named_tournament.players[player].name


def _list_player_names(tournament: Tournament, players: Sequence[PlayerId]) -> list[str]:
    names = [_get_distinct_player_name(tournament, player) for player in players[:_MAX_LISTED_NAMES]]
    return names + [tournament.players[player].name for player in players[_MAX_LISTED_NAMES:]]


def _make_row_facts(tournament: Tournament, name: str, row: Row) -> dict[str, Scalar]:
    match row:
        case Player():
            facts: dict[str, Scalar] = {name: _get_distinct_player_name(tournament, row.id)}
        case Game():
            names = {
                f"{field}_name": _get_distinct_player_name(tournament, getattr(row, field))
                for field in ("first", "second")
            }
            item = tournament.rounds[row.round]
            stage = tournament.stages[item.stage]
            facts = {
                "table": row.table,
                "round": item.number,
                "division": tournament.divisions[stage.division].code,
            }
            facts |= names | (_make_round_facts(tournament, item.number, stage.id) if stage.evening else {})
        case Round():
            facts = _make_round_facts(tournament, row.number, row.stage)
        case Incident() | Challenge():
            facts = {}  # see `_make_incident_or_challenge_facts`
        case Constraint():
            facts = {
                field: _get_distinct_player_name(tournament, getattr(row, field)) for field in ("player", "other")
            }
        case Prize():
            facts = {field: getattr(row, field) for field in ("place", "category", "amount", "text")}
            facts["kind"] = row.kind.value
        case Sanction():
            facts = {
                "player": _get_distinct_player_name(tournament, row.player),
                "kind": row.kind.value,
                "points": row.points,
            }
        case _:
            candidates = (getattr(row, field, None) for field in ("number", "code", "system", "name"))
            facts = {name: next((value for value in candidates if value), None)}
    return facts
