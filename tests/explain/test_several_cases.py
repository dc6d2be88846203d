from dataclasses import replace
from typing import Any

import pytest

from grader.explain.several_cases import after_proof
from grader.model import Case, CaseResult, Element, Fault, Mismatch, Region, Shape, Verdict


def result(run: str, order: Any, verdict: Verdict) -> CaseResult:
    wrong = None if verdict is Verdict.OK else Fault(verdict, "Wrong.", "Old hint.")
    return CaseResult(Case(Shape(33, 33, 33), run, 1, order=order), verdict, fault=wrong)


def test_wrong_answers_of_a_kernel_with_a_race_name_the_race() -> None:
    results = [result("checked", "forward", Verdict.DATA_RACE), result("second", "reverse", Verdict.WRONG_ANSWER)]
    race, wrong = after_proof(results)
    assert race == results[0]
    assert wrong.fault
    assert wrong.fault.hint == "At N=33, the verdict is data race, which may be the reason. Fix that first."
    assert after_proof(results[1:]) == (results[1],)


@pytest.mark.parametrize(
    ("diagnosis", "names"), [("outside-shared", True), ("outside-local", True), ("outside-matrix", False)]
)
def test_wrong_answers_name_an_access_outside_of_an_array_of_the_kernel(diagnosis: str, *, names: bool) -> None:
    outside = result("checked", "forward", Verdict.OUT_OF_BOUNDS)
    assert outside.fault
    outside = replace(outside, fault=replace(outside.fault, diagnosis=diagnosis, line=9))
    fault_ = after_proof([result("second", "reverse", Verdict.WRONG_ANSWER), outside])[0].fault
    assert fault_
    assert ("out of bounds in line 9" in fault_.hint) is names


def test_sums_that_are_nan_name_an_access_outside_an_array() -> None:
    outside = result("first", "forward", Verdict.OUT_OF_BOUNDS)
    assert outside.fault
    outside = replace(outside, fault=replace(outside.fault, line=9))
    wrong = result("second", "reverse", Verdict.WRONG_ANSWER)
    nowhere = Element(0, 0, 1.0, float("nan"))
    nan = replace(wrong, mismatch=Mismatch(Region("everywhere", 4, 4, 0, 4), nowhere, nowhere))
    of_nan, of_others = [other.fault for other in after_proof([outside, nan, wrong])[1:]]
    assert of_nan
    assert of_nan.hint == "At N=33, the verdict is out of bounds in line 9, which may be the reason. Fix that first."
    assert of_others == wrong.fault


def test_wrong_answers_of_a_kernel_whose_mistake_is_proved_name_its_line() -> None:
    proved = result("checked", "forward", Verdict.WRONG_ANSWER)
    assert proved.fault
    proved = replace(proved, fault=replace(proved.fault, sentence="Line 15 reads sums.", hint="Set it.", line=15))
    same, wrong = after_proof([proved, result("second", "reverse", Verdict.WRONG_ANSWER)])
    assert same == proved
    assert wrong.fault
    assert (wrong.fault.hint, wrong.fault.line) == ("Line 15 reads sums. Set it.", 15)
