from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model import Fault, Verdict
from grader.report.html import faults
from grader.report.html.listing import AROUND, MOST_LINES, Remark, listing, remarks
from tests.report import examples

ERROR = Remark("error", "here")


def said_of(log: str) -> dict[int, tuple[Remark, ...]]:
    fault = Fault(Verdict.COMPILE_ERROR, "It does not compile.", detail=log)
    report = examples.not_compiled(fault=fault)
    return remarks(report, faults.shown(report))


def test_tolerated_undefined_behaviour_is_a_warning_at_its_line():
    race = Fault(Verdict.DATA_RACE, "Line 2 writes what line 3 reads.", "Add a barrier.", 2)
    results = tuple(replace(result, tolerated=race) for result in examples.right())
    report = examples.report(results=results)
    assert remarks(report, faults.shown(report)) == {2: (Remark("warning", race.sentence),)}


@pytest.mark.parametrize(
    ("log", "number", "remark"),
    [
        ("mine.cu:12:5: error: expected ';'", 12, Remark("error", "expected ';'")),
        ("mine.cu:12: warning: unused", 12, Remark("warning", "unused")),
        ('mine.cu(7): error: identifier "x" is undefined', 7, Remark("error", 'identifier "x" is undefined')),
        ("mine.cu(7): warning #177-D: never used", 7, Remark("warning", "never used")),
        ("mine.cu(7): catastrophic error: cannot open", 7, Remark("error", "cannot open")),
        ("mine.cu:3:1: fatal error: no such file", 3, Remark("error", "no such file")),
        ("mine.cu:3:1: note: declared here", 3, Remark("note", "declared here")),
    ],
)
def test_messages_of_every_compiler_find_their_line(log: str, number: int, remark: Remark):
    assert said_of(f"mine.cu: In function 'f':\n{log}\n   12 | code\n") == {number: (remark,)}


def test_a_message_that_the_grader_repeats_is_said_once():
    log = "matmul.cu(3): error: expected a semicolon"
    fault = Fault(Verdict.COMPILE_ERROR, "The file does not compile in line 3: expected a semicolon.", "", 3, log)
    report = examples.not_compiled(fault=fault)
    assert remarks(report, faults.shown(report)) == {3: (Remark("error", fault.sentence),)}


@given(st.binary(max_size=300))
def test_every_line_of_a_short_file_is_shown_with_its_number(content: bytes):
    shown = listing(content, {})
    assert [line.number for line in shown.lines] == list(range(1, len(shown.lines) + 1))
    assert (shown.rest, {line.skipped for line in shown.lines}) == (0, {0})


def test_the_surroundings_of_a_remark_are_shown_far_down_too():
    shown = listing(b"x\n" * 9000, {5000: (ERROR,)})
    late = [line for line in shown.lines if line.number > MOST_LINES]
    assert [late[0].number, late[-1].number] == [5000 - AROUND, 5000 + AROUND]
    assert late[0].skipped == 5000 - AROUND - MOST_LINES - 1
    assert shown.rest == 9000 - 5000 - AROUND
    assert [line.number for line in late if line.remarks] == [5000]


def test_a_remark_of_no_line_of_the_file_changes_nothing():
    assert listing(b"x\n", {0: (ERROR,), 99: (ERROR,)}) == listing(b"x\n", {})


def test_windows_line_ends_and_a_byte_order_mark_are_not_shown():
    assert [line.text for line in listing(b"\xef\xbb\xbfa\r\nb\r\n", {}).lines] == ["a", "b"]


def test_a_file_that_is_no_utf8_is_read_in_the_code_page_of_windows():
    assert [line.text for line in listing(b"gr\xf6\xdfer \x80", {}).lines] == ["größer €"]
    assert [line.text for line in listing(b"a\x81", {}).lines] == ["a\N{REPLACEMENT CHARACTER}"]
