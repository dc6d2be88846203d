"""What a student reads of a kernel whose parameters are not those of the lab."""

from __future__ import annotations

from grader.model import Argument, Build, Fault, Interface, Verdict


def others(build: Build, interface: Interface, want: tuple[str, ...]) -> Fault:
    """The fault of a kernel that takes another number of parameters, or other kinds, than the lab's call gives."""
    takes = f"takes {_words(build.parameters)}, but this lab calls it with {_words(want)}"
    sentence = f"{build.symbol} {takes}: {interface.name}({', '.join(interface.parameters)})."
    return Fault(Verdict.WRONG_SIGNATURE, sentence, "Give the kernel exactly these parameters, in this order.")


def of_another_struct(build: Build, argument: Argument, nbytes: int, text: str) -> Fault:
    """The fault of a kernel whose struct has another size than the one that the rubric declares with this text."""
    takes = f"{build.symbol} takes {argument.name} in {nbytes} bytes, but the lab's struct has {argument.nbytes}"
    return Fault(Verdict.WRONG_SIGNATURE, f"{takes}: {text}.", "Give the struct the lab's fields, in their order.")


def too_narrow(build: Build, argument: Argument, nbytes: int, interface: Interface) -> Fault:
    """The fault of a kernel with a parameter that cannot hold the lab's argument."""
    value = f"{argument.value:g}, which this lab passes" if argument.kind == "real" else "the sizes of labs"
    takes = f"{build.symbol} takes {argument.name} in {nbytes} byte{'s' * (nbytes != 1)}"
    hint = f"Declare it as {usual(argument, interface)} {argument.name}."
    return Fault(Verdict.WRONG_SIGNATURE, f"{takes}, which cannot hold {value}.", hint)


def usual(argument: Argument, interface: Interface) -> str:
    """Return the type that kernels of the lab usually have there."""
    return "int" if argument.kind == "integer" else "double" if interface.type_c == "float64" else "float"


def _words(kinds: tuple[str, ...]) -> str:
    return f"({', '.join(kinds)})" if kinds else "no parameters"
