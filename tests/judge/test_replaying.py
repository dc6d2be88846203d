"""A kernel that failed runs once more, and the report says what it did."""

import re
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from grader import pipeline
from grader.host.process import Running
from grader.judge.conditions import Conditions
from grader.judge.other_calls import Trying
from grader.judge.replaying import failed_cases
from grader.model import Fault, Machine, Report, Shape, Verdict
from grader.model.reports import leading_faults
from tests import lab
from tests.launcher import start_here

OUTSIDE = lab.NAIVE.replace("row >= N || col >= N", "row >= N || col > N")


def graded(source: str, folder: Path, on: Machine, sizes: tuple[int, ...]) -> tuple[Report, list[str]]:
    path, steps = folder / "mine.cu", list[str]()
    path.write_text(source)
    plan = lab.plan(path, lab.write_rubric(folder, sizes), start=start_here)
    return pipeline.grade(plan, on, lambda _, step: steps.append(step)), steps


def fault_at(report: Report, size: int, verdict: Verdict) -> Fault:
    found = [each for each in report.results if (each.case.shape.N, each.verdict) == (size, verdict)]
    assert found
    assert found[0].fault
    return found[0].fault


def test_a_fault_comes_with_the_variables_of_its_thread_after_all_verdicts(tmp_path: Path, simulator: Machine):
    report, steps = graded(OUTSIDE, tmp_path, simulator, (33,))
    fault = fault_at(report, 33, Verdict.OUT_OF_BOUNDS)
    assert (
        "The condition in line 7 was false with row = 0, N = 33 and col = 33: if (row >= N || col > N)."
        in fault.sentence
    )
    assert fault.scene
    assert steps[-2:] == ["explaining", "complete"]
    assert {"checking", ""} >= {step for step in steps[:-2] if step != "compiling"}


def test_a_size_of_one_element_leaves_the_lead_to_a_larger_one_with_its_own_story(tmp_path: Path, simulator: Machine):
    report, _ = graded(lab.NAIVE.replace("k < N", "k < N / 2 + N % 32 - 1"), tmp_path, simulator, (1, 33))
    (leading,) = leading_faults(report)
    assert "wrong at N=33, " in leading.sentence
    assert "C[0][0] lacks terms: 17 of them, from k = 16 to 32, are not in its sum." in leading.sentence
    assert "lacks terms" not in fault_at(report, 1, Verdict.WRONG_ANSWER).sentence


def test_a_wrong_index_by_which_blocks_store_to_one_element_has_its_story(tmp_path: Path, simulator: Machine):
    wrong = lab.NAIVE.replace("C[row * N + col]", "C[row % 16 * N + col]")
    report, _ = graded(wrong, tmp_path, simulator, (33,))
    hint = fault_at(report, 33, Verdict.DATA_RACE).hint
    assert "stores their sum to C[0][0], with row = 32" in hint
    assert "Correct the index in line " in hint
    assert fault_at(report, 33, Verdict.WRONG_ANSWER).story


def test_a_sum_of_integers_that_is_stored_by_way_of_float_leads_to_what_float_cannot_hold(
    tmp_path: Path, simulator: Machine
):
    path = tmp_path / "mine.cu"
    path.write_text(
        lab.NAIVE.replace("float *", "int *").replace("float sum", "int sum").replace("= sum;", "= (float)sum;")
    )
    plan = lab.plan(path, lab.write_rubric(tmp_path, (33,)), start=start_here)
    integers = replace(plan.rubric.interface, type_a="int32", type_b="int32", type_c="int32")
    report = pipeline.grade(replace(plan, rubric=replace(plan.rubric, interface=integers)), simulator, lambda *_: None)
    fault = fault_at(report, 33, Verdict.WRONG_ANSWER)
    told = re.search(r"line 12 converts (-?\d+) to float32: that leaves (-?\d+)\.", fault.sentence)
    assert told, fault.sentence
    assert int(told[2]) == np.float32(int(told[1]))


def test_a_build_that_fails_costs_the_explanation_only(
    tmp_path: Path, simulator: Machine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("grader.judge.replaying.DEBUG", "--no-such-option")
    report, _ = graded(OUTSIDE, tmp_path, simulator, (33,))
    fault = fault_at(report, 33, Verdict.OUT_OF_BOUNDS)
    assert (fault.scene, "The condition" in fault.sentence) == (None, False)


def test_nothing_of_a_hidden_size_is_said_of_a_visible_one(tmp_path: Path, simulator: Machine):
    path = tmp_path / "mine.cu"
    path.write_text(lab.NAIVE.replace("k < N", "k < N / 2 + N % 32 - 1"))
    plan = lab.plan(path, lab.write_rubric(tmp_path, (1, 33)), start=start_here)
    rubric = replace(plan.rubric, hidden_sizes=(Shape(33, 33, 33),))
    report = pipeline.grade(replace(plan, rubric=rubric), simulator, lambda *_: None)
    assert "N=33" not in fault_at(report, 1, Verdict.WRONG_ANSWER).sentence
    assert "C[0][0] lacks terms" in fault_at(report, 33, Verdict.WRONG_ANSWER).sentence


def test_what_ends_a_grade_early_ends_the_compiler_of_the_debug_build(tmp_path: Path, simulator: Machine):
    plan, asked = lab.plan(tmp_path / "mine.cu", lab.write_rubric(tmp_path, (1,))), Event()

    def endless(box: Path, *_: object) -> Running:
        asked.set()
        return lab.in_place_of_a_worker(box, sys.executable, "-c", "import time; time.sleep(600)")

    trying = Trying(Conditions(plan.rubric, simulator, 1, endless), OUTSIDE.encode(), "mine.cu")
    with suppress(KeyboardInterrupt), failed_cases(trying, plan.rubric.launch) as failed:
        failed.build.begin()
        assert asked.wait(60)
        raise KeyboardInterrupt
    assert failed.build.made.result() is None
