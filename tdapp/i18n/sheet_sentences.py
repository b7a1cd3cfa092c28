"""Sentences about score sheets and about the progress of the jury."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from tdapp.domain import outcome
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import make_issue_facts
from tdapp.domain.jury_rows import Challenge
from tdapp.domain.model import Game, GameSide, Player, PlayerId, Result, ResultState, Round
from tdapp.domain.round_clock import LatenessConsequences, format_clock
from tdapp.domain.ruleset import ForfeitCause, PlayersWhoDrawAgain, RuleSet
from tdapp.domain.rulings import has_phonies_not_yet_deducted
from tdapp.domain.sheet_draft import SheetDraft, SheetDraftError
from tdapp.domain.tables.jury import (
    JuryGame,
    ResultCheckProgress,
    SheetDifferenceRow,
    compute_result_check_progress,
    find_opponent_with_remaining_tiles,
    make_jury_game_table,
)
from tdapp.domain.translatable import C_
from tdapp.domain.verdicts import VerdictCostKind, VerdictWithCost, is_verdict_cost_applied, list_pending_verdicts
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.sheet_reading import MILD_ISSUES, ParsedSheetDraft, describe_turn
from tdapp.scrabble import turn_line
from tdapp.scrabble.coordinates import SquareNotation
from tdapp.scrabble.sheet import FOOT_FIELDS, GameEnding, SheetDifference, Turn, TurnKind
from tdapp.scrabble.tiles import BLANK, StartingDrawBlankRule, TileSet


def describe_challenge_verdict(catalogue: Catalogue, verdict: VerdictWithCost, names: Sequence[str]) -> str:
    """Describe the cost of a verdict and the player who pays it. Do not name the challenged words."""
    text, points = catalogue.text, verdict.points
    if verdict.player is None:
        return {
            VerdictCostKind.WORD: text("challenge: an invalid word was found during the game"),
            VerdictCostKind.POINTS: text("challenge: {points:signed}, the player was not recorded", points=points),
        }.get(verdict.kind, text("challenge: the player was not recorded"))
    name = names[verdict.player - 1]
    return {
        VerdictCostKind.WORD: text("challenge: {player} played an invalid word", player=name),
        VerdictCostKind.TURN: text("challenge: {player} loses a turn", player=name),
        VerdictCostKind.GAME: text("challenge: {player} loses the game", player=name),
    }.get(verdict.kind, text("challenge: {player} {points:signed}", player=name, points=points))


def describe_whether_total_includes_verdict(
    catalogue: Catalogue, index: TournamentIndex, challenge: Challenge
) -> str:
    """Describe whether the result includes a verdict's points.

    Return "" if the verdict costs nothing or the game has no result.
    """
    decision = is_verdict_cost_applied(index, challenge)
    if decision is not None:
        applied_text = catalogue.text("The program has changed the total because of this verdict.")
        refused_text = catalogue.text("The total already included the verdict.")
        return applied_text if decision else refused_text
    game = index.find_game_at_table(challenge.division, challenge.round, challenge.table)
    if game is None or index.get_result(game.id) is None:
        return ""
    is_pending = any(verdict.challenge == challenge.id for verdict in list_pending_verdicts(index, game))
    return catalogue.text("Still to decide: does the total already include this verdict?") if is_pending else ""


def describe_challenge_verdicts(
    catalogue: Catalogue, verdicts: Iterable[VerdictWithCost], names: Sequence[str]
) -> str:
    return " · ".join(describe_challenge_verdict(catalogue, verdict, names) for verdict in verdicts)


def explain_yes_and_no_answers_to_verdicts(catalogue: Catalogue, verdicts: Sequence[VerdictWithCost]) -> str:
    yes_letter, no_letter = (next(iter(letters)) for letters in list_yes_and_no_letters(catalogue))
    if all(verdict.kind is VerdictCostKind.TURN for verdict in verdicts):
        return catalogue.text(
            "{yes}: the turn was lost · {no}: the turn was not lost", yes=yes_letter, no=no_letter
        )
    if any(verdict.can_be_applied for verdict in verdicts):
        return catalogue.text(
            "{yes}: change the total · {no}: the total already includes the ruling", yes=yes_letter, no=no_letter
        )
    return catalogue.text(
        "Rule on the word first, or type {no} if the total already includes the ruling", no=no_letter
    )


def explain_unapplied_verdicts(catalogue: Catalogue, verdicts: Iterable[VerdictWithCost]) -> str:
    if all(verdict.kind is VerdictCostKind.TURN for verdict in verdicts):
        return catalogue.text("the turn was not lost")
    return catalogue.text("the total already includes the ruling")


def list_yes_and_no_letters(catalogue: Catalogue) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the letters for yes and those for no.

    Each list has the letter of the language, then the English letter.
    """
    text = catalogue.text
    yes_letter, no_letter = text(C_("letter that says yes", "y")), text(C_("letter that says no", "n"))
    return (yes_letter, "y"), (no_letter, "n")


