"""From any finding of a worker to the fault that a student reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import singledispatch
from typing import TYPE_CHECKING

from grader.model import Fault, Interface, Limits, Shape

if TYPE_CHECKING:
    from grader.contract.found import Finding


@dataclass(frozen=True, slots=True)
class Asked:
    """What a launch was asked to compute, and within which limits."""

    interface: Interface
    shape: Shape
    limits: Limits


@singledispatch
def fault_of(finding: Finding, asked: Asked) -> Fault:
    """Return the fault of a finding. The other modules here register a function for each kind."""
    raise TypeError(f"nothing explains {type(finding).__name__} of {asked.shape}")


def diagnosis(finding: object) -> str:
    """Return a word for what was found, which stays when its sentence changes: the kind of the record, and its detail.

    The detail of an access outside is the memory, and that of a race what its threads have in common; that of other
    records is their field with a fixed word.
    """
    detail = next((value for value in _details(finding) if isinstance(value, StrEnum) and value), None)
    kind = (
        "outside"
        if type(finding).__name__ == "OutOfBounds"
        else re.sub(r"(?<!^)(?=[A-Z])", "-", type(_first(finding)).__name__).lower()
    )
    return f"{kind}-{detail.replace(' ', '-')}" if detail else kind


def _details(finding: object) -> Iterator[object]:
    yield from (getattr(finding, name, None) for name in ("cause", "mistake", "error"))
    yield getattr(getattr(finding, "beside", None), "space", None)
    yield getattr(_first(finding), "scope", None)


def _first(finding: object) -> object:
    """Return the record itself, or the first of several: races, or what a tool has reported."""
    return next(iter(getattr(finding, "records", ()) or getattr(finding, "races", ())), finding)
