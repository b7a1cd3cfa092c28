"""A sentence for everything the director should look at, and for every damage of a file."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.mark import N_, Plural, Text

PROBLEMS: Mapping[str, Text] = MappingProxyType(
    {
        # copies of the file
        "snapshot-failed": N_("No snapshot could be taken. {why}"),
        "copy-failed": N_("The second copy could not be made. {why}"),
        "site-failed": N_("The web pages could not be written. {why}"),
        # paper
        "paper-stale": Plural(
            "{paper}: changed since it was printed. Print it again?",
            "{n} printouts have changed since they were printed: {paper}. Print them again?",
            "n",
        ),
        # while the tournament runs
        "no-players-yet": N_("Division {division} has no players yet"),
        "slips-differ": N_(
            "Round {round}, table {table}: {first} entered {first_says}, {second} entered {second_says}"
        ),
        "results-out": Plural(
            "Round {round}: one result is still out (table {tables})",
            "Round {round}: {n} results are still out (tables {tables})",
            "n",
        ),
        "paired-assumed": N_(
            "Round {round} is paired as if table {table} of round {before} were drawn: its result is still out"
        ),
        "checks-wanted": Plural(
            "One result is to be checked before round {round} is paired",
            "{n} results are to be checked before round {round} is paired",
            "n",
        ),
        "results-unchecked": Plural("One result is not checked yet", "{n} results are not checked yet", "n"),
        "sheet-differs": N_("Round {round}, table {table}: the sheet says otherwise than the result"),
        "draft-waits": N_("Round {round} is paired but not published yet"),
        "player-unseated": N_("{player} has no table in round {round}"),
        "bracket-outdated": N_(
            "Round {round}: {player} goes on by the results as they are now, but is not in match {match}"
        ),
        "tie-waits": N_("Round {round}, table {table}: say who goes on after the tie"),
        "bracket-too-short": N_("The knockout takes {needed} rounds, but only {rounds} are planned"),
        "starts-in-a-row": N_("{player} has started {n} times running"),
        "replies-in-a-row": N_("{player} has replied {n} times running"),
        "odd-field": Plural(
            "Round {round}: only one player, and nobody to play",
            "Round {round}: {n} players, so one gets a bye",
            "n",
        ),
        "tie-at-cut": Plural(
            "Equal at the line of the cut, and one goes on: {players}",
            "Equal at the line of the cut, and {n} go on: {players}",
            "n",
        ),
        # inside a file of ours
        "schema-differs": N_("The file holds something tdapp has not made: {name}."),
        "structure-damaged": N_("The file’s structure is damaged: {detail}."),
        "meta-damaged": N_("The file’s head is damaged."),
        "journal-damaged": N_("The history is damaged at step {seq}."),
        "journal-cut": N_("The history ends at step {seq}, but there was more."),
        "values-unreadable": N_("A value cannot be read: {where}."),
        "values-damaged": N_("The file holds other values than were written."),
        "row-damaged": N_("A row is not as it was written: {table} {id}."),
        # inside a tournament
        "not-exactly-one": N_("The tournament lacks its own data."),
        "parent-missing": N_("Something in the file points to what is not there."),
        "wrong-id": N_("Something is filed under a wrong name."),
        "round-twice": N_("A round is there twice."),
        "sheet-twice": N_("A score sheet is there twice."),
    }
)
