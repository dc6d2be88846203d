"""What an address is called: a scalar is no array, and the members of a struct are no elements."""

from pathlib import Path

import pytest

from grader.contract.inputs import CHECKED
from grader.contract.messages import Check, Checked
from grader.explain.answers import explained
from grader.explain.finding import Asked
from grader.model import Case, Interface, Launch, Limits, Shape
from tests.launcher import answer_here, compiled_here

RACE = """
struct RacingPair {{ float sum; int count; }};
__device__ int counter;
__device__ float rows[4];
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{{
    __shared__ {declared};
    {first} = blockIdx.x + 1;
    if (threadIdx.x == 40)
        C[0] = {second};
    C[1] = {other};
}}
"""


@pytest.mark.parametrize(
    ("declared", "first", "second", "other", "named"),
    [
        ("int n", "if (!threadIdx.x) n", "n", "0", "writes the shared variable n in thread"),
        ("double d", "if (!threadIdx.x) d", "d", "0", "writes the shared variable d in thread"),
        (
            "int n[3]",
            "n[threadIdx.x & 1] = N; if (!threadIdx.x) n[2]",
            "n[2]",
            "n[N & 1]",
            "writes element 2 of the shared array “n” in thread",
        ),
        ("RacingPair p", "if (!threadIdx.x) p.count", "p.count", "0", "writes the shared variable p in thread"),
        (
            "RacingPair p[2]",
            "if (threadIdx.x == 9) p[N & 1].sum = N; if (!threadIdx.x) p[N & 1].count",
            "p[N & 1].count",
            "p[N & 1].sum",
            "writes bytes 12 to 15 of the shared variable p in thread",
        ),
        ("int n", "counter", "counter", "0", "writes the __device__ variable counter in block"),
        ("int n", "rows[3]", "rows[3]", "rows[1]", "writes element 3 of rows in block"),
    ],
)
def test_a_race_names_the_thing_that_the_source_declares(declared, first, second, other, named, tmp_path: Path):
    text = RACE.format(declared=declared, first=first, second=second, other=other)
    assert named in sentence(text, Launch((64, 1, 1), (16, 16)), tmp_path)


def test_a_race_in_a_matrix_names_its_element_for_accesses_of_any_size(tmp_path: Path):
    text = (
        'extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)\n'
        "{ reinterpret_cast<float4 *>(C)[9] = make_float4(blockIdx.x, 0, 0, 0); }\n"
    )
    assert "writes C[1][3] in" in sentence(text, Launch((1, 1, 1), (16, 16)), tmp_path)


def test_an_access_beyond_a_scalar_does_not_speak_of_an_array(tmp_path: Path):
    text = RACE.format(declared="int n", first="(&n)[threadIdx.x]", second="n", other="n")
    said = sentence(text, Launch((64, 1, 1), (16, 16)), tmp_path)
    assert "writes outside the shared variable n in line 8: byte 4 of 4." in said


def sentence(text: str, launch: Launch, box: Path) -> str:
    """Return what the checked run says of a kernel, the beginning of each race's sentence on a line of its own."""
    interface = Interface("matmul", ("A", "B", "C", "N"))
    (box / "kernel.cu").write_text(text)
    artifact = compiled_here(box / "kernel.cu", interface)
    request = Check(artifact.build, launch, Case(Shape(33, 33, 33), CHECKED, 1), interface, Limits())
    answer = answer_here(artifact, request)
    assert isinstance(answer, Checked)
    fault = explained(answer, Asked(interface, request.case.shape, Limits())).fault
    return f"{fault.sentence}\n{fault.detail}"
