"""Reads of shared memory for each multiply-add, by width: counted on the simulator, and in the machine code's loop.

python -m tests.benchmarks.sass_widths     needs nvcc and nvdisasm; no GPU
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from grader.advice.machine_code import reads, reads_agree, unrolled
from grader.host import toolkit
from grader.model import Counters, Limits, SassMix
from grader.worker.frontend.disassembly import disassemble
from tests.advice.counted import ROOT, SQUARE, counted_in, lab_of
from tests.benchmarks.counters import LADDER, PLANTED, size_of


def main() -> None:
    """Print a row for each kernel that reads shared memory."""
    files: list[tuple[Path, tuple[str, ...]]] = [(ROOT / "reference" / f"{name}.cu", ()) for name in LADDER]
    files += [
        (file, flags)
        for file in sorted(PLANTED.glob("*.cu"))
        if lab_of(file) == "square"
        for flags in ((), ("-DFIXED",))
    ]
    for file, flags in files:
        counters, _ = counted_in("square", file, size_of(file), flags)
        mix = machine_code(file, flags)
        if any(access.space == "shared" for access in counters.accesses) and mix and "FFMA" in mix.loop:
            print(f"{file.stem} {' '.join(flags)}: {compared(counters, mix)}", flush=True)
            if not reads_agree(counters, mix) and (iterations := unrolled(counters.loop, mix)) > 1:
                counters, _ = counted_in("square", file, size_of(file), flags, iterations)
                print(f"  {iterations} iterations as one: {compared(counters, mix)}", flush=True)


def machine_code(file: Path, flags: tuple[str, ...]) -> SassMix | None:
    """Compile as a grade does, and disassemble."""
    with tempfile.TemporaryDirectory() as folder:
        cubin = Path(folder) / "kernel.cubin"
        include = ["-I", str(ROOT / "grader" / "include"), "-arch=sm_90", "-std=c++17", "-cubin"]
        command = [str(toolkit.find()), *include, *SQUARE.flags, *flags, str(file), "-o", str(cubin)]
        subprocess.run(command, check=True, capture_output=True)
        return disassemble(cubin, SQUARE.interface.name, Limits(), Path(folder))


def compared(counters: Counters, mix: SassMix) -> str:
    """Reads for each multiply-add by width, those of the grader first."""
    words = ", ".join(f"{name} {own:.3f} | {other:.3f}" for name, (own, other) in reads(counters, mix).items())
    return f"{words}{'' if reads_agree(counters, mix) else '  differs'}"


if __name__ == "__main__":
    main()
