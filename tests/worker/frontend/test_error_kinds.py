"""Costs 2 CPU seconds: three files are compiled, the other messages are as nvcc 13.0 prints them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.explain.compilation import of_compilation
from grader.explain.compile_words import in_words
from grader.explain.source_text import SourceText
from grader.model import Limits
from grader.model.diagnostics import CompilerError, ErrorKind, NoKernel
from grader.worker.frontend.diagnostics import in_own_words
from grader.worker.frontend.error_kinds import error_kind, similar, unclosed_brace
from tests.worker.frontend.desk import KERNEL, needs_nvcc, refused

SHARED = "  __attribute__((shared)) float t[N];"
FROM_KERNEL = ' from a __global__ function("matmul") is not allowed'
OF_VECTOR = "std::vector<float, ::std::allocator<float> > ::vector(unsigned long, const ::std::allocator<float> &)"
OF_LIBRARY = "cublasStatus_t  ::cublasCreate<    ::cublasContext ** > (T1 &&...)"
CLOSED = "void f()\n{\n    if (x) {\n        y;\n    }\n    else {\n        z; // }\n    }\n}\n"
HEADER, LAUNCH = "#include <lab.h>", "LAUNCH(.block = {16, 16});\n"


@pytest.mark.parametrize(
    ("text", "quoted", "words"),
    [
        (f'calling a __host__ function("dot(const float *, int)"){FROM_KERNEL}', "", "__device__ before the decl"),
        (f'calling a __host__ function("Tile::get(int) const"){FROM_KERNEL}', "", "calls Tile::get, which is"),
        (f'calling a __host__ function("{OF_VECTOR}"){FROM_KERNEL}', "", "calls std::vector::vector, which works on"),
        (f'calling a __host__ function("{OF_LIBRARY}"){FROM_KERNEL}', "", "calls cublasCreate, which works on"),
        ("expression must have a constant value", SHARED, "extern __shared__"),
        ("namespace definition is not allowed", "", "LAUNCH stands inside a function"),
        ('no operator "*" matches these operands', "   operand types are: float * const float4", "members: x, y, z, w"),
    ],
)  # fmt: skip
def test_a_frequent_mistake_is_said_with_what_to_try(text: str, quoted: str, words: str) -> None:
    kind, symbol = error_kind(text, quoted)
    assert words in " ".join(in_words(CompilerError(text, 3, text, kind=kind, symbol=symbol)))


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("expression must have a constant value", "  int t[n];"),
        ("expected an expression", "  int x = ;"),
    ],
)
def test_another_message_keeps_the_compilers_words(text: str, quoted: str) -> None:
    kind, symbol = error_kind(text, quoted)
    assert in_words(CompilerError(text, 3, text, is_only=True, kind=kind, symbol=symbol)) == (text, "")


@pytest.mark.parametrize(
    ("name", "near"),
    [("__syncthread", "__syncthreads"), ("threadId", "threadIdx"), ("colum", "column"), ("LINE", "line"), ("q", "")],
)
def test_an_undefined_name_is_compared_with_cuda_and_the_lines_above(name: str, near: str) -> None:
    assert similar(name, f"int column, line; // {name}s\n{name};\nint later;\n".encode(), 2) == near


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (CLOSED, 0),
        (CLOSED.replace("    }\n    else", "    else"), 3),
        (CLOSED.replace("    }\n}", "}"), 6),
        (CLOSED.removesuffix("}\n"), 2),
        (CLOSED.replace("z;", '"{";'), 0),
        (CLOSED.replace("\n", "\r\n").replace("    ", "\t"), 0),
    ],
)
def test_a_brace_that_is_not_closed_is_found_by_the_indentation(text: str, line: int) -> None:
    assert unclosed_brace(text.encode()) == line


@given(st.lists(st.sampled_from(["{", "}", "\n", " ", "/*", "*/", '"', "x"])))
def test_any_text_has_a_line_of_its_own_for_its_brace(parts: list[str]) -> None:
    text = "".join(parts)
    assert 0 <= unclosed_brace(text.encode()) <= text.count("\n") + 1


def test_the_log_shows_a_line_as_it_was_written() -> None:
    log = f"my.cu(2): error: no\n{SHARED}\n      ^\n\n1 error detected\n"
    assert in_own_words(log, "my.cu", b"\n  __shared__ float t[N];\n") == (
        "my.cu(2): error: no\n  __shared__ float t[N];\n\n1 error detected\n"
    )
    assert in_own_words(log, "other.cu", b"\nx\n") == log
    assert in_own_words(log, "my.cu", b"\n") == log


def test_a_line_without_macros_keeps_its_caret() -> None:
    log = "my.cu(1): error: no\n  int x = ;\n          ^\n"
    assert in_own_words(log, "my.cu", b"int x = ;\n") == log


@needs_nvcc
@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("float dot(float a) { return a; }" + KERNEL.replace("A[i] *", "dot(A[i]) *"), 5, "calls dot"),
        (HEADER + KERNEL.replace("if (i < N)", "if (i < N) {") + LAUNCH, 5, "{ in line 5"),
        (KERNEL.replace("int i =", "__shared__ float t[N]; int i ="), 4, "constant value"),
    ],
)
def test_nothing_that_macros_make_is_shown(text: str, line: int, words: str) -> None:
    fault = refused(text)
    assert fault.line == line
    assert words in fault.sentence
    assert "__lab" not in fault.detail
    assert "__attribute__" not in fault.detail


@pytest.mark.parametrize("letters", ["{", "}", '"', "/*", "a ", "<", "f(1): error: x\n  y\n"])
def test_a_hostile_text_takes_no_time(letters: str) -> None:
    text = letters * ((1 << 20) // len(letters))
    began = time.process_time()
    unclosed_brace(text.encode())
    in_own_words(text[:16384], "f", text.encode())
    error_kind(text[:4096], text[:4096])
    assert time.process_time() - began < 2


@pytest.mark.parametrize("text", ['identifier "k" is undefined', "k is not a template"])
def test_a_name_that_has_ended_with_its_loop_leads_to_its_declaration(text: str) -> None:
    kind, symbol = error_kind(text, "")
    lines = "void f(int N) {", "for (int k = 0; k < 4; k++) g();", "for (; k < N; k++) g();", "}"
    fault = of_compilation(CompilerError(text, 3, text, kind=kind, symbol=symbol), Limits(), SourceText(lines))
    assert fault.sentence == 'It does not compile: identifier "k" is undefined'
    assert fault.hint == "k of line 2 ends with its loop or block: declare it before that."


@pytest.mark.parametrize("name", ["launch", "Launch", "LAUCH"])
def test_another_spelling_of_launch_is_named(name: str) -> None:
    text = "this declaration has no storage class or type specifier"
    found = CompilerError(text, 1, text)
    misspelt, spelt = (SourceText((LAUNCH.replace("LAUNCH", each),)) for each in (name, "LAUNCH"))
    assert of_compilation(found, Limits(), misspelt).hint == f"Write LAUNCH instead of {name}."
    assert "LAUNCH" not in of_compilation(found, Limits(), spelt).hint


def test_a_launch_without_its_semicolon_is_named() -> None:
    fault = of_compilation(CompilerError("x", 0, "x"), Limits(), SourceText(("", LAUNCH.replace(";", "").strip())))
    assert (fault.line, fault.hint) == (None, "Put a semicolon at the end of line 2.")


def test_a_field_of_launch_without_its_dot_is_named() -> None:
    found = CompilerError("undefined", 1, "undefined", kind=ErrorKind.UNDEFINED, symbol="block")
    assert "write .block." in of_compilation(found, Limits(), SourceText(("LAUNCH(block = {16, 16});",))).hint


def test_a_function_of_the_host_with_the_kernel_s_name_is_named() -> None:
    fault = of_compilation(NoKernel("matmul"), Limits(), SourceText(("", "void matmul(float *A) {}")))
    assert (fault.line, "without __global__" in fault.hint) == (2, True)


@pytest.mark.parametrize(
    ("source", "line", "hint"),
    [
        (["#define T 16;", "float a[T];"], 1, "The macro T ends with a semicolon in line 1, which is then in line 2"),
        (["#define T = 16", "float a[T];"], 1, "The macro T begins with an equals sign in line 1, which is then in"),
        (["#define N 1024", "void matmul(float *C, int N)"], 1, "defines N as 1024, which then stands in line 2"),
        (["", "_global_ void f();"], 2, "Write __global__ instead of _global_."),
        (["float a[4][4];", "a[y, x] = 1;"], 2, "a[y, x] is a[x], without y: write a[y][x]."),
    ],
)
def test_a_macro_that_changes_a_line_and_a_comma_between_indices_are_named(
    source: list[str], line: int, hint: str
) -> None:
    fault = of_compilation(CompilerError("an error", 2, "an error"), Limits(), SourceText(tuple(source)))
    assert fault.line == line
    assert hint in fault.hint
