"""Instructions that convert numbers. Where that changes a value whose way is traced, it is a step of the way."""

from __future__ import annotations

import numpy as np

from grader.worker.replay.arithmetic import converted, type_of
from grader.worker.replay.operands import Operands
from grader.worker.replay.origins import CONVERTED, OTHER
from grader.worker.replay.threads import Step, Who


def convert(operands: Operands) -> Step:
    """Convert a number (PTX ISA, "cvt")."""
    *modifiers, to, source_type = operands.instruction.modifiers
    kind, given, roundings = type_of(to), type_of(source_type), tuple(modifiers)
    is_rounded = given == kind  # to a whole number
    is_shorter = given.kind != kind.kind or kind.itemsize < given.itemsize or is_rounded
    is_shorter &= "f" in {given.kind, kind.kind}  # other integers are indices, or wrap around as they should
    result, source = operands.all
    read, write, trace = operands.every(source, given), operands.writer(result), operands.tracer("", (source,))
    origins, number = operands.machine.origins, operands.number

    def step(who: Who) -> None:
        before = read(who)
        values, nodes = converted(before, kind, roundings), trace(who, before)
        changed = (values != before) & (np.asarray(nodes) != 0) if is_shorter else np.False_
        if (changed & ~np.isnan(before)).any():
            place = operands.machine.place_of(number, who)
            origins.shorter[place] = kind.name
            way = OTHER if is_rounded else CONVERTED
            nodes = np.where(changed, origins.add(way, place, who, values, [np.asarray(nodes)]), nodes)
        write(who, values, nodes)

    return step
