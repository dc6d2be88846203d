"""How fast a kernel is, and how well that is known."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.matrices import Shape


@dataclass(frozen=True, slots=True)
class Interval:
    """A median with its distribution-free 95 % interval."""

    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Telemetry:
    """What the device said of itself while a size was timed."""

    sm_mhz: int
    memory_mhz: int
    celsius: int
    throttle: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measurement:
    """The speed of a kernel at one size. Seconds per launch; GFLOPS are 2*M*N*K per second / 1e9."""

    shape: Shape
    seconds: Interval
    gflops: Interval
    rounds: int
    launches: int
    speedup: Interval | None = None
    library_fraction: Interval | None = None
    transfer_seconds: float | None = None
    telemetry: Telemetry | None = None


@dataclass(frozen=True, slots=True)
class SharedBaselines:
    """Baselines that several submissions are compared with: when they were measured, as ISO 8601.

    Before each submission `checked`, one of them at one size, is measured again; `drift` is the share by which it took
    longer then. Both are empty for the submission that they were measured for.
    """

    measured: str
    checked: str = ""
    drift: float | None = None
