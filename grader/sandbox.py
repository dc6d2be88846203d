"""A worker in its box: the only place where student code runs, and the only way to speak with it.

The box is a directory, and the only thing that judge and worker share. The judge leaves request-N.json there, the
worker answer-N.json and raw arrays. What a worker prints is never read for a verdict.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

from cattrs import BaseValidationError

from grader import messages
from grader.errors import InfrastructureError
from grader.messages import Answer, Broken, Request
from grader.model import Backend, Limits
from grader.process import Stopped, kill_tree, resident_bytes, start

EAGER_SECONDS = 0.0005  # between two looks for an answer: short, because rounds of timing take milliseconds
PATIENT_SECONDS = 0.01
MEMORY_LOOK_SECONDS = 0.1
PASSED_ON = ("PATH", "HOME", "TMPDIR", "LANG", "PYTHONPATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "NVCC_APPEND_FLAGS")
PASSED_PREFIXES = ("CUDA_", "GRADER_", "NVIDIA_", "LC_")


class WorkerLost(Exception):
    """The worker ended, or was stopped at a limit, before it answered."""

    def __init__(self, stopped: Stopped, code: int | None, printed: str) -> None:
        super().__init__(f"worker lost: {stopped or code}")
        self.stopped = stopped
        self.code = code
        self.printed = printed


@dataclass
class Worker:
    """A running worker process in its box."""

    box: Path
    limits: Limits
    process: Popen[bytes]
    asked: int = 0

    def install(self, files: Mapping[str, bytes]) -> None:
        """Put files into the box."""
        for name, content in files.items():
            path = self.box / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o755)

    def ask(self, request: Request, seconds: float) -> Answer:
        """Send and wait. Raises WorkerLost when no answer comes, InfrastructureError when the worker is broken."""
        self.send(request)
        return self.receive(seconds)

    def send(self, request: Request) -> None:
        self.asked += 1
        _write_atomically(self.box / f"request-{self.asked}.json", messages.encode_request(request))

    def receive(self, seconds: float) -> Answer:
        """The answer to what was sent last."""
        path = self.box / f"answer-{self.asked}.json"
        self._wait_for(path, time.monotonic() + seconds)
        answer = self._read(path)
        if isinstance(answer, Broken):
            raise InfrastructureError(answer.sentence, answer.hint)
        return answer

    def printed(self) -> str:
        """What the worker printed so far: for people to read, and for nothing else."""
        with _printed(self.box).open("rb") as file:
            return file.read(self.limits.output_bytes).decode("utf-8", "replace")

    def _wait_for(self, path: Path, deadline: float) -> None:
        began = looked = time.monotonic()
        while not path.exists():
            ended = self.process.poll() is not None
            now = time.monotonic()
            if now - looked > MEMORY_LOOK_SECONDS:
                looked = now
                self._enforce(deadline)
            if ended and not path.exists():
                raise WorkerLost(Stopped.NO, self.process.returncode, self.printed())
            time.sleep(EAGER_SECONDS if now - began < MEMORY_LOOK_SECONDS else PATIENT_SECONDS)

    def _enforce(self, deadline: float) -> None:
        stopped = Stopped.NO
        if time.monotonic() > deadline:
            stopped = Stopped.TIME
        elif resident_bytes(self.process) > self.limits.memory_mib << 20:
            stopped = Stopped.MEMORY
        elif _printed(self.box).stat().st_size > self.limits.output_bytes + (1 << 20):
            stopped = Stopped.OUTPUT
        if stopped:
            kill_tree(self.process)
            raise WorkerLost(stopped, None, self.printed())

    def _read(self, path: Path) -> Answer:
        try:
            return messages.decode_answer(path.read_text())
        except (ValueError, BaseValidationError) as error:
            raise WorkerLost(Stopped.NO, None, self.printed()) from error


@contextmanager
def worker(backend: Backend, limits: Limits) -> Iterator[Worker]:
    """A worker in a fresh box. Leaving kills everything it started and removes the box."""
    box = Path(tempfile.mkdtemp(prefix="grade-"))
    try:
        with _printed(box).open("wb") as sink:
            command = [sys.executable, "-m", "grader.worker", str(box), backend]
            process = start(command, cwd=box, sink=sink.fileno(), env=_environment())
        try:
            yield Worker(box, limits, process)
        finally:
            kill_tree(process)
    finally:
        shutil.rmtree(box, ignore_errors=True)


def _environment() -> dict[str, str]:
    """What a worker sees of our environment: enough to find its tools, and none of a CI job's secrets."""
    passed = {name: value for name, value in os.environ.items() if name in PASSED_ON or name.startswith(PASSED_PREFIXES)}
    return {**passed, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}  # as NVML counts devices


def _printed(box_path: Path) -> Path:
    return box_path / "printed"


def _write_atomically(path: Path, text: str) -> None:
    part = path.with_suffix(".part")
    part.write_text(text)
    part.replace(path)
