"""Do the tests notice a fault? Plants one at a time in a copy of the checkout and runs the tests that reach it.

    nice .venv/bin/python -m tests.mutation --seed 7 --count 60 [--modules tdapp/domain/prizes.py ...]
    nice .venv/bin/python -m tests.mutation --at tdapp/domain/prizes.py:138

The same seed plants the same faults, in the modules that mutmut changes (pyproject.toml). First all tests of
`ROOMS` run once, to learn which of them reach which line; then those that reach the fault run, the quickest first,
until one fails. A fault that hangs is noticed. One of `EQUIVALENT` changes nothing that anybody could see; it
is reported apart, with its reason.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import coverage
import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("tests/scrabble", "tests/rulebook", "tests/domain", "tests/pairing")
# What is planted (function, before, after) and why it changes nothing.
_RANKED = "every entrant of a tournament has a rank"
_FIRST_LOSS, _MET = "feed.via is Via.FIRST_LOSS", "_met_before(lost, match, before)"
_LOWER = "min(one, other, key=lambda entrant: entrant.balance)"
_LOWER += " -> min(other, one, key=lambda entrant: entrant.balance)"
_LAST = "self.last_round = max((record[-1].round for record in records.values() if record), default=0)"
_UNREAD = "what is beyond is never read"
_AHEAD = "ahead = [edge for edge in edges if edge > rating]"
_AHEAD += " if rises else [edge for edge in edges if edge < rating][::-1]"
_AGGREGATE = "(stage.settings.series > 1 and stage.settings.aggregate)"
_PARTED = f"match.winner is None or match.game is None or {_AGGREGATE}"
_UNPARTED = f"match.winner is None or {_AGGREGATE}"
_GIVEN = "np.where(lower < columns.count, 0, criteria.CRITERIA['repeats'](columns, upper, lower))"
_ALL = "np.where(0, lower < columns.count, criteria.CRITERIA['repeats'](columns, upper, lower))"
_OPEN = "result.first is None or result.second is None"
_NO_POINTS = f"result.forfeit is not None or {_OPEN}"
_BYES = "wanted += [(frozenset({one.player}), 0) for one in proposal.byes if one.kind is ByeKind.BYE]"
_BYE_LINE = f"return {_GIVEN}".replace("'", '"')
_AS_IT_IS = "to put a row that is there changes nothing"
_NUMBERED = "[replace(item, position=number) for number, item in enumerate(others, 1)"
_MOVED = f"moved = {_NUMBERED} if item.position != number]"
_ROWS = "map(is_not, after.values(), map(before.get, after))"
_ROW_LINE = "others = list(compress(after, map(is_not, after.values(), map(before.get, after))))  # hardly any"
_ROWS += " -> map(is_not, map(before.get, after), after.values())"
_LEFT = "left = {kind: tournament.rows(kind) for kind, parents in PARENTS.items()"
_LEFT += " if gone & set(parents.values())}"
_PLAYED = "max((game.round for own in games.values() for game in own), default=0)"
_THERE = "it takes nothing to come to where one is"
EQUIVALENT: dict[tuple[str, str, str], str] = {  # by function, line, before -> after
    ("system.py:_reason", '("better_place", better.rank or pair.one + 1),', "1 -> 2"): _RANKED,
    ("system.py:_reason", '("better_place", better.rank or pair.one + 1),', "1 -> 0"): _RANKED,
    ("field.py:_running_scores", "gained = [0] * (number + 1)", "1 -> 2"): _UNREAD,
    ("field.py:_running_scores", "gained = [0] * (number + 1)", "1 -> 0"): _UNREAD,
    (
        "system.py:starter",
        "return min(one, other, key=lambda entrant: entrant.balance)",
        _LOWER,
    ): "the two are not equal here",
    (
        "outlook.py:_by_factor",
        "rounds = (factor_round(parts, 3, 3, count), factor_round(parts, 1, 1, count))",
        "3 -> 4",
    ): "the less of the two counts",
    (
        "elimination.py:_Bracket.console",
        "late = self.dropped[1][number // 2] if joined and None in pair else None",
        "joined and None in pair -> joined",
    ): "a full pair has no slot for a third",
    ("field.py:_running_scores", "before, total = [0], 0", "0 -> 1"): "only differences count",
    (
        "players.py:set_absence",
        'within(last, "round", low=1, high=LAST_ROUND)',
        "1 -> 0",
    ): "it is not before the first",
    **{
        ("places.py:<module>", line, "0 -> -1"): "whoever is of that quarter costs one more with everybody"
        for line in (
            "Quarters.NEAR: (1, 0, 3, 2),",
            "Quarters.MIDDLE: (2, 3, 0, 1),",
            "Quarters.OUTER: (3, 2, 1, 0),",
        )
    },
    (
        "tiles.py:parse",
        'fields.need("id", "name", "language", "letters")',
        "fields.need('id', 'name', 'language', 'letters') -> fields.need('name', 'id', 'language', 'letters')",
    ): "only the order in which misfits are told",
    (
        "tiles.py:TileSet",
        "_longest: int = field(init=False, repr=False, compare=False)",
        "False -> True",
    ): "what follows from equals is equal (and shown it is by a test)",
    (
        "bracket.py:ranked.key",
        "rating = -1 if player.rating is None else player.rating",
        "1 -> 2",
    ): "no rating is below 0",
    ("tiebreaks.py:RankedField.__init__", _LAST, "0 -> 1"): "nobody has a record then",
    ("tiebreaks.py:RankedField.__init__", _LAST, "0 -> -1"): "nobody has a record then",
    (
        "bracket.py:_parted",
        "inside = sum(player in chosen for player in players)",
        "player in chosen -> player not in chosen",
    ): "some of them are inside where some are outside",
    (
        "tiles.py:parse",
        'texts = {key: fields.text(key) or "" for key in ("id", "name", "language")}',
        "fields.text(key) or '' -> fields.text(key)",
    ): "what has no text is refused",
    ("field.py:Entrant", "needs_access: bool = False", "False -> True"): "every entrant is made with it",
    ("ratings.py:_prorated", "rises = excess > 0", "excess > 0 -> excess >= 0"): "nothing is gained either way",
    ("ratings.py:_prorated", _AHEAD, "edge > rating -> edge >= rating"): _THERE,
    ("ratings.py:_prorated", _AHEAD, "edge < rating -> edge <= rating"): _THERE,
    ("elimination.py:Node", "match: int = 0", "0 -> 1"): "every match is numbered",
    ("elimination.py:Node", "match: int = 0", "0 -> -1"): "every match is numbered",
    (
        "matches.py:_arrival",
        "if feed.via is Via.FIRST_LOSS and lost is not None and _met_before(lost, match, before):",
        f"{_FIRST_LOSS} and lost is not None and {_MET} -> {_FIRST_LOSS} and {_MET}",
    ): "nobody is missing from a match that is decided, unless that is a bye",
    (
        "matches.py:_floors",
        "floors = [match.node.loses or 0 for match in matches]",
        "match.node.loses or 0 -> match.node.loses",
    ): "only a match of the consolation, which is for no place, leads to none",
    ("matches.py:Match", "decided: bool = False", "False -> True"): "it is said of every match in the end",
    ("bracket.py:decider_of", f"if {_PARTED}:", f"{_PARTED} -> {_UNPARTED}"): "without a game there is no result",
    (
        "cop.py:weights",
        "+ _decided(seen, upper, lower)",
        "_decided(seen, upper, lower) -> _decided(seen, lower, upper)",
    ): "who are kept from each other are so either way",
    ("snakegroups.py:plan.byes", _BYE_LINE, f"{_GIVEN} -> {_ALL}"): "repeats of games are settled before",
    ("snakegroups.py:plan.byes", _BYE_LINE, "0 -> 1"): "every pairing has as many games",
    ("snakegroups.py:plan.byes", _BYE_LINE, "0 -> -1"): "every pairing has as many games",
    ("making.py:played", f"if {_NO_POINTS}:", f"{_NO_POINTS} -> {_OPEN}"): "a forfeit has no points",
    ("knockout.py:with_matches", _BYES, "0 -> -1"): "tables count from 1",
    (
        "records.py:with_dummies",
        "most = most if most >= 0 or entry.opponent is None else brought[entry.opponent]",
        "most >= 0 or entry.opponent is None -> most >= 0",
    ): "only of a forfeit, which has an opponent, it is less",
    ("prizes.py:move_prize", _MOVED, f"{_NUMBERED} if item.position != number] -> {_NUMBERED}]"): _AS_IT_IS,
    **{
        (
            "criteria.py:<module>",
            "_UNREAD = 0  # stands for the bye where nothing is asked of it",
            f"0 -> {value}",
        ): "it is never read"
        for value in (1, -1)
    },
    ("criteria.py:columns_of", "group=np.append(group, -1),", "1 -> 2"): "the bye is of no group either way",
    ("outlook.py:Control", "place: int = 0", "0 -> 1"): "where the three meet the three nobody reads it",
    ("outlook.py:Control", "place: int = 0", "0 -> -1"): "where the three meet the three nobody reads it",
    (
        "outlook.py:contest_of",
        "bare=frozenset(range(max(with_prize, default=0))) - {place - 1 for place in with_prize},",
        "0 -> -1",
    ): "of no places none is bare",
    **{
        ("tournament.py:_suspects", line, fault): "more is looked at than has to be"
        for line, fault in (
            (
                "gone = {item.kind for item in changes if item.after is None}",
                "{item.kind for item in changes if item.after is None} -> {item.kind for item in changes}",
            ),
            (_LEFT, "gone & set(parents.values()) -> gone | set(parents.values())"),
            (_LEFT, f"{_LEFT[7:]} -> {_LEFT[7:].partition(' if ')[0]}}}"),
        )
    },
    ("ratings.py:_bonuses", "if steep > 0:", "steep > 0 -> steep >= 0"): "nothing is added either way",
    ("ratings.py:rate", f"played = {_PLAYED}", "0 -> -1"): "more rounds are planned either way",
    (
        "tiles.py:TileSet.write",
        "if self._longest == 1 or self.read(text) == tuple(tiles):",
        "self._longest == 1 or self.read(text) == tuple(tiles) -> self.read(text) == tuple(tiles)",
    ): "of single characters it is read as it is written",
    ("contention.py:can_catch", "return lead < most", "lead < most -> lead <= most"): "the two are not equal here",
    (
        "contention.py:_fate",
        "if place < contest.places:",
        "place < contest.places -> place <= contest.places",
    ): "all places behind those with a prize count as one",
    (
        "making.py:remade",
        "if item == leading(had) and (item is None or item.form != by):",
        "item is None or item.form != by -> item.form != by",
    ): "a game that is left without a sheet had one",
    (
        "tournament.py:changed_keys",
        _ROW_LINE,
        _ROWS,
    ): "whether two rows are one is the same either way",
}
_MEMORY = 6 * 2**30  # bytes that a fault may take
_PATIENCE = 60  # seconds for a test

_FLIPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.BitXor: ast.BitOr, ast.Pow: ast.Mult,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_TEXTS = {"C_", "Plural"}  # what they are given is no result, and `tdapp.i18n check` reads it
_TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Fault:
    """A place of a module (from 1, columns in bytes) and what stands there instead of `before`."""

    path: str
    function: str
    line: int
    end: int
    columns: tuple[int, int]
    before: str
    after: str
    text: str  # the line

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is known by in `EQUIVALENT`."""
        return (f"{Path(self.path).name}:{self.function}", self.text, f"{self.before} -> {self.after}")

    def planted(self, source: bytes) -> bytes:
        """Return the module with the fault."""
        lines = source.splitlines(keepends=True)
        head, tail = lines[self.line - 1][: self.columns[0]], lines[self.end - 1][self.columns[1] :]
        lines[self.line - 1 : self.end] = [head + f"({self.after})".encode() + tail]
        return b"".join(lines)

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.function}: {self.before}  ->  {self.after}"


