"""What the machine code shows about counters that come from PTX. Pure."""

from __future__ import annotations

from collections import Counter

from grader.model import Counters, LoopMix, SassMix

ARITHMETIC = "FFMA"
READS = {"LDS": 4, "LDS.64": 8, "LDS.128": 16}  # bytes of each thread
TOLERANCE = 0.02  # reads for each multiply-add


def unrolled(loop: LoopMix | None, mix: SassMix) -> int:
    """Return how many iterations of the loop in PTX the loop in the machine code has; 1 where that does not show."""
    if loop is None or not loop.multiply_adds or not loop.shared_loads:
        return 1
    iterations, rest = divmod(mix.loop.get(ARITHMETIC, 0), loop.multiply_adds)
    return iterations if iterations and not rest else 1


def reads_agree(counters: Counters, mix: SassMix) -> bool:
    """Whether the reads of shared memory for each multiply-add have the widths of the machine code's loop."""
    return all(abs(own - other) <= TOLERANCE for own, other in reads(counters, mix).values())


def reads(counters: Counters, mix: SassMix) -> dict[str, tuple[float, float]]:
    """Return the reads of shared memory for each multiply-add, by width: those counted, and the machine code's."""
    requests: Counter[int] = Counter()
    for access in counters.accesses:
        if (access.space, access.kind) == ("shared", "load"):
            requests[access.width] += access.requests
    counted, written = max(1, counters.multiply_adds), max(1, mix.loop.get(ARITHMETIC, 0))
    return {name: (requests[width] / counted, mix.loop.get(name, 0) / written) for name, width in READS.items()}
