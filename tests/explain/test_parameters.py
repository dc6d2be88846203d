import time

import pytest

from grader.contract.layout import arguments
from grader.explain import parameters
from grader.explain.parameters import usual
from grader.explain.several_cases import LAUNCH_OF_LAB, CheckedCase, explained_cases
from grader.explain.wrong_elements.uses import NOTHING, Uses
from grader.model import Build, Case, CaseResult, Fault, Interface, Shape, Verdict
from grader.model.fields import ElementType

SQUARE = Interface("matmul", ("A", "B", "C", "N"))
KERNEL = 'extern "C" __global__ void matmul(const T *A, const T *B, T *C, int N) {}\n'


def test_a_pointer_to_another_type_is_named_with_its_line() -> None:
    text = "// __global__ void matmul(int *A)\n/* \n */" + KERNEL.replace("T", "double")
    hint = parameters.of_another_type(text.encode(), SQUARE)
    assert hint == (
        "Line 3 declares A as a pointer to double, but in this lab it points to float. Change the type of the "
        "parameters."
    )


@pytest.mark.parametrize(
    "declared",
    ["float", "float4", "T", "void", "unsigned", "char", "__restrict__ float"],
)
def test_a_type_that_may_be_correct_is_not_named(declared: str) -> None:
    assert not parameters.of_another_type(KERNEL.replace("T", declared).encode(), SQUARE)


def test_only_the_matrix_that_differs_is_named() -> None:
    half = Interface("matmul", ("A", "B", "C", "N"), "float16", "float16", "float32")
    text = b"__global__ void __launch_bounds__(256) matmul(half const *A, const __half* B, double* C, int N) {}"
    assert parameters.of_another_type(text, half).startswith("Line 1 declares C as a pointer to double")


@pytest.mark.parametrize(
    "letters", [b"__global__ ", b"__global__ matmul(", b"/* ", b"matmul(double *,", b"\n", b"const "]
)
def test_a_hostile_file_takes_no_time(letters: bytes) -> None:
    began = time.process_time()
    parameters.of_another_type(letters * (1_000_000 // len(letters)), SQUARE)
    assert time.process_time() - began < 3


def test_the_type_explains_wrong_answers_and_no_other_verdict() -> None:
    faults = [Fault(verdict, "It failed.", "Look.") for verdict in (Verdict.OUT_OF_BOUNDS, Verdict.TIMEOUT)]
    case = Case(Shape(4, 4, 4), "first", 1)
    results = [CaseResult(case, Verdict.OK), *(CaseResult(case, fault.verdict, fault=fault) for fault in faults)]
    checked = [CheckedCase(result) for result in results]
    *_, (_, hinted) = explained_cases(checked, Uses(other_type="Change the type."))
    assert [result.fault and result.fault.hint for result in hinted] == [None, "Change the type.", "Look."]
    *_, (_, unchanged) = explained_cases(checked, NOTHING)
    assert list(unchanged) == results


def test_unset_memory_may_come_from_the_launch_of_a_file_without_a_launch_line() -> None:
    case = Case(Shape(4, 4, 4), "first", 1)
    checked = [
        CheckedCase(CaseResult(case, Verdict.UNSET_MEMORY, fault=Fault(Verdict.UNSET_MEMORY, "It failed.", "Look.")))
    ]
    *_, (_, hinted) = explained_cases(checked, Uses(launch_of_lab=True, own_launch=True))
    assert hinted[0].fault
    assert hinted[0].fault.hint == f"Look. {LAUNCH_OF_LAB}"


@pytest.mark.parametrize(("type_c", "usually"), [("float32", "float"), ("float64", "double"), ("int32", "int")])
def test_the_usual_type_of_a_factor_is_that_of_c(type_c: ElementType, usually: str):
    interface = Interface("gemm", ("alpha",), type_c=type_c)
    assert usual(arguments(interface, Shape(1, 1, 1))[0], interface) == usually


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_Z6matmulPKfS0_Pf", "matmul"),
        ("_Z6matmulILi32EEvPf", "matmul"),
        ("matmul", "matmul"),
        ("_ZN3lab1fEPf", "_ZN3lab1fEPf"),
    ],
)
def test_a_kernel_with_other_parameters_has_the_name_of_its_file(symbol: str, name: str):
    build = Build("", symbol, ("pointer", "other", "pointer"), None, "", ())
    fault = parameters.others(build, SQUARE, ("pointer", "pointer", "pointer", "integer"))
    assert fault.sentence.startswith(f"{name} takes (pointer, struct, pointer), but")
    assert fault.hint == "Give the kernel exactly these parameters, in this order."


def test_a_kernel_without_a_size_is_right_at_one_size_alone():
    build = Build("", "matmul", ("pointer",) * 3, None, "", ())
    fault = parameters.others(build, SQUARE, ("pointer", "pointer", "pointer", "integer"))
    assert "it is right at one size alone: use N instead of the file's constant." in fault.hint
