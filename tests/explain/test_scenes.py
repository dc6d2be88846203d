"""What a student reads of a launch that ran again."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from grader.contract.encoding import decode_answer, encode
from grader.contract.messages import Replayed
from grader.explain.reruns import Rerun
from grader.explain.scenes import detailed
from grader.explain.source_text import SourceText
from grader.explain.tables import rows
from grader.explain.traced import WHO
from grader.model import Fault, Interface, Shape, Verdict
from grader.model.findings import Misaligned, OutOfBounds, Room, Space, Thread
from grader.model.hints import GeneralHint
from grader.model.scenes import Condition, Factor, NamedValue, Narrowing, Scene, Story, Term
from grader.ptxsim.records.traced import UnsetVariable

TEXT = b"""extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 16 + threadIdx.x;
    if (col <= N)  // the mistake
        for (int k = 0; k < N; k++)
            sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}"""
SOURCE = SourceText.of(TEXT).lines
HERE = Rerun(SourceText(SOURCE), Shape(33, 33, 33))
OUTSIDE = Fault(Verdict.OUT_OF_BOUNDS, "Reads outside B.", "Compare it.", 6)
UNSET = Fault(Verdict.UNSET_MEMORY, "Line 6 uses it.", GeneralHint("Is it set?"))
WRONG = Fault(Verdict.WRONG_ANSWER, "One element of C is wrong.", "A pattern.")
COL, N, K = NamedValue("col", "33", 3), NamedValue("N", "33"), NamedValue("k", "2", 5)
SUM, POINTER = NamedValue("sum", "1.5", 2), NamedValue("B", "B")
GUARD, LOOP = Condition(4, True, (COL, N), governs=True), Condition(5, True, (K, COL, N), governs=True)
SCENE = Scene((1, 0, 0), (2, 0, 0), 6, (SUM, K, COL, N, POINTER), (GUARD, LOOP))


def on(lines: Sequence[str]) -> Rerun:
    return replace(HERE, source=SourceText(tuple(lines)))


def factor(matrix: str, row: int, column: int, **lines: int) -> Factor:
    return Factor("A" if matrix == "A" else "B", row, column, **{"line": 6, **lines})


def term(k: int, a: Factor, b: Factor) -> Term:
    return Term(k, (a, b), 6, k)


RIGHT = term(0, factor("A", 1, 0), factor("B", 0, 3))
AGAIN = term(3, factor("A", 1, 3), factor("B", 3, 3))
STORY = Story(1, 3, 7, 33, 33, (RIGHT,))


def test_a_variable_of_which_a_part_is_set_leads_to_the_line_that_sets_it():
    scene = replace(SCENE, variables=(NamedValue("acc[4]", "not set", 2),), stores=(3,), elements=(4, 8))
    fault = detailed(UNSET, Replayed(scene=scene), replace(HERE, finding=UnsetVariable((6,), True, False)))
    assert (fault.line, fault.hint) == (3, "Set all of them before line 6 uses them.")
    assert fault.sentence.endswith("Line 3 stores 4 of the 8 numbers in acc.")


@pytest.mark.parametrize("change", [
    {"is_wrong": True, "terms": ()}, {"sum_of": (1,)}, {"missing": (3, 3)}, {"reach": (0, 15, 0, 15)},
    {"narrowing": {"line": 3, "kind": "int8", "before": "marks", "after": "full"}},
])  # fmt: skip
def test_a_story_that_lacks_what_it_tells_of_is_refused(change: dict[str, Any]):
    answer = json.loads(encode(Replayed(story=STORY)))
    answer["story"] |= change
    with pytest.raises(ValueError, match="or Replayed"):
        decode_answer(json.dumps(answer))


def said(story: Story) -> str:
    return detailed(WRONG, Replayed(story=story), HERE).sentence


@pytest.mark.parametrize(("column", "either"), [(3, ""), (1, ", or row and column of both are swapped")])
def test_a_term_of_the_other_product_says_that_the_matrices_are_exchanged(column: int, either: str):
    exchanged = Term(0, (Factor("A", 2, column, 6), Factor("B", 1, 2, 6)), 6, 2)
    text = said(replace(STORY, column=column, terms=(exchanged,), is_wrong=True))
    assert f"A[2][{column}] · B[1][2], a term of B · A, is added to C[1][{column}] in line 6" in text
    assert text.endswith(f": A and B are exchanged{either}.")


def test_an_access_is_told_with_the_whole_numbers_of_its_line_and_the_condition_that_looked_at_them():
    fault = detailed(OUTSIDE, Replayed(scene=SCENE), HERE)
    assert fault.sentence == (
        "Reads outside B. In line 6, N = 33, k = 2 and col = 33 (line 3). The condition in line 4 was true "
        "with col = 33 and N = 33: if (col <= N)."
    )
    assert (fault.scene, fault.line, fault.hint) == (SCENE, 4, "Compare it.")


def test_an_access_that_a_number_added_to_an_index_leads_outside_is_told_with_the_loop_of_the_index():
    source = ["if (col < N)", "    for (; k < N - 1; k += 4)", "        sum += B[(k + 2) * N + col];"]
    known = NamedValue("k", "31", 2), replace(COL, value="0"), N
    conditions = Condition(1, True, known, governs=True), Condition(2, True, known, governs=True)
    scene = replace(SCENE, line=3, variables=known, conditions=conditions)
    fault = detailed(OUTSIDE, Replayed(scene=scene), on(source))
    assert "The condition in line 2 was true with k = 31 and N = 33" in fault.sentence
    assert fault.line == 2


def test_an_index_that_is_set_before_is_told_with_what_sets_it():
    source = ["int pitch = 48;", "int id = row * pitch;", "C[id] = sum;"]
    known = NamedValue("id", "1104", 2), NamedValue("pitch", "48", 1)
    scene = replace(SCENE, line=3, variables=known, conditions=())
    fault = detailed(OUTSIDE, Replayed(scene=scene), on(source))
    assert "In line 3, id = 1104 and pitch = 48 (line 1)." in fault.sentence


def test_a_thread_that_passed_no_condition_is_said_to():
    assert (
        "No condition comes before." in detailed(OUTSIDE, Replayed(scene=replace(SCENE, conditions=())), HERE).sentence
    )


@pytest.mark.parametrize(("line", "where"), [(5, " in line 6"), (6, "")])
def test_a_wrong_factor_comes_with_the_line_that_adds_it_if_that_is_another_one(line: int, where: str):
    story = replace(STORY, terms=(term(0, factor("A", 1, 0), factor("B", 1, 3, line=line)),), is_wrong=True)
    assert f"is added to C[1][3]{where}, where A[1][0]" in said(story)


def test_a_factor_that_is_read_in_shared_memory_comes_with_the_indices_of_its_read_and_its_store():
    b = factor("B", 1, 3, line=5, stored=5, read=6)
    scene, reader = replace(SCENE, line=5, called=(7,)), replace(SCENE, line=6)
    story = replace(STORY, terms=(term(0, factor("A", 1, 0), b),), is_wrong=True, is_loaded=True)
    assert said(replace(story, scene=scene, reader=reader)).endswith(
        ": line 6, with N = 33, k = 2 and col = 33 (line 3), reads in shared memory where line 5 stored B[1][3], with "
        "k = 2 and N = 33 (called in line 7)."
    )


@pytest.mark.parametrize("line", [0, 7, 999])
def test_a_line_without_known_variables_is_not_made_up(line: int):
    scene = replace(SCENE, line=line, variables=(), conditions=())
    assert "In line" not in detailed(OUTSIDE, Replayed(scene=scene), HERE).sentence


def test_nothing_is_told_of_what_did_not_happen_again():
    assert detailed(OUTSIDE, Replayed(), HERE) is OUTSIDE


def test_a_wrong_factor_is_told_with_its_line_and_by_which_way_it_came():
    wrong = term(1, factor("A", 1, 1), factor("B", 0, 3, line=4, stored=4, read=6))
    story = replace(STORY, terms=(RIGHT, wrong), is_wrong=True)
    fault = detailed(WRONG, Replayed(story=story), HERE)
    assert fault.sentence.startswith(
        "One element of C is wrong. "
        "For k = 1, A[1][1] · B[0][3] is added to C[1][3], where A[1][1] · B[1][3] belongs: line 4 loads B[0][3], "
        "which line 4 stores to shared memory and line 6 reads there."
    )
    assert fault.line == 4
    assert rows(story) == [
        ("0", "A[1][0] · B[0][3]", "A[1][0] · B[0][3]", "line 6"),
        ("1", "A[1][1] · B[1][3]", "A[1][1] · B[0][3]", "line 6, stored to shared memory in line 4"),
    ]


def test_a_factor_whose_row_and_column_are_swapped_is_said_to_be():
    for factors, name in (((factor("A", 2, 1), factor("B", 2, 3)), "A"), ((factor("A", 1, 2), factor("B", 3, 2)), "B")):
        story = replace(STORY, terms=(RIGHT, term(2, *factors)), is_wrong=True, is_swapped=True)
        assert f"belongs (row and column of {name} are swapped): line 6 loads {name}[" in said(story)
    assert "swapped" not in said(replace(story, is_swapped=False))


def test_the_names_of_the_matrices_are_those_of_the_kernel():
    story = replace(STORY, terms=(term(0, factor("A", 2, 0), factor("B", 0, 3)),), is_wrong=True, names=("b", "c", "a"))
    assert "b[2][0] · c[0][3] is added to a[1][3], where b[1][0] · c[0][3] belongs" in said(story)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cancelled": 6}, "On the way to C[1][3], line 6 subtracts a value from itself."),
        ({"missing": (16, 32, 17), "count": 16}, "17 of them, from k = 16 to 32, are not in its sum."),
        ({"twice": (3, 3, 1), "missing": (5, 5, 1), "terms": (AGAIN, AGAIN)}, "line 6 adds A[1][3] · B[3][3] again."),
        ({"count": 0}, "No product is added to what line 7 stores to C[1][3]."),
        ({"besides": "nan"}, "contains a value that was never set"),
        ({"besides": "4"}, "4 is added to the sum of C[1][3] besides its terms."),
        ({"is_wrong": True, "sum_of": (3, 1), "stored": 6}, "Line 6 stores the sum of C[3][1] to C[1][3]."),
    ],
)
def test_another_number_of_terms_is_told(change: dict[str, object], words: str):
    assert words in said(replace(STORY, **change))  # type: ignore[arg-type]


def test_an_element_that_nobody_stores_is_told_with_what_kept_its_thread_out():
    scene = replace(SCENE, line=4, conditions=(replace(GUARD, held=False),))
    story = Story(1, 3, 0, scene=scene)
    assert "line 4 kept its thread (1, 0, 0) out with col = 33 (line 3) and N = 33: if (col <= N)." in said(story)


def test_an_element_that_nobody_stores_is_told_with_one_that_several_threads_store():
    story = Story(0, 32, 7, scene=replace(SCENE, line=7), overlap=(0, 0, 4))
    assert (
        "No thread of the block stores C[0][32], but 4 of its threads store C[0][0] in line 7, thread (1, 0, 0) with "
        "col = 33 (line 3)" in said(story)
    )


def test_an_element_that_no_block_stores_is_told_with_one_that_several_blocks_store():
    story = Story(0, 32, 7, scene=replace(SCENE, line=7), overlap=(0, 0, 2), reach=(0, 15, 0, 15), tile=(0, 15, 0, 15))
    words = "No block stores C[0][32], but 2 blocks store C[0][0] in line 7: thread (1, 0, 0) of block (2, 0, 0) does"
    assert words in said(story)


TWICE_CALLED = SourceText.of(b"""__device__ void fill(float &to, const float *from, int k, int N)
{
    if (k < N)
        to = *from;
}
__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    fill(a[y][x], A + x, x, N);
    fill(b[y][x], B + y, y, N);
}""")


def test_a_condition_of_a_function_that_is_called_twice_is_not_said_to_have_held():
    """It may have held in the other call."""
    scene = replace(SCENE, line=4, conditions=(Condition(3, True, (K, N), governs=True),))
    story = replace(STORY, twice=(3, 3, 1), stale=4, scene=scene)
    sentence = detailed(WRONG, Replayed(story=story), Rerun(TWICE_CALLED, Shape(33, 33, 33))).sentence
    assert sentence.endswith("because nothing was stored over what line 4 stored before.")


def test_a_general_hint_goes_where_something_is_known_and_any_other_stays():
    general = replace(WRONG, hint=GeneralHint("Write down the terms that are added for C[0][0]."))
    wrong = Replayed(story=replace(STORY, twice=(3, 3, 1)))
    assert (detailed(general, wrong, HERE).hint, detailed(general, wrong, HERE).diagnosis) == ("", "repeated-terms")
    assert (detailed(WRONG, wrong, HERE).hint, detailed(WRONG, wrong, HERE).diagnosis) == ("A pattern.", "")
    assert detailed(general, Replayed(), HERE) is general
    for cause, says in (({"is_reset": True}, "to zero only once"), ({"stale": 4}, "zero for elements outside")):
        told = detailed(general, Replayed(story=replace(STORY, missing=(0, 0, 1), **cause)), HERE)
        assert says in told.hint


@pytest.mark.parametrize(
    ("what", "hint"),
    [
        ({"besides": "1"}, "Let the sum begin at zero"),
        ({"missing": (32, 32, 1)}, ""),
        ({"narrowing": Narrowing(6, "int32", "3", "2")}, "Multiply and add in the type of C."),
    ],
)
def test_a_term_too_many_or_too_few_is_no_matter_of_rounding(what: dict[str, object], hint: str):
    close = replace(WRONG, hint=GeneralHint("The values are close but not exact."))
    told = detailed(close, Replayed(story=replace(STORY, **what)), HERE)  # type: ignore[arg-type]
    assert told.hint.startswith(hint)
    assert bool(told.hint) == bool(hint)


def test_a_factor_that_was_never_set_is_told_with_the_line_that_multiplies_it():
    wrong = Term(1, (factor("A", 1, 1, stored=4, read=6),), 6, 1)
    fault = detailed(WRONG, Replayed(story=replace(STORY, terms=(RIGHT, wrong), is_wrong=True)), HERE)
    assert "A[1][1] · something that was never set is added to C[1][3]" in fault.sentence
    assert "belongs (line 6)." in fault.sentence


def test_a_load_in_a_function_leads_to_its_call_where_the_other_factor_comes_by_the_same_line():
    wrong = term(1, factor("A", 1, 1), factor("B", 0, 3))
    story = replace(STORY, terms=(RIGHT, wrong), is_wrong=True, scene=replace(SCENE, called=(3,)))
    assert "line 6 loads B[0][3] (called in line 3)" in said(story)
    assert detailed(WRONG, Replayed(story=story), HERE).line == 3


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        ({"is_reset": True, "start": 9, "missing": (0, 31, 32)}, 9, "added before line 9 set the sum to zero again"),
        ({"stale": 4, "twice": (3, 3, 1)}, 4, "because nothing was stored over what line 4 stored before by thread"),
        ({"lost": (1, 0, 0), "missing": (1, 1, 1)}, 7, "Thread (1, 0, 0) multiplies the factors of the first"),
        ({"zeros": 1, "missing": (5, 5, 1)}, 7, "k = 5 is not in its sum. Zeros are multiplied instead."),
        (
            {"zeros": 33, "count": 0, "stored": 9},
            4,
            "to C[1][3]. Zeros are multiplied instead: thread (1, 0, 0) stores",
        ),
        ({"missing": (2, 32, 31)}, 5, "The loop in line 5 ended with k = 2 and N = 33"),
        ({"missing": (21, 21, 1)}, 6, "k = 21 is not in its sum."),
    ],
)
def test_terms_lead_to_what_has_left_them_out_or_kept_them(change: dict[str, object], line: int, words: str):
    scene = replace(SCENE, line=7, conditions=(replace(LOOP, held=False), GUARD))
    story = replace(STORY, scene=scene, **{"count": 32, **change})  # type: ignore[arg-type]
    fault = detailed(WRONG, Replayed(story=story), on([*SOURCE, "float sum = 0;"]))
    assert words in fault.sentence
    assert fault.line == line
    assert ("The loop" in fault.sentence) == (line == 5 and "loop" in words)


@pytest.mark.parametrize("begin", ["float dot = dot_of_tile(a, b);", "float dot = 0, other[2] = {0};", "clear(total);"])
def test_a_sum_is_set_again_only_where_the_store_names_what_is_set(begin: str):
    again = on([*SOURCE[:4], begin, *SOURCE[5:]])
    story = replace(STORY, is_reset=True, start=5, missing=(0, 31, 32), count=1)
    sentence = detailed(WRONG, Replayed(story=story), again).sentence
    assert sentence.endswith("They were added before line 5, where what line 7 stores began at zero.")


def test_a_sum_that_is_carried_over_leads_to_where_it_began():
    extra = term(0, factor("A", 0, 0), factor("B", 0, 3))
    story = replace(STORY, terms=(extra,), is_wrong=True, joined=6, is_carried=True, start=3)
    assert "Line 3 set the sum to its first value, and nothing does so again for C[1][3]." in said(story)
    assert detailed(WRONG, Replayed(story=story), HERE).line == 3
    loop = on([*SOURCE[:3], "for (int row = y; row < N; row += 8) {", *SOURCE[4:]])
    assert detailed(replace(WRONG, hint=""), Replayed(story=story), loop).hint.endswith("again in the loop of line 4.")


def test_a_block_that_stores_elsewhere_leads_to_the_coordinate_that_is_outside_of_its_tile():
    scene = replace(SCENE, line=7, variables=(COL, N))
    story = Story(1, 3, 7, reach=(0, 15, 33, 48), tile=(0, 15, 0, 15), instead=(0, 33), scene=scene)
    assert "stores columns 33 to 48: thread (1, 0, 0) stores C[0][33] in line 7 with col = 33 (line 3)." in said(story)
    assert detailed(WRONG, Replayed(story=story), HERE).line == 3


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        ({"kept_out": GUARD, "writer": (1, 0, 0)}, 4, "stores that element in other blocks, but here the condition"),
        ({"stores": (6, 7), "elements": (256, 512, 8, 16, 0, 255)}, 6, "Lines 6 and 7 store 256 of its 512 elements"),
        ({"stores": (6,), "elements": (16, 256, 16, 16, 0, 15)}, 6, "one for each thread of the block: it has 16, by"),
        ({"stores": (6,), "elements": (4, 256, 16, 16, 0, 3), "writer": (0, 1, 0)}, 6, "thread (0, 1, 0) stores where"),
        (
            {"stores": (6,), "elements": (64, 256, 16, 16, 64, 127)},
            6,
            "64 of its 256 elements, from 64 to 127. That is",
        ),
    ],
)
def test_memory_that_is_read_too_early_leads_to_who_should_have_stored_it(
    change: dict[str, object], line: int, words: str
):
    unset = Fault(Verdict.UNSET_MEMORY, "Reads it.", f"It is not zero.{WHO}", line=6)
    fault = detailed(unset, Replayed(scene=replace(SCENE, **change)), on([*SOURCE, "LAUNCH(16);"]))  # type: ignore[arg-type]
    assert words in fault.sentence
    assert (fault.line, fault.hint) == (line, "It is not zero.")


@pytest.mark.parametrize(
    ("elements", "line", "hint"),
    [
        ((256, 272, 16, 16, 0, 270), 6, "Compare the index of line 6 with that of line 3: are rows equally long"),
        ((16, 32, 16, 16, 16, 31), 3, "Elements 0 to 15 are not stored: does the first step use them, before a loop"),
    ],
)
def test_elements_that_no_thread_stores_though_all_store_have_a_hint(elements: tuple[int, ...], line: int, hint: str):
    fault = detailed(UNSET, Replayed(scene=replace(SCENE, stores=(3,), elements=elements)), HERE)
    assert fault.line == line
    assert fault.hint.startswith(hint)


@pytest.mark.parametrize(("inside", "is_said"), [("{ __syncthreads();", True), ("{ f();", False)])
def test_a_barrier_that_the_thread_misses_which_should_store_is_told(inside: str, *, is_said: bool):
    source = [*SOURCE[:3], "    if (col < N)", inside, "}", "__syncthreads();"]
    scene = replace(SCENE, kept_out=Condition(4, False, (COL, N)), writer=(1, 0, 0))
    fault = detailed(Fault(Verdict.UNSET_MEMORY, "Reads."), Replayed(scene=scene), on(source))
    assert ("So that thread misses the __syncthreads() in line 5, which all of the block" in fault.sentence) == is_said


def test_a_return_of_threads_that_others_wait_for_is_what_to_change():
    scene = replace(SCENE, kept_out=Condition(4, True, (COL, N)), writer=(1, 0, 0))
    fault = detailed(UNSET, Replayed(scene=scene), on([*SOURCE[:3], "    if (col >= N) return;"]))
    assert fault.hint.startswith("Let no thread return in line 4: it has to store")


@pytest.mark.parametrize(("padding", "is_said"), [("+ 1", True), ("+ 4", False), ("+ T", False)])
def test_vectors_in_a_shared_array_whose_rows_do_not_fit_them_are_told_how_long_these_are(padding: str, is_said: bool):
    source = ["constexpr int W = 64;", f"__shared__ float s[8][W {padding}];", "float4 v = *(float4 *)&s[k][4];"]
    again = replace(HERE, source=SourceText(tuple(source)), finding=Misaligned(Thread((0, 0, 0), (0, 0, 0), 3), 16))
    fault = detailed(Fault(Verdict.CRASHED, "It stops."), Replayed(scene=replace(SCENE, line=3)), again)
    said = "Line 2 declares s with rows of 65 floats, which are no multiple of 16 bytes."
    assert (said in fault.sentence) == is_said


def test_a_loop_inside_of_the_one_without_an_end_is_not_told():
    scene = replace(SCENE, line=5, variables=(K, N), conditions=(LOOP, GUARD))
    source = (*SOURCE[:3], "for (; col < N; col++)", *SOURCE[4:])
    fault = detailed(Fault(Verdict.TIMEOUT, "No end."), Replayed(scene=scene), on(source))
    assert ("line 5 was true" in fault.sentence, "line 4" in fault.sentence, fault.line) == (True, False, 5)


def test_an_index_that_is_negative_leads_to_its_declaration():
    scene = replace(SCENE, variables=(replace(COL, value="-7"), N))
    assert detailed(OUTSIDE, Replayed(scene=scene), HERE).line == 3


def test_a_thread_that_only_a_loop_let_through_is_told_which_variable_no_condition_names():
    loop = replace(LOOP, variables=(K, N))
    source = [*SOURCE[:3], "", "    for (int k = 0; k < N; k++)", SOURCE[5]]
    fault = detailed(OUTSIDE, Replayed(scene=replace(SCENE, conditions=(loop,))), on(source))
    assert fault.sentence.endswith("No condition that the thread passed compares col with N.")


def test_a_comparison_that_an_access_does_not_depend_on_is_named():
    loop = replace(LOOP, variables=(K, N))
    source = [*SOURCE[:3], "    if (col < N);", "    for (int k = 0; k < N; k++)", SOURCE[5]]
    fault = detailed(OUTSIDE, Replayed(scene=replace(SCENE, conditions=(loop,))), on(source))
    assert "compares col with N: line 6 does not depend on line 4: if (col < N)" in fault.sentence


def test_a_comparison_of_another_kernel_is_not_named():
    source = [*SOURCE, "__global__ void other(int N)", "{", "    if (col < N)", "        return;", "}"]
    source[3] = "    if (even)"
    scene = replace(SCENE, conditions=(replace(LOOP, variables=(K, N)),))
    fault = detailed(OUTSIDE, Replayed(scene=scene), on(source))
    assert fault.sentence.endswith("No condition that the thread passed compares col with N.")


@pytest.mark.parametrize("condition", ["for (int i = 0; i <= N * N; i += 9)", "if (i <= N * N)"])
def test_a_condition_on_what_an_index_is_computed_from_let_a_thread_through(condition: str):
    outer = Condition(4, True, (NamedValue("i", "1089", 4), N), governs=True)
    source = [*SOURCE[:3], condition, *SOURCE[4:]]
    conditions = (outer, replace(LOOP, variables=(K, N)))
    fault = detailed(OUTSIDE, Replayed(scene=replace(SCENE, conditions=conditions)), on(source))
    assert fault.sentence.endswith(f"The condition in line 4 was true with i = 1089 and N = 33: {condition}.")
    assert fault.line == 4


def test_the_sum_of_another_element_is_told_with_the_line_that_adds_its_terms():
    added = "Line 6 adds the terms of C[3][1], and line 7 stores their sum to C[1][3]."
    assert added in said(replace(STORY, is_wrong=True, sum_of=(3, 1)))


def test_a_pointer_into_the_array_that_was_left_is_told_with_its_line():
    pointer = NamedValue("B", "&pool[1024]", 2)
    left = OutOfBounds(Thread((1, 0, 0), (2, 0, 0), 6), True, Room(Space.SHARED, "pool", 4096, 2048, 4), 0)
    fault = detailed(OUTSIDE, Replayed(scene=replace(SCENE, variables=(K, pointer))), replace(HERE, finding=left))
    assert "In line 6, k = 2 and B = &pool[1024] (line 2)." in fault.sentence


def test_a_pointer_that_leads_to_a_wrong_factor_is_told_with_its_declaration():
    wrong, pointer = term(1, factor("A", 1, 1), factor("B", 0, 3)), NamedValue("B", "&B[3]", 2)
    story = replace(STORY, terms=(RIGHT, wrong), is_wrong=True, scene=replace(SCENE, variables=(K, pointer)))
    assert "line 6 loads B[0][3], with B = &B[3] (line 2) and k = 2 (line 5)" in said(story)


@pytest.mark.parametrize(("value", "bound", "is_said"), [("14", "33", False), ("14", "300", True), ("-3", "33", True)])
def test_a_variable_whose_type_is_too_short_is_told_with_its_type(value: str, bound: str, is_said: bool):
    counter = NamedValue("k", value, 5, limit=255)
    scene = replace(SCENE, line=5, variables=(counter, replace(N, value=bound)), conditions=(LOOP,))
    again = on(["typedef unsigned char small;", *SOURCE[1:4], "for (small k = 0; k < N; k++)"])
    fault = detailed(Fault(Verdict.TIMEOUT, "No end."), Replayed(scene=scene), again)
    assert ("The type of k ends at 255 (small is in line 1)." in fault.sentence) == is_said


def test_a_condition_on_something_else_did_not_let_a_thread_through():
    source = [*SOURCE[:3], "    if (even)", *SOURCE[4:]]
    guard = replace(GUARD, variables=())
    fault = detailed(OUTSIDE, Replayed(scene=replace(SCENE, conditions=(guard,))), on(source))
    assert fault.sentence.endswith("No condition that the thread passed compares col with N.")
    assert fault.line == OUTSIDE.line


def test_a_conversion_to_a_shorter_type_is_told_with_what_it_changes_and_the_declaration():
    lines = "using whole = int; const int N = 2;", "    whole sums[N][2] = {};", "    sums[i][j] += a * b;"
    again = replace(HERE, source=SourceText(lines))
    story = replace(STORY, narrowing=Narrowing(3, "int32", "0.75", "0"))
    fault = detailed(replace(WRONG, hint="Zero is stored there: why?"), Replayed(story=story), again)
    assert fault.sentence.endswith(
        "On the way to C[1][3], line 3 converts 0.75 to int32, which has no fractions: that leaves 0. Line 2 declares "
        "sums (whole is in line 1)."
    )
    assert (fault.line, fault.hint, fault.diagnosis) == (3, "Multiply and add in the type of C.", "shorter-type")


def test_a_conversion_to_fewer_bits_is_the_hint_whatever_else_the_values_show():
    story = replace(STORY, narrowing=Narrowing(3, "float16", "70000", "inf"))
    fault = detailed(replace(WRONG, hint="The result contains NaN."), Replayed(story=story), HERE)
    assert fault.hint.startswith("Multiply and add in the type of C, not in one that keeps fewer bits")


def test_a_product_that_does_not_stay_in_the_sum_is_told():
    fault = detailed(WRONG, Replayed(story=replace(STORY, count=0, missing=(0, 32, 33), multiplied=6)), HERE)
    assert "Line 6 multiplies those of k = 0, but the product does not stay there." in fault.sentence
    assert fault.line == 6


def test_the_pattern_and_the_hint_name_the_matrices_as_the_kernel_does():
    pattern = replace(WRONG, sentence="9 of 9 elements of C are wrong: C[0][0] is 0.", hint="A sum of A[0][k] is lost.")
    story = replace(STORY, twice=(3, 3, 1), names=("x", "y", "z"))
    fault = detailed(pattern, Replayed(story=story), HERE)
    assert fault.sentence.startswith("9 of 9 elements of z are wrong: z[0][0] is 0. The sum of z[1][3] contains")
    assert fault.hint == "A sum of x[0][k] is lost."


LEFT_B = OutOfBounds(Thread((1, 0, 0), (2, 0, 0), 6), False, Room(Space.MATRIX, "B", 4, 4), 0)
HELPLESS = replace(OUTSIDE, hint="")


@pytest.mark.parametrize(("index", "is_told"), [("k * K + col", True), ("k * N + col", False), ("k * 5 + col", False)])
def test_an_index_that_multiplies_by_another_side_than_the_row_is_told_how_the_matrix_is_stored(
    index: str, *, is_told: bool
):
    lab = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
    source = [*SOURCE[:5], f"sum += B[{index}];", *SOURCE[6:]]
    scene = replace(SCENE, variables=(*SCENE.variables, NamedValue("K", "50")))
    hint = detailed(HELPLESS, Replayed(scene=scene), Rerun(on(source).source, Shape(9, 33, 50), LEFT_B, lab)).hint
    assert ("B is stored as K rows of N elements, and the index multiplies by K." in hint) == is_told


@pytest.mark.parametrize(
    ("transposed", "read", "length"), [(True, (33, 0), "K"), (True, (32, 0), ""), (False, (33, 0), "")]
)
def test_the_index_of_a_matrix_that_is_stored_by_columns_is_told_where_its_rows_are_read(
    read: tuple[int, int], length: str, *, transposed: bool
):
    lab = Interface("matmul", ("A", "B", "C", "M", "N", "K"), transpose_b=transposed)
    wrong = replace(STORY, row=0, column=0, terms=(term(1, factor("A", 0, 1), factor("B", *read)),), is_wrong=True)
    again = replace(HERE, shape=Shape(9, 33, 50), lab=lab)
    hint = detailed(replace(WRONG, hint=""), Replayed(story=wrong), again).hint
    assert hint == (f"This lab stores B column by column: index it by column * {length} + row." if length else "")


@pytest.mark.parametrize(("last", "is_told"), [("C[row * S + col] = sum;", True), ("C[row * N + col] = sum;", False)])
def test_a_size_that_a_constant_takes_the_place_of_is_told(last: str, *, is_told: bool):
    source = [text.replace("N +", "S +").replace("< N", "< S").replace("<= N", "<= S") for text in SOURCE]
    source = [*source[:6], last, "}", "#define S 1024"]
    hint = detailed(HELPLESS, Replayed(scene=SCENE), Rerun(SourceText(tuple(source)), Shape(33, 33, 33), LEFT_B)).hint
    assert ("matmul never uses N, which is 33 here. Use it instead of S of line 9." in hint) == is_told


def test_an_access_outside_names_the_matrix_as_its_function_does():
    outside = replace(OUTSIDE, sentence="A thread reads outside B in line 6: index 9 (B has 9 elements).")
    scene = replace(SCENE, variables=(*SCENE.variables[:-1], NamedValue("right", "B")))
    told = detailed(outside, Replayed(scene=scene), HERE).sentence
    assert told.startswith("A thread reads outside right in line 6: index 9 (right has 9 elements).")


def test_a_condition_looks_at_what_its_variable_was_set_from():
    source = [*SOURCE[:3], "    bool inside = col <= N;", "    if (inside || even)", *SOURCE[5:]]
    inner = Condition(7, True, (), governs=True)
    scene = replace(SCENE, conditions=(Condition(5, True, (), governs=True), inner))
    fault = detailed(OUTSIDE, Replayed(scene=scene), on([*source[:6], "if (even)", *source[6:]]))
    assert fault.sentence.endswith("The condition in line 5 was true: if (inside || even).")
    assert fault.line == 5


def test_a_sum_in_a_copy_of_an_argument_leads_to_the_parameter():
    text = b"""__device__ void add(float sum,
                    float term) {
    sum += term;
}
{
    add(sum, A[0] * B[0]);
    C[0] = sum;
}"""
    source = SourceText.of(text.replace(b"{\n    add", b'extern "C" __global__ void matmul(float *C) {\n    add'))
    story = replace(STORY, stored=7, count=0, terms=(), missing=(0, 32, 33), multiplied=3)
    fault = detailed(WRONG, Replayed(story=story), replace(HERE, source=source))
    assert "it is added to sum, which add has as a copy of its own" in fault.sentence
    assert fault.line == 1


def test_a_block_whose_tile_is_outside_of_c_leads_to_how_it_chooses_the_tile():
    story = Story(20, 3, 7, reach=(0, 15, 0, 15), tile=(0, 31, 0, 15), scene=SCENE)
    fault = detailed(WRONG, Replayed(story=story), HERE)
    assert "No thread stores C[20][3]. Block (2, 0, 0) stores nothing" in fault.sentence


def test_an_index_that_came_to_the_end_of_its_type_leads_to_its_declaration():
    source = SourceText.of(b"unsigned short at = col;\nfor (int k = 0; k < N; k++, at += N)\nsum += A[i + k] * B[at];")
    scene = Scene((1, 0, 0), (0, 0, 0), 3, (NamedValue("at", "0", 1, limit=65535),), ())
    wrong = Term(255, (Factor("A", 6, 255, 3), Factor("B", 0, 0, 3)), 3, 255)
    story = Story(6, 1, 4, 257, 257, (wrong,), is_wrong=True, scene=scene)
    fault = detailed(WRONG, Replayed(story=story), Rerun(source, Shape(257, 257, 257)))
    assert fault.sentence.endswith("line 3 loads B[0][0], with at = 0 (line 1). The type of at ends at 65535.")
    assert fault.line == 1


@pytest.mark.parametrize(
    ("loop", "steady", "said"),
    [
        ("for (k = 1; k < N; k << 1)", ("k", "N"), "k had the same value in the turn before: change k in each turn"),
        ("for (int k = 1; k < N; k /= 2)", ("k", "N"), "k /= 2 leaves k as it is. Take another step, or"),
        ("for (int k = 1, sum = 0; k < N; ++sum)", ("k", "N"), "change k in each turn of the loop, as ++k does."),
        ("} while (k + sum < N)", ("k",), ""),
        ("while (other.k < args->k)", ("k", "N"), ""),
    ],
)
def test_a_loop_whose_counter_stays_is_told_as_that(loop: str, steady: tuple[str, ...], said: str):
    own = replace(K, line=1), SUM, N
    scene = replace(SCENE, line=1, variables=own, conditions=(Condition(1, True, own),), steady=steady)
    again = on([loop, "    sum += a[k] * b[k];", "}"])
    fault = detailed(Fault(Verdict.TIMEOUT, "No end."), Replayed(scene=scene), again)
    assert said in fault.hint if said else not fault.hint


def test_a_flag_that_stays_is_not_said_to_be_counted():
    flag = NamedValue("done", "false", 1)
    scene = replace(SCENE, line=1, variables=(flag,), conditions=(Condition(1, True, (flag,)),), steady=("done",))
    fault = detailed(Fault(Verdict.TIMEOUT, "No end."), Replayed(scene=scene), on(["while (!done)", "    f();"]))
    assert fault.hint == "done had the same value in the turn before: change done in each turn of the loop."
