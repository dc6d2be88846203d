"""A kernel prepared for launches with one block shape: its code, its memory, and the properties of its instructions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from grader.ptxsim.analysis.divergence import Facts, analyse, analyse_without_convergence
from grader.ptxsim.analysis.graph import Graph, build
from grader.ptxsim.analysis.inline import function_addresses, inlined
from grader.ptxsim.analysis.local_bounds import arrays_of_registers, with_bounds
from grader.ptxsim.analysis.lowering import (
    BLOCK_OF_CLUSTER,
    with_recorded_reads,
    with_reserved_memory,
    without_carries,
    without_clusters,
)
from grader.ptxsim.analysis.ordering import AccessOrder, order_of, waits_for_flags
from grader.ptxsim.analysis.registers import sources
from grader.ptxsim.analysis.shape import Dim3, Geometry
from grader.ptxsim.analysis.updates import SplitAdditions, split_additions, with_speculative_loads
from grader.ptxsim.engine import memory_layout
from grader.ptxsim.generate.code import PlacedKernel
from grader.ptxsim.generate.convergence_points import with_shared_operands
from grader.ptxsim.generate.general import split
from grader.ptxsim.generate.layout import CONSTANTS, FIRST_LOCAL, GLOBALS, SEGMENT_BITS, Place, SharedArray, window
from grader.ptxsim.generate.operands import WORKSPACE_NAME
from grader.ptxsim.generate.parted import Parted
from grader.ptxsim.records.lacks import Lack, UnsupportedError
from grader.ptxsim.syntax.records import Function, Instruction, Module, Special, Variable

# Their effects depend on the order of blocks: kernels with them run one block after the other, always in one order.
_HEAP = frozenset({"malloc", "free"})
_IN_SEQUENCE = frozenset({"atom", "red", "print"}) | _HEAP
# With these, blocks can wait for or count each other, so that a launch of some blocks would not be meaningful.
_NEEDS_ALL_BLOCKS = frozenset({"atom", "red", "membar", "fence"})
_OF_ONE_BLOCK = {"shared", "shared::cta"}  # memory that no other block can access

# %envreg1 and %envreg2 have the address of the memory through which cooperative groups synchronise a grid.
GRID_WORKSPACE = Variable(WORKSPACE_NAME, "global", 64, 16)
WORKSPACE = Special("envreg2")

MOST_VARIABLES = 1 << 30  # bytes of a module's variables
VARIABLE_GAP = 64  # bytes after each variable, so that an index shortly past its end does not reach another
MOST_STATE = 1 << 30  # bytes of a block's registers and local memory; unused pages take no memory
MOST_LOCAL = 1 << 20  # bytes of a thread; a GPU has half as many


@dataclass(frozen=True, slots=True)
class BlockTraits:
    """The properties of a kernel's instructions that determine how its blocks may run."""

    instructions: int
    in_sequence: bool
    allocates: bool
    waits_for_flags: bool
    syncs_grid: bool
    sync_line: int
    needs_all_blocks: bool
    prints: bool
    copies: bool
    maps_blocks: bool  # whether it computes addresses in other blocks' shared memory


