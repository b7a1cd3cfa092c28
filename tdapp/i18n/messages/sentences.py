"""Texts of history steps, problems and prizes. Commands, tie-breaks and pairing systems declare their own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tdapp.domain.journal import SALVAGE_LABEL
from tdapp.domain.outcome import DecisionReason
from tdapp.domain.rulings import (
    JUDGE_SCREEN,
    NO_SUCH_WORD,
    NOT_IN_LIST,
    TYPED_TOTALS,
    WORD_IS_VALID,
    WRITTEN_ON_FORM,
)
from tdapp.domain.translatable import C_, N_, Plural, Text


@cache
def load_step_sentences() -> Mapping[str, Text]:
    """Return the sentences for the steps of the history, by command id. Imports all commands."""
    from tdapp.domain.commands import COMMANDS  # noqa: PLC0415
    from tdapp.domain.commands.rule import get_history_sentence  # noqa: PLC0415
    from tdapp.pairing import PAIRING_COMMANDS  # noqa: PLC0415

    return {
        "new-tournament": N_("Tournament created"),
        "erase-players": Plural(
            "Personal data erased: {player}", "Personal data of {count} players erased: {player}", "count"
        ),
        SALVAGE_LABEL: N_("Recovered from a damaged file"),
        **{name: get_history_sentence(command) for name, command in {**COMMANDS, **PAIRING_COMMANDS}.items()},
    }


STORED_REASONS: Mapping[str, str] = {
    NOT_IN_LIST: C_("why a word is right or wrong", "not in {detail}"),
    NO_SUCH_WORD: N_("ruled invalid by the jury"),
    WORD_IS_VALID: N_("ruled valid by the jury"),
    WRITTEN_ON_FORM: C_("why a word is right or wrong", "as noted on the score sheet"),
    JUDGE_SCREEN: C_("why a word is right or wrong", "verdict from the judge screen"),
    TYPED_TOTALS: C_("why a word is right or wrong", "typed as {detail}"),
}

# {name:round} in a sentence. The rounds of a club evening are called games.
ROUND = C_("within a sentence", "round {number}")
GAME = C_("within a sentence", "game {number}")

PROBLEMS: Mapping[str, Text] = {
    # copies of the file
    "snapshot-failed": N_("No snapshot could be taken. {why}"),
    "copy-failed": N_("The second copy could not be made. {why}"),
    "step-refused": N_("Not entered: {step}. {why}"),
    "site-failed": N_("The web pages could not be published. {why}"),
    # printouts
    "paper-stale": Plural(
        "{paper}: changed since it was printed. Print it again.",
        "{n} printouts have changed since they were printed: {paper}. Print them again.",
        "n",
    ),
    "print-waits": N_("{printer} has not finished printing. {why}"),
    # while the tournament runs
    "no-players-yet": N_("Division {division} has no players yet"),
    "slips-differ": N_(
        "{round:round}, table {table}: {first} entered {first_says}, {second} entered {second_says}"
    ),
    "disputed": N_("{round:round}, table {table}: two slips have different results"),
    "slips-one-device": N_(
        "{round:round}, table {table}: {first} and {second} entered {first_says} from the same phone or IP address"
    ),
    "slips-wide-margin": N_(
        "{round:round}, table {table}: {first} and {second} entered {first_says}. The margin is wide: confirm "
        "or correct the result"
    ),
    "results-out": Plural(
        "{round:round}: one result missing (table {tables})",
        "{round:round}: {n} results missing (tables {tables})",
        "n",
    ),
    "paired-assumed": N_(
        "{round:round} was paired as if table {table} of {before:round} had been a draw: that result is still "
        "missing"
    ),
    "paired-assumed.before_evening": N_(
        "{round:round} was paired as if table {table} of {before:round} on {before_evening:date} had been a "
        "draw: that result is still missing"
    ),
    "checks-wanted": Plural(
        "One result must be checked before {round:round} is paired",
        "{n} results must be checked before {round:round} is paired",
        "n",
    ),
    "results-unchecked": Plural("One result is not checked yet", "{n} results are not checked yet", "n"),
    "verdict-waits": N_(
        "{round:round}, table {table}: does the total already include the judge screen’s verdict?"
    ),
    "sheet-differs": N_("{round:round}, table {table}: the score sheet differs from the result"),
    "ruling-astray": N_(
        "{round:round}, table {table}: {word} was ruled invalid, but no turn on the score sheet has this word"
    ),
    "persons-unclear": Plural(
        "Season: are these the same person? {players}",
        "Season: in {n} cases two names may belong to one person. The first two: {players}",
        "n",
    ),
    # events of other files in a season
    "copy-date-missing": N_("{event}: the file has no date. Check whether the event is in the season"),
    "copy-date-unknown": N_("{event}: the date “{date}” in the file cannot be read"),
    "copy-outside-season": N_("{event}: the date is outside the season, so the event does not count"),
    "copy-games-open": Plural("{event}: one game has no result yet", "{event}: {n} games have no result yet", "n"),
    # findings of the referee check
    "referee-absent": N_("{round:round}, table {table}: {player} is paired, but absent or withdrawn"),
    "referee-kept-apart": N_("{round:round}, table {table}: {player} and {other} must never be paired"),
    "referee-start": N_(
        "{round:round}, table {table}: {player} starts (starts minus replies: {balance:signed}), "
        "but {other} should start ({other_balance:signed})"
    ),
    "referee-start-again": N_(
        "{round:round}, table {table}: {player} starts {times} times in a row (starts minus "
        "replies: {balance:signed}), but {other} should start ({other_balance:signed})"
    ),
    "referee-rank": N_(
        "After {round:round}: the file gives {player} place {stated}, but the ranking order gives place {rank}"
    ),
    "referee-dearer": N_(
        "{round:round}, {criterion:criterion}: {cost}, but a pairing with {least} was possible (tables {tables})"
    ),
    "referee-otherwise": Plural(
        "{round:round}: one table differs from the system’s pairing",
        "{round:round}: {n} tables differ from the system’s pairing",
        "n",
    ),
    "referee-bye-again": N_(
        "{round:round}: {player} has a bye again (byes before: {byes}; fewest byes of any player: {fewest})"
    ),
    "referee-bye-above": N_(
        "{round:round}: {player} has the bye, although a lower-ranked player could have had it"
    ),
    "draft-absent": Plural(
        "{round:round} is paired with an absent player, {players}: pair it again",
        "{round:round} is paired with absent players, {players}: pair it again",
        "n",
    ),
    "draft-forbidden": N_(
        "{round:round}, table {table}: {first} and {second} must never be paired. Pair the round again, or "
        "remove their pairing constraint under Players"
    ),
    "bracket-forbidden": N_(
        "{round:round}, table {table}: {first} and {second} meet although they must never be paired. In a "
        "knockout the bracket decides"
    ),
    "schedule-forbidden": N_(
        "{round:round}, table {table}: {first} and {second} meet although they must never be paired. In a "
        "round robin the schedule decides"
    ),
    "round-due": N_("{round:round} can be paired"),
    "draft-waits": N_("{round:round} is paired but not published yet"),
    "player-unseated": N_("{player} has no table in {round:round}"),
    "players-unseated": Plural(
        "One player has no table in {round:round}: {players}",
        "{n} players have no table in {round:round}: {players}",
        "n",
    ),
    "bracket-outdated": N_(
        "{round:round}, {name:match}: according to the current results, {player} belongs in this match but is "
        "missing"
    ),
    "cut-outdated": N_(
        "{round:round} was paired before a result changed: {players} should now play, not {others}"
    ),
    "tie-waits": N_("{round:round}, table {table}: tie. Choose the winner under Rounds > Selected table"),
    "bracket-too-long": N_("The knockout takes {needed} rounds, but {rounds} are planned"),
    "team-rounds-short": N_(
        "The round robin of {teams} teams takes {needed} rounds, but only {rounds} are planned"
    ),
    "bracket-too-short": N_("The knockout takes {needed} rounds, but only {rounds} are planned"),
    "starts-in-a-row": N_("{player} has started {n} times in a row"),
    "replies-in-a-row": N_("{player} has gone second {n} times in a row"),
    "odd-field": Plural(
        "{round:round}: only one player, without an opponent", "{round:round}: {n} players, so one gets a bye", "n"
    ),
    "tables-overlap": Plural(
        "Divisions {division} and {other} both use table {tables}: change the first table of one of them",
        "Divisions {division} and {other} both use tables {tables}: change the first table of one of them",
        "n",
    ),
    "tables-moved": N_(
        "Division {division}: tables {own} get the numbers {made}, because another division "
        "uses some of these tables"
    ),
    "tie-at-cut": Plural(
        "Tied at the cut, but only one qualifies: {players}",
        "Tied at the cut, but only {n} qualify: {players}",
        "n",
    ),
    # in a tournament file
    "schema-differs": N_("Another program has changed the structure of the file: {name}."),
    "structure-damaged": N_("The file’s structure is damaged: {detail}."),
    "meta-damaged": N_("The file’s header is damaged."),
    "journal-damaged": N_("The history is damaged at step {seq}."),
    "journal-cut": N_("The history ends at step {seq}. The steps after it are missing."),
    "values-unreadable": N_("A value in the file cannot be read: {where}."),
    "values-damaged": N_("Some values in the file differ from what tdapp wrote."),
    "row-lost": N_("Row {id} of “{table}” in the file could not be recovered."),
    "rows-unproved": Plural(
        "One row of “{table}” in the file could not be verified.",
        "{count} rows of “{table}” in the file could not be verified.",
        "count",
    ),
    "table-unreadable": N_("Not all rows of “{table}” in the file could be read."),
    "steps-lost": N_(
        "The history no longer lists steps {first} to {last} one by one. Their readable changes are kept."
    ),
    "row-damaged": N_("A row in the file differs from what tdapp wrote: {table} {id}."),
    "beginning-differs": N_(
        "The oldest data in the file, from before the first step of the history, was altered."
    ),
    # in a tournament
    "not-exactly-one": N_("The tournament itself or its rules are missing from the file."),
    "parent-missing": N_("The file refers to data that is missing."),
    "wrong-id": N_("A row in the file is stored under a wrong identifier."),
    "round-twice": N_("The file contains the same round twice."),
    "sheet-twice": N_("The file contains the same score sheet twice."),
}


RANK_REASONS: Mapping[str, Text] = {
    "stage-played": N_("{player} is ahead of {other}, who is not playing in the current stage"),
    "other-disqualified": N_("{player} is above {other}, who is disqualified"),
    "group-place": N_("{player} is ahead of {other} on place in the group: {place} against {other_place}"),
    "bracket-place": N_("{player} is ahead of {other} on place in the knockout: {place} against {other_place}"),
    "play-off": N_("{player} is ahead of {other} after the play-off"),
    "equal-in-bracket": N_("{player} and {other} got equally far in the knockout"),
    "games-short": Plural(
        "{player} is ahead of {other}, who needs 1 more game for a rank",
        "{player} is ahead of {other}, who needs {n} more games for a rank",
        "n",
    ),
    "no-value": N_("{player} is ahead of {other}, who has no value for this tie-break: {tiebreak:tiebreak}"),
    "equal": N_(
        "{player} and {other} are level on everything and are listed by number: {number} and {other_number}"
    ),
}


AWARDS: Mapping[str, str] = {
    "place": N_("place {place}: {figures:figures}"),
    "class-place": N_("place {place} in category {category}, place {rank} overall: {figures:figures}"),
    "high-game": N_("{points} – {against} against {opponent}, round {round}"),
    "high-loss": N_("{points} – {against} against {opponent}, round {round}"),
    "big-win": N_("{margin:signed}: {points} – {against} against {opponent}, round {round}"),
    "high-game-table": N_("{points} at a table with {opponent}, round {round}"),
    "high-game-alone": N_("{points} playing alone at a table, round {round}"),
    "high-loss-table": N_("{points} at a table with {opponent}, round {round}"),
    "big-win-table": N_("{margin:signed}: {points} at a table with {opponent}, round {round}"),
    "high-play": N_("{score} for {word} against {opponent}, round {round}"),
    "streak": N_("{n} games won in a row, the last against {opponent}, round {round}"),
    "lucky-stiff": N_("{sum} = {margins} (the smallest winning margins)"),
    "tuff-luck": N_("{sum} = {margins} (the smallest losing margins)"),
    "hand": C_("why a prize is awarded", "awarded by the director"),
    "nobody": N_("No player yet"),
    "vacant": N_("Not awarded: both players forfeited the match for this place"),
    "shared": N_("{count} players share {pool}, the prizes for places {first} to {last}"),
}


CONSEQUENCES: Mapping[str, Text] = {
    "game-open": N_(
        "{player} still has a game in round {round}, at table {table} against {opponent}. Enter "
        "its result, or a forfeit."
    ),
    "draft-game": N_("Round {round} is a draft with {player} at table {table} against {opponent}: pair it again."),
    "draft-bye": N_("Round {round} is a draft in which {player} has the bye: pair it again."),
    "draft-without": N_("Round {round} is a draft without {player}: pair it again."),
    "left-out": N_("Round {round} is only for players who qualified for its stage: {player} did not qualify."),
    "odd-once": N_("Round {round}: {n} players, so one has a bye."),
    "even-once": N_("Round {round}: {n} players, so no bye."),
    "odd-on": N_("From round {round} on: {n} players, so one has a bye each round."),
    "even-on": N_("From round {round} on: {n} players, so no bye."),
    "too-few": N_("Round {round} cannot be paired: too few players are present ({n})."),
    "seat-empty": N_(
        "The position of {player} in the schedule stays empty: from round {round} on, each round’s opponent "
        "has a bye."
    ),
    "bracket-goes-on": N_(
        "Knockout: {player} does not play, so the next opponent reaches the next round without a game."
    ),
    "seat-last": N_(
        "From round {round} on, {player} gets the last position in the schedule. All other "
        "players keep their positions."
    ),
    "counts-as": N_("A missed round counts as: {kind}, {points:points} match points, spread {spread:signed}."),
    "counts-nothing": N_("Nothing is recorded for the rounds that {player} misses: no points and no loss."),
    "results-stay": Plural(
        "The game already played stays, and counts for the opponent.",
        "The {n} games already played stay, and count for the opponents.",
        "n",
    ),
    "stays-listed": N_("{player} stays in the standings, marked as withdrawn."),
    "not-listed": N_("{player} is no longer listed in the standings."),
    "listed-again": N_("{player} is listed in the standings again."),
    "plays-from": N_("{player} is paired again from round {round} on."),
    "starts-at-nothing": Plural(
        "{player} begins with no match points: the earlier round does not count.",
        "{player} begins with no match points: the {n} earlier rounds do not count.",
        "n",
    ),
    "may-be-seated": N_(
        "Round {round} is being played: {player} can still be seated against {opponent}, who has the bye."
    ),
    "order-broken": N_(
        "{player} must meet {opponent} in round {round} by a pairing constraint. Remove the "
        "constraint, or the round cannot be paired."
    ),
    "draft-gone": N_("The draft of round {round} in division {division} is removed: pair it again."),
    "games-left": Plural(
        "The games of {players} do not count in the new division.",
        "The games of these {n} players do not count in the new division: {players}",
        "n",
    ),
    "games-come": Plural(
        "One game moves to the new division and counts there.",
        "{n} games move to the new division and count there.",
        "n",
    ),
    "rules-other": N_("Games that move to the new division follow other rules from now on: {rules}"),
    "rounds-missed": Plural(
        "The players from division {division} missed one round. Nothing is recorded for it: no "
        "points and no loss.",
        "The players from division {division} missed {n} rounds. Nothing is recorded for them: no "
        "points and no loss.",
        "n",
    ),
    "numbers-new": Plural(
        "New player number in division {division}: {numbers}",
        "New player numbers in division {division}: {numbers}",
        "n",
    ),
    "constraints-gone": Plural("One pairing constraint is removed.", "{n} pairing constraints are removed.", "n"),
    "prizes-gone": Plural("One prize is removed.", "{n} prizes are removed.", "n"),
    "field-odd": Plural(
        "Division {division}: one player in round {round}, without an opponent.",
        "Division {division}: {n} players in round {round}, so one has a bye.",
        "n",
    ),
    "field-even": N_("Division {division}: {n} players in round {round}, so no bye."),
    "nothing-follows": N_("Pairings and standings do not change."),
}


CRITERIA: Mapping[str, str] = {
    "repeats": C_("criterion of a pairing", "repeats"),
    "guard": C_("criterion of a pairing", "starts and replies differ too much"),
    "score_difference": C_("criterion of a pairing", "score difference"),
    "odd_last": C_("criterion of a pairing", "recently at a table of unusual size"),
    "odd_season": C_("criterion of a pairing", "tables of unusual size on earlier evenings"),
    "odd_tonight": C_("criterion of a pairing", "second time at a table of unusual size this evening"),
    "bye": C_("criterion of a pairing", "score of the player with the bye"),
    "floats": C_("criterion of a pairing", "floats the same way again"),
    "apart": C_("criterion of a pairing", "pairs that should be kept apart"),
    "earlier_byes": C_("criterion of a pairing", "byes on earlier evenings"),
    "season": C_("criterion of a pairing", "meetings on earlier evenings"),
    "avoid": N_("same club, country, team or category"),
    "starts": C_("criterion of a pairing", "balance of starts"),
    "style": C_("criterion of a pairing", "deviation from the pairing style"),
}


# By kind. {a}, {b} and {c} are numbers in the code of the match.
MATCHES: Mapping[str, str] = {
    "final": C_("match of a knockout", "final"),
    "semifinal": N_("semifinal {a}"),
    "quarter-final": N_("quarter-final {a}"),
    "round-of": N_("round of {a}, match {b}"),
    "winners": N_("winners’ round {a}, match {b}"),
    "winners-final": N_("final of the winners’ bracket"),
    "losers": N_("losers’ round {a}, match {b}"),
    "losers-final": N_("final of the losers’ bracket"),
    "grand-final": C_("match of a knockout", "grand final"),
    "reset": C_("match of a knockout", "second grand final"),
    "third-place": N_("match for third place"),
    "place": N_("match for place {a}"),
    "places": C_("match of a knockout", "places {a} to {b}, match {c}"),
    "consolation": N_("consolation, round {a}, match {b}"),
    "consolation-final": N_("consolation final"),
}

# Names of knockout rounds, by the kind of match.
ROUNDS: Mapping[str, str] = {
    "final": C_("round of a knockout", "Final"),
    "semifinal": N_("Semifinals"),
    "quarter-final": N_("Quarter-finals"),
    "round-of": C_("round of a knockout", "Round of {a}"),
    "game": C_("round of a knockout", "Game {a}"),
    "grand-final": C_("round of a knockout", "Grand final"),
    "reset": C_("round of a knockout", "Second grand final"),
    "winners": N_("Winners’ round {a}"),
    "losers": N_("Losers’ round {a}"),
    "winners-losers": N_("Winners’ round {a}, losers’ round {b}"),
}

# Marks of a game not decided by points, and their meaning. At a tie the winner's score has the mark, else the
# loser's.
DECISION_MARKS: Mapping[DecisionReason, tuple[str, str]] = {
    DecisionReason.TIE: (
        C_("mark at a score", "wins"),
        C_("meaning of a mark at a score", "equal scores; decided by the rules or a ruling"),
    ),
    DecisionReason.TIME: (C_("mark at a score", "time"), C_("meaning of a mark at a score", "lost on time")),
    DecisionReason.SANCTION: (
        C_("mark at a score", "sanction"),
        C_("meaning of a mark at a score", "lost as a sanction"),
    ),
    DecisionReason.FORFEIT: (
        C_("mark at a score", "forfeited"),
        C_("meaning of a mark at a score", "lost without playing"),
    ),
}

# Deciders of a drawn match.
DECIDERS: Mapping[str, str] = {
    "replier": N_("tied: the player who did not start wins"),
    "ruling": N_("tied: winner decided afterwards"),
    "spread": N_("equal on wins: decided by the spread"),
}

# Short names of matches below the title of their part.
MATCHES_IN_BRACKET: Mapping[str, str] = {
    **{
        kind: C_("short name of a match in a knockout round", "match {b}")
        for kind in ("winners", "losers", "consolation")
    },
    "places": C_("short name of a match in a knockout round", "match {c}"),
}

# Origin of a player: the seed, and after the first round the match.
PLAYER_ORIGINS: Mapping[str, str] = {
    "seed": N_("seed {seed}"),
    "winner": N_("seed {seed} (winner of {match})"),
    "loser": N_("seed {seed} (loser of {match})"),
}

# Origin of the player of an empty slot.
SLOT_ORIGINS: Mapping[str, str] = {
    "winner": N_("winner of {match}"),
    "loser": N_("loser of {match}"),
    "place": N_("No. {place} after round {round}"),
}

# Titles of the parts of a bracket.
BRACKET_PARTS: Mapping[str, str] = {
    "winners": N_("Winners’ bracket"),
    "losers": N_("Losers’ bracket"),
    "consolation": N_("Consolation"),
    "places": N_("Places {a} to {b}"),
    "third-place": N_("Third place"),
    "grand-final": C_("round of a knockout", "Grand final"),
    "single": N_("Bracket"),
}

# Problems of lines typed in the result field and the jury's field.
ENTRY_PROBLEMS: Mapping[str, str] = {
    "no-such-table": N_("There is no table {table} in this round."),
    "player-not-at-table": N_("Player {player} is not at a table in this round."),
    "unreadable": N_("The program does not understand “{word}”. Type ? for help."),
    "which-player": N_(
        "Who played {word}? Before the word, type 1 for the player who started or 2 for the other player."
    ),
    "word-missing": N_("Table {table}: type the invalid word before the score {word}."),
    "numbers-alone": N_(
        "Table {table}: to enter other scores, type {table} = 412 388. To mark several tables as checked, "
        "type 12-20."
    ),
    "answer-first": N_(
        "First say who played {word} at table {table}: type 1 or 2, then the score of the turn. Esc cancels."
    ),
    "several-named": N_("Several players match “{word}”. Type a table: {tables}."),
    "nobody-named": N_("No player in this round is called {word}."),
    "too-much": N_("“{word}” is one word too many. Type ? for help."),
    "not-together": N_("Player {other} is not at table {table}: {name} plays {opponent}."),
    "slip-turned": N_(
        "The slip with this code lists the players of table {table} in reverse order. Type the table number "
        "instead of the code."
    ),
    "same-player": N_("Player {player} is named twice."),
    "nothing-to-clear": N_("Table {table} has no result yet."),
    "one-starter": N_("Table {table}: only one player can have started."),
    "scores-before-clock": N_("Type the scores before “{word}”: 7 412 388 {word}."),
    "one-out-of-time": N_("Table {table}: only one player’s time can have run out."),
    "start-assigned": N_("Table {table}: the pairing says that {first_name} starts."),
    "ambiguous-name": N_("“{word}” matches these tables: {players}. Type the table number, or more of the name."),
    "ambiguous": N_(
        "This could mean table {table} or player {player}. For the table, mark the player who "
        "started with * after the score, not with 1 or 2."
    ),
}
