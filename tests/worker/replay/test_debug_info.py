"""The debugging information of PTX, whoever wrote it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.ptxsim.syntax.parser import parse
from grader.worker.replay.debug_info import DebugInfo
from grader.worker.replay.program import program
from tests.worker.replay.replayed import ptx

SOURCE = """
struct Pair { int first; float second[3]; };
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    Pair pair = {N, {1, 2, 3}};
    for (int k = 0; k < N; ++k) {
        int N = k + 1;
        pair.second[k % 3] += A[N];
    }
    C[pair.first] = pair.second[0];
}
"""


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    return ptx(SOURCE, tmp_path_factory.mktemp("debug"))


def names(text: str, places: dict[str, int], instruction: int) -> set[str]:
    return {each.name for each in DebugInfo(text, places).in_scope(instruction)}


def test_the_variables_of_inner_blocks_are_in_scope_there_only(text: str):
    code = program(parse(text, "mine.cu"))
    by_line = {instruction.line: number for number, instruction in enumerate(code.instructions)}
    assert names(text, dict(code.places), by_line[8]) == {"A", "B", "C", "N", "pair", "k"}
    assert names(text, dict(code.places), by_line[10]) == {"A", "B", "C", "N", "pair"}


def test_a_variable_that_a_block_inside_declares_once_more_is_known(text: str):
    code = program(parse(text, "mine.cu"))
    last = max(number for number, each in enumerate(code.instructions) if each.line == 10)
    assert list(DebugInfo(text, code.places).shadows(last)) == [("N", 3, 7)]


@given(st.data())
def test_whatever_it_says_it_is_read_without_an_error(text: str, data: st.DataObject):
    start = text.index(".section")
    cut = data.draw(st.integers(start, len(text)))
    lines = text[start:cut].split("\n")
    for _ in range(data.draw(st.integers(0, 12))):
        lines[data.draw(st.integers(0, len(lines) - 1))] = data.draw(
            st.sampled_from([".b8 255", ".b8 19", ".b8 8,1,2", ".b64 18446744073709551615", ".b32 4294967295", ".b8 x"])
        )
    info = DebugInfo(text[:start] + "\n".join([*lines, "\t}"]), program(parse(text[:start], "mine.cu")).places)
    for instruction in range(0, 60, 7):
        assert all(each.name for each in info.in_scope(instruction))
        assert len(list(info.shadows(instruction))) < 100
