"""Control flow of a function: blocks of instructions and the edges between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from grader.ptxsim.records.lacks import Lack, MalformedError, UnsupportedError
from grader.ptxsim.syntax.records import Function, Guard, Instruction, Label, Operand, Register, Symbol, branch

EXIT = -1  # the target of a branch that ends the thread

_ENDS = frozenset({"bra", "brx", "ret", "exit"})
_BRANCHED_AROUND = frozenset(
    {"trap", "brkpt", "print", "assert", "overflow", "bar", "barrier", "wmma", "mma", "ldmatrix", "cp", "mbarrier"}
    | {"stmatrix", "shfl", "vote", "match", "redux", "elect"}
)


@dataclass(frozen=True, slots=True)
class Block:
    """A basic block: instructions in sequence, and its successors.

    With a `guard`, lanes whose predicate is true continue at the first successor, the others at the second. With a
    `selector`, lanes continue at the successor with that index. Otherwise there is one successor.
    """

    instructions: tuple[Instruction, ...]
    successors: tuple[int, ...]
    guard: Guard | None = None
    selector: Operand | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Graph:
    """The basic blocks of a function; the first is the entry."""

    blocks: tuple[Block, ...]

    def predecessors(self) -> list[list[int]]:
        """Return the predecessors of each block."""
        predecessors: list[list[int]] = [[] for _ in self.blocks]
        for number, block in enumerate(self.blocks):
            for successor in set(block.successors):
                if successor != EXIT:
                    predecessors[successor].append(number)
        return predecessors

    @property
    def instructions(self) -> list[Instruction]:
        """The instructions of all blocks."""
        return [instruction for block in self.blocks for instruction in block.instructions]

    def has(self, opcode: str) -> bool:
        """Whether the function has an instruction with this opcode."""
        return any(instruction.opcode == opcode for instruction in self.instructions)


def build(function: Function) -> Graph:
    """Return the control-flow graph of a function, without unreachable blocks."""
    pieces, places = _pieces(_branched(function.body))
    tables = {table.name: table.labels for table in function.targets}
    blocks = [_block(piece, number, len(pieces), places, tables) for number, piece in enumerate(pieces)]
    return _reachable(_straightened(blocks))


def _branched(body: Sequence[Instruction | Label]) -> list[Instruction | Label]:
    """Return the body with branches around guarded instructions that cannot be masked."""
    result: list[Instruction | Label] = []
    for statement in body:
        guard = statement.guard if isinstance(statement, Instruction) else None
        if guard is None or not isinstance(statement, Instruction) or statement.opcode not in _BRANCHED_AROUND:
            result.append(statement)
            continue
        behind = f"behind {len(result)}"
        result.append(branch(behind, statement.line, guard.opposite))
        result.append(replace(statement, guard=None))
        result.append(Label(behind))
    return result


def _pieces(body: Sequence[Instruction | Label]) -> tuple[list[list[Instruction]], dict[str, int]]:
    """Divide the body into straight-line runs. Returns them, and the index of the run that each label starts."""
    pieces: list[list[Instruction]] = [[]]
    places: dict[str, int] = {}
    for statement in body:
        if isinstance(statement, Label):
            if pieces[-1]:
                pieces.append([])
            places[statement.name] = len(pieces) - 1
            continue
        pieces[-1].append(statement)
        if statement.opcode in _ENDS:
            pieces.append([])
    return pieces, places


def _block(
    piece: list[Instruction], number: int, count: int, places: dict[str, int], tables: dict[str, tuple[str, ...]]
) -> Block:
    behind = number + 1 if number + 1 < count else EXIT
    last = piece[-1] if piece else None
    if last is None or last.opcode not in _ENDS:
        return Block(tuple(piece), (behind,), line=last.line if last else 0)
    inner = tuple(piece[:-1])
    if last.opcode in {"ret", "exit"}:
        return Block(inner, (EXIT, behind) if last.guard else (EXIT,), last.guard, line=last.line)
    if last.opcode == "brx":
        labels = tables.get(_symbol(last, 1), ())
        if not labels or last.guard:
            raise UnsupportedError(Lack.INSTRUCTION, last.line, name=last.name)
        return Block(inner, tuple(places[label] for label in labels), None, last.operands[0], last.line)
    target = places.get(_symbol(last, 0))
    if target is None:
        raise MalformedError(Lack.LABEL, last.line)
    return Block(inner, (target, behind) if last.guard else (target,), last.guard, line=last.line)


def _symbol(instruction: Instruction, place: int) -> str:
    operand = instruction.operands[place] if place < len(instruction.operands) else None
    return operand.name if isinstance(operand, Symbol) else ""


def _straightened(blocks: list[Block]) -> list[Block]:
    """Return the blocks with edges that skip empty blocks, so that a branch to a lone `ret` is an edge to EXIT."""

    def end(number: int) -> int:
        seen = set()
        while number != EXIT and number not in seen:
            seen.add(number)
            block = blocks[number]
            if block.instructions or len(block.successors) != 1:
                return number
            number = block.successors[0]
        return number

    result = []
    for block in blocks:
        successors = tuple(end(successor) for successor in block.successors)
        if len(set(successors)) == 1:
            result.append(replace(block, successors=successors[:1], guard=None, selector=None))
        else:
            result.append(replace(block, successors=successors))
    return result


def _reachable(blocks: list[Block]) -> Graph:
    kept = sorted(reached(Graph(tuple(blocks)), [0]))
    new = {old: place for place, old in enumerate(kept)} | {EXIT: EXIT}
    return Graph(tuple(replace(blocks[old], successors=tuple(new[s] for s in blocks[old].successors)) for old in kept))


def reached(graph: Graph, starts: Iterable[int], end: int = EXIT) -> set[int]:
    """Return the blocks that are reached from some, these included, on ways that do not lead to the block `end`."""
    seen: set[int] = set()
    new = set(starts) - {EXIT, end}
    while new:
        seen |= new
        new = {successor for block in new for successor in graph.blocks[block].successors} - seen - {EXIT, end}
    return seen


def guard_registers(block: Block) -> Iterable[Register]:
    """Return the registers that determine the successor of a block."""
    if block.guard:
        yield block.guard.register
    if isinstance(block.selector, Register):
        yield block.selector
