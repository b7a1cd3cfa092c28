"""Rulings on the Jury page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from html import escape

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.impact import assess_impact
from tdapp.domain.model import GameId
from tdapp.domain.rulings import make_reason
from tdapp.domain.tables.jury import Doubt, compute_phony_cost
from tdapp.domain.tournament import Tournament
from tdapp.gui.jury.sheet_page import SheetPage
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.jury_member import get_author_today
from tdapp.gui.shell.session import run_if_alive
from tdapp.i18n import impact_sentences, sheet_sentences
from tdapp.i18n.corrections import Correction, make_game_correction
from tdapp.scrabble.sheet import Ended, TurnKind

Make = Callable[[partial[Tournament]], None]
_ANY = "…"  # placeholder for author and reason in a preview


class RulingActions:
    """Actions on doubtful words."""

    def __init__(self, page: SheetPage, assess: Callable[[Correction, Make], None]) -> None:
        self._page, self._session, self._sheet = page, page.session, page.sheet
        self._assess = assess

    def list_ruling_actions(self) -> tuple[Action, ...]:
        text, menu = self._session.catalogue.text, "turns"
        wrong, stands = partial(self.rule_words, phony=True), partial(self.rule_words, phony=False)
        return (
            Action("next-doubt", text("Words in doubt"), self.go_to_doubts, "", "Ctrl+Shift+W", menu,
                   self._has_doubts),
            Action("doubt-after", text("Next doubt in the round"), partial(self.step_doubt, 1), "", "F8", menu,
                   self._is_in_doubt),
            Action("doubt-before", text("Doubt before"), partial(self.step_doubt, -1), "", "Shift+F8", menu,
                   self._is_in_doubt),
            Action("rule-wrong", text("Rule as wrong…"), wrong, "close", "Alt+-", menu, self._can_rule),
            Action("rule-stands", text("Accept…"), stands, "check", ("Alt++", "Alt+="), menu,
                   self._can_rule),
        )  # fmt: skip

    def _has_doubts(self) -> bool:
        return self._page.has_open_sheet() and self._page.shown is not None and bool(self._page.shown.doubts)

    def _can_rule(self) -> bool:
        written = self._sheet.stored is not None or self._sheet.is_unsaved
        return self._page.isVisible() and self._sheet.can_change() and not self._session.is_judging and written

    def _is_in_doubt(self) -> bool:
        return self._page.isVisible() and any(row.status in {"doubt", "differs"} for row in self._page.rows)

    def step_doubt(self, by: int) -> None:
        """Go to the next or previous doubt in any sheet of the round."""
        places = [*self._iter_doubts()]
        if not places:
            return
        tables = {row.key: row.table for row in self._page.rows}
        key, shown = self._sheet.key, self._page.shown
        number = (shown.find_turn_number(self._sheet.place) or 0) if shown else 0
        here = (tables[key[0]], number) if key is not None and key[0] in tables else (0, 0)
        order = places if by > 0 else places[::-1]
        further = (one for one in order if (one[:2] > here if by > 0 else one[:2] < here))
        _, turn, game = next(further, order[0])
        if key is None or key[0] != game:
            self._page.open_game(game)
        shown = self._page.shown
        if shown is not None and 0 < turn <= len(shown.places):
            self._page.move_cursor(shown.places[turn - 1])

    def _iter_doubts(self) -> Iterator[tuple[int, int, GameId]]:
        index = self._sheet.index
        for row in self._page.rows:
            game = GameId(row.key)
            turns = {row.differing} if row.differing else set()
            for form in index.sheets(game)[:1]:
                turns |= self._page.doubts.find_doubtful_turns(form)
            if row.status in {"doubt", "differs"}:
                yield from ((row.table, turn, game) for turn in sorted(turns or {0}))

    def go_to_first_doubt(self) -> None:
        shown, stored = self._page.shown, self._sheet.stored
        if shown is None or stored is None:
            return
        turns = sorted(self._page.doubts.find_doubtful_turns(stored) - {0})
        if turns and turns[0] <= len(shown.places):
            self._page.move_cursor(shown.places[turns[0] - 1])

    def go_to_doubts(self) -> None:
        shown, view = self._page.shown, self._page.words.view
        found = [doubt for doubt in shown.doubts if doubt.is_open] or list(shown.doubts) if shown else []
        if found and self._page.isVisible():
            self._page.show_column_with(view)
            view.setFocus()
            view.choose(found[0].key)

    def make_continuation(self) -> Callable[[], None]:
        """Return a callback that goes to the next doubt if the user is still on the sheet."""
        return run_if_alive(self._page, partial(self._continue_if_stayed, self._page.make_stay_check()))

    def _continue_if_stayed(self, stayed: Callable[[], bool]) -> None:
        if not stayed():
            return
        self._sheet.record_step()
        self._page.close_strip()
        self._page.refresh_page()
        shown = self._page.shown
        if shown is not None and any(doubt.is_open for doubt in shown.doubts):
            self.go_to_doubts()
        else:
            self._page.end.focus_field("")

    def rule_words(self, *, phony: bool) -> None:
        number, catalogue = self._find_target_turn(), self._session.catalogue
        if number is None:
            self._session.show_message(catalogue.text("Go to the play to rule on."), tone="red")
        elif self._sheet.is_unsaved:
            self._session.show_message(catalogue.text("Save the sheet first (Ctrl+Enter)."), tone="red")
        elif phony and not self._sheet.rules.phony.ruled:
            self._session.show_message(catalogue.problem("phony-not-in-rules", {}), tone="red")
        elif not get_author_today(self._session):
            self._page.line.ask_author(run_if_alive(self._page, partial(self.rule_words, phony=phony)))
        else:
            self._page.open_strip(self._page.ruling)
            self._ask_ruling(number, phony=phony)

    def save_ruling(self, turn: int, phony: bool, why: str, count: int) -> None:
        author, game = get_author_today(self._session), self._sheet.game
        command = self._build_command(turn, phony=phony, author=author, why=why, count=count)
        if command is not None and game is not None:
            strip, index = self._page.ruling, self._sheet.index
            yes = strip.yes.text()
            correction = make_game_correction(
                index, game.id, command, escape(strip.about.text()), yes=yes, reasoned=True
            )
            self._assess(correction, self._make_ruling)

    def _make_ruling(self, command: partial[Tournament]) -> None:
        self._session.do(command, done=self.make_continuation(), quiet=True, field=self._page.ruling.why)

    def list_impact(self, turn: int, phony: bool, count: int) -> Sequence[str]:
        """Return effects on score, winner, ranks and printouts."""
        before, game = self._session.tournament, self._sheet.game
        command = self._build_command(turn, phony=phony, author=_ANY, why=_ANY, count=count)
        if command is None or game is None:
            return ()
        catalogue = self._session.catalogue
        try:
            after = command(before)
        except RuleViolation as error:
            return (catalogue.error(error),)
        division = self._session.index.division_of(game.round).id
        found = assess_impact(self._session.index, after, division)
        old, new, stored = before.results.get(game.id), after.results.get(game.id), self._sheet.stored
        finished = stored is None or stored.sheet.ended not in {None, Ended.OPEN}
        said = sheet_sentences.describe_score_change(catalogue, old, new, finished=finished)
        return (
            said,
            *impact_sentences.describe_impact(found, before.players, catalogue, first=(game.first, game.second)),
        )

    def _build_command(
        self, turn: int, *, phony: bool, author: str, why: str, count: int
    ) -> partial[Tournament] | None:
        key, tileset, wordlist = self._sheet.key, self._sheet.tileset, self._session.word_list(self._sheet.game)
        if key is None or tileset is None:
            return None
        edition = wordlist.metadata.id if wordlist is not None else ""
        return partial(
            commands.rule_on_turn, game=key[0], form=key[1], turn=turn, phony=phony, author=author, why=why,
            tileset=tileset, wrong_words=count, edition=edition,
        )  # fmt: skip

    def _find_target_turn(self) -> int | None:
        shown, words = self._page.shown, self._page.words
        if shown is None:
            return None
        if words.view.hasFocus() and words.current_doubt is not None:
            return words.current_doubt.turn
        row = shown.find_row(self._sheet.place)
        if row is not None and row.line.kind is TurnKind.PLAY:
            return row.line.number
        return next((doubt.turn for doubt in shown.doubts if doubt.is_open), None)

    def _ask_ruling(self, number: int, *, phony: bool) -> None:
        catalogue, shown, rules = self._session.catalogue, self._page.shown, self._sheet.rules
        line = shown.lines[number - 1] if shown else None
        doubts = [doubt for doubt in shown.doubts if doubt.turn == number] if shown else []
        count = max(1, len(doubts))
        said = _join_words(doubt.word for doubt in doubts) or ", ".join(line.words if line else ())
        where = (
            sheet_sentences.describe_line(self._sheet.draft, shown.places[number - 1], catalogue) if shown else ""
        )
        about = catalogue.text("{where}: {told}", where=where, told=said)
        if phony and line is not None:
            about += "  ·  " + catalogue.text("costs {cost}", cost=compute_phony_cost(line, rules, words=count))
        reason = self._propose_reason(doubts, phony=phony)
        self._page.ruling.ask_ruling(
            number, about, phony=phony, words=count, reason=reason, impact=self.list_impact
        )

    def _propose_reason(self, doubts: Sequence[Doubt], *, phony: bool) -> str:
        wordlist = self._session.word_list(self._sheet.game)
        missing = [doubt.word for doubt in doubts if doubt.code == "word-not-in-list"]
        edition = wordlist.edition.name if phony and missing and wordlist is not None else ""
        return make_reason(phony=phony, edition=edition) if doubts else ""


def _join_words(words: Iterable[str]) -> str:
    """Name a word formed twice only once."""
    return ", ".join(dict.fromkeys(words))
