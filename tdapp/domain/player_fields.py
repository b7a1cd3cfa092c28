"""The fields of a player, each described once for privacy, lists, files and columns."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from tdapp.domain.model import Player
from tdapp.domain.translatable import C_, N_


class Audience(StrEnum):
    """The people who can read a field."""

    PUBLIC = "public"
    DETAILS = "details"  # the public, if the tournament shows details of players
    DESK = "desk"  # only the stations of the tournament


class PlayerFieldInfo(Struct, frozen=True):
    """The description of one field of `model.Player`."""

    name: str
    label: str  # heading
    audience: Audience = Audience.DESK
    personal: bool = True  # emptied when the player is erased
    headings: str = ""  # headings in player lists, lower case without spaces; the first is written; "": in no list
    tsh: str = ""  # key in tsh files; "": same as name
    lost: str = ""  # name in the warning that a file format cannot store the field
    rated: bool = False  # contained in rating lists
    low: int = 0
    high: int = 0
    is_note: bool = False  # may have several lines
    has_column: bool = True  # on the Players page

    @property
    def is_number(self) -> bool:
        return EMPTY[self.name] is None

    @property
    def is_text(self) -> bool:
        return bool(EMPTY[self.name] == "")

    @property
    def is_yes_no(self) -> bool:
        return EMPTY[self.name] is False


EMPTY: Mapping[str, Any] = MappingProxyType({one.name: one.default for one in fields(Player) if not one.required})

_FIELDS = (  # in the order of the columns on the Players page
    PlayerFieldInfo(
        "rating", N_("Rating"), Audience.DETAILS, personal=False, lost=C_("lost data", "ratings"), rated=True,
        high=10_000, headings="rating rtg rat elo elorating elozahl wertung wertzahl wertungszahl wertungspunkte "
        "spielstärke speelsterkte sterkte styrke styrketall spillestyrke ratingtall oldrating newrating "
        "currentrating",
    ),
    PlayerFieldInfo(
        "provisional", N_("Provisional rating"), Audience.DETAILS, personal=False, rated=True, has_column=False,
        lost=C_("lost data", "marks of provisional ratings"),
        headings="provisional provisionalrating prov voorlopig foreløpig vorläufig",
    ),
    PlayerFieldInfo(
        "club", N_("Club"), Audience.DETAILS, lost=C_("lost data", "clubs"), rated=True,
        headings="club clubnaam clubname vereniging klub klubb verein",
    ),
    PlayerFieldInfo(
        "country", N_("Country"), Audience.DETAILS, lost=C_("lost data", "countries"), rated=True,
        headings="country nation nationality land nationaliteit nasjon nasjonalitet nationalität",
    ),
    PlayerFieldInfo(
        "category", N_("Category"), Audience.PUBLIC, personal=False, lost=C_("lost data", "categories"),
        tsh="class", headings="class category klasse categorie kategori kategorie",
    ),
    PlayerFieldInfo(
        "team", N_("Team"), Audience.PUBLIC, personal=False, lost=C_("lost data", "teams"),
        headings="team ploeg lag mannschaft",
    ),
    PlayerFieldInfo(
        "member", N_("Member no."), lost=C_("lost data", "member numbers"), rated=True,
        headings="member memberid memberno membernumber id lidnr lidnummer bondsnummer medlem medlemsnr "
        "medlemsnummer mitglied mitgliedsnr mitgliedsnummer",
    ),
    PlayerFieldInfo(
        "wespa", N_("WESPA no."), lost=N_("WESPA numbers"), rated=True,
        headings="wespa wespaid wespano wespanumber",
    ),
    PlayerFieldInfo(
        "naspa", N_("NASPA no."), lost=N_("NASPA numbers"), rated=True,
        headings="naspa naspaid naspano naspanumber",
    ),
    PlayerFieldInfo(
        "absp", N_("ABSP no."), lost=N_("ABSP numbers"), rated=True,
        headings="absp abspid abspno abspnumber",
    ),
    PlayerFieldInfo(
        "fide", N_("FIDE no."), lost=N_("FIDE numbers"), rated=True,
        headings="fide fideid fideno fidenumber",
    ),
    PlayerFieldInfo(
        "xtid", N_("Cross-tables no."), lost=N_("cross-tables.com numbers"), rated=True,
        headings="xtid crosstables crosstablesid crosstablesno",
    ),
    PlayerFieldInfo(
        "fixed_table", N_("Fixed table"), Audience.PUBLIC, personal=False, lost=C_("lost data", "fixed tables"),
        tsh="fixedtable", low=1, high=100_000,
        headings="table fixedtable tafel vastetafel bord fastbord tisch festertisch",
    ),
    PlayerFieldInfo("needs_access", C_("player list", "Accessible table")),  # health data
    PlayerFieldInfo("shown_as", N_("Public name")),
    PlayerFieldInfo("checked_in", C_("player list", "Present"), personal=False),
    PlayerFieldInfo("paid", C_("player list", "Paid"), personal=False),
    PlayerFieldInfo(
        "notes", N_("Notes"), lost=C_("lost data", "notes"), is_note=True,
        headings="notes note remarks comment comments opmerking opmerkingen merknad merknader notater bemerkung "
        "bemerkungen anmerkung anmerkungen notiz notizen",
    ),
    PlayerFieldInfo(
        "rated_games", C_("player list", "Earlier games"), Audience.DETAILS, personal=False, tsh="lifeg",
        lost=N_("rated games before the event"), rated=True, high=100_000, has_column=False,
        headings="ratedgames gamesbefore lifegames lifeg ratingpartijen ratingpartier wertungsspiele",
    ),
)  # fmt: skip
PLAYER_FIELDS: Mapping[str, PlayerFieldInfo] = MappingProxyType({one.name: one for one in _FIELDS})
LISTED = tuple(PLAYER_FIELDS[name] for name in EMPTY if PLAYER_FIELDS[name].headings)  # in lists, in their order
