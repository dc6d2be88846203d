"""Files x macros."""

from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.judge.conditions import Conditions
from grader.model import Fault, Machine, Verdict
from grader.rubric import load
from grader.study.measure import variants
from tests import lab

SIZED = lab.NAIVE.replace("{16, 16}", "{BLOCK, BLOCK}")


def files(*names: str, text: str = SIZED) -> dict[Path, bytes]:
    return {Path(name): text.encode() for name in names}


def test_values_of_macros_are_read():
    assert variants.parse_defines(["BLOCK=8,16, 32", "T=float"]) == {"BLOCK": ("8", "16", "32"), "T": ("float",)}


@pytest.mark.parametrize("text", ["BLOCK", "BLOCK=", "=8", "8=8", "BLOCK=8,,16", "BLOCK=a b", "BLOCK=$(x)", "A=1=2"])
def test_what_gives_no_values_is_refused(text: str):
    with pytest.raises(UsageError, match="--define"):
        variants.parse_defines([text])


def test_a_macro_that_is_given_twice_is_refused():
    with pytest.raises(UsageError, match="given twice"):
        variants.parse_defines(["BLOCK=8", "BLOCK=16"])


def test_every_file_meets_every_combination():
    kernels = variants.variants(files("a.cu", "b.cu", text=f"{SIZED}// K"), {"BLOCK": ("8", "16"), "K": ("1", "2")})
    assert len(kernels) == len({variant.name for variant in kernels}) == 8
    assert kernels[0].name == "a BLOCK=8 K=1"
    assert kernels[0].flags == ("-DBLOCK=8", "-DK=1")


def test_a_file_that_does_not_use_a_macro_is_measured_once():
    both = files("a.cu") | files("naive.cu", text=lab.NAIVE)
    assert [variant.name for variant in variants.variants(both, {"BLOCK": ("8", "16")})] == [
        "a BLOCK=8",
        "a BLOCK=16",
        "naive",
    ]


def test_a_macro_that_no_file_uses_is_refused():
    with pytest.raises(UsageError, match="no file uses BLOK"):
        variants.variants(files("a.cu"), {"BLOK": ("8",)})


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("#define BLOCK 16\n", True),
        ("  # define BLOCK 16\n", True),
        ("#define BLOCKS 16\n", False),
        ("#ifndef BLOCK\n#define BLOCK 16\n#endif\n", False),
        ("#if !defined(BLOCK)\n#define BLOCK 16\n#endif\n", False),
        ("// #define BLOCK\n", False),
    ],
)
def test_a_file_that_sets_the_macro_itself_gets_a_hint_how_to_allow_it(text: str, refused: bool):
    file = files("a.cu", text=text + SIZED)
    if not refused:
        assert len(variants.variants(file, {"BLOCK": ("8", "16")})) == 2
        return
    with pytest.raises(UsageError, match=r"a\.cu defines BLOCK itself"):
        variants.variants(file, {"BLOCK": ("8", "16")})


def test_files_of_one_name_are_distinguished_by_their_paths():
    names = [each.file for each in variants.variants(files("ann/matmul.cu", "bob/matmul.cu", "x.cu"), {})]
    assert [name.endswith(("ann/matmul.cu", "bob/matmul.cu")) for name in names] == [True, True, False]
    assert names[2] == "x.cu"


def test_too_many_kernels_are_refused():
    with pytest.raises(UsageError, match="more than"):
        variants.variants(files("a.cu"), {"BLOCK": tuple(map(str, range(variants.MOST + 1)))})


def test_what_does_not_compile_comes_with_its_fault_and_the_others_are_built(tmp_path: Path, simulator: Machine):
    kernels = variants.variants(files("a.cu"), {"BLOCK": ("8", "none", "16")})
    built = list(variants.compile_all(Conditions(load.load(lab.write_rubric(tmp_path)), simulator, 1), kernels))
    assert [variant for variant, _ in built] == list(kernels)
    first, second, third = (build for _, build in built)
    assert isinstance(second, Fault)
    assert second.verdict is Verdict.COMPILE_ERROR
    assert [kernel.launch.block for kernel in (first, third)] == [(8, 8, 1), (16, 16, 1)]
