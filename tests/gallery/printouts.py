"""Draw every report as PDF and PNG: `python -m tests.gallery.printouts OUT [--languages en,nl] [--pages 2]`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from html import escape
from itertools import count
from pathlib import Path

import pypdfium2
from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.model import DivisionId, PrizeKind
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_rating_systems, read_rulesets, read_tilesets
from tdapp.exchange.wordlist import WordListOptions, list_practice_word_lists, read_words
from tdapp.i18n import LANGUAGES, Catalogue
from tdapp.pairing import propose_pairings
from tdapp.pairing.sample_events import play_tournament
from tdapp.reports import PAPERS, REPORTS, ReportContext, load_style, render_report
from tdapp.scrabble.sheet import SanctionKind, parse_sheet
from tdapp.scrabble.wordlist import WordVerdict
from tdapp.storage import Store
from tests.building import RESOURCES

PLAYERS, ROUNDS = 40, 6
SHEET_FORM = {
    "players": ["", ""],
    "turns": [
        {"player": 1, "kind": "play", "at": "8D", "word": "TAART", "score": 12},
        {"player": 2, "kind": "play", "at": "E7", "word": "TAFEL", "score": 26},
    ],
    "ended": "open",
}


def make_sample_desk() -> Desk:
    """Return a desk with data for every report: a Swiss of six rounds and a knockout."""
    tournament = commands.new_tournament(
        key="gallery", name="Open Leiden Scrabble 2026", ruleset=read_rulesets(RESOURCES / "rulesets")["nl-match"]
    )
    tournament = commands.edit_event(tournament, place="Leiden", date="2026-11-21", director="T. Director")
    seconds, tournament = count(), replace(tournament, secret="of the gallery")  # noqa: S106
    desk = Desk(
        Store.create_in_memory(tournament), clock=lambda: f"2026-11-21T13:{next(seconds) // 60 % 60:02}:00+00:00"
    )
    keys = (f"k{number}" for number in count())
    play_tournament(
        desk.do, lambda: desk.index, players=PLAYERS, rounds=ROUNDS, key=partial(next, keys), planned=8
    )
    for label, command in list_jury_and_prize_steps(desk.index):
        desk.do(command, label=label)
    cup = DivisionId("cup")
    desk.do(partial(commands.add_division, key=cup, code="B", name="Beker"))
    desk.do(partial(commands.add_stage, key="cs", division=cup, system="knockout", rounds=4))
    for number in range(1, 12):
        name = f"Bekerspeler {number}"
        desk.do(partial(commands.add_player, key=f"c{number}", division=cup, name=name))
    desk.do(partial(commands.pair_round, key="cr", proposal=propose_pairings(desk.index, cup)))
    return desk


def list_jury_and_prize_steps(index: TournamentIndex) -> Iterator[tuple[str, partial[Tournament]]]:
    """Yield label and command of each jury row, prize and team change."""
    division = index.divisions[0]
    last_round = index.list_published_rounds(division.id)[-1]
    games = index.games(last_round.id)
    first_player = games[0].first
    timestamp = "2026-11-21T13:40:00+00:00"
    tiles = read_tilesets(RESOURCES / "tilesets")
    yield (
        "enter-sheet",
        partial(commands.enter_sheet, game=games[3].id, sheet=parse_sheet(SHEET_FORM), tileset=tiles["nl"]),
    )
    ruling = partial(
        commands.rule_on_turn,
        game=games[3].id,
        turn=1,
        phony=True,
        author="Jury",
        why="no word",
        tileset=tiles["nl"],
    )
    yield "rule-on-turn", ruling
    note = "The bag was one tile short; both players agreed to draw on after it was found under the table."
    for number, incident_kind in enumerate((IncidentKind.LATE, IncidentKind.TILES, IncidentKind.EXTRA_TIME)):
        incident = partial(
            commands.note_incident, key=f"i{number}", division=division.id, kind=incident_kind, at=timestamp,
            round_number=6, table=number + 2, player=first_player, seconds=120 * number, note=note, author="Jury",
        )  # fmt: skip
        yield "note-incident", incident
    yield (
        "add-sanction",
        partial(commands.add_sanction, key="s", player=first_player, kind=SanctionKind.POINTS, why="late again",
                points=10, round_number=6, author="Jury"),
    )  # fmt: skip
    for number, verdict in enumerate((WordVerdict.VALID, WordVerdict.INVALID, WordVerdict.INVALID)):
        words = ("TAART", "QUIZEN", "ZWEMBADEN")[: number + 1]
        yield (
            "record-challenge",
            partial(commands.record_challenge, key=f"ch{number}", division=division.id, at=timestamp, words=words,
                    verdict=verdict, edition="", judge="J. Judge", round_number=6, table=4,
                    challenger=games[3].first),
        )  # fmt: skip
    prizes = ((PrizeKind.RANK, 50_000), (PrizeKind.RANK, 25_000), (PrizeKind.HIGH_GAME, 2_500))
    for number, (kind, amount) in enumerate(prizes, 1):
        yield (
            "add-prize",
            partial(commands.add_prize, key=f"p{number}", division=division.id, kind=kind, amount=amount,
                    place=number if kind is PrizeKind.RANK else 1),
        )  # fmt: skip
    for number, player in enumerate(index.players(division.id)):
        yield (
            "edit-player",
            partial(commands.edit_player, player=player.id, team=("Lions", "Tigers", "Bears", "Owls")[number % 4]),
        )


def make_report_context(desk: Desk, language: str, paper: str) -> ReportContext:
    """Return the context of the reports, with a fixed time and the practice word list."""
    lists = list_practice_word_lists(RESOURCES / "lexicons")
    words = read_words(lists[0].path.read_bytes(), WordListOptions("nl")).words if lists else ()
    short_words = {size: tuple(word for word in words if len(word) == size) for size in (2, 3)}
    return ReportContext(
        index=desk.index,
        divisions=desk.index.divisions,
        catalogue=Catalogue(language, RESOURCES / "locale", zone=UTC),
        style=load_style(RESOURCES / "fonts", paper=paper),
        printed_at=datetime(2026, 11, 21, 14, 5, tzinfo=UTC),
        rating_systems=read_rating_systems(RESOURCES / "ratings"),
        steps=desk.list_all_steps(),
        tilesets=read_tilesets(RESOURCES / "tilesets"),
        short_words=dict.fromkeys((division.id for division in desk.index.divisions), short_words),
    )


def draw_pages(pdf: bytes, stem: Path, *, max_pages: int, scale: float = 1.25) -> list[Path]:
    """Write the first pages of a PDF as PNG. Return the paths."""
    document = pypdfium2.PdfDocument(pdf)
    png_paths = []
    for number in range(min(max_pages, len(document))):
        path = stem.with_name(f"{stem.name}-{number + 1}-of-{len(document)}.png")
        document[number].render(scale=scale, grayscale=True).to_pil().save(path)
        png_paths.append(path)
    document.close()
    return png_paths


def draw_printouts(target: Path, *, languages: tuple[str, ...] = LANGUAGES, max_pages: int = 2) -> None:
    """Write the PDFs and pictures in a folder for each language and paper size, and an HTML page with all."""
    desk = make_sample_desk()
    paths: list[Path] = []
    for language in languages:
        for paper in PAPERS:
            folder = target / language / paper
            folder.mkdir(parents=True, exist_ok=True)
            report_context = make_report_context(desk, language, paper)
            for report in REPORTS:
                cup = desk.index.divisions[-1:] if report == "bracket" else desk.index.divisions[:1]
                pdf = render_report(report, replace(report_context, divisions=cup))
                (folder / f"{report}.pdf").write_bytes(pdf)
                paths += draw_pages(pdf, folder / report, max_pages=max_pages)
    figures = ((escape(str(path.relative_to(target))), escape(path.stem)) for path in paths)
    images = "".join(
        f'<figure><img src="{path}" width="400"><figcaption>{name}</figcaption></figure>' for path, name in figures
    )
    style = "body{background:#ccc;display:flex;flex-wrap:wrap;font:14px sans-serif}figure{margin:12px}"
    (target / "index.html").write_text(
        f"<!doctype html><meta charset=utf-8><style>{style}</style>{images}", "utf-8"
    )


def main() -> None:
    """Draw the printouts with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    parser.add_argument("--pages", type=int, default=2, help="maximum number of pages of each report")
    options = parser.parse_args()
    draw_printouts(options.out, languages=tuple(options.languages.split(",")), max_pages=options.pages)


if __name__ == "__main__":
    main()
