"""No test can pass without checking anything: a test with asserts only in loops has one before them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.mutation import EQUIVALENT, list_deciding_modules, list_faults

TESTS = Path(__file__).resolve().parents[1]
KEEP = {"enumerate", "zip", "sorted", "reversed", "list", "tuple", "pairwise", "product", "combinations"}
Known = Mapping[str, ast.expr]


def assigned(body: list[ast.stmt]) -> dict[str, ast.expr]:
    """Return what names are given at this level."""
    assignments: dict[str, ast.expr] = {}
    for item in body:
        if isinstance(item, ast.Assign | ast.AnnAssign) and item.value is not None:
            targets = item.targets if isinstance(item, ast.Assign) else [item.target]
            assignments |= {target.id: item.value for target in targets if isinstance(target, ast.Name)}
    return assignments


def holds_something(value: ast.expr, assignments: Known) -> bool:
    """Return whether a loop over it surely comes round: a literal, a range, an enumeration (in CapWords)."""
    match value:
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items) | ast.Dict(values=items):
            return any(not isinstance(item, ast.Starred) for item in items)
        case ast.Name(id=name):
            is_literal = name in assignments and holds_something(assignments[name], {})
            return is_literal or (name[0].isupper() and not name.isupper())
        case ast.Call(func=ast.Name(id="range"), args=args) if all(
            isinstance(argument, ast.Constant) for argument in args
        ):
            return len(range(*(ast.literal_eval(argument) for argument in args))) > 0
        case ast.Call(func=ast.Name(id=name), args=args) if name in KEEP:
            return all(
                holds_something(argument, assignments)
                for argument in args
                if not isinstance(argument, ast.Constant)
            )
        case ast.Call(func=ast.Attribute(value=inner, attr="items" | "values" | "keys")):
            return holds_something(inner, assignments)
    return isinstance(value, ast.Constant) and bool(value.value)


def looks(node: ast.AST, assignments: Known, *, surely: bool = True) -> Iterator[bool]:
    """Yield for each assert, expected exception or skip whether it is surely reached, as far as loops go."""
    for child in ast.iter_child_nodes(node):
        always_runs = surely and not isinstance(child, ast.While)
        if isinstance(child, ast.For):
            always_runs = surely and holds_something(child.iter, assignments)
        if isinstance(child, ast.Assert) or (
            isinstance(child, ast.Attribute) and child.attr in {"raises", "skip"}
        ):
            yield always_runs
        if not isinstance(child, ast.FunctionDef | ast.Lambda):
            yield from looks(child, assignments, surely=always_runs)


def idle(path: Path) -> list[str]:
    """Return the tests of a file that may pass without having looked at anything."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    idle_tests = []
    for item in ast.walk(module):
        if isinstance(item, ast.FunctionDef) and item.name.startswith("test"):
            assertions = [*looks(item, assigned(module.body) | assigned(item.body))]
            if assertions and not any(assertions):
                idle_tests.append(f"{path.relative_to(TESTS).as_posix()}:{item.lineno} {item.name}")
    return idle_tests


@pytest.mark.slow
def test_tests_all_check_something() -> None:
    files = sorted(TESTS.rglob("test_*.py"))
    assert len(files) > 100
    assert [test for path in files for test in idle(path)] == []


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
