"""The featured table of the open tournament: which one, who may type it, what of it is public, and when.

It is kept on this computer, by tournament; what is typed is in the tournament. What became of the game before the
program was started is read from the journal, so that the delay holds over a crash too.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from tdapp.desk import Desk, utc_now
from tdapp.domain.featured_game import (
    LONGEST_DELAY,
    Featured,
    GameMoment,
    WordsShown,
    game_at,
    held_back,
    moment_of,
)
from tdapp.domain.index import Index
from tdapp.domain.model import GameId
from tdapp.domain.publishing import public
from tdapp.domain.slip import LENGTH, LETTERS
from tdapp.domain.tables.featured_view import FeaturedGame, public_game
from tdapp.domain.tournament import Diff, Tournament, apply
from tdapp.scrabble.tiles import TileSet
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.preferences import keep, kept
from tdapp.services.worker import ignore
from tdapp.storage.library import Library


class FeaturedChoice(Struct, frozen=True):
    """What the director has chosen: a table (0: none), minutes of delay, who is told about words; and the code.

    `since` is when the table was chosen, empty where that is not known.
    """

    table: int = 0
    delay: int = 0
    words: WordsShown = WordsShown.TYPIST
    code: str = ""
    since: str = ""


def chosen(
    table: int, delay: int, now: str, *, words: WordsShown = WordsShown.TYPIST, code: str = ""
) -> FeaturedChoice:
    """Return the choice of a table now, 0 for none, with a code that is new where none is given."""
    code = code or "".join(secrets.choice(LETTERS) for _ in range(LENGTH if table else 0))
    return FeaturedChoice(table, max(0, min(delay, LONGEST_DELAY)), words, code, now)


class FeaturingService:
    """Whether a table is featured, and what has become of its game."""

    def __init__(
        self,
        tournament: OpenTournament,
        *,
        changed: Callable[[], None],
        look_in: Callable[[int], None] = ignore,
        clock: Callable[[], str] = utc_now,
    ) -> None:
        """Call `changed` when another table is featured, or something of its game is public or to be.

        `look_in` is told after how many milliseconds `look` wants to be called.
        """
        self._open = tournament
        self._notify, self._look_in = changed, look_in
        self.clock = clock
        self.choice = FeaturedChoice()
        self.featured: Featured | None = None

    def choose(self, table: int, *, delay: int, words: WordsShown) -> None:
        """Feature a table, 0 for none; with another table comes another code."""
        before = self.choice
        one = chosen(table, delay, self.clock(), words=words)
        same = table == before.table
        self.choice = replace(one, code=before.code, since=before.since) if same else one
        keep(self._open.settings, self._place(), self.choice)
        self._follow()

    def begin(self) -> None:
        """Take up what was chosen for the tournament that is open now."""
        self.choice, self.featured = self._read() if self._open.is_open else FeaturedChoice(), None
        self._follow()

    def see(self, diff: Diff) -> None:
        """See what has become of the game; a new round has another one at the table."""
        featured = self.featured
        if not self.choice.table or not self._open.is_open:
            return
        game = game_at(self._open.index, self.choice.table)
        if featured is None or game is None or game.id != featured.game:
            self._follow()
        elif any(_touches(change.after or change.before, game.id) for change in diff):
            self.featured = featured.later(moment_of(self._open.tournament, game.id, self.clock()))
            self._changed()

    @property
    def seen(self) -> tuple[GameMoment, ...]:
        """What everybody sees now: first of the game on show."""
        return self.featured.public(self.clock()) if self.featured else ()

    def public(self) -> Tournament:
        """Return the open tournament with the result of the game as everybody sees it."""
        return held_back(self._open.tournament, self.seen)

    def shown(self) -> Callable[[], tuple[Tournament, FeaturedGame | None]]:
        """Return what computes, on any thread, the tournament and the featured game as everybody sees them now."""
        opened = self._open
        return partial(
            as_shown, opened.tournament, self.featured, self.seen, opened.resources.tilesets, opened.library
        )

    def look(self) -> None:
        """Tell that time has made something public, and wait for the next."""
        self._changed()

    def _changed(self) -> None:
        self._notify()
        due = self.featured.due(self.clock()) if self.featured else None
        if due is not None:
            self._look_in(1000 * due)

    def _follow(self) -> None:
        """Feature what is at the chosen table now, and read what has become of it so far."""
        one, opened, before = self.choice, self._open, self.featured
        game = game_at(opened.index, one.table) if opened.is_open and one.table else None
        if game is None:
            self.featured = None
        elif before is not None and before.game == game.id:
            self.featured = replace(before, code=one.code, delay=one.delay, words=one.words)
        else:
            since = self.clock() if before else ""
            earlier = replace(before, earlier=None) if before else None
            self.featured = Featured(game.id, one.code, one.delay, one.words, since=since, earlier=earlier)
            opened.ask(partial(followed, opened.desk, one, self.clock()), then=self._take)
        self._changed()

    def _take(self, found: Featured | None) -> None:
        """Take what the journal tells of the game, unless another one is featured meanwhile."""
        here = self.featured
        if here is not None and found is not None and here.game == found.game:
            known = found if here.earlier is None else here
            self.featured = replace(here, moments=found.moments, since=known.since, earlier=known.earlier)
            self._changed()

    def _place(self) -> str:
        return f"tournaments/{self._open.tournament.event.id}/featured"

    def _read(self) -> FeaturedChoice:
        """Return what was kept, with the usual value for one that makes no sense."""
        one = kept(self._open.settings, self._place(), FeaturedChoice())
        return chosen(max(0, one.table), one.delay, one.since, words=one.words, code=one.code)


def as_shown(
    tournament: Tournament,
    featured: Featured | None,
    seen: tuple[GameMoment, ...],
    tilesets: Mapping[str, TileSet],
    library: Library,
) -> tuple[Tournament, FeaturedGame | None]:
    """Return a tournament with results of featured games as everybody has seen them, and the game on show."""
    if featured is None:
        return tournament, None
    with library.open_if_there(featured.edition(tournament, seen[0].game)) as wordlist:
        game = public_game(public(tournament), seen[0], tilesets=tilesets, wordlist=wordlist)
    return held_back(tournament, seen), game


def followed(desk: Desk, choice: FeaturedChoice, now: str) -> Featured | None:
    """Return the game at a table, with what has become of it as long ago as any delay, by the journal.

    The game before it counts where the table was chosen already while that was played. On the desk's thread.
    """
    since = datetime.fromisoformat(now) - timedelta(minutes=LONGEST_DELAY + 1)
    old = max((step.seq for step in desk.history() if _time(step.at, now) <= since), default=0)
    value = desk.at(old)
    found = _followed(None, value, choice, "")
    for entry in desk.store.journal(since=old):
        value, at = apply(value, entry.changes), _time(entry.at, now).isoformat()
        if any(change.kind in {"rounds", "games"} for change in entry.changes):
            found = _followed(found, value, choice, at)
        if found and any(_touches(change.after or change.before, found.game) for change in entry.changes):
            found = replace(found, moments=(*found.moments, moment_of(value, found.game, at)))
    return found


def _followed(before: Featured | None, value: Tournament, choice: FeaturedChoice, at: str) -> Featured | None:
    """Return the game at the chosen table at an instant, after the one `before` it."""
    game = game_at(Index(value), choice.table)
    if game is None or (before is not None and before.game == game.id):
        return before
    earlier = replace(before, earlier=None) if before and choice.since and choice.since <= at else None
    known = (moment_of(value, game.id, at),)
    return Featured(game.id, choice.code, choice.delay, choice.words, known, at if earlier else "", earlier)


def _time(at: str, now: str) -> datetime:
    """Return when a step was done; one that does not say so, as in a journal made by hand, was done just now."""
    try:
        return datetime.fromisoformat(at).astimezone(UTC)
    except ValueError:
        return datetime.fromisoformat(now)


def _touches(row: object, game: GameId) -> bool:
    """Return whether a row is a sheet or the result of a game."""
    return game in {getattr(row, "game", None), getattr(row, "id", None)}


class FollowedTable:
    """A featured table of a desk that no window shows; on the desk's thread."""

    def __init__(self, desk: Desk, choice: FeaturedChoice, clock: Callable[[], str] = utc_now) -> None:
        self._desk, self._choice, self._clock = desk, choice, clock
        self.featured: Featured | None = None
        self.see()

    def see(self) -> None:
        """See what has become of the game, or that another one is at the table."""
        self.featured = followed(self._desk, self._choice, self._clock()) if self._choice.table else None

    def public(self) -> Tournament:
        """Return the tournament with the result of the game as everybody sees it."""
        return held_back(self._desk.tournament, self.featured.public(self._clock()) if self.featured else ())
