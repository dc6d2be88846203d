"""How fast a kernel is, how precisely that is known, and what would make it faster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from grader.model.fields import ADDED_LATER, Count, Keyword
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

    def is_apart(self, other: Interval) -> bool:
        """Whether the intervals have no value in common, so that the medians really differ."""
        return self.high < other.low or other.high < self.low


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


@dataclass(frozen=True, slots=True)
class Bound:
    """The least time of a launch that one resource of the device allows."""

    resource: str
    """The resource, in words."""
    microseconds: float
    """The least time."""


@dataclass(frozen=True, slots=True)
class AdviceItem:
    """One change that would make the kernel faster."""

    name: str
    """The problem, in a course's words."""
    line: Count
    """Line of the source; 0 where it concerns the whole kernel."""
    evidence: str
    """What was counted, in one sentence."""
    change: str
    """What to change, in one sentence."""
    low: float
    """The factor by which the kernel would be faster, at least; an estimate."""
    high: float
    """The same, at most."""
    points_low: float | None = None
    """Points that the lowest factor would earn under the rubric; null without a measured time."""
    points_high: float | None = None
    """Points that the highest factor would earn; null without a measured time."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What limits the kernel at one size on one device, and one to three changes, the most valuable first."""

    shape: Shape
    """The size."""
    device: str
    """The device whose published figures were used."""
    is_estimate: bool
    """Whether the kernel was not timed on that device: then all times are estimates."""
    microseconds: float | None
    """Measured time of a launch; null without one."""
    bounds: tuple[Bound, ...]
    """The least time that each resource allows, the largest first. The first is what limits the kernel."""
    explained: float | None
    """The largest bound as a share of the measured time; the rest is latency. Null without a measured time."""
    items: tuple[AdviceItem, ...]
    """The changes; empty where the device is nearly fully used or nothing is known."""
    conclusion: Annotated[str, Keyword("minLength", 1)]
    """The limit in one sentence."""
    waves: Annotated[float | None, ADDED_LATER] = None
    """Rounds in which the blocks run if as many as fit on the device run at a time: 2.5 where the third is half full.
    Null in older reports."""
    tail: Annotated[float | None, ADDED_LATER] = None
    """Share of the places for blocks that are empty in the last round; null in older reports."""
