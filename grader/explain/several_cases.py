"""Hints that need more than one case: a mistake that another case proves. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grader.model import CaseResult, Resources, Verdict

if TYPE_CHECKING:
    from grader.contract.found import Finding

OUTSIDE_OWN = {"outside-shared", "outside-scalar", "outside-local"}  # arrays of the kernel's own


@dataclass(frozen=True, slots=True)
class CheckedCase:
    """A case with its verdict.

    `timed_out`: the time limit ended it, whatever its verdict says of the reason. `clause` is what stopped it, for
    remarks, which name the size themselves. `resources` are what the kernel uses on the device, where that is known,
    and `finding` is what the worker found.
    """

    result: CaseResult
    timed_out: bool = False
    clause: str = ""
    resources: Resources | None = None
    finding: Finding | None = None


def explained_cases(checked: Iterable[CheckedCase]) -> Iterator[tuple[CheckedCase, tuple[CaseResult, ...]]]:
    """Each case as it is checked, and the results of all so far, with hints that need several of them."""
    results: tuple[CaseResult, ...] = ()
    for case in checked:
        results = (*results, case.result)
        yield case, after_proof(results)


def after_proof(results: Sequence[CaseResult]) -> tuple[CaseResult, ...]:
    """The results, with the same hint for every wrong answer of a kernel with a mistake that a checked launch proves.

    Such a mistake is undefined behaviour, or the reason of a wrong answer with its line.
    """
    undefined = next((result for result in results if result.verdict.is_undefined or _is_outside_own(result)), None)
    if undefined is not None:
        return _with_reason(results, _possible_reason(undefined), None)
    outside = next((result for result in results if _is_located(result, Verdict.OUT_OF_BOUNDS)), None)
    if outside is not None:
        reasons = _with_reason(results, _possible_reason(outside), None)
        return tuple(reason if _is_nan(reason) else result for result, reason in zip(results, reasons, strict=True))
    for result in results:
        if (fault := result.fault) and _is_located(result, Verdict.WRONG_ANSWER):
            hint = fault.hint if result.mismatch else f"{fault.sentence} {fault.hint}"
            return _with_reason(results, hint, fault.line)
    return tuple(results)


def _possible_reason(result: CaseResult) -> str:
    """A hint that points to another case."""
    line = result.fault.line if result.fault else None
    where = f" in line {line}" if line and result.verdict is Verdict.OUT_OF_BOUNDS else ""
    words = f"At {result.case.shape}, the verdict is {result.verdict.words}{where}, which may be the reason."
    return f"{words} Fix that first."


def _is_located(result: CaseResult, verdict: Verdict) -> bool:
    """Whether a case has this verdict, with a line."""
    return result.verdict is verdict and result.fault is not None and result.fault.line is not None


def _is_outside_own(result: CaseResult) -> bool:
    """Whether an access left an array of the kernel's own: what others keep there is overwritten, or read instead."""
    diagnosis = result.fault.diagnosis if result.fault else ""
    return _is_located(result, Verdict.OUT_OF_BOUNDS) and diagnosis in OUTSIDE_OWN


def _is_nan(result: CaseResult) -> bool:
    """Whether every wrong element is NaN, as sums with what lies outside a matrix are."""
    region = result.mismatch.region if result.mismatch else None
    return region is not None and region.not_a_number == region.wrong


def _with_reason(results: Sequence[CaseResult], hint: str, line: int | None) -> tuple[CaseResult, ...]:
    """The results, with this hint and line for every wrong answer that is not proved itself."""
    return tuple(
        replace(result, fault=replace(result.fault, hint=hint, line=line))
        if result.fault and result.verdict is Verdict.WRONG_ANSWER and result.fault.line is None
        else result
        for result in results
    )
