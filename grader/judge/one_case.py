"""Run one case in a worker, read the matrices that its launches left, and judge them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, TypeAlias

import numpy as np

from grader.contract.files import matrix_file
from grader.contract.inputs import RUNS
from grader.contract.layout import guarded_bytes, launch_at, operands
from grader.contract.messages import Answer, Check, Checked, Draw
from grader.errors import InfrastructureError
from grader.explain.answers import Asked, explained, fault_of
from grader.explain.limits import at_size, clause_of, kernel_crashed, kernel_stopped
from grader.explain.searches import blocks_searched
from grader.explain.several_cases import CheckedCase
from grader.explain.wrong_elements.trial import Trial
from grader.host import timeline
from grader.host.stopped import Stopped
from grader.judge.compiling import Artifact, worker_error
from grader.judge.conditions import Conditions
from grader.judge.launch_verdicts import Bytes, LaunchOutput, judge, names_others, with_reason
from grader.judge.own_launch import impossible_at
from grader.model import Backend, Case, CaseResult, Fault, Interface, Launch, Limits, Shape
from grader.sandbox.box_files import open_plain
from grader.sandbox.client import Worker, WorkerLostError

SIMULATED_FLOPS = 2e8  # per second: the slowest machine and kernel that keep the limit
REPORT_SECONDS = 10.0  # beyond the limit, in which a backend reports where the kernel was
# The seconds for the smallest product, and the FLOPs of one that may take all of `case_seconds`. A trap took 2.3 s with
# three others on a GPU, and more than 3.5 with fourteen. On the simulator, checked launches of correct kernels take at
# most 1.3 s at N = 33, and 15 at 128.
ON_GPU, SIMULATED = (5.0, 2.0 * 2048**3), (6.0, 2.0 * 128**3)
OTHER_SECONDS = 10.0  # for all but the launches of a case, of which most take less than one
LIBRARY_SECONDS = 60.0
LAUNCHES_IN_LIMIT = 10  # launches of a small size for which the seconds of one case suffice


@dataclass(frozen=True, slots=True)
class KernelSetup:
    """A compiled kernel, its launch, and the conditions that all of its cases share."""

    artifact: Artifact
    launch: Launch
    conditions: Conditions
    extra_seconds: float = 0.0  # for an answer, beyond the seconds of its case

    @property
    def interface(self) -> Interface:
        return self.conditions.rubric.interface

    @property
    def limits(self) -> Limits:
        return self.conditions.rubric.limits

    @property
    def backend(self) -> Backend:
        return self.conditions.backend


@dataclass(frozen=True, slots=True)
class RunCase:
    """A case that ran and is not judged yet. `judge` judges it; until then, `elements` elements of C are kept.

    If the worker is `spent`, it can run no more cases. `stopped_at_a_limit` is known before the case is judged. `judge`
    waits for the library's `product`, if there is one.
    """

    shape: Shape
    judge: Callable[[], CheckedCase]
    spent: bool = False
    stopped_at_a_limit: bool = False
    elements: int = 0
    product: Future[Bytes] | None = None


MatrixFiles: TypeAlias = dict[str, BinaryIO]  # open files with the memory of A, B and C
AskLibrary = Callable[[Check], Future[Bytes]]  # starts the library's product of the same inputs


def run_case(
    worker: Worker, setup: KernelSetup, case: Case, following: tuple[Case, ...], ask_library: AskLibrary | None
) -> RunCase:
    """Run a case. Meanwhile, the worker draws the inputs of the `following` ones."""
    if fault := impossible_at(case.shape, setup.launch, setup.interface):
        return _failed(case, at_size(fault, case.shape), clause_of(fault), 0.0, "", spent=False, timed_out=False)
    seconds = case_seconds(setup, case)
    limits = replace(setup.limits, case_seconds=seconds)
    launch = launch_at(setup.launch, case.shape)
    request = Check(setup.artifact.build, launch, case, setup.interface, limits, following)
    began = time.monotonic()
    try:
        with _using(worker, setup, request):
            began = time.monotonic()
            answer = _unless_manipulated(worker, setup, _expect_checked(_answer(worker, setup, request, seconds)))
    except WorkerLostError as lost:
        return _lost(lost, case, limits, time.monotonic() - began)
    spent, printed = time.monotonic() - began, answer.printed or worker.printed()
    said = explained(answer, Asked(setup.interface, case.shape, limits))
    tolerated = _tolerated(said.fault, setup) if answer.ended and not answer.spent else None
    if said.fault is not None and tolerated is None:
        fault, clause = at_size(said.fault, case.shape), clause_of(said.fault)
        failed = _failed(case, fault, clause, spent, printed, spent=answer.spent, timed_out=answer.timed_out)
        return replace(failed, judge=lambda: replace(failed.judge(), finding=answer.finding))
    product = ask_library(request) if ask_library and case.run == RUNS[1] else None
    left = [_open_and_unlink(worker.box, number) for number in range(case.launches)]

    def judge_outputs() -> CheckedCase:
        outputs = [_launch_output(files, case, setup) for files in left]
        trial = Trial(case, setup.interface, launch, setup.backend, setup.artifact.uses, setup.conditions.expect)
        by_library = product.result() if product else None
        with timeline.span(f"judge {case.shape} {case.run}"):
            judged = with_reason(judge(trial, outputs, spent, printed, by_library), tolerated or said.reason)
        result = replace(judged.result, tolerated=tolerated, remark=said.remark, partly_searched=said.partly_searched)
        result = replace(result, searched=blocks_searched(case, launch, setup.backend))
        return replace(judged, result=result, resources=answer.resources)

    return RunCase(
        case.shape, judge_outputs, answer.spent, elements=case.launches * case.shape.M * case.shape.N, product=product
    )


@contextmanager
def _using(worker: Worker, setup: KernelSetup, request: Check) -> Iterator[None]:
    """Share the GPU, if the backend has one, once the inputs are drawn: a grade that times waits for all who share."""
    if setup.backend.capabilities.needs_device_lock:
        worker.ask(Draw(request), OTHER_SECONDS)
        with setup.conditions.gpu.shared():
            yield
    else:
        yield


def _answer(worker: Worker, setup: KernelSetup, request: Check, seconds: float) -> Answer:
    if setup.backend.capabilities.limits_itself:
        return worker.ask_to_compute(request, seconds + setup.extra_seconds + REPORT_SECONDS)
    return worker.ask_to_launch(request, seconds, setup.extra_seconds + OTHER_SECONDS)


def _unless_manipulated(worker: Worker, setup: KernelSetup, answer: Checked) -> Checked:
    """Return the answer. Raises WorkerLostError if it shows that the kernel has manipulated the worker."""
    facts = setup.artifact.build.ptx_facts
    if names_others(answer, setup.artifact.content, facts, setup.interface.matrices):
        raise WorkerLostError(Stopped.NO, None, worker.printed())
    return answer


def _tolerated(fault: Fault | None, setup: KernelSetup) -> Fault | None:
    """Return the fault if this lab only remarks on it: undefined behaviour in a launch that ended. None otherwise."""
    remarks = setup.conditions.rubric.undefined == "remark"
    return fault if remarks and fault is not None and fault.verdict.is_undefined else None


def library_product(library: Worker, setup: KernelSetup, request: Check) -> Bytes:
    """Return the bytes of C that the library computes for the same inputs. The grades of a class share them."""
    return setup.conditions.product(request.case, lambda: _library_product(library, setup, request))


def _library_product(library: Worker, setup: KernelSetup, request: Check) -> Bytes:
    library.open_beside(setup.conditions.gpu)
    of_library = tuple(case for case in request.following if case.run == RUNS[1])  # it computes no other products
    asked = replace(request, build=None, following=of_library)
    try:
        with _using(library, setup, asked):
            answer = _expect_checked(library.ask(asked, LIBRARY_SECONDS))
    except WorkerLostError as lost:
        raise worker_error(f"computing {request.case.shape} by the library", lost) from lost
    if answer.finding is not None:
        fault = fault_of(answer.finding, Asked(setup.interface, request.case.shape, request.limits))
        raise InfrastructureError(f"The library failed at {request.case.shape}: {fault.sentence}")
    return _launch_output(_open_and_unlink(library.box, 0), request.case, setup).C


def case_seconds(setup: KernelSetup, case: Case) -> float:
    """The seconds that a case may take: less for a small product, and more on a slow backend."""
    grows = setup.backend.capabilities.limit_grows_with_size
    least, flops_of_limit = SIMULATED if grows else ON_GPU
    share = min(1.0, max(least / setup.limits.case_seconds, case.shape.flops / flops_of_limit))
    seconds = share * setup.limits.case_seconds * (1 + case.launches // LAUNCHES_IN_LIMIT)
    return seconds + case.launches * case.shape.flops / SIMULATED_FLOPS if grows else seconds


def lost_fault(lost: WorkerLostError, case: Case, limits: Limits) -> Fault:
    """The fault of a kernel that ended its worker. Raises InfrastructureError if the worker failed by itself."""
    if lost.stopped:
        return kernel_stopped(lost.stopped, limits)
    if lost.code is not None and lost.code > 0:
        raise worker_error(f"checking {case.shape}", lost)
    return kernel_crashed(case.shape, -(lost.code or 0))


def _lost(lost: WorkerLostError, case: Case, limits: Limits, seconds: float) -> RunCase:
    fault, timed_out = lost_fault(lost, case, limits), lost.stopped is Stopped.TIME
    clause = clause_of(fault)
    fault = at_size(fault, case.shape) if lost.stopped else fault
    return _failed(case, fault, clause, seconds, lost.printed, spent=True, timed_out=timed_out)


def _failed(
    case: Case, fault: Fault, clause: str, seconds: float, printed: str, *, spent: bool, timed_out: bool
) -> RunCase:
    result = CaseResult(case, fault.verdict, seconds, fault, printed=printed)
    checked = CheckedCase(result, timed_out=timed_out, clause=clause)
    return RunCase(case.shape, lambda: checked, spent, timed_out or fault.verdict.stopped_at_a_limit)


def _open_and_unlink(box: Path, number: int) -> MatrixFiles:
    """Open and unlink the matrices of a launch: the next case may write its own while these are read."""
    files = {}
    for name in ("A", "B", "C"):
        path = matrix_file(box, name, number)
        files[name] = open_plain(path)
        path.unlink()
    return files


def _launch_output(files: MatrixFiles, case: Case, setup: KernelSetup) -> LaunchOutput:
    memory = operands(setup.interface, case.shape)

    def content(name: str) -> Bytes:
        size = guarded_bytes(memory[name])
        with files[name] as file:
            content = np.fromfile(file, np.uint8, size)
        if content.size != size:
            raise InfrastructureError(f"The worker left {content.size} of {size} bytes of {name}.")
        return content

    return LaunchOutput(content("A"), content("B"), content("C"))


def _expect_checked(answer: object) -> Checked:
    if not isinstance(answer, Checked):
        raise InfrastructureError(f"The worker answered with {type(answer).__name__}.")
    return answer
