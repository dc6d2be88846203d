"""What a student reads of the memory that a launch left, apart from wrong elements of C."""

from __future__ import annotations

from grader.comparison.shortened_factors import Shortened
from grader.contract.precision import SIGNIFICAND
from grader.explain.wrong_elements.trial import Trial
from grader.model import Fault, Mismatch, Shape, Verdict
from grader.model.kernels import values

PAST_END = "Store only where row < N and col < N: the last blocks in x and in y reach beyond the matrix."
CHANGED = "changed-"  # the diagnosis of a write to a matrix begins with it
BEFORE_START = "An index is negative: is something subtracted from it, or is its type too narrow for it (char, short)?"


def outside(name: str, shape: Shape, beyond: int, *, before: bool) -> Fault:
    """The fault of a write outside of a matrix, so many elements `before` its start or past its end."""
    elements = f"{beyond} element" if beyond == 1 else f"{beyond} elements"
    where = f"{elements} before its start" if before else f"{elements} past its end"
    sentence = f"The kernel writes outside of {name} at {shape}: {where}."
    return Fault(Verdict.OUT_OF_BOUNDS, sentence, BEFORE_START if before else PAST_END)


def between_lines(trial: Trial) -> Fault:
    """The fault of a write between the rows or columns of C."""
    line = "rows" if trial.interface.layout == "row" else "columns"
    return Fault(
        Verdict.OUT_OF_BOUNDS,
        f"The kernel writes between the {line} of C at {trial.case.shape}, where there are no elements.",
        f"The {line} start ldc elements apart and are shorter than that: stop at their last element.",
    )


def changed(name: str, trial: Trial) -> Fault:
    """The fault of a write to A or B."""
    interface = trial.interface
    call = f"{interface.name}({', '.join(values(interface.parameters))})"
    return Fault(
        Verdict.WRONG_ANSWER,
        f"The kernel changes its input {name} at {trial.case.shape}.",
        f"This lab calls {call}: are the kernel's parameters in this order? If so, declare {name} const, which is read "
        "only, and work in registers or shared memory.",
        diagnosis=f"{CHANGED}{name}",
    )


def of_shortened_factors(trial: Trial, found: Shortened) -> Fault:
    """The fault of a product of rounded factors."""
    kind = trial.interface.type_c
    return Fault(
        Verdict.WRONG_ANSWER,
        f"The product at {trial.case.shape} is computed from factors with fewer bits than {kind} has.",
        f"Rounded elements of {found.factors} cause {found.share:.0%} of the errors of C; of full ones, it would be 0% "
        f"± {found.deviation:.0%}. Multiply A and B as they are, in {kind}.",
    )


def of_short_results(trial: Trial, kept: int) -> Fault:
    """The fault of results that are kept in fewer bits."""
    kind = trial.interface.type_c
    return Fault(
        Verdict.WRONG_ANSWER,
        f"No element of C at {trial.case.shape} has more than {kept} bits, and {kind} has {SIGNIFICAND[kind]}.",
        f"Half of the exact results need the last bit. Keep every sum in {kind}, and store it as it is.",
    )


def later_launch(shape: Shape, number: int, mismatch: Mismatch) -> Fault:
    """The fault of a kernel of which only the first launches are correct."""
    return Fault(
        Verdict.WRONG_ANSWER,
        f"Launch 1 at {shape} is correct, launch {number + 1} of the same kernel on new inputs is wrong: "
        f"{mismatch.region.wrong} of {mismatch.region.total} elements.",
        "Do not keep results from one launch to the next, and do not rely on what an earlier launch left.",
    )
