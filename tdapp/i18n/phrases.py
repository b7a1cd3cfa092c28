"""Texts about a tournament that printouts, web pages, windows and the command line share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.bracket import are_knockout_matches_decided, find_round_code_and_game_number
from tdapp.domain.game_results import count_checked_games, is_result_checking_required_or_started
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, DivisionId, Event, Game, Player, Prize, PrizeKind, Round, Seat, Stage
from tdapp.domain.prizes import LUCK_PRIZES, RANKED_KINDS
from tdapp.domain.ruleset import MAX_TABLE_SIZE, DisqualifiedGamesRule
from tdapp.domain.stages import count_groups, find_stage_of_last_published_round, is_evening_over
from tdapp.domain.standings import Standing, compute_standings, find_tiebreak_order
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tables.bracket import MatchBox
from tdapp.domain.tables.groups import GroupTableSeat
from tdapp.domain.tables.rounds import PlayerSeatingRow, make_player_seating_table
from tdapp.domain.tables.table import Column, ColumnKind, Table, make_column_for_each_tuple_item
from tdapp.domain.tournament import JournalChecksum, Tournament
from tdapp.domain.translatable import C_
from tdapp.i18n.catalogue import Catalogue, describe_clock_jump
from tdapp.i18n.locales import fold_text
from tdapp.i18n.messages.sentences import DECIDERS
from tdapp.i18n.round_times import RoundStartTime, find_round_time, list_round_times

if TYPE_CHECKING:
    from tdapp.domain.prizes import FeeTotals
    from tdapp.domain.tables.round_progress import RoundProgress
    from tdapp.domain.tables.statistics import AllGamesStatistic
    from tdapp.domain.verification import PrintoutVerification, TypedChecksumComparison
    from tdapp.pairing.forecast import DivisionForecast
    from tdapp.pairing.rehearsal import SimulatedScheduleStatistics

TIMES_EXAMPLE = "10:00 +65, 4: 13:30"
_SCHEDULE_KEYS = ("planned", "beside")  # columns of the first and second simulated schedule
_SHARE_FIGURES = frozenset({"starts-won", "best-first", "best-three"})
_MAX_NAMES = 3  # most named players of another division
# in a crosstable, followed by the opponent's number
_RESULT_LETTERS = {"win": C_("letter for a win", "W"), "draw": C_("letter for a draw", "D"),
            "loss": C_("letter for a loss", "L"), "nothing": "–", "open": ""}  # fmt: skip


def capitalize_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def describe_solo_result(catalogue: Catalogue, seat: GroupTableSeat) -> tuple[str, ...]:
    """Return texts about a player alone at a table, such as "12 turns" and "personal best, +30".

    In this example, the player's best earlier solo score in 12 turns was 30 points lower.
    """
    turns = "" if seat.turns is None else catalogue.plural("{n} turn", "{n} turns", seat.turns)
    if seat.points is None or seat.record is None:
        best = ""
    elif seat.points_above_earlier_best_score is not None:
        best = catalogue.text("personal best, {more:signed}", more=seat.points_above_earlier_best_score)
    else:
        best = catalogue.text("best score so far {points}", points=seat.record)
    return tuple(filter(None, (turns, best)))


def map_results_to_letters(catalogue: Catalogue) -> Mapping[str, str]:
    return {result: catalogue.text(letter) for result, letter in _RESULT_LETTERS.items()}


def make_division_title(catalogue: Catalogue, index: TournamentIndex, division: Division) -> str:
    """Return the division's title, "" for a single division without a name."""
    if division.name and division.name.casefold() != division.code.casefold():
        return division.name
    return catalogue.text("Division {division}", division=division.code) if len(index.divisions) > 1 else ""


def make_standings_title(catalogue: Catalogue, index: TournamentIndex, division: Division, after: int) -> str:
    if after == 0:
        return catalogue.text("Standings before the first round")
    running = bool(index.list_open_tables(index.get_round(division.id, after).id))
    stage = find_stage_of_last_published_round(index, division.id, after)
    if stage is not None and stage.evening:
        evening, game = format_evening_name(catalogue, stage), after - index.get_first_round_number(stage.id) + 1
        if game == stage.rounds and not running and is_evening_over(index, stage):
            return catalogue.text("{evening}: results", evening=evening)
        return catalogue.text("{evening}: standings after game {game}", evening=evening, game=game)
    if not running and index.find_stage(division.id, after + 1) is None:
        return catalogue.text("Final standings")
    return add_round_name_to_title(catalogue, index, division, after, catalogue.text("Standings"))


