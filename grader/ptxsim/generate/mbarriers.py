"""mbarrier: barriers that are objects in shared memory (PTX ISA, "mbarrier").

The object's 64 bits, which PTX leaves open: arrivals that the phase waits for (20), arrivals that a phase begins with
(20), 21 that are zero, whether the number of the phase is odd (1), and a mark that the object is initialised (2). Other
memory has that mark by chance only: unset memory and zeros never do. A state is the object as it was before an arrival.
"""

from __future__ import annotations

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.addresses import Access, accessed, address_value
from grader.ptxsim.generate.atomics import ALWAYS, Precondition, each_lane
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import vector
from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import Formula, Term, Writer, result
from grader.ptxsim.generate.values import Value, integer, lanes, scalar, spread
from grader.ptxsim.syntax.records import Address, Instruction

COUNT_BITS, PHASE_BITS = 20, 1
EXPECTED, PHASE = COUNT_BITS, 61
MARK = PHASE + PHASE_BITS
INITIALISED = -1 << 63  # the mark: a one, then a zero
INVALID = -2  # what mbarrier.inval leaves
_V = vector("i64")


def operation(code: Code, instruction: Instruction) -> None:
    """Carry out all forms but those that wait."""
    operands, modifiers = instruction.operands, instruction.modifiers
    how = next((name for name in _NEW if name in modifiers), "")
    count = integer("i32", 1) if isinstance(operands[-1], Address) else read(code, operands[-1], "u32")
    old = changed(code, instruction, how, count)
    if not isinstance(operands[0], Address):
        result(code, instruction, lanes("i64", old))


def changed(code: Code, instruction: Instruction, how: str, count: Value) -> str:
    """Change the objects at the lanes' addresses, one lane after the other, and return what they were before."""
    emitter, access = code.emitter, accessed(code, instruction)
    if how == "look" and not address_value(code, access.address).varies:
        return spread(emitter, scalar("i64", _seen_by_first(code, access)))
    return _by_each(code, access, how, emitter.op(f"zext {vector('i32')} {spread(emitter, count)} to {_V}"))


def _by_each(code: Code, access: Access, how: str, numbers: str, executing: str = "") -> str:
    """Change the objects of the `executing` lanes, or all that execute the instruction."""
    condition = ALWAYS if how in {"init", "inval"} else _INITIALISED
    name = f"mbarrier_{how.replace('.', '_')}"
    return each_lane(code, access, name, [numbers], _NEW[how], condition=condition, executing=executing)


def _seen_by_first(code: Code, access: Access) -> str:
    """Return the object at the address of the first executing lane."""
    emitter, executing = code.emitter, code.executing_lanes()
    first = emitter.op(f"and i32 {executing}, {emitter.op(f'sub i32 0, {executing}')}")
    seen = _by_each(code, access, "look", "zeroinitializer", first)
    lane = emitter.op(f"and i32 {emitter.first(executing)}, {LANES - 1}")
    return emitter.op(f"extractelement {_V} {seen}, i32 {lane}")


def completed(code: Code, instruction: Instruction) -> str:
    """Return the mask of lanes whose phase of test_wait or try_wait is over."""
    emitter = code.emitter
    _, _, state = instruction.operands[:3]
    now = changed(code, instruction, "look", integer("i32", 0))
    if "parity" in instruction.modifiers:
        parity = emitter.op(f"zext {vector('i32')} {spread(emitter, read(code, state, 'u32'))} to {_V}")
        before = emitter.op(f"shl {_V} {parity}, splat (i64 {PHASE})")
    else:
        before = spread(emitter, read(code, state, "b64"))
    other = emitter.op(f"and {_V} {emitter.op(f'xor {_V} {now}, {before}')}, splat (i64 {1 << PHASE})")
    differ = emitter.op(f"icmp ne {_V} {other}, zeroinitializer")
    return emitter.op(f"bitcast <{LANES} x i1> {differ} to i32")


def _field(w: Writer, word: str, place: int, bits: int) -> str:
    return w.op("and", w.op("lshr", word, place) if place else word, (1 << bits) - 1)


def _less(w: Writer, number: str, by: Term, bits: int) -> str:
    return w.op("and", w.op("sub", number, by), (1 << bits) - 1)


def _init(w: Writer, _old: str, count: str) -> str:
    count = w.op("and", count, (1 << COUNT_BITS) - 1)
    return w.op("or", w.op("or", count, w.op("shl", count, EXPECTED)), INITIALISED)


def _changed(w: Writer, old: str, *, arrived: Term = 0, dropped: Term = 0) -> str:
    """Return the object after arrivals, and with fewer expected ones; its next phase may begin."""
    pending = _less(w, _field(w, old, 0, COUNT_BITS), arrived, COUNT_BITS)
    expected = _less(w, _field(w, old, EXPECTED, COUNT_BITS), dropped, COUNT_BITS)
    over = w.op("icmp eq", pending, 0)
    phase = w.op("xor", _field(w, old, PHASE, PHASE_BITS), w.of("i1").cast("zext", over, "i64"))
    word = w.choose(over, expected, pending)
    for part, place in ((expected, EXPECTED), (phase, PHASE)):
        word = w.op("or", word, w.op("shl", part, place))
    return w.op("or", word, INITIALISED)


_INITIALISED = Precondition(
    f"""\
  %mark = ashr i64 %old, {MARK}
  %initialised = icmp eq i64 %mark, {INITIALISED >> MARK}
  %invalid = icmp eq i64 %old, {INVALID}
  %ended = zext i1 %invalid to i32""",
    "%initialised",
    FaultKind.NO_OBJECT,
    "%ended",
)
_NEW: dict[str, Formula] = {
    "init": _init,
    "inval": lambda _w, _old, _x: str(INVALID),
    "arrive_drop": lambda w, old, x: _changed(w, old, arrived=x, dropped=x),
    "arrive": lambda w, old, x: _changed(w, old, arrived=x),
    "look": lambda _w, old, _x: old,
}
