import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.contract import files
from grader.errors import SubmissionError
from grader.model import Demands, Launch, Limits, Verdict
from grader.worker.frontend import compiling, nvcc
from grader.worker.frontend.job import INCLUDE, Image
from tests.worker.frontend.desk import KERNEL, compiled, compiled_anew, compiled_in, needs_nvcc, refused

pytestmark = needs_nvcc
FOUR = ("pointer", "pointer", "pointer", "integer")
EVERY_TYPE = """
typedef float *Matrix; using Real = double; enum Order { ROWS_FIRST }; struct Pair { int x, y; };
namespace lab { extern "C" __global__ void matmul(const Matrix a, long long b, Real c, Order d, Pair e, bool f,
    size_t g, const float h[3], void (*i)(int)) { a[0] = b + c + d + e.x + f + g + h[0]; } }
"""
TEMPLATE = """
template <int N, class T> __global__ void matmul(const T *A, const T *B, T *C, int n) { C[n] = A[N] * B[N]; }
template __global__ void matmul<4, float>(const float *, const float *, float *, int);
"""
WHOLE_PROGRAM = (
    """
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <vector>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { std::cerr << "error\\n"; exit(1); } } while (0)
"""
    + KERNEL
    + """
int main(int argc, char **argv)
{
    int N = argc > 1 ? std::atoi(argv[1]) : 1024;
    std::vector<float> a(N), c(N);
    float *A, *C;
    CHECK(cudaMalloc(&A, N * sizeof(float)));
    CHECK(cudaMalloc(&C, N * sizeof(float)));
    CHECK(cudaMemcpy(A, a.data(), N * sizeof(float), cudaMemcpyHostToDevice));
    auto begin = std::chrono::steady_clock::now();
    matmul<<<(N + 255) / 256, 256>>>(A, A, C, N);
    CHECK(cudaDeviceSynchronize());
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    CHECK(cudaMemcpy(c.data(), C, N * sizeof(float), cudaMemcpyDeviceToHost));
    std::cout << seconds.count() << std::endl;
    cudaFree(A);
    return 0;
}
"""
)


def test_a_kernel_comes_with_all_that_a_launch_needs() -> None:
    program = compiled(
        "#include <lab.h>\n__shared__ float tile[64];\nLAUNCH(.block = {32, 8}, .shared = 64);\n" + KERNEL
    )
    assert (program.build.symbol, program.build.parameters) == ("matmul", FOUR)
    assert program.build.launch == Launch((32, 8, 1), (32, 8), 64)
    assert ".visible .entry matmul(" in program.ptx
    assert program.build.ptx_facts
    assert program.build.ptx_facts.registers > 0
    assert program.build.log == ""


def test_static_shared_memory_is_counted() -> None:
    text = KERNEL.replace("int i", "__shared__ float t[64]; t[threadIdx.x] = A[N]; __syncthreads(); C[N] = t[3]; int i")
    assert compiled(text).build.demands == Demands(static_shared=256)


def test_every_kind_of_parameter_is_recognised_by_any_alias() -> None:
    kinds = ("pointer", "integer", "real", "integer", "other", "integer", "integer", "pointer", "pointer")
    assert compiled(EVERY_TYPE).build.parameters == kinds


@pytest.mark.parametrize("text", [KERNEL.replace('extern "C"', ""), TEMPLATE, KERNEL.replace("matmul", "other")])
def test_a_kernel_is_found_without_extern_c_as_a_template_and_as_the_only_one(text: str) -> None:
    assert compiled(text).build.parameters == FOUR


def test_of_several_kernels_the_named_one_is_taken() -> None:
    assert compiled(KERNEL + KERNEL.replace("matmul", "slow_matmul")).build.symbol == "matmul"


def test_several_kernels_of_other_names_are_refused_with_their_names() -> None:
    fault = refused(KERNEL.replace("matmul", "matmull") + KERNEL.replace("matmul", "second"))
    assert fault.verdict is Verdict.NO_KERNEL
    assert "matmull, second" in fault.sentence
    assert "matmull" in fault.hint


def test_a_file_without_a_kernel_is_reported() -> None:
    assert refused("__device__ int f() { return 1; }\n").verdict is Verdict.NO_KERNEL


