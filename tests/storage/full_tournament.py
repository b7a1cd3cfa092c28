"""A small fixed tournament with rows of every kind and a journal with steps of every kind.

Each version of the schema has a file of this tournament, with its content as JSON beside it. The file never
changes after the release of that version. Before the release, write it again after each change of the tables:

    python -m tests.storage.full_tournament
"""

from __future__ import annotations

import json
from contextlib import closing
from fractions import Fraction
from functools import partial
from pathlib import Path

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.jury_rows import (
    Challenge,
    Incident,
    IncidentId,
    IncidentKind,
    Sanction,
    SanctionId,
    ScoreSheet,
    SheetId,
    TurnRuling,
    WordCheckReason,
    WordRuling,
    WordRulingId,
)
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    ByeKind,
    ChallengeId,
    Constraint,
    ConstraintId,
    ConstraintKind,
    CopiedEvent,
    CopiedEventId,
    CopiedGame,
    CopiedResult,
    CopiedResultId,
    EarlierEveningResult,
    EarlierId,
    EntryFee,
    FeeId,
    PersonLink,
    PersonLinkId,
    Photo,
    Player,
    PlayerId,
    Prize,
    PrizeId,
    PrizeKind,
    ResultFromPlayer,
    ResultState,
    Season,
    SeasonId,
    Seat,
    SeatId,
    Seed,
    SeedId,
    SlipId,
    StageId,
    StartRating,
    TableGroup,
    TableGroupId,
)
from tdapp.domain.paper import Logo, LogoId, PrintingMoment, Printout, PrintoutId, ReportChoice, ReportChoiceId
from tdapp.domain.ruleset import Outcome
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.serialization import convert_to_builtins
from tdapp.domain.tournament import Row, Tournament
from tdapp.exchange import tournament_json
from tdapp.scrabble.sheet import SanctionKind, parse_sheet
from tdapp.scrabble.wordlist import WordVerdict
from tdapp.storage import Store
from tdapp.storage.columns import SCHEMA_VERSION
from tests.building import DIVISION, enter_results, get_last_round, make_event, pair_rounds

FILES = Path(__file__).parent.parent / "files"
MOMENT = "2026-05-01T10:00:00+00:00"
SHEET = {
    "players": ["P1", "P2"],
    "turns": [{"player": 1, "kind": "play", "score": 20, "ruling": "phony"}, {"player": 2, "kind": "pass"}],
    "other_form": [{"turn": 1, "score": 21}],
    "ended": "passes",
    "rack_values": [3, 0],
    "sanctions": [{"player": 2, "kind": "warning"}],
}


