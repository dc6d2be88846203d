"""What a student reads of a kernel whose parameters are not the lab's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.model import Argument, Build, Fault, Interface, Verdict

MANGLED = re.compile(r"_Z(\d{1,3})([A-Za-z_]\w*)")


def others(build: Build, interface: Interface, want: tuple[str, ...]) -> Fault:
    """The fault of a kernel that takes another number of parameters, or other kinds, than the lab's call gives."""
    name, takes = name_of(build), f"takes {_words(build.parameters)}, but this lab calls it with {_words(want)}"
    sentence = f"{name} {takes}: {name}({', '.join(interface.parameters)})."
    hint = "Give the kernel exactly these parameters, in this order."
    if set(build.parameters) == {"pointer"} and len(build.parameters) == len(want):
        hint += " Declare each size by value: a reference, such as const int &, is an address of the host's memory."
    elif set(build.parameters) == {"pointer"} and "integer" in want:
        sizes = " and ".join(name for name in ("M", "N", "K") if name in interface.parameters) or "the sizes"
        hint += f" Without one for a size, it is right at one size alone: use {sizes} instead of the file's constant."
    return Fault(Verdict.WRONG_SIGNATURE, sentence, hint)


def in_lab(fault: Fault, title: str) -> Fault:
    """Return the fault with the lab's name: the kernel may be for another one."""
    return replace(
        fault, hint=f"Is the file for another lab than {title}? Then name that lab with --rubric. {fault.hint}"
    )


def in_labs(fault: Fault, names: Sequence[str], title: str) -> Fault:
    """Return the fault with the labs that come with the grader and call the kernel as it is correct."""
    labs, one = f"the lab {names[0]} calls", "that lab"
    if len(names) > 1:
        labs, one = f"the labs {', '.join(names[:-1])} and {names[-1]} call", "one of them"
    theirs = f"It is correct as {labs} it: name {one} with --rubric if the file is for it."
    return replace(fault, hint=f"{theirs} If it is for {title}, declare that lab's parameters, in their order.")


def of_another_struct(build: Build, argument: Argument, nbytes: int, text: str) -> Fault:
    """The fault of a kernel whose struct has another size than the one that the rubric declares with this text."""
    takes = f"{name_of(build)} takes {argument.name} in {nbytes} bytes, but the lab's struct has {argument.nbytes}"
    return Fault(Verdict.WRONG_SIGNATURE, f"{takes}: {text}.", "Give the struct the lab's fields, in their order.")


def too_narrow(build: Build, argument: Argument, nbytes: int, interface: Interface) -> Fault:
    """The fault of a kernel with a parameter that cannot hold the lab's argument."""
    value = f"{argument.value:g}, which this lab passes" if argument.kind == "real" else "the sizes of labs"
    takes = f"{name_of(build)} takes {argument.name} in {nbytes} byte{'s' * (nbytes != 1)}"
    hint = f"Declare it as {usual(argument, interface)} {argument.name}."
    return Fault(Verdict.WRONG_SIGNATURE, f"{takes}, which cannot hold {value}.", hint)


def usual(argument: Argument, interface: Interface) -> str:
    """Return the type that kernels of the lab usually have there."""
    return "int" if argument.kind == "integer" else "double" if interface.type_c == "float64" else "float"


def name_of(build: Build) -> str:
    """Return the kernel's name as the file has it, without what C++ adds; or its symbol, if it is in a namespace."""
    mangled = MANGLED.match(build.symbol)
    return mangled[2][: int(mangled[1])] if mangled else build.symbol


def _words(kinds: tuple[str, ...]) -> str:
    return f"({', '.join(kinds).replace('other', 'struct')})" if kinds else "no parameters"