def add_round_name_to_title(
    catalogue: Catalogue, index: TournamentIndex, division: Division, after: int, title: str
) -> str:
    """Return a title with "after round N", or "during round N" if results are missing.

    Round 0 leaves the title unchanged.
    """
    if after == 0:
        return title
    name = format_round_name_with_evening(
        catalogue, index, find_stage_of_last_published_round(index, division.id, after), after
    )
    if index.list_open_tables(index.get_round(division.id, after).id):
        if name:
            return catalogue.text("{title}, {round} in progress", title=title, round=name)
        return catalogue.text("{title} during round {round}", title=title, round=after)
    if name:
        return catalogue.text("{title} after: {round}", title=title, round=name)
    return catalogue.text("{title} after round {round}", title=title, round=after)


def explain_that_knockout_decides_prizes(
    catalogue: Catalogue, index: TournamentIndex, division: Division, after: int
) -> str:
    """Return a note if a knockout after round `after` decides the prizes, else ""."""
    later_stages = (
        stage for stage in index.stages(division.id) if index.get_first_round_number(stage.id) > after > 0
    )
    knockout_follows = any(get_pairing_system(stage).is_knockout and not stage.play_off for stage in later_stages)
    return catalogue.text("The knockout that follows decides the prizes") if knockout_follows else ""


def explain_disqualified_team_players(
    catalogue: Catalogue, index: TournamentIndex, division: Division, after: int
) -> str:
    """Return a note on whether disqualified players count for their team, "" without such players."""
    players = [
        player
        for player in index.players(division.id)
        if player.team.strip() and index.is_disqualified(player.id, after)
    ]
    if not players:
        return ""
    are_games_kept = (
        index.tournament.get_ruleset_of_row(division).sanctions.disqualified_games is DisqualifiedGamesRule.KEPT
    )
    if are_games_kept:
        return catalogue.text("The games that a disqualified player has played count for the team.")
    return catalogue.text("A disqualified player does not count for the team.")


def explain_shared_ranks(catalogue: Catalogue, forecast: DivisionForecast) -> str:
    return catalogue.text("players who share a place all get that place") if forecast.shared else ""


def describe_players_in_other_divisions(
    catalogue: Catalogue, index: TournamentIndex, current: Division, query: str
) -> str:
    """Return the players of other divisions whose names contain all words of `query`, one line per division."""
    words, lines = fold_text(query).split(), []
    for division in index.divisions:
        players = index.players(division.id) if division.id != current.id else ()
        names = [player.name for player in players if all(word in fold_text(player.name) for word in words)]
        if names:
            name_list = "; ".join(names[:_MAX_NAMES]) + (" …" if len(names) > _MAX_NAMES else "")
            lines.append(
                catalogue.text("In division {division}: {players}", division=division.code, players=name_list)
            )
    return "\n".join(lines)


def make_seating_table_by_name(
    catalogue: Catalogue, index: TournamentIndex, item: Round
) -> Table[PlayerSeatingRow]:
    table, rules = make_player_seating_table(index, item), index.tournament.get_ruleset_of_row(item)
    rows = sorted(table.rows, key=lambda row: (*catalogue.make_sort_key(row.name, rules), row.player))
    return replace(table, rows=tuple(rows))


def make_chances_title(catalogue: Catalogue, forecast: DivisionForecast) -> str:
    if forecast.running:
        return catalogue.text("Chances during round {round}", round=forecast.after)
    return catalogue.text("Chances after round {round}", round=forecast.after)


