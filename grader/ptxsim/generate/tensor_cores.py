"""wmma, mma (PTX ISA, "Warp-level matrix instructions").

The registers of a fragment are stored to memory unchanged. Tables give the place of each element, so that one small
function copies the elements to plain matrices, multiplies these, and copies the sum back. Products are exact; sums have
32 bits, or 64 for doubles.
"""

from __future__ import annotations

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate import fragments
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.fragment_registers import element_types, items, restore, save, shape, whole_warp
from grader.ptxsim.generate.fragments import Fragment
from grader.ptxsim.generate.tile_memory import load_tile, store_tile
from grader.ptxsim.generate.tiles import multiplier
from grader.ptxsim.syntax.records import Instruction

_BYTES = frozenset({"s8", "u8", "s32"})


def matrix(code: Code, instruction: Instruction) -> None:
    """Translate wmma.load, wmma.store and wmma.mma."""
    if "mma" in instruction.modifiers:
        _multiply(code, instruction, *_wmma_fragments(code, instruction))
    elif "load" in instruction.modifiers:
        load_tile(code, instruction)
    else:
        store_tile(code, instruction)


def _wmma_fragments(code: Code, instruction: Instruction) -> tuple[Fragment, Fragment, Fragment, Fragment]:
    m, n, k = shape(instruction)
    kinds = element_types(instruction)
    counts = [len(items(code, operand)) for operand in instruction.operands]
    if len(kinds) == 2:  # D and C; A and B are halves
        kinds = [kinds[0], "f16", "f16", kinds[1]]
    return (
        fragments.tile(m, n, kinds[0], counts[0]),
        fragments.tile(m, k, kinds[1], counts[1]),
        fragments.tile(k, n, kinds[2], counts[2]),
        fragments.tile(m, n, kinds[3], counts[3]),
    )


def mma(code: Code, instruction: Instruction) -> None:
    """mma.sync with dense operands."""
    m, n, k = shape(instruction)
    kinds = element_types(instruction)
    counts = [len(items(code, operand)) for operand in instruction.operands[:4]]
    if ((m, n, k) == (8, 8, 4) and set(kinds) == {"f64"}) or ((m, n, k) == (8, 8, 16) and set(kinds) <= _BYTES):
        a, b, c = fragments.of_eight_rows(k, *kinds[1:])
        _multiply(code, instruction, c, a, b, c)
        return
    _multiply(
        code,
        instruction,
        fragments.accumulator(kinds[0], counts[0]),
        fragments.first(k, kinds[1], counts[1]),
        fragments.second(k, kinds[2], counts[2]),
        fragments.accumulator(kinds[3], counts[3]),
    )


def _multiply(code: Code, instruction: Instruction, d: Fragment, a: Fragment, b: Fragment, c: Fragment) -> None:
    whole_warp(code)
    memory = [
        save(code, f"tile{number}", items(code, operand), fragment)
        for number, (operand, fragment) in enumerate(zip(instruction.operands[1:4], (a, b, c), strict=True))
    ]
    out = code.temporary("tile3", 2 * LANES * 8 * 8)
    tables = [code.globals.byte_table(fragment.places()) for fragment in (a, b, c, d)]
    name = f"multiply_{a.rows}_{b.columns}_{a.columns}_{a.type}_{b.type}_{c.type}_{d.type}"
    code.globals.functions[name] = multiplier(
        code, name, (a.rows, b.columns, a.columns), (a.type, b.type, c.type, d.type)
    )
    arguments = ", ".join(f"ptr {pointer}" for pointer in (*memory, out, *tables))
    code.emitter.do(f"call void @{name}({arguments})")
    restore(code, out, items(code, instruction.operands[0]), d)
