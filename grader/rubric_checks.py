"""What can be wrong with a rubric: what its schema says, in words, and what no schema can say."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from itertools import pairwise
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from grader.model import Shape

MOST_THREADS = 1024  # per block, on every CUDA device
MOST_THREADS_Z = 64
OWN_FLAGS = ("-arch", "--gpu-architecture", "-gencode", "--generate-code", "-std", "--std", "-cubin", "--cubin")
SPEEDS = ("speedup", "library-fraction", "gflops")
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
    "minItems": "have at least {} entries",
    "maxItems": "have at most {} entries",
    "maxLength": "have at most {} characters",
}
MOST_SHOWN = 60  # characters of a wrong value

Table = dict[str, Any]
HasKernel = Callable[[str], bool]


def mistakes(table: Table, schema: Draft202012Validator, *, has_kernel: HasKernel) -> list[str]:
    """Every mistake as 'place: sentence'. What a schema cannot say is checked once the values have the right form."""
    found = [f"{place}: must be a finite number, but is {value}" for place, value in _not_finite("", table)]
    errors = [] if found else sorted(schema.iter_errors(table), key=lambda error: list(map(str, error.absolute_path)))
    found += [sentence for error in errors for sentence in _explained(error)]
    if not found or (errors and all(error.validator == "additionalProperties" for error in errors)):
        found += _kernel(table["kernel"])
        found += _launch(table)
        found += _sizes(table)
        found += _criteria(table, has_kernel)
    return found


def shape(size: Any) -> Shape:
    """Read a size as a rubric writes it: one number, or [M, N, K]."""
    m, n, k = size if isinstance(size, list) else (size, size, size)
    return Shape(int(m), int(n), int(k))


def _not_finite(place: str, value: Any) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _not_finite(f"{place}.{key}" if place else key, inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _not_finite(f"{place}[{index}]", inner)
    elif isinstance(value, float) and not math.isfinite(value):
        yield _shown(place), value


def _explained(error: ValidationError) -> Iterator[str]:
    at = f"{_place(error)}: " if error.absolute_path else ""
    schema: Table = dict(error.schema) if isinstance(error.schema, dict) else {}
    given: Any = error.instance
    match error.validator:
        case "additionalProperties":
            for name in sorted(set(given) - set(schema["properties"])):
                yield f"{at}there is no field `{_shown(name)}`{_nearest(name, schema['properties'])}"
        case "required":  # one error for each missing field, which only the message names
            name = error.message.split("'")[1]
            yield f"{at}the field `{name}` is missing"
        case "enum":
            allowed = [str(one) for one in schema["enum"]]
            yield f"{at}must be one of {', '.join(allowed)}, but is {_value(given)}{_nearest(str(given), allowed)}"
        case "uniqueItems":
            yield f"{at}{_repeated(given)} is listed twice"
        case _:
            yield f"{at}{_bound(error, schema)}"


def _bound(error: ValidationError, schema: Table) -> str:
    limit, shown = error.validator_value, _value(error.instance)
    if "title" in schema:
        return f"must be {schema['title']}, but is {shown}"
    if error.validator == "type":
        return f"must be {KINDS[str(limit)]}, but is {shown}"
    return f"must {BOUNDS[str(error.validator)].format(limit)}, but is {shown}"


def _place(error: ValidationError) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    return _shown("".join(steps).removeprefix("."))


def _value(value: object) -> str:
    return _shown(json.dumps(value, ensure_ascii=False, default=str))  # as TOML writes it, too


def _shown(text: str) -> str:
    text = text if text.isprintable() else text.encode("unicode_escape").decode()
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."


def _nearest(name: str, names: Any) -> str:
    close = get_close_matches(name, list(names), n=1)
    return f"; did you mean `{close[0]}`?" if close else ""


def _repeated(items: list[Any]) -> str:
    counts = Counter(str(item) for item in items)
    return _shown(counts.most_common(1)[0][0])


def _kernel(kernel: Table) -> Iterator[str]:
    given, at = kernel["parameters"], "kernel.parameters: "
    for name in ("A", "B", "C"):
        if name not in given:
            yield f"{at}{name} is missing, and without it there is no product"
    if not {"M", "N", "K"} & set(given):
        yield f"{at}none of M, N and K is given, so the kernel cannot know the size"
    pitches = [name for name in ("lda", "ldb", "ldc") if name in given]
    if pitches and "layout" not in kernel:
        yield f"{at}{pitches[0]} is given, so kernel.layout must say whether it counts along a row or a column"
    if kernel.get("padding", 0) and len(pitches) < len(("lda", "ldb", "ldc")):
        missing = next(name for name in ("lda", "ldb", "ldc") if name not in given)
        yield f"kernel.padding: the kernel cannot know of the padding, because parameters do not have {missing}"
    for factor, neutral in (("alpha", 1), ("beta", 0)):
        if kernel.get(factor, neutral) != neutral and factor not in given:
            yield f"kernel.{factor}: the kernel cannot know of it, because parameters do not have {factor}"
    yield from _types(kernel.get("types", {}))


def _types(types: dict[str, str]) -> Iterator[str]:
    if "int32" in types.values() and set(types.values()) != {"int32"}:
        yield "kernel.types: int32 goes with int32 only, because a sum of mixed types has no exact answer"
    elif types and types["A"] != types["B"]:
        yield f"kernel.types: A and B must be of one type, but they are {types['A']} and {types['B']}"


def _launch(table: Table) -> Iterator[str]:
    block = table.get("launch", {}).get("block", [1])
    if math.prod(block) > MOST_THREADS:
        yield f"launch.block: a block has at most {MOST_THREADS} threads, but {block} are {math.prod(block)}"
    if [*block, 1, 1][2] > MOST_THREADS_Z:
        yield f"launch.block: a block has at most {MOST_THREADS_Z} threads along z, but {block} has {block[2]}"
    for index, flag in enumerate(table.get("compile", {}).get("flags", [])):
        if flag.split("=")[0] in OWN_FLAGS:
            yield f"compile.flags[{index}]: the grader sets {flag.split('=')[0]} itself"
    timing = table.get("timing", {})
    if timing.get("min_rounds", 7) > timing.get("max_rounds", 60):
        yield f"timing.min_rounds: must not exceed max_rounds, which is {timing.get('max_rounds', 60)}"


def _sizes(table: Table) -> Iterator[str]:
    sizes, given = table["sizes"], table["kernel"]["parameters"]
    told = {"M", "N", "K"} <= set(given)
    for name in ("correctness", "quick", "timing"):
        shapes = [shape(size) for size in sizes.get(name, [])]
        for index, one in enumerate(shapes):
            if not told and not one.M == one.N == one.K:
                yield f"sizes.{name}[{index}]: {one} is not square, but the kernel is not given M, N and K"
            if one in shapes[:index]:
                yield f"sizes.{name}[{index}]: {one} is listed twice"
            if name == "timing" and one not in map(shape, sizes["correctness"]):
                yield f"sizes.timing[{index}]: {one} is timed, so sizes.correctness must have it too"


def _criteria(table: Table, has_kernel: HasKernel) -> Iterator[str]:
    criteria, baselines = table["criteria"], table.get("baselines", {})
    ids = [one["id"] for one in criteria]
    for index, one in enumerate(criteria):
        at = f"criteria[{index}]"
        if one["id"] in ids[:index]:
            yield f"{at}.id: {one['id']} is the id of criteria[{ids.index(one['id'])}] already"
        yield from _counted_sizes(at, one, table["sizes"])
        yield from _curve(at, one)
        yield from _baseline(at, one, baselines)
        for name in one.get("requires", []):
            if name not in ids:
                yield f"{at}.requires: there is no criterion with the id {_shown(name)}{_nearest(name, ids)}"
    yield from _circles(criteria)
    if "naive" in baselines and not has_kernel(baselines["naive"]):
        yield f"baselines.naive: there is no file {_shown(baselines['naive'])} beside the rubric or in the reference folder"
    total = math.fsum(one["points"] for one in criteria)
    if not math.isclose(total, table["points"], rel_tol=1e-9):
        yield f"points: the criteria add up to {total:g}, but the rubric says {table['points']:g}"


def _counted_sizes(at: str, one: Table, sizes: Table) -> Iterator[str]:
    if one["kind"] == "compiles":
        if "sizes" in one:
            yield f"{at}.sizes: a file compiles once for all sizes, so this criterion has none"
        return
    name = "timing" if one["kind"] in SPEEDS else "correctness"
    known = {shape(size) for size in sizes.get(name, [])}
    if "sizes" not in one and not known:
        yield f"{at}: it counts the sizes of sizes.{name}, but there are none"
    for size in map(shape, one.get("sizes", [])):
        if size not in known:
            yield f"{at}.sizes: {size} is not one of sizes.{name}"


def _curve(at: str, one: Table) -> Iterator[str]:
    if one["kind"] not in SPEEDS:
        if "curve" in one:
            yield f"{at}.curve: a criterion of kind {one['kind']} has no curve"
        return
    if "curve" not in one:
        yield f"{at}: a criterion of kind {one['kind']} needs a curve, such as [[1.0, 0.0], [5.0, 1.0]]"
    for (left, low), (right, high) in pairwise(one.get("curve", [])):
        if right <= left:
            yield f"{at}.curve: values must increase, but {right:g} comes after {left:g}"
        if high < low:
            yield f"{at}.curve: shares must not fall, but {high:g} comes after {low:g}"
    for value, share in one.get("curve", []):
        if not 0 <= share <= 1:
            yield f"{at}.curve: the share at {value:g} must be from 0 to 1, but is {share:g}"


def _baseline(at: str, one: Table, baselines: Table) -> Iterator[str]:
    needed = {"speedup": "naive", "library-fraction": "library"}.get(one["kind"])
    if needed and needed not in baselines:
        yield f"{at}: a criterion of kind {one['kind']} needs baselines.{needed}"


def _circles(criteria: list[Table]) -> Iterator[str]:
    requires = {one["id"]: one.get("requires", []) for one in criteria}
    for index, one in enumerate(criteria):
        if one["id"] in _reached(one["id"], requires):
            yield f"criteria[{index}].requires: {one['id']} requires itself, directly or through others"


def _reached(start: str, requires: dict[str, list[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = list(requires[start])
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += requires.get(name, [])
    return reached
