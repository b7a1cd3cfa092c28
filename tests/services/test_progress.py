"""Tests of the progress of a tournament file, as shown on the welcome page."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from tdapp.desk import Desk
from tdapp.i18n.catalogue import Catalogue
from tdapp.services.preferences import read_tournament_progress
from tests.clubs import play_two_evenings


def test_read_tournament_progress_names_the_game_of_the_evening(tmp_path: Path) -> None:
    path = tmp_path / "club.tdapp"
    with closing(Desk.create(path, play_two_evenings())):
        pass
    progress = read_tournament_progress(path, Catalogue("en", Path("nowhere")))
    assert (progress.round, progress.finished_games, progress.games) == ("Game 1", 0, 2)
