"""Compile and check one kernel: the stages that a grade and a sweep share, besides its timing (timing/measuring.py)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.contract.files import file_name
from grader.contract.inputs import CHECKED
from grader.errors import InfrastructureError, SubmissionError
from grader.explain.several_cases import CheckedCase
from grader.judge import submission
from grader.judge.beside import check_beside, without_search
from grader.judge.checking import check
from grader.judge.compiling import Artifact, check_signature, compile_source
from grader.judge.conditions import Conditions
from grader.judge.kernel_setup import KernelSetup
from grader.judge.own_launch import with_own_launch
from grader.judge.worker_pool import CHECKER, LIBRARY, NAIVE, SUBMISSION, TRACER
from grader.model import Build, Case, Launch
from grader.sandbox.client import Worker


@dataclass(frozen=True, slots=True)
class CompiledKernel:
    """A kernel that can be checked and timed, with its launch."""

    name: str
    launch: Launch
    artifact: Artifact

    @property
    def build(self) -> Build:
        return self.artifact.build

    @property
    def files(self) -> dict[str, bytes]:
        return self.artifact.files()


@dataclass(frozen=True, slots=True)
class LibraryProduct:
    """The product of the library, which chooses its own launch: `launch` is that of the lab."""

    name: str
    launch: Launch
    build: None = None
    files: Mapping[str, bytes] = field(default_factory=dict)


Subject = CompiledKernel | LibraryProduct
"""What is timed."""


def compile_kernel(conditions: Conditions, content: bytes, file: str, flags: tuple[str, ...] = ()) -> CompiledKernel:
    """Compile a submission with the lab's flags and `flags`. Raises SubmissionError."""
    content = submission.without_magic(content)
    if fault := submission.fault(content):
        raise SubmissionError(fault)
    artifact = _compile(conditions, content, file_name(Path(file).name), flags)
    return CompiledKernel(SUBMISSION, artifact.launch_in(conditions.rubric), artifact)


def compile_baselines(conditions: Conditions, naive: bytes, launch: Launch, *, library: bool) -> tuple[Subject, ...]:
    """Compile the baselines; `naive` is empty if there is no naive kernel. Raises InfrastructureError."""
    baselines = list[Subject]()
    if naive:
        try:
            artifact = _compile(conditions, naive, "naive.cu")
        except SubmissionError as error:
            raise InfrastructureError(f"The rubric's naive kernel does not compile: {error.fault.sentence}") from error
        baselines.append(CompiledKernel(NAIVE, artifact.launch_in(conditions.rubric), artifact))
    return (*baselines, LibraryProduct(LIBRARY, launch)) if library else tuple(baselines)


def check_kernel(
    conditions: Conditions, kernel: CompiledKernel, cases: Sequence[Case], workers: Mapping[str, Worker]
) -> Iterator[CheckedCase]:
    """Check every case, and yield them in order. Cases that another backend traces run at the same time."""
    setup = KernelSetup(kernel.artifact, kernel.launch, conditions)
    first, library = workers.get(SUBMISSION) or workers.get(CHECKER), workers.get(LIBRARY)
    tracer, traced = conditions.backend.tracer, kernel.artifact.traced
    if tracer and all(case.run != CHECKED for case in cases):
        return without_search(check(setup, cases, first, library))
    if tracer is None or traced is None or TRACER not in workers:
        return check(setup, cases, first, library)
    on_device = check(setup, [case for case in cases if case.run != CHECKED], first, library)
    beside = [case for case in cases if case.run == CHECKED]
    tracing = replace(setup, artifact=traced, conditions=conditions.on(tracer))
    return check_beside(on_device, setup, tracing, beside, workers[TRACER])


def _compile(conditions: Conditions, content: bytes, name: str, flags: tuple[str, ...] = ()) -> Artifact:
    rubric = replace(conditions.rubric, flags=(*conditions.rubric.flags, *flags))
    artifact = compile_source(replace(conditions, rubric=rubric), content, name)
    check_signature(artifact.build, rubric.interface)
    return with_own_launch(artifact, content, rubric)
