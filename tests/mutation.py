"""Mutation testing: plant one fault at a time in a copy of the checkout, and run the tests that reach it.

    nice .venv/bin/python -m tests.mutation --seed 7 --count 60 [--modules tdapp/domain/prizes.py ...]
    nice .venv/bin/python -m tests.mutation --at tdapp/domain/prizes.py:138

The same seed plants the same faults, in the modules listed for mutmut in pyproject.toml. First all tests of
`TEST_FOLDERS` run once, to learn which tests reach which line. Then the tests that reach the fault run, fastest
first, until one fails. A fault that hangs counts as noticed. Faults in `EQUIVALENT` change no behaviour, faults
in `SPEED` only speed. Both are reported separately with their reasons, and not counted.
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
TEST_FOLDERS = ("tests/scrabble", "tests/rulebook", "tests/domain", "tests/pairing")
_TABLE = tomllib.loads((ROOT / "tests/mutation_equivalents.toml").read_text(encoding="utf-8"))
EQUIVALENT: dict[tuple[str, str, str], str] = {
    (row["in"], row["line"], fault): row["why"] for row in _TABLE["equivalent"] for fault in row["faults"]
}
SPEED: dict[tuple[str, str], str] = {  # by module and name
    (row["in"], name): row["why"] for row in _TABLE["speed"] for name in row["constants"]
}
_MEMORY_LIMIT = 6 * 2**30  # bytes for each process
_TIMEOUT = 60  # seconds for a test

_OPPOSITE_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.BitXor: ast.BitOr, ast.Pow: ast.Mult,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_TEXT_FUNCTIONS = {"C_", "Plural"}  # their arguments are no result, and `tdapp.i18n check` reads them
_OPPOSITE_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}


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
        """The key in `EQUIVALENT`."""
        return (f"{Path(self.path).name}:{self.function}", self.text, f"{self.before} -> {self.after}")

    @property
    def equivalence_reason(self) -> str:
        """The reason why the fault changes no result, or an empty text."""
        name = self.text.partition(" ")[0] if self.function == "<module>" else ""
        return EQUIVALENT.get(self.key) or SPEED.get((self.path, name), "")

    def plant_in(self, source: bytes) -> bytes:
        """Return the source of the module with the fault."""
        lines = source.splitlines(keepends=True)
        text_before, text_after = lines[self.line - 1][: self.columns[0]], lines[self.end - 1][self.columns[1] :]
        lines[self.line - 1 : self.end] = [text_before + f"({self.after})".encode() + text_after]
        return b"".join(lines)

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.function}: {self.before}  ->  {self.after}"


def list_faults(path: str) -> Iterator[Fault]:
    """Yield every possible fault of a module."""
    source = (ROOT / path).read_bytes()
    tree, lines = ast.parse(source), source.decode().splitlines()
    for node, function in _iterate_expressions(tree, "<module>"):
        before = ast.unparse(node)
        seen_texts = {before}
        for new_node in _change_node(node):
            after = ast.unparse(new_node)
            if after not in seen_texts:
                seen_texts.add(after)
                end = node.end_lineno or node.lineno
                columns = (node.col_offset, node.end_col_offset or 0)
                text = lines[node.lineno - 1].strip()
                yield Fault(path, function, node.lineno, end, columns, before, after, text)


def _iterate_expressions(node: ast.AST, function: str) -> Iterator[tuple[ast.expr, str]]:
    """Yield computed expressions with their functions, without annotations and texts.

    Skip the `strict` of zip too: it is always true.
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
                yield from _iterate_expressions(child, function)


