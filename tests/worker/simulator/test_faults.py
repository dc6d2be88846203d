"""What a student reads of each fault, and of each file that cannot be compiled, through a real compiler."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.errors import SubmissionError
from grader.model import Fault, Launch, Limits, Shape, Verdict
from tests import lab
from tests.ptxsim import on_simulator


def kernel(*lines: str) -> str:
    """A kernel with these lines from its fourth line on."""
    head = 'extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {\n'
    place = "int col = blockIdx.x * blockDim.x + threadIdx.x;\nint row = blockIdx.y * blockDim.y + threadIdx.y;\n"
    return head + place + "\n".join(lines) + "\nif (N < 0) C[0] = A[0] * B[0] * row * col;\n}\n"


COPIES, ONE = "#include <cuda_pipeline_primitives.h>\n", "__device__ int weights[4];\n"
TWO = ONE.replace(";", ", other[1];")
COPY = "__pipeline_memcpy_async(copied, A + N * N + (1 << 20), 4); __pipeline_commit(); __pipeline_wait_prior(0);"
BEFORE = "if (row < N && col < N) C[row * N + col] = A[row * N + col] * B[-100000];"
ZERO = "float *p = reinterpret_cast<float *>(static_cast<size_t>(N >> 20)); // 0, which the compiler cannot know"
WHERE = "__shared__ float tile[16], *volatile where; where = tile + (N > 3 ? 40 : 0); __syncthreads();"
APART = "float v = A[0]; if (threadIdx.x == 3) __syncthreads();", "else C[col] = __shfl_down_sync(~0u, v, 1);"
TOO_SMALL = f"""#include <lab.h>
{kernel("extern __shared__ float tiles[];", "tiles[threadIdx.y * 16 + threadIdx.x + 256] = A[0];")}
LAUNCH(.block = {{16, 16}}, .tile = {{16, 16}}, .shared = 1024);
"""
LOADS_UNCHECKED = (on_simulator.KERNELS / "no_load_check.cu").read_text()
DOWN = """__device__ __noinline__ float down(const float *A, int n) {
    volatile float keep[64]; keep[n & 63] = A[0]; return down(A, n + 1) + keep[n & 63];
}
"""
PRINTS = kernel('for (int i = 0; i < 1000; ++i) printf("a line that nobody reads: %d %d %d\\n", row, col, i);')
MANY = "for (int repeat = 0; repeat < 300; ++repeat) for (int k = 0; k < N; ++k) sum = sum * 0.5f + A[k];"
NAIVE = lab.NAIVE.replace("LAUNCH", "// LAUNCH")


@dataclass(frozen=True)
class Launched:
    fault: Fault | None
    printed: str
    C: tuple[NDArray[np.generic], ...]
    expected: tuple[NDArray[np.float32], ...]


def refused(source: str, box: Path) -> Fault:
    with pytest.raises(SubmissionError) as caught:
        on_simulator.built("mine", source, box, (), None)
    return caught.value.fault


def launched(
    source: str, box: Path, n: int = 33, *, launches: int = 1, seconds: float = 20.0, output: int = 65536
) -> Launched:
    """Launches of a kernel in one process, each on fresh inputs, until one has a fault."""
    limits = Limits(case_seconds=seconds, output_bytes=output)
    build = on_simulator.built("mine", source, box, (), limits)
    launch = build.launch or Launch((16, 16, 1), (16, 16))
    simulator = on_simulator.ready(build, launch, box)
    random = np.random.default_rng(7)
    answers, expected = [], []
    for _ in range(launches):
        a, b = random.integers(-9, 9, (2, n, n)).astype(np.float32)
        buffers = {"A": a, "B": b, "C": np.full_like(a, np.nan)}
        outcome = on_simulator.launch(simulator, launch.grid(Shape(n, n, n)), buffers, n, limits)
        answers.append(outcome.C)
        with np.errstate(all="ignore"):  # OpenBLAS for Arm raises flags of elements beyond the matrices
            expected.append(a @ b)
    return Launched(outcome.fault, outcome.printed, tuple(answers), tuple(expected))


def test_device_variables_persist_from_launch_to_launch(tmp_path):
    source = (on_simulator.KERNELS / "persistent.cu").read_text()
    outcome = launched(source, tmp_path, launches=3)
    extra = [np.unique(got - wanted).tolist() for got, wanted in zip(outcome.C, outcome.expected, strict=True)]
    assert extra == [[0], [1], [2]]


OUTSIDE, CRASHED = Verdict.OUT_OF_BOUNDS, Verdict.CRASHED
FAULTS = [
    (kernel(BEFORE), OUTSIDE, 4, "reads outside B in line 4: 100000 elements before its start"),
    (kernel("C[(row + 1) * N * 4 + col] = A[0] * B[0];"), OUTSIDE, 4, "writes outside C"),
    (kernel("C[col + 2147483647ll * (row + 1)] = 1;"), OUTSIDE, 4, "writes outside C in line 4: index 2147483647"),
    (kernel(ZERO, "p[col] = A[0] * B[0] + row;"), OUTSIDE, 5, "null pointer"),
    (kernel(WHERE, "where[threadIdx.x] = A[0];"), OUTSIDE, 5, "writes outside the shared array tile in line 5"),
    (TOO_SMALL, OUTSIDE, 6, "outside the shared array tiles in line 6: byte 1024 of 1024"),
    (TWO + kernel("weights[N * N] = other[0];"), OUTSIDE, 5, "writes outside all variables in line 5."),
    (ONE + kernel("weights[N - 29] = 1;"), OUTSIDE, 5, "outside weights in line 5: byte 16 of 16 (element 4 of 4,"),
    (COPIES + kernel("__shared__ float copied[4];", COPY), OUTSIDE, 6, "reads"),
    (LOADS_UNCHECKED, OUTSIDE, None, "past its end (B has 1089 elements)"),
    (kernel(*APART), Verdict.BARRIER, None, "16 at the barrier in line 4 and 240 at the warp operation in line 5"),
    (
        kernel("float4 b = *(const float4 *)&B[col];", "C[0] = b.x * b.y * b.z * b.w;"),
        CRASHED,
        4,
        "of 16 bytes in line 4",
    ),
    (kernel("if (col < N)", "*(float2 *)&C[N * row + col] = float2{};"), CRASHED, 5, "not a multiple of 8 bytes"),
    (kernel("if (row == 1 && col == 2) __trap();"), CRASHED, 4, "called __trap() in line 4"),
    ("#include <assert.h>\n" + kernel("assert(N < row + col);"), CRASHED, 5, "N < row + col"),
    (DOWN + kernel("C[0] = down(A, N);"), CRASHED, None, "ran out of stack"),
    (PRINTS, Verdict.OUTPUT, None, "printed more than"),
]


@pytest.mark.parametrize(("source", "verdict", "line", "words"), FAULTS, ids=[words for *_, words in FAULTS])
def test_a_fault_is_explained(source, verdict, line, words, tmp_path):
    fault = launched(source, tmp_path).fault
    assert fault.verdict is verdict
    assert words in fault.sentence
    assert fault.hint
    assert line is None or fault.line == line


def test_an_endless_loop_is_a_timeout_with_its_line(tmp_path):
    fault = launched(kernel("for (int i = 0; i >= 0; i = (i + 1) % 7) C[0] = A[i];"), tmp_path, seconds=0.3).fault
    assert (fault.verdict, fault.line) == (Verdict.TIMEOUT, 4)


def test_a_kernel_whose_blocks_end_one_after_the_other_is_too_slow_and_not_wrong(tmp_path):
    slow = kernel("float sum = 0.0f;", MANY, "C[(blockIdx.y * N + blockIdx.x) % (N * N)] = sum;")
    fault = launched(slow, tmp_path, 1000, seconds=1).fault
    assert fault.verdict is Verdict.NOT_SUPPORTED
    assert fault.sentence.startswith("The simulator is too slow for this kernel: in 1 s, it ran about ")
    assert fault.sentence.endswith(" of 3969 blocks.")


def test_threads_that_wait_for_one_that_never_comes_are_a_barrier_fault(tmp_path):
    waits = kernel("if (threadIdx.x == 3) while (N > 0) __nanosleep(100);", "__syncthreads();")
    fault = launched(waits, tmp_path, seconds=0.3).fault
    assert (fault.verdict, fault.line) == (Verdict.BARRIER, 5)
    assert "240 of 256 threads" in fault.sentence


def test_printing_stops_at_the_limit(tmp_path):
    outcome = launched(PRINTS, tmp_path, output=1000)
    assert outcome.fault.verdict is Verdict.OUTPUT
    assert len(outcome.printed) <= 1000


def test_a_compile_error_is_quoted_with_the_students_line(tmp_path):
    fault = refused(kernel("float sum = 0.0f", "C[row * N + col] = sum + A[0] + B[0];"), tmp_path)
    assert fault.verdict is Verdict.COMPILE_ERROR
    assert fault.line in (4, 5)
    assert "mine.cu(" in fault.detail
    assert str(tmp_path) not in fault.detail


def test_the_graders_file_that_is_compiled_with_a_submission_is_never_quoted(tmp_path):
    fault = refused(kernel("C[0] = undeclared[0];").replace("matmul", "multiply"), tmp_path)
    assert fault.verdict is Verdict.COMPILE_ERROR
    assert "undeclared" in fault.detail
    assert not {word for word in ("SIM_ENTRY", "entry.cpp", "entry.h") if word in fault.detail}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (NAIVE.replace("matmul", "first") + NAIVE.replace("matmul", "second"), "first, second"),
        (NAIVE.replace('extern "C"', "template <int TILE>"), "is a template"),
        (NAIVE.replace("__global__", "__device__"), "no kernel"),
        ("\n", "no kernel"),
    ],
)
def test_a_file_without_the_kernel_says_what_it_has(source, words, tmp_path):
    fault = refused(source, tmp_path)
    assert fault.verdict is Verdict.NO_KERNEL
    assert words in fault.sentence
