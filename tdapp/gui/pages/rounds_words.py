"""What a draft costs, in a director's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType

from tdapp.domain.index import Index
from tdapp.domain.model import Round, RoundId, Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.mark import N_

CRITERIA: Mapping[str, str] = MappingProxyType(
    {
        "repeats": N_("repeats"),
        "guard": N_("starts three apart"),
        "score_difference": N_("difference of scores"),
        "bye": N_("height of the bye"),
        "floats": N_("floats"),
        "avoid": N_("same club, country, team or class"),
        "starts": N_("balance of starts"),
        "style": N_("pairing style"),
    }
)
Difference = tuple[tuple[str, int], ...]


def costs(index: Index, item: Round, words: Catalogue) -> tuple[str, ...]:
    """Return what a draft costs, the weightiest first, by the tables it concerns."""
    tables = {
        name: sum(bool(dict(game.reason.cost).get(name)) for game in index.games(item.id) if game.reason)
        for name in CRITERIA
    }
    total = dict(item.cost)
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


def trial(tournament: Tournament, round_id: RoundId, command: partial[Tournament]) -> Difference:
    """Return by criterion what a command would make a draft cost more; raise what it raises."""
    after = command(tournament)
    before = dict(tournament.rounds[round_id].cost)
    return tuple((name, cost - before.get(name, 0)) for name, cost in after.rounds[round_id].cost)


def difference(found: Sequence[tuple[str, int]], words: Catalogue, *, weigh: bool = True) -> str:
    """Return costs by criterion in words; weighed as a difference, the weightiest says if better or worse."""
    changed = [(name, more) for name, more in found if more and name in CRITERIA]
    if not changed:
        return words.text("costs nothing") if weigh else ""
    write = words.signed if weigh else words.number
    parts = ", ".join(f"{words.text(CRITERIA[name])} {write(more)}" for name, more in changed)
    if not weigh:
        return words.text("costs: {parts}", parts=parts)
    return (
        words.text("better: {parts}", parts=parts)
        if changed[0][1] < 0
        else words.text("worse: {parts}", parts=parts)
    )
