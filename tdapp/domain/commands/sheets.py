"""Commands on score sheets and jury rulings. The caller passes the tile set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from tdapp.domain import score_breakdown
from tdapp.domain.commands.results import ResultBeforeChange, get_published_game_or_refuse
from tdapp.domain.commands.rule import (
    LONGEST_NOTE,
    MOST_POINTS,
    check_number_in_range,
    command,
    get_allowed_change_or_refuse,
    get_row_or_refuse,
    strip_and_check_required_text,
    strip_and_check_text,
)
from tdapp.domain.entries import SheetToEnter, can_be_same_person
from tdapp.domain.errors import CommandError
from tdapp.domain.game_results import (
    add_score_breakdowns,
    find_decisive_sheet,
    get_start_decision_after_tile_draw,
    recompute_result,
    swap_players_after_tile_draw,
    update_result_after_sheet_change,
)
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import find_form_differences, judge_sheet
from tdapp.domain.jury_rows import ScoreSheet, SheetId, TurnRuling, WordRuling, WordRulingId
from tdapp.domain.model import Game, GameId, Player, PlayerId, ResultState, StartDecision
from tdapp.domain.outcome import is_single_game_knockout
from tdapp.domain.rulings import (
    ONLY_TURN_SCORE,
    convert_to_turn_ruling,
    match_rulings_to_turns,
    normalise_typed_words,
)
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_, Plural
from tdapp.scrabble.sheet import Ruling, Sheet, SheetField, TurnKind, copy_difference_from_source, swap_players
from tdapp.scrabble.tiles import TileSet


@command(N_("Score sheet for table {table} entered"))
def enter_sheet(
    tournament: Tournament,
    *,
    game: GameId,
    sheet: Sheet,
    tileset: TileSet,
    form: int = 1,
    seen: ResultBeforeChange | None = None,
    reason: str = "",
    author: str = "",
) -> Tournament:
    """Enter or replace the score sheet of a published game. A finished sheet also gives the result.

    The names on the sheet identify the players. `form` (1 or 2) says which player's copy the sheet is. Earlier
    rulings remain on unchanged turns.
    """
    row = get_published_game_or_refuse(tournament, game, seen=seen)
    strip_and_check_text(author, "author")
    check_number_in_range(form, "form", low=1, high=2)
    _refuse_wrong_player_count_or_tileset(row, sheet, tileset)
    stage = tournament.stages[tournament.rounds[row.round].stage]
    ordered_game, ordered_sheet = _order_game_and_sheet_by_starter(
        tournament, row, replace(sheet, knockout=is_single_game_knockout(stage))
    )
    before = (
        swap_players_after_tile_draw(tournament, game)
        if ordered_game.first != row.first
        else tournament.put(ordered_game)
    )
    old = next(
        (score_sheet for score_sheet in TournamentIndex(before).sheets(game) if score_sheet.form == form), None
    )
    new_form = ScoreSheet(
        SheetId(f"{game}.{form}"), game, form, ordered_sheet, _list_rulings_on_unchanged_turns(old, ordered_sheet)
    )
    new_form, moved_rulings = _add_matching_word_rulings_to_sheet(before, new_form, tileset)
    after = before.drop(*moved_rulings).put(
        add_score_breakdowns(new_form, tournament.get_ruleset_of_row(row), tileset)
    )
    after = update_result_after_sheet_change(before, after, game, state=ResultState.ENTERED, changed_form=form)
    return get_allowed_change_or_refuse(tournament, after, reason)


@command(Plural("One score sheet entered", "{count} score sheets entered", "count"))
def enter_sheets(tournament: Tournament, *, entries: tuple[SheetToEnter, ...], tileset: TileSet) -> Tournament:
    for entry in entries:
        tournament = enter_sheet(tournament, game=entry.game, sheet=entry.sheet, form=entry.form, tileset=tileset)
    return tournament


@command(N_("Table {table}: the two score sheet forms differed, form {form} is right"))
def settle_forms(
    tournament: Tournament,
    *,
    game: GameId,
    form: int,
    turn: int,
    field: SheetField,
    tileset: TileSet,
    reason: str = "",
) -> Tournament:
    """Correct a field in which a game's two score sheets (forms) differ: copy it from `form` to the other."""
    source_form = _get_sheet_or_refuse(tournament, game, form)
    target_form = _get_sheet_or_refuse(tournament, game, 3 - form)
    first_form, second_form = sorted((source_form, target_form), key=lambda score_sheet: score_sheet.form)
    rules = tournament.get_ruleset_of_row(source_form)
    differences = find_form_differences(first_form.sheet, second_form.sheet, rules, tileset)
    if not any((difference.turn, difference.field) == (turn, field) for difference in differences):
        raise CommandError("no-such-difference", table=tournament.games[game].table, turn=turn)
    sheet = copy_difference_from_source(target_form.sheet, source_form.sheet, turn, field)
    return enter_sheet(tournament, game=game, sheet=sheet, tileset=tileset, form=target_form.form, reason=reason)


