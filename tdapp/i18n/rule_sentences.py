"""A rule set in words: what it means, under the headings that a director looks for.

Hides which parameters are told in one sentence. Every sentence says which they are, so that one that differs from
the preset can be marked, and no parameter goes untold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from tdapp.domain import ruleset
from tdapp.domain.mark import N_
from tdapp.domain.round_clock import MINUTE
from tdapp.domain.rule_fields import FieldKind, RuleField
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.systems import SWISS
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.sheet import Ended

TWO = 2
# These end any game, whatever the rules say; nobody chooses them.
UNCHOSEN = frozenset({Ended.FORFEIT, Ended.OPEN})


@dataclass(frozen=True, slots=True)
class Sentence:
    """What some parameters mean, `paths` or all that begin like one of them."""

    text: str
    paths: tuple[str, ...]

    def tells(self, path: str) -> bool:
        """Return whether the sentence is about a parameter."""
        return any(path == one or path.startswith(f"{one}.") for one in self.paths)


Told = Iterator[tuple[str, str]]  # a sentence and the paths it tells
Names = Mapping[str, Mapping[str, str]]  # by path and by what stands there
_NO_NAMES: Names = {}


def headings(catalogue: Catalogue) -> Mapping[str, str]:
    """Return the words of each of GROUPS, in their order."""
    return {group: catalogue.text(one.heading) for group, one in GROUPS.items()}


def explained(
    catalogue: Catalogue, rules: RuleSet, names: Names = _NO_NAMES
) -> Mapping[str, tuple[Sentence, ...]]:
    """Return what a rule set says under each heading of GROUPS; `names` are those of tile sets and languages."""
    named = replace(
        rules,
        tileset=names.get("tileset", {}).get(rules.tileset, rules.tileset),
        language=names.get("language", {}).get(rules.language, rules.language),
    )
    return {
        group: tuple(_sentence(catalogue, named, *told) for told in one.tell(catalogue, named))
        for group, one in GROUPS.items()
    }


def _sentence(catalogue: Catalogue, rules: RuleSet, said: str, paths: str) -> Sentence:
    """Return a sentence, which says of itself that the book was not seen where that is so."""
    sentence = Sentence(said, tuple(paths.split()))
    if not any(map(sentence.tells, rules.unseen)):
        return sentence
    return replace(sentence, text=catalogue.text("{rule} (Not checked against the book.)", rule=said))


def group_of(path: str) -> str:
    """Return the heading of GROUPS for a parameter; empty for one that is never changed."""
    first = path.partition(".")[0]
    return next((group for group, one in GROUPS.items() if first in one.firsts), "")


def ranking(catalogue: Catalogue, order: tuple[str, ...]) -> str:
    """Return tie-breaks as a list in words."""
    return " → ".join(catalogue.explanation(TIEBREAKS[one].key).partition(":")[0] for one in order)


def summary(catalogue: Catalogue, rules: RuleSet) -> str:
    """Return what sets a rule set apart in one sentence: how a Swiss is ranked, and who pays for wrong words."""
    checked = catalogue.text("the jury checks all words")
    words = checked if rules.phony.ruled else _stake(catalogue, rules.challenge)
    return f"{ranking(catalogue, rules.order_for(SWISS.id))}; {words}."


def _stake(catalogue: Catalogue, rule: ruleset.ChallengeRule) -> str:
    text, points = catalogue.text, rule.points
    return {
        ruleset.ChallengeMode.VOID: text("nobody challenges"),
        ruleset.ChallengeMode.POINTS: text("a wrong challenge costs {points} points", points=points)
        if points
        else text("a wrong challenge costs nothing"),
        ruleset.ChallengeMode.DOUBLE: text("a wrong challenge costs a turn"),
        ruleset.ChallengeMode.TRIPLE: text("a wrong challenge costs the game"),
    }[rule.mode]


def value_words(catalogue: Catalogue, field: RuleField, value: object, names: Names = _NO_NAMES) -> str:
    """Return one parameter's value in words."""
    text = catalogue.text
    value = names.get(field.path, {}).get(str(value), value)
    match value:
        case None | ():
            said = text("none")
        case bool():
            said = text("yes") if value else text("no")
        case (int(low), int(high)):
            said = text("{low} to {high}", low=low, high=high)
        case tuple() if field.kind is FieldKind.ORDER:
            said = ranking(catalogue, value)
        case tuple():
            said = ", ".join(catalogue.code(one) for one in value if one not in UNCHOSEN)
        case Enum():
            said = catalogue.code(value)
        case int() | Fraction():
            said = catalogue.points(value)
        case _:
            said = str(value)
    return said


