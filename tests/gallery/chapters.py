"""Data of the manual: the chapters with their help topics and pictures, and additional texts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct


class Chapter(Struct, frozen=True):
    """A help topic and the gallery scenes that illustrate it."""

    topic: str
    scenes: tuple[str, ...] = ()


CHAPTERS: tuple[Chapter, ...] = (
    Chapter("welcome", ("welcome", "tour")),
    Chapter("day", ("panel-problems",)),
    Chapter("tournament", ("page-tournament", "tournament-schedule")),
    Chapter("rules", ("panel-change-rules",)),
    Chapter("players", ("page-players", "panel-card")),
    Chapter("check-in", ("page-check-in",)),
    Chapter("evening", ("page-evening",)),
    Chapter("season", ("standings-season", "panel-seasons")),
    Chapter("rounds", ("rounds-draft", "rounds-result")),
    Chapter("jury", ("page-jury",)),
    Chapter("standings", ("page-standings", "panel-balance")),
    Chapter("bracket", ("bracket-cup",)),
    Chapter("league"),
    Chapter("prizes", ("standings-prizes",)),
    Chapter("chances", ("standings-chances",)),
    Chapter("rehearsal", ("panel-rehearse",)),
    Chapter("ratings", ("standings-ratings", "standings-season-ratings")),
    Chapter("papers", ("page-papers",)),
    Chapter("screens", ("page-screens", "panel-phones", "panel-overlays", "panel-featured")),
    Chapter("second-desk"),
    Chapter("stations", ("dialog-share",)),
    Chapter("files", ("dialog-paste",)),
    Chapter("history", ("history-past", "panel-snapshots")),
    Chapter("trouble", ("dialog-rescue",)),
    Chapter("rule-books", ("panel-incidents",)),
    Chapter("wespa-naspa", ("dialog-new-rules",)),
    Chapter("criteria"),
    Chapter("from-tsh", ("rounds-typing",)),
    Chapter("from-chess", ("panel-ranking",)),
    Chapter("from-spreadsheets", ("dialog-paste",)),
    Chapter("command-line"),
)


class Words(Struct, frozen=True):
    """Texts of the manual in addition to the help.

    The fonts lack some characters. `keys` has words for keys, `changed_rule_mark` replaces "◆".
    """

    manual: str
    subtitle: str
    contents: str
    appendix: str
    picture: str
    keys: Mapping[str, str]
    changed_rule_mark: str


def name_arrow_keys(left_name: str, right_name: str) -> Mapping[str, str]:
    return MappingProxyType({"←": left_name, "→": right_name})


WORDS: Mapping[str, Words] = MappingProxyType(
    {
        "en": Words(
            "Manual",
            "for those who direct Scrabble tournaments",
            "Contents",
            "Rules: {name}",
            "Picture of the window: {title}",
            name_arrow_keys("left arrow", "right arrow"),
            "(diamond)",
        ),
        "nl": Words(
            "Handleiding",
            "voor wie Scrabbletoernooien leidt",
            "Inhoud",
            "Reglement: {name}",
            "Afbeelding van het venster: {title}",
            name_arrow_keys("pijl links", "pijl rechts"),
            "(ruit)",
        ),
        "nb": Words(
            "Håndbok",
            "for dem som leder Scrabble-turneringer",
            "Innhold",
            "Reglement: {name}",
            "Bilde av vinduet: {title}",
            name_arrow_keys("pil venstre", "pil høyre"),
            "(rombe)",
        ),
        "de": Words(
            "Handbuch",
            "für alle, die Scrabble-Turniere leiten",
            "Inhalt",
            "Regeln: {name}",
            "Bild des Fensters: {title}",
            name_arrow_keys("Pfeil links", "Pfeil rechts"),
            "(Raute)",
        ),
    }
)
