"""What a kernel asks the system for: to print, to stop, to have failed."""

from __future__ import annotations

from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.generate.code import Code
from grader.worker.simulator.generate.emitter import vector
from grader.worker.simulator.generate.exits import fail, succeed
from grader.worker.simulator.generate.integers import result
from grader.worker.simulator.generate.ir_text import ir_text
from grader.worker.simulator.generate.layout import FaultKind
from grader.worker.simulator.generate.operands import read
from grader.worker.simulator.generate.values import integer, lanes, spread
from grader.worker.simulator.syntax.records import Instruction, Operand

MOST_ARGUMENTS = 256  # bytes that one printf prints
HEAD = 16  # bytes before a record: the format's address, and how many bytes of arguments follow


def trap(code: Code, instruction: Instruction) -> None:
    """Stop: trap, or a call too deep."""
    _stop(code, FaultKind.STACK if instruction.opcode == "overflow" else FaultKind.TRAP)


def _stop(code: Code, kind: FaultKind) -> None:
    fail(code, kind, code.lanes_that_act())
    code.emitter.label(code.emitter.new_label("never"))


def assertion(code: Code, instruction: Instruction) -> None:
    """assert: the address of the expression's text is part of the fault."""
    emitter = code.emitter
    acting = code.lanes_that_act()
    text = spread(emitter, read(code, instruction.operands[0], "b64"))
    lane = emitter.call("i32", "llvm.cttz.i32", [("i32", acting), ("i1", "false")])
    address = emitter.op(f"extractelement {vector('i64')} {text}, i32 {lane}")
    emitter.do(
        f"call void @leave_access_fault(ptr %m, ptr %w, i32 {int(FaultKind.ASSERTION)}, i32 {code.place()}, "
        f"i32 {lane}, i64 {address}, i32 0, i32 0)"
    )
    emitter.do("br label %fault")
    emitter.label(emitter.new_label("never"))


def allocate(code: Code, instruction: Instruction) -> None:
    """malloc: the lanes' sizes are replaced by addresses."""
    memory, _ = _heap(code, instruction.operands[1], releases=False)
    result(code, instruction, lanes("i64", code.emitter.load(vector("i64"), memory, 0, 8)))


def release(code: Code, instruction: Instruction) -> None:
    """free: a fault where an address is not in use."""
    emitter = code.emitter
    memory, failed = _heap(code, instruction.operands[0], releases=True)
    good, bad = emitter.new_label("freed"), emitter.new_label("not_freed")
    emitter.do(f"br i1 {emitter.op(f'icmp eq i32 {failed}, 0')}, label %{good}, label %{bad}")
    emitter.inner_label(bad)
    lane = emitter.op(f"sub i32 {failed}, 1")
    address = emitter.op(f"load i64, ptr {emitter.op(f'getelementptr i64, ptr {memory}, i32 {lane}')}")
    emitter.do(
        f"call void @leave_access_fault(ptr %m, ptr %w, i32 {int(FaultKind.FREE)}, i32 {code.place()}, i32 {lane}, "
        f"i64 {address}, i32 0, i32 0)"
    )
    emitter.do("br label %fault")
    emitter.label(good)


def _heap(code: Code, operand: Operand, *, releases: bool) -> tuple[str, str]:
    """Call the heap; return where the lanes' values are, and which lane has failed."""
    emitter = code.emitter
    memory = code.temporary("heap", 8 * LANES)
    emitter.store(vector("i64"), spread(emitter, read(code, operand, "b64")), memory, 0, 64)
    heap = code.processor("heap", "ptr")
    call = f"call i32 {heap}(ptr {memory}, i32 {code.lanes_that_act()}, i32 {int(releases)})"
    return memory, emitter.op(call)


def print_(code: Code, instruction: Instruction) -> None:
    """printf: format and arguments are kept as they are, and put together when the launch has ended."""
    emitter = code.emitter
    code.globals.functions["print"] = ir_text("print", most_arguments=MOST_ARGUMENTS, head=HEAD)
    pointers = []
    for number, operand in enumerate(instruction.operands[1:3]):
        pointer = code.temporary(f"print{number}", 8 * LANES)
        emitter.store(vector("i64"), spread(emitter, read(code, operand, "b64")), pointer, 0, 64)
        pointers.append(pointer)
    went = emitter.op(
        f"call i1 @print(ptr %m, ptr %w, ptr {pointers[0]}, ptr {pointers[1]}, i32 {code.lanes_that_act()}, "
        f"i32 {code.place()})"
    )
    succeed(code, went)
    result(code, instruction, integer("i32", 0))
