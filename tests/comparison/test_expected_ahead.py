"""Expectations that are computed before a kernel has run are the same as those computed afterwards."""

import numpy as np
import pytest

from grader.comparison import expectation as expectations
from grader.comparison.expectation import KnownProducts, ahead, expectation
from grader.contract.inputs import RUNS
from grader.model import Case, Interface, Shape

FLOAT32 = Interface("matmul", ("A", "B", "C", "N"))
CASES = [Case(Shape(N, N, N), run, 7) for N in (20, 33) for run in RUNS]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("launch", [0, 3])
def test_it_is_what_the_case_alone_decides(case: Case, launch: int) -> None:
    with ahead(CASES, FLOAT32, expectation) as expect:
        got = expect(case, FLOAT32, launch)
    want = expectation(case, FLOAT32, launch)
    assert np.array_equal(got.C, want.C)
    assert np.array_equal(got.inputs.A, want.inputs.A)
    assert (got.limit is None) == (want.limit is None)


@pytest.mark.parametrize(("known", "grades"), [(KnownProducts(0), 1), (KnownProducts(), 2)])
def test_each_case_is_computed_once_in_a_grade_or_a_class(
    known: KnownProducts, grades: int, computed: list[Case]
) -> None:
    for _ in range(grades):
        with ahead(CASES, FLOAT32, known.expect) as expect:
            for case in CASES:
                expect(case, FLOAT32, 0)
    assert sorted(computed, key=str) == sorted(CASES, key=str)


def test_a_case_that_runs_again_is_computed_again(computed: list[Case]) -> None:
    with ahead(CASES[:1], FLOAT32, KnownProducts(0).expect) as expect:
        assert np.array_equal(expect(CASES[0], FLOAT32, 0).C, expect(CASES[0], FLOAT32, 0).C)
    assert computed == [CASES[0], CASES[0]]


def test_no_more_is_kept_than_a_judge_has_room_for(computed: list[Case], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expectations, "MOST_AHEAD", 20 * 20)
    with ahead(CASES, FLOAT32, KnownProducts(0).expect) as expect:
        expect(CASES[0], FLOAT32, 0)
    assert computed == [CASES[0]]
