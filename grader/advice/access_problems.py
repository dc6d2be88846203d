"""Problems of single accesses: how warps address global and shared memory. Pure."""

from dataclasses import replace

from grader.advice.elements import LANES, WIDEST, WORD, Elements, in_words
from grader.advice.situation import Problem, Situation, busiest, requests
from grader.advice.work import SECTOR, WRITES, l1_cycles, l2_bytes
from grader.model import AccessCount

APART = 1.9  # times the sectors, or the wavefronts, of neighbouring addresses
REPEATED = 0.5  # share of the requests
LINE = 128  # bytes of L1
NEAR = 64  # bytes: neighbouring threads own neighbouring groups of elements
LOCAL = 1 / 8  # accesses for each multiply-add
WITH_ADDRESS = 2  # instructions of an access to an array with its share of the address
PARTIAL = 26  # threads of a warp
ATOMICS = 1 / 64  # of the multiply-adds


def uncoalesced(situation: Situation) -> Problem | None:
    """Lanes of a warp access addresses far apart in global memory."""
    every = situation.of("global", "load", "store", "copy")
    own = [access for access in every if access.stride and not access.of_fragment]  # an address for each thread
    apart = [access for access in own if access.sectors > APART * _least(access, SECTOR)]
    if not apart:
        return None
    worst = max(apart, key=l1_cycles)
    saved = sum(l1_cycles(access) - _least(access, LINE) for access in apart)
    kind = "store" if worst.kind == "store" else "load"
    each, ideal = worst.sectors / worst.requests, _least(worst, SECTOR) / worst.requests
    return Problem(
        f"uncoalesced {kind}s",
        worst.line,
        f"{_apart(worst)}: {each:.0f} sectors of 32 bytes for each request of a warp, where {ideal:.0f} would be "
        "enough.",
        _closer(worst, situation.elements),
        replace(situation.work, l1=max(1.0, situation.work.l1 - saved)),
        wasted=1.1 if sum(access.sectors for access in apart) > sum(access.sectors for access in every) / 2 else 1.0,
    )


def _apart(access: AccessCount) -> str:
    does = "write" if access.kind == "store" else "read"
    if access.stride <= access.width:
        return f"The threads of a warp {does} short pieces of several rows"
    return f"Neighbouring threads {does} addresses {access.stride:,} bytes apart"


