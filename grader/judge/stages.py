"""Compile and check one kernel: the stages that a grade and a sweep share, besides its timing (timing/measuring.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.comparison.expectation import Expect, expectation
from grader.contract.files import file_name
from grader.contract.inputs import CHECKED
from grader.errors import InfrastructureError, SubmissionError
from grader.explain.several_cases import CheckedCase
from grader.host.gpu_lock import NOBODY_SHARES, GpuLock
from grader.judge import submission
from grader.judge.beside import check_beside, without_search
from grader.judge.checking import check
from grader.judge.compiling import Artifact, check_signature, compile_source
from grader.judge.one_case import KernelSetup, Product, computed_product
from grader.judge.own_launch import with_own_launch
from grader.judge.subjects import CHECKER, LIBRARY, NAIVE, SUBMISSION, TRACER, Subject
from grader.model import Case, Launch, Machine, Rubric
from grader.sandbox.client import Worker
from grader.sandbox.processes import Start, start_process


@dataclass(frozen=True, slots=True)
class Conditions:
    """What the compilation, the checks and the timing of a grade share: a lab, a machine, the seed of all inputs.

    `gpu` is the lock that grades on one machine share; a grade that already has the GPU alone needs none.
    """

    rubric: Rubric
    machine: Machine
    seed: int
    start: Start = start_process
    gpu: GpuLock = NOBODY_SHARES
    expect: Expect = expectation
    product: Product = computed_product


def compile_kernel(conditions: Conditions, content: bytes, file: str, flags: tuple[str, ...] = ()) -> Subject:
    """Compile a submission with the lab's flags and `flags`. Raises SubmissionError."""
    content = submission.without_magic(content)
    if fault := submission.fault(content):
        raise SubmissionError(fault)
    artifact = _compile(conditions, content, file_name(Path(file).name), flags)
    return Subject(SUBMISSION, artifact, artifact.build.launch or conditions.rubric.launch)


def compile_baselines(conditions: Conditions, naive: bytes, launch: Launch, *, library: bool) -> tuple[Subject, ...]:
    """Compile the baselines; `naive` is empty if there is no naive kernel. Raises InfrastructureError."""
    baselines = []
    if naive:
        try:
            artifact = _compile(conditions, naive, "naive.cu")
        except SubmissionError as error:
            raise InfrastructureError(f"The rubric's naive kernel does not compile: {error.fault.sentence}") from error
        baselines.append(Subject(NAIVE, artifact, artifact.build.launch or conditions.rubric.launch))
    return (*baselines, Subject(LIBRARY, None, launch)) if library else tuple(baselines)


def check_kernel(
    conditions: Conditions, kernel: Subject, cases: Sequence[Case], workers: Mapping[str, Worker]
) -> Iterator[CheckedCase]:
    """Check every case, and yield them in order. Cases that another backend traces run at the same time."""
    if kernel.artifact is None:
        raise ValueError("a product of the library is not checked")
    rubric, backend = conditions.rubric, conditions.machine.backend
    setup = KernelSetup(
        kernel.artifact,
        kernel.launch,
        rubric.interface,
        rubric.limits,
        backend,
        start=conditions.start,
        undefined=rubric.undefined,
        gpu=conditions.gpu,
        expect=conditions.expect,
        product=conditions.product,
    )
    first, library = workers.get(SUBMISSION) or workers.get(CHECKER), workers.get(LIBRARY)
    if backend.tracer and all(case.run != CHECKED for case in cases):
        return without_search(check(setup, cases, first, library))
    tracer, traced = backend.tracer, kernel.artifact.traced
    if tracer is None or traced is None or TRACER not in workers:
        return check(setup, cases, first, library)
    on_device = check(setup, [case for case in cases if case.run != CHECKED], first, library)
    beside = [case for case in cases if case.run == CHECKED]
    tracing = replace(setup, artifact=traced, backend=tracer, gpu=NOBODY_SHARES)
    return check_beside(on_device, setup, tracing, beside, workers[TRACER])


def _compile(conditions: Conditions, content: bytes, name: str, flags: tuple[str, ...] = ()) -> Artifact:
    rubric = replace(conditions.rubric, flags=(*conditions.rubric.flags, *flags))
    artifact = compile_source(content, name, rubric, conditions.machine, conditions.start)
    check_signature(artifact.build, rubric.interface)
    return with_own_launch(artifact, content, rubric)
