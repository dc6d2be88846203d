"""The simulator backend of a worker: inputs as files, the compiled submission as a process of its own for each case."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from grader.contract import inputs
from grader.contract.layout import arguments, image, operands, store, surround
from grader.contract.messages import Check, Compile, Ran
from grader.errors import InfrastructureError
from grader.model import Backend, Build, Image, Interface, Shape
from grader.worker.simulator import run

ARTIFACT = "submission.bin"


def compile_request(request: Compile, box: Path) -> Build:
    """Build the request's source for this processor; the artifact is named relative to the box."""
    build = run.compile_kernel(box / request.source, request.interface, request.flags, request.limits, box)
    shutil.copy(build.artifact, box / ARTIFACT)
    return replace(build, artifact=ARTIFACT)


class Host:
    """The simulator on this machine's processor. It answers what is right, and never how fast."""

    def check(self, request: Check, box: Path) -> Ran:
        """Run a case in a process of its own."""
        case, launch = request.case, request.launch
        if request.build is None:
            raise InfrastructureError("The simulator has no library of products.")
        grid = launch.grid(case.shape)
        images = [self._write(request, box, number) for number in range(case.launches)]
        ran = run.run_case(
            replace(request.build, artifact=str(box / request.build.artifact)),
            launch,
            grid,
            arguments(request.interface, case.shape),
            images,
            order=case.order,
            blocks=inputs.sampled_blocks(case, grid) if case.sampled else None,
            limits=request.limits,
            box=box,
        )
        return Ran(ran.fault, ran.printed)

    def _write(self, request: Check, box: Path, number: int) -> dict[str, Image]:
        drawn = inputs.draw(request.case, request.interface, number)
        return write_images(drawn, request.case.shape, request.interface, box, number)


def write_images(drawn: inputs.Inputs, shape: Shape, interface: Interface, box: Path, number: int) -> dict[str, Image]:
    """A, B and a poisoned C as the files that the simulator maps."""
    memory = operands(interface, shape)
    images = {name: image(memory[name], str(box / f"{name}-{number}"), Backend.SIMULATOR) for name in memory}
    for name, matrix in (("A", drawn.A), ("B", drawn.B), ("C", drawn.C)):
        place = images[name]
        surround(store(matrix, memory[name], interface), place).tofile(place.path)
    return images