def map_yes_and_no_letters(catalogue: Catalogue) -> dict[str, bool]:
    yes_letters, no_letters = list_yes_and_no_letters(catalogue)
    return {**dict.fromkeys(yes_letters, True), **dict.fromkeys(no_letters, False)}


def describe_form_difference(difference: SheetDifference, catalogue: Catalogue, draft: SheetDraft) -> str:
    convention = draft.convention
    sides = [
        _format_sheet_field_value(difference.field, value, catalogue, convention)
        for value in (difference.value, difference.other_value)
    ]
    field_name = catalogue.translate_code(difference.field)
    if difference.field in FOOT_FIELDS:
        return catalogue.text(
            "The two forms first differ at the end, {what}: {one} on form 1, {two} on form 2.",
            what=field_name,
            one=sides[0],
            two=sides[1],
        )
    return catalogue.text(
        "The two forms first differ in {where}, {what}: {one} on form 1, {two} on form 2.",
        where=describe_draft_line(draft, difference.turn - 1, catalogue),
        what=field_name,
        one=sides[0],
        two=sides[1],
    )


def list_sheet_difference_cells(
    catalogue: Catalogue, row: SheetDifferenceRow, draft: SheetDraft
) -> tuple[str, ...]:
    """Return the ten cells of a list row that compares a game's two score sheets.

    For a turn, the cells start with row number and player. Four cells for each sheet follow: square, word, score
    and total. For a field below the turns, only the field name and two values are filled in.
    """
    if row.row is None or row.player is None:
        difference = row.differences[0]
        first_value, second_value = (
            _format_sheet_field_value(difference.field, value, catalogue, draft.convention)
            for value in (difference.value, difference.other_value)
        )
        return "", catalogue.translate_code(difference.field), "", first_value, "", "", "", second_value, "", ""
    sides = [_list_turn_cells(catalogue, turn, draft.convention) for turn in (row.first, row.second)]
    return str(row.row), draft.players[row.player - 1].partition(",")[0], *sides[0], *sides[1]


def _list_turn_cells(
    catalogue: Catalogue, turn: Turn | None, convention: SquareNotation
) -> tuple[str, str, str, str]:
    if turn is None:
        return "", catalogue.text("nothing"), "", ""
    square = "" if turn.at is None else _format_sheet_field_value("at", turn.at, catalogue, convention)
    score, total = ("" if number is None else str(number) for number in (turn.score, turn.total))
    return square, describe_turn(turn, catalogue), score, total


def format_sheet_row_and_player(catalogue: Catalogue, row: int, player: str) -> str:
    return catalogue.text("row {row}, {player}", row=row, player=player.partition(",")[0])


def _format_sheet_field_value(
    field: str, value: str | int | None, catalogue: Catalogue, convention: SquareNotation
) -> str:
    if value is None:
        return catalogue.text("nothing")
    if field in {"kind", "ended"}:
        return catalogue.translate_code((TurnKind if field == "kind" else GameEnding)(str(value)))
    if field == "at":
        return turn_line.convert_square_notation(str(value), convention)
    return str(value)


