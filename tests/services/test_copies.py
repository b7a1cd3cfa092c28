"""Tests of the services that copy files, write web pages and serve web pages."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import GameId
from tdapp.domain.tournament import Diff
from tdapp.services.backups import MINUTES, BackupService
from tdapp.services.featured_service import FeaturedTableService
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.publishing import MARKER_FILE, PublishingService, has_all_results_of_published_rounds
from tdapp.services.serving import ServingService
from tdapp.services.worker import ignore_values
from tdapp.storage import SnapshotFolder, SnapshotReason
from tests.building import enter_results, get_game_at, make_event, pair_rounds
from tests.services.headless_session import make_session
from tests.web.running_server import fetch_page


def open_tournament_file(tmp_path: Path) -> OpenTournament:
    session, _notifications = make_session(
        tmp_path, Desk.create(tmp_path / "cup.tdapp", pair_rounds(make_event(4), results=False))
    )
    return session


def enter_score(session: OpenTournament, game: GameId, score: int) -> Diff:
    return session.desk.do(partial(commands.enter_result, game=game, first=score, second=300))


def test_backup_service_copies_an_opened_file_and_then_in_intervals(tmp_path: Path) -> None:
    session, attempts, intervals = open_tournament_file(tmp_path), list[bool](), list[int]()
    backups = BackupService(session, on_change=lambda: attempts.append(True), set_interval=intervals.append)
    backups.start_taking_snapshots()
    assert intervals == [0, MINUTES * 60_000]
    backups.interval_minutes = 2
    assert intervals[-1] == 120_000
    backups.take_named_snapshot_in_both_folders("lunch")
    snapshots = SnapshotFolder.from_tournament(tmp_path / "cup.tdapp").list_snapshots_newest_first()
    assert {snapshot.reason for snapshot in snapshots} == {SnapshotReason.NAMED, SnapshotReason.START}
    assert len(attempts) == 2
    session.close()


def test_copy_to_second_folder_reports_a_missing_folder(tmp_path: Path) -> None:
    session = open_tournament_file(tmp_path)
    backups = BackupService(session, on_change=ignore_values, set_interval=ignore_values)
    backups.start_taking_snapshots()
    second_folder = tmp_path / "stick"
    second_folder.mkdir()
    backups.second_folder = second_folder
    assert len(list(second_folder.iterdir())) == 1
    second_folder.rename(tmp_path / "gone")
    backups.take_snapshot_in_second_folder()
    assert [problem.code for problem in backups.problems()] == ["copy-failed"]
    (tmp_path / "gone").rename(second_folder)
    backups.take_snapshot_in_second_folder()
    assert backups.problems() == ()
    session.close()


def test_publishing_service_writes_pages_after_the_last_result_of_a_round(tmp_path: Path) -> None:
    session, _notifications = make_session(tmp_path, pair_rounds(make_event(4), results=False))
    publishing = PublishingService(
        session, FeaturedTableService(session, on_change=ignore_values), on_change=ignore_values
    )
    folder = tmp_path / "site"
    publishing.set_target_folder("first", folder)
    open_games = [get_game_at(session.tournament, table) for table in (1, 2)]
    for number, game in enumerate(open_games, 1):
        publishing.publish_if_change_is_important(enter_score(session, game.id, 400))
        assert (folder / MARKER_FILE).exists() == (number == 2)
    (tmp_path / "taken").write_text("no folder")
    publishing.set_target_folder("second", tmp_path / "taken")
    publishing.publish_pages()
    assert [problem.code for problem in publishing.problems()] == ["site-failed"]
    publishing.load_target_folders()
    assert publishing.problems() == ()


def test_has_results_of_all_rounds_requires_every_published_result() -> None:
    value = pair_rounds(make_event(4), results=False)
    assert not has_all_results_of_published_rounds(TournamentIndex(value))
    assert has_all_results_of_published_rounds(TournamentIndex(enter_results(value)))


def test_serving_service_serves_the_open_tournament_until_stopped(tmp_path: Path) -> None:
    session, _notifications = make_session(tmp_path, pair_rounds(make_event(4)))
    urls: list[str] = []
    featured_service = FeaturedTableService(session, on_change=ignore_values)
    serving = ServingService(session, featured_service, on_change=lambda: urls.append(serving.url))
    serving.start_server("127.0.0.1", 0)
    url = serving.url
    assert fetch_page(url).status_code == 200
    game = get_game_at(session.tournament, 1)
    serving.send_tournament_to_web_server(enter_score(session, game.id, 451))
    assert "451" in fetch_page(f"{url}a-round.html").text
    serving.stop_server_and_load_desk_sign_ins()
    assert urls == [url, ""]
