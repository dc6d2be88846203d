"""A checked case: what was launched, what the submission's source uses, and what C should be. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader.comparison.expectation import Expect, expectation
from grader.model import Backend, Case, Interface, Launch

COMMENT = re.compile(rb"//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?")  # an open comment ends with the file, in linear time
LAUNCH = re.compile(rb"\bLAUNCH\s*\(")
PATTERNS = {  # by the field of `Uses`
    "shared_memory": rb"\b__shared__\b",
    "barriers": rb"\b__syncthreads|\bbar(?:rier)?\.sync\b|\bthis_thread_block\b|\bbarrier\b",
    "short_types": rb"half|bfloat16|wmma|tf32|fp16|fp8",
    "module_variables": rb"\b__(?:device|constant)__\b[^(){};]{0,200}[;=]",
}
INSTEAD_OF_ADDING = (
    "Where one thread computes an element, let it begin with 0 and store the sum with =. Where several add to one "
    "element, let them add in shared memory, or set C to 0 before, and let all wait for that."
)


@dataclass(frozen=True, slots=True)
class Uses:
    """Whether the text of a submission mentions these, outside of comments."""

    shared_memory: bool = False
    barriers: bool = False
    short_types: bool = False
    module_variables: bool = False
    launch_of_lab: bool = False
    """Whether the file has no LAUNCH, so that the kernel is launched as the rubric says."""


NOTHING = Uses()


def uses(source: bytes) -> Uses:
    """Return what the source mentions outside of comments."""
    text = COMMENT.sub(b" ", source)
    found = {name: re.search(pattern, text) is not None for name, pattern in PATTERNS.items()}
    return Uses(**found, launch_of_lab=LAUNCH.search(text) is None)


@dataclass(frozen=True, slots=True)
class Trial:
    """A case, how it was launched, what the submission's text mentions, and how to find out what C should be."""

    case: Case
    interface: Interface
    launch: Launch
    backend: Backend
    uses: Uses = NOTHING
    expect: Expect = expectation