def describe_round_pace(catalogue: Catalogue, progress: RoundProgress) -> str:
    """Return the time of the last result, the slow tables, and the expected end of the round."""
    parts = []
    if progress.last:
        parts.append(
            catalogue.text("last result at {time}", time=catalogue.format_local_time_of_day(progress.last))
        )
    if progress.slow:
        tables = catalogue.format_numbers(progress.slow)
        parts.append(
            catalogue.plural("slow table: {tables}", "slow tables: {tables}", len(progress.slow), tables=tables)
        )
    if progress.end:
        parts.append(
            catalogue.text("expected to finish at {time}", time=catalogue.format_local_time_of_day(progress.end))
        )
    return " · ".join(parts)


def describe_round_progress_for_public(catalogue: Catalogue, round_progress: Sequence[RoundProgress]) -> str:
    done_count = sum(progress.done for progress in round_progress)
    table_count = sum(progress.tables for progress in round_progress)
    if done_count == table_count:
        return ""
    count_text = catalogue.text("{done} of {tables} results", done=done_count, tables=table_count)
    ends = [progress.end for progress in round_progress if progress.end]
    end_texts = (
        [catalogue.text("expected to finish at {time}", time=catalogue.format_local_time_of_day(max(ends)))]
        if ends
        else []
    )
    return " · ".join([count_text, *end_texts])


def describe_ranking(
    catalogue: Catalogue,
    index: TournamentIndex,
    division: Division,
    after: int | None = None,
    *,
    in_group: bool = False,
) -> str:
    stage = find_stage_of_last_published_round(index, division.id, after)
    order = catalogue.join_tiebreak_headings(find_tiebreak_order(index, division, after))
    if stage is not None and stage.play_off:
        order = f"{order}, {catalogue.text('the play-off')}"
    elif stage is not None and get_pairing_system(stage).is_knockout:
        playing = sum(not row.out for row in compute_standings(index, division, after))
        if playing < len(index.players(division.id)):
            before = catalogue.join_tiebreak_headings(
                find_tiebreak_order(index, division, index.get_first_round_number(stage.id) - 1)
            )
            return catalogue.text("Places 1–{last} by the knockout, then {order}", last=playing, order=before)
        order = catalogue.text("place in the knockout")
    elif stage is not None and count_groups(stage) > 1 and not in_group:
        order = f"{catalogue.text('place in the group')}, {order}"
    return catalogue.text("Ranked by {order}", order=order)


def format_round(catalogue: Catalogue, index: TournamentIndex, item: Round) -> str:
    """Return the name of a round: "Round 5", in a knockout "Semifinals" or "Final, game 2"."""
    stage = index.tournament.stages[item.stage]
    return format_knockout_or_evening_round(catalogue, index, stage, item.number) or _format_round_with_number(
        catalogue, item.number
    )


def format_round_in_divisions(
    catalogue: Catalogue, index: TournamentIndex, divisions: Iterable[Division], number: int
) -> str:
    """Name a paired or future round. If divisions name it differently, return a text such as "Round 5"."""
    stages = (index.find_stage(division.id, number) for division in divisions)
    names = {
        format_knockout_or_evening_round(catalogue, index, stage, number) for stage in stages if stage is not None
    }
    return (names.pop() if len(names) == 1 else "") or _format_round_with_number(catalogue, number)


def format_round_number(catalogue: Catalogue, index: TournamentIndex, division: DivisionId, number: int) -> str:
    """Return a round's number, or the number of the game in a club evening.

    If the evening is not the latest one, add its name or date.
    """
    stage = index.find_stage(division, number)
    if stage is None or not stage.evening:
        return str(number)
    game = number - index.get_first_round_number(stage.id) + 1
    if stage == index.stages(division)[-1]:
        return str(game)
    return f"{game} ({stage.name or catalogue.format_short_date(stage.date, 'yMMMd')})"


def _format_round_with_number(catalogue: Catalogue, number: int) -> str:
    return catalogue.text("Round {round}", round=number)


def format_round_and_table(catalogue: Catalogue, index: TournamentIndex, game: Game | Seat) -> str:
    name = format_round(catalogue, index, index.tournament.rounds[game.round])
    return catalogue.text("{round}, table {table}", round=name, table=game.table)


