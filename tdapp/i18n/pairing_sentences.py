"""What a draft costs, and what a change to it would bring, in a director’s words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Mapping, Sequence

from tdapp.domain.index import Index
from tdapp.domain.model import PlayerId, Round
from tdapp.domain.series import turn_and_game
from tdapp.domain.systems import system_of
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.messages.sentences import CRITERIA
from tdapp.pairing.trial import Trial, TrialGame
from tdapp.pairing.repair import Repaired

TWO_APART = 4  # the square of a balance of two


def costs(index: Index, item: Round, catalogue: Catalogue) -> tuple[str, ...]:
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
    shared = ", ".join(catalogue.code(one) for one in avoid)
    plural, text = catalogue.plural, catalogue.text
    repeats, guard, across, floats, apart, alike = (
        tables[name] for name in ("repeats", "guard", "score_difference", "floats", "apart", "avoid")
    )
    parts_text = [
        plural("{n} pair meets again", "{n} pairs meet again", repeats) if repeats else text("nobody meets again"),
        guard and plural("{n} table takes starts three apart", "{n} tables take starts three apart", guard),
        across and plural("{n} table between score groups", "{n} tables between score groups", across),
        total.get("bye") and text("the bye is not at the lowest score"),
        floats and plural("{n} table floats the same way again", "{n} tables float the same way again", floats),
        uneven and plural("{n} table leaves starts two apart", "{n} tables leave starts two apart", uneven),
        apart and plural("{n} wish to keep apart not met", "{n} wishes to keep apart not met", apart),
        alike and plural("{n} table of the same {what}", "{n} tables of the same {what}", alike, what=shared),
    ]
    return tuple(str(one) for one in parts_text if one)


def relaxed(item: Round, catalogue: Catalogue) -> tuple[str, ...]:
    """Return what had to give, in words."""
    return tuple(catalogue.code(name) for name in item.relaxed)


def figures(item: Round, catalogue: Catalogue) -> str:
    """Return the sum of each criterion, one a line, for those who want it exactly."""
    return "\n".join(f"{catalogue.text(CRITERIA[name])}: {cost}" for name, cost in item.cost if name in CRITERIA)


def cost(found: Sequence[tuple[str, int]], catalogue: Catalogue) -> str:
    """Return what a table costs by criterion, empty for nothing."""
    parts = ", ".join(
        f"{catalogue.text(CRITERIA[name])} {catalogue.number(more)}"
        for name, more in found
        if more and name in CRITERIA
    )
    return catalogue.text("costs: {parts}", parts=parts) if parts else ""


def series(index: Index, item: Round, catalogue: Catalogue) -> tuple[str, ...]:
    """Return which game of their series the matches of a knockout play; nothing where they are single games."""
    stage = index.tournament.stages[item.stage]
    length = stage.settings.series
    if not system_of(stage).bracket or length == 1:
        return ()
    _, game = turn_and_game(item.number - index.first_round(stage.id) + 1, length)
    return (catalogue.text("game {game} of {games}", game=game, games=length),)


def nobody(index: Index, item: Round, catalogue: Catalogue) -> str:
    """Return what is shown for a round without games."""
    if not series(index, item, catalogue):
        return catalogue.text("Nobody plays in this round.")
    return catalogue.text("Every match is decided already. Publish the round as it is, and pair the next one.")


MOST_TABLES = 4  # told of one by one


def nobody(index: Index, item: Round, words: Catalogue) -> str:
    """Return what is said of a round without games."""
    if not series(index, item, words):
        return words.text("Nobody plays in this round.")
    return words.text("Every match is decided already. Publish the round as it is, and pair the next one.")


def repaired(one: Repaired, names: Mapping[PlayerId, str], words: Catalogue) -> str:
    """Return how a round would be paired now."""
    if one.failed is not None:
        return words.error(one.failed)
    parts = []
    if one.otherwise:
        parts.append(words.plural("others at table {tables}", "others at tables {tables}", len(one.otherwise),
                                  tables=one.otherwise))  # fmt: skip
    if one.had != one.instead:
        instead = ", ".join(sorted(names.get(player, "") for player in one.instead)) or "–"
        parts.append(words.text("the bye to {player}", player=instead))
    return " · ".join(parts) or words.text("the same")
