"""Ways out of generated code: a fault, or an assumption of the fast code that does not hold."""

from __future__ import annotations

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import vector
from grader.ptxsim.generate.layout import FaultKind, Status

# The end of every function that runs a warp; the branches of generated code lead to these labels.
ENDINGS = (
    "done:",
    "  store i32 0, ptr %alive.at",
    f"  ret i32 {int(Status.DONE)}",
    "fault:",
    f"  ret i32 {int(Status.FAULT)}",
    "diverged:",
    f"  ret i32 {int(Status.DIVERGED)}",
    "}",
)


def require(code: Code, condition: str) -> None:
    """Continue only if a condition holds that the fast code assumes."""
    code.may_diverge = True
    label = code.emitter.new_label("holds")
    code.emitter.do(f"br i1 {condition}, label %{label}, label %diverged, !prof !0")
    code.emitter.inner_label(label)


def succeed(code: Code, call: str) -> None:
    """Call a function, and continue only if it has written no fault."""
    succeeded, label = code.emitter.op(f"call i1 {call}"), code.emitter.new_label("succeeded")
    code.emitter.do(f"br i1 {succeeded}, label %{label}, label %fault, !prof !0")
    code.emitter.inner_label(label)


def leave(code: Code, status: Status) -> None:
    """Return to the function that runs the warp."""
    code.emitter.do(f"ret i32 {int(status)}")


def fail(code: Code, kind: FaultKind, lanes_: str) -> None:
    """Write a fault of some lanes, and return."""
    where = code.place()
    code.emitter.do(f"call void @leave_fault(ptr %m, ptr %w, i32 {int(kind)}, i32 {where}, i32 {lanes_})")
    code.emitter.do("br label %fault")


def write_access_fault(
    code: Code, kind: str | int, lane: str, address: str, size: int = 0, *, write: bool = False, line: int | None = None
) -> None:
    """Write a fault of one lane at an address."""
    code.emitter.do(
        f"call void @leave_access_fault(ptr %m, ptr %w, i32 {kind}, i32 {code.place(line)}, i32 {lane}, "
        f"i64 {address}, i32 {size}, i32 {int(write)})"
    )


def fail_at(code: Code, kind: str | int, lane: str, address: str, size: int = 0, *, write: bool = False) -> None:
    """Write a fault of one lane at an address, and return."""
    write_access_fault(code, kind, lane, address, size, write=write)
    code.emitter.do("br label %fault")


def fail_first(code: Code, kind: FaultKind, lanes: str, addresses: str, size: int = 0, *, write: bool = False) -> None:
    """Write a fault of the first of some lanes, at its address, and return."""
    lane = code.emitter.first(lanes)
    address = code.emitter.op(f"extractelement {vector('i64')} {addresses}, i32 {lane}")
    fail_at(code, int(kind), lane, address, size, write=write)
