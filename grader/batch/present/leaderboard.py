"""leaderboard.html: speeds under pseudonyms, so that the page can be published. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.batch.present.page_template import Cell, number, page
from grader.batch.present.student_result import StudentResult
from grader.batch.present.summary import StudentSummary, summarize
from grader.model import Verdict
from grader.text.clean import one_line


@dataclass(frozen=True, slots=True)
class LeaderboardEntry:
    """One line. Equal speeds share a place."""

    number: int
    name: str
    cells: tuple[Cell, ...]


def leaderboard(rows: Sequence[StudentResult], names: Mapping[str, str]) -> str:
    """Return the page. It contains only speeds and `names`, the students' pseudonyms."""
    reports = [row.report for row in rows if row.report]
    sizes = [max(one.rubric.timed_sizes, key=lambda shape: shape.flops) for one in reports if one.rubric.timed_sizes]
    return page(
        "leaderboard.html",
        title=one_line(reports[0].rubric.title, 120) if reports else "Class",
        size=str(sizes[0]) if sizes else "",
        places=ranking([summarize(row) for row in rows], names),
    )


def ranking(lines: Sequence[StudentSummary], names: Mapping[str, str]) -> list[LeaderboardEntry]:
    """Return the correct kernels with a speed, the fastest first."""
    speeds = {one.student: one.gflops for one in lines if one.verdict == Verdict.OK and one.gflops is not None}
    ranked = sorted(
        (one for one in lines if one.student in speeds), key=lambda one: (-speeds[one.student], names[one.student])
    )
    ahead = [sum(other > speeds[one.student] for other in speeds.values()) for one in ranked]
    return [
        LeaderboardEntry(
            before + 1,
            names[one.student],
            (number(one.gflops, ",.0f"), number(one.speedup, ".2f"), number(one.library_percent, ".1f")),
        )
        for one, before in zip(ranked, ahead, strict=True)
    ]
