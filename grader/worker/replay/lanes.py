"""Instructions that move values between the lanes of a warp."""

from __future__ import annotations

import numpy as np

from grader.ptxsim.syntax.records import (
    Pair,
    Sink,
)
from grader.worker.replay.operands import Operands
from grader.worker.replay.origins import SHUFFLE
from grader.worker.replay.program import GivesUpError
from grader.worker.replay.threads import Step, Who


def exchange_lanes(operands: Operands) -> Step:
    """Move values between the lanes of a warp (PTX ISA, "shfl.sync")."""
    mode = operands.instruction.modifiers[1]
    result, source, lane, clamp, _ = operands.all
    first, second = (result.first, result.second) if isinstance(result, Pair) else (result, None)
    unsigned = np.dtype(np.uint32)
    read, read_lane, read_clamp = (operands.every(each, unsigned) for each in (source, lane, clamp))
    write, write_other = operands.writer(first or Sink()), operands.writer(second or Sink())
    cell, machine, number = operands.cell(source), operands.machine, operands.number

    def exchange(who: Who) -> None:
        own = (who % machine.geometry.per_block) % 32
        b, c = read_lane(who).astype(np.int64), read_clamp(who).astype(np.int64)
        segment, limit = c >> 8 & 31, c & 31
        least = own & segment
        most = least | (limit & ~segment)
        target = {"up": own - b, "down": own + b, "bfly": own ^ b, "idx": least | (b & ~segment)}.get(mode)
        if target is None:
            raise GivesUpError(mode)
        inside = target >= most if mode == "up" else target <= most
        target = np.where(inside, target, own)
        place = np.searchsorted(who, who - own + target)
        if (place >= len(who)).any() or (who[place] != who - own + target).any():
            raise GivesUpError("a lane that does not take part")
        values, nodes = read(who)[place], np.zeros(len(who), np.int64)
        if cell is not None and cell.origins is not None and (known := cell.origins[who][place]).any():
            reals, at = machine.origins.values(known), machine.place_of(number, who)
            nodes = np.where(known, machine.origins.add(SHUFFLE, at, who, reals, (known,)), 0)
        write(who, values, nodes)
        write_other(who, inside, 0)

    return exchange


def vote_of(operands: Operands) -> Step:
    """Compare a predicate among the lanes of each warp that take part (PTX ISA, "vote.sync")."""
    mode = operands.instruction.modifiers[1]
    result, predicate, _ = operands.all
    read, write, machine = operands.every(predicate, np.dtype(np.bool_)), operands.writer(result), operands.machine

    def vote(who: Who) -> None:
        warps = who // machine.geometry.per_block * 64 + who % machine.geometry.per_block // 32
        holds, lanes = read(who), (who % machine.geometry.per_block % 32).astype(np.uint64)
        _, warp = np.unique(warps, return_inverse=True)
        number = int(warp.max()) + 1
        true, every = np.bincount(warp, holds, number), np.bincount(warp, minlength=number)
        masks = np.zeros(number, np.uint64)
        np.bitwise_or.at(masks, warp, holds.astype(np.uint64) << lanes)
        answers = {"any": true > 0, "all": true == every, "uni": (true == 0) | (true == every), "ballot": masks}
        write(who, answers[mode].astype(np.uint32 if mode == "ballot" else np.bool_)[warp], 0)

    return vote
