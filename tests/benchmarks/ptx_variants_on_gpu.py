"""Whether a GPU computes what the reference of the simulator's instructions says, for every variant that ptxas accepts.

python tests/benchmarks/ptx_variants_on_gpu.py         on operands of 2 seeds
python tests/benchmarks/ptx_variants_on_gpu.py 8       of so many
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
from pycuda import driver  # noqa: E402

from tests.benchmarks.ptx_variants import ARCHITECTURE, TABLES, refused_by_ptxas  # noqa: E402
from tests.ptxsim.generate import sweep  # noqa: E402
from tests.ptxsim.generate.written import Written, kernel, line  # noqa: E402


def on_gpu(listed: Sequence[Written], rows: sweep.Rows) -> sweep.Rows:
    """Return what each lane stores for each instruction."""
    given, results = np.array(rows, np.uint64), np.zeros((len(listed), 32), np.uint64)
    launched = driver.module_from_buffer(assembled(kernel(listed))).get_function("k")
    launched(driver.In(given), driver.Out(results), block=(32, 1, 1), grid=(1, 1))
    return [[int(word) for word in row] for row in results]


def assembled(text: str) -> bytes:
    """Return the machine code of a kernel in PTX."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "kernel.ptx", Path(folder) / "kernel.cubin"
        source.write_text(text, encoding="utf-8")
        subprocess.run(["ptxas", f"-arch={ARCHITECTURE}", "-o", str(target), str(source)], check=True)
        return target.read_bytes()


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    driver.init()
    context = driver.Device(0).retain_primary_context()
    context.push()
    listed = [instruction for table in TABLES for instruction in sweep.instructions(table)]
    refused = refused_by_ptxas([line(instruction) for instruction in listed])
    accepted = [instruction for number, instruction in enumerate(listed) if number not in refused]
    wrong = {text.split()[0]: text for seed in range(seeds) for text in sweep.wrong(accepted, seed, on_gpu)}
    print(f"{len(accepted)} instructions on {32 * seeds} sets of operands on {driver.Device(0).name()}")
    print(f"{len(wrong)} give another value than the reference", *wrong.values(), sep="\n")
    context.pop()


if __name__ == "__main__":
    main()
