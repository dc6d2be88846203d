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


def test_a_kernel_without_a_size_is_right_at_one_size_alone():
    build = Build("", "matmul", ("pointer",) * 3, None, "", ())
    fault = parameters.others(build, SQUARE, ("pointer", "pointer", "pointer", "integer"))
    assert "it is right at one size alone: use N instead of the file's constant." in fault.hint
