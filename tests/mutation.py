"""Mutation testing: plants one fault at a time in a copy of the checkout and runs the tests that reach it.

    nice .venv/bin/python -m tests.mutation --seed 7 --count 60 [--modules tdapp/domain/prizes.py ...]
    nice .venv/bin/python -m tests.mutation --at tdapp/domain/prizes.py:138

The same seed plants the same faults, in the modules listed for mutmut in pyproject.toml. First all tests of
`ROOMS` run once, to learn which tests reach which line. Then the tests that reach the fault run, fastest first,
until one fails. A fault that hangs counts as noticed. Faults in `EQUIVALENT` change no behaviour, faults in
`SPEED` only speed; both are reported separately with their reasons, and not counted.
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
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import coverage
import pytest
from msgspec import Struct

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("tests/scrabble", "tests/rulebook", "tests/domain", "tests/pairing")
_TABLE = tomllib.loads((ROOT / "tests/mutation_equivalents.toml").read_text(encoding="utf-8"))
EQUIVALENT: dict[tuple[str, str, str], str] = {
    (row["in"], row["line"], fault): row["why"] for row in _TABLE["equivalent"] for fault in row["faults"]
}
SPEED: dict[tuple[str, str], str] = {  # by module and name
    (row["in"], name): row["why"] for row in _TABLE["speed"] for name in row["constants"]
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
_TEXTS = {"C_", "Plural"}  # their arguments are no result, and `tdapp.i18n check` reads them
_TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Fault(Struct, frozen=True):
    """A position in a module (line from 1, columns in bytes) and the text to replace `before`."""

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
        """Its key in `EQUIVALENT`."""
        return (f"{Path(self.path).name}:{self.function}", self.text, f"{self.before} -> {self.after}")

    @property
    def excuse(self) -> str:
        """The reason why no test can notice it, or an empty text."""
        name = self.text.partition(" ")[0] if self.function == "<module>" else ""
        return EQUIVALENT.get(self.key) or SPEED.get((self.path, name), "")

    def planted(self, source: bytes) -> bytes:
        """Return the module with the fault."""
        lines = source.splitlines(keepends=True)
        head, tail = lines[self.line - 1][: self.columns[0]], lines[self.end - 1][self.columns[1] :]
        lines[self.line - 1 : self.end] = [head + f"({self.after})".encode() + tail]
        return b"".join(lines)

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.function}: {self.before}  ->  {self.after}"


def faults(path: str) -> Iterator[Fault]:
    """Yield every possible fault of a module."""
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
    """Yield computed expressions with their functions; no annotations, no texts.

    Also no `strict` of zip: it states a fact that always holds.
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
        """Return the tests, fastest first, and for each module and line the indices of the tests that run it."""
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
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # caches already filled
)


def survey(modules: Iterable[str], into: Path) -> int:
    """Run all tests once in the current folder and record the lines they reach."""
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
        """Read which tests reach which line from a saved survey. Raises ValueError if a test fails."""
        told = known or self.folder / "reached.json"
        if not told.exists() and self._apart(lambda: survey(modules, told), 3600):
            raise ValueError(self.output[-3000:])
        if known:
            self._apart(
                lambda: int(pytest.main([*_OPTIONS, "--collect-only", *ROOMS])), 3600
            )  # compiles everything
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
        """The last output."""
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
    """Plant faults and report the unnoticed ones; return their number."""
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
    alike = [fault for fault in chosen if fault.excuse]
    counted = [fault for fault in chosen if not fault.excuse]
    gone = EQUIVALENT.keys() - {fault.key for path in deciding() for fault in faults(path)}
    with tempfile.TemporaryDirectory() as folder:
        laboratory = Laboratory(Path(folder))
        laboratory.survey(told.modules, told.survey and told.survey.resolve())
        found = missed(laboratory, counted)
    show("\nNot noticed:" if found else "\nNothing was missed.")
    for fault in found:
        show(f"  {fault}")
    for fault in alike:
        show(f"  makes no difference: {fault} ({fault.excuse})")
    for key in sorted(gone):
        show(f"  no such fault any more: {key}")
    show(
        f"seed {told.seed}: {len(counted) - len(found)} of {len(counted)} noticed, {len(alike)} make no difference"
    )
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
