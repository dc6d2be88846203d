"""Check the meaning of a rubric: the mistakes that a JSON Schema cannot express."""

import math
from collections.abc import Callable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

import cattrs
from jsonschema import Draft202012Validator

from grader.model import Shape, Timing
from grader.rubric import calls, further
from grader.rubric.criteria import KINDS
from grader.rubric.errors import Table, form_mistakes, nearest, shown

LIBRARY_TYPES = (  # of A and B, and of C: cuBLAS documentation, cublasGemmEx
    ("float16", "float16"),
    ("float16", "float32"),
    ("float32", "float32"),
    ("float64", "float64"),
)

LISTS = ("correctness", "quick", "timing", "large", "hidden")

HasKernel = Callable[[str], bool]


def mistakes(table: Table, schema: Draft202012Validator, *, has_kernel: HasKernel) -> list[str]:
    """List every mistake as 'place: sentence'. The content of what has a wrong form is checked once that is right."""
    mistakes, known, wrong = form_mistakes(table, schema)
    checks = (  # what each reads, and its mistakes, which are found when they are asked for
        ({"kernel", "launch", "before", "matrices", "sizes", "limits"}, _called(known)),
        ({"timing"}, _timing(known)),
        ({"kernel", "sizes"}, _sizes(known)),
        ({"criteria"}, _criteria(known)),
        ({"criteria", "sizes"}, _counted_sizes(known)),
        ({"criteria", "kernel", "baselines"}, _compared(known)),
        ({"kernel", "baselines"}, _baselines(known, has_kernel)),
        ({"criteria", "points"}, _points(known)),
    )
    for read, found in checks:
        mistakes += found if wrong.isdisjoint(read) else ()
    if any(wrong & read for read, _ in checks):
        mistakes.append("more is checked once this is corrected")
    return list(dict.fromkeys(mistakes))


def shape(size: int | list[int]) -> Shape:
    """Read a size as a rubric writes it: one number, or [M, N, K]."""
    m, n, k = size if isinstance(size, list) else (size, size, size)
    return Shape(int(m), int(n), int(k))


def _shapes(sizes: Table) -> dict[str, Shape]:
    """Return every size by its place."""
    return {f"sizes.{name}[{index}]": shape(size) for name in LISTS for index, size in enumerate(sizes.get(name, []))}


def _called(table: Table) -> Iterator[str]:
    yield from calls.mistakes(table, _shapes(table["sizes"]))
    yield from further.mistakes(table, _shapes(table["sizes"]))


def _timing(table: Table) -> Iterator[str]:
    timing = cattrs.structure(table.get("timing", {}), Timing)
    if timing.min_rounds > timing.max_rounds:
        yield f"timing.min_rounds: must not exceed max_rounds, which is {timing.max_rounds}"


def _sizes(table: Table) -> Iterator[str]:
    sizes = {name: [shape(size) for size in table["sizes"].get(name, [])] for name in LISTS}
    yield from _hidden(sizes)
    for name, shapes in sizes.items():
        for index, size in enumerate(shapes):
            if size in shapes[:index]:
                yield f"sizes.{name}[{index}]: {size} is listed twice"
            if name == "timing" and size not in sizes["correctness"]:
                yield f"sizes.timing[{index}]: {size} is timed, so it must be in sizes.correctness too"
            if name in {"timing", "large"} and table["kernel"].get("types", {}).get("A") == "uint8":
                yield f"sizes.{name}[{index}]: products of uint8 are not timed, because fresh inputs have signs"
            if name == "large" and size in sizes["correctness"]:
                yield f"sizes.large[{index}]: {size} is in sizes.correctness, so put it into sizes.timing instead"


def _hidden(sizes: Mapping[str, list[Shape]]) -> Iterator[str]:
    hidden = sizes["hidden"]
    for index, size in enumerate(hidden):
        if size not in (*sizes["correctness"], *sizes["large"]):
            yield f"sizes.hidden[{index}]: {size} is not one of sizes.correctness or sizes.large"
        if size in sizes["quick"]:
            yield f"sizes.hidden[{index}]: {size} is in sizes.quick, which students check"
    if set(sizes["correctness"]) <= set(hidden):
        yield "sizes.hidden: every size of sizes.correctness is hidden, and students must see at least one"


