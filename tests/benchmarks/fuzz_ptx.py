"""Attack the simulator of PTX with programs that no student would submit by accident, each kind in child processes.

python tests/benchmarks/fuzz_ptx.py            10,000 programs; prints how they ended, and each hole with its number
python tests/benchmarks/fuzz_ptx.py grammar 100 200        those numbers of one kind: grammar, mutated or sources
"""

import faulthandler
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from grader.contract.messages import Compile
from grader.errors import InfrastructureError
from grader.model import Interface, Limits
from grader.worker.found import NotCompiledError
from grader.worker.frontend.compiling import compile_ptx

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.ptxsim import hostile  # noqa: E402
from tests.ptxsim.programs import ptx_of  # noqa: E402

COUNTS = {"sources": None, "grammar": 8000, "mutated": 2000}
REAL = ("naive.cu", "tiled_16.cu", "block_tile_1d.cu", "rectangular/naive.cu", "tensor_cores/wmma.cu", "pitched/k1.cu")
ORDERS = ("forward", "reverse")
LONGEST = 150.0  # seconds of one program, its compilation and translation included
MEMORY = 6 << 30
SQUARE = Interface("matmul", ("A", "B", "C", "N"))
KERNEL = 'extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {{\n{}\n}}\n'


def assembly(text: str, operands: str = ': "+r"(x) : "l"(C), "l"(A)') -> str:
    """Return a kernel with inline assembly."""
    quoted = re.sub(r"%(?!\d)", "%%", text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return KERNEL.format(
        f'  int x = threadIdx.x; asm volatile("{quoted}" {operands} : "memory"); C[threadIdx.x % N] = x;'
    )


def repeated(text: str, doublings: int, around: str = "{}") -> str:
    """Return a kernel whose assembly has a text 2 ** doublings times, by macros."""
    lines = [f'#define R0 "{text}"'] + [f"#define R{n + 1} R{n} R{n}" for n in range(doublings)]
    body = around.format(f'asm volatile(R{doublings} : "+r"(x) :: "memory");')
    return "\n".join(lines) + "\n" + KERNEL.format(f"  int x = threadIdx.x; {body} C[threadIdx.x % N] = x;")


ASSEMBLY = {
    "registers": "{ .reg .b32 %t<100000>; mov.b32 %t99999, 1; add.u32 %0, %0, %t99999; }",
    "more registers": "{ .reg .b32 %t<100001>; mov.b32 %t99999, 1; }",
    "huge local": "{ .local .b8 big[2147483648]; st.local.u32 [big], %0; }",
    "large local": "{ .local .b8 big[500000]; st.local.u32 [big], %0; ld.local.u32 %0, [big+499996]; }",
    "huge shared": "{ .shared .b8 big[2000000000]; st.shared.u32 [big], %0; }",
    "much shared": "{ .shared .b8 big[65536]; st.shared.u32 [big], %0; }",
    "quotes": '{ .pragma "nounroll"; .pragma "\\"; }',
    "pragma": '{ .pragma "\\n} define i32 @run(ptr %m) { ret i32 0 }"; }',
    "names of LLVM": "{ .reg .b32 %v1, %w, %m, undef, poison, define, zeroinitializer; mov.u32 %w, %0; add.u32 %0, %w, 1; }",
    "labels of LLVM": "{ entry: b0: done: fault: add.u32 %0, %0, 1; setp.lt.u32 p, %0, 3; }",
    "labels": "{ .reg .pred q; entry: done: fault: add.u32 %0, %0, 1; setp.lt.u32 q, %0, 60; @q bra entry; diverged: }",
    "indexed branch": "{ T: .branchtargets L1, L2; brx.idx %0, T; L1: add.u32 %0, %0, 1; L2: add.u32 %0, %0, 2; }",
    "absent call": "{ call absent, (%0); }",
    "absent function": "{ .reg .b32 t; call (t), printf, (%0); }",
    "vector": "ld.global.v4.u32 {%0, %0}, [%2];",
    "vector of eight": "ld.global.v8.u32 {%0, %0, %0, %0, %0, %0, %0, %0}, [%2];",
    "width": "ld.global.u64 %0, [%2];",
    "narrow": "ld.global.u8 %0, [%2]; st.global.u16 [%1+1], %0;",
    "copy size": "{ .shared .b8 s[64]; cp.async.ca.shared.global [s], [%2], 12; }",
    "copy rest": "{ .shared .b8 s[64]; cp.async.ca.shared.global [s], [%2], 16, %0; cp.async.wait_all; }",
    "barrier 17": "bar.sync 17;",
    "barrier of a register": "{ .reg .b32 t; mul.lo.u32 t, %0, 0; add.u32 t, t, 1000000; bar.sync t, 32; }",
    "barrier that counts": "{ .reg .b32 t; .reg .pred q; setp.ne.u32 q, %0, 0; mov.u32 t, 77777; bar.red.popc.u32 %0, t, q; }",
    "mma": "{ .reg .f32 f<4>; mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {f0,f1,f2}, {%0,%0}, {%0}, {f0,f1,f2,f3}; }",
    "parameter": "{ .reg .b64 d; ld.param.u64 d, [matmul_param_0+1048576]; st.global.u64 [%1], d; }",
    "top of memory": "{ .reg .b64 d; mov.u64 d, 0x7ffffffffffffffc; ld.u32 %0, [d]; }",
    "store at the top": "{ .reg .b64 d; mov.u64 d, 0x7ffffffffffffffc; st.u32 [d], %0; }",
    "negative": "{ .reg .b64 d; mov.u64 d, -4; ld.global.u32 %0, [d]; }",
    "irreducible": "{ .reg .pred q; setp.lt.u32 q, %0, 7; @q bra B; A: add.u32 %0, %0, 1; B: add.u32 %0, %0, 3; "
    "setp.lt.u32 q, %0, 900; @q bra A; setp.lt.u32 q, %0, 2000; @q bra B; }",
    "endless": "{ A: bra A; }",
    "endless for some": "{ .reg .pred q; A: setp.lt.u32 q, %0, 7; @q bra A; }",
    "endless barrier": "{ A: bar.sync 0; bra A; }",
    "spin": "{ .reg .b32 t; .reg .pred q; A: ld.volatile.global.u32 t, [%1]; setp.ne.u32 q, t, 12345; @q bra A; }",
    "commits": "{ .reg .pred q; A: cp.async.commit_group; cp.async.commit_group; cp.async.commit_group; "
    "add.u32 %0, %0, 1; setp.lt.u32 q, %0, 2000000000; @q bra A; }",
    "atomic on local": "{ .local .b8 l[16]; .reg .b64 d; mov.u64 d, l; cvta.local.u64 d, d; atom.add.u64 d, [d+8], d; }",
    "atomic at the end": "{ .reg .b64 d; atom.global.add.u64 d, [%1+1152], 1; }",
    "newlines": "\n" * 200_000,
    "comment": "/*" + "/ *" * 100_000 + "*/",
    "open comment": "/*" * 3,
    "brackets": "{" * 3000 + "}" * 3000,
    "name": "{ .reg .b32 t" + "1" * 50_000 + "x; }",
    "number": "add.u32 %0, %0, " + "9" * 6000 + ";",
    "directives": '.file 1 "/etc/passwd"\n.loc 1 99999999999999 1\nadd.u32 %0, %0, 1;',
    "section": ".section .debug_str { .b8 1 }",
    "end of the function": "ret; } .visible .entry other() { ret;",
    "alignment": "{ .shared .align 1073741824 .b8 s[4]; st.shared.u32 [s], %0; }",
    "cluster": "barrier.cluster.arrive; barrier.cluster.wait;",
    "mbarrier": "{ .shared .b64 s; mbarrier.init.shared.b64 [s], 1; }",
    "bulk": "{ .shared .b8 s[64]; cp.async.bulk.commit_group; }",
    "texture": "{ .reg .b64 d; tex.1d.v4.u32.s32 {%0,%0,%0,%0}, [d, {%0}]; }",
    "stack": "{ .reg .b64 d; alloca.u64 d, 1000000; }",
    "dead lanes": "{ .reg .pred q; setp.lt.u32 q, %0, 9; @q exit; bar.sync 0; shfl.sync.idx.b32 %0, %0, 3, 31, -1; }",
}
SOURCES = {
    **{name: assembly(text) for name, text in ASSEMBLY.items()},
    "recursion": "__device__ int f(int x) { return x ? f(x + 1) + f(x - 7) : 1; }\n" + KERNEL.format("  C[0] = f(N);"),
    "deep calls": "template <int D> __device__ __noinline__ int f(int x) { return f<D - 1>(x) + f<D - 1>(x + 1); }\n"
    "template <> __device__ __noinline__ int f<0>(int x) { return x; }\n" + KERNEL.format("  C[0] = f<40>(N);"),
    "width of printf": KERNEL.format('  printf("%*d|%.*f|%n|%s|%-*s\\n", 2000000000, 1, -7, 1.0, (long)0, (char*)A, -999999999, "x");'),
    "endless printf": KERNEL.format('  for (;;) printf("%s %s %s\\n", "x", "y", "z");'),
    "function pointer": "__device__ int f(int x) { return x; }\n__device__ int (*p)(int) = f;\n" + KERNEL.format("  C[0] = p(N);"),
    "global": "__device__ float big[1 << 29];\n" + KERNEL.format("  C[0] = big[N]; big[N] = 1;"),
    "globals": "__device__ float b0[1<<27], b1[1<<27], b2[1<<27], b3[1<<27];\n"
    + KERNEL.format("  C[0] = b0[N] + b1[N] + b2[N] + b3[N]; b1[N] = 1;"),
    "malloc": KERNEL.format("  int* p = (int*)malloc(1 << 30); *p = 1; free(p);"),
    "assertion": "#include <cassert>\n" + KERNEL.format("  assert(N == 1234567);"),
    "include": '#include "/etc/passwd"\n' + KERNEL.format("  C[0] = 1;"),
    "include itself": "#include __FILE__\n#include __FILE__\n" + KERNEL.format("  C[0] = 1;"),
    "environment": '#include "/proc/self/environ"\n' + KERNEL.format("  C[0] = 1;"),
    "templates": "template <int N> struct T { T<N + 1> t; enum { v = T<N + 1>::v }; };\n" + KERNEL.format("  C[0] = T<0>::v;"),
    "expressions": KERNEL.format("  C[0] = " + "(" * 20000 + "1" + ")" * 20000 + ";"),
    "comment of 50 MB": repeated("// " + "x" * 760 + "\\\\n", 16),
    "newlines of 32 MB": repeated("\\\\n" * 512, 16),
    "registers of 8 MB": repeated("{ .reg .b32 t<9>; add.u32 %0, %0, 3; }\\\\n", 17),
    "long program": repeated("add.u32 %0, %0, 3;\\\\n xor.b32 %0, %0, 77;", 13),
    "long loop": repeated("mul.lo.u32 %0, %0, 3; add.u32 %0, %0, 5;", 12, "while (x) {{ {} }}"),
}  # fmt: skip


def source(name: str) -> str:
    """Compile a file as a submission, and run its kernel."""
    with tempfile.TemporaryDirectory() as box:
        try:
            program = compile_ptx(
                SOURCES[name].encode(), Compile("hostile.cu", "", SQUARE, (), Limits(compile_seconds=20)), Path(box)
            )
        except NotCompiledError as error:
            return f"refused: {error}"[:120]
        except InfrastructureError as error:
            return f"refused: {error}"[:120]
        size = len(program.ptx)
        return f"{hostile.attempt(program.ptx, (16, 16, 1), (1, 1, 1), (1156,) * 3, 17)}, PTX of {size} bytes"


def run_program(kind: str, number: int, texts: list[str]) -> str:
    """Run one program and say how it ended."""
    order = ORDERS[number % 2]
    if kind == "sources":
        return f"{list(SOURCES)[number]}: {source(list(SOURCES)[number])}"
    if kind == "grammar":
        return hostile.attempt(hostile.grammar(number), order=order)
    text = hostile.mutated(texts[number % len(texts)], number)
    return hostile.attempt(text, (16, 16, 1), (1, 1, 1), (1156,) * 3, 17, order)


def child(kind: str, first: int, last: int) -> None:
    """Run programs of a kind, a line for the beginning and one for the end of each."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    faulthandler.enable()
    texts = [ptx_of(ROOT / "reference" / name) for name in REAL] if kind == "mutated" else []
    for number in range(first, last):
        print("begin", number, flush=True)
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        began = time.monotonic()
        try:
            ended = run_program(kind, number, texts)
        except Exception as error:  # each of them is a hole
            place = traceback.extract_tb(error.__traceback__)[-1]
            ended = f"HOLE {type(error).__name__} {str(error)[:100]!r} {Path(place.filename).name}:{place.lineno}"
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        more = f" ({time.monotonic() - began:.1f} s, at most {memory} MB so far)" if kind == "sources" else ""
        print("end", number, f"{ended}{more}", flush=True)


def parent(kind: str, first: int, last: int) -> None:
    """Run programs of a kind in children; one that dies is a hole, and the next child runs the programs after it."""
    ended: Counter[str] = Counter()
    while first < last:
        command = [sys.executable, __file__, "child", kind, str(first), str(last)]
        last_number = first
        with (
            tempfile.TemporaryFile("w+") as errors,
            subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            ) as started,
        ):
            for line in started.stdout or ():
                word, number, *rest = line.rstrip().split(" ", 2)
                last_number = int(number)
                if word == "end":
                    ended[rest[0] if kind != "sources" else "sources"] += 1
                    if kind == "sources" or rest[0].startswith("HOLE"):
                        print(f"{kind} {number}: {rest[0]}", flush=True)
            code = started.wait()
            errors.seek(0)
            said = errors.read()[-600:]
        if code == 0:
            break
        first = last_number + 1
        name = list(SOURCES)[last_number] if kind == "sources" else ""
        print(f"{kind} {last_number} {name}: HOLE exit status {code}: {said}", flush=True)
        ended["HOLE"] += 1
    for text, count in ended.most_common():
        print(f"{count:6} {kind}: {text}", flush=True)


def main(words: list[str]) -> None:
    if words[:1] == ["child"]:
        child(words[1], int(words[2]), int(words[3]))
    elif words:
        parent(words[0], int(words[1]), int(words[2]))
    else:
        for kind, count in COUNTS.items():
            for first in range(0, count or len(SOURCES), 500):
                parent(kind, first, min(first + 500, count or len(SOURCES)))


if __name__ == "__main__":
    main(sys.argv[1:])
