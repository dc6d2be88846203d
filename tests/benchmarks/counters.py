"""The grader's counters for the ladder and the kernels with a planted problem, to compare with Nsight Compute's.

python -m tests.benchmarks.counters COUNTED      counts on the simulator; needs no GPU

`nsight_counters.py` then profiles the same launches, and prints the figures of docs/measurements.md.
"""

import json
import re
import sys
from pathlib import Path

from grader.advice.advise import advice
from grader.advice.devices import GPUS
from grader.model import Counters, Launch, Shape
from tests.advice.counted import PLANTED, ROOT, counted, lab_of, rubric_of

SIZE = 2048  # where the file of a planted problem names none
OWN_SIZE = re.compile(r"^// size: (\d+)", re.MULTILINE)
LADDER = ("naive_uncoalesced", "naive", "tiled_16", "tiled_32", "block_tile_1d", "register_blocked", "block_tile_2d",
          "vectorised", "warp_tiled", "pipelined")  # fmt: skip
TENSOR = ("naive", "wmma", "wmma_tiled")
KINDS = {"load": "loads", "store": "stores", "copy": "copies"}
IN_CPP = {"float16": "half", "float32": "float", "float64": "double", "int32": "int"}
LANES = 32
IN_TENSOR_INSTRUCTION = 16 * 8 * 16  # multiply-adds of the machine code's HMMA.16816


def count(path: Path) -> None:
    """Count every kernel, with its launch and the limiter on an H200."""
    rows = []
    files = [(ROOT / "reference" / f"{name}.cu", "") for name in LADDER]
    files += [(ROOT / "reference" / "tensor_cores" / f"{name}.cu", "") for name in TENSOR]
    files += [(file, flag) for file in PLANTED for flag in ("", "-DFIXED")]
    for file, flag in files:
        size = size_of(file)
        counters, launch = counted(file, size, (flag,) if flag else ())
        interface = rubric_of(lab_of(file)).interface
        given = advice(counters, launch, interface, GPUS["h200"])
        rows.append(
            {
                "types": [IN_CPP[kind] for kind in (interface.type_a, interface.type_b, interface.type_c)],
                "parameters": interface.parameters,
                "file": str(file.relative_to(ROOT)),
                "flag": flag,
                "size": size,
                "block": launch.block,
                "grid": launch.grid(Shape(size, size, size)),
                "shared": launch.shared,
                "limiter": given.bounds[0].resource,
                "advice": given.items[0].name if given.items else "",
                "bounds": {bound.resource: bound.microseconds for bound in given.bounds},
                "counters": comparable(counters, launch),
            }
        )
    path.write_text(json.dumps(rows, indent=1))


def size_of(file: Path) -> int:
    """Return the size at which a kernel is counted."""
    named = OWN_SIZE.search(file.read_text())
    return int(named[1]) if named else SIZE


def comparable(counters: Counters, launch: Launch) -> dict[str, int]:
    """Return the counters by the names of `nsight_counters.py`; multiply-adds are those of threads that exist."""
    threads = launch.threads / -(-launch.threads // LANES)

    def total(space: str, kind: str, quantity: str) -> int:
        some = (access for access in counters.accesses if (access.space, access.kind) == (space, kind))
        return sum(getattr(access, quantity) for access in some)

    return {
        **{
            f"{space} {kinds}, {quantity}": total(space, kind, quantity)
            for space, quantities in (("global", ("requests", "sectors")), ("shared", ("requests", "wavefronts")))
            for kind, kinds in KINDS.items()
            for quantity in quantities
        },
        "multiply-adds": round(
            (counters.multiply_adds - counters.halves + counters.double - counters.conversions) * threads
        ),
        "half instructions": round((counters.halves + counters.half_conversions) * threads),
        "tensor instructions": counters.tensor_products * LANES // IN_TENSOR_INSTRUCTION,
        "instructions": counters.instructions,
    }


if __name__ == "__main__":
    count(Path(sys.argv[1]))
