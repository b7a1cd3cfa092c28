"""The verb `do`, which runs any command of the program by its id."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

from tdapp.cli.arguments import VERBS
from tdapp.cli.json_types import CommandAndStepJson, StepJson
from tdapp.cli.output import make_step_json
from tdapp.cli.program import Program, find_player_by_number_or_name
from tdapp.desk import Desk, get_utc_timestamp
from tdapp.domain import model
from tdapp.domain.commands import COMMANDS as DOMAIN_COMMANDS
from tdapp.domain.commands import Command, ResultBeforeChange
from tdapp.domain.entries import (
    DivisionEntry,
    EarlierResultEntry,
    EventEntry,
    PlayerEntry,
    ResultEntry,
    SheetToEnter,
)
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import IncidentId, SanctionId
from tdapp.domain.model import ChallengeId, Division, Player, Prize
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.proposal import Proposal
from tdapp.domain.ratings import RatingSystem, select_rating_system
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.seasons import find_copied_event, find_season
from tdapp.domain.serialization import InvalidDocumentError, make_decoder
from tdapp.domain.tables.players import list_constraints
from tdapp.domain.tournament import Row, Tournament
from tdapp.domain.type_hints import (
    CommandArgument,
    has_any_type_in_hint,
    is_enum,
    list_arguments,
    list_tuple_item_types,
    strip_none_from_hint,
)
from tdapp.exchange.presets import read_ruleset
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.impact_sentences import describe_rule_change_effects
from tdapp.pairing import PAIRING_COMMANDS, propose_pairings
from tdapp.scrabble.sheet import Sheet
from tdapp.scrabble.tiles import TileSet

# Types without a text form. The verbs `import`, `results`, `sheet` and `pair` handle these.
_TYPES_WITHOUT_TEXT_FORM = (ResultBeforeChange, Player, Prize, Sheet, Tournament,
                PlayerEntry, ResultEntry, DivisionEntry, EventEntry, SheetToEnter, EarlierResultEntry)  # fmt: skip
# Types whose text depends on a division, such as a number.
_TYPES_WITHIN_DIVISION = (
    model.PlayerId, model.RoundId, model.StageId, model.GameId, model.PrizeId, model.TableGroupId, model.FeeId,
    model.ConstraintId, SanctionId, IncidentId, ChallengeId, Proposal, TileSet,
)  # fmt: skip
_YES_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def map_commands_for_command_line() -> dict[str, Command]:
    all_commands = {**DOMAIN_COMMANDS, **PAIRING_COMMANDS}
    return {name: command for name, command in all_commands.items() if _can_run_on_command_line(command)}


def _can_run_on_command_line(command: Command) -> bool:
    return not any(
        argument.is_required and has_any_type_in_hint(argument.hint, _TYPES_WITHOUT_TEXT_FORM)
        for argument in list_arguments(command)
    )


def map_argument_types(command: Command) -> dict[str, str]:
    """Return the types of a command's arguments by name. The types of optional arguments end with `?`."""
    kinds: dict[str, str] = {}
    for argument in _list_command_line_arguments(command):
        if argument.name != "key":
            kinds[argument.name] = _format_type(argument.hint) + (
                "" if argument.is_required and argument.name != "at" else "?"
            )
            if argument.can_be_set_to_none:
                kinds[_make_name_of_clearing_argument(argument.name)] = "bool?"
    if any(
        has_any_type_in_hint(argument.hint, _TYPES_WITHIN_DIVISION)
        for argument in _list_command_line_arguments(command)
    ):
        kinds.setdefault("division", f"{model.DivisionId.__name__}?")
    return kinds


def _make_name_of_clearing_argument(emptied_argument: str) -> str:
    return f"no_{emptied_argument}"


def _list_command_line_arguments(command: Command) -> list[CommandArgument]:
    return [
        argument
        for argument in list_arguments(command)
        if not has_any_type_in_hint(argument.hint, _TYPES_WITHOUT_TEXT_FORM)
    ]


def _format_type(hint: Any) -> str:
    hint = strip_none_from_hint(hint)
    if items := list_tuple_item_types(hint):
        return f"{_format_type(items[0])},..."
    if is_enum(hint):
        return "|".join(str(member.value) for member in hint)
    return str(hint.__name__)


def _get_command_or_refuse(name: str) -> Command:
    command = PAIRING_COMMANDS.get(name) or DOMAIN_COMMANDS.get(name)
    if command is None or not _can_run_on_command_line(command):
        matches = get_close_matches(name, map_commands_for_command_line(), n=1)
        raise CommandError(
            "unknown-command-near" if matches else "unknown-command", command=name, near=", ".join(matches)
        )
    return command


def run_command(program: Program, desk: Desk, name: str, argument_texts: Mapping[str, str]) -> None:
    """Run the command `name` with arguments from texts. Raises CommandError for an invalid argument."""
    command = _get_command_or_refuse(name)
    reader = _ArgumentReader(program, desk.index, argument_texts)
    desk.do(partial(command, **reader.read_arguments(command, key=desk.make_row_id())))


