"""Headings of columns, fields and tie-breaks: short for the table, in full for tool tips and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.i18n.mark import C_, N_

HEADINGS: Mapping[str, str] = MappingProxyType(
    {
        # players
        "number": N_("No."),
        "name": N_("Name"),
        "player": N_("Player"),
        "rating": N_("Rating"),
        "club": N_("Club"),
        "country": N_("Country"),
        "team": N_("Team"),
        "category": N_("Class"),
        "member": N_("Member no."),
        "notes": N_("Notes"),
        "fixed_table": N_("Fixed table"),
        "needs_access": N_("Accessible table"),
        "checked_in": N_("Present"),
        "status": N_("Status"),
        # tables
        "group": C_("of tables", "Group"),
        "first_table": N_("First table"),
        "last_table": N_("Last table"),
        "accessible": N_("Accessible"),
        # rounds
        "division": N_("Division"),
        "round": N_("Round"),
        "table": N_("Table"),
        "first": C_("number of the player who starts", "No."),
        "second": C_("number of the player who replies", "No."),
        "first_name": C_("player", "Starts"),
        "second_name": C_("player", "Replies"),
        "score": N_("Score"),
        "score1": N_("Score 1"),
        "score2": N_("Score 2"),
        "start": C_("how it is settled", "Start"),
        "match": C_("of a bracket", "Match"),
        "state": N_("State"),
        "repeat": N_("Met before"),
        "locked": N_("Kept"),
        "reason": N_("Reason"),
        "kind": N_("Kind"),
        "opponent": N_("Opponent"),
        "opponent_points": N_("Against"),
        "result": N_("Result"),
        "total": N_("Sum"),
        "total_spread": N_("Sum of spreads"),
        # standings
        "rank": N_("Rank"),
        "games": N_("Games"),
        "wins": N_("Wins"),
        "losses": N_("Losses"),
        "forfeit": N_("Forfeit"),
        "spread": N_("Spread"),
        "points": N_("Points"),
        "starts": C_("how often, or whether", "Starts"),
        "resistance": C_("short", "Resist."),
        "resistance-cut1": C_("short", "Resist. −1"),
        "resistance-median": C_("short", "Resist. med."),
        "sonneborn-berger": C_("short", "SB"),
        "head-to-head": C_("short", "H2H"),
        "cumulative": C_("short", "Cumul."),
        "games-won": C_("short", "Won"),
        "opponents-rating": C_("short", "Opp. rating"),
        # incidents, sanctions and rulings
        "time": N_("Min:sec"),
        "players": N_("Players"),
        "note": N_("What happened"),
        "penalty": N_("Points off"),
        # history
        "id": N_("Id"),
        "seq": C_("step", "No."),
        "at": N_("Time"),
        "station": N_("Station"),
        "step": N_("What was done"),
        "undone": N_("Undone"),
        "undoes": N_("Undoes"),
        # challenges
        "challenger": N_("Challenger"),
        "verdict": N_("Verdict"),
        "judge": N_("Judge"),
        "appeal": N_("Appeal"),
        "second_judge": N_("Second judge"),
        "final_verdict": N_("Final"),
        # what is imported
        "line": N_("Line"),
        "wrong": N_("What is wrong"),
        # fields of forms
        "place": N_("Place"),
        "date": N_("Date"),
        "director": N_("Director"),
        "code": N_("Code"),
        "rounds": N_("Rounds"),
        "reason_text": N_("Reason"),
        "why": N_("Reason"),
        "author": N_("Author"),
        "edition": N_("Edition"),
        "language": N_("Language"),
        "letters": N_("Letters"),
        "hook": N_("Hook"),
        "form": N_("Form"),
        "wrong_words": N_("Wrong words"),
        "seed": N_("Seed"),
        # the jury
        "turn": N_("Turn"),
        "square": N_("Square"),
        "word": N_("Word"),
        "words": N_("Words"),
        "cost": N_("Cost"),
        "forms": N_("Forms"),
        "differing": N_("Differ at"),
        "doubtful": N_("In doubt"),
        "turns": N_("Turns"),
        "phonies": N_("Wrong"),
        "challenges": N_("Challenges"),
        "racks": N_("Racks"),
        "sanctions": N_("Sanctions"),
        "overtime": N_("Overtime"),
        "cap": N_("Cap of the spread"),
        "first_round": N_("First round"),
        "last_round": N_("Last round"),
        # balance and bonds
        "replies": N_("Replies"),
        "start_balance": N_("Balance"),
        "in_a_row": N_("In a row"),
        "repeats": N_("Repeats"),
        "byes": N_("Byes"),
        "absences": N_("Missed"),
        "bond": C_("what holds for two players", "Bond"),
        "other": N_("Opponent"),
        # prizes
        "prize": N_("Prize"),
        "fate": N_("What is certain"),
        "prize_place": C_("in the standings", "Place"),
        "prize_games": C_("whose margins are added", "Games"),
        "amount": N_("Amount"),
        "text": N_("In kind"),
        "winners": N_("Winner"),
        "each": N_("Gets"),
        "position": C_("in a list", "Place"),
        # classes, teams and ratings
        "class_rank": C_("rank in a class", "In class"),
        "counting": N_("Counting"),
        "team_size": N_("Players"),
        "rating_system": N_("Rating system"),
        "rated_games": N_("Rated games"),
        "expected": N_("Expected"),
        "performance": N_("Performance"),
        "new_rating": N_("New rating"),
        "change": N_("Change"),
        "first_score": N_("Score 1"),
        "second_score": N_("Score 2"),
        "first_member": N_("Member no. 1"),
        "second_member": N_("Member no. 2"),
        "event": N_("Event"),
    }
)

EXPLANATIONS: Mapping[str, str] = MappingProxyType(
    {
        "replies": N_("Games replied"),
        "start_balance": N_("Starts minus replies"),
        "in_a_row": N_("Started (+) or replied (−) in so many games running"),
        "repeats": N_("Games against somebody met before"),
        "byes": N_("Rounds won without an opponent"),
        "absences": N_("Other rounds without a game"),
        "prize_place": N_("Place; for high games and the like 1 is the best"),
        "prize_games": N_("Lucky stiff and tuff luck: how many margins are added"),
        "each": N_("What each winner gets"),
        "counting": N_("Players who count"),
        "rated_games": N_("Rated games before the tournament; empty: many"),
        "expected": N_("Games that would have been won by the ratings"),
        "performance": N_("Rating at which the results would have been expected"),
        "number": N_("Number"),
        "wins": N_("Match points"),
        "losses": N_("Losses; a draw is half of one"),
        "spread": N_("Sum of the spreads"),
        "points": N_("Total points"),
        "starts": N_("Games started"),
        "resistance": N_("Resistance points: the sum of the opponents’ match points"),
        "resistance-cut1": N_("Resistance points without the weakest opponent"),
        "resistance-median": N_("Resistance points without the weakest and the strongest opponent"),
        "sonneborn-berger": N_("Sonneborn-Berger: match points of the beaten opponents, half of the drawn"),
        "head-to-head": N_("Games among those who are equal"),
        "cumulative": N_("Cumulative: the sum of the match points after each round"),
        "games-won": N_("Number of games won"),
        "opponents-rating": N_("Average rating of the opponents"),
        "time": N_("Extra time, or how late"),
        "penalty": N_("Points taken off"),
        "unplayed-plain": N_(
            "A bye adds nothing to the resistance points; a forfeited game adds the opponent’s match points."
        ),
        "unplayed-fide-2009": N_(
            "A round without a game adds the player’s own points before it, the opposite result and a draw for "
            "every later round. Opponents’ rounds without a game count as draws."
        ),
        "unplayed-fide-2024": N_(
            "A round without a game adds the player’s own match points. Opponents who have stopped playing get a "
            "draw for each round they stayed away at the end."
        ),
        "unplayed-fide-2026": N_(
            "As FIDE 2024, but no more than the points of the scheduled opponent after a forfeit, "
            "and no more than a draw for every round otherwise."
        ),
    }
)
