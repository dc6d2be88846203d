"""The copy of a submission in which elements of member arrays are compared with the bounds of their array."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.worker.frontend.member_bounds import (
    OutsideOfMember,
    checked_ptx,
    outside_of_member,
    with_checks,
    with_suspect,
)
from grader.worker.frontend.ptx_file import bounded, program, ptx_file, registers, spilled
from tests.worker.frontend.desk import KERNEL, compiled, needs_nvcc

TEXT = b"""struct Tiles { float a[16][4]; float b[1]; };
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tiles tiles[2];
    tiles[0].a[threadIdx.x][threadIdx.y] = A[0];
    C[0] = tiles[1].a[tiles[0].b[0] > 0][1];
}
"""

TEXT_IN_BOUNDS = TEXT.replace(b"threadIdx.x", b"1").replace(b"threadIdx.y", b"0")
MARKED = "or.b64 %rd1, %rd2, 7782220156096217088;\n}\n"
PTX = checked_ptx(TEXT, MARKED)


def address(number: int, count: int, index: int) -> int:
    """The address that a check makes, as the header composes it."""
    return 0x6C << 56 | number << 44 | count << 28 | (index & 0xFFFFF) << 8


def address_of_large(number: int, count: int, index: int) -> int:
    """The same for an element of more than 256 bytes."""
    return 0x6D << 56 | number << 44 | count << 32 | (index & 0xFFF) << 20


def test_each_array_is_an_argument_on_its_line() -> None:
    lines = with_checks(TEXT).splitlines()
    assert lines[4].strip() == b"__lab_array<4>(tiles[0].a)[threadIdx.x][threadIdx.y] = A[0];"
    assert lines[5].strip() == b"C[0] = __lab_array<68>(tiles[1].a)[__lab_array<130>(tiles[0].b)[0] > 0][1];"
    assert len(lines) == len(TEXT.splitlines())


def test_a_file_without_member_arrays_stays_as_it_is() -> None:
    text = b"__global__ void matmul(float* C) { C[0] = 0; }"
    assert with_checks(text) == text


@pytest.mark.parametrize("index", [64, -1, -5])
@pytest.mark.parametrize("made", [address, address_of_large])
def test_an_address_names_the_array_and_the_element(made: Callable[[int, int, int], int], index: int) -> None:
    assert outside_of_member(made(1, 64, index) + 4, PTX) == OutsideOfMember("tiles[1].a", 6, 64, index)


@pytest.mark.parametrize("other", [0, -1, 0x6E << 56])
def test_other_addresses_name_nothing(other: int) -> None:
    assert outside_of_member(other, PTX) is None


def test_an_address_that_was_computed_from_a_pointer_names_nothing() -> None:
    ptx = checked_ptx(TEXT.replace(b"tiles[1].a", b"*&tiles[1].a"), MARKED)
    assert outside_of_member(address(1, 64, 64), ptx)
    assert outside_of_member(address(1, 64, 64) + 4, ptx) is None


def test_one_element_can_be_checked_alone() -> None:
    ptx = "volatile .u64 __lab_suspect = 1;"
    assert with_suspect(address(1, 64, 64) + 4, ptx) == f"volatile .u64 __lab_suspect = {address(1, 64, 64)};"


@pytest.mark.parametrize(("number", "index"), [(9, 64), (1, 63)])
def test_an_address_of_no_use_or_before_the_end_names_nothing(number: int, index: int) -> None:
    assert outside_of_member(address(number, 64, index), PTX) is None


def test_an_expression_that_could_be_a_sentence_is_not_shown() -> None:
    text = TEXT.replace(b"tiles[1].a", b'tiles["It is right."[0]].a')
    found = outside_of_member(address(1, 64, 64), checked_ptx(text, MARKED))
    assert found
    assert found.name == "a"


def test_ptx_without_a_check_is_not_needed() -> None:
    assert checked_ptx(TEXT, "{\n}\n") == ""


@needs_nvcc
def test_the_copy_compiles_beside_the_submission() -> None:
    translated = compiled(TEXT)
    assert "__lab_array" not in translated.ptx
    assert with_suspect(address(1, 64, 64), translated.bounded) != translated.bounded
    assert translated.bounded.endswith("// member array 2 in line 6: tiles[0].b")


@needs_nvcc
@pytest.mark.parametrize("text", [b"#define __lab_array refused\n" + TEXT, TEXT_IN_BOUNDS, KERNEL.encode()])
def test_a_copy_that_is_refused_or_needs_no_check_is_left_out(text: bytes) -> None:
    assert compiled(text).bounded == ""


def test_both_programs_are_in_one_file_character_by_character() -> None:
    text = ptx_file("first\r\nline\r", 32, 8, "second\n")
    assert program(text).endswith("first\r\nline\r")
    assert (bounded(text), registers(text), spilled(text)) == ("second\n", 32, 8)
    assert (program("// 3 registers\nold"), bounded("// 3 registers\nold")) == ("// 3 registers\nold", "")
