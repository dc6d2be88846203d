"""Compile a submission to a cubin: device code only, so that no host code of a student ever runs."""

from __future__ import annotations

from pathlib import Path

from grader.contract import box_cache
from grader.errors import InfrastructureError
from grader.host import cache, toolkit
from grader.host.process import run
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


def compile_trusted(source: Path, architecture: str, limits: Limits, box: Path) -> Path:
    """Build one of the grader's own files, with a cache. Raises InfrastructureError if that fails."""
    nvcc = toolkit.require()
    name = f"{cache.key('trusted', source.read_bytes(), architecture, toolkit.version(nvcc, box))}.cubin"
    target = box / "trusted.cubin"
    kept = box_cache.find(box, name, box_cache.GIVEN_TRUSTED, box_cache.ADDED_TRUSTED)
    if kept is not None:
        target.write_bytes(kept)
    else:
        command = [str(nvcc), f"-arch={architecture}", "-std=c++17", "-O3", "-cubin", str(source), "-o", str(target)]
        ended = run(command, cwd=box, seconds=limits.compile_seconds)
        if ended.code != 0:
            raise InfrastructureError(f"{source.name} does not compile here: {ended.output[:400].decode()}")
        box_cache.add(box, name, target.read_bytes(), box_cache.ADDED_TRUSTED)
    return target
