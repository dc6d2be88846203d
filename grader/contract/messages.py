"""What the judge asks a worker, and what a worker answers: records that travel through the box as JSON."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from cattrs import BaseValidationError
from cattrs.preconf.json import make_converter
from cattrs.strategies import configure_tagged_union

from grader.model import Build, Case, Fault, Interface, Launch, Limits, Resources, Shape, Telemetry

# What both sides must agree on to the letter: the inputs, how they lie in memory, and what is said about them.
AGREED = ("contract/*.py", "model/*.py")
PROJECTIONS = "projections"  # the file in the box that a timed round leaves


@dataclass(frozen=True, slots=True)
class Open:
    """Load what the backend needs, ahead of the first real request; `timing` does more than checking."""

    timing: bool = False


@dataclass(frozen=True, slots=True)
class Compile:
    """Compile the file `source` of the box, for `architecture` where that is not this machine's own."""

    source: str
    architecture: str
    interface: Interface
    flags: tuple[str, ...]
    limits: Limits


@dataclass(frozen=True, slots=True)
class Check:
    """Run one case; leave A, B and C of each launch in the box as they are afterwards.

    Without a build the library's own product is run. The `following` case's inputs may be drawn meanwhile.
    """

    build: Build | None
    launch: Launch
    case: Case
    interface: Interface
    limits: Limits
    following: Case | None = None


@dataclass(frozen=True, slots=True)
class Prepare:
    """Get ready to time one size; without a build, the library's own product is timed."""

    build: Build | None
    launch: Launch
    shape: Shape
    interface: Interface
    seed: int


@dataclass(frozen=True, slots=True)
class TimeRound:
    """Time one group of launches on fresh contents."""

    number: int


@dataclass(frozen=True, slots=True)
class TimeTransfers:
    """Time a product as a program sees it: both inputs copied in, the launch, the result copied out."""

    repeats: int


@dataclass(frozen=True, slots=True)
class Survey:
    """Say what the device is, and time copies from its memory to its memory."""


@cache
def agreement() -> str:
    """Names what this side takes as agreed; a worker of another release of the grader has another name for it."""
    files = [file for names in AGREED for file in sorted(Path(__file__).parents[1].glob(names))]
    texts = [file.read_bytes() for file in files]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()


@dataclass(frozen=True, slots=True)
class Opened:
    """The backend can be used."""

    agreement: str = field(default_factory=agreement)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A build, or the fault that kept it from being one."""

    build: Build | None = None
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """The case ran, or the fault that stopped it. A spent worker can run nothing more."""

    fault: Fault | None = None
    printed: str = ""
    spent: bool = False
    resources: Resources | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """The size can be timed, so many launches in a group."""

    launches: int


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds of the whole group. Its outputs' projections are in the box, float64, one row for each launch."""

    seconds: float
    launches: int
    telemetry: Telemetry | None


@dataclass(frozen=True, slots=True)
class Transfer:
    """One product as a program sees it, timed by the host's clock, from and to pageable memory."""

    to_device: float
    """Seconds to copy A and B to the device."""
    kernel: float
    """Seconds of the launch, including the host's wait for it."""
    to_host: float
    """Seconds to copy C back."""

    @property
    def total(self) -> float:
        return self.to_device + self.kernel + self.to_host


@dataclass(frozen=True, slots=True)
class TimedTransfers:
    """Each product, one after the other."""

    products: tuple[Transfer, ...]


@dataclass(frozen=True, slots=True)
class Surveyed:
    """The device's attributes by CUDA's names, and the seconds of each copy that reads and writes so many bytes."""

    attributes: dict[str, int]
    moved_bytes: int
    seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """The worker itself failed; no fault of the submission."""

    sentence: str
    hint: str = ""


Request: TypeAlias = Open | Compile | Check | Prepare | TimeRound | TimeTransfers | Survey
Answer: TypeAlias = Opened | Compiled | Checked | Prepared | Timed | TimedTransfers | Surveyed | Broken

_converter = make_converter()
configure_tagged_union(Request, _converter)
configure_tagged_union(Answer, _converter)


def encode_request(request: Request) -> str:
    """JSON, with the record's name as its tag."""
    return json.dumps(_converter.unstructure(request, Request))


def decode_request(text: str) -> Request:
    """The inverse of `encode_request`."""
    request: Request = _decode(text, Request)
    return request


def encode_answer(answer: Answer) -> str:
    """JSON, with the record's name as its tag."""
    return json.dumps(_converter.unstructure(answer, Answer))


def decode_answer(text: str) -> Answer:
    """Raises ValueError for anything that is not an answer: the text comes from the far side of the wall."""
    answer: Answer = _decode(text, Answer)
    return answer


def _decode(text: str, kind: Any) -> Any:
    try:
        return _converter.structure(json.loads(text), kind)
    except (BaseValidationError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"no {kind}: {text[:80]}") from error
