"""What Enter does with a line of the jury, without a window."""

from __future__ import annotations

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.tables import jury
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.jury_preview import Action, JuryReader
from tests.building import DIVISION, RESOURCES, event, paired


def reader_of(value: Tournament) -> JuryReader:
    index = Index(value)
    rows = jury.sheet_table(index, index.published(DIVISION)[-1], doubtful=lambda _form: frozenset()).rows
    return JuryReader(index, rows, Catalogue("en", RESOURCES / "locale"), tileset=None, wordlist=None)


def test_a_preview_names_the_action_of_enter() -> None:
    value = paired(event(8), results=False)
    games = [Index(value).game(Index(value).published(DIVISION)[-1].id, table).id for table in (1, 2, 3)]
    for game in games:
        value = commands.enter_result(value, game=game, first=412, second=388)
    value = commands.check_result(value, game=games[1])
    value = commands.dispute_result(value, game=games[2], first=420, second=388)
    reader = reader_of(value)
    actions = {
        line: reader.preview(line).action
        for line in ("1", "2", "3", "4", "1-2", "1 #", "1 =", "1 = 400 388", "1 2 AAP", "?", "99", "1 = 9999 1")
    }
    assert actions == {
        "1": Action.SAVE,
        "2": Action.NEXT_WORD,  # checked already
        "3": Action.OPEN_SHEET,  # disputed
        "4": Action.OPEN_SHEET,  # no result yet
        "1-2": Action.SAVE,
        "1 #": Action.OPEN_SHEET,
        "1 =": Action.CONTINUE,
        "1 = 400 388": Action.SAVE,
        "1 2 AAP": Action.CHOOSE_LIST,
        "?": Action.HELP,
        "99": Action.REFUSE,
        "1 = 9999 1": Action.CONFIRM,
    }
    with_command = {line for line in actions if reader.preview(line).command is not None}
    assert with_command == {"1", "3", "1-2", "1 = 400 388", "1 = 9999 1"}  # Ctrl+Enter saves these
