"""Speeds of the naive kernel and the library, measured once on a GPU and used until they expire or drift. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import isfinite
from statistics import median

import cattrs

import grader
from grader.host import cache
from grader.model import Machine, Rubric, Shape, SharedBaselines, Telemetry

VALID_FOR = timedelta(minutes=30)
CHECK_VALID_FOR = timedelta(seconds=15)  # a class grades a few submissions in this time, and a device hardly warms up
# More than any kernel's spread over five grades on an H200 (docs/measurements.md): a larger drift is the device's.
MOST_DRIFT = 0.01
DAMAGED = (ValueError, KeyError, TypeError, AttributeError, RecursionError, cattrs.BaseValidationError)


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds of one baseline at one size: for each, seconds per launch; and the launches of all."""

    shape: Shape
    seconds: tuple[float, ...]
    launches: int
    telemetry: Telemetry | None


@dataclass(frozen=True, slots=True)
class DriftCheck:
    """A check that found no drift, and its time in ISO 8601, with its offset."""

    at: str
    shared: SharedBaselines


@dataclass(frozen=True, slots=True)
class Baselines:
    """Rounds of each baseline at each size, and the last check of them.

    `taken` is the time of the measurement in ISO 8601, with its offset.
    """

    taken: str
    rounds: dict[str, tuple[Rounds, ...]]
    check: DriftCheck | None = None

    def at(self, name: str, shape: Shape) -> Rounds:
        return {rounds.shape: rounds for rounds in self.rounds[name]}[shape]


def key(gpu: str, machine: Machine, rubric: Rubric, naive: bytes) -> str:
    """The cache key: a hash of all that baselines depend on, from the device and its software to the naive kernel."""
    call = (rubric.interface, rubric.launch, rubric.flags, rubric.headers)
    lab = (*call, rubric.timed_sizes, rubric.timing, rubric.library)
    parts = [grader.__version__, machine.device, machine.versions, [cattrs.unstructure(part) for part in lab]]
    return cache.key(gpu, json.dumps(parts, sort_keys=True), naive)


def is_recent(time: str, now: datetime, valid_for: timedelta) -> bool:
    """Whether a time was so long ago at most; false if the clock was set back since."""
    return timedelta() <= now - datetime.fromisoformat(time) <= valid_for


def drift(kept: Rounds, again: Sequence[float]) -> float:
    """The change of a baseline's time since it was cached, relative to the cached one."""
    return median(again) / median(kept.seconds) - 1


def holds(change: float | None) -> bool:
    """Whether a drift is small enough to use cached speeds; false if it is unknown or NaN."""
    return change is not None and abs(change) <= MOST_DRIFT


def encode(kept: Baselines) -> bytes:
    """The JSON text that `decode` reads."""
    return json.dumps(cattrs.unstructure(kept)).encode()


def decode(text: bytes, names: Sequence[str], shapes: Sequence[Shape]) -> Baselines | None:
    """The baselines that `encode` wrote, if they are complete and plausible; None otherwise."""
    try:
        baselines = cattrs.structure(json.loads(text), Baselines)
        times = (baselines.taken, baselines.check.at if baselines.check else baselines.taken)
        aware = all(datetime.fromisoformat(time).tzinfo is not None for time in times)
        complete = all(_is_plausible(baselines.at(name, shape)) for name in names for shape in shapes)
    except DAMAGED:
        return None
    return baselines if aware and complete else None


def _is_plausible(rounds: Rounds) -> bool:
    return len(rounds.seconds) > 0 and all(isfinite(seconds) and seconds > 0 for seconds in rounds.seconds)
