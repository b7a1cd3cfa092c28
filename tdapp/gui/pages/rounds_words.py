"""What a draft costs, in a director's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tdapp.domain.index import Index
from tdapp.domain.model import Round
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.mark import N_

CRITERIA: Mapping[str, str] = MappingProxyType(
    {
        "repeats": N_("repeats"),
        "guard": N_("starts three apart"),
        "score_difference": N_("difference of scores"),
        "bye": N_("height of the bye"),
        "floats": N_("floats"),
        "apart": N_("wished apart"),
        "avoid": N_("same club, country, team or class"),
        "starts": N_("balance of starts"),
        "style": N_("pairing style"),
    }
)
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
