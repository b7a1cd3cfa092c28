"""Words for codes, by kind and id: `tiebreak.spread`, `ConstraintKind.never`.

The parameters of a rule set have names and notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tdapp.domain.player_fields import LISTED
from tdapp.domain.systems import PAIRING_SYSTEMS
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.domain.translatable import C_, N_

# Kinds whose values are plain text in tables and files. The first kind with a value counts.
PLAIN_KINDS = (
    "ResultState", "RoundState", "ByeKind", "Worth", "Start", "Avoided", "ConstraintKind", "system",
    "Counted", "StepGroup", "Status", "CheckInState", "MemberState", "PrizeStatus", "QualificationStatus",
    "Cost", "Relaxed", "Seeding", "WordVerdict", "SanctionKind", "Ruling", "Unplayed", "IncidentKind",
    "TurnKind", "Doubt", "Account", "PrintState", "PrizeKind", "Figure", "TournamentFormat", "PairingStyle",
    "Quarters",
)  # fmt: skip

_CODES: Mapping[str, str] = {
    # how far a result has come
    "ResultState.open": C_("state", "open"),
    "ResultState.entered": C_("state", "entered"),
    "ResultState.disputed": C_("state", "disputed"),
    "ResultState.checked": C_("state", "checked"),
    "ResultState.final": C_("state", "final"),
    # how far a round has come
    "RoundState.draft": C_("state", "draft"),
    "RoundState.published": C_("state", "published"),
    # purposes of a station
    "Role.director": C_("station", "director"),
    "Role.entry": C_("station", "entry desk"),
    "Role.jury": C_("station", "jury desk"),
    "Role.display": C_("station", "display"),
    # what the room is shown
    "DisplayView.tables": N_("Pairings by table"),
    "DisplayView.names": N_("Pairings by name"),
    "DisplayView.standings": N_("Standings"),
    "DisplayView.bracket": N_("Bracket"),
    "DisplayView.clock": N_("Round clock"),
    "DisplayView.prizes": N_("Prize-giving"),
    "DisplayView.news": N_("News"),
    "DisplayView.featured": N_("Featured table"),
    # what the round clock does
    "ClockState.ready": N_("Not started"),
    "ClockState.running": N_("Running"),
    "ClockState.soon": N_("Nearly over"),
    "ClockState.paused": N_("Paused"),
    "ClockState.over": N_("Time is up"),
    # rounds without a game
    "ByeKind.bye": N_("bye"),
    "ByeKind.requested": N_("requested bye"),
    "ByeKind.absent": N_("absent"),
    "ByeKind.forfeit": N_("forfeit"),
    # who forfeited
    "Forfeit.1": N_("forfeit by the first player"),
    "Forfeit.2": N_("forfeit by the second player"),
    "Forfeit.both": N_("forfeit by both"),
    # what decided a game if the points did not
    "DecidedBy.tie": C_("decision", "tie"),
    "DecidedBy.time": C_("decision", "time"),
    "DecidedBy.sanction": C_("decision", "sanction"),
    "DecidedBy.forfeit": C_("decision", "forfeit"),
    # why a game was forfeited
    "ForfeitCause.late": N_("came too late"),
    "ForfeitCause.walk-over": N_("did not come"),
    # how it is settled who starts
    "Start.assigned": N_("set by the pairing"),
    "Start.draw": N_("not drawn yet"),
    "Start.drawn": N_("drawn from the tiles"),
    # what a round counts as
    "Worth.win": N_("win"),
    "Worth.draw": C_("result", "draw"),
    "Worth.loss": N_("loss"),
    "Worth.nothing": N_("nothing"),
    # who meets whom within a score group
    "PairingStyle.slide": N_("top half against bottom half"),
    "PairingStyle.fold": N_("first against last"),
    "PairingStyle.adjacent": N_("neighbours"),
    "PairingStyle.random": N_("drawn by lot"),
    # which quarters of the field meet
    "Quarters.1-2/3-4": N_("quarter 1 against 2, quarter 3 against 4"),
    "Quarters.1-3/2-4": N_("quarter 1 against 3, quarter 2 against 4"),
    "Quarters.1-4/2-3": N_("quarter 1 against 4, quarter 2 against 3"),
    # what pairings avoid
    "Avoided.club": N_("club"),
    "Avoided.country": N_("country"),
    "Avoided.team": N_("team"),
    "Avoided.category": N_("category"),
    # constraints on two players
    "ConstraintKind.never": N_("never pair"),
    "ConstraintKind.apart": N_("keep apart"),
    "ConstraintKind.together": N_("must meet"),
    # courses of a tournament
    "TournamentFormat.one-system": N_("One system for all rounds"),
    "TournamentFormat.swiss-then-hill": N_("Swiss, king of the hill in the last round"),
    "TournamentFormat.swiss-then-knockout": N_("Swiss, then a knockout of the best"),
    "TournamentFormat.swiss-then-final": N_("Swiss, then a final over three games"),
    "TournamentFormat.groups-then-knockout": N_("Groups, then a knockout"),
    "TournamentFormat.groups-swiss-knockout": N_("Groups, then Swiss, then a knockout"),
    # whose results count in a stage
    "Counted.carried-on": N_("earlier results count"),
    "Counted.anew": N_("start from zero"),
    "Counted.play-off-only": N_("play-off"),
    # what an evening is worth in a season
    "SeasonValue.place": N_("points for the place"),
    "SeasonValue.field": N_("percentage of players with a lower place"),
    "SeasonValue.match-points": N_("match points"),
    "SeasonValue.points": N_("points"),
    "SeasonValue.average": N_("points per game"),
    "SeasonValue.spread": N_("spread"),
    "SeasonValue.top": N_("percentage of the highest points"),
    "SeasonValue.placing": N_("number of qualifying places"),
    "SeasonTotalMethod.sum": N_("sum"),
    "SeasonTotalMethod.average": N_("average"),
    # what decides between equal totals of a season
    "SeasonTieBreak.next-best": N_("the best single results"),
    "SeasonTieBreak.events": N_("more evenings"),
    "SeasonTieBreak.spread": N_("spread"),
    "SeasonTieBreak.head-to-head": N_("games between the tied players"),
    "SeasonTieBreak.latest": N_("the latest evening"),
    "SeasonTieBreak.places": N_("more first places, then second places"),
    "SeasonTieBreak.average": N_("points per game"),
    # why a result does not count in a season
    "CellState.counts": N_("counts"),
    "CellState.lower": N_("dropped as a lower result"),
    "CellState.spread": N_("dropped for the smaller spread"),
    "CellState.earlier": N_("dropped as the earlier of equal results"),
    "CellState.expired": N_("expired"),
    # changes of category after a season
    "CategoryShift.up": N_("promoted"),
    "CategoryShift.down": N_("relegated"),
    # why a snapshot was taken
    "SnapshotReason.start": N_("at opening"),
    "SnapshotReason.pairing": N_("before a pairing"),
    "SnapshotReason.time": N_("at intervals"),
    "SnapshotReason.named": N_("by hand"),
    "SnapshotReason.copy": N_("second copy"),
    "SnapshotReason.migration": N_("before a newer version of tdapp"),
    # kinds of steps
    "StepGroup.results": N_("Results"),
    "StepGroup.rounds": N_("Rounds"),
    "StepGroup.jury": N_("Jury"),
    "StepGroup.players": N_("Players"),
    "StepGroup.settings": N_("Settings"),
    # states of a player before the next round
    "Status.active": N_("active"),
    "Status.withdrawn": N_("withdrawn"),
    "Status.disqualified": N_("disqualified"),
    # who has arrived
    "MemberState.here": N_("here"),
    "MemberState.gone": N_("has left"),
    "MemberState.not-here": N_("not here"),
    "CheckInState.present": N_("present"),
    "CheckInState.missing": C_("not there yet", "missing"),
    "CheckInState.away": N_("not in this round"),
    # certainty of a prize
    "QualificationStatus.through": N_("qualified"),
    "QualificationStatus.in-reach": N_("still possible"),
    "QualificationStatus.out": N_("eliminated"),
    "PrizeStatus.decided": N_("place decided"),
    "PrizeStatus.safe": N_("prize certain"),
    "PrizeStatus.in-reach": N_("still possible"),
    "PrizeStatus.out-of-reach": N_("no prize"),
    # what pairings cost
    "Cost.repeats": N_("repeats"),
    "Cost.guard": N_("starts kept in balance"),
    "Cost.score_difference": N_("difference of scores"),
    "Cost.floats": N_("floats between score groups"),
    "Cost.avoid": N_("same club, country, team or category"),
    "Cost.style": N_("pairing style"),
    # what had to give in a large field
    "Relaxed.coarse-repeats": N_("a high number of repeats between two players was counted as a lower number"),
    "Relaxed.coarse-style": N_("pairing style counted only approximately"),
    "Relaxed.coarse-chance": N_("lot among equal pairings drawn only approximately"),
    "Relaxed.best-exchange": N_("a swap of two players would not be better; other changes were not tried"),
    "Relaxed.cheapest-only": N_("only the best opponents of each player were considered"),
    "Relaxed.reset-later": N_("not all earlier meetings were counted"),
    "Relaxed.no-accessible-table": N_("too few accessible tables"),
    "Relaxed.fixed-table-taken": N_("the fixed table of a player is taken"),
    "Relaxed.neighbours-only": N_("only players with neighbouring ranks were considered"),
    "Relaxed.fewer-simulations": N_("fewer simulations because the field is large"),
    "Relaxed.prize-last-round": N_("king of the hill was not possible in the last round"),
    "Relaxed.prize-class": N_("the games for category prizes were not possible"),
    "Relaxed.prize-control": N_("the leader does not meet the player who needs that game"),
    "Relaxed.prize-factor": N_("pairing by factor three was not possible"),
    "Relaxed.prize-groups": N_("two players on both sides of a decided place were paired"),
    "Relaxed.prize-bye": N_("the bye goes to another player than usual"),
    # the forms of a knockout
    "Elimination.single": N_("single elimination"),
    "Elimination.classification": N_("all places played out"),
    "Elimination.consolation": N_("with a consolation bracket"),
    "Elimination.double": N_("double elimination"),
    # what seeds come from
    "Seeding.seeds-standings": N_("from the standings"),
    "Seeding.seeds-rating": N_("from the ratings"),
    "Seeding.seeds-lot": N_("drawn from the tournament’s seed"),
    # what goes on after a tie in a knockout
    "SheetField.player": N_("player"),
    "SheetField.kind": N_("kind of turn"),
    "SheetField.at": N_("square"),
    "SheetField.word": N_("word"),
    "SheetField.score": N_("score"),
    "SheetField.total": N_("total"),
    "SheetField.tiles": N_("tiles"),
    "SheetField.ended": N_("how the game ended"),
    "SheetField.flag": N_("the player whose time ran out"),
    "SheetField.forfeit": N_("player who forfeited"),
    "SheetField.racks": N_("racks"),
    "SheetField.rack_values": N_("value of the racks"),
    "SheetField.overtime_seconds": N_("seconds of overtime"),
    "SheetField.final": N_("final scores"),
    "OddPlayer.bye": N_("a bye"),
    "OddPlayer.three": N_("one table of three"),
    "OddPlayer.average": N_("a bye with the average of the player’s games"),
    "AwardBy.fixed": N_("a fixed number of points"),
    "AwardBy.own-average": N_(
        "the average of the player’s earlier games; in the first round the average of all players"
    ),
    "AwardBy.stage-average": N_(
        "the average of the player’s games in the stage; without games the average of all players"
    ),
    "AwardBy.field-average": N_("the average of all players in the round"),
    "KnockoutTie.replier": N_("the player who did not start"),
    "KnockoutTie.extra-game": N_("an extra game"),
    # which turns in a row end a game
    "ScorelessRowKind.passes": N_("passes"),
    "ScorelessRowKind.scoreless": N_("turns without new tiles"),
    "ScorelessRowKind.none": C_("row", "none"),
    # how a game ends
    "GameEnding.open": C_("state", "open"),
    "GameEnding.forfeit": N_("forfeit"),
    "GameEnding.out": N_("a player has no tiles left"),
    "GameEnding.passes": N_("a series of passes"),
    "GameEnding.blocked": N_("no player can move"),
    "GameEnding.flag": N_("a player’s time has run out"),
    "GameEnding.time": N_("the playing time is over"),
    "GameEnding.overtime": N_("too much overtime"),
    # when a player may pass
    "PassPermission.always": N_("at any time"),
    "PassPermission.empty-bag": N_("only when the bag is empty"),
    "PassPermission.not-twice": N_("not twice in a row"),
    # units of a penalty
    "PenaltyUnit.turn": N_("once for each play"),
    "PenaltyUnit.word": N_("for each word"),
    # stakes of a challenge
    "ChallengeMode.void": N_("no challenges (void challenge)"),
    "ChallengeMode.points": N_("points or nothing (single challenge)"),
    "ChallengeMode.double": N_("a turn (double challenge)"),
    "ChallengeMode.triple": N_("the game (triple challenge)"),
    # what becomes of the points for a wrong challenge
    "ChallengePointsReceiver.nobody": N_("deducted from the challenger"),
    "ChallengePointsReceiver.opponent": N_("credited to the opponent"),
    # time run out
    "OvertimeKind.none": N_("no overtime rule"),
    "OvertimeKind.flag": N_("the game is lost"),
    "OvertimeKind.minutes": N_("points per started minute"),
    # tiles left when a player is out
    "RackPointsReceiver.transfer": N_("deducted, and added to the player who went out"),
    "RackPointsReceiver.double": N_("twice their value to the player who went out"),
    "RackPointsReceiver.own": N_("deducted from their owners"),
    # the draw for the start
    "DrawnBlank.first": N_("a blank goes before A"),
    "DrawnBlank.redrawn": N_("a blank does not count"),
    "RedrawingPlayers.all": N_("all draw again"),
    "RedrawingPlayers.tied": N_("those with the same letter draw again"),
    # what a ruling tells
    "RevealedToPlayers.verdict": N_("one verdict for the play"),
    "RevealedToPlayers.words": N_("a verdict for each word"),
    # occasions to check a play
    "Occasion.protest": N_("protest of the opponent"),
    "Occasion.jury": N_("checked by the jury"),
    # what a word list says
    "WordVerdict.valid": N_("valid"),
    "WordVerdict.invalid": N_("not valid"),
    "WordVerdict.not-binding": N_("not binding: the jury decides"),
    # why a line of a word list brings no word
    "RejectedWordReason.comment": N_("a comment"),
    "RejectedWordReason.heading": N_("a heading"),
    "RejectedWordReason.formless": N_("the dictionary has no separate form of the word"),
    "RejectedWordReason.space": N_("the word has a space"),
    "RejectedWordReason.digit": N_("the word has a digit"),
    "RejectedWordReason.name": N_("the word has a capital letter, so it is a name"),
    "RejectedWordReason.sign": N_("the word has a character that no tile has"),
    "RejectedWordReason.short": N_("the word is too short"),
    "RejectedWordReason.long": N_("the word is too long"),
    "RejectedWordReason.repeated": N_("the word has the same letters as an earlier line"),
    # words with a hyphen or an apostrophe
    "MarkedWordRule.allowed": N_("allowed"),
    "MarkedWordRule.forbidden": N_("not allowed"),
    # running totals on a sheet
    "TotalsNotedWhen.always": N_("after every turn"),
    "TotalsNotedWhen.while-bag": N_("while the bag has tiles"),
    "TotalsNotedWhen.optional": N_("as the players choose"),
    # sanctions
    "SanctionKind.warning": N_("warning"),
    "SanctionKind.points": N_("points"),
    "SanctionKind.time": N_("time"),
    "SanctionKind.turn": N_("lost turn"),
    "SanctionKind.game": N_("lost game"),
    "SanctionKind.margin": N_("spread of the tournament"),
    "SanctionKind.disqualified": N_("disqualification"),
    "SanctionKind.team-points": N_("team points"),
    # the jury's rulings on turns
    "Ruling.ruled-wrong": N_("wrong word"),
    "Ruling.ruled-valid": N_("word is valid"),
    "Ruling.result-entered": N_("result entered"),
    "Ruling.result-corrected": N_("result corrected"),
    "Ruling.result-cleared": N_("result cleared"),
    "Ruling.sheet-entered": N_("score sheet"),
    "Ruling.sheet-cleared": N_("score sheet cleared"),
    "Ruling.sanction-removed": N_("sanction removed"),
    "Ruling.verdict-decided": N_("verdict of the judge screen"),
    "Ruling.appeal": N_("appeal"),
    "Ruling.challenge-removed": N_("challenge taken back"),
    # how players are named in public
    "NamesShown.full": N_("full names"),
    "NamesShown.initial": N_("first name and initial"),
    "NamesShown.number": N_("numbers only"),
    # rounds without a game in resistance points
    "Unplayed.plain": N_("only the opponents’ points"),
    "Unplayed.fide-2009": N_("FIDE 2009"),
    "Unplayed.fide-2024": N_("FIDE 2024"),
    "Unplayed.fide-2026": N_("FIDE 2026"),
    # what happened at a table
    "IncidentKind.extra-time": N_("extra time"),
    "IncidentKind.late": N_("came late"),
    "IncidentKind.clock": N_("clock"),
    "IncidentKind.tiles": N_("tiles"),
    "IncidentKind.conduct": N_("conduct"),
    "IncidentKind.illness": N_("illness"),
    "IncidentKind.complaint": N_("complaint"),
    "IncidentKind.other": N_("something else"),
    "PointsFrom.game": N_("from the game"),
    "PointsFrom.tournament": N_("from the tournament"),
    "DisqualifiedGamesRule.kept": N_("they count for the opponents"),
    "DisqualifiedGamesRule.forfeited": N_("the opponents win them by forfeit"),
    # turns of a sheet
    "TurnKind.play": N_("play"),
    "TurnKind.exchange": N_("exchange"),
    "TurnKind.pass": N_("pass"),
    "TurnKind.withdrawn": N_("play taken back"),
    "TurnKind.lost-turn": N_("turn lost"),
    "TurnKind.failed-challenge": N_("wrong challenge"),
    # words that the list does not vouch for
    "Doubt.doubt": C_("state", "in doubt"),
    "Doubt.differs": C_("state", "sheet differs"),
    "Doubt.verdict": C_("state", "challenge open"),
    "Doubt.doubt-open": N_("in doubt"),
    "Doubt.doubt-jury": N_("not binding"),
    "Doubt.doubt-wrong": N_("wrong"),
    "Doubt.doubt-stands": N_("is valid"),
    # where a player's points come from
    "Account.account-turns": N_("turns"),
    "Account.account-phonies": N_("wrong words"),
    "Account.account-racks": N_("racks"),
    "Account.account-overtime": N_("overtime"),
    "Account.account-challenges": N_("challenges"),
    "Account.account-sanctions": N_("sanctions"),
    # when papers are printed together
    "Moment.before": N_("before the first round"),
    "Moment.round": N_("when a round is paired"),
    "Moment.after": N_("after a round"),
    "Moment.end": N_("at the end"),
    # what papers are for
    "ReportGroup.round": N_("for a round"),
    "ReportGroup.after": N_("after a round"),
    "ReportGroup.event": N_("for the tournament"),
    "ReportGroup.jury": N_("for the jury"),
    "ReportGroup.form": N_("cards and forms"),
    # whether a paper is out
    "PrintState.printed": N_("printed"),
    "PrintState.part": N_("partly printed"),
    "PrintState.stale": N_("changed after printing"),
    "PrintState.waived": N_("changed, no reprint needed"),
    "PrintState.unprinted": N_("not printed"),
    # what a prize is given for
    "PrizeKind.rank": N_("place"),
    "PrizeKind.category": N_("place in category"),
    "PrizeKind.high-game": N_("high game"),
    "PrizeKind.high-loss": N_("high loss"),
    "PrizeKind.high-play": N_("highest play"),
    "PrizeKind.big-win": N_("biggest win"),
    "PrizeKind.lucky-stiff": N_("lucky stiff"),
    "PrizeKind.tuff-luck": N_("tuff luck"),
    "PrizeKind.hand": N_("given by the director"),
    # what a record is of
    "RecordKind.high-game": N_("high game"),
    "RecordKind.high-loss": N_("high loss"),
    "RecordKind.high-play": N_("highest play"),
    "RecordKind.big-win": N_("biggest win"),
    "RecordKind.streak": N_("wins in a row"),
    # whose record it is
    "NewsScope.listed": C_("news", "record"),
    "NewsScope.event": C_("news", "best of the event so far"),
    "NewsScope.own-listed": C_("news", "personal best"),
    "NewsScope.own": C_("news", "best of this player so far"),
    # statistics
    "Figure.games-played": N_("games played"),
    "Figure.average-score": N_("average score"),
    "Figure.average-win": N_("average winning score"),
    "Figure.average-loss": N_("average losing score"),
    "Figure.average-margin": N_("average margin"),
    "Figure.best-first": N_("the strongest player wins"),
    "Figure.best-three": N_("the strongest player is among the first three"),
    "Figure.rounds-played": N_("rounds played"),
    "Figure.seconds": N_("hours of play, without breaks"),
    "Figure.slips": N_("games, and result slips"),
    "Figure.sheets": N_("score sheets"),
    "Figure.repeats": N_("repeats"),
    "Figure.float-games": N_("games between score groups"),
    "Figure.byes": N_("byes"),
    "Figure.starts-won": N_("games won by the starter"),
    # what a file may have no place for
    **{f"HeldField.{one.name}": one.lost for one in LISTED},
    "DataKind.order": N_("the ranking order"),
    "DataKind.spread_caps": N_("spread caps"),
    "DataKind.times": N_("round times"),
    "DataKind.absences": N_("future absences"),
    "DataKind.tables": N_("table numbers"),
    "DataKind.forfeits": N_("forfeited games (exported as byes)"),
    "DataKind.knockout": N_("the knockout (its bracket and places)"),
    "DataKind.sheets": N_("score sheets"),
    "DataKind.sanctions": N_("sanctions"),
    "DataKind.constraints": N_("pairing constraints"),
    "DataKind.logs": N_("incidents and challenges"),
    "DataKind.prizes": N_("prizes"),
    "DataKind.draft": N_("the draft of a round"),
    "DataKind.access": N_("who needs an accessible table"),
    "DataKind.shown_as": N_("the names shown to the public"),
    # what becomes of a line of a list
    "ImportRowAction.add": N_("add"),
    "ImportRowAction.change": N_("change"),
    "ImportRowAction.skip": N_("leave out"),
    # a line of a list with the present players
    "EntryStatus.new": N_("New"),
    "EntryStatus.same": N_("Same"),
    "EntryStatus.rating": N_("Other rating"),
    "EntryStatus.changed": N_("Changed"),
    "EntryStatus.conflict": N_("Unclear player"),
}

# Names and notes of the rating systems in resources/ratings. Proper names are not translated.
RATING_TEXTS = frozenset(
    {
        N_("Elo, performance by the rule of 400"),
        N_("Elo as in chess (FIDE)"),
        N_("Norway (as in tsh)"),
        N_("WESPA (as in tsh)"),
        N_("The table of 8.1 is used as the normal curve. The rules for young players are left out."),
        N_("The list of the federation also considers how certain a rating is."),
    }
)

# Names of the season rules in resources/seasons. Proper names are not translated.
SEASON_TEXTS = frozenset({N_("Best 4 evenings"), N_("Average per game"), N_("London league")})


@cache
def load_pairing_reasons() -> Mapping[str, str]:
    from tdapp.pairing import REASONS  # noqa: PLC0415

    return REASONS


SHORT: Mapping[str, str] = {one.key: one.short for one in TIEBREAKS.values()}
IN_FULL: Mapping[str, str] = {one.key: one.name for one in TIEBREAKS.values()}
CODES: Mapping[str, str] = {**_CODES, **{one.key: one.name for one in PAIRING_SYSTEMS.values()}}
KINDS = frozenset(key.partition(".")[0] for key in CODES)
_PRIORITIES = {kind: place for place, kind in enumerate(reversed(PLAIN_KINDS))}
# The words for a value alone: of the first of the plain kinds that knows it.
PLAIN: Mapping[str, str] = {
    key.partition(".")[2]: text
    for key, text in sorted(CODES.items(), key=lambda item: _PRIORITIES.get(item[0].partition(".")[0], 0))
    if key.partition(".")[0] in _PRIORITIES
}


# By the path of a parameter in the rule set.
RULES: Mapping[str, str] = {
    "id": N_("Rule book of origin"),
    "name": N_("Name of these rules"),
    "language": N_("Language"),
    "unseen": N_("Not checked against the book"),
    "place": N_("Position in the list of rule sets"),
    "country": N_("Country"),
    "past_prefix": N_("Lists of names skip the prefix"),
    "least_games": N_("Minimum number of games for an average or a percentage"),
    "tileset": N_("Tiles"),
    "most_players": N_("Maximum number of players at one table"),
    "first_word": N_("Least number of letters of the first word"),
    "draw.blank": N_("If a player draws a blank for the start"),
    "draw.again": N_("If players draw equal letters for the start"),
    "draw.returned": N_("Tiles go back before the next draw"),
    "board_turned": N_("Turn the board to the player whose turn it is"),
    "passing": N_("A player may pass"),
    "exchange.minimum": N_("Tiles in the bag for an exchange"),
    "bonus": N_("Points for seven tiles in one turn"),
    # words and challenges
    "phony.ruled": N_("The jury looks for wrong words after the play"),
    "phony.points": N_("Points for a wrong word, in addition to the turn"),
    "phony.per": N_("How these points are counted"),
    "contested.known": N_("A deliberately wrong word is replaced on protest"),
    "contested.points": N_("Points for a deliberately wrong word"),
    "challenge.mode": N_("What a lost challenge costs"),
    "challenge.withdrawn_is_pass": N_("A play removed by a challenge counts as a pass"),
    "challenge.points": N_("Points for a wrong challenge"),
    "challenge.beside_star": N_("A first play off the centre counts unless it is challenged"),
    "challenge.per": N_("How wrong challenges are counted"),
    "challenge.to": N_("Where the points of a wrong challenge go"),
    "words.binding": N_("The word list decides up to how many letters"),
    "words.marked": N_("Words with a hyphen or an apostrophe"),
    "words.short_lists": N_("Players may have lists of short words on the table"),
    # the clock
    "clock.minutes": N_("Minutes for each player"),
    "clock.recommended": N_("Minutes per player recommended by the book"),
    "clock.recommended_game": N_("Minutes per game recommended by the rule book"),
    "overtime.kind": N_("Overtime"),
    "overtime.points": N_("Points per started minute of overtime"),
    "overtime.limit": N_("Maximum overtime, in seconds"),
    "overtime.penalty": N_("Points for overtime beyond the maximum"),
    "overtime.margin": N_("Smallest margin of a game lost by overtime"),
    "late.known": N_("The clock of a late player runs"),
    "late.give_up": N_("A late player with fewer minutes than this may give up"),
    # the end of a game
    "ending.ends": N_("How a game ends"),
    "ending.other_row.kind": N_("Second series of turns that ends a game"),
    "ending.other_row.length": N_("Number of turns in the second series"),
    "ending.other_row.each": N_("Count the second series for each player"),
    "ending.row.kind": N_("Series of turns that ends a game"),
    "ending.row.length": N_("Number of turns in the series"),
    "ending.row.each": N_("Count the series for each player"),
    "ending.blocked_with_tiles": N_("No player can move: the game ends also with tiles in the bag"),
    "racks.out": N_("Tiles left when a player is out"),
    "recount.difference": N_("Largest difference that allows a recount"),
    # the ranking
    "order": N_("Order of ranking under {system}"),
    "order.other": N_("Order of ranking"),
    "match_points.win": N_("Match points for a win"),
    "match_points.draw": N_("Match points for a draw"),
    "match_points.loss": N_("Match points for a loss"),
    "team_match.win": N_("Team points for a won match of teams"),
    "team_match.draw": N_("Team points for a drawn match of teams"),
    "team_match.loss": N_("Team points for a lost match of teams"),
    "gibson.lead": N_("Safe lead in spread for each remaining round, at equal wins"),
    "spread.cap": N_("Largest spread that one game can bring"),
    "knockout.tie": N_("Who goes on after a tie in a knockout"),
    # byes and forfeits
    "byes.bye.counts_as": N_("A bye counts as"),
    "byes.bye.spread": N_("Spread of a bye"),
    "byes.bye.award.by": N_("Points that a bye adds to the total"),
    "byes.bye.award.points": N_("Fixed points of a bye"),
    "byes.requested.counts_as": N_("A requested bye counts as"),
    "byes.requested.spread": N_("Spread of a requested bye"),
    "byes.requested.award.by": N_("Points that a requested bye adds to the total"),
    "byes.requested.award.points": N_("Fixed points of a requested bye"),
    "byes.absent.counts_as": N_("Absence counts as"),
    "byes.absent.spread": N_("Spread for an absence"),
    "byes.absent.award.by": N_("Points that an absence adds to the total"),
    "byes.absent.award.points": N_("Fixed points of absence"),
    "byes.forfeit.counts_as": N_("A round forfeited in advance counts as"),
    "byes.forfeit.spread": N_("Spread of a round forfeited in advance"),
    "byes.forfeit.award.by": N_("Points that a round forfeited in advance adds to the total"),
    "byes.forfeit.award.points": N_("Fixed points of a round forfeited in advance"),
    "forfeit.margin": N_("Margin of a game given up or not played"),
    "forfeit.late": N_("Margin if the loser came too late; empty: the same"),
    "forfeit.walk_over": N_("Margin if the loser did not come; empty: the same"),
    "forfeit.rated": N_("A game given up counts for ratings"),
    "forfeit.booked": N_("A game given up counts as a start of the player who gave it up"),
    "forfeit.award.by": N_("Points that a win by forfeit adds to the total"),
    "forfeit.award.points": N_("Fixed points of a forfeit winner"),
    # the jury
    "judges.first": N_("Judges who rule on a challenge"),
    "judges.appeal": N_("Further judges on appeal"),
    "judges.reveals": N_("What the players are told"),
    "judges.check_first": N_("A round is paired only when the jury has checked all results"),
    "form.totals": N_("Running totals are noted"),
    "form.peg_row": N_("Points of a peg in the upper row of a rack"),
    "sanctions.named": N_("Sanctions"),
    "sanctions.points_from": N_("Points of a sanction are deducted"),
    "sanctions.disqualified_games": N_("Games that a disqualified player has played"),
    "tables.prefer": N_("Players at a table"),
    "tables.odd": N_("If one player has no opponent"),
    "tables.factor.three": N_("Factor for the points at a table of three"),
    "tables.factor.four": N_("Factor for the points at a table of four"),
    "tables.places.three": N_("Match points by place at a table of three"),
    "tables.places.four": N_("Match points by place at a table of four"),
    "tables.rated": N_("Tables of three and four count for ratings"),
    "scores.lowest": N_("Lowest plausible total of a player"),
    "scores.highest": N_("Highest plausible total of a player"),
    "scores.margin": N_("Widest plausible margin"),
    "scores.usual": N_("Usual totals of a player"),
    # the rules of a season
    "season.id": N_("Start from these rules"),
    "season.name": N_("Name of these rules"),
    "season.source": N_("Where the rules come from"),
    "season.value": N_("Value of an evening"),
    "season.places": N_("Points for places 1, 2, 3 and so on"),
    "season.scale": N_("Multiply the value of an evening by"),
    "season.combine": N_("How the total is computed"),
    "season.best": N_("Number of best results that count"),
    "season.expiry": N_("Days for which a result counts"),
    "season.ties": N_("Order of players with equal totals"),
    "season.least_events": N_("Minimum evenings for a rank"),
    "season.least_share": N_("Minimum share of all evenings"),
    "season.share_beyond": N_("The share applies after this number of evenings"),
    "season.least_games": N_("Minimum games for a rank"),
    "season.categories": N_("Categories with a separate table"),
    "season.apart": N_("Places of an evening are counted within the category"),
    "season.promoted": N_("Players who move up"),
    "season.relegated": N_("Players who move down"),
    "season.qualification.places": N_("Places that qualify, by number of players"),
    "season.qualification.handed_down": N_("The next player gets the place of an already qualified player"),
    "season.qualification.fill": N_("Players in the final"),
}

NOTES: Mapping[str, str] = {
    "id": N_("Choosing another rule book changes every rule below."),
    "past_prefix": N_("De Beer is under B, as in the Netherlands; otherwise under D, as in Belgium."),
    "exchange.minimum": N_("0: as many as are exchanged."),
    "phony.points": N_("0: only the turn’s score is lost."),
    "challenge.mode": N_("The player in the wrong loses the turn. Void: wrong words cannot be played."),
    "challenge.points": N_("0: a wrong challenge costs nothing. Used only if a lost challenge costs points."),
    "words.binding": N_("Empty: all words. A length stated by the word list comes first."),
    "clock.minutes": N_("Empty: no clock."),
    "clock.recommended": N_("The program warns about other times. Empty: no warning."),
    "clock.recommended_game": N_("The program warns about other times. Empty: no warning."),
    "overtime.limit": N_("300 is five minutes; then the game is lost. Empty: no limit."),
    "overtime.penalty": N_("These points replace the points per minute."),
    "recount.difference": N_("In points. Empty: no right to a recount."),
    "judges.appeal": N_("0: no appeal."),
    "gibson.lead": N_("Empty: the pairing states the possible gain of a game."),
    "spread.cap": N_("Empty: no cap. A division may have its own caps, by round."),
    "form.peg_row": N_("Empty: racks without pegs."),
    "scores.lowest": N_("The program asks about a total outside these two limits."),
    "scores.margin": N_("A phone result with a wider margin waits for the desk."),
    "scores.usual": N_(
        "If a total is outside this range, or the margin is wider, the result field asks you to confirm it."
    ),
    "order": N_("If empty, the order of the other systems applies."),
    "order.other": N_("For every system without a separate order. The first tie-break decides."),
    "match_points.win": N_("Fractions may be written: 1/2 or 0.5."),
    "tables.prefer": N_("0: all players at one table. 1: every player alone."),
    "tables.odd": N_("Only if two players sit at a table."),
    "tables.places.three": N_("For example: 1 1/2 0. Empty: the share of opponents beaten."),
    "tables.places.four": N_("For example: 3 2 1 0. Empty: the share of opponents beaten."),
    "season.id": N_("Choosing other rules changes every field below."),
    "season.source": N_("For example your club’s rules of 2026. Can stay empty."),
    "season.places": N_("For example: 10 8 6 5 4 3 2 1. Empty: one point for the last, one more for each place."),
    "season.scale": N_("4 with match points: four points for a win."),
    "season.combine": N_("The average is per evening. With points per game it is per game."),
    "season.best": N_("0: all results count."),
    "season.expiry": N_("0: results always count. 365: results count for a year."),
    "season.ties": N_("The first criterion that differs decides. Players who are still equal share the rank."),
    "season.least_events": N_("Players with fewer evenings are listed without a rank."),
    "season.least_share": N_("For example 1/3, rounded up. 0: no share."),
    "season.least_games": N_("Players with fewer games are listed without a rank."),
    "season.categories": N_("Best first, for example: A, B, C. Empty: one table for all."),
    "season.promoted": N_("Number of players who go up from each category after the season."),
    "season.relegated": N_("Number of players who go down from each category after the season."),
    "season.qualification.places": N_(
        "16: 2, 48: 3 gives two places from 16 players on, and three places from 48 players on."
    ),
    "season.qualification.fill": N_("The players with the highest ratings fill the free seats. 0: no final."),
}
