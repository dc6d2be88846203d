"""`python -m grader.worker BOX BACKEND [JUDGE]`: does what the box asks for until its judge is gone.

Untrusted: it runs beside student code. It returns arrays and seconds and decides nothing.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader.contract import messages
from grader.contract.file_limits import LARGEST_COMPILED, LARGEST_FILE
from grader.contract.messages import (
    Answer,
    Broken,
    Check,
    Compile,
    Compiled,
    Open,
    Opened,
    Prepare,
    Ran,
    Request,
    Survey,
    TimeRound,
    TimeTransfers,
)
from grader.errors import InfrastructureError, SubmissionError
from grader.host.atomic_write import write_in_hostile_folder
from grader.host.process import descendants
from grader.model import Backend, Build, Verdict

COMPILER_GRACE = 10  # seconds of processor time on top of those of the clock, which are watched from outside
LOOK_SECONDS = 0.0005
ORPHAN_LOOK_SECONDS = 0.5


def main(box: Path, backend: Backend, judge: int) -> None:
    """Answer request-1.json, request-2.json and so on, while the process `judge` is the parent."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, LARGEST_FILE)
    threading.Thread(target=_end_with_parent, args=(judge, box), daemon=True).start()
    runner: Any = None
    number = 0
    while True:
        number += 1
        request = _next_request(box, number)
        try:
            if isinstance(request, Compile):
                answer = _compile(backend, request, box)
            else:
                runner = runner or _open(backend)
                answer = _answer(runner, request, box)
        except InfrastructureError as error:
            answer = Broken(error.sentence, error.hint)
        except OSError as error:
            answer = Broken(f"The worker could not use its files: {error}", "Is the disk full? Set TMPDIR to another.")
        sys.stdout.flush()
        write_in_hostile_folder(box / f"answer-{number}.json", messages.encode_answer(answer).encode(), 0o644)


def _compile(backend: Backend, request: Compile, box: Path) -> Answer:
    """Compiling needs no device, and opening one takes longer."""
    _limit(resource.RLIMIT_FSIZE, LARGEST_COMPILED)
    _limit(resource.RLIMIT_CPU, int(request.limits.compile_seconds) + COMPILER_GRACE)
    try:
        return Compiled(build=_compiler(backend)(request, box))
    except SubmissionError as error:
        return Compiled(fault=error.fault)


def _compiler(backend: Backend) -> Callable[[Compile, Path], Build]:
    if backend is Backend.CUDA:
        from grader.worker.cuda.nvcc import compile_request
    else:
        from grader.worker.simulator.backend import compile_request
    return compile_request


def _open(backend: Backend) -> Any:
    """What runs kernels here, imported late: PyCUDA exists only where a GPU is graded on."""
    if backend is Backend.CUDA:
        from grader.worker.cuda.backend import Gpu

        return Gpu()
    from grader.worker.simulator.backend import Host

    return Host()


def _answer(runner: Any, request: Request, box: Path) -> Answer:
    handlers: dict[type, Callable[[], Answer]] = {
        Open: lambda: _opened(runner, request, box),
        Check: lambda: runner.check(request, box),
        Prepare: lambda: runner.prepare(request, box),
        TimeRound: lambda: runner.time_round(request, box),
        TimeTransfers: lambda: runner.time_transfers(request),
        Survey: lambda: runner.survey(box),
    }  # the last four, and to open for timing, are asked of a GPU only
    try:
        return handlers[type(request)]()
    except SubmissionError as error:
        refused = error.fault.verdict is Verdict.LAUNCH_FAILED  # before anything ran
        return Ran(fault=error.fault, spent=not refused)


def _opened(runner: Any, request: Any, box: Path) -> Opened:
    if request.timing:
        runner.load_trusted(box)
    return Opened()


def _next_request(box: Path, number: int) -> Request:
    path = box / f"request-{number}.json"
    while not path.exists():
        time.sleep(LOOK_SECONDS)
    return messages.decode_request(path.read_text())


def _limit(what: int, most: int) -> None:
    """For this process and all that it starts; a limit that is lower already stays."""
    _, allowed = resource.getrlimit(what)
    lowest = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
    resource.setrlimit(what, (lowest, lowest))


def _end_with_parent(parent: int, box: Path) -> None:
    """A judge that was killed cannot clean up: end with it, and leave nothing behind."""
    while os.getppid() == parent:
        time.sleep(ORPHAN_LOOK_SECONDS)
    for child in descendants(os.getpid()):
        child.kill()
    shutil.rmtree(box, ignore_errors=True)
    os._exit(1)


if __name__ == "__main__":
    # A judge names itself: it may be gone before this process can look who its parent is.
    main(Path(sys.argv[1]), Backend(sys.argv[2]), int(sys.argv[3]) if sys.argv[3:] else os.getppid())
