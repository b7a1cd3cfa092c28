"""Words for codes: states, kinds, styles, systems, tie-breaks; a key `Enum.value` goes before a bare value."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.mark import C_, N_

CODES: Mapping[str, str] = MappingProxyType(
    {
        # how far a result has come
        "open": C_("state", "open"),
        "entered": C_("state", "entered"),
        "checked": C_("state", "checked"),
        "final": C_("state", "final"),
        # how far a round has come
        "draft": C_("state", "draft"),
        "published": C_("state", "published"),
        # what a station is there for
        "Role.director": C_("station", "director"),
        "Role.entry": C_("station", "entry desk"),
        "Role.jury": C_("station", "jury desk"),
        "Role.display": C_("station", "display"),
        # rounds without a game
        "bye": N_("bye"),
        "requested": N_("requested bye"),
        "absent": N_("absent"),
        "forfeit": N_("forfeit"),
        # who forfeited
        "Forfeit.1": N_("forfeit by the first player"),
        "Forfeit.2": N_("forfeit by the second player"),
        "Forfeit.both": N_("forfeit by both"),
        # how it is settled who starts
        "assigned": N_("assigned"),
        "Start.draw": N_("to be drawn"),
        "drawn": N_("drawn"),
        # what a round counts as
        "win": N_("win"),
        "draw": C_("result", "draw"),
        "loss": N_("loss"),
        "nothing": N_("nothing"),
        # who meets whom within a score group
        "slide": N_("top half against bottom half"),
        "fold": N_("first against last"),
        "adjacent": N_("neighbours"),
        "random": N_("drawn by lot"),
        # which quarters of the field meet
        "1-2/3-4": N_("1 and 2, 3 and 4"),
        "1-3/2-4": N_("1 and 3, 2 and 4"),
        "1-4/2-3": N_("1 and 4, 2 and 3"),
        # what pairings avoid
        "club": N_("club"),
        "country": N_("country"),
        "team": N_("team"),
        "category": N_("class"),
        # what is wished or ordered for two players
        "never": N_("never"),
        "apart": N_("kept apart"),
        "together": N_("together"),
        # pairing systems
        "swiss": N_("Swiss"),
        "round-robin": N_("round robin"),
        "king-of-the-hill": N_("king of the hill"),
        "quartiles": N_("quartiles"),
        "factor": N_("factor"),
        "snake-groups": N_("snake groups"),
        "australian": N_("Australian draw"),
        "prize": N_("prize-aware (COP)"),
        "team-swiss": N_("team Swiss"),
        "team-round-robin": N_("team round robin"),
        "knockout": N_("knockout"),
        "manual": N_("by hand"),
        # courses of a tournament
        "one-system": N_("One system"),
        "swiss-then-hill": N_("Swiss, king of the hill in the last round"),
        "swiss-then-knockout": N_("Swiss, then a knockout of the best"),
        "swiss-then-final": N_("Swiss, then a final over three games"),
        "groups-then-knockout": N_("Groups, then a knockout"),
        "groups-swiss-knockout": N_("Groups, then Swiss, then a knockout"),
        # whose results count in a stage
        "carried-on": N_("carried on"),
        "anew": N_("begin anew"),
        "play-off-only": N_("play-off"),
        # why a snapshot was taken
        "Why.start": N_("when opened"),
        "Why.pairing": N_("before a pairing"),
        "Why.time": N_("in between"),
        "Why.named": N_("by hand"),
        "Why.copy": N_("second copy"),
        "Why.migration": N_("before a newer version of tdapp"),
        # kinds of steps
        "results": N_("Results"),
        "rounds": N_("Rounds"),
        "jury": N_("Jury"),
        "players": N_("Players"),
        "settings": N_("Settings"),
        # how a player stands to the coming round
        "active": N_("active"),
        "withdrawn": N_("withdrawn"),
        # who has arrived
        "present": N_("present"),
        "missing": C_("not there yet", "missing"),
        "away": N_("not in this round"),
        # what is certain of a prize
        "decided": N_("decided"),
        "safe": N_("prize certain"),
        "in-reach": N_("in reach"),
        "out-of-reach": N_("no prize"),
        # what pairings cost
        "repeats": N_("repeats"),
        "guard": N_("balance of starts guarded"),
        "score_difference": N_("difference of scores"),
        "floats": N_("floats"),
        "avoid": N_("same club, country, team or class"),
        "style": N_("style"),
        # what had to give in a large field
        "coarse-repeats": N_("many repeats weighed as fewer"),
        "coarse-style": N_("style weighed roughly"),
        "coarse-chance": N_("lot among equals drawn roughly"),
        "cheapest-only": N_("only everybody’s best opponents weighed"),
        "reset-later": N_("fewer earlier meetings counted"),
        "no-accessible-table": N_("too few accessible tables"),
        "neighbours-only": N_("only neighbouring places weighed"),
        "fewer-simulations": N_("fewer simulations because the field is large"),
        "prize-last-round": N_("king of the hill in the last round not kept"),
        "prize-class": N_("games for class prizes not kept"),
        "prize-control": N_("the leader does not meet who needs it"),
        "prize-factor": N_("factor three not kept"),
        "prize-groups": N_("paired across a decided place"),
        "prize-bye": N_("the bye not where it belongs"),
        # the forms of a knockout
        "single": N_("single elimination"),
        "classification": N_("all places played out"),
        "consolation": N_("with a consolation"),
        "Elimination.double": N_("double elimination"),
        # what seeds come from
        "seeds-standings": N_("from the standings"),
        "seeds-rating": N_("from the ratings"),
        "seeds-lot": N_("drawn from the tournament’s seed"),
        # what goes on after a tie in a knockout
        "replier": N_("the player who did not start"),
        "extra-game": N_("an extra game"),
        # which turns in a row end a game
        "RowKind.passes": N_("passes"),
        "scoreless": N_("turns without new tiles"),
        "RowKind.none": C_("row", "none"),
        # how a game ends
        "out": N_("a player is out"),
        "Ended.passes": N_("a row of passes"),
        "blocked": N_("nobody can move"),
        "Ended.flag": N_("time run out"),
        "Ended.time": N_("end of the time"),
        "Ended.overtime": N_("too much overtime"),
        # when a player may pass
        "Passing.always": N_("at any time"),
        "empty-bag": N_("only when the bag is empty"),
        "not-twice": N_("not twice running"),
        # what a penalty is counted by
        "Per.turn": N_("per turn"),
        "Per.word": N_("per word"),
        # what becomes of the points for a wrong challenge
        "nobody": N_("deducted from the challenger"),
        "opponent": N_("credited to the opponent"),
        # time run out
        "OvertimeKind.none": N_("no overtime rule"),
        "OvertimeKind.flag": N_("the game is lost"),
        "minutes": N_("points per started minute"),
        # tiles left when a player is out
        "transfer": N_("deducted, and added to the player who is out"),
        "double": N_("twice their value to the player who is out"),
        "own": N_("deducted from their owners"),
        # the draw for the start
        "DrawnBlank.first": N_("a blank goes before A"),
        "redrawn": N_("a blank does not count"),
        "Redraw.all": N_("all draw again"),
        "tied": N_("those with the same letter draw again"),
        # what a ruling tells
        "verdict": N_("one verdict for the play"),
        "words": N_("a verdict for each word"),
        # what a word list says
        "valid": N_("valid"),
        "invalid": N_("not valid"),
        "not-binding": N_("not binding: the jury decides"),
        # why a line of a word list brings no word
        "Unfit.comment": N_("a comment"),
        "Unfit.space": N_("with a space"),
        "Unfit.digit": N_("with a digit"),
        "Unfit.name": N_("with a capital, so a name"),
        "Unfit.sign": N_("with a sign that no tile has"),
        "Unfit.short": N_("too short"),
        "Unfit.long": N_("too long"),
        "Unfit.repeated": N_("with the letters of an earlier line"),
        # words with a hyphen or an apostrophe
        "allowed": N_("allowed"),
        "forbidden": N_("not allowed"),
        # running totals on a sheet
        "Totals.always": N_("after every turn"),
        "while-bag": N_("as long as there are tiles in the bag"),
        "optional": N_("as the players like"),
        # sanctions
        "warning": N_("warning"),
        "points": N_("points"),
        "time": N_("time"),
        "turn": N_("lost turn"),
        "game": N_("lost game"),
        "margin": N_("spread of the tournament"),
        "disqualified": N_("disqualification"),
        # the jury's rulings on turns
        "ruled-wrong": N_("wrong word"),
        "ruled-valid": N_("word stands"),
        # how players are named in public
        "NamesShown.full": N_("full names"),
        "NamesShown.initial": N_("first name and initial"),
        "NamesShown.number": N_("numbers only"),
        # rounds without a game in resistance points
        "Unplayed.plain": N_("opponents only"),
        "fide-2009": N_("FIDE 2009"),
        "fide-2024": N_("FIDE 2024"),
        "fide-2026": N_("FIDE 2026"),
        # what happened at a table
        "extra-time": N_("extra time"),
        "late": N_("came late"),
        "clock": N_("clock"),
        "tiles": N_("tiles"),
        "conduct": N_("conduct"),
        "illness": N_("illness"),
        "complaint": N_("complaint"),
        "other": N_("something else"),
        "PointsFrom.game": N_("from the game"),
        "PointsFrom.tournament": N_("from the tournament"),
        # turns of a sheet
        "play": N_("play"),
        "exchange": N_("exchange"),
        "pass": N_("pass"),
        "TurnKind.withdrawn": N_("taken back"),
        "lost-turn": N_("turn lost"),
        "failed-challenge": N_("wrong challenge"),
        # words that the list does not vouch for
        "doubt-open": N_("in doubt"),
        "doubt-jury": N_("not binding"),
        "doubt-wrong": N_("wrong"),
        "doubt-stands": N_("stands"),
        # where a player's points come from
        "account-turns": N_("turns"),
        "account-phonies": N_("wrong words"),
        "account-racks": N_("racks"),
        "account-overtime": N_("overtime"),
        "account-challenges": N_("challenges"),
        "account-sanctions": N_("sanctions"),
        # when papers are printed together
        "Moment.before": N_("before the first round"),
        "Moment.round": N_("when a round is paired"),
        "Moment.after": N_("after a round"),
        "Moment.end": N_("at the end"),
        # what papers are for
        "Group.round": N_("for a round"),
        "Group.after": N_("after a round"),
        "Group.event": N_("for the tournament"),
        "Group.jury": N_("for the jury"),
        "Group.form": N_("cards and forms"),
        # whether a paper is out
        "printed": N_("printed"),
        "stale": N_("changed since"),
        "waived": N_("changed, not needed"),
        "unprinted": N_("not printed"),
        # what a prize is given for
        "rank": N_("place"),
        "PrizeKind.category": N_("place in class"),
        "high-game": N_("high game"),
        "high-loss": N_("high loss"),
        "high-play": N_("highest play"),
        "big-win": N_("biggest win"),
        "lucky-stiff": N_("lucky stiff"),
        "tuff-luck": N_("tuff luck"),
        "hand": N_("given by the director"),
        # statistics
        "games-played": N_("games played"),
        "average-score": N_("average score"),
        "average-win": N_("average winning score"),
        "average-loss": N_("average losing score"),
        "average-margin": N_("average margin"),
        "starts-won": N_("games won by the starter"),
        # what a file may have no place for
        "Held.rating": N_("ratings"),
        "Held.club": N_("clubs"),
        "Held.country": N_("countries"),
        "Held.team": N_("teams"),
        "Held.category": N_("classes"),
        "Held.member": N_("member numbers"),
        "Held.notes": N_("notes"),
        "Held.fixed_table": N_("fixed tables"),
        "Held.rated_games": N_("rated games before the event"),
        "Held.order": N_("the order of ranking"),
        "Held.spread_caps": N_("caps of the spread"),
        "Held.absences": N_("absences to come"),
        "Held.tables": N_("table numbers"),
        "Held.forfeits": N_("forfeits of games (they become byes)"),
        "Held.sheets": N_("score sheets"),
        "Held.sanctions": N_("sanctions"),
        "Held.bonds": N_("who meets whom"),
        "Held.logs": N_("incidents and challenges"),
        "Held.prizes": N_("prizes"),
        "Held.draft": N_("the draft of a round"),
        "Held.access": N_("who needs an accessible table"),
        "Held.shown_as": N_("the names shown to the public"),
        # what becomes of a line of a list
        "Decision.add": N_("add"),
        "Decision.change": N_("change"),
        "Decision.skip": N_("leave out"),
        # a line of a list beside the players who are there
        "Meeting.new": N_("New"),
        "Meeting.same": N_("Same"),
        "Meeting.rating": N_("Other rating"),
        "Meeting.changed": N_("Changed"),
        "Meeting.conflict": N_("Not sure"),
    }
)
