"""Where a sum of C began, what it lost or kept, and who stores elsewhere than its tile."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.contract import inputs
from grader.model import Launch
from grader.model.findings import Misaligned, OutOfBounds, Room, Space, Thread
from grader.model.scenes import Scene, Story
from grader.ptxsim.records.races import Memory, Race, Races, Scope, TracedAccess
from grader.ptxsim.records.traced import UnsetRead
from grader.worker.replay.spots import Axes
from tests.worker.replay.replayed import AT_33, SQUARE, asked, told

Reals = NDArray[np.float64]

HEAD = 'extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)\n{\n'
PLACE = "int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;\n"
TILES = """__shared__ float a[16][16], b[16][16];
float sum = 0;
for (int k = 0; k < N; k += 16) {
    GUARD
    if (i < N && k + threadIdx.x < N) a[threadIdx.y][threadIdx.x] = A[i * N + k + threadIdx.x]; ELSE
    if (j < N && k + threadIdx.y < N) b[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * N + j]; ELSE
    __syncthreads();
    for (int n = 0; n < 16; n++)
        sum += a[threadIdx.y][n] * b[n][threadIdx.x];
    __syncthreads();
}
if (i < N && j < N) C[i * N + j] = sum;
}
"""


def tiles(begin: str = "", guard: str = "", zeros: bool = True) -> str:
    text = HEAD + PLACE + begin + TILES.replace("GUARD", guard)
    for name in ("a", "b"):
        text = text.replace("ELSE", f"else {name}[threadIdx.y][threadIdx.x] = 0;" if zeros else "", 1)
    return text


def plain(update: str, stored: str = "sum", kind: str = "float") -> str:
    """A sum that each thread updates for each k."""
    return f"""{HEAD}{PLACE}{kind} sum = 0;
for (int k = 0; k < N && i < N && j < N; k++)
    {update}
if (i < N && j < N) C[i * N + j] = {stored};
}}"""


def by_lanes(steps: str, shuffle: str = "down", lane: int = 0) -> str:
    """A sum whose terms the lanes of a warp share; a lane stores what the steps leave in it."""
    return f"""{HEAD}int i = blockIdx.y, j = blockIdx.x;
float sum = 0;
for (int k = threadIdx.x; k < N; k += 32)
    sum += A[i * N + k] * B[k * N + j];
for (int step = 16; {steps})
    sum += __shfl_{shuffle}_sync(0xffffffff, sum, step);
if (threadIdx.x == {lane}) C[i * N + j] = sum;
}}"""


def factors() -> tuple[Reals, Reals]:
    """Of element (2, 5)."""
    drawn = inputs.draw(AT_33, SQUARE)
    return drawn.A[2].astype(float), drawn.B[:, 5].astype(float)


def line(source: str, part: str) -> int:
    return next(number for number, text in enumerate(source.splitlines(), 1) if part in text)


def story(source: str, folder: Path, element: tuple[int, int], got: float | None, launch: Launch) -> Story:
    found = told(source, folder, asked(element=element, got=got, launch=launch)).story
    assert found
    return found


def terms(row: int, column: int, ks: Sequence[int]) -> float:
    drawn = inputs.draw(AT_33, SQUARE)
    return float(np.sum(drawn.A[row, ks].astype(np.float64) * drawn.B[ks, column]))


def pair(row: int, left: int, right: int, column: int) -> float:
    drawn = inputs.draw(AT_33, SQUARE)
    return float(drawn.A[row, left]) * float(drawn.B[right, column])


SQUARES = Launch((16, 16, 1), (16, 16))


GROUP_SYNC = 'asm volatile("barrier.sync %0;" :: "r"(0));'  # as cooperative groups do it


@pytest.mark.parametrize("barrier", ["__syncthreads();", GROUP_SYNC])
def test_a_sum_that_is_set_to_zero_for_each_tile_leads_to_that_line(barrier: str, tmp_path: Path):
    source = tiles(guard="sum = 0.0f;").replace("__syncthreads();", barrier)
    found = story(source, tmp_path, (2, 5), terms(2, 5, range(32, 33)), SQUARES)
    assert (found.is_reset, found.start) == (True, line(source, "sum = 0.0f;"))


def test_a_sum_that_begins_once_for_several_elements_leads_to_where_it_began(tmp_path: Path):
    source = f"""{HEAD}int j = blockIdx.x * 16 + threadIdx.x;
