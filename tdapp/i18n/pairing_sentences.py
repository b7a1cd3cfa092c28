"""Sentences about the costs (disadvantages) of a pairing, and about changes to the pairing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tdapp.domain.index import TournamentIndex
from tdapp.domain.matches import compute_bracket_round_and_game
from tdapp.domain.model import PlayerId, Round
from tdapp.domain.publishing import make_names_distinct
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.messages.sentences import CRITERIA
from tdapp.pairing.commands import DraftChangePreview, PreviewedGame
from tdapp.pairing.recheck import RoundPairingComparison

MIN_UNEVEN_COST = 4  # starts and replies differ by two; the cost is the square


def list_pairing_drawbacks(index: TournamentIndex, item: Round, catalogue: Catalogue) -> tuple[str, ...]:
    table_counts = {
        name: sum(bool(dict(game.reason.cost).get(name)) for game in index.games(item.id) if game.reason)
        for name in CRITERIA
    }
    costs = dict(item.cost)
    uneven_count = sum(
        dict(game.reason.cost).get("starts", 0) >= MIN_UNEVEN_COST for game in index.games(item.id) if game.reason
    )
    shared_traits = index.tournament.stages[item.stage].settings.avoid
    trait_names = ", ".join(catalogue.translate_code(trait) for trait in shared_traits)
    plural, text = catalogue.plural, catalogue.text
    repeat_count, guard_count, cross_group_count, float_count, apart_count, trait_count = (
        table_counts[name] for name in ("repeats", "guard", "score_difference", "floats", "apart", "avoid")
    )
    parts = [
        repeat_count and plural("{n} repeat pairing", "{n} repeat pairings", repeat_count),
        "repeats" in costs and not repeat_count and text("no repeat pairings"),
        guard_count
        and plural(
            "{n} table where a player’s starts and replies differ too much",
            "{n} tables where a player’s starts and replies differ too much",
            guard_count,
        ),
        cross_group_count
        and plural("{n} game between score groups", "{n} games between score groups", cross_group_count),
        costs.get("bye") and text("the bye does not go to the player with the lowest score"),
        float_count
        and plural(
            "{n} table with a player who floats the same way again",
            "{n} tables with a player who floats the same way again",
            float_count,
        ),
        uneven_count
        and plural(
            "{n} table where a player’s starts and replies differ by two or more",
            "{n} tables where a player’s starts and replies differ by two or more",
            uneven_count,
        ),
        apart_count
        and plural(
            "does not fulfil {n} request to keep two players apart",
            "does not fulfil {n} requests to keep two players apart",
            apart_count,
        ),
        trait_count
        and plural(
            "{n} table with players from the same {what}",
            "{n} tables with players from the same {what}",
            trait_count,
            what=trait_names,
        ),
    ]
    return tuple(str(part) for part in parts if part)


def list_relaxed_rules(item: Round, catalogue: Catalogue) -> tuple[str, ...]:
    return tuple(catalogue.translate_code(name) for name in item.relaxed)


def describe_criterion_costs(item: Round, catalogue: Catalogue) -> str:
    return "\n".join(f"{catalogue.text(CRITERIA[name])}: {cost}" for name, cost in item.cost if name in CRITERIA)


def describe_drawbacks(costs: Sequence[tuple[str, int]], catalogue: Catalogue) -> str:
    parts = ", ".join(
        f"{catalogue.text(CRITERIA[name])} {catalogue.format_number(increase)}"
        for name, increase in costs
        if increase and name in CRITERIA
    )
    return catalogue.text("drawbacks: {parts}", parts=parts) if parts else ""


def describe_game_number_in_series(index: TournamentIndex, item: Round, catalogue: Catalogue) -> tuple[str, ...]:
    """Return a text such as "game 2 of 3" for a knockout round, or () if each match has one game."""
    stage = index.tournament.stages[item.stage]
    length = stage.settings.series
    if not get_pairing_system(stage).is_knockout or length == 1:
        return ()
    _, game = compute_bracket_round_and_game(item.number - index.get_first_round_number(stage.id) + 1, length)
    return (catalogue.text("game {game} of {games}", game=game, games=length),)


def explain_round_without_games(index: TournamentIndex, item: Round, catalogue: Catalogue) -> str:
    if not describe_game_number_in_series(index, item, catalogue):
        return catalogue.text("No games in this round.")
    return catalogue.text("Every match is already decided. Publish the round as it is, and pair the next one.")


MAX_TABLES = 4  # most changed tables with a separate line


def describe_draft_change_effect(preview: DraftChangePreview, catalogue: Catalogue) -> str:
    """Describe whether and how much a change improves the pairing, and how many tables it changes."""
    text, format_signed = catalogue.text, catalogue.format_signed_value
    parts = [*_describe_all_changed_drawbacks(preview, catalogue)] or [
        text("{criterion} {more}", criterion=text(CRITERIA[name]), more=format_signed(increase))
        for name, increase in preview.cost
        if increase and name in CRITERIA
    ]
    parts_text = ", ".join(parts)
    if not parts:
        cost = text("no drawbacks")
    elif not preview.sign_of_cost_change:
        cost = text("equally good: {parts}", parts=parts_text)
    else:
        cost = (
            text("better: {parts}", parts=parts_text)
            if preview.sign_of_cost_change < 0
            else text("worse: {parts}", parts=parts_text)
        )
    tables_text = (
        catalogue.plural("{n} table changes", "{n} tables change", len(preview.tables)) if preview.tables else ""
    )
    return " · ".join(filter(None, (cost, tables_text)))


def list_draft_change_texts(
    preview: DraftChangePreview, tournament: Tournament, catalogue: Catalogue
) -> tuple[str, ...]:
    old_bye, new_bye = preview.bye
    tournament = make_names_distinct(tournament)
    lines = [_describe_changed_table(game, tournament, catalogue) for game in preview.tables[:MAX_TABLES]]
    if old_bye != new_bye:
        bye_text = new_bye and catalogue.text("the bye goes to {player}", player=tournament.players[new_bye].name)
        lines.insert(0, bye_text or catalogue.text("no player has the bye"))
    for player in reversed(preview.unpaired_players):
        name = tournament.players[player].name
        lines.insert(0, catalogue.text("{player} has no game and no bye", player=name))
    extra_count = len(preview.tables) - MAX_TABLES
    return (*lines, catalogue.text("and {n} more", n=extra_count)) if extra_count > 0 else tuple(lines)


def _describe_all_changed_drawbacks(preview: DraftChangePreview, catalogue: Catalogue) -> Iterator[str]:
    if preview.cross_group_increase > 0:
        yield catalogue.plural(
            "{n} more game between score groups",
            "{n} more games between score groups",
            preview.cross_group_increase,
        )
    elif preview.cross_group_increase:
        yield catalogue.plural(
            "{n} fewer game between score groups",
            "{n} fewer games between score groups",
            -preview.cross_group_increase,
        )
    counts = {name: (before, after) for name, before, after in preview.table_counts}
    yield from _describe_changed_drawback_count(catalogue, "repeats", *counts["repeats"])
    yield from _describe_changed_drawback_count(catalogue, "guard", *counts["guard"])
    before, after = preview.score_gaps
    if before != after:
        points = {"before": catalogue.format_points(before), "after": catalogue.format_points(after)}
        yield catalogue.text("differences in match points between opponents {before} → {after}", **points)
    cost = dict(preview.cost)
    if cost.get("bye"):
        yield (
            catalogue.text("the bye goes to a player with a lower score")
            if cost["bye"] < 0
            else catalogue.text("the bye goes to a player with a higher score")
        )
    for name in ("floats", "apart", "avoid"):
        yield from _describe_changed_drawback_count(catalogue, name, *counts[name])
    if cost.get("starts"):
        yield (
            catalogue.text("starts are better balanced")
            if cost["starts"] < 0
            else catalogue.text("starts are less balanced")
        )


def _describe_changed_drawback_count(catalogue: Catalogue, name: str, before: int, after: int) -> Iterator[str]:
    if after == before:
        return
    n, plural = abs(after - before), catalogue.plural
    increase_text, decrease_text = {
        "repeats": (
            plural("{n} more repeat pairing", "{n} more repeat pairings", n),
            plural("{n} fewer repeat pairing", "{n} fewer repeat pairings", n),
        ),
        "guard": (
            plural("{n} more table where a player’s starts and replies differ too much",
                ("{n} more tables where a player’s starts and replies differ too much"), n),
            plural("{n} fewer table where a player’s starts and replies differ too much",
                "{n} fewer tables where a player’s starts and replies differ too much", n),
        ),
        "floats": (
            plural("{n} more table with a player who floats again",
                "{n} more tables with a player who floats again", n),
            plural("{n} fewer table with a player who floats again",
                "{n} fewer tables with a player who floats again", n),
        ),
        "apart": (
            plural(
                "does not fulfil {n} request to keep two players apart",
                "does not fulfil {n} requests to keep two players apart", n,
            ),
            plural(
                "fulfils {n} request to keep two players apart",
                "fulfils {n} requests to keep two players apart", n,
            ),
        ),
        "avoid": (
            plural("{n} more table with players from the same club, country, team or category",
                   "{n} more tables with players from the same club, country, team or category", n),
            plural("{n} fewer table with players from the same club, country, team or category",
                   "{n} fewer tables with players from the same club, country, team or category", n),
        ),
    }[name]  # fmt: skip
    yield increase_text if after > before else decrease_text


def _describe_changed_table(game: PreviewedGame, tournament: Tournament, catalogue: Catalogue) -> str:
    players = tournament.players
    first, second = players[game.first].name, players[game.second].name
    scores = catalogue.text(
        "{better} against {worse}",
        better=catalogue.format_points(game.better_score),
        worse=catalogue.format_points(game.worse_score),
    )
    notes = [scores]
    if game.meetings:
        notes.append(catalogue.plural("met once before", "met {n} times before", game.meetings))
    notes += [catalogue.text(CRITERIA[name]) for name in game.costs if name != "repeats"]
    heading = catalogue.text("Table {table}:", table=game.table)
    return f"{heading} {first} – {second} ({', '.join(notes)})"


def describe_rechecked_round(
    recheck: RoundPairingComparison, names: Mapping[PlayerId, str], catalogue: Catalogue
) -> str:
    if recheck.refusal is not None:
        return catalogue.describe_error(recheck.refusal)
    if recheck.tables and len(recheck.by_hand) == recheck.tables:
        return catalogue.text("not checked: all tables were set by hand or imported")
    parts = []
    if recheck.otherwise:
        parts.append(catalogue.plural("different players at table {tables}",
                                  "different players at tables {tables}", len(recheck.otherwise),
                                  tables=recheck.otherwise))  # fmt: skip
    if recheck.stored_byes != recheck.new_byes:
        bye_names = "; ".join(sorted(names.get(player, "") for player in recheck.new_byes)) or "–"
        parts.append(catalogue.text("the bye goes to {player}", player=bye_names))
    return " · ".join(parts) or catalogue.text("paired the same way again")
