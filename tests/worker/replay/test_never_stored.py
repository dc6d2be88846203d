"""Why nobody stores an element of C."""

from pathlib import Path

from grader.model import Launch
from tests.worker.replay.test_sums_that_went_wrong import HEAD, line, story, tiles


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


def test_a_block_that_stores_nothing_is_told_where_blocks_choose_their_tiles(tmp_path: Path):
    source = tiles(begin="int at = (blockIdx.y * 3 + blockIdx.x) * 2; i = at / 3 * 16 + threadIdx.y;\n").replace(
        "float sum", "j = at % 3 * 16 + threadIdx.x; float sum"
    )
    found = story(source, tmp_path, (0, 20), None, Launch((16, 16, 1), (16, 16)))
    assert found.is_idle
    assert (found.scene.block, found.scene.line) == ((2, 1, 0), line(source, "C[i * N + j]"))


def test_an_access_outside_of_a_thread_s_own_array_comes_with_the_array(tmp_path: Path):
    source = f"""{HEAD}int j = blockIdx.x * 16 + threadIdx.x;
float own[3];
for (int at = 0; at < 9; at++)
    own[at] = A[0];
if (j < N) C[j] = own[threadIdx.y];
}}"""
    left = story(source, tmp_path, (2, 31), None, Launch((16, 4, 1), (16, 4))).left
    assert (left.name, left.elements, left.line) == ("own", 3, line(source, "float own"))


def test_a_condition_that_lets_a_thread_store_too_few_of_its_elements_is_told(tmp_path: Path):
    source = f"""{HEAD}int j = (blockIdx.x * 16 + threadIdx.x) * 3, i = blockIdx.y * 4 + threadIdx.y;
if (i >= N || j >= N) return;
C[i * N + j] = A[i * N] * B[j];
if (j + 1 < N) C[i * N + j + 1] = A[i * N] * B[j + 1];
if (j + 3 < N) C[i * N + j + 2] = A[i * N] * B[j + 2];
}}"""
    scene = story(source, tmp_path, (2, 32), None, Launch((16, 4, 1), (48, 4))).scene
    assert (scene.thread, scene.line) == ((10, 2, 0), line(source, "j + 3 < N"))
