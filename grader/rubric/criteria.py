"""The kinds of criteria, one record each: the score, the rubric's checks, the stopping rule and the reports read it.

A new kind is a record here, and its name in schemas/rubric.schema.json and in CriterionKind of model/labs.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.contract.layout import matrix_bytes
from grader.model import Criterion, Interface, Interval, Machine, Measurement, Shape

Value = Callable[[Measurement, Machine, Interface], Interval | None]


@dataclass(frozen=True, slots=True)
class Quantity:
    """The speed that a `kind` of criterion scores; `value` is None if the measurement or machine lacks what it `needs`.

    `possible` says whether a machine can measure it for any kernel. `text` formats a value in a sentence. Figures show
    `scale` times the value in `unit`, with `label` as the caption; a quantity that is not `always_drawn` is drawn
    only in labs with such a criterion. `baseline` names the kernel that the speed is compared with, whose own value is
    drawn where a figure `shows_baselines`; a `float32_only` quantity is refused in labs with other types.
    """

    kind: str
    label: str
    unit: str
    text: str
    value: Value
    needs: str
    scale: float = 1.0
    baseline: str = ""
    float32_only: bool = False
    shows_baselines: bool = False
    always_drawn: bool = True
    possible: Callable[[Machine], bool] = lambda machine: machine.backend.capabilities.measures_speed


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of criterion. `sizes` names the lists of the rubric's [sizes] that it counts; without any, it counts once.

    `junit_type` is the type of the JUnit failure of a criterion that earns no points. `earns` tells students what earns
    the points, where no curve does.
    """

    name: str
    sizes: tuple[str, ...]
    junit_type: str
    earns: str = ""
    quantity: Quantity | None = None

    @property
    def needs_timing(self) -> bool:
        return self.quantity is not None


def knots(criteria: Sequence[Criterion], kind: str, shape: Shape) -> tuple[float, ...]:
    """Return the values at which the curves of a kind of criterion bend, for a size that they count."""
    counted = [criterion for criterion in criteria if criterion.kind == kind and shape in criterion.sizes]
    return tuple(value for criterion in counted for value, _ in criterion.curve)


def scaled(interval: Interval, factor: float) -> Interval:
    """Return the interval of `factor` times a value."""
    return Interval(factor * interval.median, factor * interval.low, factor * interval.high)


def _peak_fraction(measurement: Measurement, machine: Machine, _: Interface) -> Interval | None:
    return scaled(measurement.gflops, 1 / machine.peak_gflops) if machine.peak_gflops else None


def _bandwidth(measurement: Measurement, _: Machine, interface: Interface) -> Interval | None:
    """GB/s that the bytes of A, B and C make, each matrix moved once."""
    shape = measurement.shape
    return scaled(measurement.gflops, matrix_bytes(shape, interface) / shape.flops)


QUANTITIES = {
    quantity.kind: quantity
    for quantity in (
        Quantity(
            kind="gflops",
            label="Speed over size",
            unit="GFLOPS",
            text="{:,.0f} GFLOPS",
            value=lambda measurement, *_: measurement.gflops,
            needs="a result",
            shows_baselines=True,
        ),
        Quantity(
            kind="speedup",
            label="Times as fast as the naive kernel",
            unit="\N{MULTIPLICATION SIGN} naive",
            text="{:,.2f} times the naive kernel",
            value=lambda measurement, *_: measurement.speedup,
            needs="the naive kernel",
            baseline="naive",
        ),
        Quantity(
            kind="library-fraction",
            label="Share of cuBLAS",
            unit="% of cuBLAS",
            text="{:.1%} of the library",
            value=lambda measurement, *_: measurement.library_fraction,
            needs="the library",
            scale=100.0,
            baseline="library",
        ),
        Quantity(
            kind="peak-fraction",
            label="Share of the device's peak",
            unit="% of peak",
            text="{:.1%} of the device's peak",
            value=_peak_fraction,
            needs="the device's peak",
            scale=100.0,
            float32_only=True,
            possible=lambda machine: machine.peak_gflops is not None,
            always_drawn=False,
        ),
        Quantity(
            kind="achieved-bandwidth",
            label="Achieved bandwidth",
            unit="GB/s",
            text="{:,.1f} GB/s",
            value=_bandwidth,
            needs="a result",
            shows_baselines=True,
            always_drawn=False,
        ),
    )
}
COMPILES = Kind("compiles", (), "CompileError", "a file that compiles")
CORRECT = Kind("correct", ("correctness",), "WrongAnswer", "the share of sizes with a correct C")
DEFINED = Kind("defined", (), "UndefinedBehaviour", "no data race, unset memory or other undefined behaviour")
SPEEDS = (Kind(name, ("timing", "large"), "TooSlow", quantity=quantity) for name, quantity in QUANTITIES.items())
KINDS = {kind.name: kind for kind in (COMPILES, CORRECT, DEFINED, *SPEEDS)}
