"""What a kernel lacks of the use of tensor cores, in labs that allow them. Pure.

A fragment is a matrix that the registers of a warp hold together. The rules speak of fragments of 16 x 16.
"""

from dataclasses import replace

from grader.advice.elements import HALF, LANES, WORD
from grader.advice.situation import Problem, Situation, busiest
from grader.advice.technique_problems import TILE
from grader.advice.work import tensor_cycles
from grader.model import AccessCount

FRAGMENT = 16 * 16
PRODUCT = FRAGMENT * 16  # multiply-adds of two fragments
IN_CORES = {"f16": 2, "f16 sums": 2, "bf16": 2, "tf32": 4}  # bytes of a factor
# For each multiply-add of a warp: wmma.cu and wmma_tiled.cu of the reference kernels, with one fragment of C per warp.
FROM_GLOBAL_LINES = 0.25  # of L1, for each byte of an element
FROM_SHARED_WAVEFRONTS, ISSUED = 8 / 128, 0.15
TILED_LINES, TILED_WAVEFRONTS = 1 / 64, 1 / 64  # to fill the tiles
MATRICES = 4  # of 8 x 8 in a fragment, each of which takes a wavefront
MOST_FRAGMENTS = 1.2  # loaded for each product
CONVERTED = 0.45  # conversions for each multiply-add
HALVES = "Let each warp multiply fragments of 16 x 16 halves with wmma::mma_sync (mma.h) and an accumulator of"
HOW = {
    "f16": f"{HALVES} float.",
    "f16 sums": f"{HALVES} half.",
    "bf16": "Round the elements to __nv_bfloat16 (cuda_bf16.h) where a tile of them is stored in shared memory, and "
    "let each warp multiply fragments of 16 x 16 with wmma::mma_sync (mma.h) and an accumulator of float.",
    "tf32": "Let each warp multiply fragments of 16 x 16 x 8 of wmma::precision::tf32 with wmma::mma_sync (mma.h) and "
    "an accumulator of float, after wmma::__float_to_tf32 of their elements.",
}


def unused(situation: Situation) -> Problem | None:
    """The lab and the GPU allow tensor cores, and the kernel multiplies without them."""
    rate, counters, work = situation.tensor_rate, situation.counters, situation.work
    if rate <= _others(situation) or counters.tensor_products or not counters.multiply_adds:
        return None
    read = sum(access.wavefronts for access in situation.of("shared", "load"))
    has_tile = bool(read) or situation.elements.tensor == "bf16"  # no fragment of floats becomes one of bfloat16
    lines, wavefronts = FROM_GLOBAL_LINES * situation.elements.bytes, 0.0
    if has_tile:
        lines, wavefronts = 2 / TILE, FROM_SHARED_WAVEFRONTS + 2 / TILE
    useful = situation.useful
    return Problem(
        "idle tensor cores",
        counters.loop.line if counters.loop else 0,
        f"The kernel multiplies without tensor cores, which this lab allows: they start {rate:,} multiply-adds in a "
        f"cycle of a multiprocessor, and its other units {_others(situation)}.{_converted(situation)}",
        HOW[situation.elements.tensor],
        replace(
            work,
            multiply_adds=0.0,
            halves=0.0,
            tensor=tensor_cycles(useful, rate),
            issued=min(work.issued, (ISSUED + (2 / TILE if has_tile else 0)) * useful),
            l1=min(work.l1, lines * useful),
            shared=min(work.shared, wavefronts * useful) if read else wavefronts * useful,
            l2_bytes=work.l2_bytes / (1 if read else 2),
        ),
    )


def _converted(situation: Situation) -> str:
    loop = situation.counters.loop
    if situation.elements.type != HALF.type or loop is None or loop.half_conversions < CONVERTED * loop.multiply_adds:
        return ""
    return (
        f" They take halves as they are: one iteration has {loop.half_conversions} conversions to float for "
        f"{loop.multiply_adds} multiply-adds."
    )


def _others(situation: Situation) -> int:
    """Return the multiply-adds that the units in use start in a cycle."""
    counters, gpu = situation.counters, situation.gpu
    if counters.pairs > counters.multiply_adds / 2:
        return 2 * gpu.half_lanes
    return gpu.half_lanes if counters.halves > counters.multiply_adds / 2 else gpu.lanes


def fragments_from_global(situation: Situation) -> Problem | None:
    """Warps load the same fragments from global memory, each for itself."""
    loads = _fragments(situation, "global")
    if not situation.counters.tensor_products or not loads or _fragments(situation, "shared"):
        return None
    work, loaded = situation.work, sum(access.requests * access.width * access.lanes for access in loads)
    wavefronts = MATRICES * _for_each_product(loads, situation) * LANES / PRODUCT + TILED_WAVEFRONTS
    return Problem(
        "no reuse between warps: fragments come from global memory",
        busiest(loads).line,
        f"Each warp loads its fragments from global memory: {2 * LANES * situation.useful / loaded:.2g} FLOP per "
        "byte, and a cycle of L1 for each piece of 16 bytes.",
        "Let a block of several warps load tiles of A and B into shared memory, each thread 16 bytes at a time, and "
        "let its warps load their fragments from there.",
        replace(
            work,
            l1=min(work.l1, TILED_LINES * situation.useful),
            shared=wavefronts * situation.useful,
            l2_bytes=work.l2_bytes / 2,
        ),
    )


def few_fragments(situation: Situation) -> Problem | None:
    """A warp loads two fragments from shared memory for each product."""
    loads, rate = _fragments(situation, "shared"), situation.tensor_rate
    products = situation.counters.tensor_products * LANES / PRODUCT
    if not loads or not rate or not products:
        return None
    each = _for_each_product(loads, situation)
    # Bank conflicts are another problem.
    wavefronts = sum(min(access.wavefronts, access.requests * access.width // WORD) for access in loads)
    cycles, needed = wavefronts / products / situation.gpu.wavefronts, PRODUCT / rate
    if each < MOST_FRAGMENTS or cycles <= needed:
        return None
    work = situation.work
    return Problem(
        "too few fragments per warp",
        busiest(loads).line,
        f"For each product of 16 x 16 x 16, a warp loads {each:.2g} fragments from shared memory, which takes "
        f"{cycles:.2g} cycles of the banks; the tensor cores could compute it in {needed:.2g}.",
        "Let each warp compute 2 x 2 or 4 x 2 fragments of C: each fragment of A and B that it loads is then used for "
        "several products.",
        replace(
            work,
            shared=work.shared / 2,
            l1=work.l1 / 2,
            issued=work.issued / 2,
            l2_bytes=work.l2_bytes / 2,  # with as many warps, the block's tile grows too
        ),
        waits=True,
    )


def _for_each_product(loads: list[AccessCount], situation: Situation) -> float:
    """Return the fragments of 16 x 16 that a warp loads for each product of 16 x 16 x 16."""
    elements = sum(access.requests * access.width * access.lanes for access in loads)
    elements /= IN_CORES.get(situation.elements.tensor, situation.elements.bytes)
    return elements / FRAGMENT / (situation.counters.tensor_products * LANES / PRODUCT)


def _fragments(situation: Situation, space: str) -> list[AccessCount]:
    return [access for access in situation.of(space, "load") if access.of_fragment]
