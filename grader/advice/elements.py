"""What the matrices of a lab hold, and how the counters and figures for float32 apply to it. Pure.

The model is that of float32: arithmetic of doubles and of integers is counted as its multiply-adds.
"""

from dataclasses import dataclass, replace

from grader.advice.devices import GpuFigures
from grader.model import Bound, Counters, Interface, Launch, Shape

WORD = 4  # bytes
ARITHMETIC = "arithmetic"
WIDEST = 16  # bytes that a thread accesses in one instruction
LANES = 32  # threads of a warp
TOLERANCE = 0.1  # of the multiply-adds: prologues and epilogues compute too
LEAST = 0.9  # of the product's multiply-adds: a kernel with fewer computes in another way
# Multiply-adds of 32-bit integers that a multiprocessor starts in a clock, on all devices of the table: CUDA C++
# Programming Guide, "Arithmetic Instructions", compute capabilities 7.0 to 9.0.
INTEGER_LANES = 64


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements of A and B in memory, and how a kernel may multiply them."""

    type: str
    """In C++."""
    bytes: int
    wide: str
    """The type with which a thread accesses several neighbours at a time."""
    tensor: str = ""
    """The type in which tensor cores may multiply them, as in `GpuFigures.tensor`; empty where they may not."""
    sums: str = "float"
    """The type of the sums."""
    resource: str = ARITHMETIC
    """What the arithmetic of the product is called among the limits."""

    @property
    def words(self) -> float:
        return self.bytes / WORD

    @property
    def many(self) -> int:
        """Elements in the widest access of a thread."""
        return WIDEST // self.bytes


def in_words(count: int) -> str:
    """Return a number of elements of a wide access in words."""
    return {2: "two", 4: "four", 8: "eight"}[count]


FLOAT = Elements("float", 4, "float4")
INT = Elements("int", 4, "int4", sums="int")
DOUBLE = Elements("double", 8, "double2", sums="double", resource="double precision")
HALF = Elements("half", 2, "uint4", tensor="f16")
OF_TYPES = {
    ("float32", "float32", "full"): FLOAT,
    ("float32", "float32", "tf32"): replace(FLOAT, tensor="tf32"),
    ("float32", "float32", "bf16"): replace(FLOAT, tensor="bf16"),
    ("int32", "int32", "full"): INT,
    ("float64", "float64", "full"): DOUBLE,
    ("float16", "float32", "full"): HALF,
    ("float16", "float16", "full"): replace(HALF, sums="half", tensor="f16 sums"),
}


def needed(shape: Shape) -> float:
    """Return the multiply-adds of warps that a product needs."""
    return shape.flops / 2 / LANES


def of_tiles(counters: Counters, launch: Launch) -> float:
    """Return the multiply-adds of warps that a launch needs whose blocks compute all elements of their tiles."""
    return counters.blocks * launch.tile[0] * launch.tile[1] * counters.shape.K / LANES


def tiles_of_a_block(counters: Counters, launch: Launch) -> int:
    """Return how many tiles as large as that of the launch each block computes; 0 if it is no whole number of them."""
    requests = sum(access.requests for access in counters.accesses)
    active = sum(access.requests * access.lanes for access in counters.accesses) / (requests * LANES) if requests else 1
    tiles = counters.products * active / of_tiles(counters, launch)
    return round(tiles) if abs(tiles - round(tiles)) < TOLERANCE else 0


def elements_of(interface: Interface) -> Elements | None:
    """Return the elements of a lab; None for one that the model does not cover."""
    if interface.type_a != interface.type_b:
        return None
    return OF_TYPES.get((interface.type_a, interface.type_c, interface.math))


def in_terms_of(elements: Elements, counters: Counters) -> Counters | None:
    """Return the counters with the lab's arithmetic as their multiply-adds; None where the product has more of it."""
    if elements is INT:
        return of_integers(counters)
    return of_doubles(counters) if elements is DOUBLE else counters


def named(elements: Elements, bounds: tuple[Bound, ...]) -> tuple[Bound, ...]:
    """Return the bounds, the largest first, with that of the product's arithmetic under its name in the lab."""
    if elements.resource == ARITHMETIC:
        return bounds
    product = tuple(replace(bound, resource=elements.resource) for bound in bounds if bound.resource == ARITHMETIC)
    others = (bound for bound in bounds if bound.resource not in {ARITHMETIC, elements.resource})
    return tuple(sorted((*product, *others), key=lambda bound: -bound.microseconds))


def with_rate(elements: Elements, gpu: GpuFigures) -> GpuFigures:
    """Return the figures of a GPU with the rate of the lab's arithmetic as that of multiply-adds."""
    if elements is INT:
        return replace(gpu, lanes=INTEGER_LANES)
    return replace(gpu, lanes=gpu.double_lanes) if elements is DOUBLE else gpu


def of_doubles(counters: Counters) -> Counters | None:
    """Return the counters with the arithmetic of doubles as multiply-adds, and only conversions as double precision.

    None if it is too little for the product.
    """
    products = counters.double - counters.conversions
    if products + counters.tensor_products < LEAST * needed(counters.shape):
        return None
    loop = counters.loop and replace(
        counters.loop, multiply_adds=counters.loop.double - counters.loop.double_conversions, double=0
    )
    return replace(counters, multiply_adds=products, double=counters.conversions, loop=loop)


def of_integers(counters: Counters) -> Counters | None:
    """Return the counters with the integer multiply-adds as arithmetic; None if they are too few for the product."""
    products = counters.integer_multiply_adds
    if products < LEAST * needed(counters.shape):
        return None
    loop = counters.loop and replace(
        counters.loop,
        multiply_adds=counters.loop.integer_multiply_adds,
        integer=counters.loop.integer - counters.loop.integer_multiply_adds,
    )
    return replace(counters, multiply_adds=products, integer=counters.integer - products, loop=loop)
