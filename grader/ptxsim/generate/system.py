"""printf, malloc, free, assert and trap: calls that leave the kernel."""

from __future__ import annotations

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import vector
from grader.ptxsim.generate.exits import fail, fail_at, fail_first, succeed
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import result
from grader.ptxsim.generate.values import integer, lanes, spread
from grader.ptxsim.syntax.records import Instruction, Operand

MOST_ARGUMENTS = 256  # bytes of the arguments of one printf
HEAD = 16  # bytes at the start of a record: the format's address, and the number of bytes of arguments that follow


def trap(code: Code, instruction: Instruction) -> None:
    """Stop with a fault: trap, or calls nested too deeply."""
    fail(code, FaultKind.STACK if instruction.opcode == "overflow" else FaultKind.TRAP, code.executing_lanes())
    code.emitter.label(code.emitter.new_label("never"))


def assertion(code: Code, instruction: Instruction) -> None:
    """assert: stop with a fault that has the address of the expression's text."""
    emitter = code.emitter
    executing = code.executing_lanes()
    fail_first(code, FaultKind.ASSERTION, executing, spread(emitter, read(code, instruction.operands[0], "b64")))
    emitter.label(emitter.new_label("never"))


def allocate(code: Code, instruction: Instruction) -> None:
    """malloc: replace the sizes of the lanes by addresses."""
    memory, _ = _heap(code, instruction.operands[1], releases=False)
    result(code, instruction, lanes("i64", code.emitter.load(vector("i64"), memory, 0, 8)))


def release(code: Code, instruction: Instruction) -> None:
    """free: a fault if an address is not in use."""
    emitter = code.emitter
    memory, failed = _heap(code, instruction.operands[0], releases=True)
    with emitter.unless(emitter.op(f"icmp eq i32 {failed}, 0")):
        lane = emitter.op(f"sub i32 {failed}, 1")
        address = emitter.op(f"load i64, ptr {emitter.op(f'getelementptr i64, ptr {memory}, i32 {lane}')}")
        fail_at(code, int(FaultKind.FREE), lane, address)


def _heap(code: Code, operand: Operand, *, releases: bool) -> tuple[str, str]:
    """Call the heap. Return the pointer to the lanes' values, and the first lane that failed, counted from 1; or 0."""
    emitter = code.emitter
    memory = code.in_memory("heap", "i64", spread(emitter, read(code, operand, "b64")))
    heap = code.processor("heap", "ptr")
    call = f"call i32 {heap}(ptr {memory}, i32 {code.executing_lanes()}, i32 {int(releases)})"
    return memory, emitter.op(call)


def print_(code: Code, instruction: Instruction) -> None:
    """printf: record the format and the arguments, which are formatted when the launch has ended."""
    code.globals.functions["print"] = ir_text("print", most_arguments=MOST_ARGUMENTS, head=HEAD)
    pointers = []
    for number, operand in enumerate(instruction.operands[1:3]):
        pointers.append(code.in_memory(f"print{number}", "i64", spread(code.emitter, read(code, operand, "b64"))))
    given = f"ptr {pointers[0]}, ptr {pointers[1]}, i32 {code.executing_lanes()}, i32 {code.place()}"
    succeed(code, f"@print(ptr %m, ptr %w, {given})")
    result(code, instruction, integer("i32", 0))
