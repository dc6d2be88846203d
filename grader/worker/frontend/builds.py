"""The files of a compiled program that workers run, left in the box."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from grader.model import Build
from grader.worker.frontend.compiling import CUBIN, Program


def cubin_build(program: Program, box: Path) -> Build:
    """Leave what a GPU loads."""
    (box / CUBIN).write_bytes(program.cubin)
    return _build(program, CUBIN)


def ptx_build(program: Program, box: Path) -> Build:
    """Leave what the simulator executes, under the submission's name, by which the PTX refers to its lines."""
    file = f"{program.name}.ptx"
    (box / file).write_bytes(program.ptx.encode())
    return replace(_build(program, file), ptx_facts=program.facts)


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
