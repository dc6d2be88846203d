"""What Nsight Compute measures of one launch, beside what the grader counts."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.fields import Count
from grader.model.matrices import Shape


@dataclass(frozen=True, slots=True)
class ProfiledCount:
    """One counter, by both."""

    name: str
    """What is counted, in words."""
    profiled: float
    """The value of Nsight Compute, which is that of the machine code on the device."""
    counted: Count | None
    """The grader's value, at the level of PTX; null where it counted nothing or another size."""


@dataclass(frozen=True, slots=True)
class ResourceUse:
    """How busy a resource of the device is during the launch."""

    resource: str
    """The resource, in the words of the advice."""
    percent: float
    """Per cent of its peak rate."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One launch under Nsight Compute, outside the timing."""

    shape: Shape
    """The size."""
    problem: str = ""
    """Why nothing was measured, and what to do about it; empty if it was."""
    tool: str = ""
    """Nsight Compute with its version."""
    microseconds: float | None = None
    """The time of the launch; null if nothing was measured."""
    compute: float | None = None
    """Per cent of the peak of the busiest unit that computes ("Compute (SM) Throughput")."""
    memory: float | None = None
    """Per cent of the peak of the busiest part of the memory system ("Memory Throughput")."""
    counts: tuple[ProfiledCount, ...] = ()
    """The counters of the launch."""
    uses: tuple[ResourceUse, ...] = ()
    """How busy each resource is, the busiest first, which limits the kernel."""
