"""The parameters of a rule set: what each is called where it is changed, and what to know when it is."""

from __future__ import annotations

from collections.abc import Mapping

from tdapp.domain.mark import N_

# By the path of a parameter in the rule set.
RULES: Mapping[str, str] = {
    "id": N_("Rule book they come from"),
    "name": N_("Name of these rules"),
    "language": N_("Language"),
    "place": N_("Place in the list of rules"),
    "tileset": N_("Tiles"),
    "most_players": N_("Most players at one table"),
    "draw.blank": N_("A blank drawn for the start"),
    "draw.again": N_("Equal letters drawn for the start"),
    "draw.returned": N_("Tiles go back before the next draw"),
    "board_turned": N_("The board is turned to the player on move"),
    "passing": N_("A player may pass"),
    "exchange.minimum": N_("Tiles in the bag for an exchange"),
    "bonus": N_("Points for seven tiles in one turn"),
    # words and challenges
    "phony.ruled": N_("The jury looks for wrong words after the play"),
    "phony.points": N_("Points for a wrong word, besides the turn"),
    "phony.per": N_("These points are counted"),
    "contested.known": N_("A deliberately wrong word is replaced on protest"),
    "contested.points": N_("Points for such a word"),
    "challenge.withdrawn_is_pass": N_("A play challenged off counts as a pass"),
    "challenge.points": N_("Points for a wrong challenge"),
    "challenge.per": N_("Wrong challenges are counted"),
    "challenge.to": N_("The points of a wrong challenge are"),
    "words.binding": N_("The word list decides up to how many letters"),
    "words.marked": N_("Words with a hyphen or an apostrophe"),
    "words.short_lists": N_("Lists of short words may lie on the table"),
    # the clock
    "clock.minutes": N_("Minutes of each player"),
    "clock.recommended": N_("Minutes of a player that the book recommends"),
    "clock.recommended_game": N_("Minutes of a game that the book recommends"),
    "overtime.kind": N_("Overtime"),
    "overtime.points": N_("Points per started minute of overtime"),
    "overtime.limit": N_("Most overtime, in seconds"),
    "overtime.penalty": N_("Points for more overtime than that"),
    "overtime.margin": N_("Smallest margin of a game lost by overtime"),
    "late.known": N_("The clock of a late player runs"),
    "late.give_up": N_("Minutes left below which a late player may give up"),
    # the end of a game
    "ending.ends": N_("A game ends by"),
    "ending.row.kind": N_("The row of turns that ends a game"),
    "ending.row.length": N_("Length of that row"),
    "ending.row.each": N_("The length is that of each player"),
    "ending.blocked_with_tiles": N_("Nobody can move: it ends also with tiles in the bag"),
    "racks.out": N_("Tiles left when a player is out"),
    "recount.difference": N_("Largest difference at which a recount may be asked"),
    # the ranking
    "order": N_("Order of ranking under {system}"),
    "order.other": N_("Order of ranking"),
    "match_points.win": N_("Match points for a win"),
    "match_points.draw": N_("Match points for a draw"),
    "match_points.loss": N_("Match points for a loss"),
    "knockout.tie": N_("After a tie in a knockout goes on"),
    # byes and forfeits
    "byes.bye.counts_as": N_("A bye counts as"),
    "byes.bye.spread": N_("Spread of a bye"),
    "byes.requested.counts_as": N_("A requested bye counts as"),
    "byes.requested.spread": N_("Spread of a requested bye"),
    "byes.absent.counts_as": N_("Absence counts as"),
    "byes.absent.spread": N_("Spread of absence"),
    "byes.forfeit.counts_as": N_("A round forfeited beforehand counts as"),
    "byes.forfeit.spread": N_("Spread of a round forfeited beforehand"),
    "forfeit.margin": N_("Margin of a game given up or not played"),
    "forfeit.rated": N_("A game given up counts for ratings"),
    # the jury
    "judges.first": N_("Judges who rule on a challenge"),
    "judges.appeal": N_("Further judges on appeal"),
    "judges.reveals": N_("Players are told"),
    "form.totals": N_("Running totals are noted"),
    "form.peg_row": N_("Points of a peg in the upper row of a rack"),
    "sanctions.named": N_("Sanctions"),
    "sanctions.points_from": N_("Points of a sanction are deducted"),
    "scores.lowest": N_("Lowest plausible total of a player"),
    "scores.highest": N_("Highest plausible total of a player"),
}

NOTES: Mapping[str, str] = {
    "id": N_("Another book sets every rule below to what it says."),
    "exchange.minimum": N_("0: as many as are exchanged."),
    "phony.points": N_("0: only the turn’s score is lost."),
    "challenge.points": N_("0: a wrong challenge costs nothing."),
    "words.binding": N_("Empty: all words. A list that states its own length goes before this."),
    "clock.minutes": N_("Empty: no clock."),
    "clock.recommended": N_("Other times are only warned of. Empty: none."),
    "clock.recommended_game": N_("Other times are only warned of. Empty: none."),
    "overtime.limit": N_("300 is five minutes; then the game is lost. Empty: without end."),
    "overtime.penalty": N_("They replace the points per minute."),
    "recount.difference": N_("In points. Empty: no right to a recount."),
    "judges.appeal": N_("0: no appeal."),
    "form.peg_row": N_("Empty: racks without pegs."),
    "scores.lowest": N_("A total outside these two is asked about."),
    "order": N_("Without one: as under the other systems."),
    "order.other": N_("For every system that has none of its own. The first decides."),
    "match_points.win": N_("Fractions may be written: 1/2 or 0.5."),
}