def _game(catalogue: Catalogue, rules: RuleSet) -> Told:
    text, code = catalogue.text, catalogue.code
    yield text("{name}. Tiles: {tiles}; language: {language}.", name=rules.name, tiles=rules.tileset,
               language=rules.language), "name tileset language"  # fmt: skip
    two = text("Two players at a table.")
    more = text("Up to {n} players at a table; in a tournament’s games two.", n=rules.most_players)
    yield two if rules.most_players == TWO else more, "most_players"
    yield from _starting(catalogue, rules)
    always = text("The board is turned to the player who is on move.")
    agreed = text("The board is turned only if the players agree on it.")
    yield always if rules.board_turned else agreed, "board_turned"
    yield text("Passing: {when}.", when=code(rules.passing)), "passing"
    yield _exchanging(catalogue, rules.exchange.minimum), "exchange"
    yield text("Seven tiles in one turn bring {points} points extra.", points=rules.bonus), "bonus"
    past = text("Lists of names go past a prefix: de Beer stands under B.")
    first = text("Lists of names begin with the prefix: de Beer stands under D.")
    yield past if rules.past_prefix else first, "past_prefix"


def _starting(catalogue: Catalogue, rules: RuleSet) -> Told:
    """Yield how it is drawn who starts."""
    text, code, draw = catalogue.text, catalogue.code, rules.draw
    blank = text("Each draws a tile, and the letter nearest to A starts; {blank}.", blank=code(draw.blank))
    yield blank, "draw.blank"
    yield text("After equal letters {who}.", who=code(draw.again)), "draw.again"
    returned = text("Tiles go back before the next draw.")
    kept = text("No tile goes back until it is decided who starts.")
    yield returned if draw.returned else kept, "draw.returned"


def _exchanging(catalogue: Catalogue, least: int) -> str:
    if not least:
        return catalogue.text("Exchanging needs as many tiles in the bag as are exchanged.")
    return catalogue.plural(
        "Exchanging needs a tile in the bag.", "Exchanging needs at least {n} tiles in the bag.", least
    )


def _words(catalogue: Catalogue, rules: RuleSet) -> Told:
    text, contested = catalogue.text, rules.contested
    yield _phony(catalogue, rules.phony), "phony"
    replaced = text(
        "A deliberately wrong word that is contested is replaced by another, and costs {points} points.",
        points=contested.points,
    )
    yield replaced if contested.known else text("A play is never replaced by another on protest."), "contested"
    a_pass = text("A play challenged off is taken back and its turn lost; it counts as a pass.")
    no_pass = text("A play challenged off is taken back and its turn lost; it is no pass.")
    yield a_pass if rules.challenge.withdrawn_is_pass else no_pass, "challenge.withdrawn_is_pass"
    star = text("A first play that leaves the centre empty stands unless it is challenged.")
    covered = text("The first play covers the centre.")
    yield star if rules.challenge.beside_star else covered, "challenge.beside_star"
    yield _challenge(catalogue, rules.challenge), "challenge.mode challenge.points challenge.per challenge.to"
    yield from _lists(catalogue, rules.words)


