import pytest

from grader.contract.layout import arguments
from grader.explain import parameters
from grader.explain.parameters import usual
from grader.model import Build, Interface, Shape
from grader.model.fields import ElementType

SQUARE = Interface("matmul", ("A", "B", "C", "N"))


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


@pytest.mark.parametrize(
    ("pointers", "hint"),
    [
        (3, "it is right at one size alone: use N instead of the file's constant."),
        (4, "by value: a reference, such as const int &, is an address of the host's memory."),
    ],
)
def test_sizes_that_are_left_out_or_are_references_have_a_hint(pointers: int, hint: str):
    build = Build("", "matmul", ("pointer",) * pointers, None, "", ())
    fault = parameters.others(build, SQUARE, ("pointer", "pointer", "pointer", "integer"))
    assert hint in fault.hint
