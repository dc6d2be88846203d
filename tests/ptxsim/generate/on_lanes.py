"""One instruction on 32 lanes: A, B and C are read, D is written."""

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.generate.layout import Status
from grader.ptxsim.syntax.parser import parse

TEXT = """.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd)
{{
.reg .pred %p<4>;
.reg .b16 %h<8>;
.reg .b32 %r<16>;
.reg .b64 %rd<16>;
.reg .f32 %f<8>;
.reg .f64 %fd<8>;
.shared .align 16 .b8 tile[1024];
ld.param.u64 %rd1, [pa];
ld.param.u64 %rd2, [pb];
ld.param.u64 %rd3, [pc];
ld.param.u64 %rd4, [pd];
mov.u32 %r15, %tid.x;
mul.wide.u32 %rd5, %r15, {size};
add.s64 %rd1, %rd1, %rd5;
add.s64 %rd2, %rd2, %rd5;
add.s64 %rd3, %rd3, %rd5;
mul.wide.u32 %rd6, %r15, {size_out};
add.s64 %rd4, %rd4, %rd6;
ld.global.{load} {a}, [%rd1];
ld.global.{load} {b}, [%rd2];
ld.global.{load} {c}, [%rd3];
{body}
st.global.{store} [%rd4], {d};
ret;
}}
"""
NAMES = {2: "%h", 4: "%r", 8: "%rd1"}


def lanes(
    body: str, a: NDArray[np.generic], b: NDArray[np.generic], c: NDArray[np.generic], out: type[np.generic]
) -> NDArray[np.generic]:
    """In `body` the operands are called $a, $b, $c and the result $d; all are registers of bits."""
    size, size_out = a.itemsize, np.dtype(out).itemsize
    names = {key: f"{NAMES[size]}{number}" for key, number in zip("abc", (1, 2, 3), strict=True)}
    names["d"] = f"{NAMES[size_out]}4"
    for key, name in names.items():
        body = body.replace(f"${key}", name)
    text = TEXT.format(size=size, size_out=size_out, load=f"b{8 * size}", store=f"b{8 * size_out}", body=body, **names)
    result = np.zeros(32, out)
    buffers = {"A": a.copy(), "B": b.copy(), "C": c.copy(), "D": result}
    ran = Simulator(parse(text), "k", (32, 1, 1)).launch((1, 1, 1), buffers, ["A", "B", "C", "D"], processors=1)
    assert ran.status is Status.DONE, ran.fault
    return result
