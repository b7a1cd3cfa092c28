"""The commands: all actions of directors and jury members, by id.

A command is a pure function that returns the changed tournament or raises CommandError. The ids of new rows are
derived from the caller's `key`, so that a repeated command makes the same ids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tdapp.domain.commands.constraints import (
    allow_pairing,
    forbid_pairing,
    keep_apart,
    order_pairing,
    remove_constraint,
)
from tdapp.domain.commands.entry_desk import (
    add_fee,
    arrive,
    close_check_in,
    edit_fee,
    note_paid,
    open_check_in,
    remove_fee,
)
from tdapp.domain.commands.evenings import add_member, begin_evening, end_evening
from tdapp.domain.commands.event import (
    add_division,
    add_table_group,
    announce,
    change_division_rules,
    change_rules,
    choose_division_wordlist,
    choose_wordlist,
    edit_division,
    edit_event,
    edit_table_group,
    finish_tournament,
    hold_standings,
    keep_records,
    new_tournament,
    remove_division,
    remove_table_group,
    reopen_tournament,
    set_check_first,
    set_names_shown,
    set_order,
    set_sessions,
    set_spread_caps,
    set_times,
)
from tdapp.domain.commands.event_copies import (
    add_copied_events,
    edit_copied_event,
    refresh_copied_events,
    remove_copied_event,
    separate_persons,
)
from tdapp.domain.commands.imports import (
    add_division_with_stage,
    import_division,
    import_event,
    import_players,
    import_tournament,
)
from tdapp.domain.commands.jury import (
    add_sanction,
    appeal_challenge,
    edit_incident,
    note_incident,
    record_challenge,
    remove_challenge,
    remove_incident,
    remove_sanction,
    sign_rulings,
)
from tdapp.domain.commands.papers import (
    choose_reports,
    note_printouts,
    remove_logo,
    set_logo,
    unnote_printouts,
    waive_printouts,
)
from tdapp.domain.commands.players import (
    add_player,
    check_in,
    clear_absence,
    edit_player,
    miss_round,
    remove_photos,
    remove_player,
    return_player,
    set_absence,
    set_photos,
    withdraw_player,
)
from tdapp.domain.commands.prizes import add_prize, choose_rating, edit_prize, move_prize, remove_prize
from tdapp.domain.commands.results import (
    ResultBeforeChange,
    certify_result,
    check_result,
    check_results,
    clear_result,
    close_entry,
    decide_tie,
    decide_verdicts,
    dispute_result,
    drop_slips,
    enter_result,
    enter_results,
    enter_slip,
    open_entry,
    renew_codes,
    second_result,
    set_award,
    take_slips,
)
from tdapp.domain.commands.rounds import (
    add_latecomer_to_group_table,
    discard_round,
    lock_game,
    move_group,
    pair_round,
    play_as_seated,
    propose_round,
    publish_round,
    seat_latecomer,
    set_starter,
    set_table,
    split_table_of_three,
    unpublish_round,
)
from tdapp.domain.commands.rule import is_command
from tdapp.domain.commands.seasons import (
    add_season,
    apply_ratings,
    edit_season,
    import_earlier_results,
    remove_earlier_results,
    remove_season,
)
from tdapp.domain.commands.seats import (
    check_seats,
    clear_seats,
    drop_points,
    enter_break_up,
    enter_seats,
    send_points,
    take_points,
)
from tdapp.domain.commands.sheets import (
    clear_sheet,
    enter_sheet,
    enter_sheets,
    rule_on_turn,
    rule_on_word,
    settle_forms,
)
from tdapp.domain.commands.stages import (
    add_stage,
    draw_cut,
    edit_stage,
    insert_play_off,
    merge_stages,
    move_stage,
    remove_stage,
    schedule_stage,
    seed_stage,
    set_seeds,
    split_stage,
)
from tdapp.domain.commands.transfers import merge_division, merge_players, move_players
from tdapp.domain.journal import find_command_id
from tdapp.domain.tournament import Tournament

Command = Callable[..., Tournament]


COMMANDS: Mapping[str, Command] = {
    find_command_id(item): item for item in tuple(globals().values()) if is_command(item)
}