def format_knockout_or_evening_round(
    catalogue: Catalogue, index: TournamentIndex, stage: Stage | None, number: int
) -> str:
    kind, game = find_round_code_and_game_number(index, stage, number) if stage is not None else ("", 0)
    name = catalogue.format_knockout_round(f"{kind}#{game}" if game else kind) if kind else ""
    if stage is not None and stage.evening and stage != index.stages(stage.division)[-1]:
        return f"{format_evening_name(catalogue, stage)}: {name}"
    return name


def make_pair_round_action_title(
    catalogue: Catalogue, index: TournamentIndex, division: Division, number: int
) -> str:
    name = format_knockout_or_evening_round(catalogue, index, index.find_stage(division.id, number), number)
    return (
        catalogue.text("Pair: {round}", round=name) if name else catalogue.text("Pair round {round}", round=number)
    )


def format_table_numbers_by_round(catalogue: Catalogue, index: TournamentIndex, games: Iterable[Game]) -> str:
    """Return text such as "tables 8, 9 and 11 of round 5, table 2 of round 6" for games sorted by round."""
    tables_by_round: dict[int, list[int]] = {}
    for game in games:
        tables_by_round.setdefault(index.tournament.rounds[game.round].number, []).append(game.table)
    return ", ".join(
        catalogue.plural(
            "table {tables} of round {round}", "tables {tables} of round {round}", len(tables),
            tables=catalogue.format_numbers(tables), round=number,
        )
        for number, tables in tables_by_round.items()
    )  # fmt: skip


def suggest_finish_or_more_rounds(catalogue: Catalogue) -> str:
    return catalogue.text("Under Tournament (Ctrl+0) you can finish the tournament or add rounds.")


def format_round_name_with_evening(
    catalogue: Catalogue, index: TournamentIndex, stage: Stage | None, number: int
) -> str:
    name = format_knockout_or_evening_round(catalogue, index, stage, number)
    if stage is not None and stage.evening and stage == index.stages(stage.division)[-1]:
        return f"{format_evening_name(catalogue, stage)}, {name}"
    return name


def format_evening_name(catalogue: Catalogue, stage: Stage) -> str:
    return stage.name or catalogue.format_date(stage.date)


def make_round_title(catalogue: Catalogue, index: TournamentIndex, item: Round, *, is_decided: bool) -> str:
    name = format_round_name_with_evening(catalogue, index, index.tournament.stages[item.stage], item.number)
    name = name or _format_round_with_number(catalogue, item.number)
    if is_decided:
        return catalogue.text("{round}: results", round=name)
    return catalogue.text("{round}: pairings", round=name)


def make_find_your_table_title(catalogue: Catalogue, index: TournamentIndex, item: Round) -> str:
    return catalogue.text("{round}: find your table", round=format_round(catalogue, index, item))


def make_match_title(catalogue: Catalogue, box: MatchBox) -> str:
    first, last = box.rounds
    round_text = catalogue.text("round {round}", round=first)
    if first != last:
        round_text = catalogue.text("rounds {first}–{last}", first=first, last=last)
    return f"{catalogue.format_knockout_match(box.name, in_bracket=True)} · {round_text}"


def explain_match_decision(catalogue: Catalogue, box: MatchBox) -> str:
    return catalogue.text(DECIDERS[box.decider]) if box.decider else ""


def format_game_statistic(catalogue: Catalogue, figure: AllGamesStatistic) -> str:
    if figure.value is None:
        return ""
    if figure.key == "seconds":
        hours, minutes = divmod(round(figure.value / 60), 60)
        return f"{hours}:{minutes:02}"
    if figure.key.startswith("average-"):
        return catalogue.format_one_decimal(figure.value)
    share = catalogue.format_cell(ColumnKind.SHARE, figure.value) if figure.key in _SHARE_FIGURES else ""
    return share or catalogue.format_number(figure.value)  # format_cell returns "" for a share of 0


class ScheduleSimulationRow(Struct, frozen=True):
    """A statistic with its values in one or two simulated schedules, as text."""

    key: str
    figure: str
    values: tuple[str, ...]


