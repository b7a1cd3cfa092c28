"""A sentence for every code that a user's trouble can carry: what is wrong, and what can be done.

Where a fact `id` tells that a row is gone, a key with `.id` goes before the bare code.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.i18n.mark import N_, Plural, Text

_RULES: Mapping[str, Text] = MappingProxyType(
    {
        # looking things up
        "which-division": N_("Say which division: {divisions}."),
        "no-such-division": N_("There is no division {division}."),
        "no-such-division.id": N_("This division is gone."),
        "no-such-round": N_("There is no round {round} yet."),
        "no-such-round-any-more": N_("This round is gone."),
        "no-such-draft": N_("This draft is gone."),
        "no-such-player": N_("There is no player {player}."),
        "no-such-player.id": N_("This player is gone."),
        "no-such-table": N_("There is no table {table} in round {round}."),
        "no-such-stage": N_("There is no stage {stage}."),
        "no-such-stage.id": N_("This stage is gone."),
        "no-such-system": N_("There is no pairing system {system}."),
        "no-such-ruleset": N_("There is no rule set {ruleset}. Known are: {known}."),
        "no-such-report": N_("There is no report {report}. There are: {reports}."),
        "game-gone": N_("This game is gone."),
        "no-knockout": N_("Division {division} has no knockout."),
        # the tournament and its divisions
        "tournament-finished": N_("The tournament is finished. Reopen it to change something."),
        "tournament-not-finished": N_("The tournament is not finished."),
        "division-exists": N_("There is a division {division} already."),
        "division-not-empty": N_("Division {division} is not empty. Move or remove its players first."),
        "rounds-already-made": N_("{made} rounds are made already; {rounds} are too few."),
        "stage-started": N_("The stage has begun; this can no longer be changed."),
        "later-stage-started": N_("A later stage has begun; this can no longer be changed."),
        "seeded-twice": N_("A player stands twice among the seeds."),
        "unknown-setting": N_("{field}: {value} is not a choice."),
        "settings-unfit": N_("The settings do not fit: {problems}."),
        "unknown-tiebreak": N_("There is no tie-break {tiebreak}. Known are: {known}."),
        "repeated-tiebreak": N_("The tie-break {tiebreak:heading} stands twice in the order."),
        "unknown-system": N_("There is no pairing system {system}. Known are: {known}."),
        # what is typed
        "text-missing": N_("Fill in: {field:heading}."),
        "text-too-long": N_("{field:heading}: {length} letters are too many; {longest} are allowed."),
        "text-not-printable": N_("{field:heading}: holds signs that cannot be shown."),
        "number-out-of-range": N_("{field:heading}: {value} is not between {low} and {high}."),
        # players
        "player-exists": N_("{player} is in division {division} already."),
        "player-has-games": N_("{player} has played. Withdraw the player instead."),
        "already-in-division": N_("{player} is in division {division} already."),
        "already-withdrawn": N_("{player} has withdrawn already."),
        "not-withdrawn": N_("{player} has not withdrawn."),
        "already-absent": N_("{player} is absent in round {round} already."),
        "not-absent": N_("{player} is not absent in round {round}."),
        "rounds-reversed": N_("The last round, {last}, comes before the first, {first}."),
        "already-forbidden": N_("{player} and {other} are kept apart already."),
        "not-forbidden": N_("These players are not kept apart."),
        "other-division": N_("{player} is in another division."),
        "number-taken": N_("Number {number} belongs to {player}."),
        "round-published": N_("Round {round} is published, and {player} is in it."),
        # pairing
        "against-himself": N_("{player} cannot play against himself or herself."),
        "twice-in-round": N_("{player} would be in round {round} twice."),
        "table-twice": N_("Table {table} would be used twice in round {round}."),
        "player-twice": N_("Player {player} stands in two of the pairs."),
        "player-not-in-round": N_("Player {player} does not take part in round {round}."),
        "forbidden-pair": N_("Players {first} and {second} are kept apart."),
        "no-pairing-possible": N_("The players cannot be paired: too many of them are kept apart."),
        "no-players": N_("There are no players to pair."),
        "too-few-players": Plural(
            "Round {round} cannot be paired: only one player takes part.",
            "Round {round} cannot be paired: only {players} players take part.",
            "players",
        ),
        "all-rounds-paired": N_("All {rounds} rounds are paired. Add rounds or a stage to go on."),
        "round-robin-complete": N_("Everybody has met everybody: {players} players need {rounds} rounds."),
        "knockout-decided": N_("The knockout is decided after {rounds} rounds."),
        "tie-undecided": N_("Table {table} of round {round} is a tie. Say who goes on."),
        "results-missing": N_("Round {round}: results are still out at tables {tables}."),
        "not-next-round": N_("Round {round} is not the next one."),
        "pairing-outdated": N_("Something has changed since round {round} was paired. Pair it again."),
        "round-already-published": N_("Round {round} is published already."),
        "round-not-published": N_("Round {round} is not published yet."),
        "no-round-published": N_("Division {division} has no published round yet."),
        "not-last-round": N_("Round {round} is not the last one. Take later rounds away first."),
        "reason-needed": N_("Round {round} is published. Say why it is changed."),
        "round-has-results": N_("Round {round} has results at tables {tables}. They would be lost."),
        "not-at-table": N_("This player does not sit at that table."),
        "not-the-same-players": N_("Round {round}: not the same players at tables {tables} as before."),
        "nobody-has-bye": N_("Nobody has a bye in round {round}."),
        # results
        "changed-meanwhile": N_("This has been changed meanwhile by {who}: {step} ({when:time}). Look again."),
        "implausible-points": N_(
            "Table {table}: {points} is not between {lowest} and {highest}. Type it again, or confirm it."
        ),
        "points-missing": N_("Table {table}: both scores are needed."),
        "forfeit-with-points": N_("Table {table}: a forfeit has no scores."),
        "game-has-result": N_("Table {table} has a result. Clear it first."),
        "no-result": N_("Table {table} has no result yet."),
        "already-in-state": N_("Table {table} is {state:code} already."),
        "result-final": N_("The result of table {table} is final. Say why it is changed."),
        "result-twice": N_("Round {round}, table {table} is there twice."),
        "no-tie": N_("Table {table} is not a tie."),
        "one-winner": N_("Table {table}: only one player can go on."),
        "one-starter": N_("Table {table}: only one player can start."),
        "start-assigned": N_("Table {table}: the pairing says who starts."),
        # undo
        "nothing-to-undo": N_("There is nothing to undo."),
        "nothing-to-redo": N_("There is nothing to do again."),
        "undo-changed-since": N_("This was changed later by {who}: {step} ({when:time}). Undo that first."),
        "undo-needed-since": N_("Something later needs this: {step} ({who}, {when:time}). Undo that first."),
        # the command line
        "unknown-command": N_("There is no command {command}."),
        "argument-missing": N_("Say {argument}=..."),
        "argument-unfit": N_("{argument}={value} does not fit."),
        "argument-unknown": N_("There is no argument {argument}. Known are: {known}."),
        "print-what": N_("Say which file, which report, and where to write it (-o)."),
        "document-has-divisions": N_("The document holds whole divisions; leave out --division."),
    }
)

_FILES: Mapping[str, Text] = MappingProxyType(
    {
        # the tournament's file
        "file-missing": N_("{path}: there is no such file."),
        "file-exists": N_("{path}: there is such a file already. Choose another name."),
        "file-is-folder": N_("{path}: this is a folder."),
        "folder-missing": N_("{path}: there is no such folder."),
        "file-foreign": N_("{path}: this is not a tournament of tdapp."),
        "file-newer": N_("{path}: made by a newer version of tdapp. Install that version to open it."),
        "file-damaged": N_("{path}: the file is damaged ({detail}). Use a snapshot."),
        "file-altered": N_("{path}: something else has altered this file ({detail}). Use a snapshot."),
        "file-moved": N_("{path}: the file was moved or deleted while it was open."),
        "file-unfinished": N_(
            "{path}: the last change was cut short, and the file is read-only. Make it writable."
        ),
        "file-unreachable": N_("{path}: the file cannot be reached."),
        "no-permission": N_("{path}: you have no permission for this file."),
        "read-only": N_("{path}: the file is read-only."),
        "locked": N_("{path}: another program holds the file. Try again."),
        "disk-full": N_("{path}: the disk is full. Nothing was changed."),
        "disk-error": N_("{path}: the disk reports an error ({detail})."),
        "value-too-big": N_("{path}: a text is too long to be stored."),
        "value-unstorable": N_("{path}: a value cannot be stored ({detail})."),
        "snapshot-damaged": N_("{path}: the snapshot could not be read back. Choose another place."),
        "snapshot-onto-itself": N_("{path}: this is the tournament itself. Choose another name."),
        # what is imported and exported
        "file-empty": N_("The file is empty."),
        "file-empty.path": N_("{path}: the file is empty."),
        "file-binary": N_("This is not a text file."),
        "file-too-large": N_("The file is too large; {megabytes} MB are allowed."),
        "file-unknown": N_("tdapp does not know this kind of file."),
        "file-is-tournament": N_("This is a tournament file: open it instead."),
        "file-is-spreadsheet": N_("This is a spreadsheet: save it as CSV first."),
        "file-unreadable": N_("The file cannot be read: {problem}."),
        "file-unwritable": N_("The file cannot be written: {problem}."),
        "format-unknown": N_("There is no format {format}. Known are: {known}."),
        "ruleset-invalid": N_("The rule set cannot be used: {problems}."),
        "ruleset-unreadable": N_("The rule set cannot be read: {problem}."),
        "document-invalid": N_("The document does not fit: {problems}."),
        "document-newer": N_("The document has version {found}; this program reads up to {supported}."),
        "document-other": N_("This is not a document of tdapp."),
        "json-broken": N_("This is not JSON: {problem}."),
        "too-many-rows": N_("There are too many rows; {most} are allowed."),
        "too-long": N_("The text is too long."),
        # lists of players and of results
        "csv-broken": N_("The quotation marks do not match."),
        "csv-no-header": N_("The first row names no known column. Known are: {columns}."),
        "csv-column-missing": N_("This column is missing."),
        "csv-column-twice": N_("This column is there twice."),
        "csv-no-rows": N_("There are no rows below the headings."),
        "too-many-cells": N_("The row has {cells} cells for {columns} columns."),
        "name-missing": N_("The name is missing."),
        "number-missing": N_("The number is missing."),
        "bad-number": N_("“{value}” is not a whole number from {least} to {most}."),
        "bad-rating": N_("“{value}” is not a rating."),
        "bad-start": N_("“{value}” does not say who started; 1 or 2 does."),
        "duplicate-name": N_("{value} is there already, in line {first}."),
        "duplicate-number": N_("Number {value} is there already, in line {first}."),
        "duplicate-result": N_("Round {round}, table {table} is there already, in line {first}."),
        # tsh
        "tsh-no-players": N_("There are no players in this file."),
        "tsh-name-missing": N_("The name is missing."),
        "tsh-rating-missing": N_("The rating after the name is missing."),
        "tsh-number-invalid": N_("“{value}” is not a number."),
        "tsh-too-many-rounds": N_("There are too many rounds; {most} are allowed."),
        "tsh-comment-invalid": N_("This comment of tdapp cannot be read."),
        "tsh-no-such-player": N_("{player}, round {round}: there is no player {opponent}."),
        "tsh-against-self": N_("{player}, round {round}: plays against himself or herself."),
        "tsh-asymmetric": N_("{player}, round {round}: opponent {opponent} does not name this player."),
        "tsh-score-missing": N_("{player}, round {round}: only the opponent has a score."),
        "tsh-score-without-opponent": N_("{player}, round {round}: a score without an opponent."),
        "tsh-boards-differ": N_("{player}, round {round}: another table than {opponent} has."),
        "tsh-starts-differ": N_("{player}, round {round}: who starts does not fit with {opponent}."),
    }
)

ERRORS: Mapping[str, Text] = MappingProxyType({**_RULES, **_FILES})