class _ArgumentReader:
    def __init__(self, program: Program, index: TournamentIndex, argument_texts: Mapping[str, str]) -> None:
        self._program = program
        self._index = index
        self._argument_texts = dict(argument_texts)
        self._readers: Mapping[Any, Callable[[str], Any]] = {
            str: str,
            int: _read_number,
            bool: _parse_boolean,
            model.DivisionId: lambda word: self._index.get_division(word).id,
            model.PlayerId: self._find_player,
            model.RoundId: lambda word: (
                self._index.get_round(self._find_chosen_division().id, _read_number(word)).id
            ),
            model.StageId: self._find_stage,
            model.GameId: self._find_game,
            PairingSettings: _read_pairing_settings,
            RuleSet: self._load_ruleset,
            SeasonRule: program.load_season_rule,
            RatingSystem: partial(select_rating_system, program.rating_systems),
            model.SeasonId: self._find_season_by_number,
            model.CopiedEventId: self._find_copied_event,
            TileSet: self._program.get_tileset,
            SanctionId: self._find_sanction,
            IncidentId: partial(self._find_row_id_by_number, index.incidents, "no-such-incident"),
            ChallengeId: partial(self._find_row_id_by_number, index.challenges, "no-such-challenge"),
            model.PrizeId: partial(self._find_row_id_by_number, index.prizes, "no-such-prize"),
            model.TableGroupId: partial(self._find_row_id_by_number, index.table_groups, "no-such-table-group"),
            model.FeeId: partial(self._find_row_id_by_number, index.fees, "no-such-fee"),
            model.ConstraintId: partial(
                self._find_row_id_by_number, partial(list_constraints, index), "no-such-constraint"
            ),
            Proposal: lambda word: propose_pairings(self._index, self._index.get_division(word).id),
        }

    def read_arguments(self, command: Command, *, key: str) -> dict[str, Any]:
        arguments = _list_command_line_arguments(command)
        names = {argument.name for argument in arguments}
        values: dict[str, Any] = {}
        for argument in arguments:
            word = self._get_or_infer_argument_text(argument.name, names)
            clear_name = _make_name_of_clearing_argument(argument.name) if argument.can_be_set_to_none else ""
            names.add(clear_name)
            clear_text = self._argument_texts.get(clear_name)
            if clear_text is not None and self._parse_value(bool, clear_text, clear_name):
                values[argument.name] = None
            elif argument.name == "key":
                values["key"] = key
            elif word is not None:
                values[argument.name] = self._parse_value(argument.hint, word, argument.name)
            elif argument.name == "at":
                values["at"] = get_utc_timestamp()
            elif argument.is_required:
                raise CommandError("argument-missing", argument=argument.name)
        for word in self._argument_texts.keys() - names - {"division", "round", "table"}:
            raise CommandError("argument-unknown", argument=word, known=", ".join(sorted(names - {"key", ""})))
        return values

    def _get_or_infer_argument_text(self, name: str, known_names: set[str]) -> str | None:
        if name in self._argument_texts:
            return self._argument_texts[name]
        if name == "game" and "table" in self._argument_texts:
            return f"{self._argument_texts.get('round', '')}/{self._argument_texts['table']}"
        if name == "proposal":
            return self._argument_texts.get("division") or self._find_chosen_division().code
        if name == "tileset":
            return self._index.tournament.get_ruleset_of_row(self._find_chosen_division()).tileset
        if name == "division" and len(self._index.divisions) == 1 and name in known_names:
            return self._index.divisions[0].code
        return None

    def _parse_value(self, hint: Any, word: str, name: str) -> Any:
        hint = strip_none_from_hint(hint)
        if items := list_tuple_item_types(hint):
            return self._parse_tuple(items, word, name)
        try:
            return hint(word) if is_enum(hint) else self._readers[hint](word)
        except ValueError:
            raise CommandError("argument-unfit", argument=name, value=word) from None

    def _parse_tuple(self, items: tuple[Any, ...], word: str, name: str) -> tuple[Any, ...]:
        parts = [part.strip() for part in word.split(",") if part.strip()]
        kinds = list_tuple_item_types(items[0])
        if not kinds:
            return tuple(self._parse_value(items[0], part, name) for part in parts)
        rows = [part.split(":") for part in parts]
        if any(len(row) != len(kinds) for row in rows):
            raise CommandError("argument-unfit", argument=name, value=word)
        return tuple(
            tuple(self._parse_value(*pair, name) for pair in zip(kinds, row, strict=True)) for row in rows
        )

    def _find_chosen_division(self) -> Division:
        return self._index.get_division(self._argument_texts.get("division"))

    def _find_player(self, word: str) -> model.PlayerId:
        match = re.fullmatch(r"([^\d\s]*?)(-?\d+)", word)
        if match is None:
            return find_player_by_number_or_name(self._index, self._argument_texts.get("division"), word).id
        division = self._index.get_division(match[1]) if match[1] else self._find_chosen_division()
        return self._index.get_player(division.id, int(match[2])).id

    def _find_stage(self, word: str) -> model.StageId:
        stages = self._index.stages(self._find_chosen_division().id)
        number = _read_number(word)
        if not 1 <= number <= len(stages):
            raise CommandError("no-such-stage", stage=number)
        return stages[number - 1].id

    def _find_game(self, word: str) -> model.GameId:
        number, _, table = word.partition("/")
        item = self._index.get_round(self._find_chosen_division().id, _read_number(number))
        return self._index.get_game(item.id, _read_number(table)).id

    def _find_sanction(self, word: str) -> SanctionId:
        """Find a sanction: the word `7/2` means the second sanction of player 7."""
        player, _, number = word.partition("/")
        sanctions = self._index.sanctions(self._find_player(player))
        if not 1 <= _read_number(number) <= len(sanctions):
            raise CommandError("no-such-sanction", sanction=word)
        return sanctions[_read_number(number) - 1].id

    def _find_row_id_by_number(
        self, list_rows: Callable[[model.DivisionId], Sequence[Row]], error_code: str, word: str
    ) -> str:
        rows = list_rows(self._find_chosen_division().id)
        if not 1 <= _read_number(word) <= len(rows):
            raise CommandError(error_code, id=word)
        return rows[_read_number(word) - 1].id

    def _find_season_by_number(self, word: str) -> model.SeasonId:
        season = find_season(self._index, _read_number(word))
        if season is None:
            raise CommandError("no-such-season", id=word)
        return season.id

    def _find_copied_event(self, word: str) -> model.CopiedEventId:
        return find_copied_event(self._index, _read_number(word)).id

    def _load_ruleset(self, word: str) -> RuleSet:
        return read_ruleset(Path(word)) if word.endswith(".toml") else self._program.get_bundled_ruleset(word)


