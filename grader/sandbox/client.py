"""The judge's side of a worker. Student code runs in workers only.

The box is a folder, and all that judge and worker share. There, the judge writes request-N.json, and the worker writes
answer-N.json and raw arrays. The output of a worker never affects a verdict.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, RLock

from grader.contract import encoding, messages
from grader.errors import InfrastructureError
from grader.host import timeline
from grader.host.atomic_write import write_in_hostile_folder
from grader.host.gpu_lock import GpuLock
from grader.host.process import Running
from grader.host.stopped import Stopped
from grader.model import Limits
from grader.sandbox import box_files, bundles
from grader.sandbox.bundles import TRUSTED, Bundle
from grader.sandbox.deadlines import Deadline, after_launch, by_processor_time, in_seconds

START_SECONDS = 120.0  # loading CUDA takes one or two; longer if many workers start at once
EAGER_SECONDS, PATIENT_SECONDS = 0.0001, 0.01  # the shortest and the longest time between two looks for an answer
DELAY = 0.02  # of the time of an answer: the delay until it is noticed. Rounds of timing take milliseconds
LIMITS_LOOK_SECONDS = 0.4  # between two checks of the limits, each of which takes ten milliseconds
LARGEST_ANSWER = 1 << 24
FILES_PER_MEMORY = 4  # size limit of a box / memory limit: A, B and C of some launches, and a build
GPU_OUTPUT = 1 << 20  # bytes of the device's printf buffer, which is written at once


class WorkerLostError(Exception):
    """The worker ended before it answered, or was stopped at a limit. `code`: its exit status, or minus a signal."""

    def __init__(self, stopped: Stopped, code: int | None, printed: str) -> None:
        super().__init__(f"worker lost: {stopped or code}")
        self.stopped = stopped
        self.code = code
        self.printed = printed

    @property
    def failed_by_itself(self) -> bool:
        """Whether no kernel has ended it: it has ended with an exit status of its own."""
        return self.code is not None and self.code > 0


@dataclass
class Worker:
    """A running worker in its box."""

    box: Path
    limits: Limits
    running: Running
    timing: bool = False  # whether its process has loaded what timing needs
    asked: int = 0
    opening: int = 0  # the number of the request to open the backend; 0 before
    opened: bool = False
    bundle: Bundle | None = None  # cached files; the worker's new ones are cached when it has ended
    sent: dict[int, tuple[str, float]] = field(default_factory=dict)  # for the timeline: title and time of each request
    opens: RLock = field(default_factory=RLock)  # held by the thread that opens the backend
    waits: Lock = field(default_factory=Lock)  # held by the thread that waits for its turn to open it

    def carry(self, bundle: Bundle) -> None:
        """Copy a submission's cached files into the box of a worker that started before the submission was known."""
        if self.bundle is None:
            bundles.give(bundle, self.box)
            self.bundle = bundle

    def begin_opening(self, *, searching: bool = False) -> None:
        """Begin to open the backend, without waiting for it. `searching` opens it under compute-sanitizer."""
        with self.opens:
            if not self.opening:
                self.send(messages.Open(self.timing, searching))
                self.opening = self.asked

    def finish_opening(self) -> None:
        """Wait until the backend is ready, so that its start does not count against the time of a submission.

        Kernels of the grader that it compiled are cached now, before a student's file is in the box.

        Raises InfrastructureError if the backend does not work.
        """
        with self.opens:
            if not self.opened:
                self.begin_opening()
                self._expect(self.opening, messages.Opened())
                bundles.keep(TRUSTED, self.box)
                self.opened = True

    def open_beside(self, gpu: GpuLock) -> None:
        """Share the GPU and wait for a turn to open it. Raises InfrastructureError.

        A worker that has the turn waits for no GPU, so that the next one soon has it. A second thread waits for the
        first thread, and not for a turn of its own, which would come after all workers that the first thread opens.
        """
        with self.waits:
            if not self.opened:
                with gpu.turn_to_open():
                    self._initialise()
                with gpu.shared(), gpu.turn_to_open():
                    self.finish_opening()

    def _initialise(self) -> None:
        with self.opens:
            if not self.opening:
                self.send(messages.Initialise())
                self._expect(self.asked, messages.Done())

    def _expect(self, number: int, expected: messages.Answer) -> None:
        try:
            answer = self._answer(number, in_seconds(START_SECONDS))
        except WorkerLostError as lost:
            raise InfrastructureError("A worker did not start.", lost.printed[-500:]) from lost
        if answer != expected:
            raise InfrastructureError("The worker runs another version of the grader.", "Build its image again.")

    def install(self, files: Mapping[str, bytes]) -> None:
        """Write files into the box; the keys are paths in it."""
        for name, content in files.items():
            path = self.box / name
            if path.parent != self.box:
                path.parent.mkdir(exist_ok=True)
                path.parent.chmod(0o755)  # despite the umask: a worker in a container may be another user
            write_in_hostile_folder(path, content, 0o755)

    def ask(self, request: messages.Request, seconds: float) -> messages.Answer:
        """Send a request and wait. Raises WorkerLostError without an answer, InfrastructureError if a worker fails."""
        self.send(request)
        return self.receive(seconds)

    def ask_to_compute(self, request: messages.Request, seconds: float) -> messages.Answer:
        """`ask` for a computation; the limit is `seconds` of CPU time on each CPU."""
        deadline = by_processor_time(seconds, time.monotonic(), self.running.processor_seconds())
        self.send(request)
        return self._answer(self.asked, deadline)

    def ask_to_launch(self, request: messages.Check, seconds: float, others: float) -> messages.Answer:
        """`ask` for launches of a kernel; the limit is `seconds` for the launches, and `others` for all else."""
        launched = self.box / messages.LAUNCHED
        launched.unlink(missing_ok=True)
        deadline = after_launch(launched, seconds, time.monotonic() + seconds + others)
        self.send(request)
        return self._answer(self.asked, deadline)

    def send(self, request: messages.Request) -> None:
        self.asked += 1
        self.sent[self.asked] = (_title(request), time.monotonic())
        text = encoding.encode(request)
        write_in_hostile_folder(self.box / f"request-{self.asked}.json", text.encode(), 0o644)

    def receive(self, seconds: float) -> messages.Answer:
        """Wait for the answer to the last request. Raises the errors of `ask`."""
        return self._answer(self.asked, in_seconds(seconds))

    def _answer(self, number: int, deadline: Deadline) -> messages.Answer:
        path = self.box / f"answer-{number}.json"
        self._wait_for(path, deadline)
        answer = self._read(path)
        if sent := self.sent.pop(number, None):  # None if another thread has read and refused the answer
            timeline.add(*sent, f"requests to {self.box.name}")
        if isinstance(answer, messages.Broken):
            raise InfrastructureError(answer.sentence, answer.hint)
        return answer

    def printed(self) -> str:
        """The worker's output so far, to show to people only."""
        try:
            output = box_files.read_plain(self.box / box_files.PRINTED, self.limits.output_bytes)
        except OSError:  # removed, or replaced by another kind of file: counts as no output
            return ""
        return output.decode("utf-8", "replace")

    def _wait_for(self, path: Path, deadline: Deadline) -> None:
        began = looked = time.monotonic()
        while not path.exists():
            time.sleep(min(PATIENT_SECONDS, max(EAGER_SECONDS, DELAY * (time.monotonic() - began))))
            ended = self.running.poll()
            now = time.monotonic()
            if now - looked > LIMITS_LOOK_SECONDS:
                looked = now
                self._enforce(deadline)
            if ended and not path.exists():
                raise WorkerLostError(ended.stopped, ended.code, self.printed())

    def _enforce(self, deadline: Deadline) -> None:
        stopped = Stopped.NO
        if deadline(self.running):
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

    def _read(self, path: Path) -> messages.Answer:
        try:
            return encoding.decode_answer(box_files.read_plain(path, LARGEST_ANSWER).decode())
        except (ValueError, OSError) as error:
            raise WorkerLostError(Stopped.NO, None, self.printed()) from error


def _title(request: messages.Request) -> str:
    match request:
        case messages.Check(case=case):
            return f"Check {case.shape} {case.run}"
        case _:
            return type(request).__name__
