"""Division files of the program tsh (`.t`): a division with pairings, results, starts, tables, byes and classes.

A file has each game on the lines of both players. Special terms:

* A player's number is the position of the line. Rating 0 means none. The rating `1650+12` is read as 1650.
* Opponent 0 means no game, and the score is the spread. A positive spread is a bye, a negative one a forfeit, 0 an
  absence. Opponent 0 without a score is a bye with the spread of the rule set.
* `p12` is the start in each round: 1 (first), 2 (second), 3 (must draw tiles) or 4 (unknown). A game without a 1
  or 2 is StartDecision.DRAW.
* `board` is the table. If it is missing, 0 or taken, the game gets the lowest free table, by player number.
* `off` marks a withdrawn player. The value of `off` is a spread as for opponent 0. The withdrawal usually starts
  after the player's last game.
* Byes in rounds after the division's last game are read as absences.
* Standings are ordered by wins, losses, spread, unless a comment sets another order.
* Other keys: `class` (category), `team`, `xtid` (cross-tables.com), `lifeg` (earlier rated games), and further
  player fields, which tsh keeps but does not use. Unknown keys are listed in `dropped`.

Comments hold other data of a division:

    #division A                  the division's code
    #spread_cap 200 700          the cap of a game's spread in round 1, in round 2 and all later ones; 0 = none
    #order wins resistance       ids of tie-breaks
    #rounds 9                    number of rounds
    #bye 12 3 requested          player 12 in round 3: bye, requested, absent or forfeit
    #absence 12 4 6 requested    player 12 misses rounds 4 to 6
    #absence 12 4 - -            player 12 misses all rounds from 4 (kind not stated)

Files are read as UTF-8 if valid, else in an older encoding. They are written in Latin-1 if that has all letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.commands.rule import LONGEST_NOTE
from tdapp.domain.entries import (
    AbsenceEntry,
    ByeEntry,
    DivisionEntry,
    EventEntry,
    GameEntry,
    PlayerEntry,
    RankFromFile,
    RoundEntry,
)
from tdapp.domain.errors import InputError
from tdapp.domain.model import ByeKind, StartDecision
from tdapp.domain.player_fields import LIST_FIELDS, PlayerFieldInfo
from tdapp.exchange.cells import neutralize_formula, remove_formula_apostrophe
from tdapp.exchange.text import (
    MAX_CELL,
    clean_text_to_one_line,
    decode_text,
    encode_as_latin_or_utf8,
    get_value_of_round,
    make_round_entry,
)
from tdapp.exchange.tsh_lines import (
    MAX_ROUNDS,
    TshComment,
    TshPlayerLine,
    format_player_line,
    parse_division_lines,
)

ORDER = ("wins", "losses", "spread")
RANKS = {"rrank": False, "rcrank": True}  # keys of ranks, and whether their spreads are capped
KEYS = {item.tsh or item.name: item for item in LIST_FIELDS if item.name != "rating"}
_SUPPORTED_KEYS = frozenset({*KEYS, "board", "p12", "off"})
_COMMENTS = frozenset({"absence", "division", "order", "spread_cap", "rounds", "bye"})
_UNKNOWN_START = frozenset({"0", "00", "3", "4"})
_Kinds = Mapping[tuple[int, int], ByeKind]  # by player and round, if the score is ambiguous
_OFF_SPREADS = {ByeKind.BYE: 50, ByeKind.FORFEIT: -50}


def read_division(data: bytes, source: str = "") -> DivisionEntry:
    lines = parse_division_lines(decode_text(data, source), source)
    return _TshDivisionConverter(lines.player_lines, lines.comments, source).make_entry()


def read_tsh_file(data: bytes, source: str = "") -> EventEntry:
    """Return the event in a division file. Its field `dropped` has the comments with unknown keys."""
    lines = parse_division_lines(decode_text(data, source), source)
    unknown_comments = (comment for comment in lines.comments if comment.key not in _COMMENTS)
    dropped_lines = tuple(
        (comment.line, " ".join((f"#{comment.key}", *comment.values))[:MAX_CELL]) for comment in unknown_comments
    )
    return EventEntry(
        (_TshDivisionConverter(lines.player_lines, lines.comments, source).make_entry(),), dropped=dropped_lines
    )


def read_player_lines(data: bytes, source: str = "") -> tuple[TshPlayerLine, ...]:
    """Return the players' lines with all their keys, even keys that `read_division` drops."""
    return parse_division_lines(decode_text(data, source), source).player_lines


