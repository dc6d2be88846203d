"""The functions whose LLVM IR is fixed: the files of `ir/`, with constants of the layout filled in."""

from __future__ import annotations

from ctypes import Structure, sizeof
from functools import cache
from pathlib import Path
from string import Template

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.layout import (
    ARRAY_BITS,
    ARRAYS,
    BARRIERS,
    ENDED,
    FIRST_LOCAL,
    LOCAL,
    RUNNABLE,
    SEGMENT_BITS,
    SEGMENTS,
    SHARED,
    WAITING,
    Barrier,
    FaultKind,
    ProcessorState,
    Segment,
    Status,
    Warp,
    offset,
)

FOLDER = Path(__file__).parent / "ir"


def ir_text(file: str, /, **values: str | int) -> str:
    """Return the text of `ir/FILE.ll`; `values` are what it needs besides the constants of the layout."""
    return _template(file).substitute(_CONSTANTS, **values)


@cache
def _template(name: str) -> Template:
    return Template((FOLDER / f"{name}.ll").read_text(encoding="ascii"))


def _offsets(prefix: str, record: type[Structure]) -> dict[str, int]:
    """Return `processor_block` and the like: how many bytes into a record a field lies."""
    names = [field[0] for field in record._fields_]
    return {f"{prefix}_{name}": offset(record, name) for name in names}


_CONSTANTS: dict[str, int] = {
    **_offsets("processor", ProcessorState),
    **_offsets("warp", Warp),
    **_offsets("barrier", Barrier),
    **{f"kind_{kind.name.lower()}": int(kind) for kind in FaultKind},
    **{f"status_{status.name.lower()}": int(status) for status in Status},
    "array_bits": ARRAY_BITS,
    "last_array": ARRAYS - 1,
    "first_array": SEGMENTS,
    "shared_segment": SHARED,
    "all_barriers_bytes": sizeof(Barrier) * BARRIERS,
    "barrier_bytes": sizeof(Barrier),
    "barriers": BARRIERS,
    "ended": ENDED,
    "first_local": FIRST_LOCAL,
    "last_segment": SEGMENTS - 1,
    "local_segment": LOCAL,
    "runnable": RUNNABLE,
    "segment_bits": SEGMENT_BITS,
    "segment_bytes": sizeof(Segment),
    "segment_mask": (1 << SEGMENT_BITS) - 1,
    "waiting": WAITING,
    "word_of_lanes": 4 * LANES,
}
