"""Compile a submission to a cubin: device code only, so that no host code of a student ever runs."""

from __future__ import annotations

from pathlib import Path

from grader.host import toolkit
from grader.model import Build, Interface, Limits
from grader.worker.frontend.compiling import compile_ptx


def compile_kernel(
    source: Path, interface: Interface, flags: tuple[str, ...], limits: Limits, box: Path, architecture: str
) -> Build:
    """Build `source` for `architecture` (such as sm_90).

    Raises SubmissionError for what its author can fix, InfrastructureError if there is no nvcc.
    """
    toolkit.require()
    program = compile_ptx(source.read_bytes(), source.name, interface, flags, limits, box, architecture)
    target = box / "submission.cubin"
    target.write_bytes(program.cubin)
    return Build(
        str(target), program.symbol, program.parameters, program.launch, program.compiler, program.command, program.log
    )
