"""The local arrays of a thread, which PTX merges into one for each function (`__local_depot0`).

nvcc's code generator still knows them: options that NVIDIA does not document print its code before the merge, with the
size of each array and the name in the source. What is printed has to agree with the PTX in every size and address;
if it does not, or if a version of nvcc lacks the options, the arrays stay unknown.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from grader.ptxsim.records.fields import LocalArray

# The one option is for architectures up to sm_90, the other for those from sm_100 on; each ignores the other's.
_OPTIONS = "-print-machineinstrs=stack-slot-coloring", "-print-after-isel"
PRINTED = tuple(word for option in _OPTIONS for word in ("-Xcicc", "--Xllc", "-Xcicc", option))
FUNCTION = re.compile(r"^\.(?:[a-z]+[ \t]+\.)?(?:entry|func)[ \t]")
MERGED = re.compile(r"[ \t]*\.local \.align \d+ \.b8[ \t]+(__local_depot\d{1,9})\[(\d{1,9})\];")
ADDRESS = re.compile(r"[ \t]*add\.u64[ \t]+%rd\d+, %SPL?, (\d{1,9});")
BEGIN, END = "# Machine code for function ", "# End machine code for function "
OBJECT = re.compile(r"^  fi#(\d{1,9}): size=(\d{1,9}), align=(\d{1,9}), at location \[SP\]$", re.MULTILINE)
LISTED = re.compile(r"^  fi#", re.MULTILINE)
USE = re.compile(r"%stack\.(\d{1,9})(?:\.([\w.]+))?, (-?\d{1,9})\b")
NAME = re.compile(r"(?!__|agg\b|ref\b|tmp\b|coerce\b)[A-Za-z_]\w*")
LONGEST = 200  # characters of a name that is shown


@dataclass(frozen=True, slots=True)
class _Merged:
    """The local memory of a function in PTX: the variable, its size, and the addresses in it that are computed."""

    function: str
    variable: str
    size: int
    addresses: set[int] = field(default_factory=set)


def merged(ptx: str) -> bool:
    """Whether a function has local memory that may consist of several arrays."""
    return "__local_depot" in ptx


def local_arrays(ptx: str, printed: str) -> tuple[LocalArray, ...]:
    """Return the arrays of those functions for which the PTX agrees with what the code generator has printed."""
    dumps = dict(_dumps(printed))
    found = ((dumps.pop(one.function, ""), one) for one in _functions(ptx))
    return tuple(array for dump, one in found if dump for array in _of_function(dump, one))


def _dumps(printed: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each function of which the code was printed to its end, and the code."""
    pieces = printed.split(END)
    for piece, rest in pairwise(pieces):
        code = piece[piece.rfind(BEGIN) + len(BEGIN) :]
        name, _, _ = code.partition(":")
        if rest.startswith(f"{name}."):
            yield name, code


def _functions(ptx: str) -> Iterator[_Merged]:
    """Yield each function that has local memory."""
    function, merged_ = "", None
    for line in ptx.split("\n"):
        if FUNCTION.match(line):
            function = line.rstrip(" \t()").rpartition(" ")[2]
        elif found := MERGED.match(line):
            if merged_:
                yield merged_
            merged_ = _Merged(function, found[1], int(found[2]))
        elif merged_ and (found := ADDRESS.match(line)):
            merged_.addresses.add(int(found[1]))
    if merged_:
        yield merged_


def _of_function(dump: str, function: _Merged) -> tuple[LocalArray, ...]:
    objects = {int(found[1]): (int(found[2]), int(found[3])) for found in OBJECT.finditer(dump)}
    uses = [(int(found[1]), found[2] or "", int(found[3])) for found in USE.finditer(dump)]
    if len(objects) != len(LISTED.findall(dump)) or not {number for number, _, _ in uses} <= set(objects):
        return ()  # some are of another kind
    starts, end = _placed(objects)
    # An address outside of its array could be taken for that of a neighbour.
    inside = all(0 <= offset < objects[number][0] for number, _, offset in uses)
    addresses = {starts[number] + offset for number, _, offset in uses}
    if not inside or end != function.size or addresses != function.addresses:
        return ()
    names = {number: name for number, name, _ in uses}
    return tuple(
        LocalArray(function.variable, starts[number], bytes_, _source_name(names.get(number, "")))
        for number, (bytes_, _) in objects.items()
    )


def _placed(objects: dict[int, tuple[int, int]]) -> tuple[dict[int, int], int]:
    """Return where nvcc puts objects of these sizes and alignments, and how many bytes all take."""
    starts, end = {}, 0
    for number, (size, alignment) in objects.items():
        starts[number] = -(-end // alignment) * alignment
        end = starts[number] + size
    most = max((alignment for _, alignment in objects.values()), default=1)
    return starts, -(-end // most) * most


def _source_name(name: str) -> str:
    """Return the variable's name in the source; empty for one that the compiler has made."""
    found = NAME.match(name)
    return found[0][:LONGEST] if found else ""