def build_full_tournament() -> Tournament:
    """Return a tournament with a played round of seven players, a player alone, and rows of every kind."""
    value = pair_rounds(make_event(7, rounds=3))
    first, second, third = (PlayerId(f"p{number}") for number in (1, 2, 3))
    game = next(iter(value.games))
    seat = Seat(
        SeatId("o"), next(iter(value.rounds)), 9, 1, PlayerId("p8"), 212, state=ResultState.ENTERED, turns=30
    )
    rows: list[Row] = [
        Player(PlayerId("p8"), DIVISION, 9, "Solo", 1000),
        seat,
        Absence(AbsenceId("a"), second, 3, 3, ByeKind.REQUESTED),
        Constraint(ConstraintId("x"), first, second, ConstraintKind.APART, None, "a couple", 1),
        *(Seed(SeedId(key), StageId("s"), number, key) for number, key in enumerate(value.players, start=1)),
        ScoreSheet(SheetId(f"{game}.1"), game, 1, parse_sheet(SHEET), (TurnRuling(1, True, "J", "not a word"),)),
        WordRuling(WordRulingId("w"), game, first, "XQBAR", 48, 68, author="J", why="not a word"),
        ResultFromPlayer(SlipId("e"), game, first, 400, 300),
        Sanction(SanctionId("y"), first, None, SanctionKind.MARGIN, 20, "late"),
        Incident(IncidentId("i"), DIVISION, IncidentKind.LATE, MOMENT, 1, 2, first, 90, "fog"),
        Challenge(
            ChallengeId("c"), DIVISION, MOMENT, ("ÅS",), "0a", WordVerdict.VALID, occasion=WordCheckReason.JURY
        ),
        Prize(PrizeId("z"), DIVISION, 1, PrizeKind.HAND, text="a book", player=third),
        TableGroup(TableGroupId("h"), DIVISION, "Hall", 1, 20, accessible=True),
        EntryFee(FeeId("f"), DIVISION, 1500),
        Season(
            SeasonId("n"),
            DIVISION,
            "Autumn",
            SeasonRule("own", "Own", places=(Fraction(5), Fraction(5, 2))),
            start_ratings=(StartRating(first, 1500, 12), StartRating(second)),
        ),
        EarlierEveningResult(EarlierId("o"), SeasonId("n"), first, "2026-01-05", Fraction(23, 2)),
        CopiedEvent(
            CopiedEventId("e"),
            SeasonId("n"),
            "Ålesund Open",
            "2026-02-07",
            "open.tdapp",
            "12 · 0a",
            "B",
            (CopiedGame(1, 4, 7, 412, 388, Outcome.WIN),),
        ),
        CopiedResult(CopiedResultId("e.4"), CopiedEventId("e"), first, 4, 1, 1, 412, 24, Fraction(1)),
        CopiedResult(CopiedResultId("e.7"), CopiedEventId("e"), second, 7, 2, 1, 388, -24, Fraction(1, 2)),
        PersonLink(PersonLinkId("e"), first, None, "Öyvind", "Club"),
        PersonLink(PersonLinkId("f"), first, second),
        Photo(first, "/9j/aGVsbG8="),
        ReportChoice(ReportChoiceId("p"), PrintingMoment.ROUND, 1, "pairings"),
        Printout(PrintoutId("q"), "pairings", DIVISION, 1, MOMENT, "0a"),
        Logo(LogoId("l"), "club", "aGVsbG8="),
    ]
    return value.put(*rows)


def put_row(tournament: Tournament, *, row: Row) -> Tournament:
    return tournament.put(row)


def write_file(path: Path) -> None:
    """Write the file of the tournament with several steps in its journal."""
    minutes = iter(range(60))
    desk = Desk.create(path, build_full_tournament(), clock=lambda: f"2026-05-01T10:{next(minutes):02d}:00+00:00")
    paired_on = pair_rounds(desk.tournament, results=False)
    desk.do(partial(commands.edit_event, place="Ås", zone="Europe/Oslo", name='Open "Zażółć" 😀'))
    desk.do(lambda _: paired_on, label="pair-round", round=2)
    desk.do(enter_results, label="enter-results")
    desk.undo()
    desk.redo()
    late_player = Player(PlayerId("late"), DIVISION, 8, "Late, Comer", rating=None, checked_in=True)
    desk.do(partial(put_row, row=late_player), label="add-player")
    discard_command = partial(
        commands.discard_round, round=get_last_round(desk.tournament).id, reason="again", with_results=True
    )
    desk.do(discard_command, label="discard-round")
    desk.undo()
    desk.close()


def read_file_content(path: Path) -> dict[str, object]:
    """Return the tournament and the journal of a file."""
    with closing(Store.open(path, read_only=True)) as store:
        tournament = json.loads(tournament_json.encode_tournament(store.load_tournament_and_revision()[0]))
        return {"tournament": tournament, "journal": [convert_to_builtins(step) for step in store.read_steps()]}


def main() -> None:
    path = FILES / f"version-{SCHEMA_VERSION}.tdapp"
    FILES.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    write_file(path)
    path.with_suffix(".json").write_text(
        json.dumps(read_file_content(path), ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
