"""The lines to which faults lead that a launch shows elsewhere."""

from collections.abc import Iterable

import pytest

from grader.explain.located import located
from grader.explain.source_text import SourceText
from grader.model import Fault, Verdict
from grader.model.hints import BarrierHint
from grader.ptxsim.records.races import EarlyUse, Memory, Race, Races, Scope, TracedAccess, VariableKind

SOURCE = SourceText.of(b"""__device__ void fill(float *tile, const float *A, int N);
#define AT(r, c) r * N + c
// LAUNCH(.block = {1})
__device__ void fill(float *tile, const float *A, int N)
{
    tile[threadIdx.x] = A[threadIdx.x];
}
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tile[32];
    for (int k = 0; k < N; k++) {
        fill(tile, A, N);
        __syncwarp();
        C[k] = tile[k];
    }
}
LAUNCH(.block = {2048});""").lines
PLAIN = [line.replace("AT", "OFFSET") if number else line for number, line in enumerate(SOURCE)]
LAUNCH, KERNEL, WARP, END = 17, 8, 13, 15


RACE = Fault(Verdict.DATA_RACE, "A race.", BarrierHint("Put a __syncthreads() between the two."), 6)
SHARED = Memory("a", is_shared=True, offset=0, element=4)


def access(line: int, reads: bool = False) -> TracedAccess:
    return TracedAccess(line, reads=reads, atomic=False, copies=False, thread=(0, 0, 0), block=(0, 0, 0))


def in_lines(fault: Fault, lines: Iterable[str], finding: Races | EarlyUse | None = None, **how: bool) -> Fault:
    return located(fault, SourceText(tuple(lines)), finding, **how)


def race(first: TracedAccess, second: TracedAccess, source: Iterable[str], scope: Scope = Scope.BLOCK) -> Fault:
    return in_lines(RACE, source, Races((Race(SHARED, first, second, scope, in_loop=True),)))


@pytest.mark.parametrize(("source", "line"), [(SOURCE, LAUNCH), (SOURCE[:-1], KERNEL)])
def test_a_refused_launch_has_the_line_of_launch_or_of_the_kernel(source: Iterable[str], line: int):
    assert in_lines(Fault(Verdict.LAUNCH_FAILED, "Too large.", "Smaller."), source).line == line


@pytest.mark.parametrize(("more", "is_said"), [([], True), (["matmul<<<grid, block>>>(A, B, C, N);"], False)])
def test_the_lab_s_block_is_spoken_of_in_a_file_without_any_launch(more: list[str], is_said: bool):
    fault = in_lines(Fault(Verdict.LAUNCH_FAILED, "Too large.", "Smaller."), [*SOURCE[:-1], *more])
    assert ("the block is the lab's" in fault.hint) == is_said


def test_a_hint_at_launch_has_its_line():
    fault = in_lines(Fault(Verdict.WRONG_ANSWER, "Wrong.", "LAUNCH says 16."), SOURCE)
    assert (fault.hint, fault.line) == (f"LAUNCH (line {LAUNCH}) says 16.", LAUNCH)


@pytest.mark.parametrize(
    ("diagnosis", "is_alone", "line"),
    [("", True, 2), ("", False, None), ("changed-A", True, 3), ("changed-B", True, None)],
)
def test_a_wrong_answer_leads_to_the_only_store_to_its_matrix(diagnosis: str, is_alone: bool, line: int | None):
    source = ["float sum = partial[at];", "C[at] = sum;", "A[at] = 0;"]
    assert in_lines(Fault(Verdict.WRONG_ANSWER, "Wrong.", diagnosis=diagnosis), source, is_alone=is_alone).line == line


def test_a_refused_launch_of_several_leads_to_no_launch_line():
    refused = Fault(Verdict.LAUNCH_FAILED, "Too large.", "Smaller.")
    assert in_lines(refused, SOURCE, is_alone=False) == refused


def test_a_race_with_the_next_iteration_leads_to_the_end_of_the_block_around_both():
    fault = race(access(14, reads=True), access(12), PLAIN)
    assert (fault.line, fault.hint) == (END, f"{RACE.hint} The block around both ends in line {END}.")


@pytest.mark.parametrize(
    ("instead", "said"), [("__syncwarp();", "threads of one warp only"), ("__syncthreads;", "without parentheses")]
)
def test_a_race_in_a_function_leads_to_what_stands_between_its_call_and_the_other_line(instead: str, said: str):
    fault = race(access(6), access(14, reads=True), [each.replace("__syncwarp();", instead) for each in PLAIN])
    assert fault.line == WARP
    assert "Line 6 is in fill, which line 12 calls." in fault.sentence
    assert said in fault.hint


def test_what_is_written_while_others_read_it_leads_to_the_write():
    assert race(access(11, reads=True), access(12), PLAIN).line == 12


def test_a_race_between_blocks_keeps_its_line():
    assert race(access(14, reads=True), access(12), PLAIN, Scope.GRID) == RACE


