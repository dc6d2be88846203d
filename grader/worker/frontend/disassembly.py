"""Disassemble a compiled kernel with nvdisasm, which is confined like a compiler: the file comes from hostile text."""

from __future__ import annotations

from pathlib import Path

from grader.errors import InfrastructureError
from grader.host import toolkit
from grader.host.confinement.mechanism import Rules, confine, strongest
from grader.host.process import run
from grader.model import Limits, SassMix
from grader.worker.frontend.sass import sass_mix

PROGRAM = "nvdisasm"
SECONDS = 20.0
MOST_OUTPUT = 64 << 20  # bytes; an instruction takes about sixty


def disassemble(cubin: Path, symbol: str, limits: Limits, box: Path) -> SassMix | None:
    """Return the instructions of a kernel; None where nvdisasm is missing, fails, or is too old to write JSON."""
    program = toolkit.find(PROGRAM)
    if program is None:
        return None
    readable = (program.parent, program.resolve().parent, *toolkit.system_folders())
    rules = Rules(readable, (box,), SECONDS)
    try:
        ended = run(
            confine([str(program), "--emit-json", str(cubin)], rules, strongest()),
            cwd=box,
            seconds=SECONDS,
            memory_mib=limits.memory_mib,
            output_bytes=MOST_OUTPUT,
            env={"PATH": str(program.parent), "LC_ALL": "C", "TMPDIR": str(box)},
        )
    except InfrastructureError:
        return None
    return sass_mix(ended.text, symbol) if ended.code == 0 else None
