"""The requests by which a judge times kernels, and a worker's answers."""

from dataclasses import dataclass

from grader.model import Build, Interface, Launch, Shape, Telemetry

VECTOR = "vector"  # the file in the box onto which outputs are projected
PROJECTIONS = "projections"  # the file in the box that a projection writes


@dataclass(frozen=True, slots=True)
class Prepare:
    """Prepare one size for timing, of the library without a build. Inputs of the `following` size may be drawn."""

    build: Build | None
    launch: Launch
    shape: Shape
    interface: Interface
    seed: int
    following: Shape | None = None


@dataclass(frozen=True, slots=True)
class TimeRound:
    """Time one group of launches on fresh inputs. If it `projects`, do first for the last group what Project asks."""

    number: int
    projects: bool = False


@dataclass(frozen=True, slots=True)
class Project:
    """Project the outputs of the last group onto the vector in the box (float64, N elements)."""


@dataclass(frozen=True, slots=True)
class TimeTransfers:
    """Time whole products: both inputs copied to the device, the launch, the result copied back."""

    repeats: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """The size can be timed, with this many launches in a group."""

    launches: int


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds of the whole group by the device's clock, and those by the host's clock from its start to its end."""

    seconds: float
    host_seconds: float
    launches: int
    telemetry: Telemetry | None


@dataclass(frozen=True, slots=True)
class Transfer:
    """One product as a program sees it, timed by the host's clock, from and to pageable memory."""

    to_device: float
    """Seconds to copy A and B to the device."""
    kernel: float
    """Seconds of the launch, including the host's wait for it."""
    to_host: float
    """Seconds to copy C back."""

    @property
    def total(self) -> float:
        return self.to_device + self.kernel + self.to_host


@dataclass(frozen=True, slots=True)
class TimedTransfers:
    """The products in the order in which they ran."""

    products: tuple[Transfer, ...]
