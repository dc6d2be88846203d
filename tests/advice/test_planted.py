"""The first advice for a kernel with one problem names it; for the fixed twin, no advice does."""

import re
from pathlib import Path

import pytest

from grader.advice.advise import advice
from grader.advice.devices import GPUS
from grader.model import Advice
from tests.advice.counted import PLANTED, ROOT, counted, lab_of, planted, rubric_of
from tests.corpus import content

SIZE = re.compile(r"^// size: (\d+)", re.MULTILINE)
DEVICE = re.compile(r"^// device: (\w+)", re.MULTILINE)
FIXED = ("-DFIXED",)
# The words by which an advice names the problem of a kernel file, whose name begins so.
PROBLEMS = {
    "atomics": "atomic operations",
    "bank_conflicts": "bank conflicts",
    "barriers": "needless barriers",
    "bounds_checks": "conditions in the inner loop",
    "divergence": "divergence",
    "division": "integer division",
    "double": "double precision",
    "few_blocks": "too few blocks",
    "few_fragments": "too few fragments",
    "few_results": "too few results",
    "fragments_global": "fragments come from global memory",
    "half_scalars": "scalar arithmetic on halves",
    "idle_tensor_cores": "idle tensor cores",
    "local_array": "an array in local memory",
    "no_reuse": "no reuse",
    "not_unrolled": "not unrolled",
    "occupancy": "occupancy",
    "outside": "outside C",
    "overlap": "no overlap",
    "partial_warps": "not a multiple of 32",
    "scalar_loads": "scalar loads",
    "small_tile": "a tile that is too small",
    "spills": "spills",
    "sum_in_memory": "redundant accesses",
    "uncoalesced": "uncoalesced",
}
pytestmark = pytest.mark.slow


def given(path: Path, flags: tuple[str, ...] = ()) -> Advice:
    size, device = SIZE.search(path.read_text()), DEVICE.search(path.read_text())
    counters, launch = counted(path, int(size[1]) if size else 2048, flags)
    return advice(counters, launch, rubric_of(lab_of(path)).interface, GPUS[device[1] if device else "h200"])


def problem(path: Path) -> str:
    return next(words for name, words in PROBLEMS.items() if path.stem.startswith(name))


@pytest.mark.parametrize("path", PLANTED, ids=lambda path: path.stem)
def test_the_first_advice_is_the_planted_problem(path: Path):
    names = [item.name for item in given(path).items]
    assert names
    assert problem(path) in names[0]


@pytest.mark.parametrize("path", PLANTED, ids=lambda path: path.stem)
def test_the_advice_is_gone_for_the_fixed_kernel(path: Path):
    assert not [item.name for item in given(path, FIXED).items if problem(path) in item.name]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("barriers", "            __syncthreads();"),
        ("bounds_checks_tile", "sum += As[ty][k]"),
        ("division_tile", "if (k % width == 0)"),
        ("double_constant", "1.0 *"),
        ("no_reuse_doubles", "sum[0][0] +="),
        ("half_scalars", "sum = __hfma("),
        ("idle_tensor_cores", "__half2float(As"),
        ("fragments_global", "wmma::load_matrix_sync("),
        ("few_fragments", "wmma::load_matrix_sync("),
    ],
)
def test_the_advice_names_the_line_of_the_problem(name: str, code: str):
    path = planted(name)
    lines = content(path).decode().splitlines()
    assert code in lines[given(path).items[0].line - 1]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("naive_uncoalesced", "uncoalesced loads"),
        ("naive", "no reuse"),
        ("tiled_16", "too few results"),
        ("tiled_32", "too few results"),
        ("block_tile_1d", "too few results"),
        ("register_blocked", "too few results"),
        ("block_tile_2d", "scalar loads"),
        ("vectorised", "no overlap"),
        ("warp_tiled", "no overlap"),
    ],
)
def test_the_first_advice_for_a_kernel_of_the_ladder_is_what_a_later_one_adds(name: str, words: str):
    assert words in given(ROOT / "reference" / f"{name}.cu").items[0].name
