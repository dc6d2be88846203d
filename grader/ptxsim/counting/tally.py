"""The events of a trace, added up for each instruction. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from grader.ptxsim.analysis.graph import Graph
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.counting import transactions
from grader.ptxsim.counting.merging import merged
from grader.ptxsim.counting.sites import CodeSite, access_kind, is_of_fragment
from grader.ptxsim.counting.transactions import requests_of_fragments
from grader.ptxsim.engine.trace import WARP_BITS, Events, Integers, Mask, warps_of
from grader.ptxsim.generate.layout import SEGMENT_BITS, SHARED, Place
from grader.ptxsim.generate.traces import Event
from grader.ptxsim.records.fields import AccessKind, Space
from grader.ptxsim.syntax.records import Instruction

MOST_COMPARED = 64  # requests of an instruction of which the stride is the median

_GLOBAL_LOAD, _SHARED_LOAD, _SHARED_STORE = 1, 2, 3
_ROLES = {("global", "load"): _GLOBAL_LOAD, ("shared", "load"): _SHARED_LOAD, ("shared", "store"): _SHARED_STORE}

Key: TypeAlias = tuple[int, int, int]  # block and number of an instruction, and which of its accesses


@dataclass(frozen=True, slots=True)
class Tally:
    """What one instruction does in some blocks. The addresses are those of its requests, one row each."""

    line: int
    space: Space
    kind: AccessKind
    width: int
    addresses: Integers
    acts: Mask
    owners: Integers
    """Block and warp of each request, as one number."""
    each: int = 1
    """Requests of one execution of the instruction."""
    of_fragment: bool = False

    @property
    def alignment(self) -> int:
        """The largest of 16, 8 and 4 bytes that divides all addresses; 1 if none does."""
        bits = int(np.bitwise_or.reduce(self.addresses[self.acts]))
        return next((size for size in (16, 8, 4) if bits % size == 0), 1)

    @property
    def sectors(self) -> int:
        if self.space == "shared":
            return 0
        return int(transactions.distinct(self.addresses, self.acts, transactions.SECTOR).sum())

    @property
    def wavefronts(self) -> int:
        if self.space == "shared":
            return int(transactions.wavefronts(self.addresses, self.acts, self.width).sum())
        return int(transactions.distinct(self.addresses, self.acts, transactions.LINE).sum())

    @property
    def stride(self) -> int:
        """Bytes between the addresses of neighbouring lanes, the median."""
        addresses, acts = self.addresses[:MOST_COMPARED], self.acts[:MOST_COMPARED]
        steps = np.abs(np.diff(addresses, axis=1))[acts[:, 1:] & acts[:, :-1]]
        return int(np.median(steps)) if len(steps) else 0

    @property
    def repeats(self) -> int:
        """Requests with the same addresses as the one before of the same warp."""
        order = np.argsort(self.owners, kind="stable")
        addresses = np.where(self.acts, self.addresses, 0)[order]
        owners = self.owners[order]
        same = (addresses[1:] == addresses[:-1]).all(axis=1) & (owners[1:] == owners[:-1])
        return int(np.count_nonzero(same))


@dataclass(frozen=True, slots=True)
class Tallies:
    """The accesses of each instruction, merged as the assembler does, and how often warps ran each basic block."""

    accesses: Mapping[CodeSite, tuple[Tally, ...]]
    runs: Mapping[int, int]
    footprint: int
    global_loads: int = 0
    prefetches: int = 0
    """Of the global loads, those after which the warp reads shared memory before it stores there."""

    def runs_of(self, block: int) -> int:
        """How often warps ran a block."""
        return self.runs.get(block, 0)

    def access(self, key: Key) -> Tally | None:
        """The tally of an access, if the instruction has one."""
        several = self.accesses.get(CodeSite(*key[:2]), ())
        return several[key[2]] if key[2] < len(several) else None

    def quantity(self, key: Key, name: str) -> int:
        """The requests, lanes or another sum of an access."""
        tally = self.access(key)
        if tally is None:
            return 0
        if name == "requests":
            return len(tally.addresses)
        value: int = int(np.count_nonzero(tally.acts)) if name == "lanes" else getattr(tally, name)
        return value


def tallies(events: Events, places: Sequence[Place], graph: Graph, blocks: Sequence[int]) -> Tallies:
    """Add up the events of these blocks."""
    events = events[np.isin(events["block"], blocks) & (events["kind"] != Event.VALUES)]
    site_of = _sites(places, graph)
    numbers = np.array([-1 if site is None else index for index, site in enumerate(site_of)] or [-1])
    known = events[numbers[events["where"]] >= 0]
    by_place = {int(place): known[known["where"] == place] for place in np.unique(known["where"])}
    by_site: dict[CodeSite, list[Events]] = {}
    for place, some in by_place.items():
        site = site_of[place]
        if site is not None:
            by_site.setdefault(site, []).append(some)
    accesses: dict[CodeSite, tuple[Tally, ...]] = {}
    runs: dict[int, int] = {}
    for site, several in by_site.items():
        instruction = graph.blocks[site.block].instructions[site.number]
        tallied = tuple(_tallied(several, instruction))
        count = len(tallied[0].addresses) // tallied[0].each if tallied else sum(map(len, several))
        runs[site.block] = max(runs.get(site.block, 0), count)
        if tallied:
            accesses[site] = tallied
    loads = _prefetches(known, by_place, site_of, accesses)
    return Tallies(_merged(accesses, graph), runs, _footprint(accesses.values()), *loads)


def executed(events: Events, places: Sequence[Place], graph: Graph) -> set[int]:
    """Return the basic blocks in which the accesses of these events are."""
    site_of = _sites(places, graph)
    sites = (site_of[place] for place in np.unique(events["where"][events["kind"] != Event.VALUES]))
    return {site.block for site in sites if site is not None}


def _prefetches(
    events: Events,
    places: Iterable[int],
    site_of: Sequence[CodeSite | None],
    accesses: Mapping[CodeSite, tuple[Tally, ...]],
) -> tuple[int, int]:
    """Return the loads from global memory, and those after which a warp first reads shared memory, not stores there."""
    roles = np.zeros(len(site_of) or 1, np.int8)
    for place in places:
        site = site_of[place]
        tally = accesses[site][0] if site is not None and site in accesses else None
        roles[place] = _ROLES.get((tally.space, tally.kind), 0) if tally else 0
    relevant = events[roles[events["where"]] > 0]
    owners = warps_of(relevant)
    order = np.argsort(owners, kind="stable")
    role, owner = roles[relevant["where"]][order], owners[order]
    is_load = role == _GLOBAL_LOAD
    behind = np.minimum.accumulate(np.where(is_load, len(role), np.arange(len(role)))[::-1])[::-1]
    loads = np.flatnonzero(is_load & (behind < len(role)))
    following = behind[loads]
    is_read = (role[following] == _SHARED_LOAD) & (owner[following] == owner[loads])
    return int(is_load.sum()), int(is_read.sum())


def _sites(places: Sequence[Place], graph: Graph) -> list[CodeSite | None]:
    known = {
        (block, id(instruction)): CodeSite(block, number)
        for block, content in enumerate(graph.blocks)
        for number, instruction in enumerate(content.instructions)
    }
    return [known.get((place.block, id(place.record))) for place in places]


def _tallied(several: Sequence[Events], instruction: Instruction) -> Iterator[Tally]:
    """Yield the accesses of an instruction: for a copy, what it reads and what it writes."""
    line, kind = instruction.line, access_kind(instruction)
    if kind is None:
        return
    for number in (Event.READ, Event.ATOMIC, Event.WRITE, Event.COPY):
        parts = [some[some["kind"] == number] for some in several]
        parts = [part for part in parts if len(part)]
        if not parts:
            continue
        # A store of a vector has an event for each element, at a place of its own.
        items = len(parts) if number == Event.WRITE and kind == "store" else 1
        rows = parts[0] if items > 1 else np.concatenate(parts)
        acts = (rows["mask"][:, None] >> np.arange(LANES, dtype=np.uint32) & 1).astype(np.bool_)
        addresses = rows["words"].astype(np.int64)
        first = addresses[0, int(acts[0].argmax())]
        space: Space = "shared" if first >> SEGMENT_BITS == SHARED else "global"
        tally = Tally(line, space, kind, int(rows["size"][0]) * items, addresses, acts, warps_of(rows))
        yield _of_fragments(tally, instruction) if is_of_fragment(instruction) else tally


def _of_fragments(lines: Tally, instruction: Instruction) -> Tally:
    """Return the requests of accesses to fragments, of which the trace has the lines in memory."""
    width, addresses, acts = requests_of_fragments(lines.addresses, lines.acts, lines.width, instruction)
    each = len(addresses) // len(lines.addresses)
    owners = np.repeat(lines.owners, each)
    return replace(lines, width=width, addresses=addresses, acts=acts, owners=owners, each=each, of_fragment=True)


def _merged(accesses: Mapping[CodeSite, tuple[Tally, ...]], graph: Graph) -> Mapping[CodeSite, tuple[Tally, ...]]:
    shared = {site: some[0] for site, some in accesses.items() if some[0].space == "shared" and some[0].kind == "load"}
    alignments = {site: tally.alignment for site, tally in shared.items()}
    result = dict(accesses)
    for size, group in merged(graph, alignments):
        if all(site in shared for site in group):
            first = shared[group[0]]
            starts = first.addresses // size * size  # the first word may be one that nothing needs
            result[group[0]] = (Tally(first.line, "shared", "load", size, starts, first.acts, first.owners),)
            for site in group[1:]:
                del result[site]
    return result


def _footprint(every: Iterable[tuple[Tally, ...]]) -> int:
    """Return the sectors that each block reads, each once."""
    reads = [tally for some in every for tally in some if tally.space == "global" and tally.kind != "store"]
    if not reads:
        return 0
    sectors = np.concatenate([tally.addresses[tally.acts] // transactions.SECTOR for tally in reads])
    blocks = np.concatenate([np.repeat(tally.owners >> WARP_BITS, tally.acts.sum(axis=1)) for tally in reads])
    return sum(len(np.unique(sectors[blocks == block])) for block in np.unique(blocks))
