"""`python -m grader.worker.main BOX BACKEND PURPOSE`: carries out the requests in the box.

Untrusted: it reads student text and runs student code. It returns arrays and seconds and decides nothing. It is
confined before it starts, and its guardian or container ends it when its judge is gone.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from grader.contract import encoding, messages
from grader.contract.files import LARGEST_COMPILED, LARGEST_FILE
from grader.contract.found import Finding
from grader.contract.timing_messages import Prepare, Project, TimeRound, TimeTransfers
from grader.errors import InfrastructureError, refused
from grader.host import interpreter, timeline
from grader.host.atomic_write import write_in_hostile_folder
from grader.model import Purpose
from grader.model.launches import Refusal
from grader.model.watched import DriverFailed
from grader.worker.backend import Runner, WorkerBackend, load
from grader.worker.found import FoundError, NotCompiledError

COMPILER_GRACE = 10  # seconds of CPU time beyond the wall-clock limit, which is enforced from outside
EAGER_SECONDS, PATIENT_SECONDS = 0.0001, 0.005  # between two looks for a request, at least and at most
DELAY = 0.02  # of the time between two requests, until one is noticed: those of timing follow at once


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

    def next_request(self) -> messages.Request | None:
        """Return the request after the last answered one; None until the judge has sent it."""
        path = self.box / f"request-{self.answered + 1}.json"
        return encoding.decode_request(path.read_text()) if path.exists() else None

    def answer(self, request: messages.Answerable) -> None:
        """Carry out the request, and leave the answer in the box."""
        answer: messages.Answer
        try:
            answer = self._answer(request)
        except NotCompiledError as error:
            answer = messages.Compiled(finding=error.finding)
        except FoundError as error:
            answer = messages.Checked(error.finding, spent=not _never_ran(error.finding))
        except InfrastructureError as error:
            answer = messages.Broken(error.sentence, error.hint)
        except OSError as error:
            failed = refused(error, "The worker could not use its files")
            answer = messages.Broken(failed.sentence, failed.hint)
        sys.stdout.flush()
        self.answered += 1
        content = encoding.encode(answer).encode()
        write_in_hostile_folder(self.box / f"answer-{self.answered}.json", content, 0o644)

    def _answer(self, request: messages.Answerable) -> messages.Answer:
        match request:
            case messages.Compile():
                with timeline.span("compile"):
                    return self.backend.compile(request, self.box)
            case messages.Initialise():
                self.backend.initialise()
                return messages.Done()
            case messages.Open():
                with timeline.span("open the device"):
                    self.runner = self.backend.open(self.box, timing=request.timing, searching=request.searching)
                return messages.Opened()
            case _:
                self.runner = self.runner or self.backend.open(self.box, timing=False)
                with timeline.span(type(request).__name__):
                    return _carried_out(self.runner, request, self.box)


def main(box: Path, name: str, purpose: Purpose) -> None:
    """Answer request-1.json, request-2.json and so on with the backend `name`, until it is killed or must end.

    What the device needs is loaded before the first request.
    """
    _prepare(box)
    service = Service.begun(box, name, purpose)
    while not isinstance(request := _awaited(service), messages.End):
        if isinstance(request, messages.Compile):
            _limit_compilers(request)
        service.answer(request)
        interpreter.resume_garbage_collection()  # the first request has loaded the rest


def _prepare(box: Path) -> None:
    interpreter.postpone_garbage_collection()
    os.umask(0o022)  # a judge of another user reads what is written here
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, LARGEST_FILE)
    timeline.record_in_box(box)


def _limit_compilers(request: messages.Compile) -> None:
    _limit(resource.RLIMIT_FSIZE, LARGEST_COMPILED)
    seconds = int(request.limits.compile_seconds) + COMPILER_GRACE
    _limit(resource.RLIMIT_CPU, seconds, seconds + 1)  # first SIGXCPU, which tells the judge why


def _awaited(service: Service) -> messages.Request:
    began = time.monotonic()
    with timeline.span("wait"):
        while (request := service.next_request()) is None:
            time.sleep(min(PATIENT_SECONDS, max(EAGER_SECONDS, DELAY * (time.monotonic() - began))))
    return request


def _limit(what: int, most: int, last: int | None = None) -> None:
    """Set a limit for this process and all that it starts, unless it is lower already. At `last`, the system kills."""
    _, allowed = resource.getrlimit(what)
    hard = most if last is None else last
    lowest = hard if allowed == resource.RLIM_INFINITY else min(hard, allowed)
    resource.setrlimit(what, (min(most, lowest), lowest))


def _never_ran(finding: Finding) -> bool:
    """Whether the launch was refused."""
    return isinstance(finding, Refusal) or (isinstance(finding, DriverFailed) and finding.error.never_ran)


def _carried_out(runner: Runner, request: messages.OfRunner, box: Path) -> messages.Answer:
    answer: messages.Answer
    match request:
        case messages.Draw(of=following):
            answer = runner.draw(following)
        case messages.Check():
            answer = runner.check(request, box)
        case messages.CountAccesses():
            answer = runner.count(request, box)
        case messages.Replay():
            answer = runner.replay(request, box)
        case Prepare():
            answer = runner.prepare(request, box)
        case TimeRound():
            answer = runner.time_round(request, box)
        case Project():
            answer = runner.project(box)
        case TimeTransfers():
            answer = runner.time_transfers(request)
        case messages.Survey():
            answer = runner.survey(box)
    return answer


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Purpose(sys.argv[3]))
