"""Convert msgspec Structs to and from plain values, as JSON and TOML have them.

All errors of a document are raised together.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, TypeVar, cast

from msgspec import Meta, Struct, inspect
from msgspec.inspect import Type

T = TypeVar("T")
Reader = Callable[[object, str, list[str]], Any]


def make_bounds(low: int, high: int) -> Meta:
    return Meta(ge=low, le=high)


class PlainError(ValueError):
    """A document does not have the expected type. Each item of `problems` is `path: problem`."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def encode_plain(value: object) -> Any:
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, tuple):
        return [encode_plain(item) for item in value]
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, Mapping):
        return {str(key): encode_plain(item) for key, item in value.items()}
    if isinstance(value, Struct):
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        return {key: encode_plain(getattr(value, name)) for key, name in names}
    raise TypeError(f"no plain form for {type(value).__name__}")


def make_decoder(wanted: type[T]) -> Callable[[object], T]:
    """Return a function that converts a plain value to the type `wanted`. It raises PlainError with all errors."""

    def decode(plain: object) -> T:
        problems: list[str] = []
        read = _get_reader_of_type(cast("Any", wanted))  # made for the first value
        value = read(plain, "", problems)
        if problems:
            raise PlainError(problems)
        return cast("T", value)

    return decode


@cache  # documents have many records of one type
def _get_reader_of_type(wanted: Any) -> Reader:
    return _make_reader(inspect.type_info(wanted))


def _make_reader(wanted: Type) -> Reader:  # noqa: PLR0911 - one line for each form of type
    match wanted:
        case inspect.LiteralType(values=values):
            return _make_choice_reader({choice: choice for choice in values})
        case inspect.EnumType(cls=members):
            return _make_choice_reader({member.value: member for member in members})
        case inspect.UnionType(types=choices):
            return _make_optional_reader(choices)
        case inspect.VarTupleType(item_type=item):
            return _make_sequence_reader((item,), open_ended=True)
        case inspect.TupleType(item_types=items):
            return _make_sequence_reader(items, open_ended=False)
        case inspect.DictType(value_type=item):
            return _make_mapping_reader(item)
        case inspect.StructType():
            return _make_record_reader(wanted)
        case inspect.CustomType():
            return _read_fraction
        case inspect.IntType(ge=int(low), le=int(high)):
            return _make_bounded_reader(low, high)
        case _:
            return _make_scalar_reader(_SCALARS[type(wanted)])


_SCALARS: Mapping[type[Type], type] = {
    inspect.StrType: str,
    inspect.IntType: int,
    inspect.BoolType: bool,
    inspect.FloatType: float,
    inspect.NoneType: type(None),
    inspect.AnyType: object,
}


def _make_scalar_reader(wanted: type) -> Reader:
    def read_scalar(plain: object, path: str, problems: list[str]) -> object:
        if type(plain) is wanted or wanted is object:
            return plain
        if wanted is float and type(plain) is int:
            return float(plain)
        problems.append(f"{path}: expected {wanted.__name__}, found {plain!r}")
        return None

    return read_scalar


def _read_fraction(plain: object, path: str, problems: list[str]) -> Fraction | None:
    if not isinstance(plain, bool) and isinstance(plain, (int, float, str)):
        try:
            return Fraction(plain)
        except (ValueError, ZeroDivisionError):
            pass
    problems.append(f"{path}: expected a number or a fraction, found {plain!r}")
    return None


def _make_choice_reader(choices: Mapping[Any, object]) -> Reader:
    def read_choice(plain: object, path: str, problems: list[str]) -> object:
        if isinstance(plain, (str, int)) and plain in choices:
            return choices[plain]
        problems.append(f"{path}: expected one of {', '.join(map(str, choices))}, found {plain!r}")
        return None

    return read_choice


def _make_bounded_reader(low: int, high: int) -> Reader:
    inner = _make_scalar_reader(int)

    def read_number(plain: object, path: str, problems: list[str]) -> object:
        value = inner(plain, path, problems)
        if isinstance(value, (int, float)) and not low <= value <= high:
            problems.append(f"{path}: {value} is not between {low} and {high}")
        return value

    return read_number


def _make_optional_reader(choices: tuple[Type, ...]) -> Reader:
    readers = [_make_reader(choice) for choice in choices if not isinstance(choice, inspect.NoneType)]
    nullable = len(readers) < len(choices)

    def read_optional(plain: object, path: str, problems: list[str]) -> object:
        if plain is None and nullable:
            return None
        for reader in readers:
            trial: list[str] = []
            value = reader(plain, path, trial)
            if not trial:
                return value
        problems.extend(trial)
        return None

    return read_optional


def _make_sequence_reader(items: tuple[Type, ...], *, open_ended: bool) -> Reader:
    quick = _make_scalar_sequence_reader(items, open_ended=open_ended)
    readers = [_make_reader(item) for item in items]

    def read_sequence(plain: object, path: str, problems: list[str]) -> object:
        if not isinstance(plain, (list, tuple)) or not (open_ended or len(plain) == len(readers)):
            problems.append(f"{path}: expected a list, found {plain!r}")
            return ()
        if (found := quick(plain)) is not None:
            return found
        chosen = readers * len(plain) if open_ended else readers
        trial: list[str] = []
        values = tuple([reader(item, "", trial) for reader, item in zip(chosen, plain, strict=True)])
        if not trial:
            return values
        return tuple(  # decode again to collect the paths of errors, which is slower
            reader(item, f"{path}[{number}]", problems)
            for number, (reader, item) in enumerate(zip(chosen, plain, strict=True))
        )

    return read_sequence


