"""From any finding of a worker to the fault that a student reads."""

from __future__ import annotations

from dataclasses import dataclass
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