def test_a_compiled_file_that_is_cut_off_at_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "LARGEST_COMPILED", 1 << 12)
    fault = refused("__device__ int table[1 << 12] = {1};\n" + KERNEL.replace("A[i]", "table[i]"))
    assert fault.verdict is Verdict.COMPILE_ERROR
    assert "large arrays" in fault.hint


def test_a_file_whose_kernel_is_far_behind_in_its_ptx_is_not_supported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvcc, "MOST_KEPT", 1 << 8)
    with pytest.raises(SubmissionError) as caught:
        compiled_anew(KERNEL)
    assert caught.value.fault.verdict is Verdict.NOT_SUPPORTED
    assert "large arrays" in caught.value.fault.hint


def test_any_name_may_be_a_macro() -> None:
    words = "T P I real kind value count bytes kernel parameters matmul_ decltype constexpr lab_signature LabKind"
    names = words.split()
    macros = "".join(f"#define {name} 16\n" for name in names)
    assert compiled(KERNEL + macros).build.parameters == FOUR


def test_a_whole_program_is_compiled_and_its_host_code_left_out() -> None:
    program = compiled(WHOLE_PROGRAM)
    assert program.build.parameters == FOUR
    assert "cudaMalloc" not in program.ptx


def test_a_template_that_nothing_uses_is_named() -> None:
    template = "template <int TILE> __global__ void matmul(float *A, float *B, float *C, int N) { *C = TILE; }"
    fault = refused(template)
    assert fault.verdict is Verdict.NO_KERNEL
    assert "matmul is a template" in fault.sentence
    assert compiled(f"{template}\nvoid run(float *a) {{ matmul<4><<<1, 1>>>(a, a, a, 1); }}").build.parameters == FOUR


def test_a_missing_library_is_not_the_students_fault() -> None:
    fault = refused("#include <cufft.h>\nint main() { cufftHandle plan; }\n" + KERNEL)
    assert fault.verdict is Verdict.NOT_SUPPORTED
    assert "cufft.h" in fault.sentence


def test_an_error_is_in_its_line_and_in_the_words_of_nvcc() -> None:
    fault = refused("#include <cublas_v2.h>\n" + KERNEL.replace("A[i]", "a[i]"))
    assert (fault.verdict, fault.line) == (Verdict.COMPILE_ERROR, 6)
    assert fault.sentence == 'It does not compile: identifier "a" is undefined'
    assert "kernel.cu(6): error" in fault.detail


def test_a_missing_semicolon_is_sought_where_it_is_missing() -> None:
    start = KERNEL.replace("int i", "int unused = 1  // a comment\n\n int i")
    fault = refused(start)
    assert "expected a" in fault.sentence
    missing = start[: start.index("int unused")].count("\n") + 1
    assert (fault.line, fault.hint) == (missing + 2, f"Put a semicolon at the end of line {missing}.")
    assert "semicolon" not in refused(KERNEL.replace("int i", "int unused = 1 int i")).hint


@pytest.mark.parametrize("declared", ["struct Row {\n int at;\n}", "enum Side : int { LEFT, RIGHT }  // a comment"])
@pytest.mark.parametrize("kernel", [KERNEL, KERNEL.replace('extern "C"', ""), f"template <int T> struct S;\n{KERNEL}"])
def test_a_type_without_its_semicolon_is_named_whatever_the_compiler_says_of_the_next_line(
    declared: str, kernel: str
) -> None:
    fault = refused(f"{declared}\n\n{kernel}")
    assert fault.hint == f"Put a semicolon at the end of line {declared.count(chr(10)) + 1}."


def test_only_several_errors_have_a_first() -> None:
    assert refused(KERNEL.replace("A[i]", "q[i]")).hint == ""
    assert "first error first" in refused(KERNEL.replace("A[i]", "q[i] + r")).hint


def test_a_mistake_in_inline_assembly_is_in_its_line() -> None:
    fault = refused(KERNEL.replace("if (i", '\n asm("madd.u32 %0, 1;" : "=r"(i));\n if (i'))
    assert fault.line == 6
    assert "madd" in fault.sentence


