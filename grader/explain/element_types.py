"""Parameters whose elements have another type in the submission than in the lab. Pure.

That is not a mistake in itself, because a kernel may cast them; it is the first suspect once an answer is wrong.
"""

from __future__ import annotations

import re

from grader.explain.wrong_elements.uses import COMMENT
from grader.model import Interface

SPELLINGS = {
    "float16": ("__half", "half"),
    "bfloat16": ("__nv_bfloat16",),
    "float32": ("float",),
    "float64": ("double",),
    "int8": ("int8_t", "char"),
    "uint8": ("uint8_t", "unsigned char"),
    "int32": ("int",),
}
LONGEST_LIST = 2000  # bytes, because the file may be hostile
POINTER = re.compile(r"(?:const\s{1,99})?(?P<type>__half|half|float|double|int)\b\s{0,99}(?:const\b\s{0,99})?\*")


def hint(content: bytes, interface: Interface) -> str:
    """Return what to change in the first parameter with another type; empty if there is none."""
    text = COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n") + b" ", content)
    kernel = re.search(rf"__global__[^;{{}}]{{0,300}}?\b{re.escape(interface.name)}\s{{0,99}}\(".encode(), text)
    if kernel is None:
        return ""
    declared = text[kernel.end() : kernel.end() + LONGEST_LIST].partition(b")")[0].decode("utf-8", "replace")
    line = text.count(b"\n", 0, kernel.end()) + 1
    for name, parameter in zip(interface.parameters, declared.split(","), strict=False):
        pointer = POINTER.match(parameter.strip())
        wanted = _spellings(interface, name)
        if pointer and wanted and pointer["type"] not in wanted:
            sentence = f"Line {line} declares {name} as a pointer to {pointer['type']}, but in this lab it points to"
            return f"{sentence} {wanted[-1]}. Change the type of the parameters."
    return ""


def _spellings(interface: Interface, name: str) -> tuple[str, ...]:
    """Return the names of a matrix's element type in CUDA; none for other parameters."""
    types = {"A": interface.type_a, "B": interface.type_b, "C": interface.type_c}
    return SPELLINGS[types[name]] if name in types else ()
