"""Programs that attack the simulator: random ones from a grammar of PTX, and real ones with words changed."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import Dim3
from grader.ptxsim.engine.simulate import Form, Simulator
from grader.ptxsim.generate.layout import Status
from grader.ptxsim.records.lacks import PtxError
from grader.ptxsim.syntax.parser import parse

CANARY = 4096  # bytes on each side of a buffer
ALIGNMENT = 256
SECONDS = 0.1  # of a launch

HEAD = """.version 8.4
.target sm_90
.address_size 64
.global .align 8 .b8 gl[200];
.const .align 8 .b8 co[120] = {1, 2, 3, 4};
.visible .entry fuzzed(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u32 pn)
{
.reg .pred %p<6>;
.reg .b16 %h<6>;
.reg .b32 %r<12>;
.reg .b64 %d<12>;
.reg .f32 %f<8>;
.reg .f64 %g<4>;
.shared .align 16 .b8 sm[1000];
.local .align 16 .b8 lo[104];
ld.param.u64 %d0, [pa];
ld.param.u64 %d1, [pb];
ld.param.u64 %d2, [pc];
ld.param.u32 %r0, [pn];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %laneid;
mad.lo.u32 %r3, %r1, 4, 0;
cvt.u64.u32 %d3, %r3;
add.u64 %d4, %d0, %d3;
add.u64 %d5, %d2, %d3;
mov.u32 %r4, sm;
add.u32 %r5, %r4, %r3;
mov.u64 %d6, lo;
cvta.local.u64 %d7, %d6;
mov.u64 %d8, gl;
setp.lt.u32 %p0, %r1, 17;
setp.lt.u32 %p1, %r1, %r0;
"""

# Letters in braces are replaced: registers of a type (p, h, r, d, f, g), the same or a number (H, R, D, F, G), an
# address of a space (global, shared, local, generic, constant), a label (L), one of several words (a|b|c).
PATTERNS = """
add.(u32|s32|u64|s64) {r} {R}
(add|sub|mul.lo|min|max|div|rem).(u32|s32) {r}, {R}, {R};
(add|sub|mul.lo|min|max|div|rem).(u64|s64) {d}, {D}, {D};
(add|sub|mul.lo|min|max|div|rem).(u16|s16) {h}, {H}, {H};
mul.wide.(u32|s32) {d}, {R}, {R};
mad.lo.(u32|s32) {r}, {R}, {R}, {R};
mad.wide.(u32|s32) {d}, {R}, {R}, {D};
(neg|abs).(s32) {r}, {r};
(and|or|xor).b32 {r}, {R}, {R};
(and|or|xor).b64 {d}, {D}, {D};
(and|or|xor).pred {p}, {p}, {p};
not.(b32) {r}, {R};
(shl.b32|shr.u32|shr.s32) {r}, {R}, {R};
(shl.b64|shr.u64|shr.s64) {d}, {D}, {R};
setp.(eq|ne|lt|le|gt|ge).(u32|s32) {p}, {R}, {R};
setp.(eq|lt|ge).(u64|s64) {p}, {D}, {D};
setp.(eq|neu|lt|geu|nan|num).f32 {p}, {F}, {F};
setp.(lt|ge).(and|or|xor).s32 {p}|{p}, {R}, {R}, {p};
selp.b32 {r}, {R}, {R}, {p};
selp.b64 {d}, {D}, {D}, {p};
selp.f32 {f}, {F}, {F}, {p};
mov.u32 {r}, {R};
mov.u64 {d}, {D};
mov.f32 {f}, {F};
mov.u32 {r}, (%tid.x|%tid.y|%ctaid.x|%laneid|%warpid|%lanemask_lt|%ntid.x|%nctaid.y|%clock);
mov.b64 {d}, {{r}, {r}};
mov.b64 {{r}, {r}}, {d};
mov.b32 {{h}, {h}}, {r};
cvta.(to.global|to.shared|shared|local|to.local).u64 {d}, {d};
cvt.(u64.u32|s64.s32) {d}, {r};
cvt.(u32.u64|s32.s64) {r}, {d};
cvt.(u32.u16|s32.s8|s32.s16) {r}, {h};
cvt.rzi.(s32|u32).f32 {r}, {f};
cvt.rn.f32.(s32|u32) {f}, {r};
cvt.f64.f32 {g}, {f};
cvt.rn.f32.f64 {f}, {g};
(add|sub|mul|min|max|div.rn).f32 {f}, {F}, {F};
fma.rn.f32 {f}, {F}, {F}, {F};
(sqrt.rn|rcp.rn|ex2.approx|lg2.approx|abs|neg).f32 {f}, {F};
(add|mul).f64 {g}, {G}, {G};
ld.global.(u32|s32|b32|u8|s8|u16) {r}, {global};
ld.global.f32 {f}, {global};
ld.global.(f64|b64) {g}, {global};
ld.global.v2.(u32|b32) {{r}, {r}}, {global};
ld.global.v4.f32 {{f}, {f}, {f}, {f}}, {global};
ld.shared.(u32|u8|s16) {r}, {shared};
ld.shared.f32 {f}, {shared};
ld.shared.v4.f32 {{f}, {f}, {f}, {f}}, {shared};
ld.shared.b64 {d}, {shared};
ld.local.(u32|u8) {r}, {local};
ld.local.b64 {d}, {local};
ld.local.v4.u32 {{r}, {r}, {r}, {r}}, {local};
ld.const.(u32|u8) {r}, {constant};
ld.(u32|b32|u8) {r}, {generic};
ld.b64 {d}, {generic};
ld.v4.f32 {{f}, {f}, {f}, {f}}, {generic};
ld.param.(u32|u64|u8) {d}, [(pa|pb|pc|pn)+{near}];
st.global.(u32|b32|u8|u16) {global}, {r};
st.global.f32 {global}, {f};
st.global.(b64|u64) {global}, {d};
st.global.v4.f32 {global}, {{f}, {f}, {f}, {f}};
st.global.v2.u32 {global}, {{r}, {r}};
st.shared.(u32|u8) {shared}, {r};
st.shared.v2.b64 {shared}, {{d}, {d}};
st.shared.f32 {shared}, {f};
st.local.(u32|u8) {local}, {r};
st.local.(b64) {local}, {d};
st.local.v4.u32 {local}, {{r}, {r}, {r}, {r}};
st.(u32|u8) {generic}, {r};
st.b64 {generic}, {d};
st.v4.f32 {generic}, {{f}, {f}, {f}, {f}};
atom.(global).(add.u32|min.u32|max.u32|and.b32|or.b32|xor.b32|exch.b32|inc.u32|dec.u32) {r}, {global}, {R};
atom.shared.(add.u32|exch.b32|max.u32) {r}, {shared}, {R};
atom.(add.u64|exch.b64|min.u64) {d}, {generic}, {D};
atom.global.cas.b64 {d}, {global}, {D}, {D};
atom.cas.b32 {r}, {generic}, {R}, {R};
atom.global.add.f32 {f}, {global}, {F};
red.global.add.(u32) {global}, {R};
red.add.f64 {generic}, {g};
bar.sync (0|1|15|{r});
bar.sync (0|1|7|{r}), (32|64|{r});
bar.arrive (1|2|{r}), (64|96|{r});
barrier.sync.aligned (0|3);
bar.red.popc.u32 {r}, (0|5|{r}), {p};
bar.warp.sync (-1|{r});
shfl.sync.(up|down|bfly|idx).b32 {r}|{p}, {r}, {R}, {R}, (-1|{r});
vote.sync.(all|any|uni).pred {p}, {p}, (-1|{r});
vote.sync.ballot.b32 {r}, {p}, (-1|{r});
match.any.sync.b32 {r}, {r}, (-1|{r});
redux.sync.(add|min|max).(u32|s32) {r}, {r}, (-1|{r});
activemask.b32 {r};
cp.async.(ca).shared.global {shared}, {global}, (4|8|16|3|32|1000);
cp.async.cg.shared.global {shared}, {global}, 16, {R};
cp.async.(commit_group|wait_all);
cp.async.wait_group (0|1|3);
(popc|clz|brev).b32 {r}, {R};
bfind.u32 {r}, {R};
(bfe.u32|bfe.s32) {r}, {R}, {R}, {R};
bfi.b32 {r}, {R}, {R}, {R}, {R};
prmt.b32 {r}, {R}, {R}, {R};
lop3.b32 {r}, {R}, {R}, {R}, (0|96|255|128);
shf.(l|r).(wrap|clamp).b32 {r}, {R}, {R}, {R};
dp4a.(u32.u32|s32.u32) {r}, {r}, {r}, {r};
fns.b32 {r}, {R}, {R}, {R};
ldmatrix.sync.aligned.m8n8.(x1|x2|x4).shared.b16 {{r}, {r}, {r}, {r}}, {shared};
mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {{f}, {f}, {f}, {f}}, {{r}, {r}, {r}, {r}}, {{r}, {r}}, {{f}, {f}, {f}, {f}};
(bra|bra.uni) {L};
(bra|bra.uni) {L};
(bra|bra.uni) {L};
brx.idx {r}, T;
(ret|exit|trap);
membar.gl;
mbarrier.init.shared.b64 {shared}, {R};
mbarrier.inval.shared.b64 {shared};
mbarrier.(arrive|arrive_drop).shared.b64 {d}, {shared};
mbarrier.arrive.shared.b64 {d}, {shared}, {R};
mbarrier.(test_wait|try_wait).shared.b64 {p}, {shared}, {d};
mbarrier.(test_wait|try_wait).parity.b64 {p}, {generic}, {R};
cp.async.mbarrier.arrive.(noinc.shared|shared).b64 {shared};
ld.(volatile|acquire.gpu|relaxed.cta).global.u32 {r}, {global};
ld.volatile.shared.u32 {r}, {shared};
mov.u32 {r}, (%envreg1|%envreg2);
{ .param .b64 q; .param .b64 z; st.param.b64 [q], {d}; call (z), malloc, (q); ld.param.b64 {d}, [z]; };
{ .param .b64 q; st.param.b64 [q], {d}; call free, (q); };
{ .param .b32 q; .param .b32 z; st.param.b32 [q], {r}; call (z), {d}, (q), T; ld.param.b32 {r}, [z]; };
(add|sub|addc|subc).cc.(u32|u64|s32) {r}, {R}, {R};
(madc|mad).(lo|hi).cc.u32 {r}, {R}, {R}, {R};
(addc|subc).u32 {r}, {R}, {R};
(rem|div).(u64|s64) {d}, {D}, {D};
cvt.rzi.(s64|u64).f64 {d}, {g};
(div|sqrt|rcp).(rz|rm).f32 {f}, {F};
"""
LINES = [line for line in PATTERNS.strip().splitlines() if line.endswith(";")]
NUMBERS = (0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 63, 64, 100, 255, 256, 1000, 1024, 4095, 65535, 1 << 20,
           (1 << 31) - 1, 1 << 31, (1 << 32) - 1, -1, -2, -4, -16, -1024)  # fmt: skip
WIDE = (*NUMBERS, 1 << 40, 3 << 40, 4 << 40, 11 << 40, 13 << 40, 14 << 40, 15 << 40, (15 << 40) + 1024, (14 << 40) + 1024,
        (1 << 63) - 4, (1 << 63) - 8, 1 << 63, -(1 << 40), (1 << 62), (1 << 59))  # fmt: skip
COUNTS = {"p": 6, "h": 6, "r": 12, "d": 12, "f": 8, "g": 4}


def grammar(seed: int) -> str:
    """Return a kernel of random instructions."""
    draw = random.Random(seed)  # noqa: S311 - the same programs every time
    labels = [f"$L{number}" for number in range(draw.randrange(1, 6))]
    body: list[str] = []
    for number in range(draw.randrange(4, 28)):
        if draw.random() < 0.22 and len(body) < len(labels) * 9:
            body.append(f"{draw.choice(labels)}x{number}:")
        guard = draw.choice(("", "", "", f"@%p{draw.randrange(6)} ", f"@!%p{draw.randrange(6)} "))
        body.append(guard + _filled(draw.choice(LINES), draw, labels))
    for label in labels:
        body.insert(draw.randrange(len(body) + 1), f"{label}:")
    table = f"T: .branchtargets {', '.join(labels)};\n"
    return HEAD + table + "\n".join(body) + "\nret;\n}\n"


def _filled(pattern: str, draw: random.Random, labels: Sequence[str]) -> str:
    text = re.sub(r"\(([^()]*\|?[^()]*)\)", lambda match: draw.choice(match[1].split("|")), pattern)
    return re.sub(r"\{(\w+)\}", lambda match: _item(match[1], draw, labels), text)


def _item(name: str, draw: random.Random, labels: Sequence[str]) -> str:
    if name in COUNTS:
        return f"%{name}{draw.randrange(COUNTS[name])}"
    if name == "L":
        return draw.choice(labels)
    if name == "near":
        return str(draw.choice((0, 0, 0, 4, 8, 24, 32, 100, 4096, 1 << 20, 1 << 31, -8, -4096)))
    if name in {"F", "G"}:
        number = draw.choice(("0f3F800000", "0f7F800000", "0fFF800000", "0f7FC00001", "0f00000001", "0fCF000000"))
        return _item(name.lower(), draw, labels) if name == "G" or draw.random() < 0.7 else number
    if name in {"H", "R", "D"}:
        if draw.random() < 0.6:
            return _item(name.lower(), draw, labels)
        return str(draw.choice(WIDE if name == "D" else NUMBERS))
    bases = {
        "global": ("%d4", "%d5", "%d0", "%d2", "%d8", "gl", "%d9", "%d10", "%d11"),
        "shared": ("%r5", "%r4", "sm", "%r6", "%d9", "%r7"),
        "local": ("%d6", "lo", "%d9", "%r8"),
        "generic": ("%d7", "%d4", "%d5", "%d9", "%d10", "gl"),
        "constant": ("co", "%d11", "%r9"),
    }[name]
    offset = draw.choice((0, 0, 0, 0, 4, 8, 16, 64, 96, 100, 992, 996, -4, -16, 2, 1, *WIDE))
    return f"[{draw.choice(bases)}{offset:+d}]" if offset else f"[{draw.choice(bases)}]"


_TOKEN = re.compile(r'[%$_A-Za-z][\w$]*|\.[A-Za-z0-9_]\w*|0[fFdDxX][0-9A-Fa-f]+|\d+|"[^"\n]*"|\s+|.')


def mutated(text: str, seed: int) -> str:
    """Return PTX with a few words changed: left out, doubled, exchanged, or numbers made others."""
    draw = random.Random(seed)  # noqa: S311 - the same programs every time
    words = _TOKEN.findall(text)
    start = next((place for place, word in enumerate(words) if word == ".entry"), 0)
    solid = [place for place in range(start, len(words)) if not words[place].isspace()]
    for _ in range(draw.choice((1, 1, 2, 3, 6, 12))):
        place, other = draw.choice(solid), draw.choice(solid)
        numbers = [p for p in solid if words[p].isdigit()]
        kind = draw.randrange(8)
        if kind == 0:
            words[place] = ""
        elif kind == 1:
            words[place] *= 2
        elif kind == 2:
            words[place], words[other] = words[other], words[place]
        elif kind == 3:
            words[place] = words[other]
        elif kind <= 5 and numbers:
            words[draw.choice(numbers)] = str(draw.choice((*WIDE, 1 << 64, 1 << 100, 10**30)))
        else:
            same = [p for p in solid if words[p][:1] == words[place][:1]]
            words[place] = words[draw.choice(same)]
    return "".join(words)


@dataclass(frozen=True, slots=True)
class Room:
    """Buffers with canaries around them, in one piece of the host's memory."""

    whole: NDArray[np.uint8]
    buffers: dict[str, NDArray[np.generic]]

    def intact(self, byte: int) -> bool:
        """Whether nothing but the buffers has changed."""
        kept = self.whole.copy()
        start = self.whole.ctypes.data
        for buffer in self.buffers.values():
            at = buffer.ctypes.data - start
            kept[at : at + buffer.nbytes] = byte
        return bool((kept == byte).all())


def room(sizes: Sequence[int], byte: int) -> Room:
    """Return buffers A, B, C of so many bytes with the same contents every time."""
    buffers: dict[str, NDArray[np.generic]] = {}
    whole = np.full(sum(sizes) + (CANARY + ALIGNMENT) * (len(sizes) + 1), byte, np.uint8)
    at = CANARY
    for name, size in zip("ABC", sizes, strict=True):
        at += -(whole.ctypes.data + at) % ALIGNMENT
        whole[at : at + size] = np.arange(size) * 7 % 251
        buffers[name] = whole[at : at + size]
        at += size + CANARY
    return Room(whole, buffers)


def attempt(
    text: str,
    block: Dim3 = (48, 1, 1),
    grid: Dim3 = (2, 1, 1),
    sizes: Sequence[int] = (404, 404, 404),
    number: int = 9,
    order: str = "forward",
) -> str:
    """Run a program twice, with other bytes around its buffers, and say how it ended.

    Raises AssertionError where it has written outside of its buffers, or depends on what lies there.
    """
    try:
        module = parse(text)
        entry = next((function for function in module.functions if function.is_entry), None)
        if entry is None or len(entry.parameters) > 7:
            return "no kernel"
        words = [*"ABC", number, number, number, number][: len(entry.parameters)]
        return _ended_twice(Simulator(module, entry.name, block), grid, sizes, words, order)
    except PtxError as error:
        return type(error).__name__


def _ended_twice(made: Simulator, grid: Dim3, sizes: Sequence[int], words: Sequence[str | int], order: str) -> str:
    first = {segment: memory.copy() for segment, memory in made.session(Form.QUICK).variables.items()}
    seen = []
    for byte in (0x5A, 0xC3):
        for session in made._sessions.values():
            for segment, memory in session.variables.items():
                memory[:] = first[segment]
        place = room(sizes, byte)
        outcome = made.launch(grid, place.buffers, words, order=order, seconds=SECONDS, processors=1)
        if not place.intact(byte):
            raise AssertionError("something outside of the buffers was written")
        if outcome.status is Status.STOPPED:
            return "time limit"
        seen.append((outcome, {name: buffer.tobytes() for name, buffer in place.buffers.items()}))
    if seen[0] != seen[1]:
        raise AssertionError("what lies outside of the buffers was read")
    fault = seen[0][0].fault
    return f"fault {fault.kind.name}" if fault else "ran"


def program(body: str) -> str:
    """Return a kernel of these instructions behind what the others begin with."""
    return f"{HEAD}{body}\nret;\n}}\n"


# Each of these once ended the process, or reached memory that is not the program's.
HOLES = {
    program("mov.u64 %d9, 0x7ffffffffffffffc; ld.u32 %r1, [%d9]; st.global.u32 [%d2], %r1;"): "fault MEMORY",
    program("mov.u64 %d9, 0x7ffffffffffffffc; @%p0 ld.u32 %r1, [%d9]; st.global.u32 [%d2], %r1;"): "fault MEMORY",
    program("ld.param.u64 %d9, [pa+1000000]; st.global.u64 [%d2], %d9;"): "UnsupportedError",
    program("ld.param.u64 %d9, [pa-8]; st.global.u64 [%d2], %d9;"): "UnsupportedError",
    program("mul.lo.u32 %r8, %r0, 1000000; bar.sync %r8, 32;"): "ran",
    program("mul.lo.u32 %r8, %r0, 100000000; bar.arrive %r8, 64;"): "ran",
    program("mul.lo.u32 %r8, %r0, 10000000; bar.red.popc.u32 %r1, %r8, %p0;"): "ran",
    program("T: .branchtargets U, V; mov.u32 %r8, %nctaid.x; mul.lo.u32 %r8, %r8, 1000; brx.idx %r8, T; "
            "U: st.global.u32 [%d2], %r0; bra W; V: st.global.u32 [%d2+4], %r0; W:"): "fault TRAP",
    program("add.u64 %d9, %d2, 400; atom.global.add.u64 %d9, [%d9], %d1;"): "fault MEMORY",
    program("atom.add.u64 %d9, [%d7+96], %d1;"): "fault MEMORY",
    program("cp.async.ca.shared.global [%r4], [%d0], 1024;"): "UnsupportedError",
    program("st.global.v2.u32 [%d2+392], {%r1, %r1, %r1, %r1};"): "UnsupportedError",
    program("discard.global.L2 [%d0], 128;"): "UnsupportedError",  # a device may lose what was stored there
    program("ld.global.v8.b64 {%d8, %d9, %d10, %d11, %d8, %d8, %d8, %d8}, [%d0];"): "UnsupportedError",
    program(f"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{{', '.join(['%r1'] * 100)}}}, [%r4];"): "UnsupportedError",
    program("wmma.load.c.sync.aligned.row.m100000n100000k16.f32 {%f1}, [%d0], %r0;"): "UnsupportedError",
    program("\n" * 100_000): "ran",
    program(f"mov.u32 %r1, %r{'1' * 50_000}x;"): "UnsupportedError",
    program("add.u32 %r1;"): "MalformedError",
    program(".local .b8 big[1073741824]; st.local.u32 [big], %r1;"): "UnsupportedError",
}  # fmt: skip
