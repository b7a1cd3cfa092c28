"""Texts of the player card: facts, next round, log entries."""

from __future__ import annotations

from tdapp.domain.index import Index
from tdapp.domain.model import Absence, Player
from tdapp.domain.tables.jury_log import ChallengeRow, IncidentRow, SanctionRow
from tdapp.domain.tables.players import player_status
from tdapp.domain.tables.profile import Happening, NextRound, RoundLine
from tdapp.gui.jury import logs, sanctions
from tdapp.gui.players.availability import absence_text, constraint_text
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.scores import card_score


def describe_player(index: Index, player: Player, catalogue: Catalogue) -> str:
    number = len(index.published(player.division)) + 1
    parts = [catalogue.text("No. {number}", number=player.number)]
    if player.rating is not None:
        parts.append(catalogue.text("rated {rating}", rating=player.rating))
    parts += [part for part in (player.club, player.country, player.category, player.team) if part]
    if player.fixed_table is not None:
        parts.append(catalogue.text("always at table {table}", table=player.fixed_table))
    if player.needs_access:
        parts.append(catalogue.text("needs an accessible table"))
    state = player_status(index, player, number)
    if state != "active":
        parts.append(catalogue.code(state))
    if player.notes:
        parts.append(player.notes)
    return " · ".join(parts)


def describe_next_round(found: NextRound, catalogue: Catalogue) -> str:
    """Tell if a draft is not published yet."""
    draft = f" ({catalogue.code('draft')})" if found.draft else ""
    if found.game is None or found.other is None:
        kind = catalogue.code(found.bye) if found.bye else ""
        return catalogue.text("Round {round}: {kind}", round=found.round, kind=kind) + draft
    facts = {"round": found.round, "table": found.game.table, "player": found.other.name}
    if found.starts is None:
        return catalogue.text("Round {round}, table {table}: against {player}", **facts) + draft
    if found.starts:
        return catalogue.text("Round {round}, table {table}: starts against {player}", **facts) + draft
    return catalogue.text("Round {round}, table {table}: replies to {player}", **facts) + draft


def format_score(line: RoundLine, catalogue: Catalogue) -> str:
    row = line.row
    return card_score(catalogue, row) if row.decided_by is not None else row.score.replace("–", " – ")


def format_spread(line: RoundLine, catalogue: Catalogue) -> str:
    """Tell if the result is missing."""
    return catalogue.code("open") if line.row.result == "open" else catalogue.signed(line.row.spread)


def name_opponent(line: RoundLine, catalogue: Catalogue) -> str:
    return catalogue.code(line.row.bye) if line.row.bye else line.row.opponent


def describe_role(line: RoundLine, catalogue: Catalogue) -> str:
    if line.row.starts is None:
        return ""
    return catalogue.text("1st") if line.row.starts else catalogue.text("2nd")


def name_kind(happening: Happening, catalogue: Catalogue) -> str:
    return {
        "sanction": catalogue.text("Sanction"),
        "ruling": catalogue.text("Ruling"),
        "incident": catalogue.text("Incident"),
        "challenge": catalogue.text("Challenge"),
        "absence": catalogue.text("Absence"),
        "constraint": catalogue.text("Opponent"),
    }[happening.kind]


def noted_text(happening: Happening, player: Player, catalogue: Catalogue, index: Index) -> str:
    noted = happening.noted
    if isinstance(noted, SanctionRow):
        return (
            _describe_ruling(noted, catalogue)
            if happening.kind == "ruling"
            else sanctions.format_sanction(noted, catalogue)
        )
    if isinstance(noted, IncidentRow):
        return logs.incident_line(noted, catalogue)
    if isinstance(noted, ChallengeRow):
        verdict = catalogue.code(noted.final)
        return f"{noted.words} · {verdict}" if noted.words else verdict
    if isinstance(noted, Absence):
        return absence_text(noted, catalogue, index)
    return " · ".join(filter(None, (constraint_text(noted, player, catalogue, index), noted.why)))


def _describe_ruling(row: SanctionRow, catalogue: Catalogue) -> str:
    kind = catalogue.code(row.kind)
    where = catalogue.text("Row {row}, {word}", row=row.row, word=row.word) if row.row else row.word
    message = catalogue.text("{where}: {told}", where=where, told=kind)
    return " · ".join(filter(None, (message, catalogue.why(row.why), row.author)))
