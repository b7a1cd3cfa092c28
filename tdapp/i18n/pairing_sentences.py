"""What a draft costs, and what a change to it would bring, in a director’s words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tdapp.domain.index import Index
from tdapp.domain.model import Round
from tdapp.domain.series import turn_and_game
from tdapp.domain.systems import system_of
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.messages.sentences import CRITERIA
from tdapp.pairing.trial import Trial, TrialGame

TWO_APART = 4  # the square of a balance of two


def costs(index: Index, item: Round, words: Catalogue) -> tuple[str, ...]:
    """Return what a draft costs, the weightiest first, by the tables it concerns."""
    tables = {
        name: sum(bool(dict(game.reason.cost).get(name)) for game in index.games(item.id) if game.reason)
        for name in CRITERIA
    }
    total = dict(item.cost)
    uneven = sum(
        dict(game.reason.cost).get("starts", 0) >= TWO_APART for game in index.games(item.id) if game.reason
    )
    avoid = index.tournament.stages[item.stage].settings.avoid
    shared = ", ".join(words.code(one) for one in avoid)
    said = [
        words.plural("{n} pair meets again", "{n} pairs meet again", tables["repeats"])
        if tables["repeats"]
        else words.text("nobody meets again"),
        tables["guard"]
        and words.plural(
            "{n} table takes starts three apart", "{n} tables take starts three apart", tables["guard"]
        ),
        tables["score_difference"]
        and words.plural(
            "{n} table between score groups", "{n} tables between score groups", tables["score_difference"]
        ),
        total.get("bye") and words.text("the bye is not at the lowest score"),
        tables["floats"]
        and words.plural(
            "{n} table floats the same way again", "{n} tables float the same way again", tables["floats"]
        ),
        uneven and words.plural("{n} table leaves starts two apart", "{n} tables leave starts two apart", uneven),
        tables["apart"]
        and words.plural("{n} wish to keep apart not met", "{n} wishes to keep apart not met", tables["apart"]),
        tables["avoid"]
        and words.plural(
            "{n} table of the same {what}", "{n} tables of the same {what}", tables["avoid"], what=shared
        ),
    ]
    return tuple(str(one) for one in said if one)


def relaxed(item: Round, words: Catalogue) -> tuple[str, ...]:
    """Return what had to give, in words."""
    return tuple(words.code(name) for name in item.relaxed)


def figures(item: Round, words: Catalogue) -> str:
    """Return the sum of each criterion, one a line, for those who want it exactly."""
    return "\n".join(f"{words.text(CRITERIA[name])}: {cost}" for name, cost in item.cost if name in CRITERIA)


def cost(found: Sequence[tuple[str, int]], words: Catalogue) -> str:
    """Return what a table costs by criterion, empty for nothing."""
    parts = ", ".join(
        f"{words.text(CRITERIA[name])} {words.number(more)}" for name, more in found if more and name in CRITERIA
    )
    return words.text("costs: {parts}", parts=parts) if parts else ""


def series(index: Index, item: Round, words: Catalogue) -> tuple[str, ...]:
    """Return which game of their series the matches of a knockout play; nothing where they are single games."""
    stage = index.tournament.stages[item.stage]
    length = stage.settings.series
    if not system_of(stage).bracket or length == 1:
        return ()
    _, game = turn_and_game(item.number - index.first_round(stage.id) + 1, length)
    return (words.text("game {game} of {games}", game=game, games=length),)


def nobody(index: Index, item: Round, words: Catalogue) -> str:
    """Return what is said of a round without games."""
    if not series(index, item, words):
        return words.text("Nobody plays in this round.")
    return words.text("Every match is decided already. Publish the round as it is, and pair the next one.")


MOST_TABLES = 4  # told of one by one


def verdict(found: Trial, words: Catalogue) -> str:
    """Return whether a change is better or worse, by what, and how many tables change."""
    parts = [*_parts(found, words)]
    if not parts:
        parts = [
            words.text("{criterion} {more}", criterion=words.text(CRITERIA[name]), more=words.signed(more))
            for name, more in found.cost
            if more and name in CRITERIA
        ]
    said = ", ".join(parts)
    if not parts:
        text = words.text("costs nothing")
    elif not found.worth:
        text = words.text("as good: {parts}", parts=said)
    elif found.worth < 0:
        text = words.text("better: {parts}", parts=said)
    else:
        text = words.text("worse: {parts}", parts=said)
    changed = words.plural("{n} table changes", "{n} tables change", len(found.tables)) if found.tables else ""
    return " · ".join(filter(None, (text, changed)))


def details(found: Trial, tournament: Tournament, words: Catalogue) -> tuple[str, ...]:
    """Return who would have the bye instead, and a line for each of the first tables that would change."""
    had, instead = found.bye
    lines = [_table(one, tournament, words) for one in found.tables[:MOST_TABLES]]
    if had != instead:
        bye = instead and words.text("the bye goes to {player}", player=tournament.players[instead].name)
        lines.insert(0, bye or words.text("nobody has the bye"))
    more = len(found.tables) - MOST_TABLES
    return (*lines, words.text("and {n} more", n=more)) if more > 0 else tuple(lines)


def _parts(found: Trial, words: Catalogue) -> Iterator[str]:
    """Yield what is more or less than before, the weightiest first."""
    if found.across > 0:
        yield words.plural("{n} table more across groups", "{n} tables more across groups", found.across)
    elif found.across:
        yield words.plural("{n} table fewer across groups", "{n} tables fewer across groups", -found.across)
    counts = {name: (before, after) for name, before, after in found.counts}
    yield from _counted(words, "repeats", *counts["repeats"])
    yield from _counted(words, "guard", *counts["guard"])
    before, after = found.gaps
    if before != after:
        yield words.text(
            "differences of match points {before} → {after}",
            before=words.points(before),
            after=words.points(after),
        )
    cost = dict(found.cost)
    if cost.get("bye"):
        yield (words.text("the bye lower") if cost["bye"] < 0 else words.text("the bye higher"))
    for name in ("floats", "apart", "avoid"):
        yield from _counted(words, name, *counts[name])
    if cost.get("starts"):
        more = cost["starts"]
        yield words.text("starts more even") if more < 0 else words.text("starts less even")


def _counted(words: Catalogue, name: str, before: int, after: int) -> Iterator[str]:
    if after == before:
        return
    n = abs(after - before)
    more, fewer = {
        "repeats": (
            words.plural("{n} pair more meets again", "{n} pairs more meet again", n),
            words.plural("{n} pair fewer meets again", "{n} pairs fewer meet again", n),
        ),
        "guard": (
            words.plural("starts three apart at {n} table more", "starts three apart at {n} tables more", n),
            words.plural("starts three apart at {n} table fewer", "starts three apart at {n} tables fewer", n),
        ),
        "floats": (
            words.plural("{n} table more floats again", "{n} tables more float again", n),
            words.plural("{n} table fewer floats again", "{n} tables fewer float again", n),
        ),
        "apart": (
            words.plural("{n} wish to keep apart not met", "{n} wishes to keep apart not met", n),
            words.plural("{n} wish to keep apart met", "{n} wishes to keep apart met", n),
        ),
        "avoid": (
            words.plural("{n} table more of the same club or the like",
                         "{n} tables more of the same club or the like", n),
            words.plural("{n} table fewer of the same club or the like",
                         "{n} tables fewer of the same club or the like", n),
        ),
    }[name]  # fmt: skip
    yield more if after > before else fewer


def _table(one: TrialGame, tournament: Tournament, words: Catalogue) -> str:
    players = tournament.players
    first, second = players[one.first].name, players[one.second].name
    scores = words.text(
        "{better} against {worse}", better=words.points(one.better_score), worse=words.points(one.worse_score)
    )
    notes = [scores]
    if one.meetings:
        notes.append(words.plural("met once before", "met {n} times before", one.meetings))
    notes += [words.text(CRITERIA[name]) for name in one.costs if name != "repeats"]
    head = words.text("Table {table}:", table=one.table)
    return f"{head} {first} – {second} ({', '.join(notes)})"
