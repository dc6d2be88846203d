"""The simulator: a submission compiled for this machine's processor and run with CUDA's semantics, confined."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grader.contract.limit_faults import kernel_stopped
from grader.contract.messages import Checked
from grader.errors import InfrastructureError, SubmissionError
from grader.host import cpu_affinity, process
from grader.host.cxx_compiler import find_compiler
from grader.model import Argument, Build, Fault, Interface, Launch, Limits, MatrixFile, Verdict
from grader.worker.launch_limits import launch_fault
from grader.worker.simulator.build import Order, build_program
from grader.worker.simulator.fault_report import read_report
from grader.worker.simulator.faults import explain

BUFFERS = ("A", "B", "C")
DESCRIBE_SECONDS = 10.0
BAD_JOB = 2  # job.cpp's exit status
KINDS = ("pointer", "integer", "real", "other")


def compile_kernel(source: Path, interface: Interface, flags: tuple[str, ...], limits: Limits, box: Path) -> Build:
    """Compile a submission and ask it how its kernel is called and launched.

    Raises:
        SubmissionError: it does not compile, has no kernel, or asks for what the simulator lacks.
        InfrastructureError: there is no C++ compiler that works.

    """
    compiler = find_compiler()
    program = build_program(Order(source, interface.name, flags, limits), compiler, box)
    description = _describe(program.path, limits, box)
    parameters = tuple(
        words[1] for words in description if words[0] == "parameter" and words[1:2] and words[1] in KINDS
    )
    launches = [_launch(words[1:]) for words in description if words[0] == "launch"]
    return Build(
        artifact=str(program.path),
        symbol=program.symbol,
        parameters=parameters,
        launch=launches[0] if launches else None,
        compiler=compiler.label,
        command=program.command,
        log=program.log,
    )


def run_case(
    build: Build,
    launch: Launch,
    grid: tuple[int, int, int],
    arguments: tuple[Argument, ...],
    images: Sequence[Mapping[str, MatrixFile]],
    *,
    order: str,
    blocks: NDArray[np.int64] | None,
    limits: Limits,
    box: Path,
) -> Checked:
    """Launch the kernel once for each mapping of A, B and C to files, in one process; the files hold the outcome.

    Raises:
        InfrastructureError: the machine would not run it at all.

    """
    if fault := launch_fault(launch, grid):
        return Checked(fault)
    work = Path(tempfile.mkdtemp(dir=box))
    try:
        lines = [f"report {work / 'report'}", f"reverse {int(order == 'reverse')}"]
        lines += [*_job(launch, grid, arguments, limits), *_image_lines(images)]
        if blocks is not None:
            _linear(blocks, grid).tofile(work / "blocks")
            lines.append(f"blocks {work / 'blocks'}")
        (work / "job").write_text("\n".join([*lines, ""]), encoding="utf-8")
        ended = _execute(build.artifact, "run", work / "job", work, limits)
        printed = ended.output[: limits.output_bytes].decode("utf-8", "replace")
        return Checked(_fault(ended, Path(build.artifact), work, limits), printed)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _describe(program: Path, limits: Limits, box: Path) -> list[list[str]]:
    """Return the lines of the description, in words. A submission's constructors run first, confined."""
    answer = box / "description"
    answer.unlink(missing_ok=True)
    ended = _execute(program, "describe", answer, box, limits)
    if ended.code != 0 or ended.stopped:
        raise SubmissionError(
            Fault(Verdict.CRASHED, "The file crashes before its kernel is launched.", "Look at its global variables.")
        )
    with answer.open("rb") as file:
        text = file.read(4096).decode("ascii", "replace")
    return [line.split() for line in text.splitlines() if line.strip()]


def _launch(words: list[str]) -> Launch:
    """Return a LAUNCH as the file gives it, its defaults filled in."""
    numbers = [int(word) for word in words if re.fullmatch(r"\d{1,10}", word)]
    try:
        x, y, z, columns, rows, shared, along_rows = numbers
    except ValueError:
        fault = Fault(Verdict.BAD_FILE, "LAUNCH cannot be read.", "Write it as the template does.")
        raise SubmissionError(fault) from None
    block = (max(x, 1), max(y, 1), max(z, 1))
    return Launch(block, (columns or block[0], rows or block[1]), shared, "rows" if along_rows else "columns")


def _job(launch: Launch, grid: tuple[int, int, int], arguments: tuple[Argument, ...], limits: Limits) -> list[str]:
    """Return the lines that say what to launch; their words are explained in job.cpp."""
    cores = len(cpu_affinity.allowed())
    return [
        "grid " + " ".join(str(side) for side in grid),
        "block " + " ".join(str(side) for side in launch.block),
        f"shared {launch.shared}",
        f"workers {cores}",
        f"seconds {limits.case_seconds}",
        f"printed {limits.output_bytes}",
        *(_argument_line(argument) for argument in arguments),
    ]


def _image_lines(images: Sequence[Mapping[str, MatrixFile]]) -> list[str]:
    return [
        f"image {number} {BUFFERS.index(name)} {image.before} {image.nbytes} {image.after} {Path(image.path).resolve()}"
        for number, mapping in enumerate(images)
        for name, image in mapping.items()
    ]


def _argument_line(argument: Argument) -> str:
    if argument.kind == "buffer":
        return f"argument b {BUFFERS.index(argument.name)}"
    if argument.kind == "integer":
        return f"argument i {int(argument.value)}"
    return f"argument r {argument.value!r}"


def _linear(blocks: NDArray[np.int64], grid: tuple[int, int, int]) -> NDArray[np.int64]:
    """Block numbers with x running fastest, from numbers or from rows of x, y, z."""
    if blocks.ndim == 1:
        return blocks.astype(np.int64)
    linear: NDArray[np.int64] = blocks[:, 0] + grid[0] * (blocks[:, 1] + grid[1] * blocks[:, 2])
    return linear.astype(np.int64)


def _execute(program: str | Path, verb: str, file: Path, work: Path, limits: Limits) -> process.Exit:
    """Run the program a little longer than it gives itself, so that it can say where it was."""
    seconds = DESCRIBE_SECONDS if verb == "describe" else limits.case_seconds + 2
    return process.run(
        [Path(program).resolve(), verb, file],
        cwd=work,
        seconds=seconds,
        memory_mib=limits.memory_mib,
        output_bytes=limits.output_bytes + 4096,
        env={"LC_ALL": "C"},
    )


def _fault(ended: process.Exit, artifact: Path, work: Path, limits: Limits) -> Fault | None:
    if ended.stopped:
        return kernel_stopped(ended.stopped, limits)
    if ended.code == 0:
        return None
    facts = read_report(work / "report")
    if facts:
        return explain(facts, artifact, work, limits)
    if ended.code == BAD_JOB:
        raise InfrastructureError(f"The simulator could not start: {ended.text[:200]}")
    return Fault(Verdict.CRASHED, f"The kernel ended the process ({ended}).", "Look for writes outside of arrays.")
