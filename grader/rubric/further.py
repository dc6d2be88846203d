"""What a rubric has besides one kernel and A, B and C: kernels that are launched before it, and further matrices."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

import cattrs

from grader.contract.further import further
from grader.model import FurtherMatrix, Interface, KernelBefore, Limits, Shape
from grader.model.expressions import ExpressionError
from grader.rubric import calls
from grader.rubric.errors import Table, extents

MOST_ELEMENTS = 1 << 31  # of a matrix: 8 GiB of float32


def mistakes(table: Table, sizes: Mapping[str, Shape]) -> Iterator[str]:
    """Yield every mistake in the kernels before and in the matrices at `sizes`, which are given by their places."""
    kernel, matrices = table["kernel"], table.get("matrices", {})
    shapes = tuple(dict.fromkeys(sizes.values()))
    launched = {kernel["name"].partition("<")[0]: "kernel"}
    for index, before in enumerate(table.get("before", [])):
        at = f"before[{index}]"
        if before["name"] in launched:
            yield f"{at}.name: {before['name']} is launched by {launched[before['name']]} already"
        launched.setdefault(before["name"], at)
        called = {**kernel, "parameters": before["parameters"], "symbols": []}
        yield from calls.call((at, at), called, before, shapes, matrices)
    used = {text for each in (kernel, *table.get("before", [])) for text in each["parameters"]}
    for name, matrix in matrices.items():
        if name in calls.SHARED_NAMES:
            yield f"matrices.{name}: the name {name} has another meaning among parameters"
        elif name not in used:
            yield f"matrices.{name}: no kernel has {name} among its parameters"
        lengths, most = {shape: shape.lengths for shape in shapes}, [MOST_ELEMENTS] * len(matrix["shape"])
        yield from extents(f"matrices.{name}.shape", matrix["shape"], lengths, most, MOST_ELEMENTS, "elements")
    yield from _memory(table, {shape for place, shape in sizes.items() if place.startswith("sizes.correctness")})


def added(interface: Interface, table: Table, example: Shape) -> Interface:
    """Return how a lab's kernels are called, with those before the one of the interface and further matrices."""
    before = (
        KernelBefore(each["name"], tuple(each["parameters"]), calls.launch_record(each, example))
        for each in table.get("before", [])
    )
    matrices = [{"name": name, **each} for name, each in table.get("matrices", {}).items()]
    return replace(interface, before=tuple(before), matrices=cattrs.structure(matrices, tuple[FurtherMatrix, ...]))


def _memory(table: Table, shapes: Collection[Shape]) -> Iterator[str]:
    """Yield the size at which the matrices leave too little of the host's memory, in which the simulator has them."""
    limit = table.get("limits", {}).get("memory_mib", Limits().memory_mib)
    interface = added(calls.interface_record(table["kernel"]), {"matrices": table.get("matrices", {})}, Shape(1, 1, 1))
    with suppress(ExpressionError):
        for shape in sorted(shapes, key=lambda shape: shape.flops):
            if (mib := sum(each.nbytes for each in further(interface, shape).values()) >> 20) > limit // 2:
                yield f"matrices: they have {mib} MiB at {shape}, more than half of limits.memory_mib, which is {limit}"
                return
