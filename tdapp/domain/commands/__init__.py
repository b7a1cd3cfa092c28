"""Everything a director or jury member can do: pure functions from a tournament to the next one.

Each takes the tournament and keyword arguments only, and returns the next value or raises RuleViolation. `key`
is a fresh id made outside: the ids of new rows are derived from it, so that running a command again gives the
same value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tdapp.domain.commands.bonds import allow_pairing, forbid_pairing, keep_apart, order_pairing, remove_bond
from tdapp.domain.commands.challenges import appeal_challenge, record_challenge, remove_challenge
from tdapp.domain.commands.event import (
    add_division,
    change_rules,
    choose_wordlist,
    edit_division,
    edit_event,
    finish_tournament,
    new_tournament,
    remove_division,
    reopen_tournament,
    set_check_first,
    set_order,
    set_spread_caps,
)
from tdapp.domain.commands.imports import import_division, import_players, import_tournament
from tdapp.domain.commands.incidents import edit_incident, note_incident, remove_incident
from tdapp.domain.commands.papers import choose_papers, note_printings, remove_logo, set_logo, waive_printings
from tdapp.domain.commands.players import (
    add_player,
    check_in,
    clear_absence,
    edit_player,
    move_player,
    remove_player,
    return_player,
    set_absence,
    withdraw_player,
)
from tdapp.domain.commands.prizes import add_prize, choose_rating, edit_prize, move_prize, remove_prize
from tdapp.domain.commands.publishing import hold_standings, set_names_shown
from tdapp.domain.commands.results import (
    Seen,
    certify_result,
    check_result,
    clear_result,
    decide_tie,
    enter_result,
    enter_results,
)
from tdapp.domain.commands.rounds import (
    discard_round,
    lock_game,
    pair_round,
    play_as_seated,
    propose_round,
    publish_round,
    seat_latecomer,
    set_starter,
    set_table,
)
from tdapp.domain.commands.sanctions import add_sanction, remove_sanction
from tdapp.domain.commands.seating import add_table_group, edit_table_group, remove_table_group, set_sessions
from tdapp.domain.commands.seeding import seed_stage
from tdapp.domain.commands.sheets import clear_sheet, enter_sheet, rule_on_turn
from tdapp.domain.commands.stages import (
    add_stage,
    draw_cut,
    edit_stage,
    insert_play_off,
    merge_stages,
    move_stage,
    remove_stage,
    schedule_stage,
    set_seeds,
    split_stage,
)
from tdapp.domain.tournament import Tournament

Command = Callable[..., Tournament]


def command_id(function: Command) -> str:
    """Return a command's id, which is also the label of its step in the history."""
    return function.__name__.replace("_", "-")


COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        command_id(function): function
        for function in (
            edit_event,
            set_check_first,
            set_names_shown,
            hold_standings,
            choose_wordlist,
            change_rules,
            finish_tournament,
            reopen_tournament,
            add_division,
            edit_division,
            remove_division,
            set_order,
            set_spread_caps,
            set_sessions,
            add_table_group,
            edit_table_group,
            remove_table_group,
            add_stage,
            edit_stage,
            schedule_stage,
            split_stage,
            merge_stages,
            move_stage,
            remove_stage,
            set_seeds,
            seed_stage,
            draw_cut,
            insert_play_off,
            add_player,
            edit_player,
            remove_player,
            move_player,
            check_in,
            withdraw_player,
            return_player,
            set_absence,
            clear_absence,
            forbid_pairing,
            keep_apart,
            order_pairing,
            allow_pairing,
            remove_bond,
            import_players,
            import_division,
            import_tournament,
            propose_round,
            pair_round,
            publish_round,
            discard_round,
            lock_game,
            set_table,
            set_starter,
            play_as_seated,
            enter_result,
            enter_results,
            clear_result,
            check_result,
            certify_result,
            decide_tie,
            enter_sheet,
            clear_sheet,
            rule_on_turn,
            add_sanction,
            remove_sanction,
            note_incident,
            edit_incident,
            remove_incident,
            record_challenge,
            appeal_challenge,
            remove_challenge,
            add_prize,
            edit_prize,
            move_prize,
            remove_prize,
            choose_rating,
            choose_papers,
            note_printings,
            waive_printings,
            set_logo,
            remove_logo,
        )
    }
)

__all__ = [
    "COMMANDS",
    "Command",
    "Seen",
    "add_division",
    "add_player",
    "add_prize",
    "add_sanction",
    "add_stage",
    "add_table_group",
    "allow_pairing",
    "appeal_challenge",
    "certify_result",
    "change_rules",
    "check_in",
    "check_result",
    "choose_papers",
    "choose_rating",
    "choose_wordlist",
    "clear_absence",
    "clear_result",
    "clear_sheet",
    "command_id",
    "decide_tie",
    "discard_round",
    "draw_cut",
    "edit_division",
    "edit_event",
    "edit_incident",
    "edit_player",
    "edit_prize",
    "edit_stage",
    "edit_table_group",
    "enter_result",
    "enter_results",
    "enter_sheet",
    "finish_tournament",
    "forbid_pairing",
    "hold_standings",
    "import_division",
    "import_players",
    "import_tournament",
    "insert_play_off",
    "keep_apart",
    "lock_game",
    "merge_stages",
    "move_player",
    "move_prize",
    "move_stage",
    "new_tournament",
    "note_incident",
    "note_printings",
    "order_pairing",
    "pair_round",
    "play_as_seated",
    "propose_round",
    "publish_round",
    "record_challenge",
    "remove_bond",
    "remove_challenge",
    "remove_division",
    "remove_incident",
    "remove_logo",
    "remove_player",
    "remove_prize",
    "remove_sanction",
    "remove_stage",
    "remove_table_group",
    "reopen_tournament",
    "return_player",
    "rule_on_turn",
    "schedule_stage",
    "seat_latecomer",
    "seed_stage",
    "set_absence",
    "set_check_first",
    "set_logo",
    "set_names_shown",
    "set_order",
    "set_seeds",
    "set_sessions",
    "set_spread_caps",
    "set_starter",
    "set_table",
    "split_stage",
    "waive_printings",
    "withdraw_player",
]
