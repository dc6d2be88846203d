"""One report of each kind that a format has to tell apart."""

from dataclasses import replace
from functools import cache

from grader.model import Build, Criterion, Fault, Report, Source, Verdict
from tests.report import examples

HOSTILE = (
    "::error::x\r\n::stop-commands::y %0A | <img src=x onerror=alert(1)> [a](b) `c` =1+1 </pre> \x1b[31m \ud800 \u202e"
)


def right_and_fast() -> Report:
    return examples.report()


def wrong() -> Report:
    results = (*examples.right(), examples.wrong(examples.LARGE, "second"))
    return examples.report(results=results, measurements=(), baselines={})


def on_simulator() -> Report:
    return examples.simulated()


def wrong_on_simulator() -> Report:
    return examples.simulated(results=(*examples.right(), examples.wrong(examples.LARGE, "second")))


def not_for_the_simulator() -> Report:
    fault = Fault(Verdict.NOT_SUPPORTED, "Inline PTX needs a GPU.", "Grade it on a GPU.", 7)
    return examples.simulated(build=None, fault=fault, results=())


def only_speed_on_simulator() -> Report:
    criteria = tuple(
        criterion for criterion in examples.rubric().criteria if criterion.id not in {"compiles", "correct"}
    )
    return examples.simulated(rubric=examples.rubric(criteria=criteria))


def hostile() -> Report:
    fault = Fault(Verdict.CRASHED, HOSTILE, HOSTILE, 18, HOSTILE * 3)
    crash = examples.failed(examples.LARGE, "second", Verdict.CRASHED)
    results = (*examples.right(), replace(crash, fault=fault, printed=HOSTILE))
    lab = examples.rubric(title=HOSTILE, criteria=tuple(_titled(criterion) for criterion in examples.rubric().criteria))
    return examples.report(source=Source(HOSTILE, examples.HASH, 1), rubric=lab, results=results, build=_build())


def many_mistakes(count: int) -> Report:
    """A report with `count` different mistakes, each in a line of its own."""
    case = examples.failed(examples.LARGE, "second", Verdict.CRASHED)
    faults = [Fault(Verdict.CRASHED, f"Mistake {line}.", "Mend it.", line) for line in range(1, count + 1)]
    results = (*examples.right(), *(replace(case, fault=fault) for fault in faults))
    return examples.report(results=results, measurements=(), baselines={})


@cache
def huge() -> Report:
    """As much text of every kind as the grader ever keeps, and more."""
    many = "\N{GRINNING FACE}" * 30_000
    faults = [Fault(Verdict.CRASHED, many, many, line, many) for line in range(1, 40)]
    case = examples.failed(examples.LARGE, "second", Verdict.CRASHED)
    results = (*examples.right(), *(replace(case, fault=fault, printed=many) for fault in faults))
    return examples.report(source=Source(many, examples.HASH, 1), rubric=examples.rubric(title=many), results=results)


GRADED = {
    "right and fast": right_and_fast,
    "wrong": wrong,
    "not compiled": examples.not_compiled,
    "on the simulator": on_simulator,
    "wrong on the simulator": wrong_on_simulator,
    "hostile text": hostile,
}
UNGRADED = {
    "grader error": examples.broken_machine,
    "not for the simulator": not_for_the_simulator,
    "only speed on the simulator": only_speed_on_simulator,
}
EVERY = GRADED | UNGRADED


def _titled(criterion: Criterion) -> Criterion:
    return replace(criterion, title=f"{criterion.title} {HOSTILE}")


def _build() -> Build:
    return replace(examples.build(), log=HOSTILE)
