"""The smallest backend: a "submission" is an expression for C. It shows what a third backend needs.

Run as a command, it is a worker, which finds this module where a folder of `grader/worker/` would put it.
"""

import shutil
import sys
from pathlib import Path

from grader.contract import inputs
from grader.contract.files import matrix_file
from grader.contract.layout import operands, store_guarded
from grader.contract.messages import LAUNCHED, Check, Checked, Compile, Compiled
from grader.model import Build, Purpose
from grader.worker import main
from grader.worker.backend import Runner, WorkerBackend

KINDS = {"A": "pointer", "B": "pointer", "C": "pointer"}


class NumpyRunner(Runner):
    def check(self, request: Check, box: Path) -> Checked:
        assert request.build is not None
        plus = 1 if b"+ 1" in (box / request.build.artifact).read_bytes() else 0
        memory = operands(request.interface, request.case.shape)
        for number in range(request.case.launches):
            (box / LAUNCHED).touch()
            drawn = inputs.draw(request.case, request.interface, number)
            C = (drawn.A.astype("float32") @ drawn.B.astype("float32") + plus).astype(request.interface.type_c)
            for name, matrix in (("A", drawn.A), ("B", drawn.B), ("C", C)):
                content = store_guarded(matrix, memory[name], request.interface)
                content.tofile(matrix_file(box, name, number))
        return Checked()


class NumpyBackend(WorkerBackend):
    def compile(self, request: Compile, box: Path) -> Compiled:
        shutil.copy(box / request.source, box / "expression")
        parameters = tuple(KINDS.get(name, "integer") for name in request.interface.parameters)
        return Compiled(Build("expression", request.interface.name, parameters, None, "numpy", ()))

    def load(self, purpose: Purpose) -> None:
        pass

    def open(self, box: Path, *, timing: bool, searching: bool = False) -> Runner:  # noqa: ARG002 - nothing to open
        return NumpyRunner()


BACKEND: WorkerBackend = NumpyBackend()

if __name__ == "__main__":
    sys.modules["grader.worker.numpy.backend"] = sys.modules["__main__"]
    main.main(Path(sys.argv[1]), "numpy", Purpose(sys.argv[2]))
