"""The copy of a submission in which elements of member arrays are compared with the bounds of their array."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.worker.frontend.member_bounds import MARK, OutsideOfMember, comments, outside_of_member, with_checks
from grader.worker.frontend.ptx_file import bounded, program, ptx_file, registers, spilled
from tests.worker.frontend.desk import compiled, needs_nvcc

TEXT = b"""struct Tiles { float a[16][4]; float b[1]; };
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tiles tiles[2];
    tiles[0].a[threadIdx.x][threadIdx.y] = A[0];
    C[0] = tiles[1].a[tiles[0].b[0] > 0][1];
}
"""


def test_each_element_is_named_with_its_array_on_its_line() -> None:
    lines = with_checks(TEXT).splitlines()
    inner = b"__lab_inside<2>(tiles[0].b, tiles[0].b[0])"
    assert lines[4].strip() == b"__lab_inside<0>(tiles[0].a, tiles[0].a[threadIdx.x][threadIdx.y]) = A[0];"
    assert lines[5].strip() == b"C[0] = __lab_inside<1>(tiles[1].a, tiles[1].a[%s > 0][1]);" % inner
    assert len(lines) == len(TEXT.splitlines())


def test_a_file_without_member_arrays_stays_as_it_is() -> None:
    text = b"__global__ void matmul(float* C) { C[0] = 0; }"
    assert (with_checks(text), comments(text)) == (text, "")


@pytest.mark.parametrize(("index", "shown"), [(64, 64), (-1, -1), (-5 & 0xFFFFF, -5)])
def test_an_address_names_the_array_and_the_element(index: int, shown: int) -> None:
    address = MARK << 56 | 1 << 40 | 64 << 20 | index & 0xFFFFF
    assert outside_of_member(address, "}\n" + comments(TEXT)) == OutsideOfMember("tiles[1].a", 64, shown)


@pytest.mark.parametrize("address", [0, MARK << 56 | 9 << 40, 0x6D << 56 | 1 << 40, -1])
def test_other_addresses_name_nothing(address: int) -> None:
    assert outside_of_member(address, "}\n" + comments(TEXT)) is None


@needs_nvcc
def test_the_copy_compiles_beside_the_submission() -> None:
    translated = compiled(TEXT)
    assert "__lab_inside" not in translated.ptx
    assert "st.u8" in translated.bounded
    assert translated.bounded.endswith("// member array 2: tiles[0].b")


@needs_nvcc
def test_a_copy_that_the_compiler_refuses_is_left_out() -> None:
    assert compiled(b"#define __lab_inside refused\n" + TEXT).bounded == ""


def test_both_programs_are_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "kernel.ptx"
    path.write_text(ptx_file("first\r\nline\r", 32, 8, "second\n"), encoding="utf-8")
    text = path.read_text(encoding="utf-8")
    assert program(text).endswith("first\nline\n")
    assert (bounded(text), registers(text), spilled(text)) == ("second\n", 32, 8)
    assert (program("// 3 registers\nold"), bounded("// 3 registers\nold")) == ("// 3 registers\nold", "")
