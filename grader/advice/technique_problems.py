"""What a kernel lacks of the techniques that a course teaches one after the other. Pure."""

from dataclasses import replace

from grader.advice.elements import ARITHMETIC, LANES, WORD, in_words
from grader.advice.situation import Problem, Situation, busiest, requests
from grader.advice.work import SECTOR, bounds
from grader.model import AccessCount

FROM_GLOBAL = "no reuse: every multiply-add loads from global memory"
BETWEEN_THREADS = "no reuse between threads: the operands come from global memory"
TILE = 32
TILE_ONLY = (
    f"Load a tile of A and a tile of B of {TILE} x {TILE} into shared memory, and use each element {TILE} times."
)
TILE_AND_BLOCK = (
    "Load a tile of A and a tile of B into shared memory, and compute 4 x 4 elements of C per thread from them."
)
LEAST_LOADS = 0.45  # from global memory for each multiply-add
LEAST_WAVEFRONTS = 0.4  # of loads from shared memory for each multiply-add, where a thread has many results already
FEW_RESULTS = 4  # of a thread
SOME_RESULTS = 2  # of a thread
# Instructions and wavefronts for each multiply-add in two reference kernels: with 4 x 4 results per thread
# (register_blocked.cu), and with a tile of 32 x 32 (tiled_32.cu).
BLOCKED, TILED = (1.8, 0.4), (2.4, 1.55)
NARROW = 0.6  # share of the loads
MANY_RESULTS = 16  # of a thread, from which on 4 x 4 of them can use one 16-byte load of each side
PREFETCHED = 0.5  # share of the loads: the kernel loads the next tile while it computes
OVERLAP = 1.35  # where the kernel is not timed; pipelined.cu over warp_tiled.cu at 2048: 1.26; vectorised.cu: 1.29

HIDDEN = 0.5  # of the arithmetic's time: what takes less beside it


def no_reuse(situation: Situation) -> Problem | None:
    """Each multiply-add fetches its operands, or one of them, from global memory."""
    loads = [access for access in situation.of("global", "load") if not access.of_fragment]
    if not loads or not _loads_operands(situation, requests(loads) / situation.useful):
        return None
    has_tile = bool(situation.of("shared", "load"))
    is_between_threads = not has_tile and situation.results >= SOME_RESULTS
    # With one result per thread, a tile of wide elements is read in as many cycles as they take from L1.
    is_blocked = is_between_threads or (not has_tile and situation.lines > 1)
    issued, wavefronts = BLOCKED if is_blocked else TILED
    work, useful = situation.work, situation.useful
    return Problem(
        BETWEEN_THREADS if is_between_threads else FROM_GLOBAL,
        busiest(loads).line,
        _loaded(situation, loads),
        TILE_AND_BLOCK if is_blocked else TILE_ONLY,
        replace(
            work,
            l1=2 * useful / TILE * situation.lines,
            l2_bytes=work.l2_bytes / 4,
            issued=useful * issued,
            shared=useful * wavefronts * situation.lines,
        ),
    )


def _loads_operands(situation: Situation, each: float) -> bool:
    """Whether the loads from global memory, so many for each multiply-add, are those of operands and not of tiles."""
    loop = situation.counters.loop
    if situation.of("shared", "load"):  # unless the innermost loop is one over tiles
        is_over_terms = loop is not None and bool(loop.global_loads) and not loop.barriers and not loop.stores
        return each >= LEAST_LOADS and is_over_terms
    # Wide loads are fewer, but take as much of the time.
    return each >= LEAST_LOADS or (situation.results >= SOME_RESULTS and situation.limiter in {"L1 cache", "L2 cache"})


def _loaded(situation: Situation, loads: list[AccessCount]) -> str:
    size = situation.elements.bytes
    each = sum(access.requests * access.width / size for access in loads) / situation.useful
    elements = "element" if f"{each:.2g}" == "1" else "elements"
    return (
        f"For each multiply-add, a thread loads {each:.2g} {elements} from global memory: {2 / (size * each):.2g} FLOP "
        "per byte."
    )


