"""Every verdict is exactly one of: correct, undecided, the student's fault."""

import pytest

from grader.model import Verdict


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_either_correct_or_undecided_or_the_students_fault(verdict: Verdict):
    assert [verdict is Verdict.OK, verdict.is_undecided, verdict.is_students_fault].count(True) == 1


@pytest.mark.parametrize("verdict", Verdict)
def test_a_limit_and_a_lost_worker_are_the_students_fault(verdict: Verdict):
    assert verdict.is_students_fault or not (verdict.stopped_at_a_limit or verdict.lost_the_worker)


def test_a_fault_is_worse_than_a_skipped_case_and_that_worse_than_one_not_supported():
    mixed = [Verdict.SKIPPED, Verdict.TIMEOUT, Verdict.OK, Verdict.NOT_SUPPORTED]
    expected = [Verdict.OK, Verdict.NOT_SUPPORTED, Verdict.SKIPPED, Verdict.TIMEOUT]
    assert sorted(mixed, key=lambda verdict: verdict.severity) == expected


def test_words_are_plain_text():
    assert Verdict.WRONG_ANSWER.words == "wrong answer"