def faults(path: str) -> Iterator[Fault]:
    """Yield every fault that can be planted in a module."""
    source = (ROOT / path).read_bytes()
    tree, lines = ast.parse(source), source.decode().splitlines()
    for node, function in _expressions(tree, "<module>"):
        before = ast.unparse(node)
        seen = {before}
        for changed in _changed(node):
            after = ast.unparse(changed)
            if after not in seen:
                seen.add(after)
                end = node.end_lineno or node.lineno
                columns = (node.col_offset, node.end_col_offset or 0)
                text = lines[node.lineno - 1].strip()
                yield Fault(path, function, node.lineno, end, columns, before, after, text)


def _expressions(node: ast.AST, function: str) -> Iterator[tuple[ast.expr, str]]:
    """Yield the expressions that are computed, with the function they are in; no annotations and no texts.

    Nor whether a zip is strict: that only says what holds by construction, and nobody could see it otherwise.
    """
    if isinstance(node, ast.keyword) and node.arg == "strict":
        return
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        function = node.name if function == "<module>" else f"{function}.{node.name}"
    if isinstance(node, ast.expr):
        yield node, function
    skipped = {"annotation", "returns", "decorator_list", "keywords" if isinstance(node, ast.ClassDef) else ""}
    for name, value in ast.iter_fields(node):
        if name in skipped or isinstance(node, ast.JoinedStr | ast.Raise):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _expressions(child, function)