@command(N_("Score sheet for table {table} cleared"))
def clear_sheet(tournament: Tournament, *, game: GameId, form: int = 1, reason: str = "") -> Tournament:
    """Remove a score sheet and its sanctions. If the result came from this sheet, also remove the result.

    If the game has another finished sheet, that sheet then gives the result.
    """
    old = _get_sheet_or_refuse(tournament, game, form)
    # A different result from a slip stays, unless another finished sheet gives the result.
    after = update_result_after_sheet_change(tournament, tournament.drop(old), game, state=ResultState.ENTERED)
    return get_allowed_change_or_refuse(tournament, after, reason)


@command(
    Plural(
        "Table {table}: play in row {row} ({player}) ruled invalid",
        "Table {table}: play in row {row} ({player}) ruled valid",
        number_fact="phony",
    )
)
def rule_on_turn(  # noqa: PLR0913 - a ruling's fields
    tournament: Tournament,
    *,
    game: GameId,
    turn: int,
    phony: bool,
    author: str,
    why: str,
    tileset: TileSet,
    form: int = 1,
    wrong_words: int = 1,
    edition: str = "",
) -> Tournament:
    """Rule that the play `turn` (from 1) is wrong, or valid if `phony` is False. Compute the game again.

    Later turns keep their scores. The game result comes from score sheet 1, or from sheet 2 if only sheet 2 is
    finished.
    """
    old = _get_sheet_or_refuse(tournament, game, form)
    table = tournament.games[game].table
    if not 1 <= turn <= len(old.sheet.turns):
        raise CommandError("no-such-turn", table=table, turn=turn)
    if old.sheet.turns[turn - 1].kind is not TurnKind.PLAY:
        raise CommandError("ruling-without-play", table=table, turn=turn)
    check_number_in_range(wrong_words, "wrong_words", low=1, high=8)
    _refuse_wrong_player_count_or_tileset(tournament.games[game], old.sheet, tileset)
    new_ruling = TurnRuling(
        turn,
        phony,
        strip_and_check_required_text(author, "author"),
        strip_and_check_required_text(why, "why", longest=LONGEST_NOTE),
        strip_and_check_text(edition, "edition"),
    )
    # If this sheet decides the result, its result replaces a result from a slip, even a later one.
    return _store_sheet_and_update_result(tournament, _add_turn_ruling(old, new_ruling, wrong_words), tileset)


