"""Starts workers that answer in this process: the whole pipeline in a fraction of the time of confined workers.

Nothing confines or limits them, so they are for files of this repository that neither crash nor hang. The judge's
question whether a worker has ended makes it answer, in the judge's own thread.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from grader.contract.messages import Answer, Answerable, Check, CountAccesses, End
from grader.host.process import Exit, Running
from grader.judge.compiling import Artifact, compile_source
from grader.judge.conditions import Conditions
from grader.model import Backend, Interface, Limits, Machine, Purpose, Rubric
from grader.rubric import labs, load
from grader.sandbox.processes import Start
from grader.sandbox.starting import worker
from grader.worker.main import Service
from tests.corpus import content

SIMULATOR = Machine(Backend.SIMULATOR, "the test chooses it", "a test")
PATIENCE = 600.0  # seconds; nothing here is expected to hang
FLAGS = ("-O3",)  # those of the square lab: one test finds what another has compiled


@dataclass
class Here(Running):
    """A worker that is no process."""

    service: Service
    ended: bool = False
    turn: Lock = field(default_factory=Lock)  # several threads of a judge may wait for one worker

    def poll(self) -> Exit | None:
        """Answer what was asked, and say whether the worker has ended."""
        with self.turn:
            while not self.ended and (request := self.service.next_request()):
                if isinstance(request, End):
                    self.ended = True
                else:
                    self.answer(request)
        return Exit(0) if self.ended else None

    def answer(self, request: Answerable) -> None:
        """Carry out a request."""
        self.service.answer(request)

    def resident_bytes(self) -> int:
        return 0

    def processor_seconds(self) -> float:
        return 0.0

    def kill(self) -> None:
        with self.turn:  # an answer that another thread still writes would put files into a box that is being removed
            self.ended = True


def start_here(box: Path, backend: Backend, _limits: Limits, purpose: Purpose) -> Running:
    return Here(Service.begun(box, backend, purpose))


def compiled_here(path: Path, interface: Interface, flags: tuple[str, ...] = FLAGS) -> Artifact:
    """The file as the simulator runs it. Raises SubmissionError."""
    return compile_source(conditions_of(interface, flags), content(path), f"{path.stem}.cu")


def conditions_of(
    interface: Interface, flags: tuple[str, ...] = (), limits: Limits | None = None, start: Start = start_here
) -> Conditions:
    """The square lab with another interface, on the simulator."""
    return Conditions(rubric_of(interface, flags, limits), SIMULATOR, 1, start)


def rubric_of(interface: Interface, flags: tuple[str, ...] = (), limits: Limits | None = None) -> Rubric:
    """The square lab with another interface."""
    square = load.load(labs.default())
    return replace(square, interface=interface, flags=flags, limits=limits or Limits())


def answer_here(artifact: Artifact, request: Check | CountAccesses, start: Start = start_here) -> Answer:
    """What a new worker answers that has the compiled kernel, and what was kept of it."""
    with worker(SIMULATOR.backend, Limits(), start, bundle=artifact.bundle()) as ready:
        ready.install(artifact.files())
        return ready.ask(request, PATIENCE)
