"""Views of a tournament as JSON, with the stable keys of `json_documents`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, Struct

from tdapp.domain import bracket
from tdapp.domain.game_results import count_checked_games
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DISPUTED, Division, PairingReason, ResultState, Round, RoundState, Stage
from tdapp.domain.records import list_configured_spread_caps
from tdapp.domain.stages import find_first_counted_round, find_stage_of_last_published_round
from tdapp.domain.standings import RankReason, Standing, find_tiebreak_order, map_rank_reasons
from tdapp.domain.tables import bracket as bracket_tables
from tdapp.domain.tables import players as player_tables
from tdapp.domain.tables import rounds as round_tables
from tdapp.domain.tables import standings as standings_tables
from tdapp.domain.tables.groups import make_table_of_group_tables
from tdapp.exchange.json_documents import (
    AssumedDrawJson,
    ByeJson,
    FinalRankJson,
    GameJson,
    GroupTableJson,
    MatchGameJson,
    MatchJson,
    PlayerJson,
    PublicBracketJson,
    RankReasonJson,
    RoundJson,
    StandingsJson,
    StandingsRowJson,
    StandingsStageJson,
    TableSeatJson,
)
from tdapp.exchange.json_text import make_document_from_rows
from tdapp.i18n.catalogue import Catalogue

_IN_EVERY_ROW = frozenset({"wins", "losses", "spread", "points", "resistance"})  # tie-breaks


def _replace_status_disputed_with_entered(status: str) -> str:
    return ResultState.ENTERED.value if status == DISPUTED else status


def make_players_json(index: TournamentIndex, divisions: Sequence[Division]) -> list[Struct]:
    return [
        make_document_from_rows(PlayerJson, row.player, row, division=division.code)
        for division in divisions
        for row in player_tables.make_player_table(index, division).rows
    ]


def make_round_json(
    index: TournamentIndex, division: Division, round_row: Round, catalogue: Catalogue
) -> RoundJson:
    tournament = index.tournament
    return RoundJson(
        division=division.code,
        round=round_row.number,
        system=tournament.stages[round_row.stage].system,
        published=round_row.state is RoundState.PUBLISHED,
        games=[_make_game_json(row, catalogue) for row in round_tables.make_pairing_table(index, round_row).rows],
        byes=[
            make_document_from_rows(
                ByeJson, row, reason=_format_pairing_reason(row.reason, catalogue) if row.reason else None
            )
            for row in round_tables.make_bye_table(index, round_row).rows
        ],
        cost=dict(round_row.cost),
        relaxed=list(round_row.relaxed),
        source=round_row.source,
        assumed=[
            AssumedDrawJson(tournament.rounds[game.round].number, game.table, index.get_result(game.id) is None)
            for game in round_tables.list_games_with_assumed_draw(index, round_row)
        ],
        tables=[
            make_document_from_rows(
                GroupTableJson,
                row,
                seats=[make_document_from_rows(TableSeatJson, seat) for seat in row.seats],
                reason=_format_pairing_reason(row.reason, catalogue) if row.reason else "",
                cost=dict(row.reason.cost) if row.reason else {},
            )
            for row in make_table_of_group_tables(index, round_row).rows
        ],
    )


def _make_game_json(row: round_tables.PairingRow, catalogue: Catalogue) -> GameJson:
    names, cost = [row.first_name, row.second_name], dict(row.reason.cost) if row.reason else {}
    reason = _format_pairing_reason(row.reason, catalogue) if row.reason else ""
    return make_document_from_rows(
        GameJson,
        row,
        names=names,
        status=_replace_status_disputed_with_entered(row.status),
        decision=row.decided_by,
        reason=reason,
        cost=cost,
    )


def _format_pairing_reason(reason: PairingReason, catalogue: Catalogue) -> str:
    return catalogue.explain_pairing(reason.code, dict(reason.facts))


def make_standings_json(
    index: TournamentIndex, division: Division, after_round: int | None, catalogue: Catalogue, *, category: str
) -> StandingsJson:
    """Return the standings. The key `why` explains why a row is above the next one.

    With a `category`, only its players are included, with their rank in it.
    """
    after_round = index.get_last_round_with_results(division.id, after_round)
    order = find_tiebreak_order(index, division, after_round)
    rows = standings_tables.make_standings_table(index, division, after_round).rows
    category_ranks: dict[str, int | None] = {}
    if category:
        category_ranks = {
            row.key: row.place
            for row in standings_tables.make_category_table(index, division, category, after_round).rows
        }
        rows = tuple(row for row in rows if row.key in category_ranks)
    reasons = map_rank_reasons(rows)
    other_names = [name for name in order if name not in _IN_EVERY_ROW]
    return make_document_from_rows(
        StandingsJson,
        count_checked_games(index, division, after_round),
        division,
        division=division.code,
        after=after_round,
        stage=_make_stage_json(index, division, after_round),
        category=category or UNSET,
        order=order,
        spread_caps=list_configured_spread_caps(index, division),
        rows=[
            make_document_from_rows(
                StandingsRowJson,
                row,
                rank=row.rank_unless_disqualified,
                player=row.player.number,
                name=row.player.name,
                wins=row.match_points,
                losses=row.games_lost,
                resistance=row.resistance_points,
                class_rank=category_ranks[row.key] if category else UNSET,
                **_make_stage_json_fields(index, row),
                tiebreaks={name: row.get_tiebreak_value(name) for name in other_names},
                why=_make_rank_reason_json(reasons.get(row.key), catalogue),
            )
            for row in rows
        ],
    )


def _make_stage_json(
    index: TournamentIndex, division: Division, after_round: int | None
) -> StandingsStageJson | None:
    stage = find_stage_of_last_published_round(index, division.id, after_round)
    if stage is None:
        return None
    number = index.stages(division.id).index(stage) + 1
    return make_document_from_rows(
        StandingsStageJson, stage, number=number, counted_from=find_first_counted_round(index, stage)
    )


def _make_stage_json_fields(index: TournamentIndex, row: Standing) -> dict[str, object]:
    if row.stage is None:
        return {"stage": None, "group": UNSET, "place": UNSET, "out": UNSET}
    stage = index.tournament.stages[row.stage]
    number = index.stages(stage.division).index(stage) + 1
    return {"stage": number, "group": row.group or None, "place": row.rank_in_group_or_knockout}


def _make_rank_reason_json(reason: RankReason | None, catalogue: Catalogue) -> RankReasonJson | None:
    if reason is None:
        return None
    return RankReasonJson(reason.code, dict(reason.facts), catalogue.explain_rank(reason.code, reason.facts))


def make_bracket_json(index: TournamentIndex, stage: Stage, catalogue: Catalogue) -> PublicBracketJson:
    players = index.tournament.players
    boxes = [box for tree in bracket_tables.build_bracket_trees(index, stage) for box in tree.boxes]
    boxes.sort(key=lambda box: (box.bracket_round, box.match))
    ranks = (
        {}
        if bracket.are_stage_players_provisional(index, stage)
        else bracket.compute_worst_possible_knockout_ranks(index, stage)
    )
    order = sorted(ranks, key=lambda player: (ranks[player], players[player].number))
    return make_document_from_rows(
        PublicBracketJson,
        stage.settings,
        matches=[_make_match_json(box, catalogue) for box in boxes],
        places=[FinalRankJson(ranks[player], players[player].number, players[player].name) for player in order],
    )


def _make_match_json(box: bracket_tables.MatchBox, catalogue: Catalogue) -> MatchJson:
    return make_document_from_rows(
        MatchJson,
        box,
        round=box.bracket_round,
        title=catalogue.format_knockout_match(box.name),
        rounds=list(box.rounds),
        players=[side.number for side in box.sides],
        names=[side.name for side in box.sides],
        seeds=[side.seed for side in box.sides],
        coming=[
            catalogue.describe_bracket_slot_origin(side.origin) if side.player is None else ""
            for side in box.sides
        ],
        winner=next((side.number for side in box.sides if side.won), None),
        score=None if box.sides[0].score is None else [float(side.score or 0) for side in box.sides],
        games=[
            make_document_from_rows(
                MatchGameJson,
                game,
                score1=game.points[0],
                score2=game.points[1],
                status=_replace_status_disputed_with_entered(game.status),
                decision=game.decided_by,
            )
            for game in box.games
        ],
    )
