"""What a submission's source uses, so that hints mention nothing else. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

COMMENT = re.compile(rb"//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?")  # an open comment ends with the file, in linear time
SHARED = re.compile(rb"\b__shared__\b")
BARRIERS = re.compile(rb"\b__syncthreads|\bbar(?:rier)?\.sync\b|\bthis_thread_block\b|\bbarrier\b")
SHORT_TYPES = re.compile(rb"half|bfloat16|wmma|tf32|fp16|fp8")
SHUFFLES = re.compile(rb"\b__shfl_|\bshfl")
ATOMICS = re.compile(rb"\batomic|\bred\.|cuda::atomic")
COPIES = re.compile(rb"pipeline|cp\.async|memcpy_async")
FRAGMENTS = re.compile(rb"\bfragment\b")
POINTERS = re.compile(rb"\b__device__\b[^;{}()]{0,200}\*\s*\w+\s*\(")  # a function that returns one
LAUNCH = re.compile(rb"\bLAUNCH\s*\(")
HEAP = re.compile(rb"\b(?:malloc|free)\s*\(|\bnew\s+\w|\bdelete\s*(?:\[\s*\]\s*)?\w")  # not "= delete;"
DIRECTED = re.compile(rb"\b__\w{1,40}_r[zdu]\b|\.r[zmp]\b")  # intrinsics, and instructions in PTX


@dataclass(frozen=True, slots=True)
class Uses:
    """Whether the text of a submission mentions these, outside of comments."""

    shared_memory: bool = False
    barriers: bool = False
    short_types: bool = False
    shuffles: bool = False
    atomics: bool = False
    asynchronous_copies: bool = False
    fragments: bool = False
    heap: bool = False
    returned_pointers: bool = False
    directed_rounding: bool = False
    other_type: str = field(default="", kw_only=True)
    """What to change if a parameter has another type than in the lab; empty if none has."""
    launch_of_lab: bool = field(default=False, kw_only=True)
    """Whether the file has no LAUNCH, so that the kernel is launched as the rubric says."""
    own_launch: bool = field(default=False, kw_only=True)
    """Whether the file launches a kernel itself, which does not count."""


NOTHING = Uses()


def uses(source: bytes) -> Uses:
    """Return what the source mentions outside of comments."""
    text = COMMENT.sub(b" ", source)
    patterns = (SHARED, BARRIERS, SHORT_TYPES, SHUFFLES, ATOMICS, COPIES, FRAGMENTS, HEAP, POINTERS, DIRECTED)
    found = (pattern.search(text) is not None for pattern in patterns)
    return Uses(*found, launch_of_lab=LAUNCH.search(text) is None, own_launch=b"<<<" in text)