def list_problems_of_whole_sheet(
    catalogue: Catalogue, tileset: TileSet | None, reading: ParsedSheetDraft
) -> list[str]:
    """Return the problems of the end of the game and of the sheet as a whole."""
    problems = []
    if reading.error is not None:
        problems.append(explain_sheet_draft_error(SheetDraftError("clock"), catalogue, reading.draft))
    elif reading.draft.end.ended is not None and tileset is not None:
        try:
            reading.draft.make_sheet(tileset)
        except SheetDraftError as error:
            if error.line_index is None:
                problems.append(explain_sheet_draft_error(error, catalogue, reading.draft))
    problems += [
        catalogue.describe_problem(issue.code, make_issue_facts(issue))
        for issue in reading.list_issues_of_game_end()
    ]
    if reading.preview.error is not None:
        problems.append(catalogue.describe_error(reading.preview.error))
    return problems


def list_problems_before_check(
    catalogue: Catalogue, tileset: TileSet | None, reading: ParsedSheetDraft, rules: RuleSet
) -> list[str]:
    """Return the problems of the sheet and its turns that the jury must see before it checks the result."""
    wrong_turns = [
        row.line.number for row in reading.rows if any(issue.code not in MILD_ISSUES for issue in row.issues)
    ]
    positions = [
        describe_draft_line(reading.draft, reading.line_indexes[number - 1], catalogue) for number in wrong_turns
    ]
    problems = list_problems_of_whole_sheet(catalogue, tileset, reading)
    if has_phonies_not_yet_deducted(reading.sheet, rules):
        problems.insert(
            0,
            catalogue.text(
                "Enter how the game ended. Until then, no points are deducted for invalid words in this game."
            ),
        )
    if wrong_turns:
        problems.insert(0, catalogue.text("Problems on the sheet: {places}.", places="; ".join(positions)))
    return problems


def describe_draft_line(draft: SheetDraft, line_index: int, catalogue: Catalogue) -> str:
    entries = draft.entries
    player = entries[line_index].player if line_index < len(entries) else draft.find_player_on_turn()
    return format_sheet_row_and_player(
        catalogue,
        draft.list_paper_form_row_numbers_and_next(player)[min(line_index, len(entries))],
        draft.players[player - 1],
    )


def explain_sheet_draft_error(error: SheetDraftError, catalogue: Catalogue, draft: SheetDraft) -> str:
    return {
        "turn": catalogue.text(
            "{where}: the program cannot read this turn.",
            where=describe_draft_line(draft, error.line_index or 0, catalogue),
        ),
        "end": catalogue.text("Enter how the game ended, or choose “game not finished”."),
        "nothing": catalogue.text("Nothing has been typed yet."),
        "turns-forfeited": catalogue.text(
            "A forfeited game has no turns. Remove the turns, or choose another end of the game."
        ),
        "whose": catalogue.text("Choose the player."),
        "rack": catalogue.text("Type the letters of the rack (? for a blank), or the total value of its tiles."),
        "overtime": catalogue.text("Type overtime in minutes and seconds: 1:15."),
        "clock": catalogue.text(
            "Enter which player went over the overtime limit, and that player’s total overtime."
        ),
    }[error.code]


def format_replaced_result_warning(
    catalogue: Catalogue, old_result: Result | None, new_result: Result | None
) -> str:
    if (
        old_result is None
        or new_result is None
        or format_totals_or_forfeit(catalogue, old_result) == format_totals_or_forfeit(catalogue, new_result)
    ):
        return ""
    return catalogue.text(
        "The result entered is {old}; this sheet changes it to {new}.",
        old=format_totals_or_forfeit(catalogue, old_result), new=format_totals_or_forfeit(catalogue, new_result),
    )  # fmt: skip


def describe_score_change(
    catalogue: Catalogue, old_result: Result | None, new_result: Result | None, *, is_sheet_finished: bool = True
) -> str:
    if new_result is None:
        return catalogue.text("The game has no result yet.")
    before = format_totals_or_forfeit(catalogue, old_result) if old_result is not None else "–"
    if not is_sheet_finished:
        return catalogue.text("The score stays {old} until this sheet is finished.", old=before)
    if before == format_totals_or_forfeit(catalogue, new_result):
        return catalogue.text("The score stays {old}.", old=before)
    return catalogue.text(
        "The result changes from {old} to {new}.",
        new=format_totals_or_forfeit(catalogue, new_result),
        old=before,
    )


