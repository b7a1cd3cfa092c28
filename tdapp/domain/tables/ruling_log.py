"""The log of rulings: from the journal, all steps that made a score with a jury ruling.

The list is complete: it starts with the entered result, and each step has its points and its reason. Imported
rulings and verdicts of the judge screen have no step of their own and are listed without totals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.index import Index
from tdapp.domain.journal import Step, read_typed_rulings
from tdapp.domain.model import Division
from tdapp.domain.rulings import TYPED, decode_reason, encode_reason
from tdapp.domain.tables.history import undone_steps
from tdapp.domain.tables.jury_log import list_rulings
from tdapp.domain.tables.table import Column, Kind, Table, make_columns

RULED = frozenset({"rule-on-word", "rule-on-turn"})
_SIGNED = "sign-rulings"
_KINDS: Mapping[str, str] = {
    "enter-result": "result-corrected",
    "second-result": "result-corrected",
    "clear-result": "result-cleared",
    "enter-sheet": "sheet-entered",
    "settle-forms": "sheet-entered",
    "clear-sheet": "sheet-cleared",
    "remove-sanction": "sanction-removed",
}
_VERDICTS: Mapping[str, str] = {
    "decide-verdicts": "verdict-decided",
    "appeal-challenge": "appeal",
    "remove-challenge": "challenge-removed",
}


class RulingStep(Struct, frozen=True):
    """A step that changed a game's score or ruled on its words; `name` is one or both players.

    `kind` is ruled-wrong, ruled-valid, a kind of sanction, or an action on the result. `word` has the words of
    the turn, `row` its row on the form, `turn_score` its score. `change` is the player's points in this step.
    `before` and `after` are both totals, in the order of the game; empty if the score is unchanged.
    """

    key: str
    at: str | None
    round: int
    table: int
    name: str
    kind: str
    word: str = ""
    row: int | None = None
    turn_score: int | None = None
    change: int | None = None
    before: str = ""
    after: str = ""
    why: str = ""
    author: str = ""


def ruling_log(
    index: Index, division: Division, steps: Iterable[Step], until: int | None = None
) -> Table[RulingStep]:
    """Return a division's rulings with all steps that changed the same scores, by round, table and time.

    If `until` is the newest published round, rounds that were taken back are included.
    """
    found = list(_ruling_steps(index, tuple(steps), division))
    known = {key for row in found for key in _identify_words(row)}
    found += [row for row in _unlogged_rulings(index, division) if known.isdisjoint(_identify_words(row))]
    ruled = {(row.round, row.table) for row in found if _is_jury(row)}
    if until is not None and is_taken_back(index, division, until + 1):
        until = None
    rows = [row for row in found if (row.round, row.table) in ruled and (until is None or row.round <= until)]
    rows.sort(key=attrgetter("round", "table"))  # stable sort: keeps the order of time
    return Table("ruling-log", _COLUMNS, tuple(rows))


def is_taken_back(index: Index, division: Division, number: int) -> bool:
    """Return whether a round with rulings is no longer published."""
    return number > len(index.published(division.id))


def _identify_words(row: RulingStep) -> set[tuple[object, ...]]:
    """Return place, player and word of each word, without the club or number that tells namesakes apart."""
    name = row.name.partition(" (")[0]
    return {(row.round, row.table, name, word) for word in row.word.split(", ")}


def _is_jury(row: RulingStep) -> bool:
    ordinary = row.kind in {"result-entered", "result-cleared", *_KINDS.values()}
    return not ordinary or bool(row.why and decode_reason(row.why)[0] != TYPED)


def _ruling_steps(index: Index, steps: Sequence[Step], division: Division) -> Iterator[RulingStep]:
    undone = undone_steps(steps)
    valid = [step for step in steps if step.undoes is None and step.seq not in undone]
    signed: dict[str, str] = {}  # newest name of each author
    rows: list[RulingStep] = []
    for step in reversed(valid):
        if step.label == _SIGNED:
            old, new = str(step.facts["old"]), str(step.facts["new"])
            signed[old] = signed.get(new, new)
            continue
        typed = list(_typed_rows(index, division, step))
        rows += [replace(row, author=signed.get(row.author, row.author)) for row in reversed(typed)]
        if step.facts.get("division") == division.code and "table" in step.facts:
            row = _step_row(step)
            if row is not None:
                row = replace(row, after=typed[0].before) if typed else row
                rows.append(replace(row, author=signed.get(row.author, row.author)))
    yield from reversed(rows)


def _step_row(step: Step) -> RulingStep | None:
    """Return a step as a row, None if it has no ruling and no score change."""
    facts, kind = step.facts, _kind_of(step)
    changed = "now" in facts
    if not kind or not (changed or step.label in {*RULED, "add-sanction"}):
        return None
    points = facts.get("points")
    change = -points if isinstance(points, int) and points and step.label in {*RULED, "add-sanction"} else None
    words = ", ".join(str(facts.get("word", "")).upper().split())
    return RulingStep(
        key=str(step.seq),
        at=step.at,
        round=int(str(facts["round"])),
        table=int(str(facts["table"])),
        name=str(facts.get("player") or f"{facts.get('first_name')} – {facts.get('second_name')}"),
        kind=kind,
        word=words or str(facts.get("words", "")).replace(" · ", ", "),
        row=_number_fact(step, "row"),
        turn_score=_number_fact(step, "score") if step.label in RULED and facts.get("phony", 1) else None,
        change=change,
        before=str(facts.get("was", "")),
        after=str(facts.get("now", "")),
        why=str(facts.get("reason") or facts.get("why") or _find_typed_totals(step)),
        author=str(facts.get("author", "")),
    )


def _typed_rows(index: Index, division: Division, step: Step) -> Iterator[RulingStep]:
    names = {player.number: player.name for player in index.players(division.id)}
    for at, one in enumerate(read_typed_rulings(step.facts), 1):
        if one.division == division.code:
            yield RulingStep(
                f"{step.seq}.{at}", step.at, one.round, one.table, names.get(one.number, ""), "ruled-wrong",
                one.word, one.row, one.score, -one.points, one.was, one.now,
                author=str(step.facts.get("author", "")),
            )  # fmt: skip


def _kind_of(step: Step) -> str:
    if step.label in RULED:
        return "ruled-wrong" if step.facts.get("phony", 1) else "ruled-valid"
    if step.label == "add-sanction":
        return str(step.facts.get("kind", ""))
    if step.facts.get("verdicts"):
        return _VERDICTS["decide-verdicts"]
    if step.label == "enter-result" and "was" not in step.facts:
        return "result-entered"
    return _KINDS.get(step.label) or _VERDICTS.get(step.label, "")


def _find_typed_totals(step: Step) -> str:
    """Return a stored reason if the typed totals differ from the result, because of rulings or penalties."""
    first, second = step.facts.get("first"), step.facts.get("second")
    typed = f"{first}–{second}"
    differs = first is not None and not str(step.facts.get("now", "")).startswith(typed)
    return encode_reason(TYPED, typed) if differs else ""


def _number_fact(step: Step, name: str) -> int | None:
    value = step.facts.get(name)
    return int(value) if isinstance(value, int) else None


def _unlogged_rulings(index: Index, division: Division) -> Iterator[RulingStep]:
    for row in list_rulings(index, division):
        change = -row.points if row.points else None
        yield RulingStep(
            row.key, row.at, row.round or 0, row.table or 0, row.name, row.kind, row.word, row.row,
            change=change, why=row.why, author=row.author,
        )  # fmt: skip


_COLUMNS: tuple[Column[RulingStep], ...] = (
    *make_columns(Kind.NUMBER, "round", "table"),
    Column("at", Kind.TIME, attrgetter("at")),
    Column("name", Kind.NAME, attrgetter("name")),
    Column("kind", Kind.CODE, attrgetter("kind")),
    *make_columns(Kind.TEXT, "word"),
    *make_columns(Kind.NUMBER, "row", "turn_score"),
    Column("points_change", Kind.SIGNED, attrgetter("change")),
    *make_columns(Kind.TEXT, "before", "after"),
    *make_columns(Kind.WHY, "why"),
    *make_columns(Kind.TEXT, "author"),
)
