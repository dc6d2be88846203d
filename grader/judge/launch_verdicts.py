"""Judge the matrices that a launch left in memory. Pure; runs in the judge, never in a worker."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, is_dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grader.comparison import compare
from grader.comparison.shortened_factors import bits_of_results, shortened
from grader.contract.inputs import ALIKE
from grader.contract.layout import bits, blocks_that_run, elements_between, load, operands, padding, store
from grader.contract.messages import Checked
from grader.explain import launch_outputs
from grader.explain.answers import parts
from grader.explain.several_cases import CheckedCase
from grader.explain.wrong_elements.error_pattern import mismatch as mismatch_of
from grader.explain.wrong_elements.trial import Trial
from grader.explain.wrong_elements.wrong_answer import wrong_answer
from grader.model import Accuracy, Case, CaseResult, Fault, FurtherMatrix, Mismatch, Operand, PtxFacts, Verdict
from grader.model.matrices import MATRICES

Bytes = NDArray[np.uint8]
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class LaunchOutput:
    """The bytes of A, B and C after a launch, with the guards around each matrix."""

    A: Bytes
    B: Bytes
    C: Bytes


@dataclass(frozen=True, slots=True)
class _Wrong:
    fault: Fault
    mismatch: Mismatch | None = None


def judge(
    trial: Trial, outputs: Sequence[LaunchOutput], seconds: float, printed: str, library: Bytes | None = None
) -> CheckedCase:
    """Judge a case whose launches ended. `library` is the memory of C that cuBLAS computed for the same inputs."""
    accuracy = None
    for number, left in enumerate(outputs):
        judged = _judge_launch(trial, number, left, library)
        if isinstance(judged, _Wrong):
            wrong, verdict = judged.fault, judged.fault.verdict
            return CheckedCase(CaseResult(trial.case, verdict, seconds, wrong, judged.mismatch, None, printed))
        accuracy = judged
    return CheckedCase(CaseResult(trial.case, Verdict.OK, seconds, None, None, accuracy, printed))


def with_reason(judged: CheckedCase, reason: Fault | None) -> CheckedCase:
    """If the answer is wrong, replace the hint by the reason and the line that the launch itself shows."""
    fault = judged.result.fault
    if reason is None or fault is None or fault.verdict is not Verdict.WRONG_ANSWER:
        return judged
    explained = replace(fault, hint=f"{reason.sentence} {reason.hint}", line=reason.line)
    return CheckedCase(replace(judged.result, fault=explained))


def _judge_launch(trial: Trial, number: int, left: LaunchOutput, library: Bytes | None) -> _Wrong | Accuracy | None:
    """Return the first fault of one launch; if it has none, its accuracy, or None for a result that must be exact."""
    expected = trial.expect(trial.case, trial.interface, number)
    inputs = expected.inputs
    memory = operands(trial.interface, trial.case.shape)
    for name, content, sent in (("A", left.A, inputs.A), ("B", left.B, inputs.B), ("C", left.C, None)):
        if fault := _guard_fault(trial, memory[name], content):
            return _Wrong(fault)
        if sent is not None and _differs(
            elements_between(content, memory[name]), store(sent, memory[name], trial.interface)
        ):
            return _Wrong(launch_outputs.changed(name, trial))
    start = store(inputs.C, memory["C"], trial.interface)
    elements = elements_between(left.C, memory["C"])
    if _differs(padding(elements, memory["C"]), padding(start, memory["C"])):
        return _Wrong(launch_outputs.between_lines(trial))
    C, before = (load(values, memory["C"], trial.interface) for values in (elements, start))
    return _judge_elements(trial, number, compare.compare(expected, C, before, _elements_to_write(trial)), library)


def _fitted(case: Case) -> int:
    """The launch in which fewer bits are looked for: in all of them, this would take most of the time.

    The seed draws it, because a kernel may count its launches. One of ALIKE has real inputs of its own.
    """
    return min(case.seed % case.launches // ALIKE * ALIKE + 1, case.launches - 1)


def _judge_elements(
    trial: Trial, number: int, comparison: compare.Comparison, library: Bytes | None
) -> _Wrong | Accuracy | None:
    want, limit = comparison.want, comparison.limit
    if comparison.wrong.any():
        mismatch = mismatch_of(comparison)
        if number:
            return _Wrong(launch_outputs.later_launch(trial.case.shape, number, mismatch), mismatch)
        return _Wrong(wrong_answer(trial, comparison, mismatch), mismatch)
    if limit is None:
        return None
    if number == _fitted(trial.case) and (fault := _of_fewer_bits(trial, comparison)):
        return _Wrong(fault)
    rounded = comparison.inputs.rounded
    kernel = limit.multiple(comparison.got, want, rounded & comparison.looked)
    reference = limit.on_host if library is None else limit.multiple(_product(trial, library), want, rounded)
    return Accuracy(kernel, reference, trial.interface.accuracy)


def _of_fewer_bits(trial: Trial, comparison: compare.Comparison) -> Fault | None:
    want = comparison.want
    if found := shortened(comparison.inputs, trial.interface, want, comparison.got - want, comparison.looked):
        return launch_outputs.of_shortened_factors(trial, found)
    kept = bits_of_results(comparison, trial.interface)
    return None if kept is None else launch_outputs.of_short_results(trial, kept)


def _product(trial: Trial, library: Bytes) -> compare.Exact:
    memory = operands(trial.interface, trial.case.shape)["C"]
    return compare.as_float64(load(elements_between(library, memory), memory, trial.interface))


def _elements_to_write(trial: Trial) -> compare.Mask | None:
    """Mark the elements of C that the launch had to write (M x N); None for all."""
    numbers = blocks_that_run(trial.case, trial.launch)
    return None if numbers is None else compare.ran_elements(trial.case.shape, trial.launch, numbers)


def _differs(left: NDArray[np.generic], right: NDArray[np.generic]) -> bool:
    return not np.array_equal(bits(left), bits(right))


def _guard_fault(trial: Trial, operand: Operand, content: Bytes) -> Fault | None:
    """Return the fault of a launch that changed the guards around a matrix; None if it did not."""
    offset = compare.guards_broken(content, operand)
    if offset is None:
        return None
    size = np.dtype(operand.dtype).itemsize
    beyond = -(offset // size) if offset < 0 else (offset - operand.nbytes) // size + 1
    return launch_outputs.outside(operand.name, trial.case.shape, beyond, before=offset < 0)


def names_others(
    answer: Checked, program: bytes, facts: PtxFacts | None = None, further: Iterable[FurtherMatrix] = ()
) -> bool:
    """Whether an answer names an array or a variable that is no matrix, and that program and compiler do not name."""
    names = (getattr(part, "name", None) for part in parts(answer) if is_dataclass(part))
    words = {word for name in names if isinstance(name, str) for word in WORD.findall(name)}
    known = {array.name for array in facts.local_arrays} if facts else set()
    given = {matrix.name for matrix in further}
    return any(word.encode() not in program for word in words.difference(MATRICES, known, given))