def format_totals_or_forfeit(catalogue: Catalogue, result: Result) -> str:
    if result.forfeit is not None:
        return catalogue.translate_code(result.forfeit)
    return " – ".join(catalogue.format_number(points or 0) for points in (result.first, result.second))


def format_unplayed_racks(tileset: TileSet | None, reading: ParsedSheetDraft) -> tuple[str, str]:
    """Return, for each player, the tiles left on the rack with their total value, or ""."""
    player_and_rack = (
        find_opponent_with_remaining_tiles(reading.sheet, reading.replayed_turns, tileset) if tileset else None
    )
    if player_and_rack is None or tileset is None:
        return "", ""
    player, tiles = player_and_rack
    text = f"{tileset.format_tiles(tiles)} = {tileset.sum_tile_values(tiles)}"
    return (text, "") if player == 1 else ("", text)


def list_turn_examples(catalogue: Catalogue) -> tuple[tuple[str, str], ...]:
    text = catalogue.text
    return (
        (
            f"{text('8D CAKE 20')} 143",
            text(C_("example of a typed turn", "square, word, score, total; a word or a score is enough")),
        ),
        ("20 143", text(C_("example of a typed turn", "score 20 and total 143; =143 is only a total"))),
        (
            "TAaRT · TAA*RT",
            text(C_("example of a typed turn", "a small letter among capitals, or one with *, is a blank")),
        ),
        ("-", text(C_("example of a typed turn", "pass"))),
        ("-3 · -ABC", text(C_("example of a typed turn", "exchange"))),
        ("8D XYZ --", text(C_("example of a typed turn", "taken back, the turn is lost"))),
        (
            "/ · /2",
            text(C_("example of a typed turn", "wrong challenge by this player; /2: two words")),
        ),
        (
            "/ !",
            text(C_("example of a typed turn", "a wrong challenge that counts in spite of the program’s warning")),
        ),
        ("#", text(C_("example of a typed turn", "turn lost as a sanction"))),
        ("FOUT 30 !", text(C_("example of a typed turn", "ruled invalid by the jury; !2: two invalid words"))),
        ("WEL 18 ~XYZ", text(C_("example of a typed turn", "replaces the challenged play XYZ"))),
        ("WEL 18 @AELW", text(C_("example of a typed turn", "the rack before the turn"))),
    )


def describe_result_check_progress(catalogue: Catalogue, progress: ResultCheckProgress) -> str:
    parts = []
    if progress.entered:
        parts.append(
            catalogue.text("{checked} of {games} checked", checked=progress.checked, games=progress.entered)
        )
    if progress.doubtful:
        parts.append(catalogue.plural("{n} game in doubt", "{n} games in doubt", progress.doubtful))
    if progress.games > progress.entered:
        parts.append(
            catalogue.plural(
                "{n} result still missing", "{n} results still missing", progress.games - progress.entered
            )
        )
    return ", ".join(parts)


def list_reasons_to_check_game(
    catalogue: Catalogue, row: JuryGame, *, hide_word_reasons: bool = False
) -> tuple[str, ...]:
    """Return the reasons why the jury must look at a table."""
    text, turns, (first, second) = catalogue.text, row.doubtful - {0}, row.disputed or (0, 0)
    reasons = {
        text("sheet not finished"): row.forms and row.state == "open",
        text("two forms differ"): row.differing is not None,
        catalogue.plural("{n} turn in doubt", "{n} turns in doubt", len(turns)): turns and not hide_word_reasons,
        text("the game’s end or final score is in doubt"): 0 in row.doubtful,
        text("sheet and result differ"): row.has_contradiction and not hide_word_reasons,
        text("another slip says {first} – {second}", first=first, second=second): row.disputed,
    }
    texts = tuple(reason_text for reason_text, applies in reasons.items() if applies)
    names = (row.first_name, row.second_name)
    return (*texts, *(describe_challenge_verdict(catalogue, verdict, names) for verdict in row.verdicts))


