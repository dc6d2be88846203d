"""The lines in which a constant index lies outside of its array, as nvcc warns."""

from pathlib import Path

from grader.worker.frontend.compiling import compile_ptx
from grader.worker.frontend.remarks import MOST_LINES, out_of_range
from tests.worker.frontend.desk import LIMITS, SQUARE, needs_nvcc

WARNING = """submission.cu({}): warning #175-D: subscript out of range
      s.a[20] = C[0];
         ^

"""
INSTANTIATED = """submission.cu(1): warning #175-D: subscript out of range
  template <int N> float get(float (&x)[4]) { if (N < 4) return x[N]; return 0; }
                                                                 ^
          detected during instantiation of "float get<N>(float (&)[4]) [with N=5]" at line 8

"""
KERNEL = b"""
struct Tiles { float a[4]; float b[4]; };
template <int N> __device__ float get(const float (&x)[4]) { return N < 4 ? x[N] : 0.0f; }
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int n) {
    __shared__ Tiles tiles;
    float sums[4] = {};
    for (int i = 0; i < 4; i++) sums[i] = A[i];
    tiles.a[threadIdx.x] = B[threadIdx.x];
    C[0] = tiles.a[4] + get<1>(sums);
    C[1] = sums[2] + sums[4] + get<5>(sums);
}
"""


def test_each_line_is_named_once_and_only_a_few_are() -> None:
    assert out_of_range(WARNING.format(7) * 2 + WARNING.format(9), "submission.cu") == (7, 9)
    assert len(out_of_range("".join(map(WARNING.format, range(100))), "submission.cu")) == MOST_LINES


def test_templates_and_other_files_are_left_out() -> None:
    assert out_of_range(INSTANTIATED + WARNING.format(7), "submission.cu") == (7,)
    assert out_of_range(WARNING.format(7), "other.cu") == ()


@needs_nvcc
def test_nvcc_warns_of_members_and_of_local_arrays(tmp_path: Path) -> None:
    program = compile_ptx(KERNEL, "submission.cu", SQUARE, (), LIMITS, tmp_path)
    assert program.facts.out_of_range == (9, 10)


@needs_nvcc
def test_the_warning_is_no_error_where_warnings_are(tmp_path: Path) -> None:
    program = compile_ptx(KERNEL, "submission.cu", SQUARE, ("-Werror", "all-warnings"), LIMITS, tmp_path)
    assert program.facts.out_of_range == ()
