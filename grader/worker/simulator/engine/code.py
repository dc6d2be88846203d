"""Which code a kernel's launches run: the one that is compiled quickly, or the one that runs quickly.

Compiling well costs as much as seconds of running. So a kernel begins with quick code, and is compiled well when its
launches have taken so long, or are about to, that this pays: the costs are then at most twice those of the best choice.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from grader.worker.simulator.engine.native import Effort, Loaded, Run, compile_ir, kept, load_object

SECONDS_FOR_A_LINE = 1.2e-4  # of IR, to compile it well: 0.7 to 1.6, measured for the reference kernels
MOST_LINES = 30_000  # of IR that is compiled well: some optimisations take more than linear time
PAYS = 2  # times as many seconds of quick code as compiling takes; well compiled code saves about half of them

_names = iter(range(1 << 62))


@dataclass(slots=True)
class Code:
    """The code of one kernel. Work is any measure to which the seconds of a launch are about proportional."""

    ir: str
    box: Path | None
    loaded: Loaded
    effort: Effort
    spent: float = 0.0
    rate: float = 0.0
    _all: list[Loaded] = field(default_factory=list)

    @property
    def run(self) -> Run:
        return self.loaded.run

    def make_ready(self, work: float) -> None:
        """Compile the kernel well if this pays, with a launch of so much work to come."""
        lines = self.ir.count("\n")
        if self.effort is Effort.FULL or lines > MOST_LINES:
            return
        if self.spent + self.rate * work > PAYS * SECONDS_FOR_A_LINE * lines:
            self._all.append(self.loaded)  # what is running may not be unloaded
            self.loaded, self.effort = _load(self.ir, Effort.FULL, self.box), Effort.FULL

    def timed(self, launch: Callable[[], None], work: float) -> None:
        """Make a launch, and take down the processor time that it takes."""
        began = time.process_time()
        launch()
        seconds = time.process_time() - began
        self.spent += seconds
        self.rate = seconds / work


def open_code(ir: str, box: Path | None = None) -> Code:
    """Load quick code, or the better code where the box has it."""
    effort = Effort.FULL if kept(ir, Effort.FULL, box) else Effort.QUICK
    return Code(ir, box, _load(ir, effort, box), effort)


def _load(ir: str, effort: Effort, box: Path | None) -> Loaded:
    return load_object(compile_ir(ir, effort, box), f"kernel{next(_names)}")
