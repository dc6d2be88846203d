"""The programs that are ready to run on the simulator, and the object code of them that the box keeps."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader import ptxsim
from grader.contract import files
from grader.contract.launch_limits import most_shared, refusal, refusal_of_registers, threads_that_fit
from grader.host import cache, timeline
from grader.model import Build, Launch, PtxFacts
from grader.ptxsim.engine.loaded_code import KeptParts
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import Trace
from grader.ptxsim.records.lacks import PtxError
from grader.ptxsim.syntax.parser import parse
from grader.ptxsim.syntax.records import Module
from grader.worker.found import FoundError
from grader.worker.simulator.sampling import MOST_EVENTS as MOST_COUNTED

TRANSLATOR = Path(ptxsim.__file__).parent  # all that the code of a program depends on


Key = tuple[str, str, Launch]  # the file, the kernel, and how it is launched


class Simulators:
    """Simulators of the builds in one box."""

    def __init__(self) -> None:
        self._plain: dict[Key, Simulator] = {}
        self._traced: dict[Key, Simulator] = {}
        self._refused: dict[str, PtxError] = {}

    def plain(self, build: Build, launch: Launch, box: Path) -> Simulator:
        """Return the simulator of a build. Raises PtxError, and FoundError for too many registers."""
        key = (build.artifact, build.symbol, launch)
        if key not in self._plain:
            facts = facts_of(build)
            if too_many := refusal_of_registers(launch, facts.registers, threads_that_fit(facts.registers)):
                raise FoundError(too_many)
            text = (box / build.artifact).read_bytes().decode()
            module = self._parsed(text, build)
            if found := refusal(launch, (1, 1, 1), build.demands, most_shared(module.target)):
                raise FoundError(found)
            kernel = build.symbol, launch.block, launch.shared
            kept = kept_parts(box, text, source_of(build), facts.local_arrays, *kernel)
            self._plain[key] = Simulator(module, *kernel, kept)
        return self._plain[key]

    def traced(self, build: Build, launch: Launch, box: Path) -> Simulator:
        """Return one that traces accesses. Raises as `plain` does."""
        key = (build.artifact, build.symbol, launch)
        if key not in self._traced:
            self._traced[key] = self.plain(build, launch, box).traced(Trace(MOST_COUNTED))
        return self._traced[key]

    def _parsed(self, text: str, build: Build) -> Module:
        """Parse a program; one that is not supported costs its time once, and not in each case."""
        if text in self._refused:
            raise self._refused[text]
        try:
            with timeline.span("parse"):
                return parse(text, source_of(build), facts_of(build).local_arrays)
        except PtxError as error:
            self._refused[text] = error
            raise


def facts_of(build: Build) -> PtxFacts:
    """Return what the compiler says of a build."""
    return build.ptx_facts or PtxFacts()


def source_of(build: Build) -> str:
    """Return the name of the submission's file."""
    return Path(build.artifact).stem


@dataclass(frozen=True, slots=True)
class ObjectsInBox:
    """The object code in a box, by the hash of all that it depends on."""

    box: Path

    def find(self, kind: str, *of: str) -> bytes | None:
        """Return what was kept for a key, or added; None if there is nothing."""
        return files.find(self.box, f"{cache.key(*of)}.{kind}")

    def add(self, content: bytes, kind: str, *of: str) -> None:
        """Leave it for the judge to keep."""
        files.add(self.box, f"{cache.key(*of)}.{kind}", content)


def kept_parts(box: Path, ptx: str, *launch: object) -> KeptParts:
    """Return what a box has of a program."""
    return KeptParts(ObjectsInBox(box), program_key(ptx, *launch))


def program_key(ptx: str, *launch: object) -> str:
    """Return what the code of a program depends on besides the CPU: its PTX, its launch and the translator."""
    return cache.key("program", ptx, repr(launch), cache.sources(TRANSLATOR))