def test_an_error_at_the_end_of_the_file_names_what_is_open() -> None:
    assert refused(KERNEL + "void f() {").sentence == "It does not compile: the { in line 7 has no }."


def test_too_much_shared_memory_is_a_launch_that_fails() -> None:
    text = KERNEL.replace("int i", "__shared__ float t[99999]; t[threadIdx.x] = A[N]; C[N] = t[N]; int i")
    assert refused(text).verdict is Verdict.LAUNCH_FAILED


def test_shared_memory_that_only_later_versions_of_ptxas_refuse_is_a_launch_that_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compile_image = nvcc.compile_image

    def compile_as_cuda_12(*words: Any) -> Image:
        image = compile_image(*words)
        return replace(image, log=image.log.replace("400 bytes smem", "65536 bytes smem"))

    monkeypatch.setattr(nvcc, "compile_image", compile_as_cuda_12)
    with pytest.raises(SubmissionError, match="65536 bytes") as caught:
        compiled_anew(KERNEL.replace("int i", "__shared__ float t[100]; t[threadIdx.x] = A[N]; C[N] = t[N]; int i"))
    assert caught.value.fault.verdict is Verdict.LAUNCH_FAILED


def test_warnings_are_kept_and_what_ptxas_says_of_registers_is_not() -> None:
    log = compiled("#warning look here\n" + KERNEL.replace("int i", "int unused; int i")).build.log
    assert "look here" in log
    assert "unused" in log
    assert "ptxas info" not in log


def test_the_same_file_gives_the_same_ptx_wherever_the_box_is() -> None:
    text = "#include <cassert>\n" + KERNEL.replace("int i", "assert(N > 0); int i")
    assert compiled_anew(text).ptx == compiled_anew(text).ptx


def test_what_was_compiled_before_is_not_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = compiled_in(tmp_path, KERNEL)
    monkeypatch.setattr(files, "add", lambda *_: pytest.fail("it was compiled again"))
    assert compiled_in(tmp_path, KERNEL).ptx == first.ptx


def test_what_was_kept_and_is_damaged_is_compiled_again(tmp_path: Path) -> None:
    first = compiled_in(tmp_path, KERNEL)
    (kept,) = (tmp_path / files.ADDED).iterdir()
    kept.write_bytes(b"damaged")
    assert compiled_in(tmp_path, KERNEL).ptx == first.ptx


