"""The points that a lab's reference kernels get for the speeds in docs/labs/data/, if all answers are correct."""

from itertools import groupby
from pathlib import Path

import grader
from grader.contract.inputs import RUNS
from grader.model import Build, Case, CaseResult, Machine, Measurement, Report, Rubric, Score, Source, State, Verdict
from grader.rubric import load as rubrics
from grader.rubric.score import score
from grader.study.measure.records import Row
from tests.benchmarks import lab_pages, lab_studies
from tests.benchmarks.lab_pages import Entry

BUILT = Build("", "", (), None, "", (), "")


def table(entry: Entry) -> list[list[str]]:
    """A line for each rubric: its kernels with the points of their best variants, in increasing order."""
    return [_line([row["study"], *row.get("more", [])]) for row in entry["rows"]]


def _line(studies: list[str]) -> list[str]:
    path = lab_pages.rubric_path(studies[0])
    rubric, machine = rubrics.load(path), lab_studies.study(studies[0]).machine
    kernels = sorted(
        (
            row
            for name in studies
            for row in lab_studies.study(name).rows
            if row.subject == "kernel" and row.measurement
        ),
        key=lambda row: row.file,
    )
    best = {file: _best(rubric, machine, list(rows)) for file, rows in groupby(kernels, key=lambda row: row.file)}
    ranked = sorted(best.items(), key=lambda item: item[1].earned)
    measured = ranked[0][1].points - ranked[0][1].not_measured
    shown = ", ".join(f"`{Path(file).stem}` {score.earned:.0f}" for file, score in ranked)
    return [f"`{path.name}`", shown, f"{measured:.0f}"]


def _best(rubric: Rubric, machine: Machine, rows: list[Row]) -> Score:
    variants = [list(group) for _, group in groupby(rows, key=lambda row: row.variant)]
    return max((_score(rubric, machine, variant) for variant in variants), key=lambda score: score.earned)


def _score(rubric: Rubric, machine: Machine, rows: list[Row]) -> Score:
    right = tuple(CaseResult(Case(shape, run, 0), Verdict.OK, 0.0) for shape in rubric.sizes for run in RUNS)
    return score(
        Report(
            state=State.FINISHED,
            grader_version=grader.__version__,
            started="",
            seed=0,
            source=Source(rows[0].file, "", 0),
            rubric=rubric,
            machine=machine,
            build=BUILT,
            results=right,
            measurements=tuple(_measurements(rows)),
        )
    )


def _measurements(rows: list[Row]) -> list[Measurement]:
    return [row.measurement for row in rows if row.measurement]
