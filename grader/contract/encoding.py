"""Requests and answers as JSON."""

import json
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin, get_type_hints

from cattrs import BaseValidationError
from cattrs.gen import make_dict_structure_fn
from cattrs.preconf.json import make_converter

from grader.contract.messages import Answer, Request

REQUESTS, ANSWERS = ({kind.__name__: kind for kind in get_args(kinds)} for kinds in (Request, Answer))
TAG = "_type"
# Makes the code for a kind of record when the first of it comes: for all kinds that takes a tenth of a second.
_converter = make_converter()


def _exactly(kind: type) -> Callable[[object, object], object]:
    """Return what decodes a value of one type, and nothing that could be converted to it."""

    def decode(value: object, _: object) -> object:
        if type(value) is not kind:
            raise ValueError(f"no {kind.__name__}")
        return value

    return decode


def _integer(value: object, _: object) -> int:
    """Return a number of 128 bits, as seeds have: as a float, too, it is not too large."""
    if type(value) is not int or abs(value) >= 1 << 128:
        raise ValueError("no integer")
    return value


def _number(value: object, _: object) -> float:
    if type(value) not in {int, float}:
        raise ValueError("no number")
    return float(cast("float", value))


def _with_keywords(value: object, kind: Any) -> object:
    """Return a value of an annotated type within what its keywords of JSON Schema allow."""
    of, *keywords = get_args(kind)
    decoded: Any = _converter.structure(value, of)
    for keyword in keywords:
        if keyword.name in ALLOWS and not ALLOWS[keyword.name](decoded, keyword.value):
            raise ValueError(f"beyond {keyword.name}")
    return decoded


ALLOWS: Mapping[str, Callable[[Any, Any], bool]] = {
    "minimum": operator.ge,
    "maximum": operator.le,
    "pattern": lambda text, pattern: re.fullmatch(pattern, text) is not None,
}


def _is_annotated(kind: Any) -> bool:
    return get_origin(kind) is Annotated


def _of_record(kind: type) -> Callable[[Mapping[str, Any], Any], Any]:
    """Return what decodes a kind of record. Left alone, cattrs would drop the annotations of its fields."""
    hints = get_type_hints(kind, include_extras=True)
    for each in fields(kind):
        each.type = hints[each.name]
    return make_dict_structure_fn(kind, _converter, _cattrs_forbid_extra_keys=True)


def _is_of_records(kind: Any) -> bool:
    """Whether a type is one of several records, or none."""
    return get_origin(kind) in {Union, UnionType} and sum(map(is_dataclass, get_args(kind))) > 1


def _tagged(record: object) -> object:
    return record if record is None else {**_converter.unstructure(record), TAG: type(record).__name__}


def _untagged(value: Any, kind: Any) -> object:
    if value is None and NoneType in get_args(kind):
        return None
    tag = value.pop(TAG)
    return _converter.structure(value, next(each for each in get_args(kind) if each.__name__ == tag))


for _kind in (bool, str):
    _converter.register_structure_hook(_kind, _exactly(_kind))
_converter.register_structure_hook(int, _integer)
_converter.register_structure_hook(StrEnum, lambda value, kind: kind(value))
_converter.register_structure_hook(float, _number)
_converter.register_structure_hook_factory(is_dataclass, _of_record)
_converter.register_structure_hook_func(_is_annotated, _with_keywords)
_converter.register_structure_hook_func(_is_of_records, _untagged)
_converter.register_unstructure_hook_func(_is_of_records, _tagged)


def encode(record: Request | Answer) -> str:
    """JSON, with the record's name as its tag."""
    return json.dumps({**_converter.unstructure(record), TAG: type(record).__name__})


def decode_request(text: str) -> Request:
    """The request that `encode` was given."""
    request: Request = _decode(text, REQUESTS)
    return request


def decode_answer(text: str) -> Answer:
    """The answer that `encode` was given. Raises ValueError for anything else, which student code may have written."""
    answer: Answer = _decode(text, ANSWERS)
    return answer


def _decode(text: str, kinds: Mapping[str, type]) -> Any:
    try:
        values = json.loads(text)
        return _converter.structure(values, kinds[values.pop(TAG)])
    except (BaseValidationError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"no {' or '.join(kinds)}: {text[:80]}") from error
