"""What is told of a launch that failed, when it runs again."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.contract import inputs
from grader.contract.messages import Replayed
from grader.model import Launch
from grader.model.findings import OutOfBounds, OutOfTime, Room, Space, Thread
from grader.model.scenes import Scene
from grader.ptxsim.records.traced import UnsetVariable
from grader.worker.replay import replays
from tests.worker.replay.replayed import AT_33, SQUARE, asked, product, told

KERNEL = """
template <typename T> struct Matrix {
    const T *data; int pitch;
    __device__ T at(int r, int c) const { return data[r * pitch + c]; }
};
template <int STEP> __device__ __forceinline__ float dot(Matrix<float> a, const float *b, int n, int i, int j)
{
    float sum = 0;
    for (int k = 0; k < n; k += STEP)
        sum += a.at(i, k) * BELEMENT;
    return sum;
}
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (GUARD)
        C[i * N + j] = dot<STEPS>({A, N}, B, N, i, j);
}
"""
IN_AT, IN_DOT, IN_LOOP, IN_GUARD, IN_STORE = 4, 10, 9, 17, 18


def kernel(guard: str = "i < N && j < N", element: str = "b[k * n + j]", steps: str = "1") -> str:
    return KERNEL.replace("GUARD", guard).replace("BELEMENT", element).replace("STEPS", steps)


def values(scene: Scene | None) -> dict[str, str]:
    return {each.name: each.value for each in reversed(scene.variables)}


def outside_b(thread: tuple[int, int, int], block: tuple[int, int, int], element: int) -> OutOfBounds:
    return OutOfBounds(Thread(thread, block, IN_DOT), False, Room(Space.MATRIX, "B", 4 * element, 4 * 33 * 33), 0)


def summed(source: str, row: int, column: int, got: float | None, folder: Path, launch: Launch | None = None):
    request = asked(element=(row, column), got=got, launch=launch or Launch((16, 16, 1), (16, 16)))
    return told(source, folder, request).story


def test_an_access_outside_comes_with_the_thread_s_variables_and_the_condition_that_let_it_through(tmp_path: Path):
    found = outside_b((1, 0, 0), (2, 0, 0), 33 * 33)
    scene = told(kernel("i < N, j <= N"), tmp_path, asked(found)).scene
    assert values(scene).items() >= {"i": "0", "j": "33", "k": "32", "n": "33", "a.pitch": "33"}.items()
    assert {each.line: each.held for each in scene.conditions} == {IN_GUARD: True, IN_LOOP: True}
    (guard,) = (each for each in scene.conditions if each.line == IN_GUARD)
    assert {"j": "33", "N": "33"}.items() <= {each.name: each.value for each in guard.variables}.items()


def test_nothing_is_told_of_an_access_that_does_not_happen_again(tmp_path: Path):
    assert told(kernel(), tmp_path, asked(outside_b((1, 0, 0), (2, 0, 0), 33 * 33))) == Replayed()


def test_a_wrong_factor_is_told_with_its_line_and_the_term_that_belongs_there(tmp_path: Path):
    drawn = inputs.draw(AT_33, SQUARE)
    got = float(drawn.A[2] @ drawn.B[5])
    story = summed(kernel(element="b[j * n + k]"), 2, 5, got, tmp_path)
    assert story.is_wrong
    assert [(each.matrix, each.row, each.column, each.line) for each in story.terms[-1].factors] == [
        ("A", 2, 0, IN_AT),
        ("B", 5, 0, IN_DOT),
    ]
    assert values(story.scene)["j"] == "5"


def test_terms_that_are_missing_are_told(tmp_path: Path):
    drawn = inputs.draw(AT_33, SQUARE)
    got = float(drawn.A[0, ::2] @ drawn.B[::2, 0])
    story = summed(kernel(steps="2"), 0, 0, got, tmp_path)
    assert (story.count, story.missing, story.is_wrong) == (17, (1, 31, 16), False)


def test_a_sum_of_another_element_is_told(tmp_path: Path):
    story = summed(kernel("i < N && j < N && (i = N - 1 - i, true)"), 0, 0, float(product()[0, 0]), tmp_path)
    assert story is None  # this one is right: its thread has another place only
    swapped = kernel().replace("C[i * N + j] =", "C[j * N + i] =")
    story = summed(swapped, 1, 3, float(product()[3, 1]), tmp_path)
    assert (story.sum_of, story.stored) == ((3, 1), IN_STORE)


SHUFFLED = """
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < N; ++k) {
        float own = i < N ? A[i * N + k] : 0;
        sum += __shfl_sync(~0u, own, 0) * (j < N ? B[k * N + j] : 0);
    }
    if (i < N && j < N)
        C[i * N + j] = sum;
}
"""
PATCHES = """
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = 2 * (blockIdx.y * blockDim.y + threadIdx.y), j = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    float sum[2][2] = {};
    for (int k = 0; k < N; ++k)
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 2; ++x)
                if (i + y < N && j + x < N)
                    sum[y][x] += A[(i + y) * N + k] * B[k * N + j + x];
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x)
            if (i + y < N && j + x < N)
                C[(i + y) * N + j + x] = sum[x][y];
}
"""


def test_a_factor_from_another_lane_is_wrong_and_not_the_place_of_the_sum(tmp_path: Path):
    story = summed(SHUFFLED, 1, 0, float(product()[0, 0]), tmp_path)
    assert (story.sum_of, story.terms[-1].factors[0].read) == ((), 8)


def test_sums_that_a_thread_exchanges_are_told_by_their_place(tmp_path: Path):
    story = summed(PATCHES, 0, 1, float(product()[1, 0]), tmp_path, Launch((8, 8, 1), (16, 16)))
    assert (story.sum_of, story.stored) == ((1, 0), 14)


CAPTURED = """
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0, a, b;
    auto load = [&](int k) { a = i < N ? A[i * N + k] : 0; b = j < N ? B[k * N + j] : 0; };
    auto add = [=]() mutable { sum += a * b; };
    for (int k = 0; k < N; k += 1) {
        load(k);
        add();
    }
    if (i < N && j < N)
        C[i * N + j] = sum;
}
"""


def test_a_story_is_told_though_a_captured_size_has_no_register(tmp_path: Path):
    story = summed(CAPTURED, 0, 0, 0.0, tmp_path)
    assert (story.count, story.missing) == (0, (0, 32, 33))


UNSET = """
struct Sum
{
    float first, last;
};
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    float total, parts[2][2];
    Sum sum;
    parts[0][0] = parts[0][1] = parts[1][0] = sum.first = 0;
    for (int k = 0; k < N; ++k)
        USE += A[i * N + k] * B[k * N + j];
    if (i < N && j < N)
        C[i * N + j] = USE;
}
"""


@pytest.mark.parametrize(
    ("used", "name", "line", "stores", "numbers"),
    [
        ("total", "total", 9, (), ()),
        ("if (k % 2) total", "total", 9, (), ()),
        ("parts[k > 9][1]", "parts[1][1]", 9, (11,), (3, 4)),
        ("sum.last", "sum.last", 10, (11,), (1, 2)),
    ],
)
def test_what_is_used_before_it_is_set_is_named_with_its_declaration_and_what_sets_the_rest(
    used: str, name: str, line: int, stores: tuple[int, ...], numbers: tuple[int, ...], tmp_path: Path
):
    stored = used.removeprefix("if (k % 2) ").replace("k > 9", "1")
    source = UNSET.replace("USE +=", f"{used} +=").replace("USE", stored)
    scene = told(source, tmp_path, asked(UnsetVariable((13,), is_local=False, is_shared=False))).scene
    assert (scene.variables[0].name, scene.variables[0].line, scene.line) == (name, line, 13)
    assert (scene.stores, scene.elements) == (stores, numbers)


def test_an_element_that_nobody_stores_is_told_with_the_condition_that_kept_its_thread_out(tmp_path: Path):
    story = summed(kernel("i < N && j < N - 1"), 0, 32, None, tmp_path)
    assert (story.stored, story.count) == (0, 0)
    assert story.scene.line == IN_GUARD
    assert values(story.scene).items() >= {"j": "32", "N": "33"}.items()


def test_an_element_that_is_right_has_no_story(tmp_path: Path):
    assert summed(kernel(), 3, 4, float(product()[3, 4]), tmp_path) is None


def test_another_value_than_on_the_device_has_no_story(tmp_path: Path):
    assert summed(kernel(steps="2"), 0, 0, 12.5, tmp_path) is None


def test_a_pointer_into_a_matrix_is_told_with_the_index_of_its_element(tmp_path: Path):
    source = kernel("i < N, j <= N").replace("    if (i < N", "    const float *b = B + j;\n    if (i < N")
    by = Thread((1, 0, 0), (2, 2, 0), IN_STORE + 1)
    found = OutOfBounds(by, True, Room(Space.MATRIX, "C", 4 * 33 * 33, 4 * 33 * 33), 0)
    assert values(told(source, tmp_path, asked(found)).scene)["b"] == "&B[33]"


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch):
    """A replay of a loop without an end takes 0.2 s instead of 3."""
    monkeypatch.setattr(replays, "MOST_STEPS", 3_000)


@pytest.mark.usefixtures("soon")
def test_a_loop_without_an_end_is_told_with_its_variables(tmp_path: Path):
    endless = kernel(steps="0")
    found = OutOfTime(Thread((0, 0, 0), (0, 0, 0), IN_DOT), 256)
    shown = told(endless, tmp_path, asked(found)).scene
    assert (values(shown)["k"], "k" in (shown.steady if shown else ())) == ("0", True)
    odd = endless.replace("float sum", 'asm volatile("mbarrier.inval.shared.b64 [%0];" :: "r"(0)); float sum')
    assert told(odd, tmp_path, asked(found)).scene is None


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    ("begin", "end", "line"),
    [("while (at < N) {", "}", 4), ("do {", "} while (at < N);", 7), ("for (;;) { if (at >= N) break;", "}", None)],
)
def test_a_loop_inside_that_ends_is_not_told_as_the_one_without_an_end(begin, end, line, tmp_path: Path):
    source = f"""extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{{
    int at = 0;
    {begin}
        for (int k = 0; k < 9; k++) C[k] += A[at];
        if (at + 16 < N) at += 16;
    {end}
}}"""
    shown = told(source, tmp_path, asked(OutOfTime(Thread((0, 0, 0), (0, 0, 0), 5), 256))).scene
    assert (shown and (shown.line, values(shown)["at"])) == (line and (line, "32"))


@pytest.mark.parametrize("text", ["", ".version 9.0", "hello", ".visible .entry matmul() { ret; }"])
def test_nothing_is_told_of_what_no_compiler_has_written(text: str):
    from grader.worker.replay.replay import replay

    assert replay(asked(element=(0, 0), got=1.0), text, "mine.cu") == Replayed()


def test_nothing_is_told_of_a_function_that_calls_itself(tmp_path: Path):
    itself = "__device__ int down(int n) { return n > 1 ? down(n - 1) + 1 : 0; }" + kernel(element="b[k * n + down(j)]")
    assert summed(itself, 0, 0, 1.0, tmp_path) is None


def test_a_term_with_a_zero_is_not_missing(tmp_path: Path):
    skips = kernel(element="(k == 7 ? 0.0f * b[k * n + j] : b[k * n + j])")
    drawn = inputs.draw(AT_33, SQUARE)
    got = float(product()[0, 0] - drawn.A[0, 7] * drawn.B[7, 0])
    story = summed(skips, 0, 0, got, tmp_path)
    assert story is None or not story.missing


def test_names_that_are_too_long_and_arrays_that_are_too_large_make_the_table_shorter_only(tmp_path: Path):
    long = "x" * 10_000
    source = kernel("i < N, j <= N").replace(
        "    if (i <", f"    int {long} = j; float large[2000]; large[{long}] = 1;\n    if (i <"
    )
    found = replace(outside_b((1, 0, 0), (2, 0, 0), 33 * 33), by=Thread((1, 0, 0), (2, 0, 0), IN_DOT))
    scene = told(source, tmp_path, asked(found)).scene
    assert scene
    assert values(scene)["j"] == "33"
    assert all(len(each.name) < 100 and len(each.value) < 100 for each in scene.variables)


def test_a_sum_that_is_too_large_for_its_type_has_no_story(tmp_path: Path):
    half = "#include <cuda_fp16.h>\n" + kernel().replace("float sum = 0;", "__half sum = 0;").replace(
        "sum += ", "sum = (float)sum + "
    )
    assert summed(half, 0, 0, float("nan"), tmp_path) is None
