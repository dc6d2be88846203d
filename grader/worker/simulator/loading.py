"""The programs that are ready to run on the simulator, each parsed once for a shape of blocks."""

from __future__ import annotations

import re
from pathlib import Path

from grader.host import timeline
from grader.model import Build, Launch
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import Trace
from grader.ptxsim.syntax.errors import PtxError
from grader.ptxsim.syntax.parser import parse
from grader.ptxsim.syntax.records import Module
from grader.worker.found import FoundError
from grader.worker.frontend.local_arrays import named
from grader.worker.frontend.ptx_file import SUFFIX, registers
from grader.worker.launch_limits import most_shared, refusal, refusal_of_registers, threads_that_fit
from grader.worker.simulator.counting.sampling import MOST_EVENTS as MOST_COUNTED
from grader.worker.simulator.kept import kept_parts

TARGET = re.compile(r"^\.target (sm_\d+)", re.MULTILINE)


class Simulators:
    """Simulators of the builds in one box."""

    def __init__(self) -> None:
        self._plain: dict[tuple[str, Launch], Simulator] = {}
        self._traced: dict[tuple[str, Launch], Simulator] = {}
        self._refused: dict[str, PtxError] = {}

    def plain(self, build: Build, launch: Launch, box: Path) -> Simulator:
        """Return the simulator of a build. Raises PtxError, and FoundError for too many registers."""
        key = (build.artifact, launch)
        if key not in self._plain:
            text = text_of(build, box)
            used, target = registers(text), TARGET.search(text)
            refused = refusal_of_registers(launch, used, threads_that_fit(used))
            most = most_shared(target[1] if target else "")
            if found := refused or refusal(launch, (1, 1, 1), build.demands, most):
                raise FoundError(found)
            self._plain[key] = self._loaded(text, build, launch, box)
        return self._plain[key]

    def traced(self, build: Build, launch: Launch, box: Path) -> Simulator:
        """Return one that traces accesses. Raises as `plain` does."""
        key = (build.artifact, launch)
        if key not in self._traced:
            self._traced[key] = self.plain(build, launch, box).traced(Trace(MOST_COUNTED))
        return self._traced[key]

    def _loaded(self, text: str, build: Build, launch: Launch, box: Path) -> Simulator:
        source = source_of(build)
        module = self._parsed(text, source)
        kernel = build.symbol, launch.block, launch.shared
        return Simulator(module, *kernel, kept_parts(box, text, source, *kernel))

    def _parsed(self, text: str, source: str) -> Module:
        """Parse a program; one that is not supported costs its time once, and not in each case."""
        if text in self._refused:
            raise self._refused[text]
        try:
            with timeline.span("parse"):
                return parse(text, source, named(text))
        except PtxError as error:
            self._refused[text] = error
            raise


def text_of(build: Build, box: Path) -> str:
    """Return the file of a build."""
    return (box / build.artifact).read_bytes().decode()


def source_of(build: Build) -> str:
    """Return the name of the submission that a build was made from."""
    return Path(build.artifact).name.removesuffix(SUFFIX)
