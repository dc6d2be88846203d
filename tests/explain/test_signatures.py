from __future__ import annotations

import pytest

from grader.contract.layout import arguments
from grader.explain.signatures import usual
from grader.model import Interface, Shape
from grader.model.fields import ElementType


@pytest.mark.parametrize(("type_c", "usually"), [("float32", "float"), ("float64", "double"), ("int32", "int")])
def test_the_usual_type_of_a_factor_is_that_of_c(type_c: ElementType, usually: str):
    interface = Interface("gemm", ("alpha",), type_c=type_c)
    assert usual(arguments(interface, Shape(1, 1, 1))[0], interface) == usually