float sum = 0;
for (int i = blockIdx.y * 16; i < blockIdx.y * 16 + 16 && i < N; i++) {{
    for (int k = 0; k < N && j < N; k++)
        sum += A[i * N + k] * B[k * N + j];
    if (j < N) C[i * N + j] = sum;
}}
}}"""
    got = terms(0, 5, range(33)) + terms(1, 5, range(33))
    found = story(source, tmp_path, (1, 5), got, Launch((16, 1, 1), (16, 16)))
    assert (found.is_carried, found.start) == (True, line(source, "float sum"))


def test_a_term_that_is_read_again_leads_to_the_line_that_stored_it(tmp_path: Path):
    source = tiles(zeros=False)
    got = terms(2, 5, range(33)) + terms(2, 5, range(17, 32))
    stores = {line(source, f"{name}[threadIdx.y][threadIdx.x] =") for name in "ab"}
    found = story(source, tmp_path, (2, 5), got, SQUARES)
    assert found.stale in stores
    assert stores & {each.line for each in found.scene.conditions}


def test_a_product_that_a_reduction_loses_comes_with_its_thread(tmp_path: Path):
    source = by_lanes("step > 1; step /= 2")
    even = sum(terms(2, 5, range(k, k + 1)) for k in range(0, 33, 2))
    found = story(source, tmp_path, (2, 5), even, Launch((32, 1, 1), (1, 1)))
    assert (found.lost, found.missing) == ((1, 0, 0), (1, 31, 16))


def test_a_block_that_stores_outside_of_its_tile_comes_with_both(tmp_path: Path):
    source = tiles(begin="i = blockIdx.y * 8 + threadIdx.y;\n")
    found = story(source, tmp_path, (32, 5), None, SQUARES)
    assert (found.reach, found.tile, found.instead) == ((16, 31, 0, 15), (32, 47, 0, 15), (16, 0))
    assert found.scene.line == found.stored == line(source, "C[i * N + j]")


def read_too_early(source: str, folder: Path, name: str, element: int, block: Axes, thread: Axes = (0, 0, 0)) -> Scene:
    access = TracedAccess(line(source, "sum +="), reads=True, atomic=False, copies=False, thread=thread, block=block)
    found = told(source, folder, asked(UnsetRead(Memory(name, True, 4 * element, 4), access))).scene
    assert found
    return found


def test_an_element_that_a_returned_thread_should_have_stored_leads_to_its_return(tmp_path: Path):
    source = tiles(begin="if (j >= N) return;\n")
    found = read_too_early(source, tmp_path, "a", 1, (2, 0, 0))
    assert found.writer == (1, 0, 0)
    assert found.kept_out.line == line(source, "return;")


def test_an_array_of_which_a_part_is_stored_comes_with_the_lines_that_do_so(tmp_path: Path):
    source = tiles().replace("b[16][16]", "b[32][16]").replace("b[n][", "b[n + 16][")
    found = read_too_early(source, tmp_path, "b", 256, (0, 0, 0))
    assert (found.stores, found.elements) == ((line(source, "B[(k"),), (256, 512, 256, 256, 0, 255))


def test_two_threads_that_nothing_orders_come_with_the_variables_of_one_step(tmp_path: Path):
    source = tiles().replace("    __syncthreads();\n}", "}")
    ways = ((read := line(source, "sum +=")), 5), ((store := line(source, "A[i")), 0)
    first, second = (TracedAccess(at, at == read, False, False, (x, 0, 0), (0, 0, 0)) for at, x in ways)
    shown = told(source, tmp_path, asked(Races((Race(Memory("a", True, 0, 4), first, second, Scope.BLOCK),))))
    steps = [{each.name: each.value for each in at.variables}["k"] for at in (shown.earlier, shown.scene)]
    assert ([shown.earlier.line, shown.scene.line], steps) == ([read, store], ["0", "16"])


def test_a_pair_that_is_moved_in_parts_is_found_where_it_begins_at_an_odd_element(tmp_path: Path):
    pair = "float2 pair = *(float2 *)&B[k * N + j / 2 * 2]; sum += A[i * N + k] * (j % 2 ? pair.y : pair.x);"
    source = plain(f"{{ {pair} }}")
    shown = told(source, tmp_path, asked(Misaligned(Thread((0, 0, 0), (0, 0, 0), line(source, "pair =")), 8))).scene
    assert {each.name: each.value for each in shown.variables}["k"] == "1"


def test_an_atomic_that_reads_too_early_does_not_count_as_a_store(tmp_path: Path):
    source = f"""{HEAD}__shared__ float sums[256];
