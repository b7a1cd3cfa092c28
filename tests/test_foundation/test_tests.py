"""Tests of the tests: each test runs at least one check, and the data for mutation tests are current."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.mutation import EQUIVALENT, list_deciding_modules, list_faults

TESTS = Path(__file__).resolve().parents[1]
LENGTH_KEEPING_FUNCTIONS = {
    "enumerate",
    "zip",
    "sorted",
    "reversed",
    "list",
    "tuple",
    "pairwise",
    "product",
    "combinations",
}
Assignments = Mapping[str, ast.expr]


def find_assignments(body: list[ast.stmt]) -> dict[str, ast.expr]:
    """Return the names and values of the assignments in a body, without nested blocks."""
    assignments: dict[str, ast.expr] = {}
    for item in body:
        if isinstance(item, ast.Assign | ast.AnnAssign) and item.value is not None:
            targets = item.targets if isinstance(item, ast.Assign) else [item.target]
            assignments |= {target.id: item.value for target in targets if isinstance(target, ast.Name)}
    return assignments


def is_surely_nonempty(value: ast.expr, assignments: Assignments) -> bool:
    """Return whether a loop over a value runs at least once: a literal, a range or an enumeration (CapWords)."""
    match value:
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items) | ast.Dict(values=items):
            return any(not isinstance(item, ast.Starred) for item in items)
        case ast.Name(id=name):
            is_literal = name in assignments and is_surely_nonempty(assignments[name], {})
            return is_literal or (name[0].isupper() and not name.isupper())
        case ast.Call(func=ast.Name(id="range"), args=args) if all(
            isinstance(argument, ast.Constant) for argument in args
        ):
            return len(range(*(ast.literal_eval(argument) for argument in args))) > 0
        case ast.Call(func=ast.Name(id=name), args=args) if name in LENGTH_KEEPING_FUNCTIONS:
            return all(
                is_surely_nonempty(argument, assignments)
                for argument in args
                if not isinstance(argument, ast.Constant)
            )
        case ast.Call(func=ast.Attribute(value=container, attr="items" | "values" | "keys")):
            return is_surely_nonempty(container, assignments)
    return isinstance(value, ast.Constant) and bool(value.value)


def iterate_checks(node: ast.AST, assignments: Assignments, *, is_surely_reached: bool = True) -> Iterator[bool]:
    """Yield for each assert, expected exception and skip whether loops cannot prevent it."""
    for child in ast.iter_child_nodes(node):
        is_reached = is_surely_reached and not isinstance(child, ast.While)
        if isinstance(child, ast.For):
            is_reached = is_surely_reached and is_surely_nonempty(child.iter, assignments)
        if isinstance(child, ast.Assert) or (
            isinstance(child, ast.Attribute) and child.attr in {"raises", "skip"}
        ):
            yield is_reached
        if not isinstance(child, ast.FunctionDef | ast.Lambda):
            yield from iterate_checks(child, assignments, is_surely_reached=is_reached)


def list_unchecked_tests(path: Path) -> list[str]:
    """Return the tests of a file that can pass without running a check."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    unchecked_tests = []
    for item in ast.walk(module):
        if isinstance(item, ast.FunctionDef) and item.name.startswith("test"):
            assertions = [*iterate_checks(item, find_assignments(module.body) | find_assignments(item.body))]
            if assertions and not any(assertions):
                unchecked_tests.append(f"{path.relative_to(TESTS).as_posix()}:{item.lineno} {item.name}")
    return unchecked_tests


@pytest.mark.slow
def test_tests_all_run_a_check() -> None:
    files = sorted(TESTS.rglob("test_*.py"))
    assert len(files) > 100
    assert [test for path in files for test in list_unchecked_tests(path)] == []


def test_mutation_modules_exist() -> None:
    modules = list_deciding_modules()
    assert len(modules) > 40
    assert [module for module in modules if not (TESTS.parent / module).is_file()] == []


@pytest.mark.slow
def test_mutation_equivalents_can_be_planted() -> None:
    """An entry for a changed line must be reviewed again."""
    files = {key[0].partition(":")[0] for key in EQUIVALENT}
    paths = [path for path in list_deciding_modules() if Path(path).name in files]
    assert EQUIVALENT.keys() <= {fault.key for path in paths for fault in list_faults(path)}
