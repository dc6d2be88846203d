"""The simulator backend of a worker: inputs as files, the compiled submission as a process of its own for each case."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from grader.contract import inputs
from grader.contract.layout import arguments, matrix_file, operands, store, surround
from grader.contract.messages import Check, Checked, Compile
from grader.errors import InfrastructureError
from grader.model import Build, Guard, Interface, MatrixFile, Shape
from grader.worker.backend import Runner, WorkerBackend
from grader.worker.simulator import run

ARTIFACT = "submission.bin"


class Simulator:
    """Compiles a submission for this machine's processor."""

    def compile(self, request: Compile, box: Path) -> Build:
        """Build with the C++ compiler of this machine."""
        build = run.compile_kernel(box / request.source, request.interface, request.flags, request.limits, box)
        shutil.copy(build.artifact, box / ARTIFACT)
        return replace(build, artifact=ARTIFACT)

    def open(self, box: Path, *, timing: bool) -> Runner:  # noqa: ARG002 - nothing to open
        """Every case runs in a process of its own, so nothing is opened ahead."""
        return CaseRunner()


class CaseRunner(Runner):
    """Runs cases on this machine's processor. It measures no speed."""

    def check(self, request: Check, box: Path) -> Checked:
        """Run a case in a process of its own."""
        case, launch = request.case, request.launch
        if request.build is None:
            raise InfrastructureError("The simulator has no library of products.")
        grid = launch.grid(case.shape)
        images = [self._write(request, box, number) for number in range(case.launches)]
        return run.run_case(
            replace(request.build, artifact=str(box / request.build.artifact)),
            launch,
            grid,
            arguments(request.interface, case.shape),
            images,
            order=case.order,
            blocks=inputs.blocks(case, grid),
            limits=request.limits,
            box=box,
        )

    def _write(self, request: Check, box: Path, number: int) -> dict[str, MatrixFile]:
        drawn = inputs.draw(request.case, request.interface, number)
        return write_images(drawn, request.case.shape, request.interface, box, number)


def write_images(
    drawn: inputs.Inputs, shape: Shape, interface: Interface, box: Path, number: int
) -> dict[str, MatrixFile]:
    """A, B and a poisoned C as the files that the simulator maps."""
    memory = operands(interface, shape)
    images = {name: matrix_file(memory[name], str(box / f"{name}-{number}"), Guard.PAGE) for name in memory}
    for name, matrix in (("A", drawn.A), ("B", drawn.B), ("C", drawn.C)):
        place = images[name]
        surround(store(matrix, memory[name], interface), place).tofile(place.path)
    return images


BACKEND: WorkerBackend = Simulator()
