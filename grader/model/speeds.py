"""How fast a kernel is, and how precisely that is known."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.fields import Count
from grader.model.matrices import Shape


@dataclass(frozen=True, slots=True)
class Interval:
    """A median with its distribution-free 95 % interval."""

    median: float
    """The median."""
    low: float
    """Lower end of the interval."""
    high: float
    """Upper end of the interval."""


@dataclass(frozen=True, slots=True)
class Telemetry:
    """State of the device while a size was timed."""

    sm_mhz: Count
    """Clock of the multiprocessors in MHz."""
    memory_mhz: Count
    """Clock of the memory in MHz."""
    celsius: int
    """Temperature in degrees Celsius."""
    throttle: tuple[str, ...]
    """Reasons for which the device reduced its clock."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """The speed of a kernel at one size."""

    shape: Shape
    """The size."""
    seconds: Interval
    """Seconds per launch."""
    gflops: Interval
    """2*M*N*K per second / 1e9."""
    rounds: Count
    """Rounds that were measured."""
    launches: Count
    """Launches per round."""
    speedup: Interval | None = None
    """Speed relative to the naive kernel's; null without one."""
    library_fraction: Interval | None = None
    """Speed relative to the library's; null without one."""
    transfer_seconds: float | None = None
    """Seconds to copy A and B to the device, launch once, and copy C back; not part of the speed; null if not timed."""
    telemetry: Telemetry | None = None
    """State of the device; null where it reports none."""


@dataclass(frozen=True, slots=True)
class SharedBaselines:
    """Baselines that several submissions are compared with."""

    measured: str
    """When they were measured, as ISO 8601."""
    checked: str = ""
    """The baseline and the size that were measured again at most 15 s before; empty where all of them were measured."""
    drift: float | None = None
    """Share by which that took longer than the first time; null where nothing was measured again."""