def _change_node(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare():
            yield from (
                _replace_child(node, ["ops", index], _OPPOSITE_OPERATORS[type(op)]())
                for index, op in enumerate(node.ops)
            )
        case ast.BoolOp():
            yield _replace_child(node, ["op"], _OPPOSITE_OPERATORS[type(node.op)]())
            for index in range(len(node.values)):
                values = [*node.values[:index], *node.values[index + 1 :]]
                yield values[0] if len(values) == 1 else ast.BoolOp(node.op, values)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.BinOp() if type(node.op) in _OPPOSITE_OPERATORS:
            yield _replace_child(node, ["op"], _OPPOSITE_OPERATORS[type(node.op)]())
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield from (ast.Constant(int(str(node.value)) + step) for step in (1, -1))
        case ast.IfExp():
            yield ast.IfExp(node.test, node.orelse, node.body)
        case ast.Call():
            yield from _change_call(node)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            for index, generator in enumerate(node.generators):
                yield from (
                    _remove_child(node, ["generators", index, "ifs", test_index])
                    for test_index in range(len(generator.ifs))
                )


def _change_call(node: ast.Call) -> Iterator[ast.expr]:
    """Yield the call with two swapped arguments, without a keyword, or with the opposite function.

    Do not swap arguments of min and max: the order has no effect.
    """
    args, keywords = node.args, node.keywords
    if isinstance(node.func, ast.Name) and node.func.id in _TEXT_FUNCTIONS:
        return
    if isinstance(node.func, ast.Name) and node.func.id in _OPPOSITE_FUNCTIONS:
        yield _replace_child(node, ["func"], ast.Name(_OPPOSITE_FUNCTIONS[node.func.id]))
    symmetric = ast.unparse(node.func) in {"min", "max", "np.minimum", "np.maximum"} and not keywords
    for index in range(0 if symmetric else len(args) - 1):
        if not isinstance(args[index], ast.Starred) and not isinstance(args[index + 1], ast.Starred):
            swapped_args = [*args[:index], args[index + 1], args[index], *args[index + 2 :]]
            yield ast.Call(node.func, swapped_args, keywords)
    if isinstance(node.func, ast.Name) and node.func.id == "replace":
        yield from (_remove_child(node, ["keywords", index]) for index in range(len(keywords)))


def _replace_child(node: ast.expr, path: list[str | int], value: ast.AST) -> ast.expr:
    new_node = copy.deepcopy(node)
    parent = _get_child(new_node, path[:-1])
    if isinstance(parent, list):
        parent[int(path[-1])] = value
    else:
        setattr(parent, str(path[-1]), value)
    return new_node


def _remove_child(node: ast.expr, path: list[str | int]) -> ast.expr:
    new_node = copy.deepcopy(node)
    del _get_child(new_node, path[:-1])[int(path[-1])]
    return new_node


def _get_child(node: Any, path: list[str | int]) -> Any:
    for step in path:
        node = node[step] if isinstance(step, int) else getattr(node, step)
    return node


# --- tests that reach a line


class ReachedLinesPlugin:
    """A pytest plugin that records the lines and the time of each test."""

    def __init__(self, modules: Iterable[str]) -> None:
        self.cover = coverage.Coverage(data_file=None, include=list(modules), config_file=False)
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Record the lines of one test."""
        self.cover.switch_context(item.nodeid)
        start_time = time.perf_counter()
        outcome = yield
        self.seconds[item.nodeid] = time.perf_counter() - start_time
        self.cover.switch_context("")
        return outcome

    def summarize_lines(self) -> dict[str, Any]:
        """Return the tests, fastest first, and the indices of the tests of each module and line."""
        tests = sorted(self.seconds, key=self.seconds.__getitem__)
        test_index = {test: index for index, test in enumerate(tests)}
        data, lines_by_module = self.cover.get_data(), {}
        for file in data.measured_files():
            lines = data.contexts_by_lineno(file).items()
            lines_by_module[Path(file).relative_to(Path.cwd()).as_posix()] = {
                line: sorted(test_index[test] for test in line_tests if test) for line, line_tests in lines
            }
        return {"tests": tests, "reached": lines_by_module}


_OPTIONS = (
    *("-q", "--no-header", "-m", "not long and not bench", "--hypothesis-seed=0"),
    *("-p", "no:randomly", "-p", "no:cacheprovider", "-p", "no:xdist"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # caches already filled
)


def record_survey(modules: Iterable[str], target: Path) -> int:
    """Run all tests once in the current folder and record the lines they reach."""
    plugin = ReachedLinesPlugin(modules)
    plugin.cover.start()
    code = pytest.main([*_OPTIONS, *TEST_FOLDERS], plugins=[plugin])
    plugin.cover.stop()
    target.write_text(json.dumps(plugin.summarize_lines()), encoding="utf-8")
    return int(code)


class CheckoutCopy:
    """A copy of the checkout in which faults are planted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("tdapp", "tests", "resources"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", folder)
        self.tests: list[str] = []
        self.reached: dict[str, dict[str, list[int]]] = {}

    def find_reached_lines(self, modules: Iterable[str], saved_survey: Path | None) -> None:
        """Find the tests that reach each line, or read them from a file. Raises ValueError if a test fails."""
        survey_path = saved_survey or self.folder / "reached.json"
        if not survey_path.exists() and self._run_in_process(lambda: record_survey(modules, survey_path), 3600):
            raise ValueError(self.output[-3000:])
        if saved_survey:
            self._run_in_process(
                lambda: int(pytest.main([*_OPTIONS, "--collect-only", *TEST_FOLDERS])), 3600
            )  # compiles everything
        reached_lines = json.loads(survey_path.read_text(encoding="utf-8"))
        self.tests, self.reached = reached_lines["tests"], reached_lines["reached"]

    def list_reaching_tests(self, fault: Fault) -> list[str]:
        """Return the tests that reach a fault, or all tests of the module if the line runs on import.

        The tests named after the module come first, then the files with the fastest tests.
        """
        lines = self.reached.get(fault.path, {})
        test_indices = {test for line in range(fault.line, fault.end + 1) for test in lines.get(str(line), ())}
        if not test_indices:
            test_indices = {test for tests in lines.values() for test in tests}
        reaching_tests = [self.tests[number] for number in sorted(test_indices)]
        files = list(dict.fromkeys(test.partition("::")[0] for test in reaching_tests))
        name = f"test_{Path(fault.path).stem}"
        files.sort(key=lambda file: not Path(file).stem.startswith(name))
        return sorted(reaching_tests, key=lambda test: files.index(test.partition("::")[0]))

    def find_noticing_test(self, fault: Fault) -> str:
        """Return the first test that notices a fault, or an empty text."""
        tests, target = self.list_reaching_tests(fault), self.folder / fault.path
        nearest_tests = [test for test in tests if test.partition("::")[0] == tests[0].partition("::")[0]]
        source = target.read_bytes()
        for compiled in target.parent.glob(f"__pycache__/{target.stem}.*.pyc"):
            compiled.unlink()
        target.write_bytes(fault.plant_in(source))
        options = [*_OPTIONS, "-x", "--tb=no", f"--timeout={_TIMEOUT}"]
        try:
            code = 0
            for batch in (nearest_tests, tests[len(nearest_tests) :]):
                if batch and not code:
                    code = self._run_in_process(partial(self._run_tests, options, batch), 20 * _TIMEOUT)
        finally:
            target.write_bytes(source)
            shutil.rmtree(self.folder / ".hypothesis", ignore_errors=True)
        if "ERROR: not found" in self.output and "\nERROR tests/" not in self.output:
            raise ValueError("the survey is of other tests: make a new one")
        failed = [line for line in self.output.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return "" if code == 0 else (failed or ["it cannot be run"])[0]

    def _run_tests(self, options: list[str], tests: list[str]) -> int:
        sys.dont_write_bytecode = True  # keep no bytecode with a fault
        return int(pytest.main([*options, *tests]))

    @property
    def output(self) -> str:
        """The last output."""
        return (self.folder / "output.txt").read_text(encoding="utf-8", errors="replace")

    def _run_in_process(self, work: Callable[[], int], timeout: float) -> int:
        """Run `work` in the folder, in a process without modules of the checkout. Return the exit code."""
        process = multiprocessing.get_context("fork").Process(target=self._run_in_folder, args=(work,))
        process.start()
        process.join(timeout)
        if process.is_alive():
            process.kill()
            process.join()
        return process.exitcode or 0

    def _run_in_folder(self, work: Callable[[], int]) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_LIMIT, _MEMORY_LIMIT))
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


def import_slow_modules() -> None:
    """Import slow modules once for all processes."""
    for name in (
        *("hypothesis.strategies", "anyio.pytest_plugin", "PySide6.QtTest", "PySide6.QtWidgets", "babel.dates"),
        *("numpy", "rustworkx", "networkx", "sqlalchemy.dialects.postgresql"),
    ):
        import_module(name)


def list_faults_at(lines: Iterable[str]) -> list[Fault]:
    """Return every fault of some lines (file:line)."""
    positions = {(path, int(line)) for path, _, line in (position.rpartition(":") for position in lines)}
    paths = sorted({path for path, _ in positions})
    return [fault for path in paths for fault in list_faults(path) if (path, fault.line) in positions]


def list_deciding_modules() -> list[str]:
    """Return the modules that decide results."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return list(project["tool"]["mutmut"]["only_mutate"])


def draw_faults(modules: Iterable[str], seed: int, count: int) -> list[Fault]:
    """Return `count` random faults."""
    all_faults = [fault for path in modules for fault in list_faults(path)]
    return Random(seed).sample(all_faults, min(count, len(all_faults)))


def print_line(line: str) -> None:
    """Print a line and flush it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def find_missed_faults(checkout_copy: CheckoutCopy, faults: Iterable[Fault]) -> list[Fault]:
    """Plant one fault after another and return those that no test notices."""
    missed_faults = []
    for fault in faults:
        test = checkout_copy.find_noticing_test(fault)
        print_line(f"{'noticed by ' + test if test else 'NOT NOTICED'}: {fault}")
        if not test:
            missed_faults.append(fault)
    return missed_faults


def main() -> int:
    """Plant faults and report the unnoticed ones; return their number."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description="Plant faults; see what notices."
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--modules", nargs="+", default=list_deciding_modules(), metavar="FILE")
    parser.add_argument(
        "--at", nargs="+", default=(), metavar="FILE:LINE", help="plant every fault of these lines"
    )
    parser.add_argument("--survey", type=Path, metavar="FILE", help="keep there which tests reach which line")
    options = parser.parse_args()
    import_slow_modules()
    planted_faults = (
        list_faults_at(options.at) if options.at else draw_faults(options.modules, options.seed, options.count)
    )
    equivalent_faults = [fault for fault in planted_faults if fault.equivalence_reason]
    countable_faults = [fault for fault in planted_faults if not fault.equivalence_reason]
    outdated_keys = EQUIVALENT.keys() - {
        fault.key for path in list_deciding_modules() for fault in list_faults(path)
    }
    with tempfile.TemporaryDirectory() as folder:
        checkout_copy = CheckoutCopy(Path(folder))
        checkout_copy.find_reached_lines(options.modules, options.survey and options.survey.resolve())
        missed_faults = find_missed_faults(checkout_copy, countable_faults)
    print_line("\nNot noticed:" if missed_faults else "\nNothing was missed.")
    for fault in missed_faults:
        print_line(f"  {fault}")
    for fault in equivalent_faults:
        print_line(f"  makes no difference: {fault} ({fault.equivalence_reason})")
    for key in sorted(outdated_keys):
        print_line(f"  no such fault any more: {key}")
    noticed_count = len(countable_faults) - len(missed_faults)
    counts = f"{noticed_count} of {len(countable_faults)} noticed, {len(equivalent_faults)} make no difference"
    print_line(f"seed {options.seed}: {counts}")
    return len(missed_faults)


if __name__ == "__main__":
    sys.exit(main())