def _lists(catalogue: Catalogue, rule: ruleset.WordRule) -> Told:
    """Yield what word lists decide, and which may lie on the table."""
    text, every = catalogue.text, catalogue.text("The word list decides on all words.")
    short = text("The word list decides on words of up to {n} letters, the judge on longer ones.", n=rule.binding)
    yield every if rule.binding is None else short, "words.binding"
    allowed = text("Words with a hyphen or an apostrophe are allowed, without the mark.")
    forbidden = text("Words with a hyphen or an apostrophe are not allowed.")
    yield allowed if rule.marked is ruleset.Marked.ALLOWED else forbidden, "words.marked"
    printed = text("Printed lists of the two- and three-letter words may be used.")
    yield printed if rule.short_lists else text("No lists of words at the table."), "words.short_lists"


def _phony(catalogue: Catalogue, rule: ruleset.PhonyRule) -> str:
    text, points = catalogue.text, rule.points
    if not rule.ruled:
        return text("A wrong word that nobody challenged stands.")
    if not points:
        return text("A wrong word that the jury finds costs the turn.")
    if rule.per is ruleset.Per.WORD:
        return text("A wrong word that the jury finds costs the turn, and each wrong word of it {points} points.",
                    points=points)  # fmt: skip
    return text("A wrong word that the jury finds costs the turn and {points} points, however many are wrong.",
                points=points)  # fmt: skip


def _challenge(catalogue: Catalogue, rule: ruleset.ChallengeRule) -> str:
    text, points = catalogue.text, rule.price()
    others = {
        ruleset.ChallengeMode.VOID: text("Nobody challenges: no wrong word can be laid."),
        ruleset.ChallengeMode.DOUBLE: text("A wrong challenge costs the challenger a turn."),
        ruleset.ChallengeMode.TRIPLE: text("Who is wrong in a challenge loses the game."),
    }
    if not points:
        return others.get(rule.mode) or text("A wrong challenge costs nothing.")
    per = catalogue.code(rule.per)
    if rule.to is ruleset.PaidTo.OPPONENT:
        return text("A wrong challenge brings the opponent {points} points, {per}.", points=points, per=per)
    return text("A wrong challenge costs {points} points, {per}.", points=points, per=per)


def _clock(catalogue: Catalogue, rules: RuleSet) -> Told:
    text, clock, late = catalogue.text, rules.clock, rules.late
    minutes = text("{n} minutes for each player.", n=clock.minutes)
    yield text("No clock.") if clock.minutes is None else minutes, "clock.minutes"
    if clock.recommended:
        low, high = clock.recommended
        yield text("Recommended are {low} to {high} minutes for a player; other times are only warned of.",
                   low=low, high=high), "clock.recommended"  # fmt: skip
    else:
        yield text("No time for a player is recommended."), "clock.recommended"
    if clock.recommended_game:
        low, high = clock.recommended_game
        game = text("Recommended are {low} to {high} minutes for a game.", low=low, high=high)
    else:
        game = text("No time for a game is recommended.")
    yield game, "clock.recommended_game"
    yield _overtime(catalogue, rules.overtime), "overtime"
    runs = text("A late player’s clock runs; with less than {n} minutes left the player may give the game up.",
                n=late.give_up)  # fmt: skip
    yield runs if late.known else text("Nothing is said of late players."), "late"


def _overtime(catalogue: Catalogue, rule: ruleset.OvertimeRule) -> str:
    text = catalogue.text
    if rule.kind is ruleset.OvertimeKind.NONE:
        return text("Overtime costs nothing.")
    if rule.kind is ruleset.OvertimeKind.FLAG:
        return text("A player whose time has run out has lost, whatever the points.")
    if rule.limit is None:
        return text("Overtime: {points} points per started minute, without end.", points=rule.points)
    minutes, seconds = divmod(rule.limit, MINUTE)
    return text(
        "Overtime: {points} points per started minute, up to {limit} minutes. Beyond it the game is lost by at "
        "least {margin}, and {penalty} points replace those per minute.",
        points=rule.points,
        limit=f"{minutes}:{seconds:02}" if seconds else minutes,
        margin=rule.margin,
        penalty=rule.penalty,
    )


