"""What is wrong with a rubric, by its schema or in an expression, as sentences: each mistake is 'place: sentence'."""

import json
import math
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
    "number": "a finite number",
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
    "maxProperties": "have at most {} entries",
    "uniqueItems": "have no entry twice",
    "maxLength": "have at most {} characters",
}
# What the types of elements are called in C++, of several names the one to write first.
TYPES = {"float": "float32", "double": "float64", "half": "float16", "__half": "float16", "int": "int32"}
TYPES |= {"__nv_bfloat16": "bfloat16", "signed char": "int8", "int8_t": "int8", "char": "int8"}
TYPES |= {"unsigned char": "uint8", "uint8_t": "uint8"}
MISSING = ("required", "dependentRequired")
MOST_SHOWN = 60  # characters of a wrong value

Table = dict[str, Any]
Names = dict[Shape, dict[str, int]]  # what expressions may use, at each size
Evaluate = Callable[[str, Mapping[str, int]], object]


def form_mistakes(table: Table, schema: Draft202012Validator) -> tuple[list[str], Table, set[str]]:
    """List every place where `table` does not match `schema`, in their order.

    With it come the fields that it knows, a misspelt one under the name that is meant, and the names of those at the
    top that do not match.
    """
    known, found = deepcopy(table), list[tuple[list[str], str]]()
    while unknown := [each for each in schema.iter_errors(known) if each.validator == "additionalProperties"]:
        found += [(_steps(error), sentence) for error in unknown for sentence in _corrected(error)]
    errors = list(schema.iter_errors(known))
    found += [(_steps(error), _explained(error)) for error in errors]
    mistakes = [sentence for _, sentence in sorted(found, key=lambda each: each[0])]
    wrong = {str([*error.absolute_path, _missing(error)][0]) for error in errors if not _is_apart(error)}
    return mistakes, known, wrong


def _is_apart(error: ValidationError) -> bool:
    """Whether a mistake hides no other one: of a date, or of what only some kinds of criteria have."""
    return error.validator in {"dependentRequired", "format"} or (
        "then" in error.absolute_schema_path and error.absolute_path[0] == "criteria"
    )


def nearest(name: str, names: Iterable[str]) -> str:
    """Ask '; did you mean …?' where one of `names` is close to `name`."""
    return f"; did you mean `{close[0]}`?" if (close := get_close_matches(name, list(names), n=1)) else ""


def shown(text: str) -> str:
    """Return `text` on one line of bounded length."""
    text = text if text.isprintable() else text.encode("unicode_escape").decode()
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."


def _corrected(error: ValidationError) -> Iterator[str]:
    """Yield a mistake for each field of a table that does not exist, and rename it as it is meant, or remove it."""
    given: Table = error.instance  # type: ignore[assignment]
    known = set(error.schema["properties"]) if isinstance(error.schema, dict) else set()
    for name in sorted(given.keys() - known):
        yield f"{_at(error)}there is no field `{shown(name)}`{nearest(name, known)}"
        value = given.pop(name)
        for meant in get_close_matches(name, known - given.keys(), n=1):
            given[meant] = value


def _explained(error: ValidationError) -> str:
    schema: Table = dict(error.schema) if isinstance(error.schema, dict) else {}
    given: Any = error.instance
    match error.validator:
        case "required" | "dependentRequired":
            return f"{_at(error)}the field `{_missing(error)}` is missing"
        case "enum":
            allowed = [str(value) for value in schema["enum"]]
            close = nearest(TYPES.get(str(given), str(given)), allowed)
            return f"{_at(error)}must be one of {', '.join(allowed)}, but is {_value(given)}{close}"
        case _:
            return f"{_at(error)}{_bound(error, schema)}"


def _missing(error: ValidationError) -> str:
    """Return the field that is missing, which only the message names."""
    return error.message.split("'")[1] if error.validator in MISSING else ""


def _bound(error: ValidationError, schema: Table) -> str:
    limit, shown = error.validator_value, _value(error.instance)
    if "title" in schema:
        return f"must be {schema['title']}, but is {shown}"
    if error.validator == "type":
        return f"must be {KINDS[str(limit)]}, but is {shown}"
    return f"must {BOUNDS[str(error.validator)].format(limit)}, but is {shown}"


def _at(error: ValidationError) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    place = shown("".join(steps).removeprefix("."))
    return f"{place}: " if place else ""


def _steps(error: ValidationError) -> list[str]:
    """Return what sorts mistakes by their places."""
    return [f"{step:>6}" if isinstance(step, int) else str(step) for step in error.absolute_path]


def _value(value: object) -> str:
    return shown(json.dumps(value, ensure_ascii=False, default=str))  # as TOML writes it, too


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
