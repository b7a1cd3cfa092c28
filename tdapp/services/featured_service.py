"""The featured table: the public follows its game with a delay. A typist enters the plays on a web page."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from tdapp.desk import Desk, get_utc_timestamp
from tdapp.domain.featured_game import (
    LONGEST_DELAY,
    FeaturedGameHistory,
    TimeStampedGameState,
    WordValidityAudience,
    find_newest_game_at_table,
    make_time_stamped_game_state,
    replace_results_with_public_ones,
)
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import GameId
from tdapp.domain.publishing import make_public_view
from tdapp.domain.slip import CODE_CHARACTERS, CODE_LENGTH
from tdapp.domain.tables.featured_view import FeaturedGame, find_featured_game
from tdapp.domain.tournament import Diff, Tournament, apply_diff
from tdapp.scrabble.tiles import TileSet
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.preferences import load_settings_object, save_settings_object
from tdapp.services.worker import ignore_values
from tdapp.storage.library import WordListLibrary


class FeaturedTableSettings(Struct, frozen=True):
    """The director's choice of a table to feature, stored on this computer."""

    table: int = 0  # 0: none
    delay: int = 0  # minutes after which the public sees a turn
    words: WordValidityAudience = WordValidityAudience.TYPIST  # people who see whether a word is in the word list
    code: str = ""  # gives the typist access to the page for entering plays
    since: str = ""  # time of the choice, "" if unknown


def make_featured_table_settings(
    table: int, delay: int, time: str, *, words: WordValidityAudience = WordValidityAudience.TYPIST, code: str = ""
) -> FeaturedTableSettings:
    """Return the settings for a featured table. If `table` is 0, no table is featured.

    `delay` is in minutes. The director chose the table at `time`. `words` says who can see whether words are
    valid. Without `code`, make a new code for the typist.
    """
    code = code or "".join(secrets.choice(CODE_CHARACTERS) for _ in range(CODE_LENGTH if table else 0))
    return FeaturedTableSettings(table, max(0, min(delay, LONGEST_DELAY)), words, code, time)


class FeaturedTableService:
    """Follows the game at the featured table."""

    def __init__(
        self,
        tournament: OpenTournament,
        *,
        on_change: Callable[[], None],
        call_after: Callable[[int], None] = ignore_values,
        clock: Callable[[], str] = get_utc_timestamp,
    ) -> None:
        """Store the callbacks.

        `call_after` gets a time in milliseconds. After this time, it must call `publish_due_game_states`.
        """
        self._open = tournament
        self._notify, self._call_after = on_change, call_after
        self.clock = clock
        self.choice = FeaturedTableSettings()
        self.featured: FeaturedGameHistory | None = None

    def choose_featured_table(self, table: int, *, delay: int, words: WordValidityAudience) -> None:
        """Feature a table, 0 for none. `delay` is in minutes. A different table gets a new code for its typist."""
        before = self.choice
        choice = make_featured_table_settings(table, delay, self.clock(), words=words)
        is_same_table = table == before.table
        self.choice = replace(choice, code=before.code, since=before.since) if is_same_table else choice
        save_settings_object(self._open.settings, self._make_settings_key(), self.choice)
        self._update_featured_game()

    def load_featured_settings_and_follow_game(self) -> None:
        self.choice, self.featured = (
            self._load_featured_settings() if self._open.is_open else FeaturedTableSettings(),
            None,
        )
        self._update_featured_game()

    def update_featured_game(self, diff: Diff) -> None:
        """Follow the newest game at the featured table. If `diff` changes this game, record its new state."""
        featured = self.featured
        if not self.choice.table or not self._open.is_open:
            return
        game = find_newest_game_at_table(self._open.index, self.choice.table)
        if featured is None or game is None or game.id != featured.game:
            self._update_featured_game()
        elif any(_is_game_or_row_of_game(change.after or change.before, game.id) for change in diff):
            self.featured = featured.add_state_and_drop_expired(
                make_time_stamped_game_state(self._open.tournament, game.id, self.clock())
            )
            self._notify_listener_and_schedule_next_state()

    @property
    def newest_public_states(self) -> tuple[TimeStampedGameState, ...]:
        return self.featured.list_newest_public_state_of_each_game(self.clock()) if self.featured else ()

    def make_public_tournament(self) -> Tournament:
        """Return the full tournament, but with the featured game's public result instead of its real result."""
        return replace_results_with_public_ones(self._open.tournament, self.newest_public_states)

    def make_thread_safe_public_state_reader(self) -> Callable[[], tuple[Tournament, FeaturedGame | None]]:
        """Return a thread-safe function that returns the public tournament and featured game."""
        tournament = self._open
        return partial(
            remove_delayed_turns_and_results,
            tournament.tournament,
            self.featured,
            self.newest_public_states,
            tournament.resources.tilesets,
            tournament.library,
        )

    def publish_due_game_states(self) -> None:
        """Call `on_change`, so that turns whose delay has ended become public. Schedule the next call."""
        self._notify_listener_and_schedule_next_state()

    def _notify_listener_and_schedule_next_state(self) -> None:
        self._notify()
        due = self.featured.compute_seconds_to_next_public_state(self.clock()) if self.featured else None
        if due is not None:
            self._call_after(1000 * due)

    def _update_featured_game(self) -> None:
        choice, tournament, before = self.choice, self._open, self.featured
        game = (
            find_newest_game_at_table(tournament.index, choice.table)
            if tournament.is_open and choice.table
            else None
        )
        if game is None:
            self.featured = None
        elif before is not None and before.game == game.id:
            self.featured = replace(before, code=choice.code, delay=choice.delay, words=choice.words)
        else:
            start_time = self.clock() if before else ""
            earlier_game = replace(before, previous=None) if before else None
            self.featured = FeaturedGameHistory(
                game.id, choice.code, choice.delay, choice.words, start=start_time, previous=earlier_game
            )
            tournament.run_on_desk_thread(
                partial(rebuild_featured_game_history, tournament.desk, choice, self.clock()),
                on_success=self._restore_game_states_from_journal,
            )
        self._notify_listener_and_schedule_next_state()

    def _restore_game_states_from_journal(self, history: FeaturedGameHistory | None) -> None:
        featured = self.featured
        if featured is not None and history is not None and featured.game == history.game:
            source = history if featured.previous is None else featured
            self.featured = replace(featured, states=history.states, start=source.start, previous=source.previous)
            self._notify_listener_and_schedule_next_state()

    def _make_settings_key(self) -> str:
        return f"tournaments/{self._open.tournament.event.id}/featured"

    def _load_featured_settings(self) -> FeaturedTableSettings:
        choice = load_settings_object(self._open.settings, self._make_settings_key(), FeaturedTableSettings())
        return make_featured_table_settings(
            max(0, choice.table), choice.delay, choice.since, words=choice.words, code=choice.code
        )