def more_results(situation: Situation) -> Problem | None:
    """Reads from shared memory are the limit: each value that is read is used too seldom."""
    work = situation.work
    loads = [access for access in situation.of("shared", "load") if not access.of_fragment]
    # Bank conflicts are another problem.
    wavefronts = sum(min(access.wavefronts, access.requests * max(1, access.width // WORD)) for access in loads)
    each = wavefronts / situation.useful
    arithmetic = LANES / situation.gpu.lanes * situation.gpu.wavefronts  # wavefronts in the time of a multiply-add
    least = arithmetic if situation.results <= MANY_RESULTS else LEAST_WAVEFRONTS * situation.lines
    if each <= least or not loads:
        return None
    side = 4 if situation.results < FEW_RESULTS else 8
    rest = work.shared - sum(access.wavefronts for access in loads)
    return Problem(
        "shared-memory bound: too few results per thread",
        max(loads, key=lambda access: access.wavefronts).line,
        f"A thread computes {situation.results:g} element{'s' if situation.results != 1 else ''} of C, and its reads "
        f"from shared memory take {each:.2f} cycles of the banks for each multiply-add; in one cycle, a multiprocessor "
        f"could start {situation.gpu.lanes / LANES:g} multiply-adds of a warp.",
        f"Compute {side} x {side} elements of C per thread, in registers: each value from shared memory is then used "
        f"{side} times.",
        replace(
            work,
            shared=rest / 2 + 2 / side * situation.useful * situation.lines,
            issued=work.issued - requests(loads) + 2 / side * situation.useful,
        ),
    )


def scalar_loads(situation: Situation) -> Problem | None:
    """Loads of one element where a thread could load 16 bytes."""
    elements = situation.elements
    loads = situation.of("shared", "load") + situation.of("global", "load")
    narrow = [access for access in loads if access.width == elements.bytes]
    if situation.results < MANY_RESULTS or not narrow or requests(narrow) < NARROW * requests(loads):
        return None
    worst = busiest(narrow)
    work, saved = situation.work, 1 - 1 / elements.many
    return Problem(
        f"scalar loads where {elements.many}-wide ones are possible",
        worst.line,
        f"{requests(narrow) / requests(loads):.0%} of the loads read {elements.bytes} bytes per thread; there is a "
        f"load for every {situation.useful / requests(loads):.1f} multiply-adds.",
        _wider(situation),
        replace(work, issued=work.issued - saved * requests(narrow), l1=work.l1 - 0.5 * requests(narrow)),
        wasted=1.25,
        waits=True,
    )


def _wider(situation: Situation) -> str:
    many, wide = in_words(situation.elements.many), situation.elements.wide
    if situation.counters.tensor_products:
        return f"Let each thread copy {many} neighbouring elements of a tile with one {wide}."
    return (
        f"Let a thread own {many} neighbouring elements, and load them with one {wide} from global and shared memory."
    )


def no_overlap(situation: Situation) -> Problem | None:
    """Threads compute only after the loads of their tile have arrived."""
    counters = situation.counters
    loads, copies = situation.of("global", "load"), situation.of("global", "copy")
    if situation.results < MANY_RESULTS or copies or not loads or counters.prefetched > PREFETCHED:
        return None
    if not counters.barriers or not situation.of("shared", "load") or _hides_loads(situation):
        return None
    tiles = counters.barriers / 2
    return Problem(
        "no overlap of loads and arithmetic",
        busiest(loads).line,
        f"In each of {tiles:,.0f} steps, all threads wait at a barrier until a tile is loaded, and only then compute.",
        "Load the next tile while this one is used: double buffering, with registers or with cp.async "
        "(__pipeline_memcpy_async).",
        replace(situation.work, waiting=situation.work.waiting / 4),
        wasted=OVERLAP,
        waits=True,
    )


def _hides_loads(situation: Situation) -> bool:
    """Whether the arithmetic of other blocks hides the loads of one, as slow units for doubles do: by an estimate."""
    first, second = bounds(situation.work, situation.gpu)[:2]
    return (
        situation.measured is None
        and first.resource == ARITHMETIC
        and second.microseconds < HIDDEN * first.microseconds
    )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _because(tile: tuple[int, int] | None) -> str:
    if tile is None:
        return ""
    columns, rows = tile
    return (
        f", because a block of {rows} x {columns} elements uses each element of A {_times(columns)} and of B "
        f"{_times(rows)}"
    )


def l2_traffic(situation: Situation) -> Problem | None:
    """Blocks read the same elements from L2 too often."""
    loads, work = situation.of("global", "load", "copy"), situation.work
    if situation.limiter not in {"L2 cache", "memory"} or not loads or not situation.of("shared", "load"):
        return None
    return Problem(
        "a tile that is too small",
        busiest(loads).line,
        f"The blocks together read {situation.counters.footprint * SECTOR / 1e6:,.0f} MB{_because(situation.tile)}.",
        "Compute a larger tile of C in each block.",
        replace(work, l2_bytes=work.l2_bytes / 2),
    )
