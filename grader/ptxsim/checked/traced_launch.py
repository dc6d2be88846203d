"""A launch and its trace, the input of all searches."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grader.ptxsim.analysis.geometry import Dim3
from grader.ptxsim.engine.program import Kernel
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import Events


@dataclass(frozen=True, slots=True, eq=False)
class TracedLaunch:
    """A launch, the names of its buffers by segment, and the segments whose reads the trace omits."""

    kernel: Kernel
    grid: Dim3
    buffers: tuple[str, ...]
    read_only: tuple[int, ...]
    events: Events

    def with_events(self, events: Events) -> TracedLaunch:
        """Return the launch with these events instead."""
        return replace(self, events=events)

    @property
    def results(self) -> list[int]:
        """The segments of the buffers for results of the launch."""
        return [segment for segment in range(1, len(self.buffers) + 1) if segment not in self.read_only]


def last_launch(simulator: Simulator) -> TracedLaunch:
    """Return the last launch of a traced simulator."""
    trace = simulator.trace
    if trace is None:
        raise ValueError("the simulator traces nothing")
    return TracedLaunch(simulator.kernel, simulator.grid, simulator.buffers, trace.read_only, trace.events())
