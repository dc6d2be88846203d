"""The job of a Dask worker: one submission, from its bytes to its report. It needs no shared file system."""

import atexit
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import grader
from grader.batch.results.reuse import Lab
from grader.batch.run.library_products import CublasWorker, LibraryProducts
from grader.comparison.expectation import KnownProducts
from grader.errors import InfrastructureError
from grader.host import gpu_lock, interpreter, timeline
from grader.judge.conditions import GradePlan, Shared
from grader.model import Backend, Machine, Report, State
from grader.pipeline import COMPLETE, EXPLAINING, TIMING, OnProgress, grade_content
from grader.report.junit import STRICT, Dialect
from grader.sandbox import launchers, starting
from grader.sandbox.launchers import WorkerHost

_library, _products = CublasWorker(), KnownProducts()
atexit.register(_library.close)


@dataclass(frozen=True, slots=True)
class ClassRun:
    """The settings of one run of the command. `image` is the container for student code; empty without containers."""

    lab: Lab
    seed: int
    machine: Machine
    image: str = ""
    dialect: Dialect = STRICT
    allow_unconfined: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """One submission with all that grading it needs."""

    student: str
    file: str
    content: bytes
    run: ClassRun
    is_followed: bool = False  # by another one on the same worker
    version: str = grader.__version__

    def plan(self) -> GradePlan:
        lab = self.run.lab
        return GradePlan(Path(self.file), lab.rubric, lab.naive, self.run.seed, lab.rubric.sizes, share_baselines=True)


JobOutcome = Report | InfrastructureError


def grade_job(job: Job) -> Report:
    """Grade one submission here. Raises InfrastructureError if that is impossible or the grader's version differs."""
    if job.version != grader.__version__:
        sentence = f"A worker of the cluster has version {grader.__version__} of the grader instead of {job.version}."
        raise InfrastructureError(sentence, "Install the same version everywhere.")
    interpreter.shorten_switch_interval()
    if not job.run.allow_unconfined:
        launchers.require_confinement(job.run.image)
    host = _worker_host(job.run.lab.backend, job.run.image)
    machine = replace(host.machine, reason=job.run.machine.reason)  # here, the class's backend is requested
    with timeline.part(job.student), _shared(job, machine) as shared:
        plan = replace(job.plan(), start=host.start, shared=shared)
        report = grade_content(plan, job.content, machine, _opening_next(job, machine))
    if report.state is State.INFRASTRUCTURE_FAULT:
        _library.close()
        starting.end_spares()
    return report


def _opening_next(job: Job, machine: Machine) -> OnProgress:
    """Return what opens the worker of the next submission as soon as this one is checked.

    If it opened earlier, the first submissions would wait for the devices of the next ones before any of them is timed.
    """
    steps = {EXPLAINING, TIMING, COMPLETE} if job.is_followed and not job.run.image else set()

    def on_progress(_: Report, step: str) -> None:
        if step in steps:
            steps.clear()
            starting.begin_spare(machine.backend, gpu_lock.of(machine))

    return on_progress


@contextmanager
def _shared(job: Job, machine: Machine) -> Iterator[Shared]:
    """Give what this process keeps for all grades; no cuBLAS with containers, because each grade has its own."""
    backend, rubric, plan = machine.backend, job.run.lab.rubric, job.plan()
    if not (backend.capabilities.uses_gpu and rubric.library) or job.run.image:
        yield Shared(_products)
        return
    cases = (*plan.cases(backend), *plan.hidden_cases(backend))
    with closing(LibraryProducts(machine, rubric.interface, cases)) as known:
        library = _library.worker(backend, rubric.limits)
        if known.begin():
            library.running.poll()  # starts it while the kernel is compiled
        yield Shared(_products, library, known.product)


def machine_here(wanted: Backend | None, image: str, allow_unconfined: bool) -> Machine:
    """Return the description of this machine. Raises InfrastructureError if it cannot grade as wanted."""
    if not allow_unconfined:
        launchers.require_confinement(image)
    return _worker_host(wanted, image).machine


@cache
def _worker_host(wanted: Backend | None, image: str) -> WorkerHost:
    return launchers.choose(wanted, image)
