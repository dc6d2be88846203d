"""What a study found, as records. Free of effects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.contract.messages import Transfer
from grader.model import Interval, Launch, Machine, Measurement, Resources, Shape, Verdict
from grader.timing.rounds import LIBRARY, NAIVE, SUBMISSION

BLAS = "blas"
SUBJECTS = {SUBMISSION: "kernel", NAIVE: "naive", LIBRARY: "cublas"}


@dataclass(frozen=True, slots=True)
class Row:
    """One subject at one size. What was not measured is None and never 0.

    `subject` is kernel, naive, cublas or blas. A baseline's row has the variant beside which it was measured; BLAS runs
    on the processor and has none. The shape is None for a variant that does not compile, which has no sizes.
    """

    subject: str
    variant: str
    file: str
    defines: Mapping[str, str]
    shape: Shape | None
    verdict: Verdict
    reason: str = ""
    launch: Launch | None = None
    resources: Resources | None = None
    measurement: Measurement | None = None
    transfer: Transfer | None = None
    implementation: str = ""


@dataclass(frozen=True, slots=True)
class Roof:
    """What bounds a kernel: GFLOPS, and GB/s of device memory in theory and as a copy sustained it. None: unknown.

    `attributes` are the device's own figures, by CUDA's names for them.
    """

    peak_gflops: float | None = None
    bandwidth: float | None = None
    sustained: Interval | None = None
    attributes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Study:
    """Everything that the tables, the figures and the page are made of.

    `timed_sizes` are those at which the lab times kernels, whatever was measured.
    """

    grader_version: str
    started: str
    command: str
    rubric: str
    rubric_sha256: str
    types: tuple[str, str, str]
    machine: Machine
    roof: Roof
    rows: tuple[Row, ...]
    timed_sizes: tuple[Shape, ...] = ()
