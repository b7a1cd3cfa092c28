"""Do the tests notice a fault? Plants one fault at a time in a copy of the checkout and runs the tests that reach it.

    .venv/bin/python -m tests.mutation --seed 7 --count 60 [--modules tdapp/domain/prizes.py ...]

The same seed plants the same faults. First all tests of `ROOMS` run once, to learn which of them reach which line;
then those that reach the fault run, the quickest first, until one fails. A fault that hangs is noticed.
A fault of `EQUIVALENT` changes nothing that anybody could see; it is reported apart, with its reason.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import coverage
import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("tests/scrabble", "tests/rulebook", "tests/domain", "tests/pairing")
MODULES = (
    *(f"tdapp/domain/{name}.py" for name in (
        "outcome settling reckoning standings tiebreaks unplayed records prizes matches elimination series cuts bracket "
        "judging rulings making changes stages attendance latecomers ratings sheet_rules beginning checking index"
    ).split()),
    *(f"tdapp/domain/commands/{name}.py" for name in (
        "players results rounds sanctions sheets stages challenges prizes seeding bonds"
    ).split()),
    *(f"tdapp/scrabble/{name}.py" for name in (
        "replay sheet board gcg_check gcg_sheet tiles notation coordinates draw"
    ).split()),
    *(f"tdapp/pairing/{name}.py" for name in (
        "criteria swiss cop knockout roundrobin starts field system past quartiles snakegroups teams australian "
        "factor kingofthehill lot contention potentials control cheapest matching tables"
    ).split()),
)  # fmt: skip
# What is planted (function, before, after) and why it changes nothing.
EQUIVALENT: dict[tuple[str, str, str], str] = {}
_MEMORY = 6 * 2**30  # bytes that a fault may take
_PATIENCE = 60  # seconds for a test
_ENOUGH = 400  # tests that run for one fault at most, the quickest

_FLIPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.BitXor: ast.BitOr, ast.Pow: ast.Mult,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
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

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is known by in `EQUIVALENT`."""
        return (f"{self.path}:{self.function}", self.before, self.after)

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
    tree = ast.parse((ROOT / path).read_bytes())
    for node, function in _expressions(tree, "<module>"):
        before = ast.unparse(node)
        seen = {before}
        for changed in _changed(node):
            after = ast.unparse(changed)
            if after not in seen:
                seen.add(after)
                end = node.end_lineno or node.lineno
                columns = (node.col_offset, node.end_col_offset or 0)
                yield Fault(path, function, node.lineno, end, columns, before, after)


def _expressions(node: ast.AST, function: str) -> Iterator[tuple[ast.expr, str]]:
    """Yield the expressions that are computed, with the function they are in; no annotations and no texts."""
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
    """Yield a call with two arguments swapped, a keyword left out, or of the opposite function."""
    args, named = node.args, node.keywords
    if isinstance(node.func, ast.Name) and node.func.id in _TWINS:
        yield _with(node, ["func"], ast.Name(_TWINS[node.func.id]))
    for at in range(len(args) - 1):
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

    def tests(self) -> dict[str, dict[int, list[str]]]:
        """Return for each module and line the tests that run it, the quickest first."""
        data = self.cover.get_data()
        found: dict[str, dict[int, list[str]]] = {}
        for file in data.measured_files():
            lines = data.contexts_by_lineno(file)
            found[Path(file).relative_to(Path.cwd()).as_posix()] = {
                line: sorted(filter(None, tests), key=lambda test: self.seconds[test])
                for line, tests in lines.items()
            }
        return found


def survey(modules: Iterable[str], into: str) -> int:
    """Run all tests of the rooms once in the folder that is current and write down what they reach."""
    plugin = Reaching(modules)
    plugin.cover.start()
    code = pytest.main([*_OPTIONS, "-m", "not long and not bench", *ROOMS], plugins=[plugin])
    plugin.cover.stop()
    Path(into).write_text(json.dumps({"reached": plugin.tests(), "seconds": plugin.seconds}), encoding="utf-8")
    return int(code)


