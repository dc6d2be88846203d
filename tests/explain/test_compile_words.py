"""What a student reads of a compiler's log."""

import pytest

from grader.explain.compile_words import in_words, without_warnings
from grader.model.diagnostics import CompilerError, ErrorKind

ERROR = 'a.cu(12): error: expected a ";"\n  for (;;) {\n\n'
WARNED = 'a.cu(6): warning #177-D: variable "As" was never referenced\n  float As;\n        ^\n\nRemark: no.\n\n'


def test_after_an_error_no_warning_is_shown():
    assert without_warnings(f"{WARNED}{ERROR}{WARNED}1 error detected.\n") == f"{ERROR}1 error detected.\n"


@pytest.mark.parametrize(("symbol", "members"), [("float4", "x, y, z, w."), ("half2", "x, y."), ("", "x."), ("_", ".")])
def test_any_symbol_that_a_worker_names_a_vector_is_explained(symbol: str, members: str):
    found = CompilerError("no operator", 3, "", kind=ErrorKind.OF_VECTORS, symbol=symbol)
    assert in_words(found)[1].endswith(f" members: {members}")
