"""`python -m grader.worker.main BOX BACKEND PURPOSE`: carries out the requests in the box.

Untrusted: it reads student text and runs student code. It returns arrays and seconds and decides nothing. It is
confined before it starts, and its guardian or container ends it when its judge is gone.
"""

from __future__ import annotations

import itertools
import os
import resource
import sys
import time
from pathlib import Path
from typing import TypeAlias

from grader.contract import encoding
from grader.contract.file_limits import LARGEST_COMPILED, LARGEST_FILE
from grader.contract.messages import (
    Answer,
    Broken,
    Check,
    Checked,
    Compile,
    Compiled,
    CountAccesses,
    Disassemble,
    End,
    Load,
    Open,
    Opened,
    ReadyToOpen,
    Request,
    Survey,
)
from grader.contract.purpose import Purpose
from grader.contract.timing_messages import Prepare, Project, TimeRound, TimeTransfers
from grader.errors import InfrastructureError, SubmissionError, refused
from grader.host import garbage, timeline
from grader.host.atomic_write import write_in_hostile_folder
from grader.model import Verdict
from grader.worker.backend import Runner, WorkerBackend, load

COMPILER_GRACE = 10  # seconds of CPU time beyond the wall-clock limit, which is enforced from outside
EAGER_SECONDS, PATIENT_SECONDS = 0.0001, 0.001  # between two looks for a request, at least and at most
DELAY = 0.02  # of the time between two requests, until one is noticed: those of timing follow at once

RunnerRequest: TypeAlias = Check | CountAccesses | Prepare | TimeRound | Project | TimeTransfers | Survey


def main(box: Path, name: str, purpose: Purpose) -> None:
    """Answer request-1.json, request-2.json and so on with the backend `name`, until it is killed or must end.

    What the device needs is loaded before the first request.
    """
    _prepare(box)
    backend = _backend(name, purpose)
    runner: Runner | None = None
    for number in itertools.count(1):
        with timeline.span("wait"):
            request = _next_request(box, number)
        answer: Answer
        try:
            match request:
                case Compile():
                    answer = _compile(backend, request, box)
                case Disassemble():
                    answer = backend.disassemble(request, box)
                case End():
                    return
                case Load():
                    _load(backend, timing=request.timing)
                    answer = ReadyToOpen()
                case Open():
                    with timeline.span("open the device"):
                        runner = backend.open(box, timing=request.timing, searching=request.searching)
                    answer = Opened()
                case _:
                    runner = runner or backend.open(box, timing=False)
                    with timeline.span(type(request).__name__):
                        answer = _answer(runner, request, box)
        except InfrastructureError as error:
            answer = Broken(error.sentence, error.hint)
        except OSError as error:
            failed = refused(error, "The worker could not use its files")
            answer = Broken(failed.sentence, failed.hint)
        sys.stdout.flush()
        write_in_hostile_folder(box / f"answer-{number}.json", encoding.encode_answer(answer).encode(), 0o644)
        garbage.begin()  # the first request has loaded the rest


def _prepare(box: Path) -> None:
    garbage.put_off()
    os.umask(0o022)  # a judge of another user reads what is written here
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, LARGEST_FILE)
    timeline.record_in_box(box)


def _backend(name: str, purpose: Purpose) -> WorkerBackend:
    with timeline.span("load the backend"):
        backend = load(name)
    if purpose is not Purpose.COMPILE:
        _load(backend, timing=purpose is Purpose.TIME)
    return backend


def _load(backend: WorkerBackend, *, timing: bool) -> None:
    with timeline.span("load what the device needs"):
        backend.load(timing=timing)


def _compile(backend: WorkerBackend, request: Compile, box: Path) -> Compiled:
    _limit(resource.RLIMIT_FSIZE, LARGEST_COMPILED)
    seconds = int(request.limits.compile_seconds) + COMPILER_GRACE
    _limit(resource.RLIMIT_CPU, seconds, seconds + 1)  # first SIGXCPU, which tells the judge why
    try:
        with timeline.span("compile"):
            return backend.compile(request, box)
    except SubmissionError as error:
        return Compiled(fault=error.fault)


def _answer(runner: Runner, request: RunnerRequest, box: Path) -> Answer:
    answer: Answer
    try:
        match request:
            case Check():
                answer = runner.check(request, box)
            case CountAccesses():
                answer = runner.count(request, box)
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
    except SubmissionError as error:
        refused = error.fault.verdict is Verdict.LAUNCH_FAILED  # before anything ran
        return Checked(fault=error.fault, spent=not refused)
    return answer


def _next_request(box: Path, number: int) -> Request:
    path, began = _request(box, number), time.monotonic()
    while not path.exists():
        time.sleep(min(PATIENT_SECONDS, max(EAGER_SECONDS, DELAY * (time.monotonic() - began))))
    return encoding.decode_request(path.read_text())


def _request(box: Path, number: int) -> Path:
    return box / f"request-{number}.json"


def _limit(what: int, most: int, last: int | None = None) -> None:
    """Set a limit for this process and all that it starts, unless it is lower already. At `last`, the system kills."""
    _, allowed = resource.getrlimit(what)
    hard = most if last is None else last
    lowest = hard if allowed == resource.RLIM_INFINITY else min(hard, allowed)
    resource.setrlimit(what, (min(most, lowest), lowest))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Purpose(sys.argv[3]))
