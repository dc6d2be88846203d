"""The judge's requests and the worker's answers: records that are sent through the box as JSON."""

import hashlib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from grader.contract.found import CompileFinding, Finding, Remark
from grader.contract.timing_messages import Prepare, Prepared, Project, Timed, TimedTransfers, TimeRound, TimeTransfers
from grader.model import Build, Case, Counters, Header, Interface, Launch, Limits, Resources, Shape
from grader.model.remedies import Remedy
from grader.model.scenes import Scene, Story
from grader.ptxsim.records.fields import Unsearched, check_number

# Where both sides must have the same code: the inputs, their layout in memory, and these messages.
AGREED = ("contract/*.py", "model/*.py")
MOST_REMARKS = 16  # of a launch
LAUNCHED = "launched"  # a file of the box: the kernel that the last request is about has been launched
SEARCH_SECONDS = 10.0  # of each tool of compute-sanitizer for one launch; most need one or two


@dataclass(frozen=True, slots=True)
class Initialise:
    """Initialise the driver, which is the first half of opening a device, and starts nothing on it."""


@dataclass(frozen=True, slots=True)
class Open:
    """Open the backend before the first case, with what `timing` needs, or what is `searching` checked launches."""

    timing: bool = False
    searching: bool = False


@dataclass(frozen=True, slots=True)
class Compile:
    """Compile the file `source` of the box, for the GPU architecture `architecture` if there is one.

    The `headers` of the course lie beside it.
    """

    source: str
    architecture: str
    interface: Interface
    flags: tuple[str, ...]
    limits: Limits
    headers: tuple[Header, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """Run one case, and write A, B and C of each launch to the box as they are afterwards.

    Without a build the library computes the product. The inputs of the `following` cases may be drawn meanwhile. A
    worker whose kernel the judge may have to stop writes `LAUNCHED` into the box before the first launch.
    """

    build: Build | None
    launch: Launch
    case: Case
    interface: Interface
    limits: Limits
    following: tuple[Case, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the inputs of a request that follows, which needs only the host: nobody else waits for the GPU meanwhile."""

    of: Check | Prepare


@dataclass(frozen=True, slots=True)
class CountAccesses:
    """Count what a launch does, from some of its blocks."""

    build: Build
    launch: Launch
    shape: Shape
    interface: Interface
    limits: Limits


@dataclass(frozen=True, slots=True)
class Replay:
    """Run a launch of a debug build again, and say what happened at a finding, or to an element of C.

    `got` is the element's value; None if nothing was written there.
    """

    build: Build
    launch: Launch
    case: Case
    interface: Interface
    finding: Finding | None = None
    element: tuple[int, int] | None = None
    got: float | None = None


@dataclass(frozen=True, slots=True)
class Survey:
    """List the device's attributes, and time copies within its memory."""


@dataclass(frozen=True, slots=True)
class End:
    """End the worker, without an answer: a profiler writes its results when the process that it watches ends."""


@cache
def agreement() -> str:
    """The hash of that code, which reveals a worker of another version of the grader."""
    files = [file for names in AGREED for file in sorted(Path(__file__).parents[1].glob(names))]
    texts = [file.read_bytes() for file in files]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()


@dataclass(frozen=True, slots=True)
class Done:
    """The driver is initialised, the inputs are drawn, or the projections (float64, launches x M) are in the box."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The backend is ready."""

    agreement: str = field(default_factory=agreement)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A build, or why there is none; `traced` is the build for another backend, which traces accesses."""

    build: Build | None = None
    finding: CompileFinding | None = None
    traced: Build | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """The case ran, or stopped with a fault. A spent worker cannot run another case. `ended`: every launch left its C.

    `timed_out`: the fault is from the time limit. The `remarks` say what a checked launch was not searched for and
    what is odd in it, `partly_searched` what was left out for want of room; `if_wrong` is the reason if its answer is
    wrong.
    """

    finding: Finding | None = None
    printed: str = ""
    spent: bool = False
    ended: bool = True
    timed_out: bool = False
    resources: Resources | None = None
    remarks: tuple[Remark, ...] = ()
    partly_searched: Unsearched | None = None
    if_wrong: Finding | None = None

    def __post_init__(self) -> None:
        check_number(self.remarks, MOST_REMARKS)


@dataclass(frozen=True, slots=True)
class Counted:
    """The counters of a launch; None where it does too much to count."""

    counters: Counters | None


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a launch did that was run again; nothing where it did something else then.

    With each of the `changes`, it is right. Of two threads that nothing orders, `earlier` is the first.
    """

    scene: Scene | None = None
    story: Story | None = None
    changes: tuple[Remedy, ...] = ()
    earlier: Scene | None = None


@dataclass(frozen=True, slots=True)
class Surveyed:
    """The device's attributes by CUDA's names, and the seconds of each copy, which moves `moved_bytes`."""

    attributes: dict[str, int]
    moved_bytes: int
    seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """The worker itself failed, which is a grader error."""

    sentence: str
    hint: str = ""


OfRunner = Draw | Check | CountAccesses | Replay | Prepare | TimeRound | Project | TimeTransfers | Survey
"""What is asked of an open backend."""
Answerable = Initialise | Open | Compile | OfRunner
Request = Answerable | End
OfBackend = Done | Opened | Compiled | Checked | Counted | Replayed | Surveyed
Answer = OfBackend | Prepared | Timed | TimedTransfers | Broken