@command(
    Plural(
        "Table {table}: {word} ({player}) ruled invalid",
        "Table {table}: {word} ({player}) ruled valid",
        number_fact="phony",
    )
)
def rule_on_word(  # noqa: PLR0913 - a ruling's fields
    tournament: Tournament,
    *,
    key: str,
    game: GameId,
    player: PlayerId,
    word: str,
    score: int,
    tileset: TileSet,
    phony: bool = True,
    wrong_words: int = 1,
    author: str = "",
    why: str = "",
    edition: str = "",
    another: bool = False,
    replaces: int | None = None,
) -> Tournament:
    """Rule that a word in a turn of `score` points is wrong, or valid if `phony` is False.

    If a finished score sheet contains this turn, store the ruling on the sheet. Otherwise store a `WordRuling`.

    `another` permits a second ruling on the same word, in another turn. To correct the score of an earlier ruling
    from 45 to 30, pass `score=30` and `replaces=45`. If the word has only one ruling, `replaces` can be
    ONLY_TURN_SCORE.
    """
    rules = tournament.get_ruleset_of_row(_get_game_of_player_or_refuse(tournament, game, player))
    if not rules.phony.ruled:
        raise CommandError("words-not-ruled")
    words = normalise_typed_words(word)
    count = max(check_number_in_range(wrong_words, "wrong_words", low=1, high=8), len(words.split()))
    new_ruling = WordRuling(
        id=WordRulingId(key),
        game=game,
        player=player,
        word=words,
        score=check_number_in_range(score, "score", low=0, high=MOST_POINTS),
        cost=-score_breakdown.compute_phony_points(rules.phony, score=score, words=count) if phony else 0,
        phony=phony,
        wrong_words=count,
        author=strip_and_check_text(author, "author"),
        why=strip_and_check_text(why, "why", longest=LONGEST_NOTE),
        edition=strip_and_check_text(edition, "edition"),
    )
    before = tournament
    if replaces is not None:
        before, another = tournament.drop(_get_ruling_to_replace_or_refuse(tournament, new_ruling, replaces)), True
    return get_allowed_change_or_refuse(
        tournament, _store_word_ruling(before, new_ruling, tileset, another=another), why
    )


def _get_ruling_to_replace_or_refuse(tournament: Tournament, new_ruling: WordRuling, score: int) -> WordRuling:
    rulings = [ruling for ruling in _find_rulings_sharing_words(tournament, new_ruling) if ruling.phony]
    matches = [ruling for ruling in rulings if score in {ruling.score, ONLY_TURN_SCORE}]
    if len(matches) != 1:
        raise CommandError(
            "which-ruling" if rulings else "no-such-ruling",
            **_make_ruling_error_facts(tournament, new_ruling, [ruling.score for ruling in rulings]),
        )
    return matches[0]


def _find_rulings_sharing_words(tournament: Tournament, new_ruling: WordRuling) -> list[WordRuling]:
    words = set(new_ruling.word.split())
    return [
        ruling
        for ruling in TournamentIndex(tournament).word_rulings(new_ruling.game)
        if ruling.player == new_ruling.player and words.intersection(ruling.word.split())
    ]


def _make_ruling_error_facts(
    tournament: Tournament, new_ruling: WordRuling, ruled_scores: Sequence[int]
) -> dict[str, Any]:
    table, player = tournament.games[new_ruling.game].table, tournament.players[new_ruling.player].name
    return {"table": table, "player": player, "word": new_ruling.word, "scores": [*map(str, sorted(ruled_scores))]}


def _get_game_of_player_or_refuse(tournament: Tournament, game: GameId, player: PlayerId) -> Game:
    row = get_published_game_or_refuse(tournament, game)
    if player not in {row.first, row.second}:
        raise CommandError("player-not-here", table=row.table, player=tournament.players[player].name)
    return row