def _changed(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare():
            yield from (_with(node, ["ops", at], _FLIPPED[type(op)]()) for at, op in enumerate(node.ops))
        case ast.BoolOp():
            yield _with(node, ["op"], _FLIPPED[type(node.op)]())
            for at in range(len(node.values)):
                left = [*node.values[:at], *node.values[at + 1 :]]
                yield left[0] if len(left) == 1 else ast.BoolOp(node.op, left)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.BinOp() if type(node.op) in _FLIPPED:
            yield _with(node, ["op"], _FLIPPED[type(node.op)]())
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield from (ast.Constant(int(str(node.value)) + step) for step in (1, -1))
        case ast.IfExp():
            yield ast.IfExp(node.test, node.orelse, node.body)
        case ast.Call():
            yield from _changed_call(node)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            for at, part in enumerate(node.generators):
                yield from (_without(node, ["generators", at, "ifs", test]) for test in range(len(part.ifs)))


def _changed_call(node: ast.Call) -> Iterator[ast.expr]:
    """Yield a call with two arguments swapped, a keyword left out, or of the opposite function.

    The least of two values is the same either way round.
    """
    args, named = node.args, node.keywords
    if isinstance(node.func, ast.Name) and node.func.id in _TEXTS:
        return
    if isinstance(node.func, ast.Name) and node.func.id in _TWINS:
        yield _with(node, ["func"], ast.Name(_TWINS[node.func.id]))
    symmetric = ast.unparse(node.func) in {"min", "max", "np.minimum", "np.maximum"} and not named
    for at in range(0 if symmetric else len(args) - 1):
        if not isinstance(args[at], ast.Starred) and not isinstance(args[at + 1], ast.Starred):
            swapped = [*args[:at], args[at + 1], args[at], *args[at + 2 :]]
            yield ast.Call(node.func, swapped, named)
    if isinstance(node.func, ast.Name) and node.func.id == "replace":
        yield from (_without(node, ["keywords", at]) for at in range(len(named)))


def _with(node: ast.expr, way: list[str | int], value: ast.AST) -> ast.expr:
    changed = copy.deepcopy(node)
    holder = _held(changed, way[:-1])
    if isinstance(holder, list):
        holder[int(way[-1])] = value
    else:
        setattr(holder, str(way[-1]), value)
    return changed


def _without(node: ast.expr, way: list[str | int]) -> ast.expr:
    changed = copy.deepcopy(node)
    del _held(changed, way[:-1])[int(way[-1])]
    return changed


def _held(node: Any, way: list[str | int]) -> Any:
    for step in way:
        node = node[step] if isinstance(step, int) else getattr(node, step)
    return node


# --- which tests reach a line


class Reaching:
    """A pytest plugin that notes which lines each test runs, and how long it takes."""

    def __init__(self, modules: Iterable[str]) -> None:
        self.cover = coverage.Coverage(data_file=None, include=list(modules), config_file=False)
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Note what one test runs."""
        self.cover.switch_context(item.nodeid)
        began = time.perf_counter()
        done = yield
        self.seconds[item.nodeid] = time.perf_counter() - began
        self.cover.switch_context("")
        return done

    def noted(self) -> dict[str, Any]:
        """Return the tests, the quickest first, and for each module and line the numbers of those that run it."""
        tests = sorted(self.seconds, key=self.seconds.__getitem__)
        number = {test: place for place, test in enumerate(tests)}
        data, reached = self.cover.get_data(), {}
        for file in data.measured_files():
            lines = data.contexts_by_lineno(file).items()
            reached[Path(file).relative_to(Path.cwd()).as_posix()] = {
                line: sorted(number[test] for test in there if test) for line, there in lines
            }
        return {"tests": tests, "reached": reached}


_OPTIONS = (
    *("-q", "--no-header", "-m", "not long and not bench", "--hypothesis-seed=0"),
    *("-p", "no:randomly", "-p", "no:cacheprovider", "-p", "no:xdist"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # what is warm already
)


def survey(modules: Iterable[str], into: Path) -> int:
    """Run all tests of the rooms once in the folder that is current and write down what they reach."""
    plugin = Reaching(modules)
    plugin.cover.start()
    code = pytest.main([*_OPTIONS, *ROOMS], plugins=[plugin])
    plugin.cover.stop()
    into.write_text(json.dumps(plugin.noted()), encoding="utf-8")
    return int(code)


class Laboratory:
    """A copy of the checkout in which faults are planted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("tdapp", "tests", "resources"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", folder)
        self.tests: list[str] = []
        self.reached: dict[str, dict[str, list[int]]] = {}

    def survey(self, modules: Iterable[str], known: Path | None) -> None:
        """Learn which tests reach which line, from a survey that was kept; ValueError where a test fails."""
        told = known or self.folder / "reached.json"
        if not told.exists() and self._apart(lambda: survey(modules, told), 3600):
            raise ValueError(self.output[-3000:])
        if known:
            self._apart(
                lambda: int(pytest.main([*_OPTIONS, "--collect-only", *ROOMS])), 3600
            )  # compiles all of it
        noted = json.loads(told.read_text(encoding="utf-8"))
        self.tests, self.reached = noted["tests"], noted["reached"]

    def tests_of(self, fault: Fault) -> list[str]:
        """Return the tests that reach a fault; of what runs on import those that reach anything of the module.

        File by file, since each takes time to read: the module's own first, then those with the quickest tests.
        """
        lines = self.reached.get(fault.path, {})
        found = {test for line in range(fault.line, fault.end + 1) for test in lines.get(str(line), ())}
        if not found:
            found = {test for tests in lines.values() for test in tests}
        chosen = [self.tests[number] for number in sorted(found)]
        files = list(dict.fromkeys(test.partition("::")[0] for test in chosen))
        name = f"test_{Path(fault.path).stem}"
        files.sort(key=lambda file: not Path(file).stem.startswith(name))
        return sorted(chosen, key=lambda test: files.index(test.partition("::")[0]))

    def noticed_by(self, fault: Fault) -> str:
        """Return what notices a fault, empty where nothing does."""
        tests, target = self.tests_of(fault), self.folder / fault.path
        own = [test for test in tests if test.partition("::")[0] == tests[0].partition("::")[0]]
        source = target.read_bytes()
        for compiled in target.parent.glob(f"__pycache__/{target.stem}.*.pyc"):
            compiled.unlink()
        target.write_bytes(fault.planted(source))
        options = [*_OPTIONS, "-x", "--tb=no", f"--timeout={_PATIENCE}"]
        try:
            code = 0
            for some in (own, tests[len(own) :]):
                if some and not code:
                    code = self._apart(partial(self._tried, options, some), 20 * _PATIENCE)
        finally:
            target.write_bytes(source)
            shutil.rmtree(self.folder / ".hypothesis", ignore_errors=True)
        if "ERROR: not found" in self.output and "\nERROR tests/" not in self.output:
            raise ValueError("the survey is of other tests: make a new one")
        failed = [line for line in self.output.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return "" if code == 0 else (failed or ["it cannot be run"])[0]

    def _tried(self, options: list[str], tests: list[str]) -> int:
        sys.dont_write_bytecode = True  # of a fault nothing stays
        return int(pytest.main([*options, *tests]))

    @property
    def output(self) -> str:
        """What was said last."""
        return (self.folder / "output.txt").read_text(encoding="utf-8", errors="replace")

    def _apart(self, work: Callable[[], int], patience: float) -> int:
        """Run `work` in the folder, in a process that has what the tests import but nothing of the checkout."""
        process = multiprocessing.get_context("fork").Process(target=self._inside, args=(work,))
        process.start()
        process.join(patience)
        if process.is_alive():
            process.kill()
            process.join()
        return process.exitcode or 0

    def _inside(self, work: Callable[[], int]) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        os.chdir(self.folder)
        with Path("output.txt").open("w") as output:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
        sys.dont_write_bytecode = False
        sys.path[:] = [str(self.folder), *(name for name in sys.path if Path(name).resolve() != ROOT)]
        for name in [name for name in sys.modules if name.split(".")[0] in {"tests", "tdapp"}]:
            del sys.modules[name]
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        code = work()
        sys.stdout.flush()
        os._exit(code)


def warm() -> None:
    """Import what takes long, once for all the processes to come."""
    for name in (
        *("hypothesis.strategies", "anyio.pytest_plugin", "PySide6.QtTest", "PySide6.QtWidgets", "babel.dates"),
        *("numpy", "rustworkx", "networkx", "sqlalchemy.dialects.postgresql"),
    ):
        import_module(name)


def placed(lines: Iterable[str]) -> list[Fault]:
    """Return every fault of some lines, each written as file:line."""
    wanted = {(path, int(line)) for path, _, line in (one.rpartition(":") for one in lines)}
    paths = sorted({path for path, _ in wanted})
    return [fault for path in paths for fault in faults(path) if (path, fault.line) in wanted]


def deciding() -> list[str]:
    """Return the modules that decide results."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return list(project["tool"]["mutmut"]["only_mutate"])


def sampled(modules: Iterable[str], seed: int, count: int) -> list[Fault]:
    """Return `count` faults by lot."""
    known = [fault for path in modules for fault in faults(path)]
    return Random(seed).sample(known, min(count, len(known)))


def show(line: str) -> None:
    """Say a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def missed(laboratory: Laboratory, chosen: Iterable[Fault]) -> list[Fault]:
    """Plant one fault after another and return those that nothing notices."""
    found = []
    for fault in chosen:
        by = laboratory.noticed_by(fault)
        show(f"{'noticed by ' + by if by else 'NOT NOTICED'}: {fault}")
        if not by:
            found.append(fault)
    return found


def main() -> int:
    """Plant faults and report which of them no test noticed; return their number."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description="Plant faults; see what notices."
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--modules", nargs="+", default=deciding(), metavar="FILE")
    parser.add_argument(
        "--at", nargs="+", default=(), metavar="FILE:LINE", help="plant every fault of these lines"
    )
    parser.add_argument("--survey", type=Path, metavar="FILE", help="keep there which tests reach which line")
    told = parser.parse_args()
    warm()
    chosen = placed(told.at) if told.at else sampled(told.modules, told.seed, told.count)
    alike = [fault for fault in chosen if fault.key in EQUIVALENT]
    counted = [fault for fault in chosen if fault.key not in EQUIVALENT]
    with tempfile.TemporaryDirectory() as folder:
        laboratory = Laboratory(Path(folder))
        laboratory.survey(told.modules, told.survey and told.survey.resolve())
        found = missed(laboratory, counted)
    show("\nNot noticed:" if found else "\nNothing was missed.")
    for fault in found:
        show(f"  {fault}")
    for fault in alike:
        show(f"  makes no difference: {fault} ({EQUIVALENT[fault.key]})")
    show(
        f"seed {told.seed}: {len(counted) - len(found)} of {len(counted)} noticed, {len(alike)} make no difference"
    )
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
