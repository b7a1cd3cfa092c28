"""Convert msgspec Structs to and from the plain values of JSON and TOML."""

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


def make_number_bounds(minimum: int, maximum: int) -> Meta:
    return Meta(ge=minimum, le=maximum)


class InvalidDocumentError(ValueError):
    """A document does not have the expected type. Each item of `problems` is `path: problem`."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def convert_to_builtins(value: object) -> Any:
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, tuple):
        return [convert_to_builtins(item) for item in value]
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, Mapping):
        return {str(key): convert_to_builtins(item) for key, item in value.items()}
    if isinstance(value, Struct):
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        return {key: convert_to_builtins(getattr(value, name)) for key, name in names}
    raise TypeError(f"no plain form for {type(value).__name__}")


def make_decoder(target_type: type[T]) -> Callable[[object], T]:
    """Return a converter of plain values to `target_type`. It raises InvalidDocumentError with all errors."""

    def decode(data: object) -> T:
        problems: list[str] = []
        read = _get_or_make_reader_for_type(cast("Any", target_type))  # built at the first call
        value = read(data, "", problems)
        if problems:
            raise InvalidDocumentError(problems)
        return cast("T", value)

    return decode


@cache  # documents have many records of one type
def _get_or_make_reader_for_type(target_type: Any) -> Reader:
    return _make_reader_for_type(inspect.type_info(target_type))


def _make_reader_for_type(type_info: Type) -> Reader:  # noqa: PLR0911 - one line for each form of type
    match type_info:
        case inspect.LiteralType(values=values):
            return _make_choice_reader({choice: choice for choice in values})
        case inspect.EnumType(cls=members):
            return _make_choice_reader({member.value: member for member in members})
        case inspect.UnionType(types=choices):
            return _make_union_reader(choices)
        case inspect.VarTupleType(item_type=item):
            return _make_sequence_reader((item,), open_ended=True)
        case inspect.TupleType(item_types=items):
            return _make_sequence_reader(items, open_ended=False)
        case inspect.DictType(value_type=item):
            return _make_mapping_reader(item)
        case inspect.StructType():
            return _make_struct_reader(type_info)
        case inspect.CustomType():
            return _read_fraction
        case inspect.IntType(ge=int(low), le=int(high)):
            return _make_bounded_number_reader(low, high)
        case _:
            return _make_scalar_reader(_SCALARS[type(type_info)])


_SCALARS: Mapping[type[Type], type] = {
    inspect.StrType: str,
    inspect.IntType: int,
    inspect.BoolType: bool,
    inspect.FloatType: float,
    inspect.NoneType: type(None),
    inspect.AnyType: object,
}


def _make_scalar_reader(scalar_type: type) -> Reader:
    def read_scalar(data: object, path: str, problems: list[str]) -> object:
        if type(data) is scalar_type or scalar_type is object:
            return data
        if scalar_type is float and type(data) is int:
            return float(data)
        problems.append(f"{path}: expected {scalar_type.__name__}, found {data!r}")
        return None

    return read_scalar


def _read_fraction(data: object, path: str, problems: list[str]) -> Fraction | None:
    if not isinstance(data, bool) and isinstance(data, (int, float, str)):
        try:
            return Fraction(data)
        except (ValueError, ZeroDivisionError):
            pass
    problems.append(f"{path}: expected a number or a fraction, found {data!r}")
    return None


def _make_choice_reader(choices: Mapping[Any, object]) -> Reader:
    def read_choice(data: object, path: str, problems: list[str]) -> object:
        if isinstance(data, (str, int)) and data in choices:
            return choices[data]
        problems.append(f"{path}: expected one of {', '.join(map(str, choices))}, found {data!r}")
        return None

    return read_choice


def _make_bounded_number_reader(minimum: int, maximum: int) -> Reader:
    inner = _make_scalar_reader(int)

    def read_number(data: object, path: str, problems: list[str]) -> object:
        value = inner(data, path, problems)
        if isinstance(value, (int, float)) and not minimum <= value <= maximum:
            problems.append(f"{path}: {value} is not between {minimum} and {maximum}")
        return value

    return read_number


def _make_union_reader(choices: tuple[Type, ...]) -> Reader:
    readers = [_make_reader_for_type(choice) for choice in choices if not isinstance(choice, inspect.NoneType)]
    is_nullable = len(readers) < len(choices)

    def read_union(data: object, path: str, problems: list[str]) -> object:
        if data is None and is_nullable:
            return None
        for reader in readers:
            trial_problems: list[str] = []
            value = reader(data, path, trial_problems)
            if not trial_problems:
                return value
        problems.extend(trial_problems)
        return None

    return read_union


def _make_sequence_reader(items: tuple[Type, ...], *, open_ended: bool) -> Reader:
    read_scalars = _make_scalar_sequence_reader(items, open_ended=open_ended)
    readers = [_make_reader_for_type(item) for item in items]

    def read_sequence(data: object, path: str, problems: list[str]) -> object:
        if not isinstance(data, (list, tuple)) or not (open_ended or len(data) == len(readers)):
            problems.append(f"{path}: expected a list, found {data!r}")
            return ()
        if (scalars := read_scalars(data)) is not None:
            return scalars
        item_readers = readers * len(data) if open_ended else readers
        trial_problems: list[str] = []
        values = tuple([reader(item, "", trial_problems) for reader, item in zip(item_readers, data, strict=True)])
        if not trial_problems:
            return values
        return tuple(  # slower: decode again to collect the paths of errors
            reader(item, f"{path}[{number}]", problems)
            for number, (reader, item) in enumerate(zip(item_readers, data, strict=True))
        )

    return read_sequence


_LIST_TYPES = frozenset({list, tuple})
_SCALAR_TYPES: frozenset[type] = frozenset({str, int, bool, type(None)})


def _make_scalar_sequence_reader(
    items: tuple[Type, ...], *, open_ended: bool
) -> Callable[[Sequence[Any]], tuple[Any, ...] | None]:
    """Return a fast reader of sequences of scalars. The reader returns None for other values."""
    if open_ended and isinstance(items[0], inspect.TupleType):
        combinations = _list_scalar_type_combinations(items[0].item_types)
        return lambda data: (
            tuple(map(tuple, data))
            if _LIST_TYPES.issuperset(map(type, data))
            and combinations.issuperset([tuple(map(type, item)) for item in data])
            else None
        )
    if open_ended:
        scalar_types = _find_scalar_types(items[0])
        return lambda data: tuple(data) if scalar_types.issuperset(map(type, data)) else None
    choices = _list_scalar_type_combinations(items)
    return lambda data: tuple(data) if tuple(map(type, data)) in choices else None


def _list_scalar_type_combinations(items: tuple[Type, ...]) -> frozenset[tuple[type, ...]]:
    return frozenset(product(*map(_find_scalar_types, items)))


def _find_scalar_types(type_info: Type) -> frozenset[type]:
    if isinstance(type_info, inspect.UnionType):
        return frozenset[type]().union(*map(_find_scalar_types, type_info.types))
    is_bounded = isinstance(type_info, inspect.IntType) and type_info.ge is not None
    return frozenset() if is_bounded else _SCALAR_TYPES & {_SCALARS.get(type(type_info))}


def _make_mapping_reader(item: Type) -> Reader:
    reader = _make_reader_for_type(item)

    def read_mapping(data: object, path: str, problems: list[str]) -> object:
        if not isinstance(data, Mapping):
            problems.append(f"{path}: expected a table, found {data!r}")
            return {}
        return types.MappingProxyType(
            {str(key): reader(value, _append_key_to_path(path, str(key)), problems) for key, value in data.items()}
        )

    return read_mapping


def _make_struct_reader(record_type: inspect.StructType) -> Reader:
    make = record_type.cls
    readers = {field.name: _make_reader_for_type(field.type) for field in record_type.fields}
    required = {field.name for field in record_type.fields if field.required}
    names_by_key = {
        field.encode_name: field.name for field in record_type.fields if field.encode_name != field.name
    }

    def read_record(data: object, path: str, problems: list[str]) -> object:
        if not isinstance(data, Mapping):
            problems.append(f"{path or 'document'}: expected a table, found {data!r}")
            return None
        if names_by_key:
            data = {names_by_key.get(str(key), str(key)): item for key, item in data.items()}
        if required <= data.keys() <= readers.keys():
            trial_problems: list[str] = []
            values = {key: readers[key](item, "", trial_problems) for key, item in data.items()}
            if not trial_problems:
                return make(**values)
        problems.extend(f"{_append_key_to_path(path, str(key))}: unknown" for key in data if key not in readers)
        problems.extend(f"{_append_key_to_path(path, key)}: missing" for key in sorted(required - data.keys()))
        for key in [key for key in data if key in readers]:  # decode again to collect the paths of errors
            readers[key](data[key], _append_key_to_path(path, key), problems)
        return None

    return read_record


def _append_key_to_path(path: str, key: str) -> str:
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


def describe_json_shape(target_type: Any) -> Shape:
    """Return a description of the JSON values that fit a type.

    For example, `{"string": None}` permits any string.
    """
    return _describe_json_shape_of_type_info(inspect.type_info(target_type))


def _describe_json_shape_of_type_info(type_info: Type) -> Shape:  # noqa: PLR0911 - one line for each form of type
    match type_info:
        case inspect.IntType(ge=int(low), le=int(high)):
            return {"number": [low, high]}
        case inspect.LiteralType(values=values):
            return {"string": list(values)}
        case inspect.EnumType(cls=members):
            return {"string": [member.value for member in members]}
        case inspect.UnionType(types=parts):
            return {kind: rule for part in parts for kind, rule in _describe_json_shape_of_type_info(part).items()}
        case inspect.VarTupleType(item_type=item):
            return {"array": {"each": _describe_json_shape_of_type_info(item)}}
        case inspect.TupleType(item_types=items):
            return {"array": [_describe_json_shape_of_type_info(item) for item in items]}
        case inspect.DictType(value_type=item):
            return {"object": {"each": _describe_json_shape_of_type_info(item)}}
        case inspect.StructType(fields=fields):
            return {
                "object": [[item.encode_name, _describe_json_shape_of_type_info(item.type)] for item in fields]
            }
        case _:
            return dict(_SCALAR_SHAPES[type(type_info)])
