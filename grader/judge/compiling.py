"""Compile a source file in a worker, and check that its kernel has the parameters of the lab."""

from __future__ import annotations

import signal
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from grader.contract.encoding import encode
from grader.contract.files import LARGEST_COMPILED
from grader.contract.further import steps
from grader.contract.layout import signature
from grader.contract.messages import Compile, Compiled
from grader.errors import DOCTOR_HINT, HANG_HINT, InfrastructureError, SubmissionError
from grader.explain import parameters
from grader.explain.files import as_written
from grader.explain.limits import compiler_stopped
from grader.explain.wrong_elements.trial import NOTHING, Uses, uses
from grader.host import granted
from grader.host.compilers import repair
from grader.host.stopped import Stopped
from grader.judge.conditions import Conditions
from grader.judge.empty_kernel import empty_kernel, is_suspect
from grader.judge.empty_kernel import headers as included_headers
from grader.judge.submission import with_constants
from grader.model import Argument, Build, Interface, Launch, Limits, Purpose, Rubric, Verdict
from grader.sandbox.box_files import read_plain
from grader.sandbox.bundles import Bundle, bundle
from grader.sandbox.client import Worker, WorkerLostError
from grader.sandbox.starting import worker

# Wall-clock limit beyond the CPU time that the worker allows its compilers; exceeding it is a grader error.
BUSY, GRACE_SECONDS = 12, 120.0
FOLDER = "source"
PASSED_AS = {"buffer": "pointer", "null": "pointer", "struct": "other"}
EMPTY, AMPLE = "empty.cu", 20
BROKEN = "Do the compiler, its host compiler and the rubric's flags fit together? Run `grade doctor`."
INTEGERS = (2, 4, 8)  # bytes; a launch converts to short as C++ does, even if a size is too large
REALS = (2, 4, 8)

UNKNOWN = Launch((1, 1, 1), (1, 1))  # on which no type of a parameter depends


@dataclass(frozen=True, slots=True)
class Artifact:
    """A build, the bytes of the compiled file (every worker gets a copy), and the features that the source uses.

    `traced` is the same kernel compiled for another backend, which traces accesses.
    """

    build: Build
    content: bytes
    uses: Uses = NOTHING
    traced: Artifact | None = None

    def files(self) -> dict[str, bytes]:
        return {self.build.artifact: self.content}

    def launch_in(self, rubric: Rubric) -> Launch:
        """Return the launch that the file has itself, or else that of the lab."""
        return self.build.launch or rubric.launch

    def bundle(self) -> Bundle:
        """Return the cache entry of the code that workers generate for this kernel."""
        return bundle("generated", self.content)

    def put_into(self, worker: Worker) -> None:
        """Put the compiled file into a worker's box, with the code that workers have generated for it."""
        worker.carry(self.bundle())
        worker.install(self.files())


def compile_source(conditions: Conditions, content: bytes, name: str) -> Artifact:
    """Compile `content`, whose kernel may have other parameters than the interface: `check_signature` compares them.

    Raises SubmissionError for a mistake in it, InfrastructureError for any other failure.
    """
    rubric = conditions.rubric
    try:
        return _compiled(conditions, content, name)
    except SubmissionError as error:
        if is_suspect(error.fault, content):
            _compile_empty_kernel(conditions)
            if included := included_headers(content, frozenset(header.name for header in rubric.headers)):
                few = rubric.limits  # for headers that a student chose
                ample = replace(few, compile_seconds=AMPLE * few.compile_seconds, memory_mib=AMPLE * few.memory_mib)
                _compile_empty_kernel(conditions.within(ample), included)
        raise
    except InfrastructureError as error:
        if error.hint == HANG_HINT:
            _compile_empty_kernel(conditions)
        raise


def _compile_empty_kernel(conditions: Conditions, included: tuple[str, ...] = ()) -> None:
    """Raise InfrastructureError if an empty kernel with these headers does not compile. One that does is cached."""
    rubric = conditions.rubric
    try:
        _compiled(conditions, empty_kernel(included, rubric.interface.name), EMPTY)
    except SubmissionError as error:
        if error.fault.verdict is not Verdict.COMPILE_ERROR:
            return
        what = f" with {', '.join(f'<{header}>' for header in included)}"[:400] if included else ""
        reason = (error.fault.cause or error.fault.sentence).rstrip(".")
        sentence = (
            f"Even an empty kernel{what} does not compile here, with the flags {' '.join(rubric.flags)}: {reason}."
        )
        raise InfrastructureError(sentence, repair(BROKEN)) from error
    except InfrastructureError as error:
        if error.hint == HANG_HINT:
            raise InfrastructureError("The compiler hangs, even with an empty kernel.", repair(BROKEN)) from error
        raise