def _closer(access: AccessCount, elements: Elements) -> str:
    """Return what brings the addresses of a warp together."""
    if access.stride <= access.width:
        least = max(2, SECTOR // access.width)
        return (
            f"Let at least {least} neighbouring threads access neighbouring elements of a row: "
            "make the tile wider there."
        )
    if access.stride <= NEAR:
        return (
            "Let neighbouring threads access neighbouring elements: thread x the elements x, x + blockDim.x and so on, "
            f"or let each thread access {in_words(elements.many)} neighbours as one {elements.wide}."
        )
    return (
        "Let threadIdx.x run along a row of the matrix, so that the threads of a warp access neighbouring elements; or "
        "load a tile of it along its rows into shared memory, where any order is fast."
    )


def local_arrays(situation: Situation) -> Problem | None:
    """Threads have arrays whose indices the compiler does not know, so that they are in memory."""
    every = situation.of("local", "load", "store")
    if requests(every) < LOCAL * situation.useful:
        return None
    worst = busiest(every)
    work = situation.work
    return Problem(
        "an array in local memory",
        worst.line,
        "The compiler does not know an index into an array of a thread, so the array is in local memory, which is in "
        f"device memory: {requests(every) / situation.useful:.2g} accesses to it for each multiply-add.",
        "Unroll the loops over the array: with constant bounds and #pragma unroll, every index is a constant, and the "
        "elements are in registers.",
        replace(
            work, issued=work.issued - WITH_ADDRESS * requests(every), l1=max(1.0, work.l1 - sum(map(l1_cycles, every)))
        ),
        wasted=1.3,
        waits=True,
    )


def bank_conflicts(situation: Situation) -> Problem | None:
    """Lanes of a warp access different words of one bank of shared memory."""
    every = [
        access for access in situation.of("shared", "load", "store", "copy") if not _is_of_padding(access, situation)
    ]
    conflicts = [access for access in every if access.wavefronts > APART * _least_wavefronts(access)]
    if not conflicts:
        return None
    worst = max(conflicts, key=lambda access: access.wavefronts)
    saved = sum(access.wavefronts - _least_wavefronts(access) for access in conflicts)
    each, ideal = worst.wavefronts / worst.requests, _least_wavefronts(worst) / worst.requests
    return Problem(
        "shared-memory bank conflicts",
        worst.line,
        f"Each {worst.kind} of a warp takes {each:.0f} cycles of the 32 banks, where {ideal:.0f} would be enough: "
        f"the threads' addresses are {worst.stride:,} bytes apart.",
        f"Pad the array's rows, for example [TILE][TILE + {_padding(worst, situation)}], or swap its two indices.",
        replace(situation.work, shared=situation.work.shared - saved),
    )


def _is_of_padding(access: AccessCount, situation: Situation) -> bool:
    """Whether wide stores may meet in a bank because of the padding that keeps the rows of fragments apart."""
    return bool(situation.counters.tensor) and access.kind != "load" and access.width == WIDEST


def _padding(access: AccessCount, situation: Situation) -> int:
    """Return the elements after which rows begin in another bank, and stay aligned for what accesses them."""
    width = WIDEST if situation.counters.tensor else max(access.width, WORD)
    return max(1, width // situation.elements.bytes)


def repeated_access(situation: Situation) -> Problem | None:
    """A thread loads or stores the same element of global memory again and again."""
    again = [access for access in situation.of("global", "load", "store") if access.repeated > REPEATED]
    if not again:
        return None
    worst = busiest(again)
    saved = sum(access.repeated * l1_cycles(access) for access in again)
    written = SECTOR * sum(access.repeated * access.sectors for access in again if access.kind == "store")
    work = situation.work
    l2 = max(SECTOR * situation.counters.footprint, work.l2_bytes - WRITES * written)
    return Problem(
        "redundant accesses to one element",
        worst.line,
        f"In {worst.repeated:.0%} of its {worst.kind}s, a thread accesses the same address in global memory as "
        "in its previous access.",
        "Keep the element in a local variable, which is in a register, and write it to C once, after the loop.",
        replace(work, l1=max(1.0, work.l1 - saved), l2_bytes=l2, issued=work.issued - requests(again)),
        wasted=1.15,
        waits=True,
    )


def atomics(situation: Situation) -> Problem | None:
    """Threads add to elements of C with atomic operations."""
    every = situation.of("global", "atomic") + situation.of("shared", "atomic")
    if requests(every) < ATOMICS * situation.useful:
        return None
    worst = busiest(every)
    work = situation.work
    l1 = work.l1 - sum(map(l1_cycles, every))
    return Problem(
        "atomic operations on the result",
        worst.line,
        f"There is an atomic operation for every {situation.useful / requests(every):.0f} multiply-adds; those on one "
        "element run one after the other.",
        "Let one thread compute the whole sum of an element in a register, and store it once.",
        replace(work, l2_bytes=l2_bytes(situation.counters, ("store",)), l1=max(1.0, l1)),
        wasted=1.0 if worst.stride else 2.0,
        waits=True,
    )


def divergence(situation: Situation) -> Problem | None:
    """Lanes of a warp diverge in the loop: some of them wait while others work."""
    full = situation.launch.threads % LANES == 0
    loads = situation.of("global", "load") + situation.of("shared", "load")
    parted = [access for access in loads if access.lanes < PARTIAL and not access.of_fragment]
    if not full or not loads or requests(parted) < requests(loads) / 4:
        return None
    worst = busiest(parted)
    work, waste = situation.work, LANES / worst.lanes
    share = 1 - requests(parted) / requests(loads) * (1 - 1 / waste)
    return Problem(
        "divergence inside a warp",
        worst.line,
        f"Of the 32 threads of a warp, {worst.lanes:.0f} take part on average; the others wait for them.",
        "Divide this work among all threads, or let the condition depend on the warp, such as threadIdx.x / 32, and "
        "not on the thread within it.",
        replace(work, l1=work.l1 * share, shared=work.shared * share, issued=work.issued * share),
        wasted=1.1,
    )


def _least(access: AccessCount, unit: int) -> float:
    """Return the sectors, or the lines, of adjacent lanes."""
    return access.requests * max(1.0, access.lanes * access.width / unit)


def _least_wavefronts(access: AccessCount) -> float:
    return access.requests * max(1.0, access.width / 4)
