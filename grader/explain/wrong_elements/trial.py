"""A checked case: what was launched, what the submission's text mentions, and what C should be."""

from __future__ import annotations

from dataclasses import dataclass

from grader.comparison.expectation import Expect, expectation
from grader.explain.wrong_elements.uses import NOTHING, Uses
from grader.model import Backend, Case, Interface, Launch


@dataclass(frozen=True, slots=True)
class Trial:
    """A case, how it was launched, what the submission's text mentions, and how to find out what C should be."""

    case: Case
    interface: Interface
    launch: Launch
    backend: Backend
    uses: Uses = NOTHING
    expect: Expect = expectation
