"""What students may see before the date at which a rubric shows its hidden sizes. Pure.

Every text that mentions a hidden size is changed too: hints of one size may refer to another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from grader.model import Build, CaseResult, Criterion, Fault, Measurement, Report, Rubric, Shape, Verdict
from grader.rubric.score import score

HIDDEN = "a hidden size"


def hidden(rubric: Rubric, now: datetime) -> frozenset[Shape]:
    """Return the sizes that students may not see at this time, which has an offset from UTC."""
    if not rubric.hidden_sizes or now >= datetime.fromisoformat(rubric.visible_after):
        return frozenset()
    return frozenset(rubric.hidden_sizes)


def visible_rubric(rubric: Rubric, now: datetime) -> Rubric:
    """Return the rubric without hidden sizes, and without criteria that count no other sizes."""
    out = hidden(rubric, now)
    if not out:
        return rubric
    criteria = [_criterion(criterion, out) for criterion in rubric.criteria]
    kept = [after for before, after in zip(rubric.criteria, criteria, strict=True) if after.sizes or not before.sizes]
    ids = {criterion.id for criterion in kept}
    sizes = _shown(rubric.sizes, out)
    return replace(
        rubric,
        sizes=sizes,
        quick_sizes=_shown(rubric.quick_sizes, out) or sizes[:1],
        timed_sizes=_shown(rubric.timed_sizes, out),
        criteria=tuple(replace(one, requires=tuple(name for name in one.requires if name in ids)) for one in kept),
        hidden_sizes=(),
    )


def for_students(report: Report, now: datetime) -> Report:
    """Return the report as if the rubric did not have the sizes that are hidden at this time."""
    out = hidden(report.rubric, now)
    if not out:
        return report
    words = _Words(out)
    results = tuple(words.result(result) for result in report.results if result.case.shape not in out)
    if not any(result.verdict.is_students_fault for result in results):  # skipped because of a hidden size
        results = tuple(result for result in results if result.verdict is not Verdict.SKIPPED)
    shown = replace(
        report,
        rubric=visible_rubric(report.rubric, now),
        build=words.build(report.build),
        fault=words.fault(report.fault),
        results=results,
        measurements=_of_visible(report.measurements, out),
        baselines={name: _of_visible(measured, out) for name, measured in report.baselines.items()},
        counters=None if report.counters and report.counters.shape in out else report.counters,
        advice=None if report.advice and report.advice.shape in out else report.advice,
        infrastructure=words.shown(report.infrastructure),
        shared_baselines=report.shared_baselines
        and replace(report.shared_baselines, checked=words.shown(report.shared_baselines.checked)),
        score=None,
    )
    return replace(shown, score=score(shown)) if report.score else shown


class _Words:
    """Texts without the names of hidden sizes."""

    def __init__(self, out: Iterable[Shape]) -> None:
        names = "|".join(re.escape(str(shape)) for shape in out)
        self._pattern = re.compile(rf"(?<!\w)(?:{names})(?!\w)")

    def shown(self, text: str) -> str:
        return self._pattern.sub(HIDDEN, text)

    def fault(self, fault: Fault | None) -> Fault | None:
        if fault is None:
            return None
        sentence, hint, detail = map(self.shown, (fault.sentence, fault.hint, fault.detail))
        return replace(fault, sentence=sentence, hint=hint, detail=detail)

    def result(self, result: CaseResult) -> CaseResult:
        printed, remark = self.shown(result.printed), self.shown(result.remark)
        return replace(result, fault=self.fault(result.fault), printed=printed, remark=remark)

    def build(self, build: Build | None) -> Build | None:
        return build and replace(build, log=self.shown(build.log))


def _criterion(criterion: Criterion, out: frozenset[Shape]) -> Criterion:
    return replace(criterion, sizes=_shown(criterion.sizes, out))


def _shown(shapes: tuple[Shape, ...], out: frozenset[Shape]) -> tuple[Shape, ...]:
    return tuple(shape for shape in shapes if shape not in out)


def _of_visible(measured: tuple[Measurement, ...], out: frozenset[Shape]) -> tuple[Measurement, ...]:
    return tuple(measurement for measurement in measured if measurement.shape not in out)
