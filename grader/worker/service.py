"""The service of a worker: carries out the requests of a box with a backend. Limits are the business of its process."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from grader.contract import encoding
from grader.contract.messages import (
    Answer,
    Broken,
    Check,
    Checked,
    Compile,
    Compiled,
    CountAccesses,
    Draw,
    Initialise,
    Open,
    Opened,
    ReadyToOpen,
    Replay,
    Request,
    Survey,
)
from grader.contract.purpose import Purpose
from grader.contract.timing_messages import Prepare, Project, TimeRound, TimeTransfers
from grader.errors import InfrastructureError, refused
from grader.host import timeline
from grader.host.atomic_write import write_in_hostile_folder
from grader.worker.backend import Runner, WorkerBackend, load
from grader.worker.found import FoundError, NotCompiledError

RunnerRequest: TypeAlias = (
    Draw | Check | CountAccesses | Replay | Prepare | TimeRound | Project | TimeTransfers | Survey
)
Answerable: TypeAlias = Compile | Initialise | Open | RunnerRequest

if TYPE_CHECKING:
    from grader.contract.found import Finding


@dataclass
class Service:
    """The requests of a box, answered one after the other."""

    box: Path
    backend: WorkerBackend
    runner: Runner | None = None
    answered: int = 0

    @classmethod
    def begun(cls, box: Path, name: str, purpose: Purpose) -> Service:
        """Return the service with the backend `name`. What the purpose needs is loaded now."""
        with timeline.span("load what the worker needs"):
            backend = load(name)
            backend.load(purpose)
        return cls(box, backend)

    def next_request(self) -> Request | None:
        """Return the request after the last answered one; None until the judge has sent it."""
        path = self.box / f"request-{self.answered + 1}.json"
        return encoding.decode_request(path.read_text()) if path.exists() else None

    def answer(self, request: Answerable) -> None:
        """Carry out the request, and leave the answer in the box."""
        try:
            answer = self._answer(request)
        except InfrastructureError as error:
            answer = Broken(error.sentence, error.hint)
        except OSError as error:
            failed = refused(error, "The worker could not use its files")
            answer = Broken(failed.sentence, failed.hint)
        sys.stdout.flush()
        self.answered += 1
        content = encoding.encode_answer(answer).encode()
        write_in_hostile_folder(self.box / f"answer-{self.answered}.json", content, 0o644)

    def _answer(self, request: Answerable) -> Answer:
        match request:
            case Compile():
                return _compiled(self.backend, request, self.box)
            case Initialise():
                self.backend.initialise()
                return ReadyToOpen()
            case Open():
                with timeline.span("open the device"):
                    self.runner = self.backend.open(self.box, timing=request.timing, searching=request.searching)
                return Opened()
            case _:
                self.runner = self.runner or self.backend.open(self.box, timing=False)
                with timeline.span(type(request).__name__):
                    return _of_runner(self.runner, request, self.box)


def _compiled(backend: WorkerBackend, request: Compile, box: Path) -> Compiled:
    try:
        with timeline.span("compile"):
            return backend.compile(request, box)
    except NotCompiledError as error:
        return Compiled(finding=error.finding)


def _never_ran(finding: Finding) -> bool:
    """Whether the launch was refused."""
    from grader.model.launches import Refusal  # with all that is found, it takes long to import
    from grader.model.watched import DriverFailed

    return isinstance(finding, Refusal) or (isinstance(finding, DriverFailed) and finding.error.never_ran)


def _of_runner(runner: Runner, request: RunnerRequest, box: Path) -> Answer:
    try:
        return _carried_out(runner, request, box)
    except FoundError as error:
        return Checked(error.finding, spent=not _never_ran(error.finding))


def _carried_out(runner: Runner, request: RunnerRequest, box: Path) -> Answer:
    answer: Answer
    match request:
        case Draw(of=following):
            answer = runner.draw(following)
        case Check():
            answer = runner.check(request, box)
        case CountAccesses():
            answer = runner.count(request, box)
        case Replay():
            answer = runner.replay(request, box)
        case Prepare():
            answer = runner.prepare(request, box)
        case TimeRound():
            answer = runner.time_round(request)
        case Project():
            answer = runner.project(box)
        case TimeTransfers():
            answer = runner.time_transfers(request)
        case Survey():
            answer = runner.survey(box)
    return answer
