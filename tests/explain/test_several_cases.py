from dataclasses import replace
from typing import Any

import pytest

from grader.explain.several_cases import after_proof, with_races
from grader.explain.wrong_elements.uses import Uses
from grader.model import Case, CaseResult, Element, Fault, Mismatch, Region, Shape, Verdict


def result(run: str, order: Any, verdict: Verdict) -> CaseResult:
    wrong = None if verdict is Verdict.OK else Fault(verdict, "Wrong.", "Old hint.")
    return CaseResult(Case(Shape(33, 33, 33), run, 1, order=order), verdict, fault=wrong)


@pytest.mark.parametrize(
    ("verdicts", "race"),
    [("wowo", True), ("owow", True), ("wwww", False), ("ooow", False), ("wooo", False), ("wcwc", False)],
)
def test_a_race_is_named_when_one_order_is_correct_and_the_other_wrong(verdicts: str, race: bool) -> None:
    named = {"w": Verdict.WRONG_ANSWER, "o": Verdict.OK, "c": Verdict.CRASHED}
    runs = zip(("first", "second", "second", "first"), ("forward", "reverse") * 2, verdicts, strict=True)
    results = [result(run, order, named[letter]) for run, order, letter in runs]
    for uses, says in ((Uses(shared_memory=True), "__syncthreads() is missing"), (Uses(), "atomicAdd()")):
        hints = {
            other.fault.hint
            for other in with_races(results, uses)
            if other.verdict is Verdict.WRONG_ANSWER and other.fault
        }
        assert all(says in hint if race else hint == "Old hint." for hint in hints)


@pytest.mark.parametrize(("partly", "hint"), [("", "Old hint."), ("Too many accesses.", "atomicAdd()")])
def test_no_race_is_named_where_a_searched_launch_has_none(partly: str, hint: str) -> None:
    searched = replace(result("checked", "forward", Verdict.WRONG_ANSWER), partly_searched=partly)
    wrong, right = result("first", "forward", Verdict.WRONG_ANSWER), result("second", "reverse", Verdict.OK)
    named = with_races([searched, wrong, right], Uses())[1].fault
    assert named
    assert hint in named.hint


def test_wrong_answers_of_a_kernel_with_a_race_name_the_race() -> None:
    results = [result("checked", "forward", Verdict.DATA_RACE), result("second", "reverse", Verdict.WRONG_ANSWER)]
    race, wrong = after_proof(results)
    assert race == results[0]
    assert wrong.fault
    assert wrong.fault.hint == "At N=33, the verdict is data race, which may be the reason. Fix that first."
    assert after_proof(results[1:]) == (results[1],)


@pytest.mark.parametrize(
    ("diagnosis", "names"),
    [("outside-shared", True), ("outside-local", True), ("outside-matrix", False)],
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