def describe_check_progress_for_public(catalogue: Catalogue, index: TournamentIndex, item: Round) -> str:
    """Return how many results are checked, but not how many are doubtful.

    Return "" if the next round does not wait for checks.
    """
    progress = compute_result_check_progress(
        make_jury_game_table(index, item, find_doubts=lambda _form: frozenset()).rows
    )
    if not index.tournament.event.check_first or not progress.entered:
        return ""
    return describe_result_check_progress(catalogue, replace(progress, entered=progress.games, doubtful=0))


def describe_starting_draw_rules(ruleset: RuleSet, catalogue: Catalogue) -> str:
    rules, text = ruleset.draw, catalogue.text
    blank_text = (
        text("A blank (type {blank}) goes before A.", blank=BLANK)
        if rules.blank is StartingDrawBlankRule.FIRST
        else text("If anyone draws a blank (type {blank}), all draw again.", blank=BLANK)
    )
    redraw_text = (
        text("If several players share the best letter, all draw again.")
        if rules.again is PlayersWhoDrawAgain.ALL
        else text("Players who share the best letter draw again.")
    )
    return_text = (
        text("The drawn tiles go back into the bag first.")
        if rules.returned
        else text("No drawn tile goes back into the bag until it is decided who starts.")
    )
    return " ".join(
        (text("The player with the letter nearest to A starts."), blank_text, redraw_text, return_text)
    )


def describe_late_arrival_rules(rules: RuleSet, catalogue: Catalogue) -> str:
    if not rules.late.known or rules.clock.minutes is None:
        error_text = catalogue.describe_error(CommandError("late-not-in-rules", ruleset=rules.name))
        return error_text + " " + catalogue.text("The director decides.")
    return catalogue.text(
        "Each player has {minutes} minutes, and a late player’s clock runs. A player who arrives with less than "
        "{least} minutes left may resign the game; with none left, the game is lost.",
        minutes=rules.clock.minutes,
        least=rules.late.give_up,
    )


def describe_late_arrival(delay: int, arrival: LatenessConsequences | None, catalogue: Catalogue) -> str:
    """Describe the effect of a late arrival of `delay` seconds.

    `arrival` is None if the rules do not mention late arrivals.
    """
    text = catalogue.text
    parts = [text("{time} late.", time=format_clock(delay))]
    if arrival is not None and arrival.is_lost:
        parts.append(text("Out of time: the game is lost."))
    elif arrival is not None:
        parts.append(text("{time} left on the clock.", time=format_clock(arrival.remaining_seconds)))
        parts += [text("The player may resign the game.")] if arrival.may_give_up else []
    return " ".join(parts)


def explain_clocks_if_both_players_late(shorter_delay: int, catalogue: Catalogue) -> str:
    """Describe the effect on the clocks if both players are late.

    `shorter_delay` is the shorter delay, in seconds.
    """
    return catalogue.text(
        "Both players were late. {time} is taken off both clocks. The clock of the "
        "player who is still missing then runs until that player arrives.",
        time=format_clock(shorter_delay),
    )


def describe_late_forfeit_scores(
    rules: RuleSet, players: Mapping[PlayerId, Player], game: Game, loser: GameSide, catalogue: Catalogue
) -> str:
    scored_game = outcome.score_game(
        rules, Result(game.id, ResultState.ENTERED, forfeit=loser, cause=ForfeitCause.LATE)
    )
    parts = [
        catalogue.text(
            "{player}: match points {points}, spread {spread}",
            player=players[player].name,
            points=catalogue.format_points(
                rules.get_match_points_as_integer(side.outcome), unit=rules.match_point_denominator
            ),
            spread=catalogue.format_signed_value(side.spread),
        )
        for player, side in ((game.first, scored_game.first), (game.second, scored_game.second))
    ]
    score_sentence = catalogue.text("By forfeit: {parts}.", parts="; ".join(parts))
    if rules.forfeit.booked:
        return score_sentence
    return f"{score_sentence} {catalogue.text('A forfeit does not count as a start.')}"