@pytest.mark.parametrize("shaping", ["FRONT_END", "INCLUDE"])
def test_what_another_version_of_the_grader_compiled_is_compiled_again(
    shaping: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled_in(tmp_path, KERNEL)
    (tmp_path / "edited").mkdir()
    monkeypatch.setattr(compiling, shaping, tmp_path / "edited")
    compiled_in(tmp_path, KERNEL)
    assert len(list((tmp_path / files.ADDED).iterdir())) == 2


TEMPLATES = (
    "template <int A, int B> struct T : T<A - 1, B>, T<A - 1, B + (1 << A)> {};\n"
    "template <int B> struct T<0, B> {};\nT<22, 0> many;\n"
)
MACROS = "".join(f"#define A{i} A{i + 1} A{i + 1}\n" for i in range(40)) + "int many[] = { A0 };\n"


@pytest.mark.parametrize("bomb", [TEMPLATES, MACROS], ids=["templates", "macros"])
def test_a_compiler_bomb_is_stopped_at_its_cpu_time(bomb: str) -> None:
    fault = refused(bomb + KERNEL, limits=Limits(compile_seconds=1.0))
    assert fault.verdict is Verdict.COMPILE_ERROR
    assert "CPU time" in fault.sentence


@pytest.mark.parametrize("letters", ["(", "a", "\\", "/* ", "\n"])
def test_a_megabyte_of_one_letter_gets_one_sentence(letters: str) -> None:
    fault = refused(letters * (1_000_000 // len(letters)))
    assert len(fault.sentence) < 500
    assert len(fault.detail) <= 16384


@pytest.mark.parametrize(
    ("header", "hint"),
    [("cuda/std/no_such_part", "toolkit"), ("my_matrix.h", "quotation marks"), ("Lab.h", "lower case")],
)
def test_what_to_try_depends_on_the_header_that_is_missing(header: str, hint: str) -> None:
    assert hint in refused(f"#include <{header}>\n" + KERNEL).hint


HEADER = re.sub(r'"[^"\n]*"|//.*', "", (INCLUDE / "lab.h").read_text())
KEYWORDS = {"const", "extern", "if", "is", "enum", "static_assert", "struct", "unsigned", "include", "sizeof"}
KEYWORDS |= {"namespace", "using"}
IDENTIFIERS = sorted({*re.findall(r"\b[A-Za-z_]\w*\b", HEADER)} - KEYWORDS - {"__VA_ARGS__"})
RESERVED = {"shared", *(name for name in IDENTIFIERS if name.startswith(("__", "_P")))}  # by CUDA and C++
FIELDS = {"block", "tile", "shared", "grid_x"}


def test_every_identifier_of_the_header_may_be_a_macro_before_it_is_included() -> None:
    names = [name for name in IDENTIFIERS if name not in RESERVED]
    assert {"LabGridX", "COLUMNS", "ROWS", "block", "tile", "grid_x", "LAUNCH"} <= set(names)
    macros = "".join(f"#define {name} 16\n" for name in names)
    check = "".join(f"#if {name} != 16\n#error {name}\n#endif\n" for name in names if name != "LAUNCH")
    assert compiled(macros + "#include <lab.h>\n" + check + KERNEL).build.parameters == FOUR


def test_every_identifier_but_a_field_may_be_a_macro_where_launch_is_used() -> None:
    names = [*sorted({*IDENTIFIERS} - RESERVED - FIELDS - {"LAUNCH"}), "lab_launch", "LabLaunch"]
    macros = "".join(f"#define {name} 16\n" for name in names)
    launch = "LAUNCH(.block = {16, 16}, .tile = {16, 16});\n"
    assert compiled("#include <lab.h>\n" + macros + KERNEL + launch).build.launch == Launch((16, 16, 1), (16, 16))


@pytest.mark.parametrize("above", ["#define constant 16\n", ""], ids=["above the header", "below it"])
def test_a_macro_called_constant_stays_behind_launch(above: str) -> None:
    below = "" if above else "#define constant 16\n"
    launch = "LAUNCH(.block = {constant, constant}, .tile = {constant, constant});\n"
    check = '#if constant != 16\n#error "constant"\n#endif\n'
    assert compiled(above + "#include <lab.h>\n" + below + launch + check + KERNEL).build.launch == Launch(
        (16, 16, 1), (16, 16)
    )


def test_macros_of_those_names_do_not_change_the_launch() -> None:
    macros = "#define ROWS 4\n#define COLUMNS 8\n#define LabGridX 3\n#define T 16\n#define N_ 5\n"
    text = macros + "#include <lab.h>\n" + KERNEL + "LAUNCH(.block = {T, ROWS}, .tile = {COLUMNS, 2 * ROWS});\n"
    assert compiled(text).build.launch == Launch((16, 4, 1), (8, 8))


def test_constants_of_those_names_may_stand_before_and_behind_the_header() -> None:
    launch = "LAUNCH(.block = {T, T}, .tile = {T, T});\n"
    text = "enum { ROWS, T = 16 };\n#include <lab.h>\nconstexpr int COLUMNS = 8;\n" + KERNEL + launch
    assert compiled(text).build.launch == Launch((16, 16, 1), (16, 16))


def test_every_name_of_the_rubric_may_be_a_macro_behind_the_kernel() -> None:
    names = ("matmul", "A", "B", "C", "N", "M", "K", "float32", "lda", "alpha", "beta")
    assert compiled(KERNEL + "".join(f"#define {name} 16\n" for name in names)).build.parameters == FOUR


@pytest.mark.parametrize("line", ["#warning again\n", '#pragma message "again"\n'], ids=["warnings", "messages"])
def test_many_warnings_are_accepted_and_endless_messages_are_stopped(line: str) -> None:
    text = line * 20_000 + KERNEL
    if "warning" in line:
        assert compiled(text).build.symbol == "matmul"
    else:
        assert "printed too much" in refused(text).sentence