_LISTS = frozenset({list, tuple})
_QUICK: frozenset[type] = frozenset({str, int, bool, type(None)})


def _make_scalar_sequence_reader(
    items: tuple[Type, ...], *, open_ended: bool
) -> Callable[[Sequence[Any]], tuple[Any, ...] | None]:
    """Return a fast reader of scalars. It returns None for other values."""
    if open_ended and isinstance(items[0], inspect.TupleType):
        inner = _list_type_combinations(items[0].item_types)
        return lambda plain: (
            tuple(map(tuple, plain))
            if _LISTS.issuperset(map(type, plain)) and inner.issuperset([tuple(map(type, item)) for item in plain])
            else None
        )
    if open_ended:
        allowed = _list_scalar_types(items[0])
        return lambda plain: tuple(plain) if allowed.issuperset(map(type, plain)) else None
    choices = _list_type_combinations(items)
    return lambda plain: tuple(plain) if tuple(map(type, plain)) in choices else None


def _list_type_combinations(items: tuple[Type, ...]) -> frozenset[tuple[type, ...]]:
    return frozenset(product(*map(_list_scalar_types, items)))


def _list_scalar_types(wanted: Type) -> frozenset[type]:
    if isinstance(wanted, inspect.UnionType):
        return frozenset[type]().union(*map(_list_scalar_types, wanted.types))
    bounded = isinstance(wanted, inspect.IntType) and wanted.ge is not None
    return frozenset() if bounded else _QUICK & {_SCALARS.get(type(wanted))}


def _make_mapping_reader(item: Type) -> Reader:
    reader = _make_reader(item)

    def read_mapping(plain: object, path: str, problems: list[str]) -> object:
        if not isinstance(plain, Mapping):
            problems.append(f"{path}: expected a table, found {plain!r}")
            return {}
        return types.MappingProxyType(
            {str(key): reader(value, _join_path(path, str(key)), problems) for key, value in plain.items()}
        )

    return read_mapping


def _make_record_reader(wanted: inspect.StructType) -> Reader:
    make = wanted.cls
    readers = {field.name: _make_reader(field.type) for field in wanted.fields}
    required = {field.name for field in wanted.fields if field.required}
    renamed = {field.encode_name: field.name for field in wanted.fields if field.encode_name != field.name}

    def read_record(plain: object, path: str, problems: list[str]) -> object:
        if not isinstance(plain, Mapping):
            problems.append(f"{path or 'document'}: expected a table, found {plain!r}")
            return None
        if renamed:
            plain = {renamed.get(str(key), str(key)): item for key, item in plain.items()}
        if required <= plain.keys() <= readers.keys():
            trial: list[str] = []
            values = {key: readers[key](item, "", trial) for key, item in plain.items()}
            if not trial:
                return make(**values)
        problems.extend(f"{_join_path(path, str(key))}: unknown" for key in plain if key not in readers)
        problems.extend(f"{_join_path(path, key)}: missing" for key in sorted(required - plain.keys()))
        for key in [one for one in plain if one in readers]:  # decode again to collect the paths of errors
            readers[key](plain[key], _join_path(path, key), problems)
        return None

    return read_record


def _join_path(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


Shape = dict[str, Any]  # of JSON: the permitted kinds of value, each with its rule

_SCALAR_SHAPES: Mapping[type[Type], Shape] = types.MappingProxyType(
    {
        inspect.StrType: {"string": None},
        inspect.IntType: {"number": None},
        inspect.BoolType: {"boolean": None},
        inspect.NoneType: {"null": None},
        inspect.CustomType: {"number": None, "string": None},  # a fraction
    }
)


def describe_json_shape(wanted: Any) -> Shape:
    return _make_type_shape(inspect.type_info(wanted))


def _make_type_shape(wanted: Type) -> Shape:  # noqa: PLR0911 - one line for each form of type
    match wanted:
        case inspect.IntType(ge=int(low), le=int(high)):
            return {"number": [low, high]}
        case inspect.LiteralType(values=values):
            return {"string": list(values)}
        case inspect.EnumType(cls=members):
            return {"string": [member.value for member in members]}
        case inspect.UnionType(types=parts):
            return {kind: rule for part in parts for kind, rule in _make_type_shape(part).items()}
        case inspect.VarTupleType(item_type=item):
            return {"array": {"each": _make_type_shape(item)}}
        case inspect.TupleType(item_types=items):
            return {"array": [_make_type_shape(item) for item in items]}
        case inspect.DictType(value_type=item):
            return {"object": {"each": _make_type_shape(item)}}
        case inspect.StructType(fields=fields):
            return {"object": [[item.encode_name, _make_type_shape(item.type)] for item in fields]}
        case _:
            return dict(_SCALAR_SHAPES[type(wanted)])
