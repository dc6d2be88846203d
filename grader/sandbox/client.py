"""The judge's side of a worker. Student code runs in workers only.

The box is a directory, and the only thing that judge and worker share. The judge writes request-N.json there, the
worker answer-N.json and raw arrays. What a worker prints never decides a verdict.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, TypeAlias

from grader.contract import encoding
from grader.contract.messages import LAUNCHED, Answer, Broken, Check, Load, Open, Opened, ReadyToOpen, Request
from grader.errors import InfrastructureError
from grader.host import timeline
from grader.host.atomic_write import write_in_hostile_folder
from grader.host.gpu_lock import GpuLock
from grader.host.process import Running
from grader.host.stopped import Stopped
from grader.model import Case, Interface, Limits
from grader.sandbox import box_files, bundles
from grader.sandbox.bundles import TRUSTED, Bundle
from grader.sandbox.deadlines import AfterLaunch, ByProcessorTime, Deadline, in_seconds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes: TypeAlias = NDArray[np.uint8]

START_SECONDS = 120.0  # loading CUDA takes one or two, and longer where many start at once
EAGER_SECONDS, PATIENT_SECONDS = 0.0001, 0.01  # between two looks for an answer, at least and at most
DELAY = 0.02  # of what an answer takes, until it is noticed: rounds of timing take milliseconds
LIMITS_LOOK_SECONDS = 0.4  # reading the memory of all processes takes ten milliseconds
LARGEST_ANSWER = 1 << 24
FILES_PER_MEMORY = 4  # the size of a box over the memory limit: A, B and C of some launches, and a build
GPU_OUTPUT = 1 << 20  # bytes of the device's buffer for printf, which arrive all at once


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
    timing: bool = False  # whether it opens with what timing needs
    asked: int = 0
    loading: int = 0  # the number of the request to load what the backend needs, once it is sent
    opening: int = 0  # that of the request to open it
    opened: bool = False
    bundle: Bundle | None = None  # what the worker adds to it is kept when it has ended
    products: dict[tuple[Case, Interface], Bytes] | None = None  # of a library that serves many grades
    sent: dict[int, tuple[str, float]] = field(default_factory=dict)  # for the timeline: request, and when
    opens: RLock = field(default_factory=RLock)  # held by the thread that opens the backend

    def carry(self, bundle: Bundle) -> None:
        """Put the files of a submission's bundle into the box of a worker that started before they were known."""
        if self.bundle is None:
            bundles.give(bundle, self.box)
            self.bundle = bundle

    def begin_loading(self, *, timing: bool) -> None:
        """Let the worker import what its backend needs; others may time on the GPU until it is opened."""
        with self.opens:
            if not self.asked:
                self.timing = timing
                self.send(Load(timing))
                self.loading = self.asked

    def begin_opening(self, *, searching: bool = False) -> None:
        """Let the worker load what its backend needs, and open it, while the judge does something else."""
        with self.opens:
            if not self.opening:
                self.send(Open(self.timing, searching))
                self.opening = self.asked

    def finish_opening(self) -> None:
        """Wait until the backend is ready, so that none of these seconds count against a submission.

        What it compiled of the grader's own is kept now, before any file of a student is in the box.

        Raises InfrastructureError when the backend does not work.
        """
        with self.opens:
            if not self.opened:
                self.begin_opening()
                self._finish_loading()
                self._expect(self.opening, Opened())
                bundles.keep(TRUSTED, self.box)
                self.opened = True

    def open_beside(self, gpu: GpuLock) -> None:
        """Use the GPU beside others to finish opening, once all is imported. Raises InfrastructureError."""
        if not self.opened:
            self._finish_loading()
            with gpu.shared():
                self.finish_opening()

    def _finish_loading(self) -> None:
        if self.loading:
            self._expect(self.loading, ReadyToOpen())

    def _expect(self, number: int, expected: Answer) -> None:
        try:
            answer = self._answer(number, in_seconds(START_SECONDS))
        except WorkerLostError as lost:
            raise InfrastructureError("A worker did not start.", lost.printed[-500:]) from lost
        if answer != expected:
            raise InfrastructureError("The worker runs another version of the grader.", "Build its image again.")

    def install(self, files: Mapping[str, bytes]) -> None:
        """Put files into the box."""
        for name, content in files.items():
            path = self.box / name
            if path.parent != self.box:
                path.parent.mkdir(exist_ok=True)
                path.parent.chmod(0o755)  # whatever the umask: a worker in a container may be another user
            write_in_hostile_folder(path, content, 0o755)

    def ask(self, request: Request, seconds: float) -> Answer:
        """Send and wait. Raises WorkerLostError when no answer comes, InfrastructureError when the worker fails."""
        self.send(request)
        return self.receive(seconds)

    def ask_to_compute(self, request: Request, seconds: float) -> Answer:
        """`ask` for what takes CPU time, of which the worker may use so many seconds on each CPU."""
        deadline = ByProcessorTime(seconds, time.monotonic(), self.running.processor_seconds())
        self.send(request)
        return self._answer(self.asked, deadline)

    def ask_to_launch(self, request: Check, seconds: float, others: float) -> Answer:
        """`ask` for launches of a kernel, which may take so many seconds, and all else `others`."""
        launched = self.box / LAUNCHED
        launched.unlink(missing_ok=True)
        deadline = AfterLaunch(launched, seconds, time.monotonic() + seconds + others)
        self.send(request)
        return self._answer(self.asked, deadline)

    def send(self, request: Request) -> None:
        self.asked += 1
        self.sent[self.asked] = (_title(request), time.monotonic())
        text = encoding.encode_request(request)
        write_in_hostile_folder(self.box / f"request-{self.asked}.json", text.encode(), 0o644)

    def receive(self, seconds: float) -> Answer:
        """The answer to the last request."""
        return self._answer(self.asked, in_seconds(seconds))

    def _answer(self, number: int, deadline: Deadline) -> Answer:
        path = self.box / f"answer-{number}.json"
        self._wait_for(path, deadline)
        answer = self._read(path)
        if sent := self.sent.pop(number, None):  # None for an answer that another thread has read and refused
            timeline.add(*sent, f"requests to {self.box.name}")
        if isinstance(answer, Broken):
            raise InfrastructureError(answer.sentence, answer.hint)
        return answer

    def printed(self) -> str:
        """What the worker has printed, for people to read only."""
        try:
            output = box_files.read_plain(self.box / box_files.PRINTED, self.limits.output_bytes)
        except OSError:  # removed, or replaced by another kind of file: then nothing was printed
            return ""
        return output.decode("utf-8", "replace")

    def _wait_for(self, path: Path, deadline: Deadline) -> None:
        began = looked = time.monotonic()
        while not path.exists():
            ended = self.running.poll()
            now = time.monotonic()
            if now - looked > LIMITS_LOOK_SECONDS:
                looked = now
                self._enforce(deadline)
            if ended and not path.exists():
                raise WorkerLostError(ended.stopped, ended.code, self.printed())
            time.sleep(min(PATIENT_SECONDS, max(EAGER_SECONDS, DELAY * (now - began))))

    def _enforce(self, deadline: Deadline) -> None:
        stopped = Stopped.NO
        if deadline.is_over(self.running):
            stopped = Stopped.TIME
        elif self.running.resident_bytes() > self.limits.memory_mib << 20:
            stopped = Stopped.MEMORY
        elif box_files.size(self.box / box_files.PRINTED) > self.limits.output_bytes + GPU_OUTPUT:
            stopped = Stopped.OUTPUT
        elif box_files.is_heavier(self.box, FILES_PER_MEMORY * self.limits.memory_mib << 20):
            stopped = Stopped.DISK
        if stopped:
            self.running.kill()
            raise WorkerLostError(stopped, None, self.printed())

    def _read(self, path: Path) -> Answer:
        try:
            return encoding.decode_answer(box_files.read_plain(path, LARGEST_ANSWER).decode())
        except (ValueError, OSError) as error:
            raise WorkerLostError(Stopped.NO, None, self.printed()) from error


def _title(request: Request) -> str:
    match request:
        case Check(case=case):
            return f"Check {case.shape} {case.family}"
        case _:
            return type(request).__name__
