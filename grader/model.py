"""The records that flow through the grader. Frozen, and free of any import of ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Backend(StrEnum):
    """Where the kernel runs."""

    CUDA = "cuda"
    SIMULATOR = "simulator"


class Verdict(StrEnum):
    """What became of one case. Everything but OK, NOT_SUPPORTED and SKIPPED is the submission's fault."""

    OK = "ok"
    WRONG_ANSWER = "wrong-answer"
    OUT_OF_BOUNDS = "out-of-bounds"
    CRASHED = "crashed"
    BARRIER = "barrier"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    LAUNCH_FAILED = "launch-failed"
    COMPILE_ERROR = "compile-error"
    BAD_FILE = "bad-file"
    NO_KERNEL = "no-kernel"
    WRONG_SIGNATURE = "wrong-signature"
    IMPOSSIBLE_RATE = "impossible-rate"
    NOT_SUPPORTED = "not-supported"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong, as a teacher would say it: what happened, where, what to try."""

    verdict: Verdict
    sentence: str
    hint: str = ""
    line: int | None = None
    detail: str = ""  # the compiler's log, or the addresses involved


@dataclass(frozen=True, slots=True)
class Shape:
    """C is M x N, A is M x K and B is K x N (before any transposition in memory)."""

    M: int
    N: int
    K: int

    def __str__(self) -> str:
        return f"N={self.N}" if self.M == self.N == self.K else f"{self.M}x{self.N}x{self.K}"

    @property
    def flops(self) -> int:
        """One multiplication and one addition for each of the M*N*K terms."""
        return 2 * self.M * self.N * self.K


@dataclass(frozen=True, slots=True)
class Operand:
    """One matrix as it lies in memory: `lines` contiguous runs of `length` elements, `stride` elements apart."""

    name: str
    dtype: str
    lines: int
    length: int
    stride: int

    @property
    def elements(self) -> int:
        return self.lines * self.stride


@dataclass(frozen=True, slots=True)
class Image:
    """A matrix as a file of raw bytes: guard bytes, the elements, guard bytes."""

    path: str
    before: int
    nbytes: int
    after: int


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a launch. `kind` is 'buffer' (named A, B or C), 'integer' or 'real'."""

    kind: str
    name: str
    value: float = 0.0


@dataclass(frozen=True, slots=True)
class Interface:
    """How the rubric says a kernel is called: its name, its parameters in order, and what they point to.

    `math` is what a kernel may round the float32 elements of A and B to before it multiplies them: full, tf32 or bf16.
    """

    name: str
    parameters: tuple[str, ...]
    type_a: str = "float32"
    type_b: str = "float32"
    type_c: str = "float32"
    layout: str = "row"
    transpose_a: bool = False
    transpose_b: bool = False
    padding: int = 0
    alpha: float = 1.0
    beta: float = 0.0
    math: str = "full"


