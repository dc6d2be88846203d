"""mma.sync: each lane fills its registers as the PTX ISA says, and the product is the exact one."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.ptxsim.records.lacks import UnsupportedError
from tests.ptxsim.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

# Of an element with the number i in its lane: g is the lane / 4, t the lane % 4.
KERNEL = """
extern "C" __global__ void {name}(const {a.word} *A, const {b.word} *B, const {c.word} *C, {c.word} *D) {{
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    union {{ {a.word} e[{a.count}]; {a.register} r[{a.registers}]; }} a;
    union {{ {b.word} e[{b.count}]; {b.register} r[{b.registers}]; }} b;
    union {{ {c.word} e[{c.count}]; {c.register} r[{c.registers}]; }} c, d;
    for (int i = 0; i < {a.count}; ++i) a.e[i] = A[({a.row}) * {a.columns} + {a.column}];
    for (int i = 0; i < {b.count}; ++i) b.e[i] = B[({b.row}) * {b.columns} + {b.column}];
    for (int i = 0; i < {c.count}; ++i) c.e[i] = C[({c.row}) * {c.columns} + {c.column}];
    asm volatile("mma.sync.aligned.{shape}.row.col.{types} {{{operands}}};" : {results} : {sources});
    for (int i = 0; i < {c.count}; ++i) D[({c.row}) * {c.columns} + {c.column}] = d.e[i];
}}
"""
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "s8": 8, "u8": 8, "s32": 32}
WORDS = {8: "unsigned char", 16: "unsigned short", 32: "unsigned", 64: "double"}
NUMPY = {"f16": np.float16, "tf32": np.float32, "f32": np.float32, "f64": np.float64, "s8": np.int8, "u8": np.uint8}


@dataclass(frozen=True)
class Part:
    """The elements of one matrix in a lane."""

    type: str
    count: int
    columns: int
    row: str
    column: str

    @property
    def word(self) -> str:
        return WORDS[BITS[self.type]]

    @property
    def register(self) -> str:
        return WORDS[max(32, BITS[self.type])]

    @property
    def registers(self) -> int:
        return self.count * BITS[self.type] // max(32, BITS[self.type])


def source(name: str, shape: str, a: Part, b: Part, c: Part) -> str:
    counts = [c.registers, a.registers, b.registers, c.registers]
    starts = [sum(counts[:n]) for n in range(4)]
    lists = [", ".join(f"%{start + n}" for n in range(count)) for start, count in zip(starts, counts, strict=True)]
    letters = {"double": "d", "unsigned": "r"}
    given = [
        f'"{letters[p.register]}"({part}.r[{n}])'
        for p, part in ((a, "a"), (b, "b"), (c, "c"))
        for n in range(p.registers)
    ]
    results = [f'"={letters[c.register]}"(d.r[{n}])' for n in range(c.registers)]
    types = ".".join((c.type, a.type, b.type, c.type))
    texts = {"operands": "}, {".join(lists), "results": ", ".join(results), "sources": ", ".join(given)}
    return KERNEL.format(name=name, a=a, b=b, c=c, shape=shape, types=types, **texts)


def stored(matrix: NDArray[np.generic], type_: str) -> NDArray[np.generic]:
    if type_ == "bf16":
        return (matrix.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return matrix.astype(NUMPY.get(type_, np.int32))


SIXTEEN_ROWS = ("g + (i < 2 ? 0 : 8)", "t * 2 + (i & 1)")
PAIRS_8 = (("g + (i < 2 ? 0 : 8)", "t * 2 + (i & 1)"), "t * 2 + i")
PAIRS_16 = (
    ("i < 2 || (4 <= i && i < 6) ? g : g + 8", "t * 2 + (i & 1) + (i < 4 ? 0 : 8)"),
    "t * 2 + (i & 1) + (i < 2 ? 0 : 8)",
)
WORDS_4 = (("i == 0 ? g : g + 8", "t"), "t")
WORDS_8 = (("i == 0 || i == 2 ? g : g + 8", "t + (i < 2 ? 0 : 4)"), "t + (i == 0 ? 0 : 4)")
DOUBLES_16 = (("i % 2 == 0 ? g : g + 8", "t + i / 2 * 4"), "t + i * 4")
BYTES_16 = (("i < 4 ? g : g + 8", "t * 4 + (i & 3)"), "t * 4 + i")
BYTES_32 = (
    ("i < 4 || (8 <= i && i < 12) ? g : g + 8", "t * 4 + (i & 3) + (i < 8 ? 0 : 16)"),
    "t * 4 + (i & 3) + (i < 4 ? 0 : 16)",
)


def of_sixteen_rows(
    types: tuple[str, str, str], depth: int, places: tuple[tuple[str, str], str]
) -> tuple[str, Part, Part, Part]:
    (row, column), of_b = places
    a, b = Part(types[0], 16 * depth // 32, depth, row, column), Part(types[1], 8 * depth // 32, 8, of_b, "g")
    return f"m16n8k{depth}", a, b, Part(types[2], 4, 8, *SIXTEEN_ROWS)


def of_eight_rows(types: tuple[str, str, str], depth: int, of_row: str) -> tuple[str, Part, Part, Part]:
    a, b = Part(types[0], depth // 4, depth, "g", of_row), Part(types[1], depth // 4, 8, of_row, "g")
    return f"m8n8k{depth}", a, b, Part(types[2], 2, 8, "g", "t * 2 + i")


PRODUCTS = [
    of_sixteen_rows(("f16", "f16", "f32"), 8, PAIRS_8),
    of_sixteen_rows(("f16", "f16", "f32"), 16, PAIRS_16),
    of_sixteen_rows(("f16", "f16", "f16"), 8, PAIRS_8),
    of_sixteen_rows(("f16", "f16", "f16"), 16, PAIRS_16),
    of_sixteen_rows(("bf16", "bf16", "f32"), 8, PAIRS_8),
    of_sixteen_rows(("bf16", "bf16", "f32"), 16, PAIRS_16),
    of_sixteen_rows(("tf32", "tf32", "f32"), 4, WORDS_4),
    of_sixteen_rows(("tf32", "tf32", "f32"), 8, WORDS_8),
    of_sixteen_rows(("f64", "f64", "f64"), 4, WORDS_4),
    of_sixteen_rows(("f64", "f64", "f64"), 8, WORDS_8),
    of_sixteen_rows(("f64", "f64", "f64"), 16, DOUBLES_16),
    of_sixteen_rows(("s8", "s8", "s32"), 16, BYTES_16),
    of_sixteen_rows(("s8", "s8", "s32"), 32, BYTES_32),
    of_sixteen_rows(("u8", "s8", "s32"), 32, BYTES_32),
    of_eight_rows(("f64", "f64", "f64"), 4, "t"),
    of_eight_rows(("s8", "s8", "s32"), 16, "t * 4 + i"),
    of_eight_rows(("u8", "u8", "s32"), 16, "t * 4 + i"),
]
NAMED = {"_".join((shape, a.type, b.type, c.type)): (shape, a, b, c) for shape, a, b, c in PRODUCTS}
SOURCE = "".join(source(name, *given) for name, given in NAMED.items())  # compiled once for all


@pytest.mark.parametrize("name", NAMED)
def test_a_product_is_exact(name: str, tmp_path: Path):
    shape, a, b, c = NAMED[name]
    random, rows = np.random.default_rng(2), 8 if shape.startswith("m8") else 16
    sizes = ((a, (rows, a.columns)), (b, (a.columns, 8)), (c, (rows, 8)))
    x, y, z = (random.integers(0 if part.type == "u8" else -7, 8, size) for part, size in sizes)
    buffers = {each: stored(matrix, part.type) for each, matrix, part in zip("ABC", (x, y, z), (a, b, c), strict=True)}
    result = np.zeros_like(buffers["C"])
    assert run(SOURCE, tmp_path, {**buffers, "D": result}, list("ABCD"), kernel=name).fault is None
    assert np.array_equal(result, stored(z + x @ y, c.type))


def test_a_shape_of_volta_is_not_supported_and_named_with_its_line(tmp_path: Path) -> None:
    text = """extern "C" __global__ void k(unsigned *C) {
        unsigned *c = C;
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%0,%1,%2,%3}, {%0,%1}, {%2,%3}, {%0,%1,%2,%3};"
            : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]));
    }"""
    with pytest.raises(UnsupportedError, match=r"mma\.sync\.aligned\.m8n8k4") as caught:
        run(text, tmp_path, {"C": np.zeros(4, np.uint32)}, ["C"])
    assert caught.value.line == 4  # where the statement ends
