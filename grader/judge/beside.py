"""Checked launches on another backend, concurrently with the device's own cases: a device does not show data races.

A checked launch that proves a fault counts. Any other failure of it is a remark, because the device decides whether an
answer is correct.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from grader.contract.messages import SEARCH_SECONDS
from grader.errors import InfrastructureError
from grader.explain import searches
from grader.explain.searches import by_compute_sanitizer
from grader.explain.several_cases import CheckedCase
from grader.host.process import Running
from grader.judge.cases import LARGEST_WITH_EDGES
from grader.judge.kernel_setup import KernelSetup
from grader.judge.one_case import run_case
from grader.model import Case, Shape, Verdict
from grader.sandbox.client import Worker
from grader.sandbox.starting import worker

PROOFS = {Verdict.DATA_RACE, Verdict.UNSET_MEMORY, Verdict.WARP_MASK, Verdict.OUT_OF_BOUNDS, Verdict.BARRIER}
MOST_SECONDS = 8.0  # of CPU time per launch: a race must be found on a busy host too, where a launch took 4
GRACE_SECONDS = 5.0  # beyond the time limit of a tool, to start and end its processes
MEMORY_MIB = 8192  # for these processes, beyond the submission's limit

_Launches = dict[Shape, CheckedCase | str]  # by size; a sentence where the launch was impossible


def check_beside(
    on_device: Iterable[CheckedCase], device: KernelSetup, setup: KernelSetup, traced: Sequence[Case], worker: Worker
) -> Iterator[CheckedCase]:
    """Yield the device's cases, and before the first case of each size its `traced` case, which runs in `worker`.

    If the worker does not support the kernel, the traced cases run on the `device` under compute-sanitizer. The
    device's cases wait for the traced ones, so that the order is always the same.
    """
    running = [worker.running]
    with ThreadPoolExecutor(max_workers=1) as beside:
        launching = beside.submit(_launches, device, setup, traced, worker, running)
        try:
            held: list[CheckedCase] = []
            for checked in on_device:
                held.append(checked)
                if launching.done():
                    yield from in_order(held, launching.result())
                    held = []
            yield from in_order(held, launching.result())
        finally:
            if not launching.done():
                for each in running:
                    each.kill()  # otherwise, leaving the block waits for the launches


def without_search(cases: Iterable[CheckedCase]) -> Iterator[CheckedCase]:
    """Add a remark to the first case of a lab in which no size is small enough for a checked launch."""
    for number, case in enumerate(cases):
        yield case if number else _with_remark(case, searches.only_large(LARGEST_WITH_EDGES))


def _launches(
    device: KernelSetup, setup: KernelSetup, traced: Sequence[Case], worker: Worker, running: list[Running]
) -> _Launches:
    """Run the traced cases in the worker, or under compute-sanitizer if the worker does not support the kernel."""
    limits = replace(setup.limits, case_seconds=min(setup.limits.case_seconds, MOST_SECONDS))
    launches = _by_size(traced, _searched(replace(setup, conditions=setup.conditions.within(limits)), traced, worker))
    judged = [launch for launch in launches.values() if isinstance(launch, CheckedCase)]
    refused = next((launch for launch in judged if launch.result.verdict is Verdict.NOT_SUPPORTED), None)
    if refused is None or not device.backend.capabilities.has_sanitizer:
        return launches
    return _by_size(traced, _sanitized(device, traced, refused.clause, running), refused.clause)


def _by_size(traced: Sequence[Case], launches: Iterator[CheckedCase], reason: str = "") -> _Launches:
    """Return the launches by size. An error is no reason to end the grade: the sizes that it leaves out say it."""
    by_size: _Launches = {}
    try:
        for checked in launches:
            by_size[checked.result.case.shape] = checked
    except InfrastructureError as error:
        return dict.fromkeys((case.shape for case in traced), searches.failed(error, reason)) | by_size
    return by_size


def _searched(setup: KernelSetup, traced: Sequence[Case], worker: Worker) -> Iterator[CheckedCase]:
    """Run the traced cases in the worker until one does not finish."""
    worker.finish_opening()
    setup.artifact.put_into(worker)
    for case in traced:
        ran = run_case(worker, setup, case, (), None)
        yield ran.judge()
        if ran.spent or ran.stopped_at_a_limit:
            return


def _sanitized(
    setup: KernelSetup, traced: Sequence[Case], reason: str, running: list[Running]
) -> Iterator[CheckedCase]:
    """Yield the traced cases until one has a fault. `reason` says why the simulator does not support the kernel.

    The worker's process is added to `running`. All blocks run, because a GPU is fast enough. Raises InfrastructureError
    if compute-sanitizer does not work.
    """
    limits = replace(setup.limits, memory_mib=setup.limits.memory_mib + MEMORY_MIB)
    patient = replace(setup, extra_seconds=SEARCH_SECONDS + GRACE_SECONDS)
    with worker(setup.backend, limits, setup.conditions.start) as current:
        running.append(current.running)
        current.begin_opening(searching=True)
        for checked in _searched(patient, [replace(case, shared_out=False) for case in traced], current):
            yield _with_remark(checked, f"{checked.result.remark} {by_compute_sanitizer(reason)}".strip())
            if checked.result.fault is not None:
                return


def in_order(held: Sequence[CheckedCase], launches: _Launches) -> Iterator[CheckedCase]:
    """Yield the device's cases, and before the first case of each size its checked launch or a remark."""
    for on_device in held:
        launch = launches.pop(on_device.result.case.shape, None)
        if isinstance(launch, str):
            yield _with_remark(on_device, launch)
        elif launch is None:
            yield on_device
        elif _counts(launch, on_device):
            yield from (launch, on_device)
        elif (tolerated := launch.result.tolerated) is not None:  # its C is wrong on the simulator only
            yield replace(on_device, result=replace(on_device.result, tolerated=tolerated))
        else:
            yield _with_remark(on_device, _problem(launch))


def _counts(launch: CheckedCase, on_device: CheckedCase) -> bool:
    """Whether a checked launch belongs in the report.

    A wrong answer does if the device's answer is wrong too, or if the fault does not rest on wrong elements. An endless
    launch does if the device's is endless too. A crash does if it has a line and the device's case has any fault.
    """
    verdict, beside = launch.result.verdict, on_device.result.verdict
    if launch.timed_out:
        return beside is Verdict.TIMEOUT
    is_the_same = verdict is Verdict.WRONG_ANSWER and verdict is beside
    line = launch.result.fault.line if launch.result.fault else None
    is_located = verdict is Verdict.CRASHED and line is not None and beside.is_students_fault
    is_proved = verdict is Verdict.WRONG_ANSWER and launch.result.mismatch is None
    return verdict is Verdict.OK or verdict in PROOFS or is_the_same or is_located or is_proved


def _problem(launch: CheckedCase) -> str:
    fault, has_all_blocks = launch.result.fault, not launch.result.case.shared_out
    if fault is None or fault.verdict is Verdict.WRONG_ANSWER:
        return launch.result.remark or (searches.OTHER_ANSWER if has_all_blocks else "")
    return searches.not_searched(launch.clause)


def _with_remark(checked: CheckedCase, remark: str) -> CheckedCase:
    """Add a remark to a case, unless it has a fault, which matters more."""
    if checked.result.fault is not None:
        return checked
    return replace(checked, result=replace(checked.result, remark=remark))
