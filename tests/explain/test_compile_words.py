"""What a student reads of a compiler's log."""

from grader.explain.compile_words import without_warnings

ERROR = 'a.cu(12): error: expected a ";"\n  for (;;) {\n\n'
WARNED = 'a.cu(6): warning #177-D: variable "As" was never referenced\n  float As;\n        ^\n\nRemark: no.\n\n'


def test_after_an_error_no_warning_is_shown():
    assert without_warnings(f"{WARNED}{ERROR}{WARNED}1 error detected.\n") == f"{ERROR}1 error detected.\n"
