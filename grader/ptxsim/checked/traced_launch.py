"""A launch and its trace: what all searches read."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grader.ptxsim.analysis.geometry import Dim3
from grader.ptxsim.engine.program import Kernel
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import Events


@dataclass(frozen=True, slots=True, eq=False)
class TracedLaunch:
    """A launch, the names of its buffers in the order of their segments, and those that its trace has no reads of."""

    kernel: Kernel
    grid: Dim3
    buffers: tuple[str, ...]
    read_only: tuple[int, ...]
    events: Events

    def with_events(self, events: Events) -> TracedLaunch:
        """Return the launch with some of its events."""
        return replace(self, events=events)

    @property
    def results(self) -> list[int]:
        """The segments of the buffers for what the launch computes."""
        return [segment for segment in range(1, len(self.buffers) + 1) if segment not in self.read_only]


def last_launch(simulator: Simulator) -> TracedLaunch:
    """Return what a traced simulator has just launched."""
    trace = simulator.trace
    if trace is None:
        raise ValueError("the simulator traces nothing")
    return TracedLaunch(simulator.kernel, simulator.grid, simulator.buffers, trace.read_only, trace.events())
