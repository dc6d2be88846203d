"""Why a kernel takes as long as it does, and what to change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from grader.model.fields import Count, Keyword
from grader.model.matrices import Shape


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
    waves: Annotated[float | None, Keyword("default", None)] = None
    """Rounds in which the blocks run if as many as fit on the device run at a time: 2.5 where the third is half full.
    Null in older reports."""
    tail: Annotated[float | None, Keyword("default", None)] = None
    """Share of the places for blocks that are empty in the last round; null in older reports."""
