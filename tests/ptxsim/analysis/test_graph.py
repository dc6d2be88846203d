"""Control flow, orders and post-dominators on small graphs."""

import pytest

from grader.ptxsim.analysis.graph import EXIT, Block, Graph, post_dominators
from grader.ptxsim.analysis.order import order

DIAMOND = ((1, 2), (3,), (3,), (EXIT,))
LOOP = ((1,), (2, 3), (1,), (EXIT,))
NESTED = ((1,), (2,), (3, 2), (1, 4), (EXIT,))
IRREDUCIBLE = ((1, 2), (2,), (1, 3), (EXIT,))
ENDLESS = ((1,), (1,))


def graph(edges: tuple[tuple[int, ...], ...]) -> Graph:
    return Graph(tuple(Block((), successors) for successors in edges))


@pytest.mark.parametrize(
    ("edges", "expected"),
    [(DIAMOND, [3, 3, 3, EXIT]), (LOOP, [1, 3, 1, EXIT]), (NESTED, [1, 2, 3, 4, EXIT]), (ENDLESS, [EXIT, EXIT])],
)
def test_lanes_meet_again_at_the_post_dominator(edges, expected):
    assert post_dominators(graph(edges)) == expected


@pytest.mark.parametrize("edges", [DIAMOND, LOOP, NESTED, IRREDUCIBLE, ENDLESS])
def test_every_edge_back_leads_to_the_head_of_a_loop_around_it(edges):
    ordered = order(graph(edges))
    assert sorted(ordered.blocks) == list(range(len(edges)))
    for block, successors in enumerate(edges):
        for target in successors:
            if target != EXIT and ordered.places[target] <= ordered.places[block]:
                assert any(
                    loop.head == target and loop.first <= ordered.places[block] <= loop.last for loop in ordered.loops
                )


def test_the_head_of_a_loop_is_where_control_enters_it_even_if_other_blocks_precede_it():
    rotated = ((2,), (2,), (1, 3), (EXIT,))
    assert order(graph(rotated)).blocks == (0, 2, 1, 3)
