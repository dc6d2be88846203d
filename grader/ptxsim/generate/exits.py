"""Ways out of generated code: a fault, or an assumption of the fast code that does not hold.

The fault of a launch that is stopped names the place in memory whose value a loop waits for.
"""

from __future__ import annotations

from dataclasses import dataclass

from grader.ptxsim.analysis.ordering import awaited_read, inside
from grader.ptxsim.analysis.registers import results
from grader.ptxsim.generate.addresses import access_at, generic_addresses
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import Emitter, vector
from grader.ptxsim.generate.layout import FaultKind, Status
from grader.ptxsim.syntax.records import Address, Instruction, Integer, Register

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


@dataclass(frozen=True, slots=True)
class Awaited:
    """The vector of the lanes' generic addresses, and how many bytes each reads there."""

    addresses: str
    size: int


def awaited(code: Code, head: int | None) -> Awaited | None:
    """Return what a loop waits for, at its end; None where it reads several places or computes the address itself."""
    facts = code.kernel.facts
    if head is None or head not in facts.spins:
        return None
    read = awaited_read(facts.graph, facts.order, head)
    address = next((operand for operand in read.operands if isinstance(operand, Address)), None) if read else None
    known = _known_at(code, head, address) if address else None
    if read is None or known is None:
        return None
    access = access_at(known, read)
    return Awaited(generic_addresses(code, access), access.total)


def leave_time_fault(emitter: Emitter, where: int, active: str, place: Awaited | None) -> None:
    """Write the fault of a launch that is stopped, with the address at which its first active lane waits."""
    lane = emitter.op(f"call i32 @llvm.cttz.i32(i32 {active}, i1 false)")
    address = emitter.op(f"extractelement {vector('i64')} {place.addresses}, i32 {lane}") if place else "0"
    emitter.do(
        f"call void @leave_access_fault(ptr %m, ptr %w, i32 {int(FaultKind.TIME)}, i32 {where}, i32 {lane}, "
        f"i64 {address}, i32 {place.size if place else 0}, i32 0)"
    )


def _known_at(code: Code, head: int, address: Address) -> Address | None:
    """Return an address in terms of what is known at the head of a loop, which may add a constant to it."""
    base = address.base
    if not isinstance(base, Register) or _is_live(code, head, base):
        return address
    instructions = inside(code.kernel.facts.graph, code.kernel.facts.order, head)
    match [instruction for instruction in instructions if base in results(instruction)]:
        case [Instruction(opcode="add", guard=None, operands=(_, Register() as start, Integer(more)))]:
            return Address(start, address.offset + more) if _is_live(code, head, start) else None
    return None


def _is_live(code: Code, head: int, register: Register) -> bool:
    live = code.kernel.facts.live
    return register.name in live.numbers and bool(live.live_in[head] >> live.numbers[register.name] & 1)