def _end(catalogue: Catalogue, rules: RuleSet) -> Told:
    text, code, ending, difference = catalogue.text, catalogue.code, rules.ending, rules.recount.difference
    how = ", ".join(code(one) for one in ending.ends if one not in UNCHOSEN)
    yield text("A game ends by: {how}.", how=how), "ending.ends"
    yield _row(catalogue, ending.row), "ending.row"
    no_other = text("No other row of turns does.")
    has_other = ending.other_row.kind is not ruleset.RowKind.NONE
    yield _row(catalogue, ending.other_row) if has_other else no_other, "ending.other_row"
    also = text("Nobody being able to move ends it also while there are tiles in the bag.")
    only = text("Nobody being able to move ends it only when the bag is empty.")
    yield also if ending.blocked_with_tiles else only, "ending.blocked_with_tiles"
    yield text("Tiles left when a player is out: {what}.", what=code(rules.racks.out)), "racks"
    asked = text("At a difference of {n} points or less each player may ask for a recount.", n=difference)
    yield text("Nobody has a right to a recount.") if difference is None else asked, "recount"


def _row(catalogue: Catalogue, row: ruleset.RowRule) -> str:
    text, kind = catalogue.text, catalogue.code(row.kind)
    if row.kind is ruleset.RowKind.NONE:
        return text("No row of turns ends a game.")
    if row.each:
        return text("The row that ends a game: {n} of each player, {kind}.", n=row.length, kind=kind)
    return text("The row that ends a game: {n} of all together, {kind}.", n=row.length, kind=kind)


def _ranking(catalogue: Catalogue, rules: RuleSet) -> Told:
    text, points = catalogue.text, rules.match_points
    yield text("Ranking: {order}.", order=ranking(catalogue, rules.order_for("other"))), "order.other"
    for system in rules.order:
        if system != "other":
            order = ranking(catalogue, rules.order_for(system))
            yield text("Under {system}: {order}.", system=catalogue.code(system), order=order), f"order.{system}"
    yield text("A win brings {win}, a draw {draw}, a loss {loss}.", win=points.win, draw=points.draw,
               loss=points.loss), "match_points"  # fmt: skip
    replier = text("A tie in a knockout is a win for the player who did not start; ratings count a draw.")
    extra = text("A tie in a knockout is settled by an extra game.")
    yield replier if rules.knockout.tie is ruleset.KnockoutTie.REPLIER else extra, "knockout"
    if rules.gibson.lead is not None:
        yield text("At equal wins a lead in spread of {points} for each round left is safe.",
                   points=rules.gibson.lead), "gibson"  # fmt: skip
    if rules.spread.cap is not None:
        yield text("One game brings at most {points} in spread.", points=rules.spread.cap), "spread"


def _byes(catalogue: Catalogue, rules: RuleSet) -> Told:
    text, byes, margin = catalogue.text, rules.byes, rules.forfeit.margin
    yield text("A bye counts as {worth}.", worth=_worth(catalogue, byes.bye)), "byes.bye"
    yield text("A requested bye counts as {worth}.", worth=_worth(catalogue, byes.requested)), "byes.requested"
    yield text("Absence counts as {worth}.", worth=_worth(catalogue, byes.absent)), "byes.absent"
    forfeited = _worth(catalogue, byes.forfeit)
    yield text("A round forfeited beforehand counts as {worth}.", worth=forfeited), "byes.forfeit"
    rated = text(
        "A game given up or not played is a win by {margin} for the opponent; it is rated.", margin=margin
    )
    unrated = text(
        "A game given up or not played is a win by {margin} for the opponent; it is not rated.", margin=margin
    )
    yield rated if rules.forfeit.rated else unrated, "forfeit"
    if rules.forfeit.late is not None:
        yield text("Who comes too late loses by {margin}.", margin=rules.forfeit.late), "forfeit.late"
    if rules.forfeit.walk_over is not None:
        yield text("Who does not come loses by {margin}.", margin=rules.forfeit.walk_over), "forfeit.walk_over"
    if rules.forfeit.booked:
        booked = text("Who gives up is booked as having started, the next time as having replied, and so on.")
        yield booked, "forfeit.booked"
    if rules.forfeit.award != ruleset.PointAward():
        points = _award(catalogue, rules.forfeit.award)
        yield text("In the total of points it brings the opponent {points}.", points=points), "forfeit.award"


