"""Changes that made a kernel right, in words."""

from grader.explain.reruns import with_changes
from grader.explain.source_text import SourceText
from grader.model import Fault, Verdict
from grader.model.remedies import Remedy

LINES = "int parts = N / 4;", "for (int k = 0; k <= N; ++k)", "    sum = A[col * N + k] * B[k * N + col];"
SOURCE = SourceText(LINES)
FAULT = Fault(Verdict.WRONG_ANSWER, "C is wrong.", "Only the edge is wrong.", line=3)


def hint_with(*changes: Remedy) -> str:
    return with_changes(FAULT, changes, SOURCE).hint


def test_the_change_is_the_hint_and_its_line_that_of_the_fault() -> None:
    told = with_changes(FAULT, [Remedy(2, "<=", "<")], SOURCE)

    assert told.line == 2
    assert told.hint.startswith("With < instead of <= in line 2, every element of C was right")


def test_of_two_lines_both_are_named_and_the_line_stays_that_is_one_of_them() -> None:
    told = with_changes(FAULT, [Remedy(1, "/", "up"), Remedy(3, "sum", "0")], SOURCE)

    assert told.line == 3
    assert "a division that rounds up in line 1, or with 0 instead of sum in line 3," in told.hint


def test_nothing_is_said_of_what_the_line_does_not_have() -> None:
    assert hint_with(Remedy(2, ">=", ">")) == hint_with(Remedy(2, "<", "<=")) == FAULT.hint


def test_nothing_is_said_of_changes_in_many_lines() -> None:
    assert hint_with(Remedy(1, "4", "5"), Remedy(2, "<=", "<"), Remedy(3, "sum", "0")) == FAULT.hint


def test_nothing_is_said_where_the_parameters_of_a_macro_have_no_parentheses() -> None:
    source = SourceText(("#define AT(r, c) (r * N + c)", "    sum = A[AT(row + 1, k)];"))

    assert with_changes(FAULT, [Remedy(2, "row", "col")], source) == FAULT
