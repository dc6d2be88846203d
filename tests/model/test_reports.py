"""The order in which readers see faults."""

import pytest

from grader.model import Case, CaseResult, Fault, Shape, Verdict
from grader.model.reports import leading_results
from grader.model.scenes import Story

LINES = {"race at 33": 7, "outside at 33": 9, "wrong at 33": 12, "wrong at 65": 12}
STORIES = {"wrong at 65": Story(0, 0, 12, 65, 65)}


def result(what: str) -> CaseResult:
    """Return the result of a case such as "race at 33"; its line and its story are those above."""
    name, _, size = what.partition(" at ")
    verdicts = {"race": Verdict.DATA_RACE, "outside": Verdict.OUT_OF_BOUNDS, "wrong": Verdict.WRONG_ANSWER}
    verdict = {**verdicts, "lacks": Verdict.NOT_SUPPORTED, "skipped": Verdict.SKIPPED, "ok": Verdict.OK}[name]
    fault = None if verdict is Verdict.OK else Fault(verdict, what, line=LINES.get(what), story=STORIES.get(what))
    return CaseResult(Case(Shape(int(size), int(size), int(size)), "first", 1), verdict, 0.0, fault)


@pytest.mark.parametrize(
    ("every", "shown"),
    [
        (("ok at 1",), ()),
        (("outside at 1", "outside at 33"), ("outside at 33",)),
        (("wrong at 1", "race at 33"), ("race at 33", "wrong at 1")),
        (("wrong at 33", "race at 33"), ("race at 33", "wrong at 33")),
        (("outside at 33", "race at 33"), ("race at 33", "outside at 33")),
        (("wrong at 33", "wrong at 65"), ("wrong at 65",)),
        (("wrong at 33", "outside at 1"), ("wrong at 33", "outside at 1")),
        (("wrong at 1", "outside at 1"), ("wrong at 1", "outside at 1")),
        (("lacks at 1", "skipped at 33", "wrong at 1"), ("wrong at 1", "lacks at 1", "skipped at 33")),
    ],
)
def test_the_root_cause_leads_and_what_has_a_line_goes_before_what_has_none(every, shown):
    found = leading_results([result(each) for each in every])
    assert tuple(each.fault.sentence for each in found if each.fault) == shown