int t = threadIdx.y * 16 + threadIdx.x;
if (t < 16) sums[t] = 0.0f;
__syncthreads();
float sum = A[t % N];
atomicAdd(&sums[t], sum += 1.0f);
}}"""
    found = read_too_early(source, tmp_path, "sums", 16, (0, 0, 0), thread=(0, 1, 0))
    assert (found.stores, found.elements) == ((line(source, "if (t < 16)"),), (16, 256, 16, 256, 0, 15))


def test_the_members_of_a_method_s_object_and_its_conditions_are_told(tmp_path: Path):
    source = f"""struct Row {{
    const float *data;
    unsigned short at;
    __device__ float of(int k) const {{ return data[at + k]; }}
}};
{HEAD}{PLACE}if (i < N && j < N) {{
    Row row = {{A, (unsigned short)(i * N)}};
    if (k_of(N)) C[0] = 0;
    float sum = 0;
    for (int k = 0; k <= N; k++)
        sum += row.of(k + N * N) * B[k * N + j];
    C[i * N + j] = sum;
}}
}}""".replace("struct Row", "__device__ bool k_of(int n) { return n < 0; }\nstruct Row")
    at = 4 * (33 * 33 + 5 * 33)
    by = Thread((0, 5, 0), (0, 0, 0), line(source, "return data"))
    scene = told(source, tmp_path, asked(OutOfBounds(by, False, Room(Space.MATRIX, "A", at, 4 * 33 * 33), 0))).scene
    assert {each.name: each.value for each in scene.variables}["at"] == "165"
    assert {each.line for each in scene.conditions if each.governs} == {
        line(source, "if (i < N"),
        line(source, "k <= N"),
    }


def test_a_thread_that_also_stores_the_element_whose_sum_it_is_has_a_wrong_factor(tmp_path: Path):
    source = f"""{HEAD}int j = blockIdx.x * 32 + 2 * threadIdx.x, i = blockIdx.y;
float x = 0, y = 0;
for (int k = 0; k < N && j < N; k++) {{
    x += A[i * N + k] * B[k * N + j];
    y += A[i * N + k] * B[k * N + j + 0];
}}
if (j < N) C[i * N + j] = x;
if (j + 1 < N) C[i * N + j + 1] = y;
}}"""
    found = story(source, tmp_path, (2, 5), terms(2, 4, range(33)), Launch((16, 1, 1), (32, 1)))
    assert (found.sum_of, found.is_wrong) == ((), True)
    assert [each.line for each in found.terms[-1].factors] == [line(source, "y +=")] * 2


def test_an_array_that_threads_fill_in_part_comes_with_their_numbers(tmp_path: Path):
    source = tiles(begin="int y = threadIdx.y / 2;\n").replace("b[threadIdx.y][", "b[y][")
    found = read_too_early(source, tmp_path, "b", 8 * 16, (0, 0, 0))
    assert (found.elements, found.writer) == ((128, 256, 256, 256, 0, 127), (0, 1, 0))


def test_a_store_outside_of_the_tile_goes_before_a_condition_that_keeps_a_thread_out(tmp_path: Path):
    source = f"""{HEAD}int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y << 1;
if (j >= N || i >= N) return;
for (int row = i; row < i + 2; row++) {{
    float sum = 0;
    for (int k = 0; k < N && row < N; k++) sum += A[row * N + k] * B[k * N + j];
    if (row < N) C[row * N + j] = sum;
}}
}}"""
    found = story(source, tmp_path, (16, 5), None, Launch((16, 8, 1), (16, 16)))
    assert (found.tile, found.instead) == ((16, 31, 0, 15), (32, 0))


def test_pointers_into_shared_arrays_and_the_limits_of_short_types_are_told(tmp_path: Path):
    source = f"""{HEAD}{PLACE}__shared__ float pool[512];