def _get_bye_kind_by_spread(spread: int | None) -> ByeKind:
    if spread is None or spread > 0:
        return ByeKind.BYE
    return ByeKind.FORFEIT if spread < 0 else ByeKind.ABSENT


class _TshDivisionConverter(Struct, frozen=True):
    player_lines: tuple[TshPlayerLine, ...]
    comments: tuple[TshComment, ...]
    source: str

    def make_entry(self) -> DivisionEntry:
        kinds = self._read_bye_kinds()
        rounds = [self._make_round(number, kinds) for number in range(1, self._count_rounds() + 1)]
        last_round = self._find_last_imported_round(rounds)
        comments = self._find_comments("absence")
        absences = (
            map(self._read_absence, comments) if comments else self._derive_absences(rounds, last_round, kinds)
        )
        return DivisionEntry(
            code=next((" ".join(item.values)[:MAX_CELL] for item in self._find_comments("division")), ""),
            players=tuple(
                self._make_player(number, player_line) for number, player_line in enumerate(self.player_lines, 1)
            ),
            rounds=tuple(rounds[:last_round]),
            absences=tuple(sorted(absences, key=lambda item: (item.player, item.first_round))),
            order=next((item.values for item in self._find_comments("order") if item.values), ()),
            spread_caps=next(
                (
                    self._read_numbers(comment, comment.values[:MAX_ROUNDS])
                    for comment in self._find_comments("spread_cap")
                ),
                (),
            ),
            dropped=self._list_keys_not_imported(),
            usual=ORDER,
            usual_byes=True,
            ranks=tuple(self._list_ranks()),
        )

    def _list_ranks(self) -> Iterator[RankFromFile]:
        for position, player_line in enumerate(self.player_lines, 1):
            for key, is_capped in RANKS.items():
                for number, word in enumerate(player_line.keys.get(key, ())):
                    if number and re.fullmatch("[0-9]{1,5}", word) and int(word):
                        yield RankFromFile(position, number, int(word), is_capped)

    # --- players -------------------------------------------------------------------------------------

    def _make_player(self, number: int, player_line: TshPlayerLine) -> PlayerEntry:
        values = {field.name: self._read_field(player_line, key, field) for key, field in KEYS.items()}
        values["member"] = player_line.member or values["member"]
        name = remove_formula_apostrophe(player_line.name)
        return PlayerEntry(
            number=number, name=name, rating=player_line.rating or None, line=player_line.line, **values
        )

    def _read_field(self, player_line: TshPlayerLine, key: str, field: PlayerFieldInfo) -> Any:
        if field.is_yes_no:
            return any(value != "0" for value in player_line.keys.get(key, ()))
        if field.is_number:
            number = self._parse_whole_number(player_line, key)
            return None if number is None or number < field.minimum else number
        text = clean_text_to_one_line(" ".join(player_line.keys.get(key, ())))
        most = LONGEST_NOTE if field.is_note else MAX_CELL
        if len(text) > most:
            raise self._make_error("too-long", player_line, field=key, most=most)
        return text

    def _parse_whole_number(self, player_line: TshPlayerLine, key: str) -> int | None:
        values = player_line.keys.get(key, ())
        return self._parse_integer(values[0], player_line, key) if values else None

    def _parse_integer(self, word: str, player_line: TshPlayerLine, key: str) -> int:
        if not re.fullmatch("-?[0-9]{1,5}", word):
            raise self._make_error("tsh-number-invalid", player_line, field=key, value=word[:MAX_CELL])
        return int(word)

    def _list_keys_not_imported(self) -> tuple[str, ...]:
        dropped_keys = {
            key for player_line in self.player_lines for key in player_line.keys if key not in _SUPPORTED_KEYS
        }
        dropped_keys |= {key for player_line in self.player_lines for key in player_line.repeated_keys}
        numbers = ("off", *(key for key, field in KEYS.items() if field.is_number))
        dropped_keys |= {
            key for player_line in self.player_lines for key in numbers if len(player_line.keys.get(key, ())) > 1
        }
        return tuple(
            sorted(
                dropped_keys
                | (
                    {"rating"}
                    if any(player_line.has_compound_rating for player_line in self.player_lines)
                    else set()
                )
            )
        )

    # --- rounds --------------------------------------------------------------------------------------

    def _count_rounds(self) -> int:
        for player_line in self.player_lines:
            if len(player_line.scores) > len(player_line.opponents):
                raise self._make_error(
                    "tsh-score-without-opponent", player_line, round=len(player_line.opponents) + 1
                )
        return max(len(player_line.opponents) for player_line in self.player_lines)

    def _make_round(self, number: int, kinds: _Kinds) -> RoundEntry:
        opponents = [get_value_of_round(player_line.opponents, number) for player_line in self.player_lines]
        for player_line, opponent in zip(self.player_lines, opponents, strict=True):
            if opponent is None and get_value_of_round(player_line.scores, number) is not None:
                raise self._make_error("tsh-score-without-opponent", player_line, round=number)

        def make_bye(position: int) -> ByeEntry:
            score = get_value_of_round(self.player_lines[position - 1].scores, number)
            return ByeEntry(position, kinds.get((position, number), _get_bye_kind_by_spread(score)), score)

        def make_error(code: str, position: int, **facts: Any) -> InputError:
            return self._make_error(code, self.player_lines[position - 1], round=number, **facts)

        entry = make_round_entry(
            number,
            opponents,
            lambda position, opponent: self._make_game(position, opponent, number),
            make_bye,
            make_error,
        )
        return replace(entry, games=_assign_tables(entry.games))

    def _make_game(self, position: int, opponent: int, number: int) -> GameEntry:
        pair = (self.player_lines[position - 1], self.player_lines[opponent - 1])
        score, opponent_score = (get_value_of_round(player_line.scores, number) for player_line in pair)
        if (score is None) is not (opponent_score is None):
            raise self._make_error("tsh-score-missing", pair[0] if score is None else pair[1], round=number)
        scores = None if score is None or opponent_score is None else (score, opponent_score)
        table, start = self._find_table_number(pair, number), self._find_starting_side(pair, number)
        if start == "2":
            return GameEntry(table, opponent, position, StartDecision.ASSIGNED, scores[::-1] if scores else None)
        return GameEntry(
            table, position, opponent, StartDecision.ASSIGNED if start else StartDecision.DRAW, scores
        )

    def _find_table_number(self, pair: tuple[TshPlayerLine, TshPlayerLine], number: int) -> int | None:
        boards = {
            self._parse_integer(word, player_line, "board")
            for player_line in pair
            for word in _list_values_of_key_in_round(player_line, "board", number)
        }
        boards.discard(0)
        if len(boards) > 1 or min(boards, default=1) < 1:
            raise self._make_error(
                "tsh-boards-differ", pair[0], field="board", round=number, opponent=pair[1].name
            )
        return next(iter(boards), None)

    def _find_starting_side(self, pair: tuple[TshPlayerLine, TshPlayerLine], number: int) -> str:
        start, opponent_start = (
            "".join(_list_values_of_key_in_round(player_line, "p12", number)) or "0" for player_line in pair
        )
        if not {start, opponent_start} <= {"1", "2", *_UNKNOWN_START} or (
            start == opponent_start and start not in _UNKNOWN_START
        ):
            raise self._make_error("tsh-starts-differ", pair[0], field="p12", round=number, opponent=pair[1].name)
        if start in _UNKNOWN_START and opponent_start in _UNKNOWN_START:
            return ""
        return start if start not in _UNKNOWN_START else {"1": "2", "2": "1"}[opponent_start]

    def _find_last_imported_round(self, rounds: list[RoundEntry]) -> int:
        for comment in self._find_comments("rounds"):
            (round_count,) = self._read_numbers(comment, comment.values, expected=1)
            return max((item.number for item in rounds[:round_count] if item.games or item.byes), default=0)
        return max((item.number for item in rounds if item.games), default=0)

    # --- absences ------------------------------------------------------------------------------------

    def _derive_absences(self, rounds: list[RoundEntry], last_round: int, kinds: _Kinds) -> Iterator[AbsenceEntry]:
        withdrawn_players = {
            number for number, player_line in enumerate(self.player_lines, 1) if "off" in player_line.keys
        }
        for number in withdrawn_players:
            yield self._make_withdrawal_after_last_game(number, last_round, kinds)
        for item in rounds[last_round:]:
            for bye in item.byes:
                if bye.player not in withdrawn_players:
                    yield AbsenceEntry(bye.player, item.number, item.number, bye.kind)

    def _make_withdrawal_after_last_game(self, position: int, last_round: int, kinds: _Kinds) -> AbsenceEntry:
        player_line = self.player_lines[position - 1]
        kind = _get_bye_kind_by_spread(self._parse_whole_number(player_line, "off") or 0)
        last = 0
        for number in range(1, last_round + 1):
            opponent = get_value_of_round(player_line.opponents, number)
            round_kind = kinds.get(
                (position, number), _get_bye_kind_by_spread(get_value_of_round(player_line.scores, number))
            )
            # a bye of another kind than the withdrawal counts like a game
            if opponent or (opponent == 0 and round_kind is not kind):
                last = number
        return AbsenceEntry(position, last + 1, None, kind)

    # --- comments ------------------------------------------------------------------------------------

    def _find_comments(self, key: str) -> list[TshComment]:
        return [comment for comment in self.comments if comment.key == key]

    def _read_bye_kinds(self) -> _Kinds:
        kinds: dict[tuple[int, int], ByeKind] = {}
        for comment in self._find_comments("bye"):
            player, number = self._read_numbers(comment, comment.values[:2], expected=2)
            kind = self._read_bye_kind(comment, 2)
            if kind is not None:
                kinds[player, number] = kind
        return kinds

    def _read_absence(self, comment: TshComment) -> AbsenceEntry:
        player, first = self._read_numbers(comment, comment.values[:2], expected=2)
        last = comment.values[2:3]
        if not 1 <= player <= len(self.player_lines):
            raise self._make_comment_error(comment)
        last_round = None if last in {(), ("-",)} else self._read_numbers(comment, last)[0]
        return AbsenceEntry(player, first, last_round, self._read_bye_kind(comment, 3))

    def _read_bye_kind(self, comment: TshComment, position: int) -> ByeKind | None:
        word = comment.values[position] if position < len(comment.values) else "-"
        if word == "-":
            return None
        try:
            return ByeKind(word)
        except ValueError as error:
            raise self._make_comment_error(comment) from error

    def _read_numbers(
        self, comment: TshComment, words: tuple[str, ...], *, expected: int | None = None
    ) -> tuple[int, ...]:
        if not all(re.fullmatch("[0-9]{1,5}", word) for word in words) or expected not in {None, len(words)}:
            raise self._make_comment_error(comment)
        return tuple(int(word) for word in words)

    def _make_comment_error(self, comment: TshComment) -> InputError:
        return InputError("tsh-comment-invalid", source=self.source, line=comment.line, field=comment.key)

    def _make_error(
        self, code: str, player_line: TshPlayerLine, *, field: str = "", **facts: object
    ) -> InputError:
        return InputError(
            code, source=self.source, line=player_line.line, field=field, player=player_line.name, **facts
        )


