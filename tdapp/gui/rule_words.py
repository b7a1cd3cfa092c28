"""A rule set's parameters as sentences, so that a director can choose without knowing a preset's name."""

from __future__ import annotations

from tdapp.domain.ruleset import ByeWorth, KnockoutTie, RuleSet
from tdapp.i18n.catalogue import Catalogue


def sentences(catalogue: Catalogue, rules: RuleSet) -> tuple[str, ...]:
    """Return what a rule set says about points, ranking, byes, forfeits and ties."""
    text = catalogue.text
    points, byes = rules.match_points, rules.byes
    return (
        text("Ranking: {order}.", order=ranking(catalogue, rules.order_for("swiss"))),
        text("A win brings {win}, a draw {draw}, a loss {loss}.", win=points.win, draw=points.draw,
             loss=points.loss),
        text("A bye counts as {worth}.", worth=_worth(catalogue, byes.bye)),
        text("A requested bye counts as {worth}, absence as {other}.", worth=_worth(catalogue, byes.requested),
             other=_worth(catalogue, byes.absent)),
        text("A forfeit brings the other player a win by {margin}.", margin=rules.forfeit.margin),
        text("A tie in a knockout goes to the player who did not start.")
        if rules.knockout.tie is KnockoutTie.REPLIER
        else text("A tie in a knockout is settled by an extra game."),
    )  # fmt: skip


def ranking(catalogue: Catalogue, order: tuple[str, ...]) -> str:
    """Return tie-breaks as a list in words."""
    return " → ".join(catalogue.explanation(one).partition(":")[0] for one in order)


def _worth(catalogue: Catalogue, worth: ByeWorth) -> str:
    word = catalogue.code(worth.counts_as)
    return f"{word}, {catalogue.signed(worth.spread)}" if worth.spread else word