def format_simulated_schedules(catalogue: Catalogue, schedules: Sequence[SimulatedScheduleStatistics]) -> str:
    parts = []
    for key, schedule in zip(_SCHEDULE_KEYS, schedules, strict=False):
        stages = (
            f"{catalogue.translate_code(f'system.{stage.system}')} {stage.rounds}" for stage in schedule.stages
        )
        parts.append(f"{catalogue.heading(key)}: {', '.join(stages)}")
    return " · ".join(
        [
            *parts,
            catalogue.plural("simulated once", "simulated {n} times", schedules[0].times),
        ]
    )


def make_schedule_simulation_table(
    catalogue: Catalogue, schedules: Sequence[SimulatedScheduleStatistics]
) -> Table[ScheduleSimulationRow]:
    rows = []
    for figures in zip(*(schedule.figures for schedule in schedules), strict=True):
        key, texts = figures[0].key, tuple(format_game_statistic(catalogue, figure) for figure in figures)
        rows.append(ScheduleSimulationRow(key, capitalize_first(catalogue.translate_code(f"Figure.{key}")), texts))
    schedule_columns = make_column_for_each_tuple_item(ColumnKind.TEXT, "values", _SCHEDULE_KEYS[: len(schedules)])
    columns = (Column("figure", ColumnKind.TEXT, attrgetter("figure")), *schedule_columns)
    return Table("rehearsal", columns, tuple(rows))


def describe_knockout_result(catalogue: Catalogue, index: TournamentIndex, row: Standing) -> str:
    """Return a player's result in the knockout, "" before the end of the knockout."""
    stage = index.tournament.stages.get(row.stage) if row.stage is not None else None
    if (
        stage is None
        or not row.place
        or row.group
        or row.out
        or stage.play_off
        or not are_knockout_matches_decided(index, stage)
    ):
        return ""
    if row.place == 1:
        return catalogue.text("won the knockout")
    if row.place == 2:  # noqa: PLR2004
        return catalogue.text("lost the final")
    return catalogue.text("place {place} in the knockout", place=row.place)


_AUDIENCE_TIEBREAKS = frozenset({"points", "spread"})  # tie-breaks for an audience


def describe_wins_and_spread(catalogue: Catalogue, row: Standing) -> str:
    """Return wins, losses and spread, such as "6½–1½, spread +620". Byes and forfeits are included."""
    won = Fraction(2 * row.wins + row.draws, 2)
    shown_tiebreaks = _AUDIENCE_TIEBREAKS if row.match_points == won else _AUDIENCE_TIEBREAKS | {"wins"}
    figures = catalogue.translate_tiebreak_values(
        row.join_tiebreak_values(*(row.tiebreak_values.keys() - shown_tiebreaks))
    )
    return ", ".join(
        filter(None, (f"{catalogue.format_points(won)}–{catalogue.format_points(row.games_lost)}", figures))
    )


def format_prize_name(catalogue: Catalogue, prize: Prize) -> str:
    """Return the name of a prize, such as "place 1", "B: place 2" or "high game"."""
    text = catalogue.translate_code(PrizeKind.RANK if prize.kind in RANKED_KINDS else prize.kind)
    if prize.kind in RANKED_KINDS or (prize.place > 1 and prize.kind is not PrizeKind.HAND):
        text = f"{text} {prize.place}"
    if prize.kind in LUCK_PRIZES:
        text = f"{text} ({prize.games})"
    return f"{prize.category}: {text}" if prize.category else text


def format_price(catalogue: Catalogue, event: Event, amount: int) -> str:
    """Return an amount with its currency. `amount` is in hundredths."""
    return f"{catalogue.format_money(amount)} {event.currency}".rstrip()


def describe_fees(catalogue: Catalogue, event: Event, totals: FeeTotals) -> str:
    amounts = {name: format_price(catalogue, event, getattr(totals, name)) for name in ("due", "paid", "missing")}
    if not totals.debtor_count:
        return catalogue.text("Fees: {due} due, {paid} paid", due=amounts["due"], paid=amounts["paid"])
    return catalogue.plural(
        "Fees: {due} due, {paid} paid, {missing} to come from {n} player",
        "Fees: {due} due, {paid} paid, {missing} to come from {n} players",
        totals.debtor_count,
        **amounts,
    )


