"""An order of blocks in which masked code runs: a weak topological order; and where branches converge.

F. Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993: the blocks of a loop follow its head
directly, and every back edge leads to the head of a loop around it. Irreducible control flow has such an order too,
because any block of a cycle can be its head. The head is an entry block of the cycle if there is one, which need not be
the cycle's first block in the code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_

from grader.ptxsim.analysis.graph import EXIT, Graph


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop: its head, and its first and last index in the order."""

    head: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Order:
    """The blocks in order, the index of each, and the loops, outer ones first."""

    blocks: tuple[int, ...]
    positions: dict[int, int]
    loops: tuple[Loop, ...]

    def inside(self, loop: Loop) -> tuple[int, ...]:
        """Return the blocks of a loop, in order."""
        return self.blocks[loop.first : loop.last + 1]


def order(graph: Graph) -> Order:
    """Return a weak topological order of the blocks of a graph. Uses a work list instead of recursion."""
    predecessors = graph.predecessors()
    blocks: list[int] = []
    loops: list[Loop] = []
    todo: list[set[int] | int] = _components(graph, predecessors, set(range(len(graph.blocks))))
    while todo:
        item = todo.pop()
        if isinstance(item, int):  # the number of a loop that ends here
            loops[item] = replace(loops[item], last=len(blocks) - 1)
            continue
        head = _head(predecessors, item)
        if len(item) > 1 or head in graph.blocks[head].successors:
            todo.append(len(loops))
            loops.append(Loop(head, len(blocks), -1))
        blocks.append(head)
        todo += _components(graph, predecessors, item - {head})
    return Order(tuple(blocks), {block: place for place, block in enumerate(blocks)}, tuple(loops))


def _head(predecessors: list[list[int]], component: set[int]) -> int:
    """Return the first entry block of a loop, at which its lanes reconverge."""
    entries = {block for block in component if block == 0 or not component.issuperset(predecessors[block])}
    return min(entries or component)


def _components(graph: Graph, predecessors: list[list[int]], within: set[int]) -> list[set[int] | int]:
    """Return the strongly connected components within some blocks, the topologically first one last (Kosaraju)."""
    left = set(within)
    components: list[set[int] | int] = []
    for block in reversed(_finished(graph, within)):
        component: set[int] = set()
        new = {block} & left
        while new:
            component |= new
            new = {other for member in new for other in predecessors[member] if other in left} - component
        left -= component
        if component:
            components.append(component)
    return components[::-1]


def _finished(graph: Graph, within: set[int]) -> list[int]:
    """Return blocks in the order in which a depth-first search is finished with them.

    A branch's target is searched first, so that it comes after the fall-through in topological order, as in the source.
    """
    seen: set[int] = set()
    finished: list[int] = []
    todo = [(block, False) for block in sorted(within)]
    while todo:
        block, is_searched = todo.pop()
        if is_searched:
            finished.append(block)
        elif block not in seen:
            seen.add(block)
            todo.append((block, True))
            todo += [(other, False) for other in reversed(graph.blocks[block].successors) if other in within]
    return finished


def post_dominators(graph: Graph, blocks: Sequence[int]) -> list[int]:
    """Return the immediate post-dominator of each block: a block, or EXIT. Blocks that never end have EXIT too.

    They are the convergence points of branches. A set of blocks is an integer with a bit for each. `blocks` are those
    of the graph in topological order. (Aho, Lam, Sethi, Ullman: Compilers, section 9.6, on the reversed graph.)
    """
    never = (2 << len(graph.blocks)) - 1  # all blocks, and one more bit
    found = [never] * len(graph.blocks) + [0]  # the last is that of EXIT
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            behind = reduce(and_, (found[successor] for successor in graph.blocks[block].successors)) | 1 << block
            changed |= behind != found[block]
            found[block] = behind
    nearest = {behind: block for block, behind in enumerate(found[:-1])}
    return [nearest.get(behind ^ 1 << block, EXIT) for block, behind in enumerate(found[:-1])]