def _compiled(conditions: Conditions, content: bytes, name: str) -> Artifact:
    rubric, limits, source = conditions.rubric, conditions.rubric.limits, f"{FOLDER}/{name}"
    content = with_constants(content, rubric.interface.constants)
    architecture = conditions.machine.architecture
    request = Compile(source, architecture, rubric.interface, rubric.flags, limits, rubric.headers)
    kept = bundle("compiled", content, encode(request))
    with worker(conditions.backend, limits, conditions.start, Purpose.COMPILE, kept) as compiler:
        compiler.install({source: content})
        try:
            answer = compiler.ask(request, BUSY * limits.compile_seconds + GRACE_SECONDS)
        except WorkerLostError as lost:
            raise _lost(lost, limits) from lost
        if not isinstance(answer, Compiled):
            raise InfrastructureError(f"The worker answered a request to compile with {type(answer).__name__}.")
        if answer.finding is not None or answer.build is None:
            from grader.explain.compilation import of_compilation  # takes long to import
            from grader.explain.source_text import SourceText

            fault = of_compilation(answer.finding, limits, SourceText.of(content))
            raise SubmissionError(as_written(fault, content))
        used = uses(content)
        traced = _artifact(compiler.box, answer.traced, used) if answer.traced else None
        return replace(_artifact(compiler.box, answer.build, used), traced=traced)


def check_signature(build: Build, interface: Interface) -> None:
    """Check the number, kinds and sizes of each kernel's parameters against those of the lab."""
    for step in steps(build, UNKNOWN, interface):
        _check_signature(step.build, step.interface)


def _check_signature(build: Build, interface: Interface) -> None:
    called = signature(interface)
    want = tuple(PASSED_AS.get(argument.kind, argument.kind) for argument in called)
    if build.parameters != want:
        raise SubmissionError(parameters.others(build, interface, want))
    for text, argument, nbytes in zip(interface.parameters, called, build.parameter_bytes, strict=False):
        if argument.kind == "struct" and nbytes != argument.nbytes:
            raise SubmissionError(parameters.of_another_struct(build, argument, nbytes, text))
        has_value = "=" in text  # the author of the rubric chose its type
        if not has_value and not holds(argument, nbytes, interface):
            raise SubmissionError(parameters.too_narrow(build, argument, nbytes, interface))


def _artifact(box: Path, build: Build, uses: Uses) -> Artifact:
    """Read the compiled file directly in the box. Its name may be hostile, as the worker compiles a hostile file."""
    name = build.artifact
    if Path(name).name != name:
        raise InfrastructureError(f"The worker named a file outside of its box: {name[:200]}.")
    return Artifact(build, read_plain(box / name, LARGEST_COMPILED), uses)


def _lost(lost: WorkerLostError, limits: Limits) -> Exception:
    if lost.stopped in {Stopped.MEMORY, Stopped.DISK}:  # Stopped.OUTPUT is of the worker, not of the compiler
        return SubmissionError(compiler_stopped(lost.stopped, limits))
    if lost.code == -signal.SIGXCPU:
        return SubmissionError(compiler_stopped(Stopped.TIME, limits))
    if lost.stopped is Stopped.TIME:  # wall-clock time; the limit for compilers is CPU time
        sentence = "The compiler did not finish in time, although it did not use up its CPU time."
        return InfrastructureError(sentence, "Grade again when this machine is less busy.")
    return worker_error("compiling", lost)


def worker_error(doing: str, lost: WorkerLostError) -> InfrastructureError:
    """The grader error for a worker that failed by itself, with the last line that it printed."""
    granted.check_space(Path(tempfile.gettempdir()))
    granted.check_threads()
    last = lost.printed.strip().rpartition("\n")[2][:200]
    sentence = f"The worker ended while {doing}: {last or 'it gave no reason'}."
    return InfrastructureError(sentence, DOCTOR_HINT)


def holds(argument: Argument, nbytes: int, interface: Interface) -> bool:
    """Whether a parameter of `nbytes` holds the argument; a factor exactly, or as precisely as an element of C."""
    if argument.kind != "real":
        return argument.kind == "buffer" or nbytes in INTEGERS
    if nbytes not in REALS:
        return False
    is_as_exact = nbytes >= np.dtype(interface.type_c).itemsize
    with np.errstate(over="ignore"):
        return is_as_exact or float(np.dtype(f"f{nbytes}").type(argument.value)) == argument.value