def _list_values_of_key_in_round(player_line: TshPlayerLine, key: str, number: int) -> tuple[str, ...]:
    return player_line.keys.get(key, ())[number - 1 : number]


def _assign_tables(games: Sequence[GameEntry]) -> tuple[GameEntry, ...]:
    games_by_table: dict[int, GameEntry] = {}
    games_without_table: list[GameEntry] = []
    for game in games:
        if game.table is None or game.table in games_by_table:
            games_without_table.append(game)
        else:
            games_by_table[game.table] = game
    free_tables = [table for table in range(1, len(games) + 1) if table not in games_by_table]
    for game, table in zip(games_without_table, free_tables, strict=False):
        games_by_table[table] = replace(game, table=table)
    return tuple(games_by_table[table] for table in sorted(games_by_table))


def encode_tsh_division(entry: DivisionEntry) -> bytes:
    """Return the division as a file, b"" if it has no players.

    Players are numbered from 1. The file does not tell how starts were decided.
    """
    entry = renumber_players(entry)
    if not entry.players:
        return b""
    lines = [format_player_line(player_line) for player_line in _make_player_lines(entry)]
    lines = [*_format_comments_that_keep_lost_data(entry, read_division("\n".join(lines).encode())), *lines]
    lines = [*_format_absence_comments(entry, read_division("\n".join(lines).encode())), *lines]
    return encode_as_latin_or_utf8("".join(f"{line}\n" for line in lines))