def _worth(catalogue: Catalogue, worth: ruleset.ByeWorth) -> str:
    word = catalogue.code(worth.counts_as)
    parts = [word, catalogue.signed(worth.spread)] if worth.spread else [word]
    if worth.award != ruleset.PointAward():
        parts.append(catalogue.text("in the total of points {points}", points=_award(catalogue, worth.award)))
    return ", ".join(parts)


def _award(catalogue: Catalogue, award: ruleset.PointAward) -> str:
    return str(award.points) if award.by is ruleset.AwardBy.FIXED else catalogue.code(award.by)


def _jury(catalogue: Catalogue, rules: RuleSet) -> Told:
    text, code, plural = catalogue.text, catalogue.code, catalogue.plural
    judges, sanctions, scores = rules.judges, rules.sanctions, rules.scores
    yield (
        plural("One judge rules on a challenge.", "{n} judges rule on a challenge.", judges.first),
        "judges.first",
    )
    more = plural("On appeal one more.", "On appeal {n} more.", judges.appeal)
    yield more if judges.appeal else text("There is no appeal."), "judges.appeal"
    yield text("Players are told {what}.", what=code(judges.reveals)), "judges.reveals"
    yield (
        (
            text("A round is paired only when the jury has checked all results.")
            if judges.check_first
            else text("A round is paired whether or not the jury has checked the results.")
        ),
        "judges.check_first",
    )
    yield text("Running totals are noted {when}.", when=code(rules.form.totals)), "form.totals"
    if rules.form.peg_row:
        yield text("On the racks a peg of the upper row counts {n} points.", n=rules.form.peg_row), "form.peg_row"
    named = ", ".join(code(one) for one in sanctions.named)
    yield text("Sanctions: {kinds}.", kinds=named or text("none")), "sanctions.named"
    game = text("Points of a sanction are deducted in the game.")
    total = text("Points of a sanction are deducted from the tournament’s total.")
    yield game if sanctions.points_from is ruleset.PointsFrom.GAME else total, "sanctions.points_from"
    asked = text("A total under {low} or over {high} is asked about.", low=scores.lowest, high=scores.highest)
    yield asked, "scores"
    wide = text("A margin over {n} that phones enter waits for the desk.", n=scores.margin)
    yield wide, "scores.margin"
    low, high = scores.usual
    yield text("A total outside {low} to {high} takes a second Enter.", low=low, high=high), "scores.usual"


class RuleGroup(NamedTuple):
    """A heading, the first parts of the paths under it in their order, and what tells its sentences."""

    heading: str
    firsts: tuple[str, ...]
    tell: Callable[[Catalogue, RuleSet], Told]


# In the order in which they are shown.
GROUPS: Mapping[str, RuleGroup] = {
    "game": RuleGroup(
        N_("The game"),
        ("id", "name", "language", "tileset", "most_players", "draw", "board_turned", "passing", "exchange",
         "bonus", "past_prefix"),
        _game,
    ),
    "words": RuleGroup(N_("Words and challenges"), ("phony", "contested", "challenge", "words"), _words),
    "clock": RuleGroup(N_("Clock"), ("clock", "overtime", "late"), _clock),
    "end": RuleGroup(N_("End of the game"), ("ending", "racks", "recount"), _end),
    "ranking": RuleGroup(N_("Ranking"), ("order", "match_points", "knockout", "gibson", "spread"), _ranking),
    "byes": RuleGroup(N_("Byes and forfeits"), ("byes", "forfeit"), _byes),
    "jury": RuleGroup(N_("Jury"), ("judges", "form", "sanctions", "scores"), _jury),
}  # fmt: skip
