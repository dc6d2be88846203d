"""Tiles of a warp (PTX ISA, "Warp-level matrix instructions")."""

from __future__ import annotations

from grader.ptxsim.generate import matrix_rows, tensor_cores
from grader.ptxsim.generate.table_words import SHARED
from grader.ptxsim.generate.variants import Translate

_SHORT = "m16n16k16|m8n32k16|m32n8k16"
_LAYOUTS = "sync aligned row|col row|col"
TABLE: dict[Translate, str] = {
    tensor_cores.matrix: f"""
        wmma load a|b sync aligned row|col {_SHORT} [global|{SHARED}] f16|bf16|u8|s8
        wmma load c sync aligned row|col {_SHORT} [global|{SHARED}] f16|f32|s32
        wmma store d sync aligned row|col {_SHORT} [global|{SHARED}] f16|f32|s32
        wmma load a|b sync aligned row|col m16n16k8 [global|{SHARED}] tf32
        wmma load c sync aligned row|col m16n16k8 [global|{SHARED}] f32
        wmma store d sync aligned row|col m16n16k8 [global|{SHARED}] f32
        wmma load a|b|c sync aligned row|col m8n8k4 [global|{SHARED}] f64
        wmma store d sync aligned row|col m8n8k4 [global|{SHARED}] f64
        wmma mma {_LAYOUTS} {_SHORT} f16|f32 f16|f32
        wmma mma {_LAYOUTS} {_SHORT} f32 bf16 bf16 f32
        wmma mma {_LAYOUTS} {_SHORT} s32 u8 u8 s32
        wmma mma {_LAYOUTS} {_SHORT} s32 s8 s8 s32
        wmma mma {_LAYOUTS} m16n16k8 f32 tf32 tf32 f32
        wmma mma {_LAYOUTS} m8n8k4 [rn] f64 f64 f64 f64
        """,
    tensor_cores.mma: """
        mma sync aligned m16n8k8|m16n8k16 row col f16 f16 f16 f16
        mma sync aligned m16n8k8|m16n8k16 row col f32 f16 f16 f32
        mma sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32
        mma sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32
        mma sync aligned m8n8k4|m16n8k4|m16n8k8|m16n8k16 row col [rn] f64 f64 f64 f64
        mma sync aligned m8n8k16|m16n8k16|m16n8k32 row col s32 u8|s8 u8|s8 s32
        """,
    matrix_rows.load_matrices: f"ldmatrix sync aligned m8n8 x1|x2|x4 [trans] [{SHARED}] b16",
    matrix_rows.store_matrices: f"stmatrix sync aligned m8n8 x1|x2|x4 [trans] [{SHARED}] b16",
    matrix_rows.transpose: "movmatrix sync aligned m8n8 trans b16",
}
