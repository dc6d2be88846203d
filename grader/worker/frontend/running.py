"""Run a compiler on a submission: confined, within limits, and without this process's environment."""

import os
import re
import resource
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.errors import HANG_HINT, SCARCE_HINT, InfrastructureError
from grader.host import granted
from grader.host.confinement.mechanism import Confinement, Rules, confine
from grader.host.process import run
from grader.host.stopped import Stopped
from grader.model import Limits

MOST_OUTPUT = 1 << 20  # bytes; the log shows the first few thousand, and a compiler prints slowly
SHOWN = 1 << 18
KILLED = -signal.SIGKILL, 128 + signal.SIGKILL  # the status of a process, and that of nvcc if a part of it was
LONG_LINE = re.compile(rb"^(.{2000}).+$", re.MULTILINE)
BUSY, PATIENCE_SECONDS = 10, 60  # a busy machine may take this many times longer by the clock, plus these seconds
FLAG_VARIABLES = ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN")
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", *FLAG_VARIABLES)


@dataclass(frozen=True, slots=True)
class Compilation:
    """How a compiler ended, and the CPU time that its processes took together."""

    code: int
    stopped: Stopped
    seconds: float
    output: str


def run_compiler(
    command: list[str],
    folder: Path,
    readable: tuple[Path, ...],
    limits: Limits,
    confinement: Confinement,
    variables: Mapping[str, str] | None = None,
) -> Compilation:
    """Run `command` in `folder`, the only one it may write, with more `variables` in its environment.

    Raises InfrastructureError if the machine was too busy to compile in time, or has no space or processes left.
    """
    rules = Rules(readable, (folder,), limits.compile_seconds)
    before = _children_seconds()
    ended = run(
        confine(command, rules, confinement),
        cwd=folder,
        seconds=BUSY * limits.compile_seconds + PATIENCE_SECONDS,
        processor_seconds=limits.compile_seconds,
        memory_mib=limits.memory_mib,
        output_bytes=MOST_OUTPUT,
        env={**_environment(folder), **(variables or {})},
    )
    if ended.stopped is Stopped.TIME:
        sentence = "The compiler did not finish, although it did not use up its CPU time."
        raise InfrastructureError(sentence, HANG_HINT)
    seconds = _children_seconds() - before
    if ended.code in KILLED and ended.stopped is Stopped.NO and seconds < limits.compile_seconds:
        sentence = "The compiler was killed, as the system does with programs when its memory is used up."
        raise InfrastructureError(sentence, SCARCE_HINT)
    if ended.code:
        granted.check_space(folder)
        granted.check_threads()
    text = shortened(ended.output).decode("utf-8", "replace").replace(f"{folder}/", "")
    return Compilation(ended.code, ended.stopped, seconds, text)


def shortened(output: bytes) -> bytes:
    """The beginning and the end of the output, in lines that every pattern searches quickly."""
    if len(output) > 2 * SHOWN:
        output = output[:SHOWN] + b"\n" + output[-SHOWN:]
    return LONG_LINE.sub(rb"\1", output)


def _environment(folder: Path) -> dict[str, str]:
    """Messages in English, temporary files in the box, and none of a CI job's secrets."""
    passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    own = {"LC_ALL": "C", "TMPDIR": str(folder), "CCACHE_DISABLE": "1"}  # a cache would be outside of the box
    return {"PATH": os.defpath, **passed, **own}


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