float *half = pool + 256;
unsigned char last = 255;
for (int k = 0; k <= last; k++) half[k + 1] = A[0];
__syncthreads();
if (i < N && j < N) C[i * N + j] = pool[threadIdx.x];
}}"""
    by = Thread((0, 0, 0), (0, 0, 0), line(source, "half[k"))
    room = Room(Space.SHARED, "pool", 2048, 2048, 4)
    scene = told(source, tmp_path, asked(OutOfBounds(by, True, room, 0))).scene
    known = {each.name: each for each in scene.variables}
    assert (known["half"].value, known["last"].limit, known["k"].limit) == ("&pool[256]", 255, 0)


def test_a_sum_in_whole_numbers_leads_to_what_it_loses(tmp_path: Path):
    source, total = plain("sum += A[i * N + k] * B[k * N + j] * 0.5f;", kind="int"), 0
    for a, b in zip(*factors(), strict=True):
        total = int(total + a * b * 0.5)
    change = story(source, tmp_path, (2, 5), total, SQUARES).narrowing
    assert (change.line, change.kind) == (line(source, "sum +="), "int32")
    assert float(change.before) - float(change.after) in {0.5, -0.5}


def test_a_value_that_is_subtracted_from_itself_leads_to_its_line(tmp_path: Path):
    source, (a, b) = plain("sum += A[i * N + k] * B[k * N + j];", "sum - (sum - sum) * 0.5f"), factors()
    assert story(source, tmp_path, (2, 5), float(a @ b), SQUARES).cancelled == line(source, "- sum)")


def test_a_thread_that_leaves_an_array_of_its_own_comes_with_its_length(tmp_path: Path):
    source = plain("sum += A[k];").replace("sum = 0;", "sum = 0, own[4]; for (int n = 0; n < 5; n++) own[n] = sum;")
    scene = told(source, tmp_path, asked(element=(2, 5), got=float("nan"))).scene
    assert {each.name: each.value for each in scene.variables}.items() >= {("own", "4"), ("n", "4")}


def test_a_factor_that_is_added_alone_has_the_k_of_its_element(tmp_path: Path):
    source, (a, b) = plain("sum += A[i * N + k] + B[k * N + j];"), factors()
    found = story(source, tmp_path, (2, 5), float(a.sum() + b.sum()), SQUARES)
    assert (found.terms[-1].is_alone, found.terms[-1].k, found.terms[-1].line) == (True, 0, line(source, "sum +="))


def test_a_product_that_does_not_stay_in_the_sum_leads_to_its_line(tmp_path: Path):
    source = tiles().replace("sum += a", "sum =+ a").replace("k < N; k += 16", "k < 16; k += 16")
    found = story(source, tmp_path, (2, 5), terms(2, 5, range(15, 16)), SQUARES)
    assert (found.multiplied, found.missing) == (line(source, "sum =+"), (0, 32, 32))


def test_a_product_that_lanes_add_to_itself_is_repeated_where_they_do(tmp_path: Path):
    source = by_lanes("step >= 0; step = step ? step / 2 : -1", "xor")
    found = story(source, tmp_path, (2, 5), 2 * terms(2, 5, range(33)), Launch((32, 1, 1), (1, 1)))
    assert found.twice == (0, 32, 33)
    assert found.terms[1].line == line(source, "__shfl_xor")


def test_a_factor_of_an_earlier_tile_comes_with_the_condition_that_kept_its_thread_from_storing(tmp_path: Path):
    source = tiles().replace("else a[threadIdx.y][threadIdx.x] = 0;", "")
    source = source.replace("[threadIdx.x] = 0;", "[threadIdx.x] = B[j];")
    got = terms(2, 5, range(33)) + sum(pair(2, k, 0, 5) for k in range(17, 32))
    found = story(source, tmp_path, (2, 5), got, SQUARES)
    assert (found.stale, found.joined) == (line(source, "a[threadIdx.y][threadIdx.x] ="), line(source, "sum +="))
    assert found.scene.thread == (1, 2, 0)
    assert line(source, "if (i < N && k") in {each.line for each in found.scene.conditions}


def test_an_element_that_is_loaded_for_two_terms_leads_to_its_second_load(tmp_path: Path):
    source = f"""{HEAD}{PLACE}__shared__ float a[16][16], b[16][16];
