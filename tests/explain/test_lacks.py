import pytest

from grader.explain.stopped_launches import lacking
from grader.ptxsim.records.lacks import Lack, MalformedError, UnsupportedError
from grader.ptxsim.syntax.parser import parse
from grader.worker.simulator.stopped import not_supported

HEAD = ".version 8.0 .target sm_80 .address_size 64 .visible .entry k() {"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mov.b32 %r1, 5;\n.section x", "directive .section"),
        ("tex.2d.v4.u32.s32 %r1, [a, %r2];", "instruction tex.2d.v4.u32.s32"),
        ("add.u32 %r1, [%r2;", "part of add.u32"),
    ],
)
def test_what_a_file_lacks_is_named(text: str, words: str):
    with pytest.raises((UnsupportedError, MalformedError)) as caught:
        parse(f"{HEAD} .reg .b32 %r<9>; {text} }}")
    assert lacking(not_supported(caught.value)) == words


@pytest.mark.parametrize("name", ["a\nb", "x" * 500, "ä", "two words"])
def test_a_name_that_is_no_word_is_left_out_or_cut(name: str):
    found = not_supported(UnsupportedError(Lack.INSTRUCTION, 3, name=name, number=1 << 70))
    assert found.name in {"", "x" * 200}