def make_player_lines(entry: DivisionEntry) -> tuple[TshPlayerLine, ...]:
    return tuple(_make_player_lines(renumber_players(entry)))


def renumber_players(entry: DivisionEntry) -> DivisionEntry:
    """Return the division with players numbered by position, and each text on one line."""
    new_numbers = {player.number: number for number, player in enumerate(entry.players, 1)}
    rounds = (
        RoundEntry(
            item.number,
            tuple(
                replace(game, first=new_numbers[game.first], second=new_numbers[game.second])
                for game in item.games
            ),
            tuple(replace(bye, player=new_numbers[bye.player]) for bye in item.byes),
        )
        for item in entry.rounds
    )
    return replace(
        entry,
        code=clean_text_to_one_line(entry.code),
        players=tuple(
            _clean_and_renumber_player(number, player) for number, player in enumerate(entry.players, 1)
        ),
        rounds=tuple(rounds),
        absences=tuple(replace(item, player=new_numbers[item.player]) for item in entry.absences),
    )


def _clean_and_renumber_player(number: int, player: PlayerEntry) -> PlayerEntry:
    names = ("name", *(field.name for field in KEYS.values() if field.is_text))
    texts: dict[str, Any] = {name: clean_text_to_one_line(getattr(player, name)) for name in names}
    return replace(player, number=number, **texts)


