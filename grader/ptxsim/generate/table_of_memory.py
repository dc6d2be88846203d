"""Accesses to memory (PTX ISA, "Data Movement and Conversion Instructions", "atom", "red", "Asynchronous copy")."""

from __future__ import annotations

from grader.ptxsim.analysis.speculative_loads import SPECULATIVE
from grader.ptxsim.generate import atomics, copies, loads, local_bounds, moves, stores, warps
from grader.ptxsim.generate.table_words import CACHE, SCOPE, SHARED
from grader.ptxsim.generate.variants import ANY, Translate

_TYPES = "b8|b16|b32|b64|b128|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"
_SPACES = f"[global|{SHARED}|shared::cluster|local|const|param]"
_WRITTEN = f"[global|{SHARED}|shared::cluster|local|param]"
_ATOMIC = f"[relaxed|acquire|release|acq_rel] {SCOPE} [global|{SHARED}|shared::cluster] [L2::cache_hint]"
_POLICY = "L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged [L2::evict_first|L2::evict_unchanged]"
TABLE: dict[Translate, str] = {
    # All accesses happen in order, so that no word about the order changes a value.
    loads.load: f"""
        ld [{SPECULATIVE}] [weak|volatile] {_SPACES} [ca|cg|cs|lu|cv] {CACHE} [v2|v4] {_TYPES}
        ld [{SPECULATIVE}] [mmio] relaxed|acquire cta|cluster|gpu|sys {_SPACES} {CACHE} [v2|v4] {_TYPES}
        ld [{SPECULATIVE}] global [ca|cg|cs] nc {CACHE} [v2|v4] {_TYPES}
        ldu [global] [v2|v4] {_TYPES}
        """,
    stores.store: f"""
        st [weak|volatile] {_WRITTEN} [wb|cg|cs|wt] {CACHE} [v2|v4] {_TYPES}
        st [mmio] relaxed|release cta|cluster|gpu|sys {_WRITTEN} {CACHE} [v2|v4] {_TYPES}
        """,
    local_bounds.within: f"within {ANY}",
    atomics.atomic: f"""
        atom|red {_ATOMIC} and|or|xor b32|b64
        atom {_ATOMIC} exch b32|b64|b128
        atom {_ATOMIC} cas b16|b32|b64|b128
        atom|red {_ATOMIC} inc|dec u32
        atom|red {_ATOMIC} min|max u32|u64|s32|s64
        atom|red {_ATOMIC} add [v2|v4] f32
        atom|red {_ATOMIC} add u32|u64|s32|f64
        atom|red {_ATOMIC} add noftz [v2|v4|v8] f16|bf16
        atom|red {_ATOMIC} add noftz [v2|v4] f16x2|bf16x2
        """,
    copies.asynchronous: f"""
        cp async ca|cg {SHARED} global [L2::cache_hint] [L2::64B|L2::128B|L2::256B]
        cp async commit_group|wait_group|wait_all
        cp async mbarrier arrive [noinc] [{SHARED}] b64
        """,
    moves.cache_policy: f"""
        createpolicy fractional {_POLICY} b64
        createpolicy range [global] {_POLICY} b64
        createpolicy cvt L2 b64
        """,
    warps.nothing: """
        prefetch [global|local] L1|L2
        prefetch [global] L2::evict_last|L2::evict_normal
        prefetchu L1
        discard [global] L2
        applypriority [global] L2::evict_normal
        """,
}
