"""From what a launch left behind to a verdict. Pure, and on the judge's side of the wall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader import explain, verify
from grader.inputs import Inputs, draw, sampled_blocks
from grader.layout import image, load, operands, poison, store
from grader.model import (
    Accuracy,
    Backend,
    Case,
    CaseResult,
    Coverage,
    Fault,
    Image,
    Interface,
    Launch,
    Mismatch,
    Operand,
    Verdict,
)

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Remains:
    """The bytes of A, B and C with their guards, as a launch left them."""

    A: Bytes
    B: Bytes
    C: Bytes


@dataclass(frozen=True, slots=True)
class _Wrong:
    fault: Fault
    mismatch: Mismatch | None = None


def judge(
    case: Case, interface: Interface, launch: Launch, backend: Backend, remains: Sequence[Remains], seconds: float, printed: str
) -> CaseResult:
    """The verdict of a case that ran to its end."""
    coverage = _coverage(case, launch) if backend is Backend.SIMULATOR else None
    accuracy = None
    for number, left in enumerate(remains):
        judged = _judge_launch(case, interface, launch, backend, number, left)
        if isinstance(judged, _Wrong):
            wrong = judged.fault
            return CaseResult(case, wrong.verdict, seconds, wrong, judged.mismatch, None, coverage, printed)
        accuracy = judged
    return CaseResult(case, Verdict.OK, seconds, None, None, accuracy, coverage, printed)


def _coverage(case: Case, launch: Launch) -> Coverage:
    grid = launch.grid(case.shape)
    blocks = grid[0] * grid[1] * grid[2]
    return Coverage(len(sampled_blocks(case, grid)) if case.sampled else blocks, blocks)


def _judge_launch(
    case: Case, interface: Interface, launch: Launch, backend: Backend, number: int, left: Remains
) -> _Wrong | Accuracy | None:
    """The first thing that is wrong with one launch, or how accurate it is where that is not exact."""
    inputs = draw(case, interface, number)
    memory = operands(interface, case.shape)
    for name, content, sent in (("A", left.A, inputs.A), ("B", left.B, inputs.B), ("C", left.C, inputs.C)):
        place = image(memory[name], name, backend)
        if fault := _guards(name, content, place, case, memory[name]):
            return _Wrong(fault)
        if name != "C" and sent is not None:
            original = store(sent, memory[name], interface).view(np.uint8)
            if not np.array_equal(content[place.before : place.before + place.nbytes], original):
                return _Wrong(_changed(name, case))
    place = image(memory["C"], "C", backend)
    elements = left.C[place.before : place.before + place.nbytes].view(memory["C"].dtype)
    if fault := _between_lines(elements, memory["C"], case):
        return _Wrong(fault)
    return _compare(case, interface, launch, number, inputs, load(elements, memory["C"], interface))


def _compare(
    case: Case, interface: Interface, launch: Launch, number: int, inputs: Inputs, got: NDArray[np.generic]
) -> _Wrong | Accuracy | None:
    want = verify.expected(inputs, interface)
    bound = None if inputs.exact else verify.rounding_bound(inputs, interface)
    unwritten = verify.never_written(np.ascontiguousarray(got))
    wrong = verify.wrong_elements(got, want, bound)
    if case.sampled:
        ran = verify.ran_elements(case.shape, launch, sampled_blocks(case, launch.grid(case.shape)))
        wrong &= ran | ~unwritten
    if wrong.any():
        found = verify.mismatch(got, want, wrong, unwritten)
        if number > 0:
            return _Wrong(_later_launch(case, number, found), found)
        return _Wrong(explain.wrong_answer(case, inputs, got, want, found, launch), found)
    if bound is None or case.sampled:
        return None
    library = (inputs.A @ inputs.B).astype(np.float64) if interface.alpha == 1.0 and inputs.C is None else want
    return Accuracy(verify.error_ratio(got, want, bound), verify.error_ratio(library, want, bound))


def _later_launch(case: Case, number: int, found: Mismatch) -> Fault:
    return Fault(
        Verdict.WRONG_ANSWER,
        f"The first launch at {case.shape} is right, launch {number + 1} of the same kernel on new inputs is wrong: "
        f"{found.region.wrong} of {found.region.total} elements.",
        "Results must not be kept from one launch to the next, and no launch may count on what an earlier one left.",
    )


def _guards(name: str, content: Bytes, place: Image, case: Case, operand: Operand) -> Fault | None:
    offset = verify.guards_broken(content, place)
    if offset is None:
        return None
    size = np.dtype(operand.dtype).itemsize
    where = f"{-offset} bytes before {name} begins" if offset < 0 else f"{(offset - place.nbytes) // size} elements past the end of {name}"
    return Fault(
        Verdict.OUT_OF_BOUNDS,
        f"The kernel writes outside of {name} at {case.shape}: {where}.",
        "Store only where row < N and col < N; the last blocks of a row and of a column stick out of the matrix.",
    )


def _between_lines(elements: NDArray[np.generic], operand: Operand, case: Case) -> Fault | None:
    """Padding between the lines of a pitched C must keep its poison."""
    if operand.stride == operand.length:
        return None
    padding = np.ascontiguousarray(elements.reshape(operand.lines, operand.stride)[:, operand.length :])
    if padding.tobytes() == poison(padding.nbytes):
        return None
    return Fault(
        Verdict.OUT_OF_BOUNDS,
        f"The kernel writes into the padding between the lines of C at {case.shape}.",
        "Lines are ld elements apart, and only the first of them belong to the matrix.",
    )


def _changed(name: str, case: Case) -> Fault:
    return Fault(
        Verdict.WRONG_ANSWER,
        f"The kernel changes its input {name} at {case.shape}.",
        f"Declare it const ({name} is read only), and work in registers or shared memory.",
    )
