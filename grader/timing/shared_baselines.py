"""Speeds of the naive kernel and the library, measured once on a GPU and used while they hold. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import isfinite
from statistics import median

import cattrs

import grader
from grader.host import cache
from grader.model import Machine, Rubric, Shape, Telemetry

VALID_FOR = timedelta(minutes=30)
# More than any kernel's spread over five grades on an H200 (docs/measurements.md): beyond it, it is another machine.
MOST_DRIFT = 0.01


@dataclass(frozen=True, slots=True)
class Rounds:
    """What rounds of one baseline gave at one size: seconds per launch in each, and all launches."""

    shape: Shape
    seconds: tuple[float, ...]
    launches: int
    telemetry: Telemetry | None


@dataclass(frozen=True, slots=True)
class Baselines:
    """Rounds of each baseline at each size, all taken at one time, which is ISO 8601 with its offset."""

    taken: str
    rounds: dict[str, tuple[Rounds, ...]]

    def at(self, name: str, shape: Shape) -> Rounds:
        return {one.shape: one for one in self.rounds[name]}[shape]


def key(gpu: str, machine: Machine, rubric: Rubric, naive: bytes) -> str:
    """Names baselines by all that they depend on: the device and its software, the sizes, the rule, the kernel."""
    asked = (rubric.interface, rubric.launch, rubric.flags, rubric.timed_sizes, rubric.timing, rubric.library)
    parts = [grader.__version__, machine.device, machine.versions, [cattrs.unstructure(one) for one in asked]]
    return cache.key(gpu, json.dumps(parts, sort_keys=True), naive)


def is_recent(kept: Baselines, now: datetime) -> bool:
    """Whether they were taken in the last half hour; not where the clock was set back since."""
    return timedelta() <= now - datetime.fromisoformat(kept.taken) <= VALID_FOR


def drift(kept: Rounds, again: Sequence[float]) -> float:
    """By which share a baseline takes longer now than when it was kept."""
    return median(again) / median(kept.seconds) - 1


def holds(change: float | None) -> bool:
    """Whether the device still is what it was; not where nobody knows, and not for NaN."""
    return change is not None and abs(change) <= MOST_DRIFT


def encode(kept: Baselines) -> str:
    """The JSON text that `decode` reads."""
    return json.dumps(cattrs.unstructure(kept))


def decode(text: bytes, names: Sequence[str], shapes: Sequence[Shape]) -> Baselines | None:
    """What `encode` wrote, if it holds sound rounds of each baseline at each size; None for anything else."""
    try:
        found = cattrs.structure(json.loads(text), Baselines)
        aware = datetime.fromisoformat(found.taken).tzinfo is not None
        whole = all(_is_sound(found.at(name, shape)) for name in names for shape in shapes)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, cattrs.BaseValidationError):
        return None
    return found if aware and whole else None


def _is_sound(rounds: Rounds) -> bool:
    return len(rounds.seconds) > 0 and all(isfinite(one) and one > 0 for one in rounds.seconds)
