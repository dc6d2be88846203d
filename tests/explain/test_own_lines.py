from dataclasses import replace

import pytest

from grader.cli import terminal
from grader.explain.own_lines import with_own_lines
from grader.export import feedback, sarif
from grader.model import Fault, Source, SourcePart, Verdict
from grader.model.scenes import NamedValue, Scene, Story, Term
from grader.model.verdicts import AccessKind, ThreadAccess
from grader.report import junit
from grader.report.html import page
from tests.cli.test_terminal import shown as printed
from tests.report import examples, pages

PARTS = Source("main.cu", examples.HASH, 1, None, (SourcePart(3, "tile.h", 1), SourcePart(9, "", 3)))
SAID = "At line 6060."
LOG = f"{SAID} main.cu(6060): warning: x"
SCENE = Scene((0, 0, 0), (0, 0, 0), 6060, (NamedValue("row", "1", 6060),), ())


def fault_of(fault: Fault, source: Source = PARTS) -> Fault | None:
    return with_own_lines(examples.report(fault=fault, source=source)).fault


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("It reads outside A in line 4.", "It reads outside A in line 2 of tile.h."),
        ("Lines 3, 5 and 6 are outside.", "Lines 1, 3 and 4 of tile.h are outside."),
        ("Put it before line 10.", "Put it before line 4."),
        ("ptxas refuses line 4 of the PTX.", "ptxas refuses line 4 of the PTX."),
        ('It is made at line 4 of "other.h"', 'It is made at line 4 of "other.h"'),
        ("main.cu:4:7: error: x\nmain.cu(10): error: y", "tile.h:2:7: error: x\nmain.cu(4): error: y"),
    ],
)
def test_lines_are_those_of_the_students_own_files(said: str, shown: str):
    fault = fault_of(Fault(Verdict.COMPILE_ERROR, said if "cu:" not in said else "", detail=said))
    assert fault is not None
    assert fault.detail == shown
    assert fault.sentence in {shown, ""}


def test_a_single_file_keeps_its_sentences():
    fault = Fault(Verdict.COMPILE_ERROR, "line 4")
    assert fault_of(fault, replace(PARTS, parts=())) == fault


def test_no_view_names_a_line_of_the_whole_text():
    story = Story(0, 0, 6060, 2, 2, (Term(0, (), 6060, 0),), scene=SCENE, missing=(1, 1, 1))
    accesses = tuple(ThreadAccess(line, AccessKind.READS, (0, 0, 0), (0, 0, 0)) for line in (6060, 6059))
    fault = Fault(Verdict.DATA_RACE, SAID, SAID, 6060, LOG, accesses, "an element", SAID, story=story)
    graded = pages.advised()
    assert graded.advice is not None
    assert graded.build is not None
    assert graded.counters is not None
    items = tuple(replace(item, line=6060) for item in graded.advice.items)
    touched = tuple(replace(each, line=6060) for each in graded.counters.accesses)
    report = replace(
        graded,
        source=PARTS,
        build=replace(graded.build, log=LOG),
        results=(replace(graded.results[0], verdict=fault.verdict, fault=fault, accuracy=None, remark=SAID),),
        advice=replace(graded.advice, items=items),
        counters=replace(graded.counters, accesses=touched),
    )
    told = with_own_lines(report)
    views = (
        printed(terminal.summary(told)),
        page.render(told),
        junit.render(told, junit.Dialect("ci")),
        feedback.explanation(told),
        sarif.render(told, "main.cu"),
    )
    for view in views:
        assert "6060" not in view
        assert "6054" in view
