"""What a change to a draft would bring, in a director's words."""

from __future__ import annotations

from collections.abc import Iterator

from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.messages.criteria import CRITERIA
from tdapp.pairing.trial import Trial, TrialGame

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


def tables(found: Trial, tournament: Tournament, words: Catalogue) -> tuple[str, ...]:
    """Return a line for each table at which others would meet, the first few."""
    lines = [_table(one, tournament, words) for one in found.tables[:MOST_TABLES]]
    more = len(found.tables) - MOST_TABLES
    return (*lines, words.text("and {n} more", n=more)) if more > 0 else tuple(lines)


def waits(found: Trial, tournament: Tournament, words: Catalogue) -> str:
    """Return who would have the bye instead of whom, empty where that stays."""
    had, instead = found.bye
    if had == instead:
        return ""
    if instead is None:
        return words.text("nobody has the bye")
    return words.text("the bye goes to {player}", player=tournament.players[instead].name)


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