float sum = 0;
for (int k = 0; k < N; k += 16) {{
    int left = k + threadIdx.x < N ? k + threadIdx.x : N - 1, top = k + threadIdx.y < N ? k + threadIdx.y : N - 1;
    a[threadIdx.y][threadIdx.x] = A[min(i, N - 1) * N + left];
    b[threadIdx.y][threadIdx.x] = B[top * N + min(j, N - 1)];
    __syncthreads();
    for (int n = 0; n < 16; n++)
        sum += a[threadIdx.y][n] * b[n][threadIdx.x];
    __syncthreads();
}}
if (i < N && j < N) C[i * N + j] = sum;
}}"""
    found = story(source, tmp_path, (2, 5), terms(2, 5, range(33)) + 15 * terms(2, 5, range(32, 33)), SQUARES)
    assert (found.twice, found.scene.thread, found.scene.line) == ((32, 32, 1), (1, 2, 0), line(source, "= A["))


def test_a_second_product_of_one_pair_of_loads_has_the_line_that_makes_it(tmp_path: Path):
    again = "sum += k == 32 ? a * b : 0;"
    source = plain(f"{{ float a = A[i * N + k], b = B[k * N + j];\n sum += a * b;\n {again}\n sum += 0 * b; }}")
    got = terms(2, 5, range(33)) + terms(2, 5, range(32, 33))
    assert story(source, tmp_path, (2, 5), got, SQUARES).terms[-1].line == line(source, again)


def test_vectors_that_are_copied_keep_what_their_parts_come_from(tmp_path: Path):
    source = tiles().replace("__shared__ float a", "__shared__ __align__(16) float a").replace("n++", "n += 4")
    sums = (f"sum += four.{name} * b[n + {at}][threadIdx.x];" for name, at in {"x": 0, "y": 1, "z": 1, "w": 3}.items())
    vectors = f"{{ float4 four = *(float4 *)&a[threadIdx.y][n];{''.join(sums)} }}"
    source = source.replace("sum += a[threadIdx.y][n] * b[n][threadIdx.x];", vectors)
    got = sum(pair(2, k, k - (k % 4 == 2), 5) for k in range(33))
    wrong = story(source, tmp_path, (2, 5), got, SQUARES).terms[-1]
    assert [(each.row, each.column) for each in wrong.factors] == [(2, 2), (1, 5)]


def test_zeros_that_are_multiplied_instead_of_terms_come_with_what_kept_their_thread_from_an_element(tmp_path: Path):
    cleared = "a[threadIdx.y][threadIdx.x] = 0, b[threadIdx.y][threadIdx.x] = 0;"
    source = tiles(guard=cleared, zeros=False).replace("if (i < N && k", "if (i < N && j < N && k")
    found = story(source, tmp_path, (2, 32), terms(2, 32, range(0, 33, 16)), SQUARES)
    assert (found.missing, found.zeros, found.scene.line) == ((1, 31, 30), 15, line(source, cleared))
    assert found.scene.conditions[-1].line == line(source, "j < N && k")


def test_a_value_that_a_lane_did_not_load_again_comes_with_the_condition_that_kept_it_from_that(tmp_path: Path):
    source = f"""{HEAD}int i = blockIdx.y, j = blockIdx.x * 32 + threadIdx.x;
float sum = 0, mine;
for (int k = 0; k < N; k += 32) {{
    if (k + threadIdx.x < N)
        mine = A[i * N + k + threadIdx.x];
    for (int n = 0; n < 32; n++)
        sum += __shfl_sync(0xffffffff, mine, n) * B[min(k + n, N - 1) * N + min(j, N - 1)];
}}
if (j < N) C[i * N + j] = sum;
}}"""
    got = terms(2, 5, range(33)) + sum(pair(2, k, 32, 5) for k in range(1, 32))
    found = story(source, tmp_path, (2, 5), got, Launch((32, 1, 1), (32, 1)))
    assert (found.stale, found.scene.thread) == (line(source, "mine = A"), (1, 0, 0))
    assert [each.line for each in found.scene.conditions] == [line(source, "if (k")]


def test_a_sum_that_is_stored_to_two_elements_is_told_as_that_of_the_first(tmp_path: Path):
    source = f"""{HEAD}int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y;