@dataclass(frozen=True, slots=True)
class SearchFacts:
    """The properties that a search for races and unset values needs; empty for kernels that are not traced."""

    order: AccessOrder = field(default_factory=AccessOrder)
    unset_at: tuple[int, ...] = ()  # lines that may read a register before it is set; 0 for an unknown line
    additions: SplitAdditions = field(default_factory=SplitAdditions)


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel for a block shape: the parts of its code, its memory, and properties for the launch.

    `parameters` has offset and size of each, `variables` those of the module with their addresses.
    """

    placed: PlacedKernel
    code: Parted
    parameters: memory_layout.Offsets
    variables: tuple[tuple[Variable, int], ...]
    traits: BlockTraits
    search: SearchFacts

    @property
    def places(self) -> Sequence[Place]:
        return self.code.places

    @property
    def geometry(self) -> Geometry:
        return self.placed.facts.geometry


def entry(module: Module, name: str) -> Function:
    """Return the kernel with this name.

    Raises:
        KeyError: there is none.

    """
    return next(function for function in module.functions if function.is_entry and function.name == name)


@dataclass(frozen=True, slots=True)
class Analysed:
    """A kernel without calls, and the facts about it for a block shape; for `general` code, or for other code."""

    function: Function
    facts: Facts
    general: bool


def analysed(module: Module, name: str, block: Dim3, *, general: bool) -> Analysed:
    """Analyse a kernel, for code that may assume where lanes reconverge or for `general` code."""
    function = with_bounds(inlined(module, entry(module, name)), module.local_arrays)
    function = with_speculative_loads(without_clusters(without_carries(with_reserved_memory(function))))
    function = with_recorded_reads(function, module.variables)
    graph, geometry = build(function), Geometry(block)
    if not general:
        return Analysed(function, analyse(graph, function.registers, geometry), general)
    graph, registers = with_shared_operands(graph, function.registers)
    function = replace(function, registers=registers)
    return Analysed(function, analyse_without_convergence(split(graph), registers, geometry), general)


def prepare(module: Module, kernel: Analysed, dynamic_shared: int = 0, *, traced: bool = False) -> Kernel:
    """Place an analysed kernel in memory. Its code, if `traced`, appends its accesses to a trace."""
    function, facts = kernel.function, kernel.facts
    symbols, arrays = memory_layout.place_shared(module, function, dynamic_shared)
    local_symbols, local_bytes = _local(function)
    offsets = memory_layout.offsets_of(function)
    variables = _placed((GRID_WORKSPACE, *memory_layout.copy_of_parameters(function, offsets), *module.variables))
    symbols |= function_addresses(module) | local_symbols | {variable.name: address for variable, address in variables}
    symbols |= memory_layout.addresses_of_parameters(function, offsets, symbols)
    placed = PlacedKernel(
        function,
        facts,
        symbols,
        parameters=memory_layout.offsets_by_name(function, offsets),
        arrays=arrays,
        local_bytes=local_bytes,
        pointing=_pointing(facts.graph, symbols, arrays),
        traced=traced,
    )
    traits = _traits(kernel)
    search = _search_facts(kernel, spins=traits.waits_for_flags) if traced else SearchFacts()
    code = Parted(placed, kernel.general)
    if code.stride * facts.geometry.warps > MOST_STATE:
        raise UnsupportedError(Lack.REGISTERS_AND_LOCAL)
    return Kernel(placed, code, offsets, variables, traits, search)


def _pointing(graph: Graph, symbols: Mapping[str, int], arrays: tuple[SharedArray, ...]) -> dict[str, str]:
    """Return the shared variable that each register is likely to point into, if there are several."""
    shared = {name for name, address in symbols.items() if 0 < address < 1 << SEGMENT_BITS}
    return arrays_of_registers(graph, shared) if len(arrays) > 1 else {}


def _search_facts(kernel: Analysed, *, spins: bool) -> SearchFacts:
    function, facts = kernel.function, kernel.facts
    return SearchFacts(
        order_of(function, facts.geometry.threads, spins=spins),
        _unset_at(function, facts),
        split_additions(facts.graph),
    )


def _unset_at(function: Function, facts: Facts) -> tuple[int, ...]:
    """Return the lines that first read registers which may not be set."""
    unset = set(facts.live.names(facts.live.live_in[0]))
    lines = set()
    for instruction in function.instructions:
        read = unset & {register.name for register in sources(instruction)}
        lines |= {instruction.line} if read else set()
        unset -= read
    return tuple(sorted(lines))


def _traits(kernel: Analysed) -> BlockTraits:
    function, facts = kernel.function, kernel.facts
    # In the graph of general code, a barrier is followed by a fence that the kernel does not have.
    between_blocks = {instruction.opcode for instruction in function.instructions if not _stays_in_block(instruction)}
    instructions = facts.graph.instructions
    syncs = [instruction for instruction in instructions if WORKSPACE in instruction.operands]
    opcodes = {instruction.opcode for instruction in instructions}
    spins = waits_for_flags(facts.graph, facts.order)
    return BlockTraits(
        instructions=len(instructions),
        in_sequence=bool(between_blocks & _IN_SEQUENCE),
        allocates=bool(opcodes & _HEAP),
        waits_for_flags=spins,
        syncs_grid=bool(syncs),
        sync_line=min((instruction.line for instruction in syncs if instruction.line), default=0),
        needs_all_blocks=bool(between_blocks & _NEEDS_ALL_BLOCKS) or spins,
        prints="print" in opcodes,
        copies="cp" in opcodes,
        maps_blocks=any(BLOCK_OF_CLUSTER in instruction.operands for instruction in instructions),
    )


def _stays_in_block(instruction: Instruction) -> bool:
    """Whether an atomic or a fence has no effect on other blocks."""
    of_block = {"cta"} if instruction.opcode in {"membar", "fence"} else _OF_ONE_BLOCK
    return not of_block.isdisjoint(instruction.modifiers)


def _local(function: Function) -> tuple[dict[str, int], int]:
    """Return the addresses of the variables in local memory, and their total bytes."""
    place, symbols = 0, {}
    for variable in function.variables:
        if variable.space == "local":
            place = memory_layout.aligned(place, max(16, variable.alignment))
            symbols[variable.name] = FIRST_LOCAL + place
            place += variable.size
    if place > MOST_LOCAL:
        raise UnsupportedError(Lack.LOCAL)
    return symbols, memory_layout.aligned(place, 16)


def _placed(variables: Sequence[Variable]) -> tuple[tuple[Variable, int], ...]:
    """Return the module's variables with their addresses; a gap follows each."""
    placed = []
    places = {"const": window(CONSTANTS) + 256, "global": window(GLOBALS) + 256}
    for variable in variables:
        if variable.space in places:
            place = memory_layout.aligned(places[variable.space], max(16, variable.alignment))
            placed.append((variable, place))
            places[variable.space] = place + variable.size + VARIABLE_GAP
    if any(
        place >= window(space) + MOST_VARIABLES
        for place, space in zip(places.values(), (CONSTANTS, GLOBALS), strict=True)
    ):
        raise UnsupportedError(Lack.VARIABLES)
    return tuple(placed)
