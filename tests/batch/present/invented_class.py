"""An invented class of any size, the same in each run, in which submissions end in every way."""

import random
from dataclasses import replace

from grader.batch.intake.source_entry import Submission
from grader.batch.present.student_summary import StudentResult
from grader.model import CaseResult, Fault, Interval, Measurement, Report, Verdict
from grader.rubric.score import score
from tests.report import examples, pages

FIRST = ("Ada", "Bilal", "Chiara", "Dmitri", "Élodie", "Farouk", "Grace", "Hiroshi", "Ingrid", "João", "Katarzyna")
LAST = ("Abendroth", "Nguyen", "O'Connor-Featherstonehaugh", "García Márquez", "Okonkwo", "Schmidt", "Wu")
FAULTS = (
    (Verdict.OUT_OF_BOUNDS, "At {} the kernel reads element 1056 of A, which has 1024 elements.",
     "Check that row < N and col < N before each access."),
    (Verdict.WRONG_ANSWER, "993 of 1024 elements of C are wrong at {}, scattered: C[0][1] should be 12 but is 31.",
     "Correct in one order of the threads and wrong in the other: a __syncthreads() is missing."),
    (Verdict.TIMEOUT, "At {} the kernel did not end within 20 s.", "Check the condition of every loop."),
)  # fmt: skip


def rows(students: int, *, gpu: bool = True) -> list[StudentResult]:
    """Return the results of the class, sorted by student."""
    chance = random.Random(students)  # noqa: S311 - invents a class, and no secret
    return sorted((_row(number, chance, gpu=gpu) for number in range(students)), key=lambda row: row.submission.student)


def _row(number: int, chance: random.Random, *, gpu: bool) -> StudentResult:
    first, last = FIRST[number % len(FIRST)], LAST[number // 5 % len(LAST)]
    student = f"{first.encode('ascii', 'ignore').decode().lower()}{number:03}"
    late = "yes" if chance.random() < 0.08 else ""
    submission = Submission(student, f"{first} {last}", f"{student}@example.edu", late=late)
    ended = {11: "nothing", 17: "lost", 19: "waiting"}.get(number % 29)
    if ended == "nothing":
        return StudentResult(replace(submission, problem="The folder has no .cu file."), None)
    if ended == "lost":
        return StudentResult(submission, examples.broken_machine(infrastructure="The worker was lost three times."))
    return StudentResult(submission, None if ended else _report(chance, gpu=gpu))


def _report(chance: random.Random, *, gpu: bool) -> Report:
    """Return a correct kernel of any speed, or one with one of several faults."""
    (kind,) = chance.choices(("correct", "edge", "fault", "not compiled", "not here"), (55, 15, 20, 7, 3))
    whole = pages.graded() if gpu else pages.simulated()
    if kind == "correct":
        speed = min(chance.lognormvariate(-0.6, 0.6), 1.2)
        report = replace(whole, measurements=tuple(_faster(measurement, speed) for measurement in whole.measurements))
    elif kind == "edge":
        report = replace(pages.wrong(), machine=whole.machine, build=whole.build)
    elif kind == "fault":
        report = replace(_without_speed(whole), results=_faulty(whole, chance))
    else:
        report = replace(_without_speed(whole), build=None, results=(), fault=_no_build(kind))
    day, minute = chance.randrange(1, 15), chance.randrange(480, 1430)
    report = replace(report, started=f"2026-03-{day:02}T{minute // 60:02}:{minute % 60:02}:00+00:00")
    return replace(report, score=score(report))


def _faulty(whole: Report, chance: random.Random) -> tuple[CaseResult, ...]:
    """Return the results with one fault at the sizes from a random one on."""
    verdict, sentence, hint = chance.choice(FAULTS)
    first = chance.randrange(1, len(whole.results))
    fault = Fault(verdict, sentence.format(whole.results[first].case.shape), hint, 17)
    failed = (CaseResult(result.case, verdict, result.seconds, fault) for result in whole.results[first:])
    return (*whole.results[:first], *failed)


def _no_build(kind: str) -> Fault:
    if kind == "not here":
        return Fault(Verdict.NOT_SUPPORTED, "The kernel uses wgmma, which this machine cannot run.", "Use a GPU.", 30)
    fault = pages.not_compiled().fault
    return fault or examples.not_compiled().fault or Fault(Verdict.COMPILE_ERROR, "")


def _without_speed(report: Report) -> Report:
    return replace(report, measurements=(), baselines={})


def _faster(measurement: Measurement, factor: float) -> Measurement:
    def times(interval: Interval | None) -> Interval | None:
        return interval and Interval(interval.median * factor, interval.low * factor, interval.high * factor)

    gflops = times(measurement.gflops) or measurement.gflops
    return replace(
        measurement,
        gflops=gflops,
        speedup=times(measurement.speedup),
        library_fraction=times(measurement.library_fraction),
    )
