"""What a student reads of a kernel's parameters: those that are not the lab's, and elements of another type.

Elements of another type are no mistake in themselves, because a kernel may cast them; they are the first suspect once
an answer is wrong.
"""

from __future__ import annotations

import re

from grader.explain.wrong_elements.uses import COMMENT
from grader.model import Argument, Build, Fault, Interface, Verdict

SPELLINGS = {
    "float16": ("__half", "half"),
    "bfloat16": ("__nv_bfloat16",),
    "float32": ("float",),
    "float64": ("double",),
    "int8": ("int8_t", "char"),
    "uint8": ("uint8_t", "unsigned char"),
    "int32": ("int",),
}
MANGLED = re.compile(r"_Z(\d{1,3})([A-Za-z_]\w*)")
LONGEST_LIST = 2000  # bytes, because the file may be hostile
POINTER = re.compile(r"(?:const\s{1,99})?(?P<type>__half|half|float|double|int)\b\s{0,99}(?:const\b\s{0,99})?\*")


def of_another_type(content: bytes, interface: Interface) -> str:
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


def others(build: Build, interface: Interface, want: tuple[str, ...]) -> Fault:
    """The fault of a kernel that takes another number of parameters, or other kinds, than the lab's call gives."""
    takes = f"takes {_words(build.parameters)}, but this lab calls it with {_words(want)}"
    sentence = f"{_name(build)} {takes}: {interface.name}({', '.join(interface.parameters)})."
    hint = "Give the kernel exactly these parameters, in this order."
    if set(build.parameters) == {"pointer"} and "integer" in want:
        sizes = " and ".join(name for name in ("M", "N", "K") if name in interface.parameters) or "the sizes"
        hint += f" Without one for a size, it is right at one size alone: use {sizes} instead of the file's constant."
    return Fault(Verdict.WRONG_SIGNATURE, sentence, hint)


def of_another_struct(build: Build, argument: Argument, nbytes: int, text: str) -> Fault:
    """The fault of a kernel whose struct has another size than the one that the rubric declares with this text."""
    takes = f"{_name(build)} takes {argument.name} in {nbytes} bytes, but the lab's struct has {argument.nbytes}"
    return Fault(Verdict.WRONG_SIGNATURE, f"{takes}: {text}.", "Give the struct the lab's fields, in their order.")


def too_narrow(build: Build, argument: Argument, nbytes: int, interface: Interface) -> Fault:
    """The fault of a kernel with a parameter that cannot hold the lab's argument."""
    value = f"{argument.value:g}, which this lab passes" if argument.kind == "real" else "the sizes of labs"
    takes = f"{_name(build)} takes {argument.name} in {nbytes} byte{'s' * (nbytes != 1)}"
    hint = f"Declare it as {usual(argument, interface)} {argument.name}."
    return Fault(Verdict.WRONG_SIGNATURE, f"{takes}, which cannot hold {value}.", hint)


def usual(argument: Argument, interface: Interface) -> str:
    """Return the type that kernels of the lab usually have there."""
    return "int" if argument.kind == "integer" else "double" if interface.type_c == "float64" else "float"


def _name(build: Build) -> str:
    """Return the kernel's name as the file has it, without what C++ adds; or its symbol, if it is in a namespace."""
    mangled = MANGLED.match(build.symbol)
    return mangled[2][: int(mangled[1])] if mangled else build.symbol


def _words(kinds: tuple[str, ...]) -> str:
    return f"({', '.join(kinds).replace('other', 'struct')})" if kinds else "no parameters"
