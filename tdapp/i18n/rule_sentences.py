"""A rule set as sentences with their sources in the rule book."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import ruleset
from tdapp.domain.round_clock import MINUTE
from tdapp.domain.rule_fields import RuleField, RuleFieldKind
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.season_rule import QualifyingPlacesByFieldSize
from tdapp.domain.systems import SWISS
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.domain.translatable import C_, N_
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.sheet import GameEnding
from tdapp.scrabble.tiles import StartingDrawBlankRule

USUAL_COUNT = 2  # usual number of players at a table, and of letters in the first word
# Rule sets cannot change these.
FIXED_ENDINGS = frozenset({GameEnding.FORFEIT, GameEnding.OPEN})


class RuleSentence(Struct, frozen=True):
    """A sentence about one or more rule parameters."""

    text: str
    paths: tuple[str, ...]  # dotted paths of the rule parameters, each with all parameters below it
    source: str = ""  # rule in the rule book, "" if unknown

    def is_about_rule_parameter(self, path: str) -> bool:
        return any(path == parent_path or path.startswith(f"{parent_path}.") for parent_path in self.paths)


SentencesWithPaths = Iterator[tuple[str, str]]  # sentence, and paths separated by spaces
_LISTS = frozenset({RuleFieldKind.TEXTS, RuleFieldKind.FIELD_PLACES})
Names = Mapping[str, Mapping[str, str]]  # names by path and value
_NO_NAMES: Names = {}
Sources = Mapping[str, str]  # by path: sections of the rule book or SOURCES, separated by semicolons
_NO_SOURCES: Sources = {}
# Sources other than a section of the book: text without, and text with a section.
SOURCES: Mapping[str, tuple[str, str]] = {
    "book": (C_("source of a rule", "rule book"), ""),
    "reading": (C_("source of a rule", "interpretation"), N_("interpretation of {section}")),
    "federation": (C_("source of a rule", "the federation"), N_("the federation’s answer on {section}")),
    "ordinary": (C_("source of a rule", "ordinary Scrabble rules"), ""),
    "default": (C_("source of a rule", "tdapp default"), ""),
    "summary": (C_("source of a rule", "a summary of the rule book"), ""),
    "programs": (C_("source of a rule", "other programs"), ""),
}


def map_rule_group_headings(catalogue: Catalogue) -> Mapping[str, str]:
    return {group: catalogue.text(rule_group.heading) for group, rule_group in GROUPS.items()}


def explain_rules(
    catalogue: Catalogue, rules: RuleSet, names: Names = _NO_NAMES, sources: Sources = _NO_SOURCES
) -> Mapping[str, tuple[RuleSentence, ...]]:
    """Return the sentences about a rule set by group of rules (key of GROUPS).

    `names` contains names of parameter values. `sources` maps a parameter path to the sections of the rule book
    that give the value.
    """
    named_rules = replace(
        rules,
        tileset=names.get("tileset", {}).get(rules.tileset, rules.tileset),
        language=names.get("language", {}).get(rules.language, rules.language),
    )
    return {
        group: _make_sentences_with_sources(
            catalogue, named_rules, rule_group.explain(catalogue, named_rules), sources
        )
        for group, rule_group in GROUPS.items()
    }


def format_sentence_with_source(catalogue: Catalogue, sentence: RuleSentence) -> str:
    if not sentence.source:
        return sentence.text
    return catalogue.text("{rule} ({source})", rule=sentence.text, source=sentence.source)


def _make_sentences_with_sources(
    catalogue: Catalogue, rules: RuleSet, texts: SentencesWithPaths, sources: Sources
) -> tuple[RuleSentence, ...]:
    sentences = [RuleSentence(text, tuple(paths.split())) for text, paths in texts]
    return tuple(
        replace(
            sentence,
            source=_describe_sources(
                catalogue, rules, sentence, _list_sources_of_rules_in_sentence(sentence, sentences, sources)
            ),
        )
        for sentence in sentences
    )


def _list_sources_of_rules_in_sentence(
    sentence: RuleSentence, group: Sequence[RuleSentence], sources: Sources
) -> Iterator[str]:
    other_paths = {
        path for other_sentence in group if other_sentence is not sentence for path in other_sentence.paths
    }
    for path in sentence.paths:
        sources_below = [
            value
            for key, value in sources.items()
            if (key == path or key.startswith(f"{path}."))
            and not any(
                len(other_path) > len(path) and f"{key}.".startswith(f"{other_path}.")
                for other_path in other_paths
            )
        ]
        parent_path = max((key for key in sources if path.startswith(f"{key}.")), key=len, default="")
        yield from sources_below or ([sources[parent_path]] if parent_path else [])


def _describe_sources(catalogue: Catalogue, rules: RuleSet, sentence: RuleSentence, values: Iterator[str]) -> str:
    parts = dict.fromkeys(part.strip() for value in values for part in value.split(";"))
    texts = [_describe_source(catalogue, part) for part in parts]
    if any(map(sentence.is_about_rule_parameter, rules.unseen)):
        texts.append(catalogue.text("not checked against the printed rule book"))
    return "; ".join(texts)


def _describe_source(catalogue: Catalogue, source: str) -> str:
    kind, _, section = source.partition(" ")
    if kind not in SOURCES:
        return catalogue.text("rule book, {section}", section=source)
    text_without_section, text_with_section = SOURCES[kind]
    return catalogue.text(text_with_section, section=section) if section else catalogue.text(text_without_section)


def find_rule_group(path: str) -> str:
    """Return the group (key of GROUPS) of a rule parameter, "" for a parameter that cannot be changed."""
    first_part = path.partition(".")[0]
    return next((group for group, rule_group in GROUPS.items() if first_part in rule_group.first_path_parts), "")


def describe_ranking_order(catalogue: Catalogue, order: tuple[str, ...]) -> str:
    return " → ".join(
        catalogue.explain_column(TIEBREAKS[tiebreak].text_id).partition(":")[0] for tiebreak in order
    )


def summarise_rules(catalogue: Catalogue, rules: RuleSet) -> str:
    """Return a summary: ranking order of a Swiss stage, and cost of wrong words or challenges."""
    checked = catalogue.text("the jury checks all words")
    words = checked if rules.phony.ruled else _summarise_challenge_cost(catalogue, rules.challenge)
    return f"{describe_ranking_order(catalogue, rules.get_tiebreak_order_for_system(SWISS.id))}; {words}."


def _summarise_challenge_cost(catalogue: Catalogue, rule: ruleset.ChallengeRule) -> str:
    text, points = catalogue.text, rule.points
    return {
        ruleset.ChallengeMode.VOID: text(C_("what a wrong challenge costs", "no challenges")),
        ruleset.ChallengeMode.POINTS: text("a wrong challenge costs {points} points", points=points)
        if points
        else text("a wrong challenge costs nothing"),
        ruleset.ChallengeMode.DOUBLE: text("a wrong challenge costs a turn"),
        ruleset.ChallengeMode.TRIPLE: text("a wrong challenge costs the game"),
    }[rule.mode]


def describe_rule_value(catalogue: Catalogue, field: RuleField, value: object, names: Names = _NO_NAMES) -> str:
    text = catalogue.text
    value = names.get(field.path, {}).get(str(value), value)
    match value:
        case None | ():
            value_text = text("none")
        case bool():
            value_text = (
                text(C_("answer to a question about a rule", "yes"))
                if value
                else text(C_("answer to a question about a rule", "no"))
            )
        case (int(low), int(high)):
            value_text = text("{low} to {high}", low=low, high=high)
        case tuple() if field.kind is RuleFieldKind.FRACTIONS:
            value_text = " – ".join(catalogue.format_points(number) for number in value)
        case tuple() if field.kind is RuleFieldKind.ORDER and not field.members:
            value_text = describe_ranking_order(catalogue, value)
        case tuple() if field.kind in _LISTS:
            value_text = format_list_value_of_rule(value)
        case tuple():
            value_text = ", ".join(
                catalogue.translate_code(member) for member in value if member not in FIXED_ENDINGS
            )
        case Enum():
            value_text = catalogue.translate_code(value)
        case int() | Fraction():
            value_text = catalogue.format_points(value)
        case _:
            value_text = str(value)
    return value_text


def format_list_value_of_rule(value: Sequence[str | QualifyingPlacesByFieldSize]) -> str:
    """Return a list as text: "A, B" for names, "16: 2, 48: 3" for qualifying places."""
    return ", ".join(item if isinstance(item, str) else f"{item.field}: {item.places}" for item in value)


def _explain_game_basics(catalogue: Catalogue, rules: RuleSet) -> SentencesWithPaths:
    text, code = catalogue.text, catalogue.translate_code
    yield text("{name}. Tiles: {tiles}; language: {language}.", name=rules.name, tiles=rules.tileset,
               language=rules.language), "name tileset language"  # fmt: skip
    two_players_text = text("Two players at a table.")
    more_players_text = text("Up to {n} players at a table. Tournament games have two.", n=rules.most_players)
    yield two_players_text if rules.most_players == USUAL_COUNT else more_players_text, "most_players"
    yield from _explain_starting_draw(catalogue, rules)
    always_turned_text = text("The board is turned to face the player whose turn it is.")
    turned_if_agreed_text = text("The board is turned only if the players agree to it.")
    yield always_turned_text if rules.board_turned else turned_if_agreed_text, "board_turned"
    min_letters, two_letters_text = rules.first_word, text("The first word has at least two letters.")
    more_letters_text = text(
        "The first word has at least {n} letters. A player without such a word passes.", n=min_letters
    )
    yield more_letters_text if min_letters > USUAL_COUNT else two_letters_text, "first_word"
    yield text("Passing: {when}.", when=code(rules.passing)), "passing"
    yield _explain_exchanges(catalogue, rules.exchange.minimum), "exchange"
    yield (
        text("Playing all seven tiles in one turn earns a bonus of {points} points.", points=rules.bonus),
        "bonus",
    )
    without_prefix_text = text("Names are sorted without the prefix: de Beer is listed under B.")
    with_prefix_text = text("Names are sorted with the prefix: de Beer is listed under D.")
    yield without_prefix_text if rules.past_prefix else with_prefix_text, "past_prefix"


def _explain_starting_draw(catalogue: Catalogue, rules: RuleSet) -> SentencesWithPaths:
    text, draw = catalogue.text, rules.draw
    blank_first_text = text(
        "Each player draws a tile. The player with the letter nearest to A starts; a blank goes before A."
    )
    blank_ignored_text = text(
        "Each player draws a tile. The player with the letter nearest to A starts; after a blank, all draw again."
    )
    yield blank_first_text if draw.blank is StartingDrawBlankRule.FIRST else blank_ignored_text, "draw.blank"
    all_draw_text = text("If several players share the best letter, all draw again.")
    tied_draw_text = text("If several players share the best letter, only they draw again.")
    yield all_draw_text if draw.again is ruleset.PlayersWhoDrawAgain.ALL else tied_draw_text, "draw.again"
    tiles_returned_text = text("The drawn tiles go back into the bag before the next draw.")
    tiles_kept_text = text("No drawn tile goes back into the bag until it is decided who starts.")
    yield tiles_returned_text if draw.returned else tiles_kept_text, "draw.returned"


def _explain_exchanges(catalogue: Catalogue, least_tiles: int) -> str:
    if not least_tiles:
        return catalogue.text("A player cannot exchange more tiles than there are in the bag.")
    return catalogue.plural(
        "A player can exchange only while the bag has a tile.",
        "A player can exchange only while the bag has at least {n} tiles.",
        least_tiles,
    )


def _explain_words_and_challenges(catalogue: Catalogue, rules: RuleSet) -> SentencesWithPaths:
    text, contested = catalogue.text, rules.contested
    yield _explain_phonies(catalogue, rules.phony), "phony"
    replacement_text = text(
        "If a player plays an invalid word on purpose and the opponent protests, the player must replace it and "
        "loses {points} points.",
        points=contested.points,
    )
    yield (
        replacement_text
        if contested.known
        else text("An invalid word played on purpose need not be replaced, even if the opponent protests."),
        "contested",
    )
    if contested.known and rules.challenge == ruleset.ChallengeRule(beside_star=rules.challenge.beside_star):
        protest_only_text = text("No other challenge is possible. A rejected protest costs nothing.")
        yield (
            protest_only_text,
            "challenge.mode challenge.points challenge.per challenge.to challenge.withdrawn_is_pass",
        )
    else:
        pass_text = text(
            "A successfully challenged play is taken back and the turn is lost. This counts as a pass."
        )
        no_pass_text = text(
            "A successfully challenged play is taken back and the turn is lost. This does not count as a pass."
        )
        yield pass_text if rules.challenge.withdrawn_is_pass else no_pass_text, "challenge.withdrawn_is_pass"
        yield (
            _explain_challenge_cost(catalogue, rules.challenge),
            "challenge.mode challenge.points challenge.per challenge.to",
        )
    beside_star_text = text("A first play that does not cover the centre counts unless it is challenged.")
    centre_text = text("The first play covers the centre.")
    yield beside_star_text if rules.challenge.beside_star else centre_text, "challenge.beside_star"
    yield from _explain_word_list_scope(catalogue, rules.words)


def _explain_word_list_scope(catalogue: Catalogue, rule: ruleset.WordListScopeRule) -> SentencesWithPaths:
    text, all_words_text = catalogue.text, catalogue.text("The word list decides on all words.")
    short_words_text = text(
        "The word list decides on words of up to {n} letters, the judge on longer ones.", n=rule.binding
    )
    yield all_words_text if rule.binding is None else short_words_text, "words.binding"
    allowed_text = text("Words with a hyphen or an apostrophe are allowed. They are played without the mark.")
    forbidden_text = text("Words with a hyphen or an apostrophe are not allowed.")
    yield (
        allowed_text if rule.marked is ruleset.HyphenAndApostropheRule.ALLOWED else forbidden_text,
        "words.marked",
    )
    lists_text = text("Printed lists of the two- and three-letter words may be used.")
    yield (
        lists_text if rule.short_lists else text("Players may not have lists of words at the table."),
        "words.short_lists",
    )


def _explain_phonies(catalogue: Catalogue, rule: ruleset.PhonyRule) -> str:
    text, points = catalogue.text, rule.points
    if not rule.ruled:
        return text("An invalid word that is not challenged stays on the board and counts.")
    if not points:
        return text("If the jury finds a play invalid, the player loses the score of that turn.")
    if rule.per is ruleset.PenaltyUnit.WORD:
        return text(
            "If the jury finds a play invalid, the player loses the score of that turn and {points} points "
            "for each invalid word.",
            points=points,
        )
    return text(
        "If the jury finds a play invalid, the player loses the score of that turn and {points} "
        "points, even if several words are invalid.",
        points=points,
    )


def _explain_challenge_cost(catalogue: Catalogue, rule: ruleset.ChallengeRule) -> str:
    text, points = catalogue.text, rule.compute_cost()
    texts_by_mode = {
        ruleset.ChallengeMode.VOID: text("There are no challenges: a play with an invalid word is not accepted."),
        ruleset.ChallengeMode.DOUBLE: text("A wrong challenge costs the challenger a turn."),
        ruleset.ChallengeMode.TRIPLE: text("After a challenge, the player who was wrong loses the game."),
    }
    if not points:
        return texts_by_mode.get(rule.mode) or text("A wrong challenge costs nothing.")
    by_word = rule.per is ruleset.PenaltyUnit.WORD
    if rule.to is ruleset.ChallengePointsReceiver.OPPONENT:
        per_word_text = text("A wrong challenge gives the opponent {points} points for each word.", points=points)
        per_challenge_text = text(
            "A wrong challenge gives the opponent {points} points, however many words are challenged.",
            points=points,
        )
    else:
        per_word_text = text("A wrong challenge costs {points} points for each word.", points=points)
        per_challenge_text = text(
            "A wrong challenge costs {points} points, however many words are challenged.", points=points
        )
    return per_word_text if by_word else per_challenge_text


def _explain_clock_rules(catalogue: Catalogue, rules: RuleSet) -> SentencesWithPaths:
    text, clock, late_rule = catalogue.text, rules.clock, rules.late
    minutes_text = text("{n} minutes for each player.", n=clock.minutes)
    yield text("No clock.") if clock.minutes is None else minutes_text, "clock.minutes"
    if clock.recommended:
        low, high = clock.recommended
        yield text("Recommended: {low} to {high} minutes per player. The program warns about other times.",
                   low=low, high=high), "clock.recommended"  # fmt: skip
    else:
        yield text("There is no recommended time per player."), "clock.recommended"
    if clock.recommended_game:
        low, high = clock.recommended_game
        game_text = text("Recommended: {low} to {high} minutes per game.", low=low, high=high)
    else:
        game_text = text("There is no recommended time per game.")
    yield game_text, "clock.recommended_game"
    yield _explain_overtime(catalogue, rules.overtime), "overtime"
    late_text = text(
        "A late player’s clock runs. Once it shows less than {n} minutes, the player may resign the game.",
        n=late_rule.give_up,
    )
    yield late_text if late_rule.known else text("The rules do not cover late players."), "late"


def _explain_overtime(catalogue: Catalogue, rule: ruleset.OvertimeRule) -> str:
    text = catalogue.text
    if rule.kind is ruleset.OvertimeKind.NONE:
        return text("Overtime costs nothing.")
    if rule.kind is ruleset.OvertimeKind.FLAG:
        return text("A player whose time runs out loses, whatever the score.")
    if rule.limit is None:
        return text("Overtime: {points} points per minute or part of a minute, without limit.", points=rule.points)
    minutes, seconds = divmod(rule.limit, MINUTE)
    return text(
        "Overtime: {points} points per minute or part of a minute, up to {limit} minutes. A player "
        "with more overtime gets a total penalty of {penalty} points, and loses the game by at "
        "least {margin}.",
        points=rule.points,
        limit=f"{minutes}:{seconds:02}" if seconds else minutes,
        margin=rule.margin,
        penalty=rule.penalty,
    )


def _explain_game_end(catalogue: Catalogue, rules: RuleSet) -> SentencesWithPaths:
    text, code, ending, difference = (
        catalogue.text,
        catalogue.translate_code,
        rules.ending,
        rules.recount.difference,
    )
    endings = ", ".join(format_game_end(catalogue, rules, end) for end in ending.ends if end not in FIXED_ENDINGS)
    yield text("A game ends in one of these ways: {how}.", how=endings), "ending.ends"
    if ending.other_row.kind is ruleset.TurnsThatCanEndGame.NONE:
        yield _describe_scoreless_turns(catalogue, ending.row), "ending.row ending.other_row"
    else:
        yield _describe_scoreless_turns(catalogue, ending.row), "ending.row"
        yield _describe_scoreless_turns(catalogue, ending.other_row), "ending.other_row"
    if GameEnding.BLOCKED in ending.ends:
        blocked_text = text("If no player can make a play, the game ends, even with tiles in the bag.")
        blocked_and_empty_text = text("If no player can move and the bag is empty, the game ends.")
        yield blocked_text if ending.blocked_with_tiles else blocked_and_empty_text, "ending.blocked_with_tiles"
    yield (
        text(
            "Points for the tiles left when a player goes out: {what}.",
            what=code(rules.racks.out),
        ),
        "racks.out",
    )
    yield (
        text("If the game ends in any other way, each player loses the value of the tiles left on the rack."),
        "racks",
    )
    recount_text = text(
        "If the scores differ by {n} points or less, each player may ask for a recount.", n=difference
    )
    yield text("The rules give no right to a recount.") if difference is None else recount_text, "recount"


def format_game_end(catalogue: Catalogue, rules: RuleSet, end: GameEnding) -> str:
    """Return the name of a game ending. The name of `GameEnding.PASSES` depends on `rules`."""
    # exchanges and lost turns count like passes
    if end is GameEnding.PASSES and rules.ending.row.kind is ruleset.TurnsThatCanEndGame.SCORELESS:
        return catalogue.text("a series of turns that add no tiles to the board")
    return catalogue.translate_code(end)


def _describe_scoreless_turns(catalogue: Catalogue, row: ruleset.ScorelessTurnsRule) -> str:
    text, kind = catalogue.text, catalogue.translate_code(row.kind)
    if row.kind is ruleset.TurnsThatCanEndGame.NONE:
        return text("A series of passes or scoreless turns does not end a game.")
    if row.each:
        return text(
            "A game ends after each player has had {n} turns in a row of this kind: {kind}.",
            n=row.length,
            kind=kind,
        )
    return text(
        "A game ends after all players together have had {n} turns in a row of this kind: {kind}.",
        n=row.length,
        kind=kind,
    )


def _explain_ranking(catalogue: Catalogue, rules: RuleSet) -> SentencesWithPaths:
    text, points = catalogue.text, rules.match_points
    yield (
        text(
            "Ranking: {order}.",
            order=describe_ranking_order(catalogue, rules.get_tiebreak_order_for_system("other")),
        ),
        "order.other",
    )
    for system in rules.order:
        if system != "other":
            order = describe_ranking_order(catalogue, rules.get_tiebreak_order_for_system(system))
            yield (
                text("Ranking under {system}: {order}.", system=catalogue.translate_code(system), order=order),
                f"order.{system}",
            )
    if any(name.startswith("resistance") for names in rules.order.values() for name in names):
        yield _explain_resistance_points(catalogue), "order"
    yield text("A win is worth {win}, a draw {draw}, a loss {loss}.", win=points.win, draw=points.draw,
               loss=points.loss), "match_points"  # fmt: skip
    if rules.least_games:
        yield text("Where the average or percentage decides, a player with fewer than {n} games ranks below the "
                   "others.", n=rules.least_games), "least_games"  # fmt: skip
    team = rules.team_match
    yield text("A team match is worth {win} for a win, {draw} for a draw, {loss} for a loss.",
               win=team.win, draw=team.draw, loss=team.loss), "team_match"  # fmt: skip
    replier_text = text(
        "A tie in a knockout is a win for the player who did not start; for ratings it counts as a draw."
    )
    extra_game_text = text("A tie in a knockout is settled by an extra game.")
    yield (
        replier_text if rules.knockout.tie is ruleset.KnockoutTieResolution.REPLIER else extra_game_text,
        "knockout",
    )
    if rules.gibson.lead is not None:
        yield text("If wins are equal, a spread lead of {points} points for each remaining round is safe.",
                   points=rules.gibson.lead), "gibson"  # fmt: skip
    if rules.spread.cap is not None:
        yield (
            text("In one game at most {points} points count towards the spread.", points=rules.spread.cap),
            "spread",
        )


def _explain_resistance_points(catalogue: Catalogue) -> str:
    return catalogue.text(
        "Resistance points are the match points of all opponents. The opponent in a forfeited game counts "
        "too; a bye adds nothing. A division can count rounds without a game differently."
    )


def _explain_byes_and_forfeits(catalogue: Catalogue, rules: RuleSet) -> SentencesWithPaths:
    text, byes, margin = catalogue.text, rules.byes, rules.forfeit.margin
    yield text("A bye counts as: {outcome}.", outcome=_describe_bye_value(catalogue, byes.bye)), "byes.bye"
    yield (
        text("A requested bye counts as: {outcome}.", outcome=_describe_bye_value(catalogue, byes.requested)),
        "byes.requested",
    )
    yield (
        text(
            "A round missed by an absent player counts as: {outcome}.",
            outcome=_describe_bye_value(catalogue, byes.absent),
        ),
        "byes.absent",
    )
    forfeited = _describe_bye_value(catalogue, byes.forfeit)
    yield text("A round forfeited in advance counts as: {outcome}.", outcome=forfeited), "byes.forfeit"
    rated_text = text("A forfeited game is a win by {margin} for the opponent; it is rated.", margin=margin)
    unrated_text = text("A forfeited game is a win by {margin} for the opponent; it is not rated.", margin=margin)
    yield rated_text if rules.forfeit.rated else unrated_text, "forfeit"
    if rules.forfeit.late is not None:
        yield text("A player who arrives too late loses by {margin}.", margin=rules.forfeit.late), "forfeit.late"
    if rules.forfeit.walk_over is not None:
        walk_over_text = text("A player who does not turn up loses by {margin}.", margin=rules.forfeit.walk_over)
        yield walk_over_text, "forfeit.walk_over"
    if rules.forfeit.booked:
        booking_text = text(
            "A player’s forfeits count alternately as starts and replies: the first as a start, the next as a "
            "reply, and so on."
        )
        yield booking_text, "forfeit.booked"
    if rules.forfeit.award != ruleset.UnplayedRoundPointsRule():
        points = _describe_point_award(catalogue, rules.forfeit.award)
        yield text("The forfeit adds {points} to the opponent’s points total.", points=points), "forfeit.award"


def _describe_bye_value(catalogue: Catalogue, bye_value: ruleset.ByeValue) -> str:
    value_text = catalogue.translate_code(bye_value.counts_as)
    parts = [value_text, catalogue.format_signed_value(bye_value.spread)] if bye_value.spread else [value_text]
    if bye_value.award != ruleset.UnplayedRoundPointsRule():
        parts.append(
            catalogue.text(
                C_("result of a round without a game", "points added to the total: {points}"),
                points=_describe_point_award(catalogue, bye_value.award),
            )
        )
    return ", ".join(parts)


def _describe_point_award(catalogue: Catalogue, award: ruleset.UnplayedRoundPointsRule) -> str:
    return (
        str(award.points)
        if award.by is ruleset.UnplayedRoundPointsSource.FIXED
        else catalogue.translate_code(award.by)
    )


def _explain_jury(catalogue: Catalogue, rules: RuleSet) -> SentencesWithPaths:
    text, code, plural = catalogue.text, catalogue.translate_code, catalogue.plural
    judges, sanctions, scores = rules.judges, rules.sanctions, rules.scores
    yield (
        plural("One judge rules on a challenge.", "{n} judges rule on a challenge.", judges.first),
        "judges.first",
    )
    appeal_text = plural("On appeal one more judge rules.", "On appeal {n} more judges rule.", judges.appeal)
    yield appeal_text if judges.appeal else text("The rules do not allow appeals."), "judges.appeal"
    yield text("After a challenge, the players get {what}.", what=code(judges.reveals)), "judges.reveals"
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
        yield (
            text(
                "On racks with peg holes for the score, a peg in the upper row counts {n} points.",
                n=rules.form.peg_row,
            ),
            "form.peg_row",
        )
    sanction_names = ", ".join(code(kind) for kind in sanctions.named)
    yield text("Sanctions: {kinds}.", kinds=sanction_names or text("none")), "sanctions.named"
    from_game_text = text("Sanction points are deducted from the score of the game.")
    from_total_text = text("Sanction points are deducted from the player’s tournament total.")
    yield (
        from_game_text if sanctions.points_from is ruleset.SanctionPointsSource.GAME else from_total_text,
        "sanctions.points_from",
    )
    games_kept_text = text(
        "A disqualified player gets no rank and no prize. Games already played count for the opponents."
    )
    games_lost_text = text("A disqualified player gets no rank and no prize. All opponents win by forfeit.")
    are_games_kept = sanctions.disqualified_games is ruleset.DisqualifiedGamesRule.KEPT
    yield games_kept_text if are_games_kept else games_lost_text, "sanctions.disqualified_games"
    limits_text = text(
        "The program asks you to confirm a total under {low} or over {high}.",
        low=scores.lowest,
        high=scores.highest,
    )
    yield limits_text, "scores"
    margin_text = text(
        "A result from a phone with a margin over {n} must be confirmed at the desk.", n=scores.margin
    )
    yield margin_text, "scores.margin"
    low, high = scores.usual
    yield (
        text(
            "The result field asks for a second Enter if a total is outside the range {low} to {high}.",
            low=low,
            high=high,
        ),
        "scores.usual",
    )


def _explain_players_per_table(catalogue: Catalogue, rules: RuleSet) -> SentencesWithPaths:
    text, tables, points = catalogue.text, rules.tables, catalogue.format_points
    yield (
        {
            0: text("All players sit at one table."),
            1: text("Every player sits alone at a table."),
            2: text("Two players sit at a table."),
        }.get(tables.prefer, text("{n} players sit at a table.", n=tables.prefer)),
        "tables.prefer",
    )
    if tables.prefer == USUAL_COUNT:
        yield (
            text("If one player has no opponent: {what}.", what=catalogue.translate_code(tables.odd)),
            "tables.odd",
        )
    three, four = points(tables.factor.three), points(tables.factor.four)
    yield text("For the points total, a score is multiplied by {three} at a table of three and by "
               "{four} at a table of four.",
               three=three, four=four), "tables.factor"  # fmt: skip
    for name, places in (("three", tables.places.three), ("four", tables.places.four)):
        if places:
            points_text = " – ".join(map(points, places))
            sentence = text(
                "Match points by place at a table of {n} players: {places}.", n=len(places), places=points_text
            )
            yield sentence, f"tables.places.{name}"
    if not (tables.places.three and tables.places.four):
        yield (
            text("Match points at a table of three or four depend on how many of the opponents the player beats."),
            "tables.places",
        )
    rated_text = text("Each pair at a table of three or four counts as a game for ratings.")
    unrated_text = text("Tables of three and four do not count for ratings.")
    yield rated_text if tables.rated else unrated_text, "tables.rated"


class RuleGroup(NamedTuple):
    """A group of rules."""

    heading: str
    first_path_parts: tuple[str, ...]  # first parts of the parameter paths, in display order
    explain: Callable[[Catalogue, RuleSet], SentencesWithPaths]


# In display order.
GROUPS: Mapping[str, RuleGroup] = {
    "game": RuleGroup(
        C_("part of the rules", "The game"),
        ("id", "name", "language", "tileset", "most_players", "draw", "board_turned", "first_word", "passing",
         "exchange", "bonus", "past_prefix"),
        _explain_game_basics,
    ),
    "words": RuleGroup(
        C_("part of the rules", "Words and challenges"),
        ("phony", "contested", "challenge", "words"),
        _explain_words_and_challenges,
    ),
    "clock": RuleGroup(C_("part of the rules", "Clock"), ("clock", "overtime", "late"), _explain_clock_rules),
    "end": RuleGroup(N_("End of the game"), ("ending", "racks", "recount"), _explain_game_end),
    "ranking": RuleGroup(
        N_("Ranking"),
        ("order", "least_games", "match_points", "team_match", "knockout", "gibson", "spread"),
        _explain_ranking,
    ),
    "tables": RuleGroup(N_("Players at a table"), ("tables",), _explain_players_per_table),
    "byes": RuleGroup(
        C_("part of the rules", "Byes and forfeits"), ("byes", "forfeit"), _explain_byes_and_forfeits
    ),
    "jury": RuleGroup(N_("Jury"), ("judges", "form", "sanctions", "scores"), _explain_jury),
}  # fmt: skip
