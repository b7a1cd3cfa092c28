"""A sentence for every error with files, databases, imports and exports."""

from __future__ import annotations

from collections.abc import Mapping

from tdapp.domain.translatable import N_, Text

FILES: Mapping[str, Text] = {
    # the tournament's file
    "no-file-there": N_("This file does not exist."),
    "file-missing": N_("{path}: this file does not exist."),
    "file-exists": N_("{path}: this file already exists. Choose another name."),
    "file-is-folder": N_("{path}: this is a folder."),
    "folder-missing": N_("{path}: this folder does not exist."),
    "file-foreign": N_(
        "{path}: this is not a tdapp tournament. To import a list of players, open a tournament and use Import on "
        "the Players page."
    ),
    "file-newer": N_("{path}: made by a newer version of tdapp. Install that version to open it."),
    "file-damaged": N_(
        "{path}: the file is damaged. Use a snapshot, or save the readable part (tdapp repair). Technical "
        "detail: {detail}"
    ),
    "file-altered": N_(
        "{path}: another program has changed this file. Use a snapshot, or save the readable part (tdapp "
        "repair). Technical detail: {detail}"
    ),
    "file-moved": N_("{path}: the file was moved or deleted while it was open."),
    "file-overwritten": N_(
        "{path}: another program emptied or overwrote the file while it was open. It no longer contains step "
        "{step}, which was saved here."
    ),
    "file-unfinished": N_(
        "{path}: the last change was not completed. Make the file writable, so that the program can repair it."
    ),
    "file-in-wal": N_(
        "{path}: the program can read this file only if it may write in the same folder. Copy the "
        "file to another folder, together with the file of the same name that ends in -wal."
    ),
    "file-unreachable": N_("{path}: the file cannot be reached. Check that its drive or network is connected."),
    "no-permission": N_("{path}: you do not have permission for this."),
    "read-only": N_("{path}: the file is read-only. Allow writing to it, or work on a copy in another folder."),
    "folder-read-only": N_(
        "{path}: the program cannot write to this file’s folder, so nothing can be saved safely. Allow "
        "writing there, or work on a copy in another folder."
    ),
    "locked": N_("{path}: another program has locked the file. Try again."),
    "disk-full": N_("{path}: the disk is full. Nothing was changed."),
    "not-swept": N_(
        "The personal data is erased, but traces may remain in {path}: another program has locked the file, "
        "or the disk is full. Erase the data again."
    ),
    "disk-error": N_(
        "{path}: the disk reports an error. Save the tournament elsewhere. Technical detail: {detail}"
    ),
    "value-too-big": N_("{path}: a text is too long to be stored."),
    "value-unstorable": N_("{path}: a value cannot be stored. Technical detail: {detail}"),
    "snapshot-damaged": N_("{path}: the snapshot was written but cannot be read. Save it in another folder."),
    "snapshot-onto-itself": N_("{path}: this is the tournament itself. Choose another name."),
    # a printer
    "print-service-silent": N_("This computer’s print service (CUPS) is not responding."),
    "printer-refuses": N_("{printer} is not accepting the pages. {why}"),
    # the tournament on a server
    "server-address": N_(
        "{path}: write the address of a server as postgresql://name@host/database. In a password, write %40 "
        "for @ and %2F for /."
    ),
    "server-unsafe": N_(
        "{path}: this server asks for the password in an unsafe way. No password was sent. Ask the server’s "
        "administrator to use SCRAM (scram-sha-256). Technical detail: {detail}"
    ),
    "server-driver-missing": N_(
        "To reach a server, tdapp needs its “stations” extra. Install it "
        "with pip install 'tdapp[stations]'. Technical detail: {detail}"
    ),
    "server-unreachable": N_(
        "{path}: no answer from this address. Compare it with the director’s screen. Check that this computer "
        "is on the same network and that the tournament is still shared. Technical detail: {detail}"
    ),
    "server-refused": N_(
        "{path}: the server does not let this computer in. Check that this computer is on the director’s "
        "network and that the tournament is still shared. Technical detail: {detail}"
    ),
    "server-password": N_(
        "{path}: the name or password is wrong. Compare both with the director’s screen, or ask for a new "
        "password."
    ),
    "server-full": N_(
        "{path}: the server has too many connections. Close a station you do not need. Technical detail: {detail}"
    ),
    "server-lost": N_(
        "{path}: the connection to the server was lost. Check that this computer is still on the server’s "
        "network. Technical detail: {detail}"
    ),
    "server-lost-saving": N_(
        "{path}: the connection was lost while saving. When it is back, check that the change was saved. "
        "Technical detail: {detail}"
    ),
    "fetched-damaged": N_(
        "{path}: the tournament at this address cannot be opened, so nothing was copied. The owner of the "
        "tournament can repair it: tdapp repair ADDRESS. Technical detail: {detail}"
    ),
    "repair-needs-copy": N_(
        "{path}: not enough of the tournament can be read to repair it. Give a copy too: tdapp "
        "repair ADDRESS COPY. Use a snapshot, or a file that a station fetched."
    ),
    "salvage-target": N_("{path}: to save the readable part in a new file, add -o NEW."),
    "salvage-nothing": N_(
        "{path}: the tournament itself or its rules can no longer be read, so nothing can be saved from it."
    ),
    "repair-copy": N_("{path}: this is not a usable copy of that tournament. Choose another copy."),
    "server-locked": N_(
        "{path}: {who} is preventing the other stations from saving. Try again, or remove that station."
    ),
    "station-stays": N_(
        "{login} can no longer read or change anything, but is still connected to {path}. Ask the "
        "server’s administrator to end this connection."
    ),
    "login-stays": N_(
        "{login} can no longer log in to {path}, but still owns data there ({detail}). Ask the server’s "
        "administrator to delete this login."
    ),
    "station-clock": N_("{path}: this computer’s clock is wrong by more than a day. Set it, and try again."),
    "server-ended": N_(
        "{path}: the director has stopped sharing this tournament. Everything saved before that is "
        "in the director’s file. Close the tournament, or wait until it is shared again at this "
        "address."
    ),
    "file-shared": N_(
        "{path}: this tournament has been shared at {address} since {since:time}. Use that address instead of "
        "the file, or stop sharing first (tdapp unshare FILE)."
    ),
    "file-unshared": N_("{path}: this tournament is not shared."),
    "server-returned": N_(
        "{path}: this tournament was moved back to the file {address} on {since:time}. Use that "
        "file. If data is missing in it, stop sharing again."
    ),
    "server-empty": N_("{path}: this database has no tournament."),
    "server-taken": N_("{path}: this database already has a tournament. Choose another one."),
    "server-newer": N_("{path}: made by a newer version of tdapp. Install that version to open it."),
    "server-older": N_("{path}: made by an older version of tdapp. Open it on the director’s computer first."),
    "server-encoding": N_("{path}: the database stores text as {encoding}. Create a database that uses UTF8."),
    "server-shared": N_("{path}: this tournament is already on a server."),
    "server-needed": N_("{path}: only a tournament on a server has logins. Share it first."),
    "cluster-no-programs": N_(
        "PostgreSQL is not installed on this computer. Install it (Debian, Ubuntu: apt install "
        "postgresql; Windows, macOS: postgresql.org), or run pip install 'tdapp[server]', or use "
        "an existing server."
    ),
    "cluster-root": N_(
        "PostgreSQL cannot run as the computer’s administrator (root). Start tdapp as an ordinary user."
    ),
    "cluster-failed": N_(
        "PostgreSQL failed on this computer. Try again, or use an existing server. Technical detail: "
        "{program}: {detail}"
    ),
    "cluster-port-taken": N_("Port {port} is taken by another program. Choose another port."),
    "cluster-address-gone": N_(
        "This computer no longer has the address {address}. Join the network again, or choose another address."
    ),
    "cluster-no-network": N_(
        "This computer is not on a network. Join your own network, from a small router or a phone’s hotspot, "
        "not the hall’s network. Then try again."
    ),
    "cluster-path-long": N_("{path}: the folder’s name is too long for a shared tournament."),
    "cluster-damaged": N_(
        "{path}: the settings for sharing the tournament cannot be read. Technical detail: {detail}"
    ),
    "login-reserved": N_("The name {login} belongs to the tournament’s director. Choose another."),
    "role-may-not": N_("Your role is {role:code}. This action needs another role."),
    # word lists
    "lexicon-foreign": N_("{path}: this is not a tdapp word list (.lex). Make one from a text file first."),
    "lexicon-newer": N_("{path}: this word list was made by a newer version of tdapp."),
    "lexicon-damaged": N_("{path}: the word list is damaged ({detail}). Import the original list again."),
    "lexicon-altered": N_(
        "{path}: another program has changed this word list ({detail}). Import the original list again."
    ),
    "edition-missing": N_("This computer does not have the word list edition {edition}. Add it first."),
    "edition-there": N_("The word list {edition} is already on this computer."),
    "wordlist-encoding": N_("The list cannot be read as {encoding}."),
    "wordlist-too-many": N_("The dictionary produces more than {most} word forms. Choose a smaller dictionary."),
    "hunspell-affixes": N_("The affix file (.aff) of the dictionary cannot be read."),
    "wordlist-no-words": N_("There are no words in this list. The list needs one word per line."),
    # imports and exports
    "file-empty": N_("The file is empty."),
    "file-empty.path": N_("{path}: the file is empty."),
    "file-binary": N_("This is not a text file."),
    "file-too-large": N_("The file is too large. At most {megabytes} MB are allowed."),
    "file-unknown": N_("tdapp does not recognise this kind of file."),
    "file-is-tournament": N_("This is a tournament file: open it instead."),
    "file-is-spreadsheet": N_(
        "This is an old spreadsheet, or one with a password: save it as xlsx, ods or CSV without a password."
    ),
    "spreadsheet-broken": N_("The spreadsheet is damaged and cannot be read."),
    "spreadsheet-other": N_("This is an archive, not a readable spreadsheet. Save it as xlsx, ods or CSV."),
    "spreadsheet-encrypted": N_("The spreadsheet has a password: save it without one."),
    "spreadsheet-path": N_("The spreadsheet contains an invalid part: {name}. Save it again as xlsx, ods or CSV."),
    "spreadsheet-entries": N_(
        "The spreadsheet file contains {found} inner files; at most {most} "
        "are allowed. Copy the list to a new spreadsheet."
    ),
    "spreadsheet-bomb": N_("The spreadsheet unpacks to {megabytes} MB, which is too large for a list."),
    "spreadsheet-entities": N_(
        "The part {name} of the spreadsheet has XML declarations that are "
        "not allowed. Save the spreadsheet again as xlsx, ods or CSV."
    ),
    "spreadsheet-columns": N_("There are too many columns. At most {most} are allowed."),
    "several-sheets": N_("Several sheets have players: {sheets}. Choose one with --sheet."),
    "sheets-left-out": N_("Only the sheet {sheet} is imported. Not used: {sheets}."),
    "no-such-sheet": N_("The spreadsheet has no sheet called {sheet}. Its sheets are: {known}."),
    "player-unsure": N_(
        "{player} may be the same person as number {number}, {other}. Import this list in the program window, "
        "where you can decide on each line, or correct the list."
    ),
    "list-of-standings": N_("These are standings: only the players are imported, without results or places."),
    "list-of-games": N_("This is a list of games, without a list of players. Import the players first."),
    "names-mixed": N_("“{value}” has no comma, but other names in the list do. Write it as “Last, First”."),
    "imported-players": N_(
        "Players in division {division}: {added} added, {changed} changed, {unchanged} unchanged."
    ),
    "ratings-taken": N_("Ratings changed in division {division}: {count}."),
    "ratings-unsure": N_("These players were not changed, because the list may mean someone else: {unsure}."),
    "ratings-absent": N_("These players are not in the list: {absent}."),
    "ratings-skipped": N_("Lines in the list that cannot be read: {skipped}."),
    "imported-rounds": N_("Players added to division {division}: {added}. Rounds: {rounds}."),
    "columns-left-out": N_("These columns were not used: {columns}."),
    "file-encoding": N_("This file is not in {encoding}. Choose another encoding."),
    "control-left-out": N_("“{value}”: the character {sign} is not a letter and is left out. Check the spelling."),
    "rating-provisional": N_(
        "Ratings imported as provisional, such as “{value}”: {count}. They are shown with a question mark."
    ),
    "rating-grouped": N_("“{value}” was imported as the rating {rating}."),
    "rating-zero": N_("Ratings of 0, treated as no rating: {count}."),
    "text-encoding": N_(
        "The file was read as {encoding}. Some names: {names}. If they are wrong, use --encoding."
    ),
    "text-mixed": N_("Lines {lines} are in {encoding}, the others in UTF-8. Check these names: {names}."),
    "rating-left-out": N_("“{value}” is not a rating and is left out."),
    "name-split-unsure": N_("Check the last name of “{value}”."),
    "first-names-first": N_(
        "The names look like “First name Last name”. Import with --first-last to sort them by last name."
    ),
    "added-elsewhere": N_("These players were added, but they are in another division too: {players}."),
    "stated-total": N_("{source}, line {line}: {player} has {stated} points, but the rounds add up to {counted}."),
    "line-left-out": N_("{source}, line {line} is left out, because tdapp has no field for it: {text}"),
    "keys-left-out": N_(
        "Division {division}: the data under {keys:headings} is left out, because tdapp has no field for it."
    ),
    "order-kept": N_(
        "Division {division} is ranked by {order:tiebreaks}, as its rules say. The program that made the file "
        "ranks by {usual:tiebreaks}."
    ),
    "order-taken": N_(
        "Division {division} is now ranked by {usual:tiebreaks}, as in the program that made the "
        "file. To rank it by its own rules ({order:tiebreaks}), use --keep-order."
    ),
    "ratings-none": N_("There are no names with ratings in this file."),
    # AUPAIR
    "tou-no-head": N_("An AUPAIR event must begin with *M, a date and a name."),
    "tou-no-players": N_("There are no players in this file."),
    "tou-no-date": N_(
        "An AUPAIR event needs a date, but this tournament has no date. Set the date under Tournament."
    ),
    "tou-unclear-date": N_(
        "An AUPAIR event needs a clear date, but “{date}” is unclear. Write it as 2027-03-27 or 27 March 2027."
    ),
    "unclear-date": N_("The date “{date}” is left out, because it is unclear."),
    "calendar-no-times": N_(
        "No calendar can be made: no round times are set for division {divisions}. Set them under Tournament."
    ),
    "calendar-no-date": N_("No calendar can be made: the tournament has no date. Set it under Tournament."),
    "calendar-unclear-date": N_(
        "No calendar can be made: the date “{date}” is unclear. Write it as 2027-03-27 or 27 March 2027."
    ),
    "calendar-without": N_("Not in the calendar, because no round times are set: division {divisions}."),
    "tou-division-twice": N_("Division {division} appears twice."),
    "tou-block": N_("{player}, round {round}: a score and an opponent were expected, not “{value}”."),
    "tou-scores-differ": N_("{player}, round {round}: the lines of the two players contradict each other."),
    # chess
    "trf-column": N_("Unexpected text, starting in column {column}: “{value}”."),
    "trf-no-opponent": N_("{player}, round {round}: a result without an opponent."),
    "trf-results-differ": N_("{player}, round {round}: the result does not match that of {opponent}."),
    "trf-points-differ": N_("{player}, round {round}: the points do not match the result against {opponent}."),
    "trf-points-aside": N_(
        "A chess file has no field for Scrabble scores. They are in lines starting with ###, which other "
        "programs skip."
    ),
    "points-made-up": N_(
        "Division {division}: the file has winners but no points. Wins are imported as 1–0, draws as 1–1."
    ),
    # data that a file format cannot contain
    "naspa-without-number": N_("NASPA needs a number for every player. These players have none: {players}."),
    "export-without-groups": N_(
        "This file format can store only games between two players. These tables are left out (round/table): "
        "{tables}."
    ),
    "export-without": N_("This file format cannot store: {what}."),
    "export-names-differ": N_("These names are written differently in the file: {players}."),
    "tsh-not-latin": N_(
        "tsh may show these names wrongly: {players}. It reads Latin-1 by default, and this file "
        "is UTF-8 because of their letters."
    ),
    "export-renumbered": N_("The file gives these players a different number: {players}."),
    "export-rounds-differ": N_("Games or byes of these rounds are missing or different in the file: {rounds}."),
    "folder-not-standard": N_(
        "That format writes a folder of files, so it cannot use standard output. Name a folder."
    ),
    "file-not-plain": N_("This is not an ordinary file. Choose another file."),
    "file-unreadable": N_("The file cannot be read: {problem}."),
    "folder-unreadable": N_("The folder cannot be read: {problem}."),
    "file-unwritable": N_("The file cannot be written: {problem}."),
    "site-folder-taken": N_(
        "The folder contains other files, so it was not changed. Choose an empty folder, or the folder of an "
        "earlier website."
    ),
    "site-folder-unreadable": N_(
        "The folder cannot be read: {problem}. Choose another folder, or allow reading and writing there."
    ),
    "referee-no-event": N_("This file has no pairings, only players or results. Choose a tournament file."),
    "copy-no-results": N_("There is no published round with a result in this file."),
    "format-unknown": N_("There is no format called {format}. The formats are: {known}."),
    "ruleset-invalid": N_("The rule set cannot be used: {problems}."),
    "season-grid-empty": N_(
        "The grid needs names in the first column, dates in the first row, and at least one result."
    ),
    "season-grid-no-name": N_("The name is missing."),
    "season-grid-twice": N_("{value} is already in line {first}."),
    "season-grid-number": N_("“{value}” is not a number."),
    "season-grid-date": N_("“{date}” is not a date. Type, for example, {example:day}."),
    "season-grid-date-twice": N_("The date {value} is already in another column."),
    "season-rule-invalid": N_("The season rules cannot be used: {problems}."),
    "ruleset-unreadable": N_("The rule set cannot be read: {problem}."),
    "document-invalid": N_("The file contains invalid data: {problems}."),
    "document-newer": N_("The document has version {found}; this program reads versions up to {supported}."),
    "document-other": N_("This is not a tdapp document."),
    "json-broken": N_("This is not JSON, or the file is incomplete. Technical detail: {problem}"),
    "too-many-rows": N_("There are too many rows. At most {most} are allowed."),
    "too-long": N_("The text is too long. At most {most} characters are allowed."),
    # lists of players and of results
    "csv-broken": N_("The quotation marks do not match."),
    "csv-no-delimiter": N_("“{delimiter}” is missing after a closing quotation mark."),
    "csv-no-header": N_(
        "The first row must name the columns. Required: {needed:columns}. Optional: {columns:columns}."
    ),
    "csv-column-missing": N_("Columns are missing: {columns:columns}."),
    "csv-column-twice": N_("Two columns have the same meaning. Rename or remove one of them."),
    "csv-no-rows": N_("There are no rows below the headings."),
    "too-many-cells": N_("The row has {cells} cells, but there are {columns} columns."),
    "name-missing": N_("The name is missing."),
    "number-missing": N_("The number is missing."),
    "bad-number": N_("“{value}” is not a whole number from {least} to {most}."),
    "bad-clock": N_("“{value}” is not a time. Type minutes and seconds: 2:30."),
    "bad-hour": N_("“{value}” is not a time of day. Type hours and minutes: 9:30."),
    "cell-unread": N_("These cells count as empty, because of an error or a formula without a value: {cells}."),
    "bad-mark": N_("“{value}” is not yes or no."),
    "bad-record-kind": N_("“{value}” is not a kind of record. The kinds are: {known}."),
    "bad-start": N_("“{value}” does not say who started. Write 1 or 2."),
    "duplicate-name": N_("{value} is already in line {first}. If they are two people, use --namesakes."),
    "duplicate-member": N_("{value} is already in line {first}."),
    "duplicate-number": N_("Number {value} is already on line {first}."),
    "duplicate-result": N_("Round {round}, table {table} is already in line {first}."),
    # tsh
    "tsh-no-divisions": N_("No division is named in this file."),
    "tsh-division-twice": N_("Division {division} appears twice."),
    "tsh-file-outside": N_("{name}: only files in the same folder as this file can be read."),
    "tsh-folder-needed": N_(
        "The divisions of this file are in other files. Import it from the folder with these files."
    ),
    "tsh-no-players": N_("There are no players in this file."),
    "tsh-rating-missing": N_("The rating after the name is missing."),
    "tsh-number-invalid": N_("“{value}” is not a number."),
    "tsh-too-many-rounds": N_("There are too many rounds. At most {most} are allowed."),
    "tsh-comment-invalid": N_(
        "This comment line from tdapp cannot be read. Remove the line, or export the file again."
    ),
    "tsh-no-such-player": N_("{player}, round {round}: player {opponent} does not exist."),
    "tsh-against-self": N_("{player}, round {round}: plays against himself or herself."),
    "tsh-asymmetric": N_(
        "{player}, round {round}: the opponent, player {opponent}, has another opponent or none."
    ),
    "tsh-score-missing": N_("{player}, round {round}: only the opponent has a score."),
    "tsh-score-without-opponent": N_("{player}, round {round}: a score without an opponent."),
    "tsh-boards-differ": N_("{player}, round {round}: the table number does not match the entry of {opponent}."),
    "tsh-lost-whatever-points": N_(
        "tsh decides games by points only. These games have a different result in tsh (round/table): {games}."
    ),
    "tsh-without-fines": N_(
        "tsh cannot deduct sanction points from a player’s total spread: the sanctions of {players} are left out."
    ),
    "tsh-starts-differ": N_(
        "{player}, round {round}: the file contradicts itself about who started against {opponent}."
    ),
}
