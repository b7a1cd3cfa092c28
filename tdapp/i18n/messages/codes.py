"""Words for codes such as `ConstraintKind.never`, and the names and notes of rule parameters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tdapp.domain.player_fields import LIST_FIELDS
from tdapp.domain.systems import PAIRING_SYSTEMS
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.domain.translatable import C_, N_

# Kinds whose values are plain text in tables and files. The first kind with a value counts.
PLAIN_KINDS = (
    "ResultState", "RoundState", "ByeKind", "Outcome", "StartDecision", "Avoided", "ConstraintKind", "system",
    "Counted", "StepGroup", "Status", "CheckInState", "MemberPresence", "PrizeStatus", "QualificationStatus",
    "Cost", "Relaxed", "Seeding", "WordVerdict", "SanctionKind", "Ruling", "UnplayedRoundCounting", "IncidentKind",
    "TurnKind", "Doubt", "Account", "PrintoutState", "PrizeKind", "Figure", "TournamentFormat",
    "ScoreGroupPairing", "RankingQuarterPairing",
)  # fmt: skip

_CODES: Mapping[str, str] = {
    # states of a result
    "ResultState.open": C_("state of a result", "open"),
    "ResultState.entered": C_("state of a result", "entered"),
    "ResultState.disputed": C_("state of a result", "disputed"),
    "ResultState.checked": C_("state of a result", "checked"),
    "ResultState.final": C_("state of a result", "final"),
    # states of a round
    "RoundState.draft": C_("state of a round", "draft"),
    "RoundState.published": C_("state of a round", "published"),
    # purposes of a station
    "Role.director": C_("station", "director"),
    "Role.entry": C_("station", "entry desk"),
    "Role.jury": C_("station", "jury desk"),
    "Role.display": C_("station", "display"),
    # views of the public display
    "DisplayView.tables": N_("Pairings by table"),
    "DisplayView.names": N_("Pairings by name"),
    "DisplayView.standings": N_("Standings"),
    "DisplayView.bracket": N_("Bracket"),
    "DisplayView.clock": N_("Round clock"),
    "DisplayView.prizes": N_("Prize-giving"),
    "DisplayView.news": N_("News"),
    "DisplayView.featured": N_("Featured table"),
    # states of the round clock
    "ClockState.ready": C_("round clock", "Not started"),
    "ClockState.running": C_("round clock", "Running"),
    "ClockState.soon": C_("round clock", "Nearly over"),
    "ClockState.paused": C_("round clock", "Paused"),
    "ClockState.over": C_("round clock", "Time is up"),
    # rounds without a game
    "ByeKind.bye": C_("round without a game", "bye"),
    "ByeKind.requested": C_("round without a game", "requested bye"),
    "ByeKind.absent": C_("round without a game", "absent"),
    "ByeKind.forfeit": C_("round without a game", "forfeit"),
    # sides of a forfeit
    "GameSide.1": N_("forfeit by the first player"),
    "GameSide.2": N_("forfeit by the second player"),
    "GameSide.both": N_("forfeit by both"),
    # decisions by something other than points
    "DecisionReason.tie": C_("what decided a game if the points did not", "tie"),
    "DecisionReason.time": C_("what decided a game if the points did not", "time"),
    "DecisionReason.sanction": C_("what decided a game if the points did not", "sanction"),
    "DecisionReason.forfeit": C_("what decided a game if the points did not", "forfeit"),
    # causes of a forfeit
    "ForfeitCause.late": C_("why a game was forfeited", "arrived too late"),
    "ForfeitCause.walk-over": C_("why a game was forfeited", "did not turn up"),
    # ways to choose the starter
    "StartDecision.assigned": C_("who starts", "set by the pairing"),
    "StartDecision.draw": C_("who starts", "not drawn yet"),
    "StartDecision.drawn": C_("who starts", "decided by drawing tiles"),
    # values of a round without a game
    "Outcome.win": C_("what a missed round counts as", "win"),
    "Outcome.draw": C_("result", "draw"),
    "Outcome.loss": C_("what a missed round counts as", "loss"),
    "Outcome.nothing": C_("what a missed round counts as", "nothing"),
    # orders of a score group
    "ScoreGroupPairing.slide": C_("who meets whom in a score group", "top half against bottom half"),
    "ScoreGroupPairing.fold": C_("who meets whom in a score group", "first against last"),
    "ScoreGroupPairing.adjacent": C_("who meets whom in a score group", "neighbours"),
    "ScoreGroupPairing.random": N_("drawn by lot"),
    # pairs of quarters of the field
    "RankingQuarterPairing.1-2/3-4": C_(
        "which quarters of the players meet", "quarter 1 against 2, quarter 3 against 4"
    ),
    "RankingQuarterPairing.1-3/2-4": C_(
        "which quarters of the players meet", "quarter 1 against 3, quarter 2 against 4"
    ),
    "RankingQuarterPairing.1-4/2-3": C_(
        "which quarters of the players meet", "quarter 1 against 4, quarter 2 against 3"
    ),
    # things to avoid in pairings
    "Avoided.club": C_("opponents to avoid: the same", "club"),
    "Avoided.country": C_("opponents to avoid: the same", "country"),
    "Avoided.team": C_("opponents to avoid: the same", "team"),
    "Avoided.category": C_("opponents to avoid: the same", "category"),
    # constraints on two players
    "ConstraintKind.never": C_("pairing constraint on two players", "never pair"),
    "ConstraintKind.apart": C_("pairing constraint on two players", "keep apart"),
    "ConstraintKind.together": C_("pairing constraint on two players", "must meet"),
    # tournament formats
    "TournamentFormat.one-system": N_("One system for all rounds"),
    "TournamentFormat.swiss-then-hill": N_("Swiss, king of the hill in the last round"),
    "TournamentFormat.swiss-then-knockout": N_("Swiss, then a knockout for the top players"),
    "TournamentFormat.swiss-then-final": N_("Swiss, then a three-game final"),
    "TournamentFormat.groups-then-knockout": N_("Groups, then a knockout"),
    "TournamentFormat.groups-swiss-knockout": N_("Groups, then Swiss, then a knockout"),
    # results that count in a stage
    "Counted.carried-on": C_("results of earlier stages", "earlier results count"),
    "Counted.anew": C_("results of earlier stages", "start from zero"),
    "Counted.play-off-only": C_("results of earlier stages", "only the play-off counts"),
    # values of an evening in a season
    "EveningResultMeasure.place": C_("points of an evening in a season", "points for the place"),
    "EveningResultMeasure.field": C_(
        "points of an evening in a season", "percentage of players who finished lower"
    ),
    "EveningResultMeasure.match-points": C_("points of an evening in a season", "match points"),
    "EveningResultMeasure.points": C_("points of an evening in a season", "points"),
    "EveningResultMeasure.average": C_("points of an evening in a season", "points per game"),
    "EveningResultMeasure.spread": C_("points of an evening in a season", "spread"),
    "EveningResultMeasure.top": C_(
        "points of an evening in a season", "percentage of the evening’s highest total"
    ),
    "EveningResultMeasure.placing": C_("points of an evening in a season", "one point for a qualifying place"),
    "SeasonTotalMethod.sum": C_("total of a season", "sum"),
    "SeasonTotalMethod.average": C_("total of a season", "average"),
    # tie-breaks of a season
    "SeasonTieBreak.next-best": C_("decides between equal totals of a season", "best results, one by one"),
    "SeasonTieBreak.events": C_("decides between equal totals of a season", "more evenings"),
    "SeasonTieBreak.spread": C_("decides between equal totals of a season", "spread"),
    "SeasonTieBreak.head-to-head": C_(
        "decides between equal totals of a season", "games between the tied players"
    ),
    "SeasonTieBreak.latest": C_("decides between equal totals of a season", "the latest evening"),
    "SeasonTieBreak.places": C_(
        "decides between equal totals of a season", "more first places, then second places"
    ),
    "SeasonTieBreak.average": C_("decides between equal totals of a season", "points per game"),
    # reasons for uncounted results in a season
    "SeasonCellState.counts": C_("result in a season", "counts"),
    "SeasonCellState.lower": C_("result in a season", "dropped because other results are higher"),
    "SeasonCellState.spread": C_("result in a season", "dropped because of its smaller spread"),
    "SeasonCellState.earlier": C_("result in a season", "dropped because a newer result is just as high"),
    "SeasonCellState.expired": C_("result in a season", "expired"),
    # changes of category after a season
    "PromotionOrRelegation.up": C_("category after a season", "promoted"),
    "PromotionOrRelegation.down": C_("category after a season", "relegated"),
    # reasons for a snapshot
    "SnapshotReason.start": C_("when a snapshot was taken", "at opening"),
    "SnapshotReason.pairing": C_("when a snapshot was taken", "before a pairing"),
    "SnapshotReason.time": C_("when a snapshot was taken", "at intervals"),
    "SnapshotReason.named": C_("when a snapshot was taken", "by hand"),
    "SnapshotReason.copy": C_("when a snapshot was taken", "second copy"),
    "SnapshotReason.migration": C_("when a snapshot was taken", "before upgrading to a newer version of tdapp"),
    # kinds of steps
    "StepGroup.results": N_("Results"),
    "StepGroup.rounds": N_("Rounds"),
    "StepGroup.jury": N_("Jury"),
    "StepGroup.players": N_("Players"),
    "StepGroup.settings": C_("group of actions", "Settings"),
    # states of a player before the next round
    "Status.active": C_("player", "active"),
    "Status.withdrawn": C_("player", "withdrawn"),
    "Status.disqualified": C_("player", "disqualified"),
    # attendance
    "MemberPresence.here": C_("club member tonight", "here"),
    "MemberPresence.gone": C_("club member tonight", "has left"),
    "MemberPresence.not-here": C_("club member tonight", "not here"),
    "CheckInState.present": C_("player before a round", "present"),
    "CheckInState.missing": C_("player before a round", "missing"),
    "CheckInState.away": C_("player before a round", "not in this round"),
    # certainty of a prize
    "QualificationStatus.through": C_("chance to qualify", "qualified"),
    "QualificationStatus.in-reach": C_("chance to qualify or of a prize", "still possible"),
    "QualificationStatus.out": C_("chance to qualify", "eliminated"),
    "PrizeStatus.decided": C_("chance of a prize", "place decided"),
    "PrizeStatus.safe": C_("chance of a prize", "prize certain"),
    "PrizeStatus.in-reach": C_("chance to qualify or of a prize", "still possible"),
    "PrizeStatus.out-of-reach": C_("chance of a prize", "no prize"),
    # pairing criteria
    "Cost.repeats": C_("players who meet again", "repeats"),
    "Cost.guard": C_("cost of a pairing", "unbalanced starts"),
    "Cost.score_difference": C_("cost of a pairing", "score difference"),
    "Cost.floats": C_("cost of a pairing", "floats the same way again"),
    "Cost.avoid": C_("cost of a pairing", "same club, country, team or category"),
    "Cost.style": C_("cost of a pairing", "pairing style"),
    # relaxed rules in a large field
    "Relaxed.coarse-repeats": C_(
        "limits of a pairing", "very high numbers of earlier meetings all counted the same"
    ),
    "Relaxed.coarse-style": C_("limits of a pairing", "the pairing style was followed only approximately"),
    "Relaxed.coarse-chance": C_(
        "limits of a pairing", "equally good pairings did not have exactly the same chance to be chosen"
    ),
    "Relaxed.best-exchange": C_(
        "limits of a pairing", "no swap of two players would be better; other changes were not tried"
    ),
    "Relaxed.cheapest-only": C_(
        "limits of a pairing", "only the most suitable opponents for each player were considered"
    ),
    "Relaxed.reset-later": C_("limits of a pairing", "players who met in the first rounds could meet again"),
    "Relaxed.no-accessible-table": C_("limits of a pairing", "too few accessible tables"),
    "Relaxed.fixed-table-taken": C_("limits of a pairing", "a player’s fixed table is already in use"),
    "Relaxed.neighbours-only": C_("limits of a pairing", "only players with neighbouring ranks were considered"),
    "Relaxed.fewer-simulations": C_("limits of a pairing", "fewer simulations because there are many players"),
    "Relaxed.prize-last-round": C_("limits of a pairing", "king of the hill was not possible in the last round"),
    "Relaxed.prize-class": C_(
        "limits of a pairing", "games between the contenders for category prizes were not possible"
    ),
    "Relaxed.prize-control": C_(
        "limits of a pairing", "the leader could not meet a player who needs that game to win the tournament"
    ),
    "Relaxed.prize-factor": C_(
        "limits of a pairing", "players three places apart (1–4, 2–5 and 3–6) could not meet"
    ),
    "Relaxed.prize-groups": C_(
        "limits of a pairing", "two players on different sides of a decided place had to meet"
    ),
    "Relaxed.prize-bye": C_("limits of a pairing", "the bye could not go to the player chosen by the rules"),
    # the forms of a knockout
    "EliminationKind.single": C_("form of a knockout", "single elimination"),
    "EliminationKind.classification": C_("form of a knockout", "games for every place"),
    "EliminationKind.consolation": C_("form of a knockout", "with a consolation bracket"),
    "EliminationKind.double": C_("form of a knockout", "double elimination"),
    # sources of seeds
    "Seeding.seeds-standings": C_("seeds of a knockout", "from the standings"),
    "Seeding.seeds-rating": C_("seeds of a knockout", "from the ratings"),
    "Seeding.seeds-lot": C_("seeds of a knockout", "drawn by lot"),
    # tie rules of a knockout
    "SheetField.player": C_("field of a score sheet", "player"),
    "SheetField.kind": C_("field of a score sheet", "kind of turn"),
    "SheetField.at": C_("field of a score sheet", "square"),
    "SheetField.word": C_("field of a score sheet", "word"),
    "SheetField.score": C_("field of a score sheet", "score"),
    "SheetField.total": C_("field of a score sheet", "total"),
    "SheetField.tiles": C_("field of a score sheet", "tiles"),
    "SheetField.ended": C_("field of a score sheet", "how the game ended"),
    "SheetField.flag": C_("field of a score sheet", "the player whose time ran out"),
    "SheetField.forfeit": C_("field of a score sheet", "player who forfeited"),
    "SheetField.racks": C_("field of a score sheet", "racks"),
    "SheetField.rack_values": C_("field of a score sheet", "value of the racks"),
    "SheetField.overtime_seconds": C_("field of a score sheet", "seconds of overtime"),
    "SheetField.final": C_("field of a score sheet", "final scores"),
    "OddPlayerRule.bye": C_("if the number of players is odd", "a bye"),
    "OddPlayerRule.three": C_("if the number of players is odd", "one table of three"),
    "OddPlayerRule.average": C_("if the number of players is odd", "a bye worth the player’s average score"),
    "UnplayedRoundPointsSource.fixed": C_("points for a round without a game", "a fixed number of points"),
    "UnplayedRoundPointsSource.own-average": C_(
        "points for a round without a game",
        "the average of the player’s earlier games; in the first round, the average of all players",
    ),
    "UnplayedRoundPointsSource.stage-average": C_(
        "points for a round without a game",
        "the average of the player’s games in the stage; with no games, the average of all players",
    ),
    "UnplayedRoundPointsSource.field-average": C_(
        "points for a round without a game", "the average of all players in the round"
    ),
    "KnockoutTieResolution.replier": C_("winner of a tie in a knockout", "the player who did not start"),
    "KnockoutTieResolution.extra-game": C_("winner of a tie in a knockout", "an extra game"),
    # series of turns that end a game
    "TurnsThatCanEndGame.passes": C_("turns in a row that end a game", "passes"),
    "TurnsThatCanEndGame.scoreless": C_("turns in a row that end a game", "turns that add no tiles to the board"),
    "TurnsThatCanEndGame.none": C_("turns in a row that end a game", "none"),
    # game ends
    "GameEnding.open": C_("how a game ends", "open"),
    "GameEnding.forfeit": C_("how a game ends", "forfeit"),
    "GameEnding.out": C_("how a game ends", "a player has no tiles left"),
    "GameEnding.passes": C_("how a game ends", "a series of passes"),
    "GameEnding.blocked": C_("how a game ends", "no player can move"),
    "GameEnding.flag": C_("how a game ends", "a player’s time has run out"),
    "GameEnding.time": C_("how a game ends", "the playing time is over"),
    "GameEnding.overtime": C_("how a game ends", "too much overtime"),
    # rules for passing
    "PassPermission.always": C_("when a player may pass", "at any time"),
    "PassPermission.empty-bag": C_("when a player may pass", "only when the bag is empty"),
    "PassPermission.not-twice": C_("when a player may pass", "not twice in a row"),
    # units of a penalty
    "PenaltyUnit.turn": C_("how often a penalty counts", "once for each play"),
    "PenaltyUnit.word": C_("how often a penalty counts", "for each word"),
    # stakes of a challenge
    "ChallengeMode.void": C_("what a wrong challenge costs", "no challenges (void challenge)"),
    "ChallengeMode.points": C_("what a wrong challenge costs", "points, or nothing (single challenge)"),
    "ChallengeMode.double": C_("what a wrong challenge costs", "a turn (double challenge)"),
    "ChallengeMode.triple": C_("what a wrong challenge costs", "the game (triple challenge)"),
    # receivers of the points for a wrong challenge
    "ChallengePointsReceiver.nobody": C_("points for a wrong challenge", "deducted from the challenger"),
    "ChallengePointsReceiver.opponent": C_("points for a wrong challenge", "credited to the opponent"),
    # overtime
    "OvertimeKind.none": C_("overtime", "no overtime rule"),
    "OvertimeKind.flag": C_("overtime", "the game is lost"),
    "OvertimeKind.minutes": C_("overtime", "points per minute or part of a minute"),
    # tiles left when a player is out
    "RackPointsReceiver.transfer": C_(
        "points of unplayed tiles", "deducted, and credited to the player who went out"
    ),
    "RackPointsReceiver.double": C_(
        "points of unplayed tiles", "twice their value credited to the player who went out"
    ),
    "RackPointsReceiver.own": C_("points of unplayed tiles", "deducted from their owners"),
    # the draw for the start
    "StartingDrawBlankRule.first": C_("draw for the start", "a blank goes before A"),
    "StartingDrawBlankRule.redrawn": C_("draw for the start", "after a blank, all draw again"),
    "PlayersWhoDrawAgain.all": C_("draw for the start", "all draw again"),
    "PlayersWhoDrawAgain.tied": C_("draw for the start", "the players with the same letter draw again"),
    # contents of a verdict
    "RulingDetailForPlayers.verdict": C_("answer to a challenge", "one verdict for the play"),
    "RulingDetailForPlayers.words": C_("answer to a challenge", "a verdict for each word"),
    # occasions to check a play
    "WordCheckReason.protest": C_("when a play is checked", "protest by the opponent"),
    "WordCheckReason.jury": C_("when a play is checked", "checked by the jury"),
    # verdicts of a word list
    "WordVerdict.valid": C_("word judged by the word list", "valid"),
    "WordVerdict.invalid": C_("word judged by the word list", "not valid"),
    "WordVerdict.not-binding": C_("word judged by the word list", "the jury decides"),
    # reasons for skipped lines of a word list
    "RejectedWordReason.comment": C_("why a line of a word list gives no word", "a comment"),
    "RejectedWordReason.heading": C_("why a line of a word list gives no word", "a heading"),
    "RejectedWordReason.formless": C_(
        "why a line of a word list gives no word",
        "the dictionary marks the word as forbidden, or as only a part of other words",
    ),
    "RejectedWordReason.space": C_("why a line of a word list gives no word", "the word has a space"),
    "RejectedWordReason.digit": C_("why a line of a word list gives no word", "the word has a digit"),
    "RejectedWordReason.name": C_(
        "why a line of a word list gives no word", "the word has a capital letter, so it is a name"
    ),
    "RejectedWordReason.sign": C_(
        "why a line of a word list gives no word", "the word has a character that is not on any tile"
    ),
    "RejectedWordReason.short": C_("why a line of a word list gives no word", "the word is too short"),
    "RejectedWordReason.long": C_("why a line of a word list gives no word", "the word is too long"),
    "RejectedWordReason.repeated": C_(
        "why a line of a word list gives no word", "an earlier line has the same word"
    ),
    # words with a hyphen or an apostrophe
    "HyphenAndApostropheRule.allowed": C_("words with a hyphen or an apostrophe", "allowed"),
    "HyphenAndApostropheRule.forbidden": C_("words with a hyphen or an apostrophe", "not allowed"),
    # running totals on a sheet
    "RunningTotalsRequirement.always": C_("when players note the totals", "after every turn"),
    "RunningTotalsRequirement.while-bag": C_("when players note the totals", "while there are tiles in the bag"),
    "RunningTotalsRequirement.optional": C_("when players note the totals", "as the players choose"),
    # sanctions
    "SanctionKind.warning": C_("sanction", "warning"),
    "SanctionKind.points": C_("sanction", "points deducted"),
    "SanctionKind.time": C_("sanction", "time penalty"),
    "SanctionKind.turn": C_("sanction", "lost turn"),
    "SanctionKind.game": C_("sanction", "lost game"),
    "SanctionKind.margin": C_("sanction", "deduction from the total spread"),
    "SanctionKind.disqualified": C_("sanction", "disqualification"),
    "SanctionKind.team-points": C_("sanction", "team points deducted"),
    # the jury's rulings on turns
    "Ruling.ruled-wrong": C_("line of the jury's log", "word ruled invalid"),
    "Ruling.ruled-valid": C_("line of the jury's log", "word ruled valid"),
    "Ruling.result-entered": C_("line of the jury's log", "result entered"),
    "Ruling.result-corrected": C_("line of the jury's log", "result corrected"),
    "Ruling.result-cleared": C_("line of the jury's log", "result cleared"),
    "Ruling.sheet-entered": C_("line of the jury's log", "score sheet"),
    "Ruling.sheet-cleared": C_("line of the jury's log", "score sheet cleared"),
    "Ruling.sanction-removed": C_("line of the jury's log", "sanction removed"),
    "Ruling.verdict-decided": C_("line of the jury's log", "verdict from the judge screen"),
    "Ruling.appeal": C_("line of the jury's log", "appeal"),
    "Ruling.challenge-removed": C_("line of the jury's log", "challenge removed"),
    # forms of names in public
    "PublicNameFormat.full": C_("names shown to the public", "full names"),
    "PublicNameFormat.initial": C_("names shown to the public", "first name and initial"),
    "PublicNameFormat.number": C_("names shown to the public", "numbers only"),
    # rounds without a game in resistance points
    "UnplayedRoundCounting.plain": C_("resistance points of a round without a game", "only the opponents’ points"),
    "UnplayedRoundCounting.fide-2009": C_("resistance points of a round without a game", "FIDE 2009"),
    "UnplayedRoundCounting.fide-2024": C_("resistance points of a round without a game", "FIDE 2024"),
    "UnplayedRoundCounting.fide-2026": C_("resistance points of a round without a game", "FIDE 2026"),
    # incidents
    "IncidentKind.extra-time": C_("incident", "extra time"),
    "IncidentKind.late": C_("incident", "arrived late"),
    "IncidentKind.clock": C_("incident", "problem with the clock"),
    "IncidentKind.tiles": C_("incident", "problem with the tiles"),
    "IncidentKind.conduct": C_("incident", "conduct"),
    "IncidentKind.illness": C_("incident", "illness"),
    "IncidentKind.complaint": C_("incident", "complaint"),
    "IncidentKind.other": C_("incident", "other"),
    "SanctionPointsSource.game": C_("where points are deducted", "from the score of the game"),
    "SanctionPointsSource.tournament": C_("where points are deducted", "from the tournament total"),
    "DisqualifiedGamesRule.kept": C_("games of a disqualified player", "they count for the opponents"),
    "DisqualifiedGamesRule.forfeited": C_("games of a disqualified player", "the opponents win them by forfeit"),
    # turns of a sheet
    "TurnKind.play": C_("turn of a score sheet", "play"),
    "TurnKind.exchange": C_("turn of a score sheet", "exchange"),
    "TurnKind.pass": C_("turn of a score sheet", "pass"),
    "TurnKind.withdrawn": C_("turn of a score sheet", "play taken back"),
    "TurnKind.lost-turn": C_("turn of a score sheet", "turn lost"),
    "TurnKind.failed-challenge": C_("turn of a score sheet", "wrong challenge"),
    # states of doubtful words
    "Doubt.doubt": C_("note at a game in the jury's list", "in doubt"),
    "Doubt.differs": C_("note at a game in the jury's list", "sheet differs"),
    "Doubt.verdict": C_("note at a game in the jury's list", "challenge open"),
    "Doubt.doubt-open": C_("word judged by the word list or the jury", "in doubt"),
    "Doubt.doubt-jury": C_("word judged by the word list or the jury", "jury decides"),
    "Doubt.doubt-wrong": C_("word judged by the word list or the jury", "invalid"),
    "Doubt.doubt-stands": C_("word judged by the word list or the jury", "valid"),
    # parts of a player's score
    "Account.account-turns": C_("where points come from", "turns"),
    "Account.account-phonies": C_("where points come from", "invalid words"),
    "Account.account-racks": C_("where points come from", "racks"),
    "Account.account-overtime": C_("where points come from", "overtime"),
    "Account.account-challenges": C_("where points come from", "challenges"),
    "Account.account-sanctions": C_("where points come from", "sanctions"),
    # occasions for printing
    "PrintingMoment.before": C_("when reports are printed", "before the first round"),
    "PrintingMoment.round": C_("when reports are printed", "when a round is paired"),
    "PrintingMoment.after": C_("when reports are printed", "after a round"),
    "PrintingMoment.end": C_("when reports are printed", "at the end"),
    # purposes of printouts
    "ReportGroup.round": C_("reports", "for a round"),
    "ReportGroup.after": C_("reports", "after a round"),
    "ReportGroup.event": C_("reports", "for the tournament"),
    "ReportGroup.jury": C_("reports", "for the jury"),
    "ReportGroup.form": C_("reports", "cards and forms"),
    # states of a printout
    "PrintoutState.printed": C_("report", "printed"),
    "PrintoutState.part": C_("report", "partly printed"),
    "PrintoutState.stale": C_("report", "changed after printing"),
    "PrintoutState.waived": C_("report", "changed, no reprint needed"),
    "PrintoutState.unprinted": C_("report", "not printed"),
    # kinds of prizes
    "PrizeKind.rank": C_("prize", "place"),
    "PrizeKind.category": C_("prize", "place in category"),
    "PrizeKind.high-game": C_("prize", "high game"),
    "PrizeKind.high-loss": C_("prize", "high loss"),
    "PrizeKind.high-play": C_("prize", "highest play"),
    "PrizeKind.big-win": C_("prize", "biggest win"),
    "PrizeKind.lucky-stiff": C_("prize", "lucky stiff"),
    "PrizeKind.tuff-luck": C_("prize", "tuff luck"),
    "PrizeKind.hand": C_("prize", "awarded by the director"),
    # kinds of records
    "AchievementKind.high-game": C_("record", "high game"),
    "AchievementKind.high-loss": C_("record", "high loss"),
    "AchievementKind.high-play": C_("record", "highest play"),
    "AchievementKind.big-win": C_("record", "biggest win"),
    "AchievementKind.streak": C_("record", "wins in a row"),
    # scopes of records
    "RecordScope.listed": C_("kind of news about a result", "record"),
    "RecordScope.event": C_("kind of news about a result", "best of the event so far"),
    "RecordScope.own-listed": C_("kind of news about a result", "personal best"),
    "RecordScope.own": C_("kind of news about a result", "this player’s best so far"),
    # statistics
    "Figure.games-played": C_("statistics", "games played"),
    "Figure.average-score": C_("statistics", "average score"),
    "Figure.average-win": C_("statistics", "average winning score"),
    "Figure.average-loss": C_("statistics", "average losing score"),
    "Figure.average-margin": C_("statistics", "average margin"),
    "Figure.best-first": C_("statistics", "how often the strongest player wins"),
    "Figure.best-three": C_("statistics", "how often the strongest player finishes in the top three"),
    "Figure.rounds-played": C_("statistics", "rounds played"),
    "Figure.seconds": C_("statistics", "hours of play, excluding breaks"),
    "Figure.slips": C_("statistics", "result slips (one per game)"),
    "Figure.sheets": C_("statistics", "score sheets"),
    "Figure.repeats": C_("players who meet again", "repeats"),
    "Figure.float-games": C_("statistics", "games between score groups"),
    "Figure.byes": C_("statistics", "byes"),
    "Figure.starts-won": C_("statistics", "games won by the player who started"),
    # data that a file format can lose
    **{f"ExportedField.{field.name}": field.warning_name for field in LIST_FIELDS},
    "DataKind.order": C_("what a file cannot hold", "the ranking order"),
    "DataKind.spread_caps": C_("what a file cannot hold", "spread caps"),
    "DataKind.times": C_("what a file cannot hold", "round times"),
    "DataKind.absences": C_("what a file cannot hold", "future absences"),
    "DataKind.tables": C_("what a file cannot hold", "table numbers"),
    "DataKind.forfeits": C_("what a file cannot hold", "forfeited games (exported as byes)"),
    "DataKind.knockout": C_("what a file cannot hold", "the knockout (its bracket and places)"),
    "DataKind.sheets": C_("what a file cannot hold", "score sheets"),
    "DataKind.sanctions": C_("what a file cannot hold", "sanctions"),
    "DataKind.constraints": C_("what a file cannot hold", "pairing constraints"),
    "DataKind.logs": C_("what a file cannot hold", "incidents and challenges"),
    "DataKind.prizes": C_("what a file cannot hold", "prizes"),
    "DataKind.draft": C_("what a file cannot hold", "the draft of a round"),
    "DataKind.access": C_("what a file cannot hold", "who needs an accessible table"),
    "DataKind.shown_as": C_("what a file cannot hold", "the names shown to the public"),
    # effects of an imported line
    "ImportRowAction.add": C_("what to do with a line of an imported list", "add"),
    "ImportRowAction.change": C_("what to do with a line of an imported list", "change"),
    "ImportRowAction.skip": C_("what to do with a line of an imported list", "leave out"),
    # a line of a list with the present players
    "ImportedPlayerStatus.new": C_("line of an imported list", "New"),
    "ImportedPlayerStatus.same": C_("line of an imported list", "Unchanged"),
    "ImportedPlayerStatus.rating": C_("line of an imported list", "Rating differs"),
    "ImportedPlayerStatus.changed": C_("line of an imported list", "Changed"),
    "ImportedPlayerStatus.conflict": C_("line of an imported list", "Unclear which player"),
    # reports
    "report.bracket": N_("Bracket"),
    "report.break-up": N_("Break-up game"),
    "report.bulletin": N_("Bulletin"),
    "report.crosstable": N_("Crosstable"),
    "report.matrix": N_("Crosstable by opponent"),
    "report.wall-chart": N_("Wall chart"),
    "report.score-sheets": N_("Score sheet forms"),
    "report.place-cards": C_("printout: a card with the name in front of each player", "Place cards"),
    "report.table-cards": N_("Table cards"),
    "report.badges": N_("Badges"),
    "report.labels": C_("printout: sticky labels with names", "Labels"),
    "report.certificates": N_("Certificates"),
    "report.sanctions": N_("Sanctions and rulings"),
    "report.rulings": C_("printout: decisions of the jury", "Rulings"),
    "report.incidents": N_("Incidents"),
    "report.challenge-slips": N_("Challenge slips"),
    "report.challenges": N_("Challenges"),
    "report.doubtful-words": N_("Words in doubt"),
    "report.short-words": N_("Two- and three-letter words"),
    "report.history": N_("History"),
    "report.pairings-by-table": N_("Pairings by table"),
    "report.pairings-by-name": N_("Pairings by name"),
    "report.everybody-by-name": N_("Players in all divisions"),
    "report.schedule": N_("Schedule"),
    "report.players": N_("Players"),
    "report.players-by-name": N_("Players by name"),
    "report.players-by-club": N_("Players by club"),
    "report.fees": N_("Entry fees"),
    "report.check-in": N_("Check-in list"),
    "report.standings": N_("Standings"),
    "report.teams": N_("Teams"),
    "report.team-matches": N_("Team matches"),
    "report.ratings": N_("Ratings"),
    "report.prizes": N_("Prizes"),
    "report.statistics": N_("Statistics"),
    "report.averages": N_("Averages"),
    "report.chances": N_("Chances"),
    "report.balance": N_("Balance of starts, repeats and byes"),
    "report.season": N_("Season"),
    "report.season-years": N_("Evenings of each member"),
    "report.season-ratings": N_("Season ratings"),
    "report.slips": N_("Result slips"),
    "report.slips-blank": N_("Result slips, blank"),
    "report.scorecards": N_("Scorecards"),
    "report.scorecards-blank": N_("Scorecards, blank"),
}

# Names and notes of the rating systems in resources/ratings. Proper names are not translated.
RATING_TEXTS = frozenset(
    {
        N_("Elo, performance by the rule of 400"),
        N_("Elo as in chess (FIDE)"),
        N_("Norway (as in tsh)"),
        N_("WESPA (as in tsh)"),
        N_("The normal distribution replaces FIDE’s table 8.1. The rules for young players are left out."),
        N_("The federation’s own list can differ: it also uses how certain a rating is."),
    }
)

# Names of the season rules in resources/seasons. Proper names are not translated.
SEASON_TEXTS = frozenset({N_("Best 4 evenings"), N_("Average per game"), N_("London league")})


@cache
def load_pairing_reasons() -> Mapping[str, str]:
    from tdapp.pairing import REASONS  # noqa: PLC0415

    return REASONS


SHORT_NAMES: Mapping[str, str] = {tiebreak.text_id: tiebreak.short_name for tiebreak in TIEBREAKS.values()}
FULL_NAMES: Mapping[str, str] = {tiebreak.text_id: tiebreak.name for tiebreak in TIEBREAKS.values()}
CODES: Mapping[str, str] = {**_CODES, **{system.text_id: system.name for system in PAIRING_SYSTEMS.values()}}
KINDS = frozenset(key.partition(".")[0] for key in CODES)
_PRIORITIES = {kind: priority for priority, kind in enumerate(reversed(PLAIN_KINDS))}
# Texts of values without a kind. The first of PLAIN_KINDS with that value wins.
PLAIN_TEXTS: Mapping[str, str] = {
    key.partition(".")[2]: text
    for key, text in sorted(CODES.items(), key=lambda item: _PRIORITIES.get(item[0].partition(".")[0], 0))
    if key.partition(".")[0] in _PRIORITIES
}


# By parameter path.
RULES: Mapping[str, str] = {
    "id": N_("Rule book that these rules come from"),
    "name": N_("Name of these rules"),
    "language": N_("Language"),
    "unseen": N_("Rules not checked against the rule book"),
    "place": N_("Position in the list of rule sets"),
    "country": N_("Country"),
    "past_prefix": N_("Names are sorted without the prefix"),
    "least_games": N_("Minimum number of games for an average or a percentage"),
    "tileset": N_("Tile set"),
    "most_players": N_("Maximum number of players at one table"),
    "first_word": N_("Minimum number of letters in the first word"),
    "draw.blank": N_("Blanks in the draw for the first turn"),
    "draw.again": N_("If players draw the same letter for the first turn"),
    "draw.returned": N_("Drawn tiles go back into the bag before a second draw"),
    "board_turned": N_("Turn the board to face the player whose turn it is"),
    "passing": N_("A player may pass"),
    "exchange.minimum": N_("Minimum number of tiles in the bag for an exchange"),
    "bonus": N_("Bonus points for playing all seven tiles in one turn"),
    # words and challenges
    "phony.ruled": N_("The jury looks for invalid words after the game"),
    "phony.points": N_("Points lost for an invalid word, in addition to the turn’s score"),
    "phony.per": N_("Points lost for invalid words: per turn or per word"),
    "contested.known": N_("An invalid word played on purpose must be replaced if the opponent protests"),
    "contested.points": N_("Points lost for an invalid word played on purpose"),
    "challenge.mode": N_("What a wrong challenge costs"),
    "challenge.withdrawn_is_pass": N_("A play removed by a challenge counts as a pass"),
    "challenge.points": N_("Points that a wrong challenge costs"),
    "challenge.beside_star": N_("A first play that does not cover the centre counts unless it is challenged"),
    "challenge.per": N_("A wrong challenge counts"),
    "challenge.to": N_("The points for a wrong challenge are"),
    "words.binding": N_("The word list decides on words of up to this many letters"),
    "words.marked": N_("Words with a hyphen or an apostrophe"),
    "words.short_lists": N_("Players may have lists of short words on the table"),
    # the clock
    "clock.minutes": N_("Minutes for each player"),
    "clock.recommended": N_("Minutes per player recommended by the rule book"),
    "clock.recommended_game": N_("Minutes per game recommended by the rule book"),
    "overtime.kind": N_("Overtime"),
    "overtime.points": N_("Points lost for each minute of overtime, or part of a minute"),
    "overtime.limit": N_("Maximum overtime, in seconds"),
    "overtime.penalty": N_("Points lost if overtime exceeds the maximum"),
    "overtime.margin": N_("Minimum margin of a game lost through overtime"),
    "late.known": N_("The clock of a late player runs while the opponent waits"),
    "late.give_up": N_("A late player with fewer minutes left than this may resign the game"),
    # the end of a game
    "ending.ends": N_("How a game ends"),
    "ending.other_row.kind": N_("Second kind of turn that ends a game when repeated"),
    "ending.other_row.length": N_("Second kind: how many of these turns in a row end a game"),
    "ending.other_row.each": N_("Second kind of turn: count each player’s turns separately"),
    "ending.row.kind": N_("Kind of turn that ends a game when repeated"),
    "ending.row.length": N_("How many of these turns in a row end a game"),
    "ending.row.each": N_("Count the turns of each player separately"),
    "ending.blocked_with_tiles": N_("If no player can move, the game ends, even with tiles in the bag"),
    "racks.out": N_("Points for the tiles left when a player goes out"),
    "recount.difference": N_("Largest score difference that allows a recount"),
    # the ranking
    "order": N_("Ranking order under {system}"),
    "order.other": N_("Ranking order"),
    "match_points.win": N_("Match points for a win"),
    "match_points.draw": N_("Match points for a draw"),
    "match_points.loss": N_("Match points for a loss"),
    "team_match.win": N_("Team points for winning a team match"),
    "team_match.draw": N_("Team points for drawing a team match"),
    "team_match.loss": N_("Team points for a lost team match"),
    "gibson.lead": N_("Safe spread lead for each remaining round, if wins are equal"),
    "spread.cap": N_("Largest spread that counts for one game"),
    "knockout.tie": N_("Who goes through after a tied game in a knockout"),
    # byes and forfeits
    "byes.bye.counts_as": N_("A bye counts as"),
    "byes.bye.spread": N_("Spread for a bye"),
    "byes.bye.award.by": N_("Points that a bye adds to the total"),
    "byes.bye.award.points": N_("Fixed number of points for a bye"),
    "byes.requested.counts_as": N_("A requested bye counts as"),
    "byes.requested.spread": N_("Spread for a requested bye"),
    "byes.requested.award.by": N_("Points that a requested bye adds to the total"),
    "byes.requested.award.points": N_("Fixed number of points for a requested bye"),
    "byes.absent.counts_as": N_("Absence counts as"),
    "byes.absent.spread": N_("Spread for an absence"),
    "byes.absent.award.by": N_("Points that an absence adds to the total"),
    "byes.absent.award.points": N_("Fixed number of points for an absence"),
    "byes.forfeit.counts_as": N_("A round forfeited in advance counts as"),
    "byes.forfeit.spread": N_("Spread for a round forfeited in advance"),
    "byes.forfeit.award.by": N_("Points that a round forfeited in advance adds to the total"),
    "byes.forfeit.award.points": N_("Fixed number of points for a round forfeited in advance"),
    "forfeit.margin": N_("Margin of a forfeited game"),
    "forfeit.late": N_("Margin if the loser arrived too late (empty: the usual margin)"),
    "forfeit.walk_over": N_("Margin if the loser did not turn up (empty: the usual margin)"),
    "forfeit.rated": N_("A forfeited game counts for ratings"),
    "forfeit.booked": N_("A player’s forfeits count alternately as starts and replies"),
    "forfeit.award.by": N_("Points that a win by forfeit adds to the total"),
    "forfeit.award.points": N_("Fixed number of points for a win by forfeit"),
    # the jury
    "judges.first": N_("Number of judges who rule on a challenge"),
    "judges.appeal": N_("Number of extra judges on appeal"),
    "judges.reveals": N_("What the jury tells the players after a challenge"),
    "judges.check_first": N_("A round is paired only when the jury has checked all results"),
    "form.totals": N_("When players note running totals"),
    "form.peg_row": N_("Points per hole in the upper peg row of a rack"),
    "sanctions.named": N_("Sanctions"),
    "sanctions.points_from": N_("Sanction points are deducted"),
    "sanctions.disqualified_games": N_("Games that a disqualified player has played"),
    "tables.prefer": N_("Players at a table"),
    "tables.odd": N_("If one player has no opponent"),
    "tables.factor.three": N_("Multiply the points at a table of three by"),
    "tables.factor.four": N_("Multiply the points at a table of four by"),
    "tables.places.three": N_("Match points by place at a table of three"),
    "tables.places.four": N_("Match points by place at a table of four"),
    "tables.rated": N_("Games at tables of three and four players count for ratings"),
    "scores.lowest": N_("Lowest plausible total for a player"),
    "scores.highest": N_("Highest plausible total for a player"),
    "scores.margin": N_("Largest plausible margin of a game"),
    "scores.usual": N_("Usual range of a player’s total"),
    # the rules of a season
    "season.id": N_("Season rules to start from"),
    "season.name": N_("Name of these rules"),
    "season.source": N_("Where the rules come from"),
    "season.value": N_("What an evening is worth in the season"),
    "season.places": N_("Points for places 1, 2, 3 and so on"),
    "season.scale": N_("Multiply the value of an evening by"),
    "season.combine": N_("How the season total is calculated"),
    "season.best": N_("Number of best results that count"),
    "season.expiry": N_("Number of days for which a result counts"),
    "season.ties": N_("Order of players with equal totals"),
    "season.least_events": N_("Minimum evenings for a rank"),
    "season.least_share": N_("Minimum share of evenings for a rank"),
    "season.share_beyond": N_("The minimum share applies after this many evenings"),
    "season.least_games": N_("Minimum games for a rank"),
    "season.categories": N_("Categories with separate standings"),
    "season.apart": N_("Rank each category separately every evening"),
    "season.promoted": N_("Number of players who move up"),
    "season.relegated": N_("Number of players who move down"),
    "season.qualification.places": N_("Places that qualify, by number of players"),
    "season.qualification.handed_down": N_("A place won by an already qualified player goes to the next player"),
    "season.qualification.fill": N_("Players in the final"),
}

NOTES: Mapping[str, str] = {
    "id": N_("Choosing another rule book changes every rule below."),
    "past_prefix": N_(
        "If ticked, De Beer is listed under B, as in the Netherlands; otherwise under D, as in Belgium."
    ),
    "exchange.minimum": N_("0: a player cannot exchange more tiles than there are in the bag."),
    "phony.points": N_("0: the player loses only the score of the turn."),
    "challenge.mode": N_(
        "Double or triple: the player who is wrong loses the turn or the game. Void: invalid words "
        "cannot be played, so there are no challenges."
    ),
    "challenge.points": N_(
        "0: a wrong challenge costs nothing. Used only if a wrong challenge costs points, not a turn or the game."
    ),
    "words.binding": N_(
        "Empty: the list decides on all words. A limit in the word list itself replaces the limit here."
    ),
    "clock.minutes": N_("Empty: games are played without a clock."),
    "clock.recommended": N_("The program warns if the playing time is different. Empty: no warning."),
    "clock.recommended_game": N_("The program warns if the playing time is different. Empty: no warning."),
    "overtime.limit": N_("A player with more overtime loses the game. 300 is five minutes. Empty: no limit."),
    "overtime.penalty": N_("If the overtime exceeds the maximum, these points replace the points per minute."),
    "recount.difference": N_("A score difference, in points. Empty: players have no right to a recount."),
    "judges.appeal": N_("0: a player cannot appeal."),
    "gibson.lead": N_("Empty: computed from “Largest spread gain in one game” of each stage."),
    "spread.cap": N_("Empty: no cap. A division may have its own caps, by round."),
    "form.peg_row": N_("Empty: the racks have no pegs to show the score."),
    "scores.lowest": N_(
        "If a total is below the lowest or above the highest, the program asks you to confirm it."
    ),
    "scores.margin": N_("A phone result above this margin waits until the desk confirms it."),
    "scores.usual": N_(
        "If a total is outside this range, or the margin is over its limit, the result field asks you to "
        "confirm it."
    ),
    "order": N_("Empty: “Ranking order” also applies to this system."),
    "order.other": N_("For pairing systems without their own order. The first difference decides."),
    "match_points.win": N_("Fractions are allowed: 1/2 or 0.5."),
    "tables.prefer": N_("0: all players at one table. 1: every player has a table of their own."),
    "tables.odd": N_("Used only if two players sit at each table."),
    "tables.places.three": N_(
        "For example: 1 0.5 0 for first, second and third place. Empty: from a win for the first "
        "to a loss for the last, in equal steps."
    ),
    "tables.places.four": N_(
        "For example: 3 2 1 0. Empty: from a win for the first to a loss for the last, in equal steps."
    ),
    "season.id": N_("Choosing other rules changes every field below."),
    "season.source": N_("For example, your club’s 2026 rules. You can leave this empty."),
    "season.places": N_(
        "For example: 10 8 6 5 4 3 2 1. Empty: one point for last place, one more for each place above it."
    ),
    "season.scale": N_("For example 4: an evening of 3 match points is worth 12."),
    "season.combine": N_("The average is per evening, or per game if points are given for each game."),
    "season.best": N_("0: all results count."),
    "season.expiry": N_("0: results always count. 365: results count for a year."),
    "season.ties": N_("The first criterion that differs decides. Players who are still equal share the rank."),
    "season.least_events": N_("Players with fewer evenings are listed without a rank."),
    "season.least_share": N_("For example 1/3 of the evenings, rounded up. 0: no minimum share."),
    "season.least_games": N_("Players with fewer games are listed without a rank."),
    "season.categories": N_(
        "Type the best category first, for example: A, B, C. Empty: the same standings for all."
    ),
    "season.promoted": N_("Number of players who move up from each category after the season."),
    "season.relegated": N_("Number of players who move down from each category after the season."),
    "season.qualification.places": N_(
        "For example, 16: 2, 48: 3 gives two places with 16 or more players, and three places with 48 or more."
    ),
    "season.qualification.fill": N_(
        "If fewer players qualify, those with the highest ratings are added. 0: no players are added."
    ),
}
