"""Post-dominators: the convergence points of branches.

K. D. Cooper, T. J. Harvey and K. Kennedy, "A simple, fast dominance algorithm", 2001, on the reversed graph.
"""

from __future__ import annotations

from grader.ptxsim.analysis.graph import EXIT, Graph


def post_dominators(graph: Graph) -> list[int]:
    """Return the immediate post-dominator of each block: a block, or EXIT. Blocks that never end have EXIT too."""
    count = len(graph.blocks)
    order = _towards_entry(graph)
    place = {block: number for number, block in enumerate(order)}
    place[EXIT] = -1
    nearest: list[int | None] = [None] * count

    def meet(first: int, second: int) -> int:
        while first != second:
            while place[first] > place[second]:
                first = _known(nearest, first)
            while place[second] > place[first]:
                second = _known(nearest, second)
        return first

    changed = True
    while changed:
        changed = False
        for block in order:
            new: int | None = None
            for successor in graph.blocks[block].successors:
                if successor == EXIT or nearest[successor] is not None:
                    new = successor if new is None else meet(successor, new)
            if new is not None and nearest[block] != new:
                nearest[block] = new
                changed = True
    return [EXIT if block is None else block for block in nearest]


def _known(nearest: list[int | None], block: int) -> int:
    result = nearest[block] if block != EXIT else EXIT
    return EXIT if result is None else result


def _towards_entry(graph: Graph) -> list[int]:
    """Return the blocks in reverse post-order of the reversed graph, starting at the exit."""
    predecessors = graph.predecessors()
    ends = [number for number, block in enumerate(graph.blocks) if EXIT in block.successors]
    seen: set[int] = set()
    result: list[int] = []
    for root in ends:
        if root in seen:
            continue
        seen.add(root)
        work = [(root, iter(predecessors[root]))]
        while work:
            block, rest = work[-1]
            for predecessor in rest:
                if predecessor not in seen:
                    seen.add(predecessor)
                    work.append((predecessor, iter(predecessors[predecessor])))
                    break
            else:
                work.pop()
                result.append(block)
    result.reverse()
    return result
