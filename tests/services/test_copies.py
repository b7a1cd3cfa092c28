"""The file is copied and the pages are written in time, and what cannot be is an open problem."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import GameId
from tdapp.domain.tournament import Diff
from tdapp.services.backups import MINUTES, BackupService
from tdapp.services.featured_service import FeaturedTableService
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.publishing import MARKER_FILE, PublishingService, has_all_results
from tdapp.services.serving import ServingService
from tdapp.services.worker import ignore_values
from tdapp.storage import SnapshotFolder, SnapshotReason
from tests.building import event, game_at, paired, played
from tests.services.headless_session import office
from tests.web.running_server import read


def on_file(tmp_path: Path) -> OpenTournament:
    opened, _heard = office(tmp_path, Desk.create(tmp_path / "cup.tdapp", paired(event(4), results=False)))
    return opened


def entered(opened: OpenTournament, game: GameId, score: int) -> Diff:
    return opened.desk.do(partial(commands.enter_result, game=game, first=score, second=300))


def test_backup_service_copies_an_opened_file_and_then_in_intervals(tmp_path: Path) -> None:
    opened, taken, every = on_file(tmp_path), list[bool](), list[int]()
    backups = BackupService(opened, on_change=lambda: taken.append(True), set_interval=every.append)
    backups.handle_opened_tournament()
    assert every == [0, MINUTES * 60_000]
    backups.interval_minutes = 2
    assert every[-1] == 120_000
    backups.take_named_snapshot("lunch")
    kept = SnapshotFolder.from_tournament(tmp_path / "cup.tdapp").list_snapshots()
    assert {one.reason for one in kept} == {SnapshotReason.NAMED, SnapshotReason.START}
    assert len(taken) == 2
    opened.close()


def test_copy_to_second_folder_reports_a_missing_stick(tmp_path: Path) -> None:
    opened = on_file(tmp_path)
    backups = BackupService(opened, on_change=ignore_values, set_interval=ignore_values)
    backups.handle_opened_tournament()
    stick = tmp_path / "stick"
    stick.mkdir()
    backups.second_folder = stick
    assert len(list(stick.iterdir())) == 1
    stick.rename(tmp_path / "gone")
    backups.copy_to_second_folder()
    assert [problem.code for problem in backups.problems()] == ["copy-failed"]
    (tmp_path / "gone").rename(stick)
    backups.copy_to_second_folder()
    assert backups.problems() == ()
    opened.close()


def test_publishing_service_writes_pages_after_the_last_result_of_a_round(tmp_path: Path) -> None:
    opened, _heard = office(tmp_path, paired(event(4), results=False))
    publishing = PublishingService(
        opened, FeaturedTableService(opened, on_change=ignore_values), on_change=ignore_values
    )
    folder = tmp_path / "site"
    publishing.set_target_folder("first", folder)
    open_games = [game_at(opened.tournament, table) for table in (1, 2)]
    for number, game in enumerate(open_games, 1):
        publishing.handle_change(entered(opened, game.id, 400))
        assert (folder / MARKER_FILE).exists() == (number == 2)
    (tmp_path / "taken").write_text("no folder")
    publishing.set_target_folder("second", tmp_path / "taken")
    publishing.publish_pages()
    assert [problem.code for problem in publishing.problems()] == ["site-failed"]
    publishing.handle_opened_tournament()
    assert publishing.problems() == ()


def test_has_all_results_requires_every_published_result() -> None:
    value = paired(event(4), results=False)
    assert not has_all_results(Index(value))
    assert has_all_results(Index(played(value)))


def test_serving_service_serves_the_open_tournament_until_stopped(tmp_path: Path) -> None:
    opened, _heard = office(tmp_path, paired(event(4)))
    told: list[str] = []
    featuring = FeaturedTableService(opened, on_change=ignore_values)
    serving = ServingService(opened, featuring, on_change=lambda: told.append(serving.url))
    serving.start_server("127.0.0.1", 0)
    url = serving.url
    assert read(url).status_code == 200
    game = game_at(opened.tournament, 1)
    serving.handle_change(entered(opened, game.id, 451))
    assert "451" in read(f"{url}a-round.html").text
    serving.handle_opened_tournament()
    assert told == [url, ""]
