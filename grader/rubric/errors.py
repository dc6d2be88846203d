"""What is wrong with a rubric, by its schema or in an expression, as sentences: each mistake is 'place: sentence'."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from difflib import get_close_matches
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from grader.model import Shape, expressions
from grader.model.expressions import ExpressionError

KINDS = {
    "object": "a table",
    "array": "a list",
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
}
BOUNDS = {
    "const": "be {}",
    "minimum": "be at least {}",
    "maximum": "be at most {}",
    "exclusiveMinimum": "be above {}",
    "exclusiveMaximum": "be below {}",
    "minItems": "have {} or more entries",
    "maxItems": "have at most {} entries",
    "maxLength": "have at most {} characters",
}
# What the types of elements are called in C++.
TYPES = {"float": "float32", "double": "float64", "half": "float16", "__half": "float16", "int": "int32"}
TYPES |= {"__nv_bfloat16": "bfloat16", "int8_t": "int8", "char": "int8", "uint8_t": "uint8"}
MOST_SHOWN = 60  # characters of a wrong value

Table = dict[str, Any]
Names = dict[Shape, dict[str, int]]  # what expressions may use, at each size
Evaluate = Callable[[str, Mapping[str, int]], object]


def form_mistakes(table: Table, schema: Draft202012Validator) -> tuple[list[str], Table | None]:
    """List every place where `table` does not match `schema`, in their order, and return the fields that it knows.

    These are None if one of them does not match.
    """
    not_finite = [f"{place}: must be a finite number, but is {value}" for place, value in _not_finite("", table)]
    if not_finite:  # a schema's comparisons accept NaN
        return not_finite, None
    known = deepcopy(table)
    errors = sorted(schema.iter_errors(known), key=lambda error: [f"{step:>6}" for step in error.absolute_path])
    mistakes = [sentence for error in errors for sentence in _explained(error)]
    if any(error.validator != "additionalProperties" for error in errors):
        return mistakes, None
    for error in errors:
        for name in _unknown_fields(error):
            del error.instance[name]
    return mistakes, known


def nearest(name: str, names: Iterable[str]) -> str:
    """Ask '; did you mean …?' where one of `names` is close to `name`."""
    close = get_close_matches(name, list(names), n=1)
    return f"; did you mean `{close[0]}`?" if close else ""


def shown(text: str) -> str:
    """Return `text` on one line of bounded length."""
    text = text if text.isprintable() else text.encode("unicode_escape").decode()
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."


def _not_finite(place: str, value: object) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _not_finite(f"{place}.{key}" if place else key, inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _not_finite(f"{place}[{index}]", inner)
    elif isinstance(value, float) and not math.isfinite(value):
        yield shown(place), value


def _explained(error: ValidationError) -> Iterator[str]:
    at = f"{_place(error)}: " if error.absolute_path else ""
    schema: Table = dict(error.schema) if isinstance(error.schema, dict) else {}
    given: Any = error.instance
    match error.validator:
        case "additionalProperties":
            for name in _unknown_fields(error):
                yield f"{at}there is no field `{shown(name)}`{nearest(name, schema['properties'])}"
        case "required":  # one error for each missing field, which only the message names
            name = error.message.split("'")[1]
            yield f"{at}the field `{name}` is missing"
        case "enum":
            allowed = [str(value) for value in schema["enum"]]
            close = nearest(TYPES.get(str(given), str(given)), allowed)
            yield f"{at}must be one of {', '.join(allowed)}, but is {_value(given)}{close}"
        case "uniqueItems":
            yield f"{at}{_repeated(given)} is listed twice"
        case _:
            yield f"{at}{_bound(error, schema)}"


def _unknown_fields(error: ValidationError) -> list[str]:
    schema: Table = dict(error.schema) if isinstance(error.schema, dict) else {}
    given: Table = dict(error.instance) if isinstance(error.instance, dict) else {}
    return sorted(given.keys() - schema["properties"].keys())


def _bound(error: ValidationError, schema: Table) -> str:
    limit, shown = error.validator_value, _value(error.instance)
    if "title" in schema:
        return f"must be {schema['title']}, but is {shown}"
    if error.validator == "type":
        return f"must be {KINDS[str(limit)]}, but is {shown}"
    return f"must {BOUNDS[str(error.validator)].format(limit)}, but is {shown}"


def _place(error: ValidationError) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    return shown("".join(steps).removeprefix("."))


def _value(value: object) -> str:
    return shown(json.dumps(value, ensure_ascii=False, default=str))  # as TOML writes it, too


def _repeated(items: list[object]) -> str:
    counts = Counter(str(item) for item in items)
    return shown(counts.most_common(1)[0][0])


def whole_number(at: str, text: int | str, names: Names, least: int, most: int) -> Iterator[str]:
    """Yield what is wrong with a number, or with the expression that gives it, at the first such size."""

    def bounded(text: str, known: Mapping[str, int]) -> int:
        number = expressions.whole(text, known)
        if not least <= number <= most:
            raise ExpressionError(f"must be from {least} to {most}, but is {number}")
        return number

    yield from in_expression(at, str(text), names, bounded)


def extents(
    at: str, texts: Sequence[int | str], names: Names, most: Sequence[int], in_all: int, what: str
) -> Iterator[str]:
    """Yield what is wrong with the extents of a thing, each and together, which has so many of `what` in all."""
    for axis, text in enumerate(texts):
        yield from whole_number(f"{at}[{axis}]", text, names, 1, most[axis])
    with suppress(ExpressionError):  # told above
        for shape, known in names.items():
            sides = [expressions.whole(str(text), known) for text in texts]
            if math.prod(sides) > in_all:
                yield f"{at}: it has at most {in_all} {what}, but {sides} has {math.prod(sides)} at {shape}"
                return


def in_expression(at: str, text: str, names: Names, evaluate: Evaluate) -> Iterator[str]:
    """Yield what is wrong with an expression, at the first such size."""
    said = f"{at}: `{shown(text)}`"
    try:
        known = next(iter(names.values()))
        for name in sorted(expressions.names_in(text) - known.keys()):
            yield f"{said} uses `{shown(name)}`, which is none of {', '.join(known)}{nearest(name, known)}"
            return
    except ExpressionError as error:
        yield f"{said} {error}"
        return
    for shape in names:
        try:
            evaluate(text, names[shape])
        except ExpressionError as error:
            yield f"{said} {error}{'' if 'arithmetic' in str(error) else f' at {shape}'}"
            return
