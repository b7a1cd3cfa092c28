"""Scores as texts, with a mark if something other than the points decided the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from tdapp.domain.model import ResultState
from tdapp.domain.outcome import GameDecision, find_decision_from_result
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.messages.sentences import DECISION_MARKS

if TYPE_CHECKING:
    from tdapp.domain.index import TournamentIndex
    from tdapp.domain.model import Game, Result
    from tdapp.domain.tables.bracket import BracketGame, MatchBox
    from tdapp.domain.tables.players import PlayerCardRow

Points = tuple[int | None, int | None]


class GameScoreRow(Protocol):
    """A row with the points of a game and the reason that decided it."""

    @property
    def score1(self) -> int | None: ...
    @property
    def score2(self) -> int | None: ...
    @property
    def decision(self) -> GameDecision | None: ...


def format_scores_of_both_players(
    catalogue: Catalogue, points: Points, decision: GameDecision | None
) -> tuple[str, str]:
    """Return the score of each player with a mark of the decision, such as "480 time".

    Both scores are "" in an open game.
    """
    marks = decision.marks if decision is not None else (None, None)
    words = (catalogue.text(DECISION_MARKS[mark][0]) if mark is not None else "" for mark in marks)
    first, second = (
        " ".join(filter(None, ("" if side_points is None else catalogue.format_number(side_points), word)))
        for side_points, word in zip(points, words, strict=True)
    )
    return first, second


def format_game_row_score(catalogue: Catalogue, row: GameScoreRow) -> str:
    """Return a score such as "480 time – 430" or "– forfeited", "" while the game is open."""
    return _join_scores(format_scores_of_both_players(catalogue, (row.score1, row.score2), row.decision))


def format_result(catalogue: Catalogue, result: Result, decision: GameDecision) -> str:
    return _join_scores(format_scores_of_both_players(catalogue, (result.first, result.second), decision))


def describe_imported_results(
    catalogue: Catalogue,
    before: TournamentIndex,
    after: TournamentIndex,
    *,
    result_count: int,
    ignored_columns: Sequence[str],
) -> list[str]:
    """Describe the effect of importing `result_count` results, and name the `ignored_columns`."""
    replaced_results = describe_replaced_results(catalogue, before, after)
    entered_count = len(after.tournament.results) - len(before.tournament.results)
    counts = {
        "entered": entered_count,
        "replaced": len(replaced_results),
        "unchanged": result_count - entered_count - len(replaced_results),
    }
    sentences = [
        catalogue.text("Results entered: {entered}, replaced: {replaced}, unchanged: {unchanged}.", **counts),
        *replaced_results,
    ]
    return sentences + (
        [catalogue.describe_problem("columns-left-out", {"columns": ", ".join(ignored_columns)})]
        if ignored_columns
        else []
    )


def describe_replaced_results(catalogue: Catalogue, before: TournamentIndex, after: TournamentIndex) -> list[str]:
    old, new = before.tournament, after.tournament
    replaced_games = [
        old.games[key] for key, result in old.results.items() if new.results.get(key, result) != result
    ]
    return [
        describe_replaced_result(catalogue, before, game, old.results[game.id])
        for game in sorted(replaced_games, key=lambda game: (old.rounds[game.round].number, game.table))
    ]


def describe_replaced_result(catalogue: Catalogue, index: TournamentIndex, game: Game, old_result: Result) -> str:
    number = index.tournament.rounds[game.round].number
    score = format_result(catalogue, old_result, find_decision_from_result(index, game, old_result))
    if old_result.state is ResultState.CHECKED:
        return catalogue.text(
            "Round {round}, table {table}: the checked result {score} was replaced. Check the new result.",
            round=number, table=game.table, score=score,
        )  # fmt: skip
    return catalogue.text(
        "Round {round}, table {table}: the result {score} was replaced.",
        round=number,
        table=game.table,
        score=score,
    )


def format_card_round_or_evening(catalogue: Catalogue, row: PlayerCardRow) -> str:
    """Return the round number, or for a club evening the date and the game number."""
    return f"{catalogue.format_short_date(row.evening, 'Md')} · {row.game}" if row.game else str(row.round)


def format_player_card_score(catalogue: Catalogue, row: PlayerCardRow) -> str:
    if row.decided_by is None:
        return row.score
    return _join_scores(format_scores_of_both_players(catalogue, (row.points, row.opponent_points), row.decision))


def format_game_score(catalogue: Catalogue, game: BracketGame) -> str:
    """Return the score of a game in a match, "" while it is open."""
    return _join_scores(format_scores_of_both_players(catalogue, game.points, game.decision))


def format_match_score(catalogue: Catalogue, box: MatchBox, side: int) -> str:
    """Return a player's score: the games won in a series, or the points of a single game. `side` is 0 or 1."""
    score = box.sides[side].score
    if not box.games:
        return ""
    if score is not None:
        return catalogue.format_points(score)
    return format_scores_of_both_players(catalogue, box.games[-1].points, box.games[-1].decision)[side]


def _join_scores(sides: tuple[str, str]) -> str:
    first, second = sides
    if first == second and not first.lstrip("-−")[:1].isdigit():
        return f"– {first} –" if first else ""
    return f"{first} – {second}".strip()


def format_decision_reason(catalogue: Catalogue, decision: GameDecision | None) -> str:
    """Return a word for the reason that decided a game, "" if points decided it."""
    reason = decision.reason if decision is not None else None
    return catalogue.translate_code(reason) if reason is not None else ""


def make_game_decision_legend(
    catalogue: Catalogue, decisions: Iterable[GameDecision | None], *, full_words: bool = False
) -> str:
    """Explain the marks, such as "time", that tell why points did not decide a game.

    `full_words` replaces each mark by a full word.
    """
    used_reasons = {decision.reason for decision in decisions if decision is not None}
    entries = ((kind, mark, meaning) for kind, (mark, meaning) in DECISION_MARKS.items() if kind in used_reasons)
    return " · ".join(
        f"{catalogue.translate_code(kind) if full_words else catalogue.text(mark)}: {catalogue.text(meaning)}"
        for kind, mark, meaning in entries
    )