def _store_word_ruling(
    tournament: Tournament, new_ruling: WordRuling, tileset: TileSet, *, another: bool
) -> Tournament:
    # If two sheets are finished, search only sheet 1 for the turn.
    score_sheet = find_decisive_sheet(TournamentIndex(tournament).sheets(new_ruling.game))
    if score_sheet is not None:
        turn = _find_turn_for_ruling_or_refuse(tournament, score_sheet, new_ruling, tileset, another=another)
        if turn is not None:
            return _store_sheet_and_update_result(
                tournament,
                _add_turn_ruling(score_sheet, convert_to_turn_ruling(turn, new_ruling), new_ruling.wrong_words),
                tileset,
            )
    related_rulings = _find_rulings_sharing_words(tournament, new_ruling)
    ruled_scores = [ruling.score for ruling in related_rulings if ruling.phony]
    if new_ruling.phony and ruled_scores and not another:
        raise CommandError("ruled-already", **_make_ruling_error_facts(tournament, new_ruling, ruled_scores))
    # A ruling that the word is valid replaces the player's rulings on this word in all turns.
    replaced_rulings = [ruling for ruling in related_rulings if not (new_ruling.phony and ruling.phony)]
    remaining_rulings = (
        ()
        if new_ruling.phony
        else _make_rulings_without_newly_valid_words(tournament, new_ruling, replaced_rulings)
    )
    after = tournament.drop(*replaced_rulings).put(*remaining_rulings, new_ruling)
    result = tournament.results.get(new_ruling.game)
    return after if result is None else after.put(recompute_result(after, result))


def _make_rulings_without_newly_valid_words(
    tournament: Tournament, new_ruling: WordRuling, replaced_rulings: Iterable[WordRuling]
) -> Iterator[WordRuling]:
    rule = tournament.get_ruleset_of_row(tournament.games[new_ruling.game]).phony
    for ruling in replaced_rulings:
        words = [word for word in ruling.word.split() if word not in new_ruling.word.split()]
        if ruling.phony and words:
            cost = -score_breakdown.compute_phony_points(rule, score=ruling.score, words=len(words))
            yield replace(ruling, word=" ".join(words), wrong_words=len(words), cost=cost)


def _find_turn_for_ruling_or_refuse(
    tournament: Tournament, score_sheet: ScoreSheet, ruling: WordRuling, tileset: TileSet, *, another: bool
) -> int | None:
    game = tournament.games[score_sheet.game]
    lines = judge_sheet(score_sheet.sheet, tournament.get_ruleset_of_row(score_sheet), tileset).turns
    wrong_turns = {number for number, turn in enumerate(score_sheet.sheet.turns, 1) if turn.ruling is Ruling.PHONY}
    used_turns = wrong_turns if ruling.phony else ()
    turn = match_rulings_to_turns(game, score_sheet.sheet, lines, [ruling], excluded_turns=used_turns).get(
        ruling.id
    )
    if turn is None and ruling.phony and not another:
        turn = match_rulings_to_turns(game, score_sheet.sheet, lines, [ruling]).get(ruling.id)
        if turn is not None:
            scores = [lines[turn - 1].score]
            raise CommandError("ruled-already", **_make_ruling_error_facts(tournament, ruling, scores))
    return turn


def _add_matching_word_rulings_to_sheet(
    tournament: Tournament, score_sheet: ScoreSheet, tileset: TileSet
) -> tuple[ScoreSheet, tuple[WordRuling, ...]]:
    index = TournamentIndex(tournament)
    other_forms = [form for form in index.sheets(score_sheet.game) if form.form != score_sheet.form]
    rulings = index.word_rulings(score_sheet.game)
    if not rulings or find_decisive_sheet((*other_forms, score_sheet)) != score_sheet:
        return score_sheet, ()
    lines = judge_sheet(score_sheet.sheet, tournament.get_ruleset_of_row(score_sheet), tileset).turns
    turns_by_ruling = match_rulings_to_turns(tournament.games[score_sheet.game], score_sheet.sheet, lines, rulings)
    moved_rulings = tuple(ruling for ruling in rulings if ruling.id in turns_by_ruling)
    for ruling in moved_rulings:
        if not ruling.phony and score_sheet.sheet.turns[turns_by_ruling[ruling.id] - 1].ruling is Ruling.PHONY:
            continue  # the ruling on the sheet is later
        score_sheet = _add_turn_ruling(
            score_sheet, convert_to_turn_ruling(turns_by_ruling[ruling.id], ruling), ruling.wrong_words
        )
    return score_sheet, moved_rulings