def _read_number(word: str) -> int:
    return int(word, 10)


def _parse_boolean(word: str) -> bool:
    try:
        return _YES_NO[word.casefold()]
    except KeyError:
        raise ValueError(word) from None


def _read_pairing_settings(word: str) -> PairingSettings:
    try:
        return make_decoder(PairingSettings)(json.loads(word))
    except InvalidDocumentError as error:
        raise CommandError("settings-unfit", problems="; ".join(error.problems)) from None
    except RecursionError:
        raise ValueError(word) from None


def _list_wordlist_rule_warnings(program: Program, desk: Desk, argument_texts: Mapping[str, str]) -> list[str]:
    from tdapp.services import word_lists

    division = desk.index.get_division(argument_texts["division"]) if "division" in argument_texts else None
    with program.library.open_edition_if_available(argument_texts["wordlist"]) as lexicon:
        if lexicon is None:
            return []
        rules = desk.tournament.get_ruleset_of_row(division)
        return [f"{line}\n" for line in word_lists.list_rule_warnings(program.catalogue, lexicon.metadata, rules)]


def run_do_verb(program: Program, options: Namespace) -> CommandAndStepJson | dict[str, dict[str, str]]:
    if options.list:
        types_by_command = {
            name: map_argument_types(command) for name, command in map_commands_for_command_line().items()
        }
        if not options.json:
            for name, arguments in types_by_command.items():
                print(name, " ".join(f"{key}={kind}" for key, kind in arguments.items()))
        return types_by_command
    if options.file is None or options.command is None:
        raise CommandError("do-what")
    words = {}
    for word in options.words:
        name, equals, value = word.partition("=")
        if not equals:
            raise CommandError("argument-without-value", argument=word)
        words[name] = value
    with program.open_desk(options.file) as desk:
        before = desk.tournament
        run_command(program, desk, options.command, words)
        step = desk.undoable_step
        text = program.catalogue.describe_step(step.label, step.facts) if step else ""
        if "wordlist" in words and not options.json:
            print("".join(_list_wordlist_rule_warnings(program, desk, words)), end="")
        if not options.json:
            effects = describe_rule_change_effects(before, desk.tournament, program.catalogue)
            print(effects, end="\n" if effects else "")
        note = _explain_check_first_after_rule_change(before, desk.tournament, program.catalogue)
        if note and not options.json:
            print(note)
        return CommandAndStepJson(options.command, " · ".join(filter(None, (text, note))))


def run_command_named_by_verb(program: Program, options: Namespace) -> StepJson:
    """Run the command that belongs to the verb."""
    name = VERBS[options.verb].command
    names = {"division", *(argument.name for argument in list_arguments(_get_command_or_refuse(name)))}
    words = {key: str(value) for key, value in vars(options).items() if key in names and value is not None}
    with program.open_desk(options.file) as desk:
        run_command(program, desk, name, words)
        return make_step_json(desk, program.catalogue)


def _explain_check_first_after_rule_change(before: Tournament, after: Tournament, catalogue: Catalogue) -> str:
    default, first = after.ruleset.judges.check_first, after.event.check_first
    if default in {first, before.ruleset.judges.check_first}:
        return ""
    if first:
        return catalogue.text(
            "Rounds are paired only when all results are checked. Set check_first=no to change that."
        )
    return catalogue.text(
        "Rounds may be paired before all results are checked. Set check_first=yes to change that."
    )
