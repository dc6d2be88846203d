"""Ways out of generated code: a fault, or an assumption of the fast code that does not hold."""

from __future__ import annotations

from grader.ptxsim.generate.code import Code
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


def succeed(code: Code, condition: str) -> None:
    """Continue only if a call has written no fault."""
    label = code.emitter.new_label("succeeded")
    code.emitter.do(f"br i1 {condition}, label %{label}, label %fault, !prof !0")
    code.emitter.inner_label(label)


def leave(code: Code, status: Status) -> None:
    """Return to the function that runs the warp."""
    code.emitter.do(f"ret i32 {int(status)}")


def fail(code: Code, kind: FaultKind, lanes_: str) -> None:
    """Write a fault of some lanes, and return."""
    where = code.place()
    code.emitter.do(f"call void @leave_fault(ptr %m, ptr %w, i32 {int(kind)}, i32 {where}, i32 {lanes_})")
    code.emitter.do("br label %fault")
