"""What students may see before the date at which a rubric shows its hidden sizes. Pure.

Texts of a student's file, of the compiler and of the kernel are left as they are: to replace the name of a hidden size
in them would reveal it to a student who lists all names. They mention no hidden size because hidden sizes are checked
and timed after all others, in other processes (pipeline.py).
"""

import hashlib
import json
import re
from dataclasses import replace
from datetime import datetime

import cattrs

from grader.model import Measurement, Report, Rubric, Shape
from grader.rubric.score import score

HIDDEN = "a hidden size"
STAGES = ("compile", "check")  # the others also take time at hidden sizes


def hidden(rubric: Rubric, now: datetime) -> frozenset[Shape]:
    """Return the sizes that students may not see at this time, which has an offset from UTC."""
    if not rubric.hidden_sizes or now >= datetime.fromisoformat(rubric.visible_after):
        return frozenset()
    return frozenset(rubric.hidden_sizes)


def visible_rubric(rubric: Rubric, now: datetime) -> Rubric:
    """Return the rubric without the sizes that are hidden at this time."""
    return without_hidden_sizes(rubric) if hidden(rubric, now) else rubric


def for_students(report: Report, now: datetime) -> Report:
    """Return the report as if the rubric did not have the sizes that are hidden at this time."""
    return without_hidden_results(report) if hidden(report.rubric, now) else report


def hidden_as_in(earlier: Report, rubric: Rubric) -> Report:
    """Return an earlier report of a student, which may have another rubric, with the hidden sizes of `rubric` too."""
    if not rubric.hidden_sizes:
        return earlier
    sizes = tuple(dict.fromkeys((*earlier.rubric.hidden_sizes, *rubric.hidden_sizes)))
    return replace(earlier, rubric=replace(earlier.rubric, hidden_sizes=sizes, visible_after=rubric.visible_after))


def without_hidden_sizes(rubric: Rubric) -> Rubric:
    """Return the rubric without hidden sizes, and without criteria that count no other sizes.

    Its hash is another one: with that of the file, a student could try which hidden size the file contains.
    """
    out = frozenset(rubric.hidden_sizes)
    if not out:
        return rubric
    criteria = [replace(criterion, sizes=_shown(criterion.sizes, out)) for criterion in rubric.criteria]
    kept = [after for before, after in zip(rubric.criteria, criteria, strict=True) if after.sizes or not before.sizes]
    ids = {criterion.id for criterion in kept}
    sizes = _shown(rubric.sizes, out)
    shown = replace(
        rubric,
        sizes=sizes,
        quick_sizes=_shown(rubric.quick_sizes, out) or sizes[:1],
        timed_sizes=_shown(rubric.timed_sizes, out),
        criteria=tuple(
            replace(criterion, requires=tuple(name for name in criterion.requires if name in ids)) for criterion in kept
        ),
        sha256="",
        hidden_sizes=(),
    )
    record = json.dumps(cattrs.unstructure(shown), sort_keys=True)
    return replace(shown, sha256=hashlib.sha256(record.encode()).hexdigest())


def without_hidden_results(report: Report) -> Report:
    """Return the report as if the rubric did not have its hidden sizes."""
    out, shared = frozenset(report.rubric.hidden_sizes), report.shared_baselines
    if not out:
        return report
    shown = replace(
        report,
        rubric=without_hidden_sizes(report.rubric),
        results=tuple(result for result in report.results if result.case.shape not in out),
        measurements=_of_visible(report.measurements, out),
        baselines={name: _of_visible(measured, out) for name, measured in report.baselines.items()},
        counters=None if report.counters and report.counters.shape in out else report.counters,
        advice=None if report.advice and report.advice.shape in out else report.advice,
        infrastructure=_without_names(report.infrastructure, out),
        shared_baselines=shared and replace(shared, checked=_without_names(shared.checked, out)),
        stages={name: spent for name, spent in report.stages.items() if name in STAGES},
        score=None,
    )
    return replace(shown, score=score(shown)) if report.score else shown


def _without_names(text: str, out: frozenset[Shape]) -> str:
    """Return a text of the grader without the names of hidden sizes."""
    names = "|".join(re.escape(str(shape)) for shape in out)
    return re.sub(rf"(?<!\w)(?:{names})(?!\w)", HIDDEN, text)


def _shown(shapes: tuple[Shape, ...], out: frozenset[Shape]) -> tuple[Shape, ...]:
    return tuple(shape for shape in shapes if shape not in out)


def _of_visible(measured: tuple[Measurement, ...], out: frozenset[Shape]) -> tuple[Measurement, ...]:
    return tuple(measurement for measurement in measured if measurement.shape not in out)
