"""Why nobody stores an element of C."""

from pathlib import Path

from grader.model import Launch
from tests.worker.replay.test_sums_that_went_wrong import HEAD, line, story


def test_a_thread_that_nobody_does_without_is_found_by_what_its_neighbours_store(tmp_path: Path):
    source = f"""{HEAD}int j = (blockIdx.x * 16 + threadIdx.x) * 3, i = blockIdx.y * 4 + threadIdx.y;
if (i < N && j + 5 < N)
    for (int n = 0; n < 3; n++) {{
        float sum = 0;
        for (int k = 0; k < N; k++) sum += A[i * N + k] * B[k * N + j + n];
        C[i * N + j + n] = sum;
    }}
}}"""
    scene = story(source, tmp_path, (2, 31), None, Launch((16, 4, 1), (48, 4))).scene
    assert (scene.thread, scene.line) == ((10, 2, 0), line(source, "j + 5 < N"))


def test_a_loop_over_elements_in_strides_of_the_grid_that_ends_too_early_is_told(tmp_path: Path):
    source = f"""{HEAD}int first = (blockIdx.y * gridDim.x + blockIdx.x) * 128 + threadIdx.x;
for (int e = first; e < N; e += gridDim.x * gridDim.y * 128) {{
    float sum = 0;
    for (int k = 0; k < N; k++) sum += A[e / N * N + k] * B[k * N + e % N];
    C[e] = sum;
}}
}}"""
    scene = story(source, tmp_path, (1, 0), None, Launch((128, 1, 1), (32, 32))).scene
    assert (scene.thread, scene.line) == ((33, 0, 0), line(source, "e < N"))


def test_a_condition_that_lets_a_thread_store_too_few_of_its_elements_is_told(tmp_path: Path):
    source = f"""{HEAD}int j = (blockIdx.x * 16 + threadIdx.x) * 3, i = blockIdx.y * 4 + threadIdx.y;
if (i >= N || j >= N) return;
C[i * N + j] = A[i * N] * B[j];
if (j + 1 < N) C[i * N + j + 1] = A[i * N] * B[j + 1];
if (j + 3 < N) C[i * N + j + 2] = A[i * N] * B[j + 2];
}}"""
    scene = story(source, tmp_path, (2, 32), None, Launch((16, 4, 1), (48, 4))).scene
    assert (scene.thread, scene.line) == ((10, 2, 0), line(source, "j + 3 < N"))


def test_a_block_that_stores_nothing_is_told_where_blocks_choose_their_tiles_by_the_grid(tmp_path: Path):
    source = f"""{HEAD}int id = blockIdx.y * gridDim.x + blockIdx.x, tile = id % 4;
int i = tile * 16 + threadIdx.y, j = id / 4 * 16 + threadIdx.x;
if (i < N && j < N)
    C[i * N + j] = A[i * N] * B[j];
}}"""
    told = story(source, tmp_path, (16, 32), None, Launch((16, 16, 1), (16, 16)))
    assert (told.scene.block, told.scene.line) == ((0, 1, 0), line(source, "i < N && j < N"))


def test_an_element_of_two_blocks_is_told_where_blocks_choose_their_tiles_by_the_grid(tmp_path: Path):
    source = f"""{HEAD}int i = blockIdx.x * 16 + threadIdx.y, tile = (blockIdx.x + blockIdx.y) & (gridDim.x - 1);
if (i < N && tile * 16 + threadIdx.x < N)
    C[i * N + tile * 16 + threadIdx.x] = A[i * N] * B[0];
}}"""
    told = story(source, tmp_path, (0, 16), None, Launch((16, 16, 1), (16, 16)))
    assert (told.scene.block, told.overlap, told.stored) == ((0, 1, 0), (0, 0, 2), line(source, "= A[i * N]"))
