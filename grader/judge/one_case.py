"""Run one case in a worker, read the matrices that its launches left, and judge them."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

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
from grader.judge.compiling import worker_error
from grader.judge.kernel_setup import KernelSetup
from grader.judge.launch_verdicts import Bytes, LaunchOutput, judge, names_others, with_reason
from grader.judge.own_launch import impossible_at
from grader.model import Case, CaseResult, Fault, Limits, Shape
from grader.sandbox.box_files import open_plain
from grader.sandbox.client import Worker, WorkerLostError

REPORT_SECONDS = 10.0  # beyond the limit, in which a backend reports where the kernel was
OTHER_SECONDS = 10.0  # for all but the launches of a case, of which most take less than one
LIBRARY_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class RanCase:
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


MatrixFiles = dict[str, BinaryIO]  # open files with the memory of A, B and C
AskLibrary = Callable[[Check], Future[Bytes]]  # starts the library's product of the same inputs


def run_case(
    worker: Worker, setup: KernelSetup, case: Case, following: tuple[Case, ...], ask_library: AskLibrary | None
) -> RanCase:
    """Run a case. Meanwhile, the worker draws the inputs of the `following` ones."""
    if fault := impossible_at(case.shape, setup.launch, setup.interface):
        return _decided(_failed(case, fault, at_size(fault, case.shape)))
    launch, limits = launch_at(setup.launch, case.shape), replace(setup.limits, case_seconds=setup.seconds_of(case))
    request = Check(setup.artifact.build, launch, case, setup.interface, limits, following)
    began = time.monotonic()
    try:
        with _using(worker, setup, request):
            began = time.monotonic()
            answer = _unless_manipulated(worker, setup, _expect_checked(_answer(worker, setup, request)))
    except WorkerLostError as lost:
        return _lost(lost, request, time.monotonic() - began)
    seconds = time.monotonic() - began
    return _answered(worker, setup, request, answer, seconds, ask_library if case.run == RUNS[1] else None)


def _answered(
    worker: Worker, setup: KernelSetup, request: Check, answer: Checked, seconds: float, ask_library: AskLibrary | None
) -> RanCase:
    """Return a case whose worker has answered: it has failed, or the matrices that its launches left are to judge."""
    case, printed = request.case, answer.printed or worker.printed()
    said = explained(answer, Asked(setup.interface, case.shape, request.limits))
    tolerated = _tolerated(said.fault, setup) if answer.ended and not answer.spent else None
    if said.fault is not None and tolerated is None:
        failed = _failed(case, said.fault, at_size(said.fault, case.shape), seconds, printed)
        return _decided(replace(failed, timed_out=answer.timed_out, finding=answer.finding), spent=answer.spent)
    product = ask_library(request) if ask_library else None
    left = [_open_and_unlink(worker.box, number) for number in range(case.launches)]

    def judge_outputs() -> CheckedCase:
        outputs = [_launch_output(files, case, setup) for files in left]
        trial = Trial(
            case, setup.interface, request.launch, setup.backend, setup.artifact.uses, setup.conditions.expect
        )
        by_library = product.result() if product else None
        with timeline.span(f"judge {case.shape} {case.run}"):
            judged = with_reason(judge(trial, outputs, seconds, printed, by_library), tolerated or said.reason)
        result = replace(
            judged.result,
            tolerated=tolerated,
            remark=said.remark,
            partly_searched=said.partly_searched,
            searched=blocks_searched(case, request.launch, setup.backend),
        )
        return replace(judged, result=result, resources=answer.resources)

    elements = case.launches * case.shape.M * case.shape.N
    return RanCase(case.shape, judge_outputs, answer.spent, elements=elements, product=product)


def _failed(case: Case, fault: Fault, named: Fault, seconds: float = 0.0, printed: str = "") -> CheckedCase:
    """Return a case with a fault. `named` is the same, with the size in its sentence."""
    return CheckedCase(CaseResult(case, fault.verdict, seconds, named, printed=printed), clause=clause_of(fault))


def _decided(checked: CheckedCase, *, spent: bool = False) -> RanCase:
    """Return a case about which there is nothing more to find out."""
    result = checked.result
    at_a_limit = checked.timed_out or result.verdict.stopped_at_a_limit
    return RanCase(result.case.shape, lambda: checked, spent, at_a_limit)


@contextmanager
def _using(worker: Worker, setup: KernelSetup, request: Check) -> Iterator[None]:
    """Share the GPU, if the backend has one, once the inputs are drawn: a grade that times waits for all who share."""
    if setup.backend.capabilities.needs_device_lock:
        worker.ask(Draw(request), OTHER_SECONDS)
        with setup.conditions.gpu.shared():
            yield
    else:
        yield


def _answer(worker: Worker, setup: KernelSetup, request: Check) -> Answer:
    seconds = request.limits.case_seconds
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


def lost_fault(lost: WorkerLostError, case: Case, limits: Limits) -> Fault:
    """The fault of a kernel that ended its worker. Raises InfrastructureError if the worker failed by itself."""
    if lost.stopped:
        return kernel_stopped(lost.stopped, limits)
    if lost.failed_by_itself:
        raise worker_error(f"checking {case.shape}", lost)
    return kernel_crashed(case.shape, -(lost.code or 0))


def _lost(lost: WorkerLostError, request: Check, seconds: float) -> RanCase:
    shape, fault = request.case.shape, lost_fault(lost, request.case, request.limits)
    named = at_size(fault, shape) if lost.stopped else fault  # the sentence of a crash has the size
    failed = _failed(request.case, fault, named, seconds, lost.printed)
    return _decided(replace(failed, timed_out=lost.stopped is Stopped.TIME), spent=True)


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
