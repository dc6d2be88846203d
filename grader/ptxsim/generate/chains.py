"""The chain of checks after the masked blocks of a region: which block is next, and whether a loop begins again."""

from __future__ import annotations

from grader.ptxsim.analysis.divergence import MaskedRegion
from grader.ptxsim.generate.control import Flow
from grader.ptxsim.generate.exits import require

MOST_ROUNDS = 1 << 22  # of a loop that only some lanes are in, before the general code takes over
FEW_ROUNDS = 64  # of a loop in general code, before lanes after it run


def chain(flow: Flow, region: MaskedRegion) -> None:
    """Write all checks of a region."""
    emitter, order = flow.code.emitter, flow.code.kernel.facts.order
    inside = set(region.blocks)
    for place in range(len(region.blocks) + 1):
        emitter.label(flow.check_label(region, place))
        if place:
            at = order.positions[region.blocks[place - 1]]
            loops = [loop for loop in order.loops if loop.last == at and loop.head in inside]
            for loop in sorted(loops, key=lambda loop: -loop.first):
                _again(flow, loop.head)
        if place < len(region.blocks):
            if flow.lanes_wait:
                emitter.do(f"br label %{flow.check_label(region, place)}x")
                emitter.label(f"{flow.check_label(region, place)}x")
            _jump_if_waiting(flow, region.blocks[place], flow.check_label(region, place + 1))
    _leave(flow, region)


def _jump_if_waiting(flow: Flow, number: int, otherwise: str) -> None:
    emitter = flow.code.emitter
    if flow.lanes_wait:
        flow.lanes_wait.let_go_before(number)
    lanes = emitter.op(f"load i32, ptr {flow.slot(number)}")
    some = emitter.op(f"icmp ne i32 {lanes}, 0")
    if flow.lanes_wait and number in flow.lanes_wait.stops:
        label = emitter.new_label("ready")
        emitter.do(f"br i1 {some}, label %{label}, label %{otherwise}")
        emitter.label(label)
        some = flow.lanes_wait.ready(number, lanes)
    emitter.do(f"br i1 {some}, label %b{number}, label %{otherwise}")


def _again(flow: Flow, head: int) -> None:
    """Go back to the head of a loop while lanes wait there and there is time."""
    emitter = flow.code.emitter
    lanes = emitter.op(f"load i32, ptr {flow.slot(head)}")
    some = emitter.op(f"icmp ne i32 {lanes}, 0")
    back, on = emitter.new_label("back"), emitter.new_label("on")
    emitter.do(f"br i1 {some}, label %{back}, label %{on}")
    emitter.label(back)
    block = flow.code.kernel.facts.graph.blocks[head]
    if flow.pauses is None or not flow.pauses.in_region(head):
        flow.code.active = lanes
        _count_round(flow, on)
    flow.code.active = emitter.op(f"load i32, ptr {flow.slot(head)}")
    flow.code.forget()  # values of the blocks before, which need not have run
    flow.watch(next((i.line for i in block.instructions if i.line), block.line), head)
    emitter.do(f"br label %{_entrance(flow, head)}")
    emitter.label(on)


def watch_pass(flow: Flow, late: str) -> None:
    """Stop after a pass if the time was over a pass before. In between, a loop stops in a line that is known.

    `late` is the place of what the last pass saw.
    """
    emitter = flow.code.emitter
    before = emitter.op(f"load i32, ptr {late}")
    now = emitter.op(f"load volatile i32, ptr {flow.code.processor('stop', 'ptr')}")
    emitter.do(f"store i32 {now}, ptr {late}")
    with emitter.where(emitter.op(f"icmp ne i32 {before}, 0"), ", !prof !1"):
        flow.watch(0)


def _entrance(flow: Flow, head: int) -> str:
    """Return the label that leads to a head, past its check where lanes may have to wait for each other there."""
    if flow.lanes_wait is None:
        return f"b{head}"
    region = flow.region_of[head]
    return flow.check_label(region, region.blocks.index(head)) + "x"


def _count_round(flow: Flow, on: str) -> None:
    """Count an iteration: a loop that some lanes do not leave may wait for lanes that have left it."""
    emitter = flow.code.emitter
    flow.rounds = flow.rounds or emitter.slot()
    count = emitter.counted(flow.rounds)
    if flow.lanes_wait is None:
        require(flow.code, emitter.op(f"icmp slt i32 {count}, {MOST_ROUNDS}"))
        return
    low = emitter.op(f"and i32 {count}, {FEW_ROUNDS - 1}")
    label = emitter.new_label("round")
    emitter.do(f"br i1 {emitter.op(f'icmp ne i32 {low}, 0')}, label %{label}, label %{on}")
    emitter.label(label)


def _leave(flow: Flow, region: MaskedRegion) -> None:
    """No lane waits within the region any more: all remaining lanes continue after it."""
    emitter = flow.code.emitter
    if flow.lanes_wait:
        flow.lanes_wait.end()
        return
    if not region.exits:
        emitter.do("br label %done")
        return
    if len(region.exits) == 1:
        left = emitter.op(f"load i32, ptr {flow.code.entry.alive}")
        some = emitter.op(f"icmp ne i32 {left}, 0")
        emitter.do(f"br i1 {some}, label %b{region.exits[0]}, label %done")
        return
    for target in region.exits:
        other = emitter.new_label("exit")
        _jump_if_waiting(flow, target, other)
        emitter.label(other)
    emitter.do("br label %done")
