"""Launches as the text of a file has them."""

import pytest

from grader.model import Interface, Launch, Shape
from grader.rubric.host_code import file_launch, text_of, with_tiles

SQUARE = Interface("matmul", ("A", "B", "C", "N"))
OBLONG = Interface("matmul", ("A", "B", "C", "rows = M", "columns = N", "K"))

KERNEL = "__global__ void matmul(const float *A, const float *B, float *C, int N) { int tiles = N; C[0] = tiles; }\n"
RUN = "void run(int n) {{ {} matmul<<<blocks, threads>>>(a, b, c, n); }}"
PLAIN = RUN.format("const int T = 8, tiles = (n + T - 1) / T; dim3 threads(T, T), blocks(tiles, tiles);")
SIDES = RUN.format("dim3 blocks, threads(8, 8); blocks.x = (n + 7) / 8; blocks.y = n + 7 >> 3;")
OTHER = "void other(int n) { int T = 4; T = 5; dim3 threads(1, 1), blocks(T); threads.x = 3; }\n"
CDIV = "int cdiv(int a, int b) { return (a + b - 1) / b; }\n"
OLD = "void old(int n) { matmul<<<1, 1>>>(a, b, c, n); }\n"


@pytest.mark.parametrize(
    ("host", "interface", "launch"),
    [
        ("#define T 8\nmatmul<<<dim3((n + T - 1) / T, (n + T - 1) / T), dim3(T, T)>>>(a, b, c, n);", SQUARE, (8, 8)),
        ("int t = 32; dim3 g(w / t + 1, h / t + 1), k(t, t);\nmatmul<<<g, k>>>(a, b, c, h, w, d);", OBLONG, (32, 32)),
        ("dim3 g = {w, h}, k{};\nmatmul<<<g, k>>>(a, b, c, h, w, d);", OBLONG, (1, 1)),
    ],
)
def test_a_grid_of_tiles_is_known_as_one(host: str, interface: Interface, launch: tuple[int, int]) -> None:
    shape = Shape(33, 33, 33) if interface is SQUARE else Shape(40, 70, 50)
    found = file_launch(host, interface, [shape])
    assert found is not None
    assert with_tiles(found, [shape]) == Launch((*launch, 1), launch)


def test_variables_are_the_sizes_that_they_are_passed_for() -> None:
    found = file_launch("matmul<<<p * q, q, 4 * q>>>(a, b, c, p, q, r);", OBLONG, [Shape(40, 70, 50)])
    assert found.at(Shape(2, 3, 4)) == Launch((3, 1, 1), (70, 1), 12, grid_by=("6",))


CHAIN = "".join(f"int {name} = {'*'.join(of * 40)};" for name, of in ("ab", "bc", "cd", "de"))


@pytest.mark.parametrize(
    "host",
    [
        f"#define F(x) {'F(x) * ' * 9} x\nmatmul<<<F(n), 256>>>(a, b, c, n);",
        f"{CHAIN} matmul<<<a, 256>>>(a, b, c, n);",
        "matmul<<<blocks(), 256>>>(a, b, c, n);",
        "matmul<<<n / 64, 256>>>(a, b, c, n);",  # no blocks at 33
        "matmul<<<-(-n / 64), 256>>>(a, b, c, n);",  # nor here
        "matmul<<<n, n / (n - n)>>>(a, b, c, n);",
        "matmul<<<n, 16, 1 << 40>>>(a, b, c, n);",
        "first<<<n, 16>>>(a); second<<<n, 16>>>(a, b, c, n);",
        f"// {'x' * 70_000}\nmatmul<<<n, n>>>(a, b, c, n);",
    ],
)
def test_a_launch_that_cannot_be_read_or_made_is_none(host: str) -> None:
    assert file_launch(text_of(host, ()), SQUARE, [Shape(33, 33, 33)]) is None


def tiles(value: str) -> str:
    return RUN.format(f"int t = {value}; dim3 threads(8, 8), blocks(t, t);")


def grids(host: str) -> list[tuple[int, int, int]] | None:
    shapes = [Shape(n, n, n) for n in (33, 100)]
    launch = file_launch(KERNEL + host, Interface("matmul", ("A", "B", "C", "N")), shapes)
    return [launch.at(shape).grid(shape) for shape in shapes] if launch else None


@pytest.mark.parametrize(
    "host",
    [
        SIDES,
        OTHER + PLAIN + OTHER,
        f'#if 0\n{OLD}#endif\n/* {OLD} */ const char *help = "http://a {OLD.strip()}"; {PLAIN}',
        RUN.format("int dim = 8, size = 1024; dim3 threads(dim, dim), blocks((size + 7) / dim, (size + 7) / dim);"),
        tiles("static_cast<unsigned int>(ceil(float(n) / 8))"),
        f"#define SIDE 2.0f / 4\n{tiles('ceilf(n / SIDE)')}",
        f"#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))\n{tiles('CEIL_DIV(n, 8)')}",
        f"{CDIV}{tiles('cdiv((n % 8 == 0 ? 0 : n + 0), 8) + !(n != 0 < 1)')}",
        f"template <class T> static constexpr T {CDIV[4:]}{tiles('cdiv(cdiv(n, 2), 4)')}",
        f"float up(float a, float b) {{ return ceil(a / b); }}\n{tiles('up(n, 8)')}",
        f"#define UP(a, b) ceil((float)a / b)\n{tiles('UP(n, 8)')}",
        RUN.format("float f = n; auto t = (n + f - n) / 8; int u = ceil(t); dim3 threads(8, 8), blocks(u, u);"),
    ],
)
def test_a_launch_is_read_where_it_runs(host: str) -> None:
    assert grids(host) == [(5, 5, 1), (13, 13, 1)]


@pytest.mark.parametrize(
    "before",
    [
        "int t = 1; t = n / 8; dim3 threads(8, 8), blocks(t, t);",
        "int t = n / 8; if (n % 8) t++; dim3 threads(8, 8), blocks(t, t);",
        "int t = 1; count(n, &t); dim3 threads(8, 8), blocks(t, t);",
        "dim3 threads(8, 8), blocks(1, 1); blocks.x = blocks.y = n / 8;",
        "dim3 threads(8, 8), blocks(1, 1); blocks = dim3(n / 8, n / 8);",
        "dim3 threads(8, 8), blocks; blocks.x = 1; blocks.y = n; blocks.x = n;",
    ],
)
def test_what_gets_another_value_before_the_launch_is_not_read(before: str) -> None:
    assert grids(RUN.format(before)) is None


@pytest.mark.parametrize(
    "value", ["ceil(n / 8 + 0.0)", "std::ceil(n / SIDE)", "(int) ceil((float) (n / 8))", "ceil(cdiv(n / 8.0, 1))"]
)
def test_a_quotient_of_whole_numbers_is_rounded_down_before_ceil(value: str) -> None:
    assert grids(f"#define REAL float\n{CDIV}enum {{ SIDE = 8 }}; {tiles(value)}") == [(4, 4, 1), (12, 12, 1)]