@dataclass(frozen=True, slots=True)
class Launch:
    """Threads per block, the tile of C (columns, rows) that a block computes, and how blocks cover C."""

    block: tuple[int, int, int]
    tile: tuple[int, int]
    shared: int = 0
    grid_x: str = "columns"

    @property
    def threads(self) -> int:
        return self.block[0] * self.block[1] * self.block[2]

    def grid(self, shape: Shape) -> tuple[int, int, int]:
        along_columns = -(-shape.N // self.tile[0])
        along_rows = -(-shape.M // self.tile[1])
        return (along_columns, along_rows, 1) if self.grid_x == "columns" else (along_rows, along_columns, 1)


@dataclass(frozen=True, slots=True)
class Resources:
    """What one thread and one block of the compiled kernel use on the device."""

    registers: int
    static_shared: int
    dynamic_shared: int
    local: int
    blocks_per_sm: int
    occupancy: float


@dataclass(frozen=True, slots=True)
class Build:
    """A compiled submission. `artifact` is a file in the box; `parameters` are 'pointer', 'integer' or 'real'."""

    artifact: str
    symbol: str
    parameters: tuple[str, ...]
    launch: Launch | None
    compiler: str
    command: tuple[str, ...]
    log: str = ""
    resources: Resources | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One size with one family of inputs. `launches` follow each other in one process, each on fresh inputs.

    `order` is the order in which the simulator runs the threads of a block, forward or reverse;
    `sampled` says that it runs the edge blocks and a random part of the rest.
    """

    shape: Shape
    family: str
    seed: int
    launches: int = 1
    order: str = "forward"
    sampled: bool = False

    def __str__(self) -> str:
        return f"{self.shape} {self.family}"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a worker may use. Seconds of wall clock per request, MiB, and bytes of printed output."""

    compile_seconds: float = 60.0
    case_seconds: float = 20.0
    memory_mib: int = 4096
    output_bytes: int = 65536


@dataclass(frozen=True, slots=True)
class Region:
    """Where wrong elements of C lie, and how many."""

    where: str
    wrong: int
    total: int
    never_written: int
    not_a_number: int


@dataclass(frozen=True, slots=True)
class Element:
    """One element of C: what it should be and what it is."""

    row: int
    column: int
    expected: float
    got: float


@dataclass(frozen=True, slots=True)
class Mismatch:
    """How an answer is wrong: how much of it, the first and the worst element."""

    region: Region
    first: Element
    worst: Element


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Largest |C - C64| over the rounding bound gamma_K*(|A|*|B|), for the kernel and for the library."""

    kernel: float
    library: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of a launch's blocks ran."""

    ran: int
    blocks: int


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case and what became of it. A fault belongs to every verdict but OK, a mismatch to WRONG_ANSWER alone."""

    case: Case
    verdict: Verdict
    seconds: float = 0.0
    fault: Fault | None = None
    mismatch: Mismatch | None = None
    accuracy: Accuracy | None = None
    coverage: Coverage | None = None
    printed: str = ""

    def __post_init__(self) -> None:
        if (self.fault is None) != (self.verdict is Verdict.OK):
            raise ValueError(f"verdict {self.verdict} and fault {self.fault} contradict each other")
        if self.mismatch is not None and self.verdict is not Verdict.WRONG_ANSWER:
            raise ValueError(f"a mismatch with verdict {self.verdict}")
        if self.accuracy is not None and self.verdict is not Verdict.OK:
            raise ValueError(f"an accuracy with verdict {self.verdict}")


@dataclass(frozen=True, slots=True)
class Interval:
    """A median with its distribution-free 95 % interval."""

    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Telemetry:
    """What the device said of itself while a size was timed."""

    sm_mhz: int
    memory_mhz: int
    celsius: int
    throttle: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measurement:
    """The speed of a kernel at one size. Seconds per launch; GFLOPS are 2*M*N*K per second / 1e9."""

    shape: Shape
    seconds: Interval
    gflops: Interval
    rounds: int
    launches: int
    speedup: Interval | None = None
    library_fraction: Interval | None = None
    transfer_seconds: float | None = None
    telemetry: Telemetry | None = None


@dataclass(frozen=True, slots=True)
class Criterion:
    """One line of the rubric. `curve` holds (value, share of the points) and is linear in between."""

    id: str
    title: str
    kind: str
    points: float
    sizes: tuple[Shape, ...] = ()
    curve: tuple[tuple[float, float], ...] = ()
    requires: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Timing:
    """How long to measure: seconds per size, and the half-width of the interval that is narrow enough."""

    seconds_per_size: float = 0.6
    relative_width: float = 0.004
    min_rounds: int = 7
    max_rounds: int = 60


@dataclass(frozen=True, slots=True)
class Rubric:
    """A lab: how the kernel is called, what it must do, and what that is worth."""

    title: str
    interface: Interface
    launch: Launch
    flags: tuple[str, ...]
    sizes: tuple[Shape, ...]
    quick_sizes: tuple[Shape, ...]
    timed_sizes: tuple[Shape, ...]
    limits: Limits
    timing: Timing
    naive: str
    library: str
    criteria: tuple[Criterion, ...]
    sha256: str = ""

    @property
    def points(self) -> float:
        return sum(criterion.points for criterion in self.criteria)


@dataclass(frozen=True, slots=True)
class CriterionScore:
    """Points for one criterion. `earned` is None where this machine cannot measure it."""

    id: str
    title: str
    points: float
    earned: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Score:
    """Points of a submission. `earned` counts out of `points - not_measured`."""

    earned: float
    points: float
    not_measured: float
    criteria: tuple[CriterionScore, ...]


@dataclass(frozen=True, slots=True)
class Machine:
    """Where the grade was made, and with what. `versions` maps a component to its version."""

    backend: Backend
    reason: str
    system: str
    device: str = ""
    architecture: str = ""
    peak_gflops: float | None = None
    versions: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SharedBaselines:
    """Baselines that several submissions are compared with: when they were measured, as ISO 8601.

    Before each submission `checked`, one of them at one size, is measured again; `drift` is the share by which it took
    longer then. Both are empty for the submission that they were measured for.
    """

    measured: str
    checked: str = ""
    drift: float | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """The file that was handed in."""

    name: str
    sha256: str
    bytes: int


class State(StrEnum):
    """How far a report is. Only a FINISHED one has a score that counts."""

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    INFRASTRUCTURE_FAULT = "infrastructure-fault"


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a reader needs to believe, to explain and to repeat a grade."""

    state: State
    grader_version: str
    started: str
    seed: int
    source: Source
    rubric: Rubric
    machine: Machine
    build: Build | None = None
    fault: Fault | None = None
    results: tuple[CaseResult, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    baselines: dict[str, tuple[Measurement, ...]] = field(default_factory=dict)
    shared_baselines: SharedBaselines | None = None
    score: Score | None = None
    infrastructure: str = ""
    stages: dict[str, float] = field(default_factory=dict)
