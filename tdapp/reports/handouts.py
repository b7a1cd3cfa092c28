"""Handouts: table cards, labels, badges, certificates, and login cards for other computers."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.model import Division, Player, PrizeKind
from tdapp.domain.slip import format_code_with_hyphen, make_player_code
from tdapp.domain.tables import standings
from tdapp.domain.text_characters import put_first_name_first
from tdapp.domain.translatable import C_, N_
from tdapp.i18n.phrases import (
    describe_knockout_result,
    describe_wins_and_spread,
    format_prize_name,
    make_standings_title,
)
from tdapp.reports.cards import (
    CardPageLayout,
    Paint,
    PosterLine,
    draw_folded_card,
    make_card_pages,
    make_poster_pages,
)
from tdapp.reports.layout import CustomPaintedSection
from tdapp.reports.pen import PageBox, Pen, TextAlign, count_pages
from tdapp.reports.report import Report, ReportContext, ReportGroup, make_section
from tdapp.reports.style import PAPERS, PrintStyle


def _make_place_cards(context: ReportContext, division: Division) -> CustomPaintedSection:
    section = make_section(
        context,
        division,
        context.catalogue.text(C_("printout: a card with the name in front of each player", "Place cards")),
        (),
        "",
    )
    event = context.index.tournament.event.name
    pieces: list[Paint] = [
        partial(
            draw_folded_card,
            put_first_name_first(player.name),
            30,
            (str(player.number), join_club_and_country(player), event),
        )
        for player in context.index.players(division.id)
    ]
    return make_card_pages(section.title, section.division_title, pieces, CardPageLayout(2, 3, 0))


def _make_table_cards(context: ReportContext, division: Division) -> CustomPaintedSection:
    catalogue, index = context.catalogue, context.index
    section = make_section(context, division, catalogue.text("Table cards"), (), "")
    used_tables = {game.table for item in index.rounds(division.id) for game in index.games(item.id)}
    first = division.first_table
    tables = used_tables or set(range(first, first + len(index.players(division.id)) // 2))
    lines = (catalogue.heading("table"), section.division_title, index.tournament.event.name)
    pieces: list[Paint] = [partial(draw_folded_card, str(table), 180, lines) for table in sorted(tables)]
    return make_card_pages(section.title, section.division_title, pieces, CardPageLayout(1, 2, 0))


def join_club_and_country(player: Player) -> str:
    return " · ".join(filter(None, (player.club, player.country)))


PLACE_CARDS = Report(
    "place-cards",
    _make_place_cards,
    ReportGroup.FORM,
    N_("A name card to put in front of each player."),
)
TABLE_CARDS = Report(
    "table-cards",
    _make_table_cards,
    ReportGroup.FORM,
    N_("A number card to put on each table."),
)


_MM = 72 / 25.4


def _make_label_pages(context: ReportContext, division: Division) -> CustomPaintedSection:
    section = make_section(
        context, division, context.catalogue.text(C_("printout: sticky labels with names", "Labels")), (), ""
    )
    event = context.index.tournament.event.name
    pieces: list[Paint] = [
        partial(_draw_label, player, " · ".join(filter(None, (event, section.division_title))))
        for player in context.index.players(division.id)
    ]
    return make_card_pages(section.title, section.division_title, pieces, _make_label_sheet_layout(context.style))


def _make_label_sheet_layout(style: PrintStyle) -> CardPageLayout:
    if style.page != PAPERS["letter"]:
        return CardPageLayout(3, 7, 6, False, 7.2 * _MM, 15.1 * _MM, 63.5 * _MM, 38.1 * _MM, 66 * _MM)
    return CardPageLayout(3, 10, 5, False, 13.5, 36, 189, 72, 198)


def _draw_label(player: Player, event: str, pen: Pen, box: PageBox) -> None:
    pen.write_text(player.name, box, box.top - 20, 16, bold=True, shrink=True)
    pen.write_text(join_club_and_country(player), box, box.top - 34, 10)
    pen.write_text(event, PageBox(box.x, box.y, box.width - 32, box.height), box.y + 3, 8, is_grey=True)
    pen.write_text(str(player.number), box, box.y + 3, 16, bold=True, align=TextAlign.RIGHT)


_BADGE_CODE = 84.0  # side of the code on a badge


def _make_badge_pages(context: ReportContext, division: Division) -> CustomPaintedSection:
    section = make_section(context, division, context.catalogue.text("Badges"), (), "")
    pieces: list[Paint] = [
        partial(_draw_badge, context, player, section.division_title)
        for player in context.index.players(division.id)
    ]
    return make_card_pages(section.title, section.division_title, pieces, CardPageLayout(2, 4, 16))


def _draw_badge(context: ReportContext, player: Player, division_title: str, pen: Pen, box: PageBox) -> None:
    catalogue, code = context.catalogue, make_player_code(context.index.tournament, player.id)
    pen.write_text(context.index.tournament.event.name, box, box.top - 10, 10, is_grey=True, shrink=True)
    pen.write_text(put_first_name_first(player.name), box, box.top - 44, 26, bold=True, shrink=True)
    pen.write_text(join_club_and_country(player), box, box.top - 62, 12, shrink=True)
    left = PageBox(box.x, box.y, box.width - _BADGE_CODE - 8, box.height)
    pen.write_text(str(player.number), left, box.y + 26, 30, bold=True)
    pen.write_text(division_title, left, box.y + 10, 10, shrink=True)
    if not code:
        return
    corner = PageBox(box.right - _BADGE_CODE - 8, box.y + 9, _BADGE_CODE + 8, _BADGE_CODE)
    if context.server_url:
        pen.draw_qr_code(f"{context.server_url}me?code={code}", corner)
    pen.write_text(
        catalogue.text("Code {code}", code=format_code_with_hyphen(code)),
        box,
        box.y,
        9,
        bold=True,
        align=TextAlign.RIGHT,
    )
    if context.server_url:
        pen.write_text(f"{context.server_url}me", left, box.y, 7, is_grey=True, shrink=True)


BADGES = Report(
    "badges",
    _make_badge_pages,
    ReportGroup.FORM,
    N_("Name badges. If the web server is on, each badge has a QR code for the player’s own page."),
)
LABELS = Report(
    "labels",
    _make_label_pages,
    ReportGroup.FORM,
    N_("Sticky labels with the players’ names, to print on label sheets."),
)


_MAX_RANK = 3


def _make_certificate_pages(context: ReportContext, division: Division) -> CustomPaintedSection:
    catalogue, event = context.catalogue, context.index.tournament.event
    section = make_section(context, division, catalogue.text("Certificates"), (), "")
    place_and_date = ", ".join(filter(None, (event.place, catalogue.format_date(event.date))))
    signature_fields = (
        (catalogue.text("Place and date"), place_and_date),
        (event.director or catalogue.heading("director"), ""),
    )
    interim_note = _make_interim_standings_note(context, division)
    pages = [
        (
            PosterLine(catalogue.text("Certificate"), 46, bold=True),
            PosterLine(interim_note, 18, bold=True),
            PosterLine(event.name, 22),
            PosterLine(place_and_date, 13, is_grey=True),
            PosterLine(" ", 14),
            PosterLine(put_first_name_first(name), 40, bold=True),
            PosterLine(award, 24),
            PosterLine(detail, 13, is_grey=True),
            PosterLine(section.division_title, 14),
        )
        for name, award, detail in _list_winner_names_and_awards(context, division)
    ]
    empty_text = catalogue.text("No player is ranked yet.")
    painted_pages = make_poster_pages(
        section.title, section.division_title, pages or [(PosterLine(empty_text, 22),)], signature_fields
    )
    return painted_pages if pages else replace(painted_pages, empty=empty_text)


def _make_interim_standings_note(context: ReportContext, division: Division) -> str:
    index, after = context.index, context.find_standings_round(division)
    open_games = after and index.list_open_tables(index.get_round(division.id, after).id)
    if after and not open_games and index.find_stage(division.id, after + 1) is None:
        return ""
    return context.catalogue.text(
        C_("standings before the last round", "Interim: {standings}"),
        standings=make_standings_title(context.catalogue, index, division, after),
    )


def _list_winner_names_and_awards(context: ReportContext, division: Division) -> Iterator[tuple[str, str, str]]:
    catalogue, index, after = context.catalogue, context.index, context.find_standings_round(division)
    for row in standings.make_standings_table(index, division, after).rows:
        if not row.disqualified and row.rank <= _MAX_RANK and row.games:
            knockout = (
                describe_knockout_result(catalogue, index, row)
                if after == index.get_last_published_round_number(division.id)
                else ""
            )
            detail = ", ".join(filter(None, (knockout, describe_wins_and_spread(catalogue, row))))
            yield row.player.name, catalogue.text("Place {rank}", rank=row.rank), detail
    for prize in standings.make_prize_table(index, division, after).rows:
        if prize.prize.kind is not PrizeKind.RANK:
            for winner in prize.award.winners:
                award = (
                    prize.prize.text
                    if prize.prize.kind is PrizeKind.HAND
                    else format_prize_name(catalogue, prize.prize)
                )
                yield winner.player.name, award, catalogue.describe_award_reason(winner.code, winner.facts)


CERTIFICATES = Report(
    "certificates",
    _make_certificate_pages,
    ReportGroup.AFTER,
    N_("One certificate for each prize and place."),
    is_landscape=True,
)


CARDS_PER_PAGE = 4


class StationLoginCard(Struct, frozen=True):
    """A card with which a helper logs in at another computer."""

    login: str
    role: str
    address: str
    password: str  # "" if unknown


def count_login_card_pages(count: int) -> int:
    return count_pages(count, CARDS_PER_PAGE)


def draw_login_cards(
    event: str, cards: Sequence[StationLoginCard], texts: tuple[str, str], style: PrintStyle
) -> bytes:
    """Return login cards as PDF. `texts` are the instructions and the label of the password."""
    buffer = io.BytesIO()
    from tdapp.reports.canvas import GlyphFallbackCanvas  # noqa: PLC0415 - loaded when something is drawn

    canvas = GlyphFallbackCanvas(buffer, pagesize=style.page, invariant=1, initialFontName=style.regular.name)  # type: ignore[arg-type]
    canvas.setTitle(event)
    height = (style.page[1] - 2 * style.margin) / CARDS_PER_PAGE
    for number, card in enumerate(cards):
        if number and number % CARDS_PER_PAGE == 0:
            canvas.showPage()
        base = style.page[1] - style.margin - (number % CARDS_PER_PAGE + 1) * height
        box = PageBox(style.margin, base, style.printable_width, height).shrink_box(12)
        _draw_login_card(Pen(canvas, style), box, event, card, texts)
    canvas.save()
    return buffer.getvalue()


def _draw_login_card(pen: Pen, box: PageBox, event: str, card: StationLoginCard, texts: tuple[str, str]) -> None:
    instructions, password_label = texts
    pen.write_text(f"{card.login} · {card.role}", box, box.top - 24, 20, bold=True)
    pen.write_text(event, box, box.top - 40, 10, is_grey=True)
    pen.write_text(instructions, box, box.top - 66, 10)
    pen.write_text(card.address, box, box.top - 90, 18, bold=True, shrink=True)
    pen.write_text(password_label, box, box.top - 114, 10)
    pen.write_text(card.password or "____-____-____", box, box.top - 138, 18, bold=True)
    pen.draw_horizontal_line(box.x, box.y - 12, box.right)
