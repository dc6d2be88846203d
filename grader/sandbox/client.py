"""A worker in its box: the only place where student code runs, and the only way to speak with it.

The box is a directory, and the only thing that judge and worker share. The judge leaves request-N.json there, the
worker answer-N.json and raw arrays. What a worker prints is never read for a verdict.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from grader.contract import messages
from grader.contract.messages import Answer, Broken, Open, Opened, Request
from grader.errors import InfrastructureError
from grader.host import process
from grader.host.atomic_write import write_in_hostile_folder
from grader.host.process import Local, Running, Stopped
from grader.model import Backend, Limits
from grader.sandbox import box as boxes

START_SECONDS = 120.0  # loading CUDA takes one or two, and longer where many start at once
EAGER_SECONDS = 0.0005  # between two looks for an answer: short, because rounds of timing take milliseconds
EAGER_FOR_SECONDS = 0.2
PATIENT_SECONDS = 0.01
LIMITS_LOOK_SECONDS = 0.4  # a look at the memory of all processes takes ten milliseconds
LARGEST_ANSWER = 1 << 24
FILES_PER_MEMORY = 4  # a box may hold so many times the memory: A, B and C of some launches, and a build
GPU_OUTPUT = 1 << 20  # bytes that the device's own buffer for printf holds, and that come all at once
PASSED_ON = ("PATH", "HOME", "TMPDIR", "LANG", "PYTHONPATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "NVCC_APPEND_FLAGS")
PASSED_PREFIXES = ("CUDA_", "GRADER_", "NVIDIA_", "LC_")

Start: TypeAlias = Callable[[Path, Backend, Limits], Running]


class WorkerLostError(Exception):
    """The worker ended, or was stopped at a limit, before it answered."""

    def __init__(self, stopped: Stopped, code: int | None, printed: str) -> None:
        super().__init__(f"worker lost: {stopped or code}")
        self.stopped = stopped
        self.code = code
        self.printed = printed


@dataclass
class Worker:
    """A running worker in its box."""

    box: Path
    limits: Limits
    running: Running
    asked: int = 0
    opening: int = 0  # the number of the request to open the backend, once that was sent

    def begin_opening(self, *, timing: bool = False) -> None:
        """Have the worker load what its backend needs, while something else is done here."""
        if not self.opening:
            self.send(Open(timing))
            self.opening = self.asked

    def finish_opening(self) -> None:
        """Wait until the backend can be used: starting is ours, and none of its seconds count against a submission.

        Raises InfrastructureError when it cannot be used.
        """
        self.begin_opening()
        try:
            opened = self._answer(self.opening, START_SECONDS)
        except WorkerLostError as lost:
            raise InfrastructureError("A worker did not start.", lost.printed[-500:]) from lost
        if opened != Opened():
            raise InfrastructureError("The worker is of another version of the grader.", "Build its image again.")

    def install(self, files: Mapping[str, bytes]) -> None:
        """Put files into the box."""
        for name, content in files.items():
            path = self.box / name
            if path.parent != self.box:
                path.parent.mkdir(exist_ok=True)
                path.parent.chmod(0o755)  # whatever the umask: a worker in a container may be another user
            write_in_hostile_folder(path, content, 0o755)

    def ask(self, request: Request, seconds: float) -> Answer:
        """Send and wait. Raises WorkerLostError when no answer comes, InfrastructureError when the worker is broken."""
        self.send(request)
        return self.receive(seconds)

    def send(self, request: Request) -> None:
        self.asked += 1
        text = messages.encode_request(request)
        write_in_hostile_folder(self.box / f"request-{self.asked}.json", text.encode(), 0o644)

    def receive(self, seconds: float) -> Answer:
        """The answer to what was sent last."""
        return self._answer(self.asked, seconds)

    def _answer(self, number: int, seconds: float) -> Answer:
        path = self.box / f"answer-{number}.json"
        self._wait_for(path, time.monotonic() + seconds)
        answer = self._read(path)
        if isinstance(answer, Broken):
            raise InfrastructureError(answer.sentence, answer.hint)
        return answer

    def printed(self) -> str:
        """What the worker printed so far: for people to read, and for nothing else."""
        try:
            return boxes.read_plain(self.box / boxes.PRINTED, self.limits.output_bytes).decode("utf-8", "replace")
        except OSError:  # removed, or another kind of file put in its place: then nothing was printed
            return ""

    def _wait_for(self, path: Path, deadline: float) -> None:
        began = looked = time.monotonic()
        while not path.exists():
            ended = self.running.poll()
            now = time.monotonic()
            if now - looked > LIMITS_LOOK_SECONDS:
                looked = now
                self._enforce(deadline)
            if ended and not path.exists():
                raise WorkerLostError(ended.stopped, ended.code, self.printed())
            time.sleep(EAGER_SECONDS if now - began < EAGER_FOR_SECONDS else PATIENT_SECONDS)

    def _enforce(self, deadline: float) -> None:
        stopped = Stopped.NO
        if time.monotonic() > deadline:
            stopped = Stopped.TIME
        elif self.running.resident_bytes() > self.limits.memory_mib << 20:
            stopped = Stopped.MEMORY
        elif boxes.size(self.box / boxes.PRINTED) > self.limits.output_bytes + GPU_OUTPUT:
            stopped = Stopped.OUTPUT
        elif boxes.is_heavier(self.box, FILES_PER_MEMORY * self.limits.memory_mib << 20):
            stopped = Stopped.DISK
        if stopped:
            self.running.kill()
            raise WorkerLostError(stopped, None, self.printed())

    def _read(self, path: Path) -> Answer:
        try:
            return messages.decode_answer(boxes.read_plain(path, LARGEST_ANSWER).decode())
        except (ValueError, OSError) as error:
            raise WorkerLostError(Stopped.NO, None, self.printed()) from error


def here(box: Path, backend: Backend, _limits: Limits) -> Running:
    """Start a worker as a process of this machine; its limits are enforced from outside."""
    with (box / boxes.PRINTED).open("wb") as sink:
        command = [sys.executable, "-m", "grader.worker.main", str(box), backend, str(os.getpid())]
        return Local(process.start(command, cwd=box, sink=sink.fileno(), env=_environment(box)))


@contextmanager
def worker(backend: Backend, limits: Limits, start: Start = here) -> Iterator[Worker]:
    """A worker in a fresh box. Leaving kills everything it started and removes the box."""
    box = boxes.make()
    try:
        running = start(box, backend, limits)
        try:
            yield Worker(box, limits, running)
        finally:
            running.kill()
    finally:
        boxes.remove(box)


def _environment(box: Path) -> dict[str, str]:
    """What a worker sees of our environment: enough to find its tools, and none of a CI job's secrets."""
    passed = {
        name: value for name, value in os.environ.items() if name in PASSED_ON or name.startswith(PASSED_PREFIXES)
    }
    order = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}  # as NVML counts devices
    return {**passed, **order, "TMPDIR": str(box)}  # what a compiler leaves when it is killed goes with the box
