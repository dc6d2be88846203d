"""`python -m grader.worker.main BOX BACKEND PURPOSE`: carries out the requests in the box.

Untrusted: it reads student text and runs student code. It returns arrays and seconds and decides nothing. It is
confined before it starts, and its guardian or container ends it when its judge is gone.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path

from grader.contract.file_limits import LARGEST_COMPILED, LARGEST_FILE
from grader.contract.messages import Compile, End, Request
from grader.contract.purpose import Purpose
from grader.host import interpreter, timeline
from grader.worker.service import Service

COMPILER_GRACE = 10  # seconds of CPU time beyond the wall-clock limit, which is enforced from outside
EAGER_SECONDS, PATIENT_SECONDS = 0.0001, 0.005  # between two looks for a request, at least and at most
DELAY = 0.02  # of the time between two requests, until one is noticed: those of timing follow at once


def main(box: Path, name: str, purpose: Purpose) -> None:
    """Answer request-1.json, request-2.json and so on with the backend `name`, until it is killed or must end.

    What the device needs is loaded before the first request.
    """
    _prepare(box)
    service = Service.begun(box, name, purpose)
    while not isinstance(request := _awaited(service), End):
        if isinstance(request, Compile):
            _limit_compilers(request)
        service.answer(request)
        interpreter.resume_garbage_collection()  # the first request has loaded the rest


def _prepare(box: Path) -> None:
    interpreter.postpone_garbage_collection()
    os.umask(0o022)  # a judge of another user reads what is written here
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, LARGEST_FILE)
    timeline.record_in_box(box)


def _limit_compilers(request: Compile) -> None:
    _limit(resource.RLIMIT_FSIZE, LARGEST_COMPILED)
    seconds = int(request.limits.compile_seconds) + COMPILER_GRACE
    _limit(resource.RLIMIT_CPU, seconds, seconds + 1)  # first SIGXCPU, which tells the judge why


def _awaited(service: Service) -> Request:
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


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Purpose(sys.argv[3]))
