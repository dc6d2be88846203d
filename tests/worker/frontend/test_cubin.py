import struct
from pathlib import Path

import pytest

from grader.host import cache, toolkit
from grader.host.compilers import find_compiler
from grader.host.process import run
from grader.model import Demands, Launch
from grader.worker.frontend import cubin
from grader.worker.frontend.job import INCLUDE

pytestmark = pytest.mark.skipif(toolkit.find() is None, reason="nvcc is not installed")

SOURCE = """
#include <lab.h>
__device__ __noinline__ float helper(float x) { return x * x; }
extern "C" __global__
void matmul(const float *A, const float *B, float *C, int N, long long ld, float alpha, double beta)
{ C[N] = helper(A[N]) * B[ld] * alpha * beta; }
template <class T> __global__ void other(T *C) { C[0] = 1; }
template __global__ void other<float>(float *);
"""


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory):
    """Compile SOURCE with more lines at its end, each text once; the grader's cache keeps the images."""
    folder = tmp_path_factory.mktemp("cubin")

    def compiled(lines: str) -> Path:
        on = find_compiler().label, cache.sources(INCLUDE)
        place = f"{cache.key('image of a test', SOURCE, lines, *on)}/cubin"
        target = folder / f"{cache.key(lines)}.cubin"
        target.write_bytes(cache.read(place) or _image(SOURCE + lines, folder))
        cache.write(place, target.read_bytes())
        return target

    return compiled


def _image(text: str, folder: Path) -> bytes:
    (folder / "kernel.cu").write_text(text)
    options = ["-cubin", "-arch=sm_90", f"-I{INCLUDE}", "-std=c++20", "-lineinfo", "-o", "kernel.cubin", "kernel.cu"]
    ended = run([toolkit.find() or "nvcc", *options], cwd=folder, seconds=120)
    assert ended.code == 0, ended.output.decode()
    return (folder / "kernel.cubin").read_bytes()


@pytest.fixture
def whole(build) -> Path:
    return build("LAUNCH(.block = {16, 8}, .tile = {64, 32}, .shared = 4096, .grid_x = ROWS);\n")


def test_a_kernel_that_calls_a_function_is_known_by_its_symbols(whole: Path) -> None:
    other = next(name for name in cubin.kernels(whole) if name != "matmul")
    assert cubin.calls_functions(whole, "matmul")
    assert not cubin.calls_functions(whole, other)


def test_a_kernel_that_waits_for_the_grid_is_known_by_its_ptx(build) -> None:
    image = build("""#include <cooperative_groups.h>
        __global__ void waits() { cooperative_groups::this_grid().sync(); }\n""")
    assert cubin.syncs_grid(image, "_Z5waitsv")
    assert not cubin.syncs_grid(image, "matmul")


def test_a_function_that_waits_for_the_grid_counts_for_all_kernels(build) -> None:
    image = build("""#include <cooperative_groups.h>
        __device__ __noinline__ void wait() { cooperative_groups::this_grid().sync(); }
        __global__ void waits() { wait(); }\n""")
    assert cubin.syncs_grid(image, "_Z5waitsv")


def test_kernels_are_what_can_be_launched(whole: Path) -> None:
    assert cubin.kernels(whole) == ("_Z5otherIfEvPT_", "matmul")


def test_launch_is_read_out_of_the_image(whole: Path) -> None:
    assert cubin.launch(whole) == Launch((16, 8, 1), (64, 32), 4096, "rows")


def test_what_launch_does_not_say_has_its_default(build) -> None:
    image = build("LAUNCH(.block = {32});\n")
    assert cubin.launch(image) == Launch((32, 1, 1), (32, 1), 0, "columns")


def test_the_sizes_of_parameters_are_in_the_order_of_the_call(whole: Path) -> None:
    assert cubin.parameter_bytes(whole, "matmul") == (8, 8, 8, 4, 8, 4, 8)
    assert cubin.parameter_bytes(whole, "_Z5otherIfEvPT_") == (8,)


def test_an_image_without_a_launch_or_a_kernel_of_that_name_says_so(build) -> None:
    image = build("")
    assert (cubin.launch(image), cubin.parameter_bytes(image, "absent")) == (None, ())


def test_a_forged_launch_of_another_size_is_refused(build) -> None:
    with pytest.raises(struct.error):
        cubin.launch(build("namespace __lab_scope { __constant__ __attribute__((used)) int __lab_launch = 3; }\n"))


def test_a_forged_launch_without_values_is_a_launch_of_one_thread(build) -> None:
    image = build("namespace __lab_scope { __device__ __attribute__((used)) char __lab_launch[28]; }\n")
    assert cubin.launch(image) == Launch((1, 1, 1), (1, 1))


def test_an_image_states_which_blocks_may_launch_a_kernel(build):
    path = build(
        'extern "C" __global__ void __launch_bounds__(96) most() {}\n'
        'extern "C" __global__ void __block_size__((8, 4, 2)) only() {}\n'
    )
    assert cubin.demands(path, "most", 12) == Demands(12, 96)
    assert cubin.demands(path, "only", 0) == Demands(block=(8, 4, 2))
    assert cubin.demands(path, "matmul", 0) == Demands()