def _criteria(table: Table) -> Iterator[str]:
    criteria = table["criteria"]
    ids = [criterion["id"] for criterion in criteria]
    for index, criterion in enumerate(criteria):
        at = f"criteria[{index}]"
        if criterion["id"] in ids[:index]:
            yield f"{at}.id: {criterion['id']} is already the id of criteria[{ids.index(criterion['id'])}]"
        yield from _curve(at, criterion)
        for name in criterion.get("requires", []):
            if name not in ids:
                yield f"{at}.requires: there is no criterion with the id {shown(name)}{nearest(name, ids)}"
    if len(set(ids)) == len(ids):
        yield from _circles(criteria)


def _points(table: Table) -> Iterator[str]:
    total = math.fsum(criterion["points"] for criterion in table["criteria"])
    if not math.isclose(total, table["points"], rel_tol=1e-9):
        yield f"points: the criteria add up to {total:g}, but the rubric says {table['points']:g}"


def _counted_sizes(table: Table) -> Iterator[str]:
    for index, criterion in enumerate(table["criteria"]):
        names = KINDS[criterion["kind"]].sizes
        known = {shape(size) for name in names for size in table["sizes"].get(name, [])}
        if names and not known and "sizes" not in criterion:
            yield f"criteria[{index}]: it counts the sizes of sizes.{names[0]}, but there are none"
        for size in map(shape, criterion.get("sizes", []) if names else ()):
            if size not in known:
                yield f"criteria[{index}].sizes: {size} is not one of sizes.{' or sizes.'.join(names)}"


def _curve(at: str, criterion: Table) -> Iterator[str]:
    for (left, low), (right, high) in pairwise(criterion.get("curve", [])):
        if right <= left:
            yield f"{at}.curve: values must increase, but {right:g} comes after {left:g}"
        if high < low:
            yield f"{at}.curve: shares must not fall, but {high:g} comes after {low:g}"
    for value, share in criterion.get("curve", []):
        if not 0 <= share <= 1:
            yield f"{at}.curve: the share at {value:g} must be from 0 to 1, but is {share:g}"


def _compared(table: Table) -> Iterator[str]:
    kernel = table["kernel"]
    is_plain = calls.type_names(kernel) == {"float32"} and kernel.get("math", "full") == "full"
    for index, criterion in enumerate(table["criteria"]):
        quantity = KINDS[criterion["kind"]].quantity
        at = f"criteria[{index}]: a criterion of kind {criterion['kind']} needs"
        if quantity and quantity.baseline and quantity.baseline not in table.get("baselines", {}):
            yield f"{at} baselines.{quantity.baseline}"
        if quantity and quantity.float32_only and not is_plain:
            yield f"{at} float32 and full math, because no other peak is known"


def _baselines(table: Table, has_kernel: HasKernel) -> Iterator[str]:
    baselines, interface = table.get("baselines", {}), calls.interface_record(table["kernel"])
    if "naive" in baselines and not has_kernel(baselines["naive"]):
        yield (
            f"baselines.naive: no file {shown(baselines['naive'])} is beside the rubric or in the reference folder, "
            "of which an installed grader has only the kernels that its own labs compare with"
        )
    if "library" in baselines and (interface.type_a, interface.type_c) not in LIBRARY_TYPES:
        yield f"baselines.library: cuBLAS has no product of {interface.type_a} into {interface.type_c}"


def _circles(criteria: list[Table]) -> Iterator[str]:
    try:
        TopologicalSorter({criterion["id"]: criterion.get("requires", []) for criterion in criteria}).prepare()
    except CycleError as error:
        for index, criterion in enumerate(criteria):
            if criterion["id"] in error.args[1]:
                yield f"criteria[{index}].requires: {criterion['id']} requires itself, directly or through others"