def describe_next_game(catalogue: Catalogue, index: TournamentIndex, player: Player) -> str:
    from tdapp.domain.tables.players import find_unfinished_round  # noqa: PLC0415 - most verbs go without

    next_round, division = find_unfinished_round(index, player), index.tournament.divisions[player.division]
    if next_round is None or next_round.is_draft:
        has_left = index.has_withdrawn(player.id)
        return (
            catalogue.text("You have withdrawn.") if has_left else describe_next_start(catalogue, index, division)
        )
    start_text = describe_round_start(catalogue, index, division, next_round.round)
    round_name = start_text or format_round_in_divisions(catalogue, index, (division,), next_round.round)
    if next_round.seat is not None:
        return describe_group_seat(catalogue, round_name, next_round.seat.table, next_round.other_players)
    if next_round.game is None or next_round.opponent is None:
        return f"{round_name}: {catalogue.translate_code(next_round.bye) if next_round.bye else ''}"
    facts = {"round": round_name, "table": next_round.game.table, "player": next_round.opponent.name}
    if next_round.starts is None:
        return catalogue.text("{round}: table {table}, against {player}; the tiles decide who starts", **facts)
    if next_round.starts:
        return catalogue.text("{round}: table {table}, you start against {player}", **facts)
    return catalogue.text("{round}: table {table}, {player} starts against you", **facts)


def describe_group_seat(catalogue: Catalogue, round_name: str, table: int, other_players: Sequence[Player]) -> str:
    if not other_players:
        return catalogue.text(
            "{round}: table {table}, you play alone, without an opponent", round=round_name, table=table
        )
    names = format_other_players(catalogue, other_players)
    return catalogue.text("{round}: table {table}, with {players}", round=round_name, table=table, players=names)


def format_other_players(catalogue: Catalogue, other_players: Sequence[Player]) -> str:
    """Return the names of a player's opponents at a table of three or more players.

    For four or more opponents, return only the count.
    """
    if len(other_players) >= MAX_TABLE_SIZE:
        return catalogue.plural("{n} other player", "{n} other players", len(other_players))
    return " · ".join(player.name for player in other_players)


def describe_checked_games(catalogue: Catalogue, index: TournamentIndex, division: Division, after: int) -> str:
    if (
        not is_result_checking_required_or_started(index)
        or not (counts := count_checked_games(index, division, after)).unchecked
    ):
        return ""
    return catalogue.plural(
        "{checked} of {n} game checked", "{checked} of {n} games checked", counts.total, checked=counts.checked
    )


def describe_checksum(catalogue: Catalogue, tournament: Tournament, *, with_explanation: bool = False) -> str:
    if not tournament.head.code:
        return ""
    code = catalogue.text("Check code: {head}", head=tournament.head)
    use = catalogue.text(
        "Use this code to compare the page with the tournament file (Edit, History, Verify a printout)."
    )
    return f"{code}. {use}" if with_explanation else code


def list_verification_sentences(verification: PrintoutVerification, catalogue: Catalogue) -> Iterator[str]:
    text = catalogue.text
    yield (
        text("The history is intact.")
        if verification.sound
        else text("The file is damaged. Run “tdapp check” to see where.")
    )
    if verification.head.code:
        yield text("The file’s latest check code is {head}.", head=str(verification.head))
    for checksum in verification.heads:
        yield _describe_checksum_comparison(checksum, verification, catalogue)
    if verification.broken is not None:
        first = verification.proven + 1 if verification.proven < verification.broken else 1
        yield text("The history no longer agrees with the printout. The difference is in steps "
                   "{first} to {last}.", first=first,
                   last=verification.broken)  # fmt: skip
    for is_intact, sentence in (
        (True, text("The printouts of these rounds agree with the file:")),
        (False, text("The printouts of these rounds no longer agree with the file:")),
    ):
        rounds = [
            f"{printout.division} {printout.round}"
            for printout in verification.rounds
            if printout.agrees is is_intact
        ]
        if rounds:
            yield f"{sentence} {', '.join(rounds)}"
    for step in verification.clocks:
        yield text("Step {seq}, {when}: {jump}", seq=step.seq, when=catalogue.format_utc_as_local_time(step.at),
                   jump=describe_clock_jump(catalogue, step.facts))  # fmt: skip


