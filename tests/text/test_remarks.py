"""Remarks of a report."""

from dataclasses import replace

from grader.contract.inputs import CHECKED
from grader.explain.searches import ALL_BLOCKS, SOME_BLOCKS
from grader.model import Fault, Shape, Verdict
from grader.text.remarks import NO_POINTS, TOLERATED, remarks
from tests.report import examples


def test_a_tolerated_fault_comes_before_what_its_launch_was_not_searched_for():
    race = Fault(Verdict.DATA_RACE, "Line 2 writes what line 3 reads.", "Add a barrier.", 2)
    results = tuple(replace(result, tolerated=race, remark="Not all was searched.") for result in examples.right())
    said = f"Remark at N=256: {race.sentence} {TOLERATED} Not all was searched."
    assert list(remarks(examples.report(results=results))) == [said]


def test_what_was_not_searched_is_said_unless_another_size_was_searched_completely():
    result = examples.right()[0]
    partly = replace(result, case=replace(result.case, run=CHECKED), partly_searched="Not all was searched.")
    complete = replace(partly, partly_searched="")
    assert list(remarks(examples.report(results=(partly, partly)))) == ["Remark at N=256: Not all was searched."]
    larger = replace(partly, case=replace(partly.case, shape=Shape(257, 257, 257)))
    said = f"Searched for data races and unset memory: N=256 and N=257 in part. {NO_POINTS}"
    assert list(remarks(examples.report(results=(complete, larger)))) == [said]


def test_where_a_correct_kernel_was_searched_is_said_once_unless_that_is_everywhere():
    first, *others = examples.right()
    watched = replace(first, case=replace(first.case, run=CHECKED), searched=SOME_BLOCKS)
    said = "Searched for data races and unset memory: N=256, some blocks, drawn anew for each grade. " + NO_POINTS
    assert list(remarks(examples.report(results=(watched, watched, first)))) == [said]
    whole = replace(watched, searched=ALL_BLOCKS)
    assert not list(remarks(examples.report(results=(whole, first))))
    assert list(remarks(examples.report(results=(whole, first, *others)))) == [f"{said.partition(',')[0]}. {NO_POINTS}"]
    skipped = replace(watched, verdict=Verdict.SKIPPED, fault=Fault(Verdict.SKIPPED, "Not run."))
    assert not list(remarks(examples.report(results=(watched, skipped))))