@pytest.mark.parametrize(
    ("wait", "line"), [("__pipeline_wait_prior(1);", 13), ("__syncthreads();", 13), ("", RACE.line)]
)
def test_an_early_use_of_a_copy_leads_to_the_last_wait_or_barrier_before_it(wait: str, line: int):
    source = [each.replace("__syncwarp();", wait) for each in PLAIN]
    early = EarlyUse(SHARED, access(12), access(14, reads=True), is_awaited="wait_prior" in wait)
    assert in_lines(RACE, source, early).line == line


@pytest.mark.parametrize(
    ("macro", "use", "said"),
    [
        ("#define AT(r, c) r * N + c", "C[AT(row + 1, k)]", "AT(row + 1, k) is row + 1 * N + k"),
        ("#define AT(r, c) (r * N + c)", "C[AT(row + 1, k)]", "AT(row + 1, k) is (row + 1 * N + k)"),
        ("#define AT(r, c) (N * r + c)", "C[AT(1 + row, k)]", "AT(1 + row, k) is (N * 1 + row + k)"),
    ],
)
def test_a_macro_without_parentheses_that_a_line_needs_is_named(macro: str, use: str, said: str):
    fault = in_lines(Fault(Verdict.WRONG_ANSWER, "Wrong.", line=9), [macro, "", f"    {use} = sum;"])
    assert said in fault.sentence
    assert fault.line == 1


@pytest.mark.parametrize(
    ("macro", "use"),
    [
        ("#define AT(r, c) ((r) * N + (c))", "C[AT(row + 1, k)]"),
        ("#define AT(r, c) r * N + c", "C[AT(row, k + 1)]"),
        ("#define AT(r, c) r * N + c", "C[AT((row + 1), k)]"),
        ("#define AT(r, c) r * N + c", "C[AT(rows[i + 1], k)]"),
        ("#define F4(p) *reinterpret_cast<float4 *>(&p)", "F4(C[row + 1])"),
    ],
)
def test_a_macro_that_computes_what_a_line_needs_is_not_named(macro: str, use: str):
    fault = Fault(Verdict.WRONG_ANSWER, "Wrong.", line=9)
    assert in_lines(fault, [macro, "", f"    {use} = sum;"]) == fault


def test_comments_count_as_blanks_and_lines_keep_their_numbers():
    assert SourceText.of(b"a /* b\n{ */ c\n// d\ne").lines == ("a  ", " c", " ", "e")


@pytest.mark.parametrize(("first", "second"), [(0, 0), (99, 3), (14, 10**9)])
def test_a_race_at_lines_that_are_not_there_leads_nowhere_else(first: int, second: int):
    assert race(access(first), access(second), PLAIN).line == RACE.line


def test_the_constants_of_a_line_are_those_that_the_file_defines():
    lines = [
        "#define T 16",
        "constexpr int W = T;",
        "const int H = 2;",
        "  const int x = threadIdx.x;",
        "a[x * W + T + H + y]",
    ]
    assert SourceText(tuple(lines)).constants_in(5) == [("W", 2), ("T", 1), ("H", 3)]


@pytest.mark.parametrize(
    "content",
    [b"x" * 1_000_000, (b"wait" * 70 + b"\n") * 990, b"#define a x + y\n" + (b"a." * 140 + b"\n") * 990, b"\n" * 9000],
)
def test_a_hostile_text_is_searched_in_bounded_time(content: bytes) -> None:
    fault = Fault(Verdict.WRONG_ANSWER, "It is wrong.")
    assert in_lines(fault, SourceText.of(content).lines) == fault


@pytest.mark.parametrize(
    ("declared", "memory", "said"),
    [
        ("__shared__ float sum;", Memory("sum", True, 0, 4, VariableKind.WHOLE), "sum, which all threads of a block"),
        ("__device__ float row[64];", Memory("row", False, 0, 4), "row, which all blocks share."),
        ("__shared__ float sum;\n__shared__ float sum;", Memory("sum", True, 0, 4, VariableKind.WHOLE), ""),
        ("__shared__ float sums[32];", Memory("sums", True, 0, 4), ""),
        ("__device__ float add(float sum)", Memory("sum", False, 0, 4), ""),
    ],
)
def test_a_race_at_a_variable_that_is_one_for_all_names_its_declaration(declared: str, memory: Memory, said: str):
    found = Race(memory, access(2), access(2), Scope.GRID, both_write=True)
    sentence = in_lines(RACE, [*declared.split("\n"), "x += 1;"], Races((found,))).sentence
    assert sentence.startswith(f"A race. Line 1 declares {said}" if said else "A race.")
    assert ("declares" in sentence) == bool(said)


def test_a_barrier_that_some_threads_skip_is_the_one_further_in():
    met = Race(SHARED, access(1), access(1), Scope.BLOCK, met=(4, 2))
    for barrier in (["", "    __syncthreads();", ""], ["", "if (half) __syncthreads();", ""]):
        assert in_lines(RACE, [*barrier, "__syncthreads();"], Races((met,))).line == 2