_OPTIONS = (
    "-q",
    "-p",
    "no:randomly",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "--hypothesis-seed=0",
    "--no-header",
)


class Laboratory:
    """A copy of the checkout in which faults are planted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("tdapp", "tests", "resources"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", folder)
        self.reached: dict[str, dict[str, list[str]]] = {}
        self.seconds: dict[str, float] = {}

    def survey(self, modules: Iterable[str]) -> None:
        """Learn which tests reach which line; ValueError where they fail without any fault."""
        told = self.folder / "reached.json"
        done = self._python("-m", "tests.mutation", "--survey", str(told), "--modules", *modules, patience=3600)
        if done.returncode:
            raise ValueError(done.stdout[-3000:])
        noted = json.loads(told.read_text(encoding="utf-8"))
        self.reached, self.seconds = noted["reached"], noted["seconds"]

    def tests_of(self, fault: Fault) -> list[str]:
        """Return the tests that reach a fault, quickest first; of what runs on import all that reach the module."""
        lines = self.reached.get(fault.path, {})
        found = {test for line in range(fault.line, fault.end + 1) for test in lines.get(str(line), ())}
        if not found:
            found = {test for tests in lines.values() for test in tests}
        return sorted(found, key=self.seconds.__getitem__)[:_ENOUGH]

    def noticed_by(self, fault: Fault) -> str:
        """Return what notices a fault, empty where nothing does."""
        tests, target = self.tests_of(fault), self.folder / fault.path
        if not tests:
            return ""
        chosen = self.folder / "chosen.txt"
        chosen.write_text("\n".join(tests), encoding="utf-8")
        source = target.read_bytes()
        target.write_bytes(fault.planted(source))
        try:
            done = self._python(
                "-m", "pytest", *_OPTIONS, "-x", f"--timeout={_PATIENCE}", "--tb=no", f"@{chosen}", patience=600
            )
        except subprocess.TimeoutExpired:
            return "it hangs"
        finally:
            target.write_bytes(source)
            shutil.rmtree(self.folder / ".hypothesis", ignore_errors=True)
        failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return "" if done.returncode == 0 else (failed or ["it cannot be imported"])[0]

    def _python(self, *args: str, patience: float) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *args],
            cwd=self.folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=patience,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "QT_QPA_PLATFORM": "offscreen"},
            preexec_fn=_limited,  # noqa: PLW1509, RUF100 - one thread only
        )


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def sampled(modules: Iterable[str], seed: int, count: int) -> list[Fault]:
    """Return `count` faults by lot."""
    known = [fault for path in modules for fault in faults(path)]
    return Random(seed).sample(known, min(count, len(known)))


def main(show: Callable[[str], object] = lambda line: sys.stdout.write(line + "\n")) -> int:
    """Plant faults and report which of them no test noticed; return their number."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description="Plant faults; see what notices."
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--modules", nargs="+", default=MODULES, metavar="FILE")
    parser.add_argument("--survey", metavar="FILE", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.survey:
        return survey(told.modules, told.survey)
    with suppress(AttributeError):
        os.nice(10)
    missed, alike = [], []
    with tempfile.TemporaryDirectory() as folder:
        laboratory = Laboratory(Path(folder))
        laboratory.survey(told.modules)
        chosen = sampled(told.modules, told.seed, told.count)
        for fault in chosen:
            if fault.key in EQUIVALENT:
                alike.append(fault)
                continue
            by = laboratory.noticed_by(fault)
            show(f"{'noticed' if by else 'NOT NOTICED'}  {fault}  {by}")
            if not by:
                missed.append(fault)
    show("\nNot noticed:" if missed else "\nNothing was missed.")
    for fault in missed:
        show(f"  {fault}")
    for fault in alike:
        show(f"  no difference: {fault} ({EQUIVALENT[fault.key]})")
    counted = len(chosen) - len(alike)
    show(
        f"seed {told.seed}: {counted - len(missed)} of {counted} noticed, {len(alike)} beside that change nothing"
    )
    return len(missed)


if __name__ == "__main__":
    sys.exit(main())
