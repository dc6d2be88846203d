import pytest

from grader.worker.frontend.instances import scope

TEMPLATE = b"template <int SIDE> __global__ void matmul(float *C) { if (SIDE) {} }\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (TEMPLATE, ""),
        (b"namespace lab {\n" + TEMPLATE + b"}", "lab::"),
        (b"namespace lab { namespace inner { int f() { return 1; }\n" + TEMPLATE + b"} }", "lab::inner::"),
        (b"namespace a::b {" + TEMPLATE + b"}", "a::b::"),
        (b"namespace { " + TEMPLATE + b"}", ""),
        (b"namespace other { void f() {} }\n" + TEMPLATE, ""),
        (b"} } namespace lab {" + TEMPLATE, "lab::"),
        (b"namespace lab { void matmul(); }", ""),
    ],
)
def test_a_template_is_named_with_its_namespaces(text: bytes, names: str):
    assert scope(text, "matmul") == names
