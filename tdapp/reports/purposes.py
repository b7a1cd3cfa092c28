"""What each report is for, in a sentence, and when: by this the Papers place orders them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from tdapp.domain.mark import N_


class Group(StrEnum):
    """What a paper is for; those of the first three become stale when what stands on them changes."""

    ROUND = "round"  # a round that is to be played
    AFTER = "after"  # what there is after a round
    EVENT = "event"  # the whole tournament
    JURY = "jury"  # the jury's lists, and the log
    FORM = "form"  # to be written on or cut


@dataclass(frozen=True, slots=True)
class Purpose:
    """When a report is wanted, and what for (a msgid)."""

    group: Group
    said: str


PURPOSES: Mapping[str, Purpose] = MappingProxyType(
    {
        "pairings-by-table": Purpose(
            Group.ROUND, N_("For the wall: who sits at which table, with the results once they are in.")
        ),
        "pairings-by-name": Purpose(Group.ROUND, N_("For the wall: everybody finds the own table by name.")),
        "slips-blank": Purpose(
            Group.FORM, N_("One for each table without names, for before a round or in place of a lost one.")
        ),
        "players-by-name": Purpose(Group.EVENT, N_("For the wall: everybody by name, with the number.")),
        "players-by-club": Purpose(Group.EVENT, N_("Everybody by club and country.")),
        "balance": Purpose(Group.JURY, N_("Who has started, met again and waited how often.")),
        "chances": Purpose(
            Group.JURY, N_("How often everybody ends at each place when the rounds left are simulated.")
        ),
        "rulings": Purpose(Group.JURY, N_("What the jury found on words of score sheets.")),
        "short-words": Purpose(
            Group.FORM, N_("The words of two and three letters, where their publisher allows it.")
        ),
        "slips": Purpose(
            Group.ROUND, N_("One for each table: players write the points on it and bring it to the desk.")
        ),
        "score-sheets": Purpose(
            Group.ROUND, N_("Two for each game, with the board and columns for words and points.")
        ),
        "standings": Purpose(Group.AFTER, N_("For the wall: the ranking with all that decides it.")),
        "crosstable": Purpose(
            Group.AFTER, N_("Round by round whom everybody met and how it ended, in the order of the standings.")
        ),
        "matrix": Purpose(Group.AFTER, N_("Everybody against everybody, for small fields and round robins.")),
        "wall-chart": Purpose(Group.AFTER, N_("By number, with sums; rounds to come are left to the pen.")),
        "scorecards": Purpose(Group.AFTER, N_("A card for each player with every game so far.")),
        "scorecards-blank": Purpose(Group.FORM, N_("A card for each player to be kept by hand.")),
        "bracket": Purpose(Group.AFTER, N_("The knockout as a tree, over several pages where it is large.")),
        "teams": Purpose(Group.AFTER, N_("The ranking of the teams.")),
        "ratings": Purpose(Group.AFTER, N_("What everybody’s rating was, is and gained.")),
        "prizes": Purpose(Group.AFTER, N_("Who gets what, and for what.")),
        "statistics": Purpose(Group.AFTER, N_("High games and averages, for the reporter.")),
        "averages": Purpose(Group.AFTER, N_("Everybody’s average points for and against.")),
        "players": Purpose(Group.EVENT, N_("Everybody with number, rating, club and country.")),
        "check-in": Purpose(Group.FORM, N_("For the door: tick who has come.")),
        "schedule": Purpose(Group.EVENT, N_("Who meets whom in each round, those of a round robin to come too.")),
        "incidents": Purpose(Group.JURY, N_("What happened at the tables, as the jury noted it.")),
        "sanctions": Purpose(Group.JURY, N_("Sanctions, and the rulings on score sheets.")),
        "challenges": Purpose(Group.JURY, N_("The challenged plays and their verdicts.")),
        "doubtful-words": Purpose(
            Group.JURY, N_("Words on the sheets that are not in the list, and what they would cost.")
        ),
        "challenge-slips": Purpose(
            Group.FORM, N_("For the tables: the challenged words are written on it for the judge.")
        ),
        "place-cards": Purpose(Group.FORM, N_("A name to stand before each player.")),
        "table-cards": Purpose(Group.FORM, N_("A number to stand on each table.")),
        "labels": Purpose(Group.FORM, N_("Names on bought labels.")),
        "certificates": Purpose(Group.AFTER, N_("One for each prize and place, to hand over.")),
        "history": Purpose(Group.JURY, N_("Everything that was done in this tournament, step by step.")),
    }
)