def _store_sheet_and_update_result(
    tournament: Tournament, changed_sheet: ScoreSheet, tileset: TileSet
) -> Tournament:
    after = tournament.put(
        add_score_breakdowns(changed_sheet, tournament.get_ruleset_of_row(changed_sheet), tileset)
    )
    result = tournament.results.get(changed_sheet.game)
    state = result.state if result is not None else ResultState.ENTERED
    return update_result_after_sheet_change(
        tournament, after, changed_sheet.game, state=state, changed_form=changed_sheet.form
    )


def _add_turn_ruling(sheet: ScoreSheet, turn_ruling: TurnRuling, wrong_words: int) -> ScoreSheet:
    turns = list(sheet.sheet.turns)
    ruling = Ruling.PHONY if turn_ruling.phony else None
    turns[turn_ruling.turn - 1] = replace(turns[turn_ruling.turn - 1], ruling=ruling, wrong_words=wrong_words)
    other_rulings = (old_ruling for old_ruling in sheet.rulings if old_ruling.turn != turn_ruling.turn)
    rulings = tuple(sorted((*other_rulings, turn_ruling), key=lambda old_ruling: old_ruling.turn))
    return replace(sheet, sheet=replace(sheet.sheet, turns=tuple(turns)), rulings=rulings)


def _get_sheet_or_refuse(tournament: Tournament, game: GameId, form: int) -> ScoreSheet:
    row = get_row_or_refuse(tournament.games, game, "game-gone")
    for score_sheet in TournamentIndex(tournament).sheets(game):
        if score_sheet.form == form:
            return score_sheet
    raise CommandError("no-sheet", table=row.table, form=form)


def _refuse_wrong_player_count_or_tileset(game: Game, sheet: Sheet, tileset: TileSet) -> None:
    if len(sheet.players) != 2:  # noqa: PLR2004 - a tournament's game
        raise CommandError("sheet-of-two", table=game.table, players=len(sheet.players))
    if sheet.tileset is not None and sheet.tileset != tileset.id:
        raise CommandError("other-tileset", table=game.table, tileset=sheet.tileset, given=tileset.id)


def _order_game_and_sheet_by_starter(tournament: Tournament, game: Game, sheet: Sheet) -> tuple[Game, Sheet]:
    first, second = tournament.players[game.first], tournament.players[game.second]
    same_order_count = _count_names_matching_in_order(sheet, first, second)
    swapped_order_count = _count_names_matching_in_order(sheet, second, first)
    # If the pairing assigned the starter, the starter on a sheet with unclear names is the game's first player.
    # If players draw tiles for the start, a sheet with unclear names lists the players in the pairing's order.
    has_second_starter = game.start is StartDecision.ASSIGNED and sheet.first == 2  # noqa: PLR2004
    if swapped_order_count > same_order_count or (swapped_order_count == same_order_count and has_second_starter):
        sheet = swap_players(sheet)
    if sheet.first == 1:
        return replace(game, start=get_start_decision_after_tile_draw(game)), sheet
    if game.start is StartDecision.ASSIGNED:
        raise CommandError("sheet-other-starter", table=game.table, player=second.name, starter=first.name)
    return replace(game, first=game.second, second=game.first), swap_players(sheet)


def _count_names_matching_in_order(sheet: Sheet, first: Player, second: Player) -> int:
    return sum(map(can_be_same_person, sheet.players, (first.name, second.name)))


def _list_rulings_on_unchanged_turns(old: ScoreSheet | None, sheet: Sheet) -> tuple[TurnRuling, ...]:
    if old is None:
        return ()
    unchanged_turns = [
        (old_turn.word, old_turn.at, old_turn.ruling) == (new_turn.word, new_turn.at, new_turn.ruling)
        for old_turn, new_turn in zip(old.sheet.turns, sheet.turns, strict=False)
    ]
    return tuple(
        ruling
        for ruling in old.rulings
        if ruling.turn <= len(unchanged_turns) and unchanged_turns[ruling.turn - 1]
    )
