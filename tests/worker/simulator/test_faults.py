"""What a student reads of faults that no submission of the corpus has, through a real compiler."""

from pathlib import Path

import numpy as np

from grader.model import Launch, Limits, Shape, Verdict
from tests.ptxsim import on_simulator
from tests.ptxsim.on_simulator import Outcome


def kernel(*lines: str) -> str:
    """A kernel with these lines from its fourth line on."""
    head = 'extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {\n'
    place = "int col = blockIdx.x * blockDim.x + threadIdx.x;\nint row = blockIdx.y * blockDim.y + threadIdx.y;\n"
    return head + place + "\n".join(lines) + "\nif (N < 0) C[0] = A[0] * B[0] * row * col;\n}\n"


def launched(source: str, box: Path, n: int = 33, **limits: float) -> Outcome:
    """One launch of a kernel."""
    limited = Limits(**{"case_seconds": 20.0, **limits})  # type: ignore[arg-type]
    build = on_simulator.built("mine", source, box, (), limited)
    launch = Launch((16, 16, 1), (16, 16))
    buffers = {name: np.ones((n, n), np.float32) for name in "ABC"}
    simulator = on_simulator.ready(build, launch, box)
    return on_simulator.launch(simulator, launch.grid(Shape(n, n, n)), buffers, n, limited)


def test_a_write_far_behind_a_variable_is_outside_all_of_them(tmp_path: Path):
    variables = "__device__ int some[4], other[1];\n"
    fault = launched(variables + kernel("some[N * N] = other[0];"), tmp_path).fault
    assert (fault.verdict, fault.line) == (Verdict.OUT_OF_BOUNDS, 5)
    assert "writes outside all variables in line 5." in fault.sentence


def test_an_asynchronous_copy_reads_outside_too(tmp_path: Path):
    header, copied = "#include <cuda_pipeline_primitives.h>\n", "__shared__ float copied[4];"
    copy = "__pipeline_memcpy_async(copied, A + N * N + (1 << 20), 4); __pipeline_commit(); __pipeline_wait_prior(0);"
    fault = launched(header + kernel(copied, copy), tmp_path).fault
    assert (fault.verdict, fault.line) == (Verdict.OUT_OF_BOUNDS, 6)


def test_a_kernel_whose_blocks_end_one_after_the_other_is_too_slow_and_not_wrong(tmp_path: Path):
    many = "for (int repeat = 0; repeat < 300; ++repeat) for (int k = 0; k < N; ++k) sum = sum * 0.5f + A[k];"
    slow = kernel("float sum = 0.0f;", many, "C[(blockIdx.y * N + blockIdx.x) % (N * N)] = sum;")
    fault = launched(slow, tmp_path, 1000, case_seconds=1).fault
    assert fault.verdict is Verdict.NOT_SUPPORTED
    assert fault.sentence.startswith("The simulator is too slow for this kernel: in 1 s, it ran about ")
    assert fault.sentence.endswith(" of 3969 blocks.")


def test_threads_that_wait_for_one_that_never_comes_are_a_barrier_fault(tmp_path: Path):
    waits = kernel("if (threadIdx.x == 3) while (N > 0) __nanosleep(100);", "__syncthreads();")
    fault = launched(waits, tmp_path, case_seconds=0.3).fault
    assert (fault.verdict, fault.line) == (Verdict.BARRIER, 5)
    assert "240 of 256 threads" in fault.sentence


def test_printing_stops_at_the_limit(tmp_path: Path):
    prints = kernel('for (int i = 0; i < 1000; ++i) printf("a line that nobody reads: %d %d %d\\n", row, col, i);')
    outcome = launched(prints, tmp_path, output_bytes=1000)
    assert outcome.fault.verdict is Verdict.OUTPUT
    assert len(outcome.printed) <= 1000
