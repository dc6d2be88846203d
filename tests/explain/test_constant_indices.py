"""What the compiler's warning of a constant index outside of its array explains, and what not."""

from dataclasses import replace

from grader.explain.constant_indices import explained, reason, remark
from grader.model import AccessKind, Fault, ThreadAccess, Verdict

PAIR = ThreadAccess(7, AccessKind.WRITES), ThreadAccess(9, AccessKind.READS)
FAULT = Fault(Verdict.DATA_RACE, "Data race.", "Put a __syncthreads() there.", 7, accesses=PAIR)
UNSET = Fault(Verdict.UNSET_MEMORY, "The kernel uses a variable.", "Does every sum start at zero?")


def test_a_finding_in_such_a_line_comes_from_the_index() -> None:
    found = explained(FAULT, (9, 12))
    assert found
    assert "a constant index in line 9 is outside" in found.hint
    assert found.line == 7
    assert explained(FAULT, (12,)) == FAULT
    assert explained(None, (12,)) is None


def test_a_variable_without_a_line_may_stand_for_what_the_compiler_has_removed() -> None:
    found = explained(UNSET, (12, 14))
    assert found
    assert (found.line, "lines 12 and 14" in found.hint) == (12, True)
    elsewhere = replace(UNSET, line=20)
    assert explained(elsewhere, (12, 14)) == elsewhere


def test_without_a_warning_nothing_is_said() -> None:
    assert (reason(()), remark(())) == (None, "")
