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
    DESK = "desk"  # only the tournament staff


class PlayerFieldInfo(Struct, frozen=True):
    """The description of one field of `model.Player`."""

    name: str
    label: str  # heading
    audience: Audience = Audience.DESK
    personal: bool = True  # emptied when the player is erased
    headings: str = ""  # headings in player lists, lower case without spaces; the first is written; "": in no list
    tsh: str = ""  # key in tsh files; "": same as name
    warning_name: str = ""  # name in the warning that a file format cannot store the field
    is_in_rating_lists: bool = False
    minimum: int = 0
    maximum: int = 0
    is_note: bool = False  # may have several lines
    has_column: bool = True  # on the Players page

    @property
    def is_number(self) -> bool:
        return EMPTY_VALUES[self.name] is None

    @property
    def is_text(self) -> bool:
        return bool(EMPTY_VALUES[self.name] == "")

    @property
    def is_yes_no(self) -> bool:
        return EMPTY_VALUES[self.name] is False


EMPTY_VALUES: Mapping[str, Any] = MappingProxyType(
    {field.name: field.default for field in fields(Player) if not field.required}
)

_ALL_FIELDS = (  # in the order of the columns on the Players page
    PlayerFieldInfo(
        "rating", N_("Rating"), Audience.DETAILS, personal=False, warning_name=C_("lost data", "ratings"),
        is_in_rating_lists=True,
        maximum=10_000,
        headings="rating rtg rat elo elorating elozahl wertung wertzahl wertungszahl wertungspunkte "
        "spielstärke speelsterkte sterkte styrke styrketall spillestyrke ratingtall oldrating newrating "
        "currentrating",
    ),
    PlayerFieldInfo(
        "provisional", N_("Provisional rating"), Audience.DETAILS, personal=False, has_column=False,
        is_in_rating_lists=True,
        warning_name=C_("lost data", "which ratings are provisional"),
        headings="provisional provisionalrating prov voorlopig foreløpig vorläufig",
    ),
    PlayerFieldInfo(
        "club", N_("Club"), Audience.DETAILS, warning_name=C_("lost data", "clubs"), is_in_rating_lists=True,
        headings="club clubnaam clubname vereniging klub klubb verein",
    ),
    PlayerFieldInfo(
        "country", N_("Country"), Audience.DETAILS, warning_name=C_("lost data", "countries"),
        is_in_rating_lists=True,
        headings="country nation nationality land nationaliteit nasjon nasjonalitet nationalität",
    ),
    PlayerFieldInfo(
        "category", N_("Category"), Audience.PUBLIC, personal=False, warning_name=C_("lost data", "categories"),
        tsh="class", headings="class category klasse categorie kategori kategorie",
    ),
    PlayerFieldInfo(
        "team", N_("Team"), Audience.PUBLIC, personal=False, warning_name=C_("lost data", "teams"),
        headings="team ploeg lag mannschaft",
    ),
    PlayerFieldInfo(
        "member", N_("Member no."), warning_name=C_("lost data", "member numbers"), is_in_rating_lists=True,
        headings="member memberid memberno membernumber id lidnr lidnummer bondsnummer medlem medlemsnr "
        "medlemsnummer mitglied mitgliedsnr mitgliedsnummer",
    ),
    PlayerFieldInfo(
        "wespa", N_("WESPA no."), warning_name=N_("WESPA numbers"), is_in_rating_lists=True,
        headings="wespa wespaid wespano wespanumber",
    ),
    PlayerFieldInfo(
        "naspa", N_("NASPA no."), warning_name=N_("NASPA numbers"), is_in_rating_lists=True,
        headings="naspa naspaid naspano naspanumber",
    ),
    PlayerFieldInfo(
        "absp", N_("ABSP no."), warning_name=N_("ABSP numbers"), is_in_rating_lists=True,
        headings="absp abspid abspno abspnumber",
    ),
    PlayerFieldInfo(
        "fide", N_("FIDE no."), warning_name=N_("FIDE numbers"), is_in_rating_lists=True,
        headings="fide fideid fideno fidenumber",
    ),
    PlayerFieldInfo(
        "xtid", N_("Cross-tables no."), warning_name=N_("cross-tables.com numbers"), is_in_rating_lists=True,
        headings="xtid crosstables crosstablesid crosstablesno",
    ),
    PlayerFieldInfo(
        "fixed_table", N_("Fixed table"), Audience.PUBLIC, personal=False,
        warning_name=C_("lost data", "fixed tables"), tsh="fixedtable", minimum=1, maximum=100_000,
        headings="table fixedtable tafel vastetafel bord fastbord tisch festertisch",
    ),
    PlayerFieldInfo("needs_access", C_("player list", "Accessible table")),  # health data
    PlayerFieldInfo("shown_as", N_("Public name")),
    PlayerFieldInfo("checked_in", C_("player list", "Present"), personal=False),
    PlayerFieldInfo("paid", C_("player list", "Paid"), personal=False),
    PlayerFieldInfo(
        "notes", N_("Notes"), warning_name=C_("lost data", "notes"), is_note=True,
        headings="notes note remarks comment comments opmerking opmerkingen merknad merknader notater bemerkung "
        "bemerkungen anmerkung anmerkungen notiz notizen",
    ),
    PlayerFieldInfo(
        "rated_games", C_("player list", "Earlier games"), Audience.DETAILS, personal=False, tsh="lifeg",
        warning_name=N_("rated games before the event"), is_in_rating_lists=True,
        maximum=100_000, has_column=False,
        headings="ratedgames gamesbefore lifegames lifeg ratingpartijen ratingpartier wertungsspiele",
    ),
)  # fmt: skip
PLAYER_FIELDS: Mapping[str, PlayerFieldInfo] = MappingProxyType({field.name: field for field in _ALL_FIELDS})
LIST_FIELDS = tuple(  # in lists, in their order
    PLAYER_FIELDS[name] for name in EMPTY_VALUES if PLAYER_FIELDS[name].headings
)