def remove_delayed_turns_and_results(
    tournament: Tournament,
    featured: FeaturedGameHistory | None,
    states: tuple[TimeStampedGameState, ...],
    tilesets: Mapping[str, TileSet],
    library: WordListLibrary,
) -> tuple[Tournament, FeaturedGame | None]:
    """Return the tournament and the featured game without turns and results whose delay has not ended.

    `states` has the newest public state of each featured game. `states[0]` is for the returned game.
    """
    if featured is None:
        return tournament, None
    with library.open_edition_if_available(
        featured.find_wordlist_id_for_public_verdicts(tournament, states[0].game)
    ) as wordlist:
        game = find_featured_game(make_public_view(tournament), states[0], tilesets=tilesets, wordlist=wordlist)
    return replace_results_with_public_ones(tournament, states), game


def rebuild_featured_game_history(
    desk: Desk, choice: FeaturedTableSettings, current_time: str
) -> FeaturedGameHistory | None:
    """Rebuild the game at the chosen table from the journal, with its changes in the last LONGEST_DELAY minutes.

    Return None if the table had no game.
    """
    start = datetime.fromisoformat(current_time) - timedelta(minutes=LONGEST_DELAY + 1)
    start_seq = max(
        (step.seq for step in desk.list_all_steps() if _parse_time_or_default(step.at, current_time) <= start),
        default=0,
    )
    value = desk.rebuild_tournament_at(start_seq)
    history = _continue_or_start_game_history(None, value, choice, "")
    for entry in desk.store.read_journal(base_revision=start_seq):
        value, entry_time = (
            apply_diff(value, entry.changes),
            _parse_time_or_default(entry.at, current_time).isoformat(),
        )
        if any(change.kind in {"rounds", "games"} for change in entry.changes):
            history = _continue_or_start_game_history(history, value, choice, entry_time)
        if history and any(
            _is_game_or_row_of_game(change.after or change.before, history.game) for change in entry.changes
        ):
            history = replace(
                history, states=(*history.states, make_time_stamped_game_state(value, history.game, entry_time))
            )
    return history


def _continue_or_start_game_history(
    earlier_history: FeaturedGameHistory | None, tournament: Tournament, choice: FeaturedTableSettings, time: str
) -> FeaturedGameHistory | None:
    game = find_newest_game_at_table(TournamentIndex(tournament), choice.table)
    if game is None or (earlier_history is not None and earlier_history.game == game.id):
        return earlier_history
    earlier_game = (
        replace(earlier_history, previous=None)
        if earlier_history and choice.since and choice.since <= time
        else None
    )
    states = (make_time_stamped_game_state(tournament, game.id, time),)
    return FeaturedGameHistory(
        game.id, choice.code, choice.delay, choice.words, states, time if earlier_game else "", earlier_game
    )


def _parse_time_or_default(time: str, default: str) -> datetime:
    try:
        return datetime.fromisoformat(time).astimezone(UTC)
    except ValueError:
        return datetime.fromisoformat(default)


def _is_game_or_row_of_game(row: object, game: GameId) -> bool:
    return game in {getattr(row, "game", None), getattr(row, "id", None)}


class CommandLineFeaturedTableService:
    """The featured table of a web server run by the command line. Use it only on the thread of its `Desk`."""

    def __init__(
        self, desk: Desk, choice: FeaturedTableSettings, clock: Callable[[], str] = get_utc_timestamp
    ) -> None:
        self._desk, self._choice, self._clock = desk, choice, clock
        self.featured: FeaturedGameHistory | None = None
        self.rebuild_game_history()

    def rebuild_game_history(self) -> None:
        """Find the newest game at the table and its turns."""
        self.featured = (
            rebuild_featured_game_history(self._desk, self._choice, self._clock()) if self._choice.table else None
        )

    def make_public_tournament(self) -> Tournament:
        return replace_results_with_public_ones(
            self._desk.tournament,
            self.featured.list_newest_public_state_of_each_game(self._clock()) if self.featured else (),
        )
