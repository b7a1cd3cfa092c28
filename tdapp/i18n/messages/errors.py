"""A sentence for each error that the user can fix: the problem and the remedy.

A code that ends in `.id` means that a row, such as a player, was deleted meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping

from tdapp.domain.translatable import N_, Plural, Text
from tdapp.i18n.messages.file_errors import FILES

_RULES: Mapping[str, Text] = {
    # searches
    "which-division": N_("Name the division: {divisions}. Use --division, or division= with the command “do”."),
    "no-such-division": N_("There is no division {division}."),
    "no-such-division.id": N_("This division no longer exists."),
    "no-such-round": N_("There is no round {round} yet."),
    "no-such-round-any-more": N_("This round no longer exists."),
    "no-such-draft": N_("This draft no longer exists."),
    "no-such-player": N_("There is no player {player}."),
    "no-such-player.id": N_("This player no longer exists."),
    "player-unclear": N_("“{value}” does not name exactly one player. Choose a player from the list."),
    "no-group-table": N_(
        "Table {table} has two players. More scores, --left and --turns are for other table sizes."
    ),
    "no-such-table": N_("There is no table {table} in round {round}."),
    "no-such-stage": N_("There is no stage {stage}."),
    "no-such-stage.id": N_("This stage no longer exists."),
    "no-such-system": N_("There is no pairing system {system}."),
    "no-such-ruleset": N_("There is no rule set called {ruleset}. The rule sets are: {known}."),
    "newest-no-home": N_(
        "This program does not know the web address for newer versions. Ask the person who gave you the program."
    ),
    "newest-no-answer": N_(
        "{home} is not responding. Check the internet connection. Everything else works without it."
    ),
    "newest-no-version": N_("{home} does not say which version is the newest. Look at the page yourself."),
    "no-such-report": N_("There is no report called {report}. The reports are: {reports}."),
    "nothing-to-print": N_("Nothing to print. {why}"),
    "game-gone": N_("This game no longer exists."),
    "no-such-incident": N_("There is no incident {id}."),
    "no-such-challenge": N_("There is no challenge {id}."),
    "no-such-prize": N_("There is no such prize on the list."),
    "prize-without-class": N_("Name the category of the prize."),
    "prize-kind-unknown": N_("“{value}” is not a kind of prize. The kinds are: {known}."),
    "bad-amount": N_("“{value}” is not an amount. Write it like 25 or 12.50."),
    "no-such-rating": N_("There is no rating system called {rating}. The rating systems are: {known}."),
    "no-classes": N_("No player in division {division} has a category."),
    "no-such-class": N_("No player is in category {category}. The categories are: {known}."),
    "extra-time-missing": N_("Type how much extra time is given."),
    "no-appeal-in-rules": N_("These rules do not allow appeals."),
    "no-knockout": N_("Division {division} has no knockout."),
    # the tournament and its divisions
    "tournament-finished": N_("The tournament is finished. Reopen it to make changes."),
    "tournament-not-finished": N_("The tournament cannot be reopened: it is not finished."),
    "tournament-not-empty": N_(
        "The tournament is not empty. A whole tournament can be imported only into an empty one."
    ),
    "division-exists": N_("Division {division} already exists."),
    "division-not-empty": N_("Division {division} is not empty. Move or remove its players first."),
    "rounds-already-made": N_("{made} rounds already exist, so {rounds} rounds are too few."),
    "stage-started": N_("The stage has begun. To change this, first unpublish and discard its rounds."),
    "stage-too-short": N_("A stage of one round cannot be split."),
    "rounds-unreadable": N_(
        "The program does not understand “{typed}”. Type the first and the last round, such as 4-8."
    ),
    "times-unreadable": N_(
        "The program does not understand “{typed}”. Example: 10:00 +65, 4: 13:30, 8: 2/10:00 (a round every "
        "65 minutes, round 8 on day 2)."
    ),
    "times-not-in-order": N_("“{typed}”: each round must begin after the round before it."),
    "unknown-zone": N_("There is no time zone “{zone}”. Type one such as Europe/Amsterdam, or leave it empty."),
    "too-many-groups": N_("{players} players are too few for {groups} groups."),
    "play-off-stays": N_("You cannot split or merge a play-off, or change its system. You can only remove it."),
    "last-stage": N_("There is no stage after this one."),
    "no-tie-at-cut": N_("At the moment no players are tied for the last qualifying place."),
    "later-stage-started": N_("A later stage has begun. To change this, first unpublish and discard its rounds."),
    "seeded-twice": N_("A player is listed twice among the seeds."),
    "unknown-setting": N_("{field}: {value} is not one of the choices."),
    "settings-unfit": N_("The settings are not valid: {problems}."),
    "unknown-tiebreak": N_("There is no tie-break called {tiebreak}. The tie-breaks are: {known}."),
    "repeated-tiebreak": N_("The tie-break {tiebreak:tiebreak} is listed twice in the order."),
    "upload-failed": N_("{output} ({command} failed with exit code {exit})"),
    "upload-late": N_("{command} took too long and was stopped."),
    "upload-missing": N_("{command} could not be started: {why}"),
    "upload-unreadable": N_("This upload command has an unclosed quote or ends with a backslash: {line}"),
    "then-without-site": N_(
        "Use --then and --address only for web pages (--format html, or a folder with --site)."
    ),
    "referee-one-folder": N_("Give only one folder for the sample events."),
    "unknown-schema": N_("There is no schema called {name}. The schemas are: {known}."),
    "unknown-system": N_("There is no pairing system called {system}. The pairing systems are: {known}."),
    # typed input
    "too-many-records": N_("A record list can have at most {most} records."),
    "text-missing": N_("Fill in: {field:heading}."),
    "text-too-long": N_("{field:heading}: {length} characters are too many. At most {longest} are allowed."),
    "text-not-printable": N_("{field:heading}: remove the characters that cannot be shown."),
    "text-marks-piled": N_("{field:heading}: a letter has more than four accents."),
    # printouts
    "too-many-reports": N_("There are too many reports to print together. At most {most} are allowed."),
    "photo-unreadable": N_("The photo of {player} is not a JPEG file in base64."),
    "photo-too-large": N_("The photo of {player} has {size} bytes. At most {largest} are allowed."),
    "photo-file-unreadable": N_("{name}: this picture cannot be read. Use PNG or JPEG."),
    "photos-missing": N_(
        "This folder has no photo of a player. Name each photo by the number, member number or name of its player."
    ),
    "logo-unreadable": N_("{name}: this picture cannot be read. Use PNG, JPEG or SVG."),
    "logo-too-large": N_("The picture has {size} bytes. At most {largest} are allowed: make it smaller."),
    "logo-too-many-pixels": N_(
        "{name}: the picture is {width} × {height} pixels. At most {most} × {most} are allowed."
    ),
    "letters-not-allowed": N_(
        "When {name} was imported, “The words of this list may be printed” was not ticked. If the publisher "
        "allows it, import the list again and tick it."
    ),
    "number-out-of-range": N_("{field:heading}: {value} is not between {low} and {high}."),
    # players
    "merge-itself": N_("Division {division} cannot be merged into itself."),
    "merge-knockout": N_("Divisions {division} and {into} cannot be merged: a knockout has begun."),
    "merge-ahead": N_(
        "Division {division} has more rounds ({rounds}) than {into} ({played}): merge {into} into {division} "
        "instead."
    ),
    "merge-same-player": N_("Choose a player other than {player}."),
    "merge-other-division": N_("{player} and {other} are in different divisions. Move one of them first."),
    "merge-both-earlier": N_(
        "{player} and {other} both have an earlier result on {date}. Either they are two people, or one of "
        "the results is wrong."
    ),
    "merge-both-played": N_("{player} and {other} both played in {event}, so they are two people."),
    "merge-both-sat": N_(
        "{player} and {other} both have a game or a bye in round {round}, so they are two people."
    ),
    "merge-both-seated": N_(
        "{player} and {other} both have a place in the knockout that starts in round {round}, so they are two "
        "people."
    ),
    "player-exists": N_(
        "{player} is already in division {division}. Use --update, or --namesakes if this is another person."
    ),
    "player-has-games": N_("{player} has already played and cannot be removed. Withdraw the player instead."),
    "player-in-copied-event": N_(
        "{player} has a result in an event of the season and cannot be removed. Remove the event "
        "first, or merge the player with another."
    ),
    "already-in-division": N_("{player} is already in division {division}."),
    "already-withdrawn": N_("{player} has already withdrawn."),
    "not-withdrawn": N_("{player} has not withdrawn."),
    "already-absent": N_("{player} is already absent in round {round}."),
    "not-absent": N_("{player} is not absent in round {round}."),
    "round-not-planned": N_("Round {round} is not planned: the planned rounds are 1–{planned}."),
    "rounds-reversed": N_("The last round, {last}, comes before the first, {first}."),
    "already-forbidden": N_("{player} and {other} already have the constraint “never pair”."),
    "already-apart": N_("{player} and {other} already have the constraint “keep apart”."),
    "never-to-meet": N_("{player} and {other} must never be paired. Remove that constraint first."),
    "ordered-to-meet": N_("{player} and {other} must meet in round {round}. Remove that constraint first."),
    "bracket-decides": N_("Round {round} is a knockout round. The bracket decides the pairings."),
    "player-absent": N_("{player} is not playing in round {round}."),
    "no-such-constraint": N_("This pairing constraint no longer exists."),
    "ordered-absent": N_(
        "{first} and {second} must meet in round {round}, but {player} is not playing in it. Remove the "
        "constraint, or let {player} play."
    ),
    "ordered-elsewhere": N_(
        "{first} and {second} must meet in round {round}, but another pair at table {table} is "
        "kept. Choose “Let this table be re-paired”, or remove the constraint."
    ),
    "not-forbidden": N_("These players have no constraint that keeps them apart."),
    "other-division": N_("{player} is in another division."),
    "no-such-table-group": N_("This group of tables no longer exists."),
    "no-season": N_("There is no season yet. Create one: tdapp season FILE new --name NAME --rules best"),
    "no-such-season": N_("There is no such season."),
    "no-such-season-rule": N_("There are no season rules called {rule}. The season rules are: {known}."),
    "season-file-missing": N_("Give the file names of the events."),
    "season-single-file": N_("Use --name, --date and --event only with a single file."),
    "season-two-players": N_("Name two players."),
    "no-such-copied-event": N_("There is no such event in the season."),
    "event-copied-already": N_("{event} ({source}) is already in the season. Refresh it instead."),
    "event-in-tournament": N_(
        "{event} has players who are not in this tournament, such as {players}. They would be "
        "added to this tournament. Make a separate file for the season."
    ),
    "event-copied-twice": N_(
        "Several events in the season match {event} ({source}). Select the event to refresh."
    ),
    "event-not-copied": N_("{event} ({source}) is not in the season yet. Add it as a new event."),
    "season-grid-missing": N_("Give one file: the grid of names and evenings."),
    "season-ends-early": N_("The season ends on {until:day}, before its first day, {since:day}."),
    "date-unreadable": N_("“{date}” is not a date. Type, for example, {example:day}."),
    "date-impossible": N_("The date {date} does not exist. Type, for example, {example:day}."),
    "ratings-applied-already": N_("{season}: the players already have these ratings."),
    "season-rule-unfit": N_("Season rules: {field} is out of range (at most {high}) or has a duplicate entry."),
    "earlier-unknown": N_(
        "No player has these names (line numbers in brackets): {players}. Correct the names, or add the players."
    ),
    "earlier-ambiguous": N_("Several players have these names (line numbers in brackets): {players}."),
    "no-such-fee": N_("This fee no longer exists."),
    "fee-twice": N_("These players already have a fee. Change the existing fee."),
    "tables-taken": N_("Tables {first} to {last} already belong to {name}. Choose others."),
    "name-taken": N_(
        "{player} is already in division {division}, with number {number}. Press Enter again to add another "
        "player with this name."
    ),
    "number-taken": N_("Number {number} belongs to {player}."),
    "round-published": N_("{player} is already in round {round}, which is published. Choose a later round."),
    # pairing
    "against-himself": N_("{player} cannot play against himself or herself."),
    "twice-in-round": N_("{player} would be in round {round} twice."),
    "table-twice": N_("Table {table} would be used twice in round {round}."),
    "player-twice": N_("Player {player} is in two of the pairs."),
    "player-not-in-round": N_("Player {player} is not taking part in round {round}."),
    "not-in-round": N_("{player} or {other} is not in this round."),
    "forbidden-pair": N_(
        "{first} and {second} must never be paired. First remove their pairing constraint under Players."
    ),
    "no-pairing-possible": N_("The players cannot be paired: too many of them are not allowed to meet."),
    "no-players": N_("There are no players to pair."),
    "rehearsal-by-hand": N_("A stage paired by hand cannot be simulated."),
    "chances-in-knockout": N_("In a knockout the bracket decides the places, so chances cannot be simulated."),
    "chances-in-evening": N_("An evening has no fixed number of games, so chances cannot be simulated."),
    "too-few-for-chances": N_(
        "Chances can be simulated only if at least two players take part in the next round."
    ),
    "too-few-players": Plural(
        "Round {round} cannot be paired: only one player is taking part.",
        "Round {round} cannot be paired: only {players} players are taking part.",
        "players",
    ),
    "too-few-here": Plural(
        "Only one player is here. On the Evening page, check in the players who are here, then pair.",
        "{players} players are here. On the Evening page, check in the players who are here, then pair.",
        "players",
    ),
    "all-rounds-paired": N_("All {rounds} rounds are paired. Add rounds or a stage to go on."),
    "too-few-teams": N_("A team round robin needs at least two teams. This division has {teams}."),
    "no-team": N_("These players have no team: {players}."),
    "round-robin-complete": N_("The round robin is complete. Rounds needed for {players} players: {rounds}."),
    "series-under-way": N_(
        "Round {round} is game {game} of {games} in matches that have begun. The same players must meet again."
    ),
    "knockout-decided": N_("No more rounds: the knockout is decided after {rounds} rounds."),
    "tie-undecided": N_("Round {round}, table {table}: tie. Choose the winner under Rounds > Selected table."),
    "results-missing": Plural(
        "Round {round}: the result of table {tables} is missing. Enter it first.",
        "Round {round}: the results of tables {tables} are missing. Enter them first.",
        "n",
    ),
    "results-missing-switch": Plural(
        "Round {round}: the result of table {tables} is missing. Enter it, or add --assume: the game then counts "
        "as a draw.",
        "Round {round}: the results of tables {tables} are missing. Enter them, or add --assume: the games then "
        "count as draws.",
        "n",
    ),
    "results-needed": Plural(
        "Round {round}: the result of table {tables} is missing. Enter it first, or enter a forfeit.",
        "Round {round}: the results of tables {tables} are missing. Enter them first, or enter forfeits.",
        "n",
    ),
    "not-next-round": N_("Round {round} is not the next round to be paired."),
    "draft-absent": Plural(
        "Round {round} includes an absent player: {players}. Pair it again.",
        "Round {round} includes absent players: {players}. Pair it again.",
        "n",
    ),
    "draft-forbidden": N_(
        "Round {round}, table {table}: {first} and {second} must never be paired. Pair the round again, or "
        "remove their pairing constraint under Players."
    ),
    "pairing-outdated": N_("Something has changed since round {round} was paired. Pair it again."),
    "unchecked-results": Plural(
        "Round {round}: the result of table {tables} is not checked yet. Check it on "
        "the Jury page (F10). A setting under Tournament allows pairing only when all "
        "results are checked.",
        "Round {round}: the results of tables {tables} are not checked yet. Check them "
        "on the Jury page (F10). A setting under Tournament allows pairing only when "
        "all results are checked.",
        "n",
    ),
    "round-already-published": N_("Round {round} is already published."),
    "port-taken": N_("Another program already uses port {port}. Choose another port."),
    "port-not-allowed": N_("Port {port} may not be used. Choose one from 1024 to 65535."),
    "site-address": N_("“{address}” is not a web address such as https://example.org/open/"),
    "address-not-here": N_("{address} is not an address of this computer."),
    "certificate-failed": N_("The security certificate for the web pages cannot be saved in {path}. {why}"),
    "entry-closed": N_("Results cannot be entered here at the moment. Bring your slip to the director."),
    "desks-off": N_("Entry desks and jury desks in a browser are switched off. Ask the director."),
    "pin-wrong": N_("This PIN is wrong. Check it and type it again."),
    "pin-wait": N_("Too many wrong PINs. Try again in {seconds} seconds."),
    "check-in-closed": N_("Check-in here is closed at the moment. Go to the desk."),
    "check-in-over": N_("All rounds are paired: no check-in is needed."),
    "arrives-withdrawn": N_("{player} has withdrawn. Go to the desk if you want to play."),
    "arrives-absent": N_("{player} is marked as absent in round {round}. Go to the desk if you want to play."),
    "arrived-already": N_("{player} is already checked in."),
    "result-there": N_("Table {table} already has a result. If the result is wrong, tell the director."),
    "slip-of-another": N_("This code belongs to another game: the pairing at table {table} has changed."),
    "starter-missing": N_("Table {table}: enter who started."),
    "no-slips": N_("Table {table}: the players have not entered a result."),
    "slips-not-equal": N_("Table {table}: the two players have not entered the same result."),
    "round-not-published": N_("Round {round} is not published yet."),
    "no-round-published": N_("Division {division} has no published round yet."),
    "not-last-round": N_("Round {round} is not the last one. Unpublish the later rounds first."),
    "reason-needed": N_("Round {round} is published. Give a reason for the change."),
    "round-has-results": N_("Round {round} has results at tables {tables}. They would be lost."),
    "not-at-table": N_("This player is not at that table."),
    "not-the-same-players": N_(
        "Round {round}: the players entered for tables {tables} are not those paired there."
    ),
    "not-in-stage": N_("{player} is no longer taking part in the stage that includes round {round}."),
    "award-which": N_("Use either --by (how the points are calculated) or --points (how many)."),
    "no-round-without-game": N_("{player} has no bye in round {round}, and has not won by forfeit."),
    "nobody-has-bye": N_(
        "Round {round} has no place for the latecomer: there is no bye and no open table of three."
    ),
    # results
    "changed-meanwhile": N_("This data has changed in the meantime. Check it again."),
    "changed-meanwhile.who": N_(
        "Another station ({who:station}) has changed the same data in the meantime: {step} "
        "({when:time}). Check the data again."
    ),
    "implausible-points": N_(
        "Table {table}: {points} is not between {lowest} and {highest}. Type it again, or confirm it."
    ),
    "rare-result": N_("{first} – {second} is an unusual result: is it right? Use --confirmed to enter it."),
    "points-missing": N_("Table {table}: enter the score of each player."),
    "forfeit-with-points": N_("Table {table}: a forfeit has no scores."),
    "cause-without-forfeit": N_("Table {table}: a cause can be given only for a forfeit."),
    "game-has-result": N_("Table {table} has a result. Clear it first."),
    "no-result": N_("Table {table} has no result yet."),
    "already-in-state": N_("Table {table} is already {state:code}."),
    "result-final": N_("The result of table {table} is final. Give a reason for the change."),
    "result-twice": N_("Round {round}, table {table} appears twice."),
    "no-tie": N_("The game at table {table} is not tied."),
    "one-winner": N_("Table {table}: only one player can go through."),
    "one-starter": N_("Table {table}: only one player can start."),
    "start-assigned": N_("Table {table}: the pairing decides who starts, so a result cannot change it."),
    # clocks and racks
    "overtime-seconds": N_("Table {table}: overtime must be from 0 to {highest} seconds."),
    "overtime-not-counted": N_("Table {table}: under these rules, overtime costs no points."),
    "flag-not-counted": N_(
        "Table {table}: under these rules, a player whose time runs out does not lose the game."
    ),
    "one-out-of-time": N_("Table {table}: only one player can have run out of time, because that ends the game."),
    "both-out": N_("Table {table}: only one player can have an empty rack. Enter the other player’s tiles."),
    "slip-rack-unreadable": N_(
        "Table {table}: the rack “{rack}” has a character that is not on any tile (tile set {tileset})."
    ),
    "slip-rack-too-long": N_("Table {table}: the rack “{rack}” has more than {most} tiles."),
    # sheets
    "player-not-here": N_("{player} is not playing at table {table}."),
    "judge-file": N_("Name the tournament with --file. The challenge is recorded in that tournament."),
    "no-verdict": N_("Table {table}: there is no verdict from the judge screen to decide on."),
    "verdict-unclear": N_("Table {table}: the verdict does not say who loses the points. Rule on the word."),
    "words-not-ruled": N_(
        "Under these rules, an unchallenged word stays valid: the jury does not rule on it. Enter challenges on "
        "the judge screen (Shift+F10), which needs a word list."
    ),
    "ruled-already": N_(
        "Table {table}: {word} ({player}) has already been ruled invalid (score of the turn: {scores}). Use "
        "--another to rule on another turn, --replace to correct this ruling."
    ),
    "which-ruling": N_(
        "Table {table}: {word} ({player}) has been ruled invalid (score of the turn: {scores}). "
        "Give the score of the turn that you want to correct."
    ),
    "no-such-ruling": N_("Table {table}: there is no ruling on {word} ({player})."),
    "nothing-signed": N_("No ruling is signed by {author}."),
    "no-player-named": N_("No player is called {name}."),
    "several-players-named": N_("“{name}” matches several players: {players}. Give the player’s number."),
    "turn-beyond-total": N_(
        "{player} has {total} points in the whole game. Is a turn of {score} points right? Use --confirmed to "
        "enter it."
    ),
    "no-word": N_("“{word}” cannot be a word. Use only letters, at least two."),
    "which-table": N_("Name the table: --table NUMBER."),
    "not-to-be-checked": N_("These tables cannot be marked as checked now: {tables}."),
    "no-sheets-in-folder": N_("The folder has no score sheet. Name each file after its table, such as 12.gcg."),
    "sheet-without-table": N_(
        "The file name must be the table number: 12.gcg, or 12-2.json for the table’s second score sheet."
    ),
    "no-sheet": N_("Table {table}: score sheet {form} has not been entered."),
    "no-such-difference": N_("Table {table}: the two players’ score sheets do not differ at this point."),
    "no-such-turn": N_("Table {table}: the sheet has no turn {turn}."),
    "another-game-featured": N_(
        "Table {table} now has a different game. Your entry was for the earlier game and was not saved."
    ),
    "turn-typed-otherwise": N_(
        "Table {table}: turn {turn} has changed in the meantime. Look at it and type it again."
    ),
    "turn-not-last": N_("Table {table}: turn {turn} is not the last one. Only the last one can be removed."),
    "ruling-without-play": N_("Table {table}: turn {turn} is not a play, so no ruling is possible."),
    "sheet-of-two": N_("Table {table}: the sheet has {players} players, but the game has two."),
    "sheet-of-others": N_("{players} sit at table {table}; the sheet names {names}. Use --anyway to enter it."),
    "other-tileset": N_("Table {table}: the sheet is for the tile set {tileset}, not for {given}."),
    "sheet-other-starter": N_(
        "Table {table}: the sheet says that {player} started, the pairing says {starter}. If the "
        "sheet is right, first let {player} start in the pairing."
    ),
    # sanctions
    "no-such-sanction": N_("There is no sanction {sanction}."),
    "no-such-sanction.id": N_("This sanction no longer exists."),
    "sanction-points": N_(
        "{kind:code}: give a number of points if the sanction deducts points or spread. Other "
        "sanctions have no points."
    ),
    "no-game-to-punish": N_("{player} has no game in round {round}."),
    "sanction-what": N_("Name the player and the sanction: sanction FILE PLAYER KIND --why TEXT."),
    # word lists
    "lexicon-name": N_("A word list needs a name of at most {longest} characters."),
    "lexicon-language": N_("“{language}” is not a language code such as nl, nb, de or en."),
    "lexicon-language-missing": N_("Name the language of the list: --language nl, nb, de, en ..."),
    "evening-absence": N_(
        "{player}: you need not record absences for an evening. Only members who are here are paired."
    ),
    "evening-stays": N_("This is a club evening: you can change only its name, date and pairing system."),
    "evening-system": N_(
        "{system:code} is not possible for an evening, because the number of games is not fixed. "
        "Choose Swiss, drawn by lot, or by hand."
    ),
    "no-evening": N_("No evening has begun. Start one: tdapp evening FILE begin"),
    "nobody-named": N_("Give the members’ numbers or names, or use --last."),
    "lexicon-date": N_(
        "“{typed}” is not a date. Type, for example, the day {example:day}, the month 2026-11 or the year 2026."
    ),
    "lexicon-binding-length": N_(
        "Give a length from {low} to {high} letters, not {value}. The list decides on words up to that length."
    ),
    "lexicon-what": N_(
        "Use: lexicon build LIST LEX --language L, lexicon supplement LEX CHANGES LEX, lexicon compare LEX "
        "LEX, lexicon info LEX, or lexicon found."
    ),
    "judge-no-word": N_(
        "“{typed}” cannot be a word: one of its characters is not on any tile. The play was not judged."
    ),
    "search-letters": N_("“{typed}”: only letters can be searched for."),
    "search-too-long": N_("A search can use at most {longest} tiles."),
    "search-blanks": N_("A search can use at most {most} blanks."),
    # undo
    "nothing-to-undo": N_("There is nothing to undo."),
    "erased-since": N_("Personal data was erased: earlier changes cannot be undone."),
    "nothing-to-redo": N_("There is nothing to redo."),
    "undo-changed-since": N_(
        "Another station ({who:station}) has since changed the same data: {step} ({when:time}). Undo that "
        "step first."
    ),
    "undo-needed-since": N_(
        "A later change depends on this one: {step} ({who:station}, {when:time}). Undo the later change first."
    ),
    # the command line
    "unknown-command": N_("There is no command {command}."),
    "unknown-command-near": N_("There is no command {command}; did you mean {near}?"),
    "erase-whom": N_("Name the players, or use --everybody."),
    "do-what": N_("Name a command, or use --list."),
    "argument-without-value": N_("Write {argument} as name=value."),
    "argument-missing": N_("Give a value: {argument}=..."),
    "argument-unfit": N_("{argument}={value} is not valid."),
    "argument-unknown": N_("There is no argument called {argument}. The arguments are: {known}."),
    "head-mistyped": N_(
        "“{head}” contains a typing error. A check code has four groups of four letters and "
        "digits, without 0, O, 1, I and L. The step number in front is optional."
    ),
    "print-many-pages": N_("Not shown: this printout has {pages} pages."),
    "print-many-switch": N_("This printout has {pages} pages. Use --many to make it."),
    "print-what": N_("Give the file, a report or a set of reports (--set), and the PDF to write (-o)."),
    "ratings-what": N_("Give a file name, or use --list."),
    "import-tournament-instead": N_("This is a whole tournament: use “Import a tournament” under Tournament."),
    "no-division-yet": N_("First add a division. The players are imported into that division."),
    "document-has-divisions": N_("The document contains whole divisions. Leave out --division."),
}

_GAMES: Mapping[str, Text] = {
    # score sheets and rule sets
    "sheet-invalid": N_("The score sheet cannot be used: {problems}"),
    "misfit-missing": N_("This field is missing."),
    "misfit-unknown": N_("A score sheet has no field with this name."),
    "misfit-number": N_("Expected a whole number, not {found}."),
    "misfit-text": N_("Expected text, not {found}."),
    "misfit-flag": N_("Expected true or false, not {found}."),
    "misfit-list": N_("Expected a list, not {found}."),
    "misfit-table": N_("Expected a JSON object, not {found}."),
    "misfit-range": N_("Expected a number from {low} to {high}, not {found}."),
    "misfit-numbers": N_("Expected whole numbers from {low} to {high}."),
    "misfit-choice": N_("Expected one of {choices}, not {found}."),
    "misfit-texts": N_("Expected only text in this list."),
    "misfit-players": N_("A score sheet must have the names of 1 to {most} players."),
    "misfit-each": N_("Expected one value for each player."),
    "misfit-racks": N_("Give either racks or rack_values, not both."),
    "misfit-turns": N_("A forfeited game has no turns."),
    "misfit-forfeit": N_("This can be filled in only for a forfeited game."),
    "misfit-by-flag": N_("This can be filled in only for a game lost on time."),
    "misfit-no-score": N_("A play needs a word or a score."),
    "misfit-no-word": N_("The turn has a square but no word."),
    "misfit-play": N_("This can be filled in only for a play."),
    "misfit-challenge": N_("This can be filled in only for a wrong challenge."),
    "misfit-exchange": N_("This can be filled in only for an exchange."),
    "misfit-own-turn": N_("This can be filled in only for a play, an exchange or a pass."),
    "sheet-without-flag": N_(
        "The sheet does not say which player’s time ran out. Set the sheet’s field “flag” to 1 or 2."
    ),
    "sheet-overtime-unclear": N_(
        "Check the overtime on the sheet: in a game lost through overtime, exactly one player has "
        "more than {limit} seconds."
    ),
    "tileset-not-here": N_("The sheet uses an unknown tile set: {tileset}."),
    "sheet-not-of-table": N_("{seats} players sit at this table, but the score sheet has {players}."),
    "sheet-not-of-two": N_("A game in this tournament has two players, but this score sheet has {players}."),
    "gcg-without-squares": N_(
        "Row {row}, {player}: enter the square where the word starts. An annotated game needs it for every play."
    ),
    "too-many-at-table": N_("{players} players are too many. These rules allow at most {most}."),
    "rule-number-within": N_("Type a whole number from {least} to {most}."),
    "rule-number-any": N_("Type a whole number."),
    "rule-fraction": N_("Type a number or a fraction: 1, 1/2 or 0.5."),
    "rule-text": N_("Type a name."),
    "season-scale": N_("Type a number above 0, at most {most}."),
    "season-value-within": N_("Type a number from {least} to {most}."),
    "rule-field-places": N_(
        "Type it like this: 16: 2, 48: 3. From 16 players on, two places qualify; from 48 players on, three."
    ),
    "rule-order": N_("Choose at least one tie-break."),
    "rule-range": N_("The minimum {low} is greater than the maximum {high}."),
    "rule-needed": N_("Another rule uses this number. Type a value above 0."),
    "rule-places": N_("Type one number for each place at the table."),
    "no-such-tileset": N_("There is no tile set called {tileset}. The tile sets are: {known}."),
    "tileset-invalid": N_("The tile set cannot be used: {problems}."),
    "tileset-unreadable": N_("The tile set cannot be read: {problem}."),
    "rating-unfit": N_("The rating system cannot be used: {problems}."),
    "season-rule-unreadable": N_("The season rules cannot be read: {problem}."),
    "rating-unreadable": N_("The rating system cannot be read: {problem}."),
    # before the first move
    "late-not-in-rules": N_("{ruleset} has no rule for late players."),
    "draw-missing": N_("Enter the tile that each player drew."),
    "draw-players": N_("Only these players draw a tile again to decide who starts: {detail}."),
    "draw-superfluous": N_("An earlier draw has already decided who starts."),
    # challenges
    "joint-verdict-needed": N_("The judges’ verdicts differ. Enter their joint verdict."),
    "second-verdict-missing": N_("Enter the second judge’s verdict."),
    "word-list-missing": N_("No word list is chosen. Choose a word list in the tournament settings."),
    "verdict-open": N_("The word list cannot rule on this play. Enter the judge’s verdict."),
    # files of annotated games
    "gcg-none": N_("There are no annotated games (*.gcg) in this folder."),
    "gcg-too-many": N_("There are too many files. At most {most} are allowed."),
    "gcg-unmatched": N_(
        "{file}: the program cannot tell which game of {players} this is. There must be exactly "
        "one published game without a score sheet."
    ),
    "gcg-too-large": N_("The file is too large for an annotated game."),
    "gcg-binary": N_("This is not a text file."),
    "gcg-encoding": N_("The encoding is not known: {detail}."),
    "gcg-empty": N_("There is no game in this file."),
    "line-unreadable": N_("This line cannot be read: {detail}."),
    "event-unreadable": N_("This turn cannot be read: {detail}."),
    "player-unknown": N_("There is no player {detail} in this game."),
    "player-unreadable": N_("This player cannot be read: {detail}."),
    "too-many-players": N_("The game has more than four players."),
    "duplicate-names": N_("Two players have the same name: {detail}."),
    "duplicate-nicks": N_("Two players have the same short name: {detail}."),
    "encoding-not-first": N_("The line that names the encoding must be the first line."),
    "game-type-unknown": N_("The program does not know this kind of game: {detail}."),
    "line-too-long": N_("This line is too long."),
    "more-than-two-players": N_("The game has more than two players."),
    "no-play": N_("There is no play in this game."),
    "note-before-events": N_("This note is before the first turn. Put a note after the turn it is about."),
    "player-undeclared": N_("The header of the file does not name this player: {detail}."),
    "pragma-repeated": N_("This line appears twice: {detail}."),
    "pragma-unknown": N_("The program does not know this kind of line: {detail}."),
    # typed turns
    "turn-empty": N_("This line is empty."),
    "turn-unreadable": N_("The program does not understand “{detail}” here. Type ? to see how to write a turn."),
    "turn-without-word": N_("{detail}: the word is missing."),
    "turn-tiles": N_("A player can exchange 1 to 7 tiles."),
    "turn-words": N_("A play can have one to eight invalid words."),
    "turn-points": N_("{detail}: this score is not possible."),
    "turn-mark": N_("“{detail}” cannot be used with this kind of turn. Type ? to see how to write a turn."),
    # sums
    "score-differs": N_("The score is {computed}, not {stated}."),
    "score-missing": N_("The score is missing."),
    "score-negative": N_("A turn cannot be worth {stated} points."),
    "total-differs": N_("The total is {computed}, not {stated}."),
    "total-missing": N_("The total is missing. It should be {computed}."),
    "forms-differ": N_("{detail}: the other player’s score sheet has {other}, not {stated}."),
    # turns
    "off-turn": N_("It was another player’s turn."),
    "turn-after-end": N_("The game was over before this turn."),
    "pass-twice": N_("A player may not pass twice in a row."),
    "first-word-short": N_("The first word has {stated} letters. These rules require at least {computed}."),
    "pass-not-allowed": N_("Passing is not allowed while there are tiles in the bag ({stated})."),
    "exchange-too-few": N_("There are not enough tiles in the bag ({stated}); an exchange needs {computed}."),
    "phony-not-in-rules": N_("These rules have no penalty for an invalid word found after the game."),
    "contested-not-in-rules": N_("These rules do not allow a play to be contested and replaced."),
    "withdrawn-not-in-rules": N_(
        "Under these rules, the player replaces the invalid play and does not lose the turn. Enter "
        "the new play, then ~ and the invalid word: WEL 18 ~XYZ."
    ),
    "lost-turn-not-in-rules": N_("Under these rules, no player can lose a turn."),
    "challenge-without-play": N_("There is no play that could have been challenged."),
    "challenge-before-play": N_(
        "No word was on the board yet. Under these rules, this challenge costs nothing. To "
        "penalise it anyway, type “/ !” instead of “/”."
    ),
    "challenge-no-play": N_(
        "The turn before this challenge was not a play. Under these rules, this challenge costs "
        "nothing. To penalise it anyway, type “/ !” instead of “/”."
    ),
    "challenge-own-play": N_(
        "This is the challenger’s own play. Under these rules, this challenge costs nothing. To "
        "penalise it anyway, type “/ !” instead of “/”."
    ),
    "challenge-twice": N_(
        "This play was challenged before. Under these rules, this challenge costs nothing. To "
        "penalise it anyway, type “/ !” instead of “/”."
    ),
    "challenge-not-in-rules": N_("These rules do not allow challenges."),
    "turn-not-lost": N_(
        "The player loses this turn because of the wrong challenge before it. Type # for the lost turn."
    ),
    "withdrawn-without-play": N_("There is no play to take back."),
    "event-after-end": N_("There is a turn after the end of the game."),
    "event-after-rack": N_("There is a turn after the final racks ({detail})."),
    # plays
    "coordinate-unreadable": N_("This square cannot be read: {detail}."),
    "word-unreadable": N_("This word cannot be read: {detail}."),
    "letter-unknown": N_("The tile set has no tile {detail}."),
    "direction-missing": N_("It is not clear whether the word runs across or down."),
    "direction-turned": N_("The word fits only in the other direction."),
    "off-board": N_("The word runs off the board."),
    "square-occupied": N_("Square {detail} already has the tile {other}."),
    "nothing-to-play-through": N_("The play uses a letter on the board, but that square is empty."),
    "word-incomplete": N_("The typed word is only a part of the word on the board. Enter the whole word."),
    "no-new-tile": N_("This play puts no new tile on the board."),
    "too-many-tiles": N_("{stated} new tiles are too many; a rack has {computed}."),
    "not-in-line": N_("The tiles are not in one line."),
    "gap": N_("There is a gap between the tiles."),
    "one-tile-first": N_("The first word needs at least two letters."),
    "centre-not-covered": N_("The first word does not cover the centre."),
    "not-connected": N_("The word does not touch another word."),
    "tile-over-used": Plural(
        "The set has one {detail} tile; {stated} are in use.",
        "The set has {computed} {detail} tiles; {stated} are in use.",
        "computed",
    ),
    "tile-not-on-rack": N_("These tiles were not on the rack: {detail}."),
    # words
    "word-not-in-list": N_("{detail} is not in the word list."),
    "word-not-binding": N_("The word list cannot rule on {detail}. The jury decides."),
    # racks and the end
    "rack-unreadable": N_("A rack cannot be read: {detail}."),
    "rack-too-long": N_("A rack has {stated} tiles; at most {computed} are allowed."),
    "rack-differs": N_(
        "The racks were entered as worth {stated}, but the tiles missing from the board are worth {computed}."
    ),
    "racks-differ": N_("The file gives the final rack twice, with different tiles: {detail}."),
    "rack-missing": N_("The tiles left on the racks have not been entered."),
    "rack-not-counted": N_("The tiles left on {detail}’s rack have not been counted."),
    "rack-not-empty": N_(
        "Tiles worth {stated} were entered for the player who went out. That rack must be empty."
    ),
    "end-rack-differs": N_("The tiles left on the racks do not match the tiles missing from the board: {detail}."),
    "end-rack-national": N_(
        "The file adds the rack’s value to one player and deducts it from the other. Annotated "
        "games usually add twice the value to one player instead."
    ),
    "out-impossible": N_(
        "No player can have gone out: {stated} tiles are not on the board, more than the opponents can hold."
    ),
    "nobody-out": N_("All players have tiles left, but the sheet says that one went out."),
    "end-not-in-rules": N_("Under these rules, a game cannot end in this way: {detail:GameEnding}."),
    "row-incomplete": N_(
        "The series of scoreless turns that ended the game is too short: {stated} on the sheet, but the rules "
        "require {computed}."
    ),
    "bag-not-empty": N_("There are still tiles in the bag ({stated}), so the game is not over."),
    "overtime-not-in-rules": N_("Overtime of {stated} s was entered, but these rules have no overtime penalty."),
    "overtime-stops-game": N_(
        "Overtime of {stated} s is over the maximum of {computed} s, so the game is lost. Choose "
        "“too much overtime” as the end of the game."
    ),
    "sanction-not-in-rules": N_("This sanction is not in these rules: {detail:SanctionKind}."),
}

ERRORS: Mapping[str, Text] = {**_RULES, **FILES, **_GAMES}
