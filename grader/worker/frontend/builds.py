"""The files of a compiled program that workers run, left in the box."""

from __future__ import annotations

from pathlib import Path

from grader.model import Build
from grader.worker.frontend.compiling import CUBIN, Program
from grader.worker.frontend.ptx_file import SUFFIX, ptx_file


def cubin_build(program: Program, box: Path) -> Build:
    """Leave what a GPU loads."""
    (box / CUBIN).write_bytes(program.cubin)
    return _build(program, CUBIN)


def ptx_build(program: Program, box: Path) -> Build:
    """Leave what the simulator executes, under the submission's name, by which the PTX refers to its lines."""
    file, usage = f"{program.name}{SUFFIX}", program.usage
    spilled = usage.spill_stores + usage.spill_loads
    (box / file).write_bytes(ptx_file(program.ptx, usage.registers, spilled).encode())
    return _build(program, file)


def _build(program: Program, file: str) -> Build:
    return Build(
        file,
        program.symbol,
        program.parameters,
        program.launch,
        program.compiler,
        program.command,
        program.log,
        parameter_bytes=program.parameter_bytes,
        demands=program.demands,
    )
