"""Labs whose files are launched as their own host code does, which is read and never runs."""

from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.model import Fault, Rubric, Verdict
from grader.rubric import load
from tests import lab
from tests.test_calls import ONE_DIMENSION, RUBRIC, SLICES_OF_C, SQUARE, TILES

TILED = """
void run(const float *a, float *c, int width) {
    constexpr int SIDE = 8;
    const dim3 threads(SIDE, SIDE), blocks((width + SIDE - 1) / SIDE, (width + SIDE - 1) / SIDE);
    matmul<SIDE, float><<<blocks, threads>>>(a, a, c, width);
}
"""
LIES = "int main() { int n = 33; matmul<<<1, 16>>>(nullptr, nullptr, nullptr, n); }"
UNKNOWN = "void run(int n, int (*of)(int)) { matmul<<<of(n), 64>>>(nullptr, nullptr, nullptr, n); }"
NO_BLOCKS = "void run(int n) { matmul<<<n / 128, 128>>>(nullptr, nullptr, nullptr, n); }"
HUGE = "void run(int n) { matmul<<<n, 4096>>>(nullptr, nullptr, nullptr, n); }"
GRID_STRIDE = "void run(int n) { matmul<<<dim3(n), dim3(32, 1, 1)>>>(nullptr, nullptr, nullptr, n); }"


def rubric_in(folder: Path, launch: str = "file", name: str = "matmul", sizes: str = "[33]") -> Rubric:
    text = RUBRIC.format(name=name, call=SQUARE, sizes=sizes).replace("[kernel]", f'launch = "{launch}"\n[kernel]')
    (folder / "lab.toml").write_text(text)
    return load.load(folder / "lab.toml")


def fault(folder: Path, kernel: str, name: str = "matmul") -> Fault | None:
    return lab.fault_here(kernel.encode(), rubric_in(folder, name=name))


@pytest.mark.parametrize(
    ("kernel", "name"),
    [
        (ONE_DIMENSION + GRID_STRIDE, "matmul"),
        (TILES + TILED, "matmul<8, float>"),
        (SLICES_OF_C + "void f(int n) { matmul<<<dim3((n + 31) / 32, 1, 4), 32>>>(0, 0, 0, n); }", "matmul"),
        (lab.NAIVE + LIES, "matmul"),  # LAUNCH counts
    ],
)
def test_a_file_is_launched_as_its_host_code_says(kernel: str, name: str, tmp_path: Path) -> None:
    assert fault(tmp_path, kernel, name) is None


@pytest.mark.parametrize("host", ["", UNKNOWN, NO_BLOCKS])
def test_a_file_without_a_launch_that_can_be_read_is_told_so(host: str, tmp_path: Path) -> None:
    found = fault(tmp_path, ONE_DIMENSION + host)
    assert (found.verdict, "no launch of matmul that can be read" in found.sentence) == (Verdict.LAUNCH_FAILED, True)


@pytest.mark.parametrize(("host", "verdict"), [(LIES, Verdict.WRONG_ANSWER), (HUGE, Verdict.LAUNCH_FAILED)])
def test_a_launch_that_is_wrong_is_the_files_fault(host: str, verdict: Verdict, tmp_path: Path) -> None:
    kernel = ONE_DIMENSION.replace("+= gridDim.x * blockDim.x", "+= N * N")
    found = fault(tmp_path, kernel + host)
    assert found.verdict is verdict


@pytest.mark.parametrize("blocks", ["n - 40", "n / (n - 40)"])
def test_a_launch_that_is_impossible_at_a_hidden_size_fails_there_alone(blocks: str, tmp_path: Path) -> None:
    rubric = rubric_in(tmp_path, sizes="[70, 40]\nhidden = [40]\nvisible_after = 2999-12-01T00:00:00+01:00")
    host = f"void run(int n) {{ matmul<<<{blocks}, 64>>>(nullptr, nullptr, nullptr, n); }}"
    report = lab.grade_here((ONE_DIMENSION + host).encode(), rubric)
    assert report.fault is None
    verdicts = {(result.case.shape.N, result.verdict) for result in report.results}
    assert verdicts == {(70, Verdict.OK), (40, Verdict.LAUNCH_FAILED)}


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("half = tile_x / 2", "half: `tile_x / 2` is 2.5, which is not a whole number"),
        ("n = N // (block_x - 8)", "n: `N // (block_x - 8)` divides by zero"),
        ('n = N"]\nsymbols = ["size = tile_x / 2', "size: `tile_x / 2` is 2.5, which is not a whole number"),
    ],
)
def test_a_launch_line_that_leaves_a_parameter_without_a_value_is_refused(
    value: str, says: str, tmp_path: Path
) -> None:
    (tmp_path / "lab.toml").write_text(RUBRIC.format(name="matmul", call=SQUARE.replace("N", value), sizes="[33]"))
    kernel = "__global__ void matmul(float *A, float *B, float *C, int n) {}\nLAUNCH(.block = {8}, .tile = {5, 5});"
    found = lab.fault_here(kernel.encode(), load.load(tmp_path / "lab.toml"))
    assert found
    assert (found.verdict, says in found.sentence) == (Verdict.LAUNCH_FAILED, True), found


def test_a_launch_is_file_or_a_table(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match='launch: must be `file`, or a table with block, but is "own"'):
        rubric_in(tmp_path, "own")
