from __future__ import annotations

from dataclasses import replace

import pytest

from grader.explain.own_lines import with_own_lines
from grader.model import Fault, Report, Source, SourcePart, Verdict
from tests.report import examples

SOURCE = Source("main.cu", examples.HASH, 1, None, (SourcePart(3, "tile.h", 1), SourcePart(9, "", 3)))


def graded(fault: Fault, source: Source = SOURCE) -> Report:
    return with_own_lines(examples.report(fault=fault, source=source))


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("It reads outside A in line 4.", "It reads outside A in line 2 of tile.h."),
        ("Lines 3, 5 and 6 are outside.", "Lines 1, 3 and 4 of tile.h are outside."),
        ("Put it before line 10.", "Put it before line 4."),
        ("ptxas refuses line 4 of the PTX.", "ptxas refuses line 4 of the PTX."),
    ],
)
def test_sentences_name_lines_of_the_students_own_files(said: str, shown: str):
    fault = graded(Fault(Verdict.COMPILE_ERROR, said, hint=said)).fault
    assert fault is not None
    assert (fault.sentence, fault.hint) == (shown, shown)


def test_so_do_messages_of_the_compiler():
    fault = graded(Fault(Verdict.COMPILE_ERROR, "", detail="main.cu:4:7: error: x\nmain.cu(10): error: y")).fault
    assert fault is not None
    assert fault.detail == "tile.h:2:7: error: x\nmain.cu(4): error: y"


def test_a_single_file_keeps_its_sentences():
    fault = Fault(Verdict.COMPILE_ERROR, "line 4")
    assert graded(fault, replace(SOURCE, parts=())).fault == fault