def _describe_checksum_comparison(
    checksum: TypedChecksumComparison, verification: PrintoutVerification, catalogue: Catalogue
) -> str:
    text = catalogue.text
    if checksum.step is not None:
        code_text = str(JournalChecksum(checksum.step.seq, checksum.code))
        time_text = catalogue.format_utc_as_local_time(checksum.step.at)
        return text(
            "Check code {head} is in the history ({when}). Up to that step, the file agrees with the printout.",
            head=code_text,
            when=time_text,
        )
    code_text = (
        str(JournalChecksum(checksum.revision, checksum.code)) if checksum.revision is not None else checksum.code
    )
    if checksum.erased or verification.erased:
        return text("The check code {head} is not in the history: personal data was erased at step {seq}, and "
                    "earlier printouts cannot be verified.", head=code_text, seq=verification.erased)  # fmt: skip
    return text(
        "The check code {head} is not in the history: the printout was made from another copy of this "
        "tournament, or from another tournament.",
        head=code_text,
    )


# --- times of rounds


def format_round_time(catalogue: Catalogue, start: RoundStartTime) -> str:
    """Return the starting time of a round. From day 2 on, put the day or date before it."""
    day, hour = _format_day(catalogue, start), catalogue.format_time(start.time_of_day)
    return f"{day}, {hour}" if day else hour


def describe_round_times(catalogue: Catalogue, round_times: Iterable[RoundStartTime]) -> str:
    return " · ".join(
        f"{round_time.round}. {format_round_time(catalogue, round_time)}" for round_time in round_times
    )


def explain_timetable_format(catalogue: Catalogue) -> str:
    return catalogue.text(
        "Examples: “10:00 +65”: round 1 at 10:00, then every 65 minutes; “4: 13:30”: round 4 at 13:30; "
        "“8: 2/10:00”: round 8 on day 2 at 10:00."
    )


def describe_round_start(catalogue: Catalogue, index: TournamentIndex, division: Division, number: int) -> str:
    """Return the start of a round, "" after its first result."""
    has_begun = any(
        item.number == number and index.has_any_result_or_no_table(item.id) for item in index.rounds(division.id)
    )
    round_time = find_round_time(index, division, number)
    if has_begun or round_time is None:
        return ""
    facts = {
        "round": round_time.round,
        "day": _format_day(catalogue, round_time),
        "time": catalogue.format_time(round_time.time_of_day),
    }
    if facts["day"]:
        return catalogue.text("Round {round}, {day} at {time}", **facts)
    return catalogue.text("Round {round} at {time}", **facts)


def _format_day(catalogue: Catalogue, start: RoundStartTime) -> str:
    if start.day == 1:
        return ""
    return catalogue.text("day {n}", n=start.day) if start.date is None else catalogue.format_date(start.date)


def describe_next_start(catalogue: Catalogue, index: TournamentIndex, division: Division) -> str:
    """Return the start of the first round that has not begun, "" if it is unknown."""
    if index.tournament.event.finished:
        return ""
    number = index.get_last_published_round_number(division.id)
    if not number or index.has_any_result_or_no_table(index.get_round(division.id, number).id):
        number += 1
    return describe_round_start(catalogue, index, division, number)


class PlannedRoundRow(Struct, frozen=True):
    """A planned round with its start as text."""

    key: str
    round: int
    system: str
    start: str


def make_round_times_table(
    catalogue: Catalogue, index: TournamentIndex, division: Division
) -> Table[PlannedRoundRow]:
    rows = []
    for round_time in list_round_times(index, division):
        stage, number = index.find_stage(division.id, round_time.round), round_time.round
        rows.append(
            PlannedRoundRow(
                str(number), number, stage.system if stage else "", format_round_time(catalogue, round_time)
            )
        )
    return Table("times", _PLANNED_COLUMNS, tuple(rows))


_PLANNED_COLUMNS: tuple[Column[PlannedRoundRow], ...] = (
    Column("round", ColumnKind.NUMBER, attrgetter("round")),
    Column("begins", ColumnKind.TEXT, attrgetter("start")),
    Column("system", ColumnKind.CODE, attrgetter("system")),
)