float left = 0, right = 0;
for (int k = 0; k < N && j + 16 < N; k++) {{
    left += A[i * N + k] * B[k * N + j];
    right += A[i * N + k] * B[k * N + j + 16];
}}
if (j < N) C[i * N + j] = left;
if (j + 16 < N) C[i * N + j + 16] = left;
}}"""
    found = story(source, tmp_path, (2, 21), terms(2, 5, range(33)), Launch((16, 1, 1), (32, 1)))
    assert (found.sum_of, found.stored) == ((2, 5), line(source, "j + 16] = left"))


def test_c_from_before_the_launch_is_nothing_added_besides_where_beta_counts(tmp_path: Path):
    lab = replace(SQUARE, beta=0.5)
    drawn = inputs.draw(AT_33, lab)
    assert drawn.C is not None
    got = float(drawn.A[2] @ drawn.B[:, 5] + drawn.C[2, 5] / 4)
    source = plain("sum += A[i * N + k] * B[k * N + j];", "sum + 0.25f * C[i * N + j]")
    assert told(source, tmp_path, replace(asked(element=(2, 5), got=got), interface=lab)).story is None


def test_nothing_is_said_of_integers_that_are_the_bits_of_a_factor(tmp_path: Path):
    drawn = inputs.draw(AT_33, SQUARE)
    short = (drawn.A[2].view(np.uint32) & 0xFFF00000).view(np.float32)
    source = plain("sum += __int_as_float(__float_as_int(A[i * N + k]) & 0xfff00000) * B[k * N + j];")
    assert told(source, tmp_path, asked(element=(2, 5), got=float(short @ drawn.B[:, 5]))).story is None


def test_a_wrong_element_of_a_thread_that_has_loaded_the_right_one_too_is_told_so(tmp_path: Path):
    source = f"""{HEAD}int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
if (i >= N || j + 1 >= N) return;
float sum = 0;
for (int k = 0; k < N; k++) {{
    float right = B[k * N + j], next = B[k * N + j + 1];
    if (k == 3) sum += A[i * N + k] * next;
    else sum += A[i * N + k] * right;
}}
C[i * N + j] = sum;
}}"""
    got = terms(0, 0, [k for k in range(33) if k != 3]) + pair(0, 3, 3, 1)
    found = story(source, tmp_path, (0, 0), got, SQUARES)
    assert (found.is_wrong, found.is_loaded) == (True, True)


def test_a_lane_that_has_left_the_loop_is_told_with_the_loop(tmp_path: Path):
    source = f"""{HEAD}int i = blockIdx.y, lane = threadIdx.x;
float sum = 0;
for (int k = lane; k < N; k += 32)
    for (int s = 0; s < 32; s++) {{
        float a = __shfl_sync(0xffffffffu, A[i * N + k], s);
        if (k - lane + s < N) sum += a * B[(k - lane + s) * N + lane];
    }}
C[i * N + lane] = sum;
}}"""
    found = story(source, tmp_path, (0, 2), terms(0, 2, range(32)), Launch((32, 1, 1), (32, 1)))
    assert found.missing == (32, 32, 1)


def test_a_factor_that_is_mistaken_for_another_of_its_thread_comes_with_the_line_of_that(tmp_path: Path):
    source = f"""{HEAD}int j = 2 * threadIdx.x, i = blockIdx.y;
float x = 0, y = 0;
for (int k = 0; k < N && j + 1 < N; k++) {{
    float b = B[k * N + j];
    float c = B[k * N + j + 1];
    x += A[i * N + k] * b;
    y += A[i * N + k] * b;
    if (c < -1e30f) y = c;
}}
if (j + 1 < N) C[i * N + j] = x;
if (j + 1 < N) C[i * N + j + 1] = y;
}}"""
    found = story(source, tmp_path, (2, 5), terms(2, 4, range(33)), Launch((32, 1, 1), (64, 1)))
    assert found.taken == line(source, "float c")
