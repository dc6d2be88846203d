"""The debugging information of PTX, whoever wrote it."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.ptxsim.records.traced import UnsetVariable
from grader.ptxsim.syntax.parser import parse
from grader.worker.replay.debug_info import DebugInfo
from grader.worker.replay.program import program
from grader.worker.replay.replay import replay
from tests.worker.replay.replayed import asked, ptx

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


@pytest.mark.parametrize("length", [0, 1000, (1 << 32) - 1])
def test_an_array_that_is_said_to_be_longer_than_its_memory_has_no_name(length: int, tmp_path: Path):
    source = """extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float parts[3][2];
    parts[0][0] = 0;
    for (int k = 0; k < N; ++k) parts[1][k % 2] += A[k] * B[k];
    C[threadIdx.x] = parts[1][0] + parts[1][1];
}"""
    text, unset = ptx(source, tmp_path), asked(UnsetVariable((), is_local=True, is_shared=False))
    assert replay(unset, text, "mine.cu").scene.variables[0].name == "parts[1][0]"
    assert replay(unset, _with_sides(length, text), "mine.cu").scene is None


def _with_sides(length: int, text: str) -> str:
    """Return PTX whose arrays have that many elements on each side, instead of a type of the index and a number."""
    form = re.search(r"(\.b8 \d+\n)\.b8 33\n\.b8 0\n\.b8 73\n\.b8 19\n\.b8 55\n\.b8 11\n", text)
    assert form
    other = f"{form[1]}.b8 33\n.b8 0\n.b8 55\n.b8 6\n.b8 58\n.b8 11\n"
    return re.sub(rf"({form[1]})\.b32 \d+\n", rf"\g<1>.b32 {length}\n", text.replace(form[0], other))