def _make_player_lines(entry: DivisionEntry) -> Iterator[TshPlayerLine]:
    length = max((item.number for item in entry.rounds if item.games or item.byes), default=0)
    cells: list[list[_TshPlayerRound | None]] = [[None] * length for _ in entry.players]
    for item in entry.rounds:
        for number, cell in _make_tsh_cells(item):
            cells[number - 1][item.number - 1] = cell
    withdrawals = {item.player: item for item in entry.absences if item.last_round is None}
    for player, row in zip(entry.players, cells, strict=True):
        yield _make_player_line(player, row, withdrawals.get(player.number or 0))


class _TshPlayerRound(Struct, frozen=True):
    opponent: int
    score: int | None
    p12: int = 0
    board: int = 0


def _make_tsh_cells(round_entry: RoundEntry) -> Iterator[tuple[int, _TshPlayerRound]]:
    for game in round_entry.games:
        first, second = game.scores or (None, None)
        starts = (3, 3) if game.start is StartDecision.DRAW else (1, 2)
        yield game.first, _TshPlayerRound(game.second, first, starts[0], game.table or 0)
        yield game.second, _TshPlayerRound(game.first, second, starts[1], game.table or 0)
    for bye in round_entry.byes:
        yield bye.player, _TshPlayerRound(0, bye.spread)


def _make_player_line(
    player: PlayerEntry, row: list[_TshPlayerRound | None], withdrawal: AbsenceEntry | None
) -> TshPlayerLine:
    while row and row[-1] is None:
        row.pop()
    field_values = {key: getattr(player, field.name) for key, field in KEYS.items()}
    keys: dict[str, tuple[str, ...]] = {
        key: ("1" if value is True else str(value),)
        for key, value in field_values.items()
        if value is not None and value is not False
    }
    is_plain_member = not re.search("[: ]", player.member)
    keys["member"] = () if is_plain_member else (player.member,)
    keys["p12"] = tuple(str(cell.p12 if cell else 0) for cell in row)
    keys["board"] = tuple(str(cell.board if cell else 0) for cell in row)
    keys["off"] = () if withdrawal is None else (str(_OFF_SPREADS.get(withdrawal.kind or ByeKind.ABSENT, 0)),)
    scores = [cell.score if cell else None for cell in row]
    while scores and scores[-1] is None:
        scores.pop()
    return TshPlayerLine(
        line=0,
        name=neutralize_formula(player.name),
        member=player.member if is_plain_member else "",
        rating=player.rating or 0,
        opponents=tuple(cell.opponent if cell else None for cell in row),
        scores=tuple(scores),
        keys={key: values for key, values in keys.items() if any(values)},
    )


def _format_comments_that_keep_lost_data(entry: DivisionEntry, reread_entry: DivisionEntry) -> Iterator[str]:
    if entry.code:
        yield f"#division {entry.code}"
    if entry.spread_caps:
        yield f"#spread_cap {' '.join(map(str, entry.spread_caps))}"
    if entry.order:
        yield f"#order {' '.join(entry.order)}"
    rounds = [item for item in entry.rounds if item.games or item.byes]
    if rounds and len(reread_entry.rounds) < rounds[-1].number:
        yield f"#rounds {rounds[-1].number}"
    for item in rounds:
        for bye in item.byes:
            if bye.kind is not _get_bye_kind_by_spread(bye.spread):
                yield f"#bye {bye.player} {item.number} {bye.kind}"


def _format_absence_comments(entry: DivisionEntry, reread_entry: DivisionEntry) -> Iterator[str]:
    if entry.absences != reread_entry.absences:
        for item in entry.absences:
            yield f"#absence {item.player} {item.first_round} {item.last_round or '-'} {item.kind or '-'}"
