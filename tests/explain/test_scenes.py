"""What a student reads of a launch that ran again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.contract.messages import Replayed
from grader.explain.scenes import Rerun, detailed
from grader.explain.source_text import code_lines
from grader.explain.stories import rows
from grader.model import Fault, Shape, Verdict
from grader.model.scenes import Condition, Factor, NamedValue, Scene, Shadow, Story, Term

TEXT = b"""extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 16 + threadIdx.x;
    if (col <= N)  // the mistake
        for (int k = 0; k < N; k++)
            sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}"""
SOURCE = code_lines(TEXT)
HERE = Rerun(SOURCE, Shape(33, 33, 33))
OUTSIDE = Fault(Verdict.OUT_OF_BOUNDS, "Reads outside B.", "Compare it.", 6)
WRONG = Fault(Verdict.WRONG_ANSWER, "One element of C is wrong.", "A pattern.")
COL, N, K = NamedValue("col", "33", 3), NamedValue("N", "33"), NamedValue("k", "2", 5)
SUM, POINTER = NamedValue("sum", "1.5", 2), NamedValue("B", "B")
GUARD, LOOP = Condition(4, True, (COL, N), governs=True), Condition(5, True, (K, COL, N), governs=True)
SCENE = Scene((1, 0, 0), (2, 0, 0), 6, (SUM, K, COL, N, POINTER), (GUARD, LOOP))


def factor(matrix: str, row: int, column: int, **lines: int) -> Factor:
    return Factor("A" if matrix == "A" else "B", row, column, **{"line": 6, **lines})


def term(k: int, a: Factor, b: Factor) -> Term:
    return Term(k, (a, b), 6, k)


RIGHT = term(0, factor("A", 1, 0), factor("B", 0, 3))
STORY = Story(1, 3, 7, 33, 33, (RIGHT,))


def said(story: Story) -> str:
    return detailed(WRONG, Replayed(story=story), HERE).sentence


def test_an_access_is_told_with_the_whole_numbers_of_its_line_and_the_condition_that_looked_at_them():
    fault = detailed(OUTSIDE, Replayed(scene=SCENE), HERE)
    assert fault.sentence == (
        "Reads outside B. In line 6, N = 33, k = 2 and col = 33 (line 3). The condition in line 4 was true "
        "with col = 33 and N = 33: if (col <= N)."
    )
    assert (fault.scene, fault.line, fault.hint) == (SCENE, 4, "Compare it.")


def test_a_thread_that_passed_no_condition_is_said_to():
    assert (
        "No condition comes before." in detailed(OUTSIDE, Replayed(scene=replace(SCENE, conditions=())), HERE).sentence
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


def test_the_names_of_the_matrices_are_those_of_the_kernel():
    story = replace(STORY, terms=(term(0, factor("A", 2, 0), factor("B", 0, 3)),), is_wrong=True, names=("b", "c", "a"))
    assert "b[2][0] · c[0][3] is added to a[1][3], where b[1][0] · c[0][3] belongs" in said(story)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"missing": (32, 32, 1), "count": 32}, "C[1][3] lacks terms: k = 32 is not in its sum."),
        ({"missing": (16, 32, 17), "count": 16}, "17 of them, from k = 16 to 32, are not in its sum."),
        (
            {"twice": (3, 3, 1)},
            "The sum of C[1][3] contains k = 3 more than once: line 6 adds A[1][0] · B[0][3] again.",
        ),
        ({"count": 0}, "No product is added to what line 7 stores to C[1][3]."),
        ({"besides": "nan"}, "contains a value that was never set"),
        ({"besides": "4"}, "4 is added to the sum of C[1][3] besides its terms."),
        ({"is_wrong": True, "sum_of": (3, 1)}, "Line 7 stores the sum of C[3][1] to C[1][3]."),
    ],
)
def test_another_number_of_terms_is_told(change: dict[str, object], words: str):
    assert words in said(replace(STORY, **change))  # type: ignore[arg-type]


def test_missing_terms_are_told_with_the_loop_that_ended():
    ended = replace(SCENE, line=7, conditions=(GUARD, replace(LOOP, held=False)))
    story = replace(STORY, missing=(32, 32, 1), count=32, scene=ended)
    fault = detailed(WRONG, Replayed(story=story), HERE)
    assert "The loop in line 5 ended with k = 2 and N = 33: for (int k = 0; k < N; k++)." in fault.sentence
    assert fault.line == 5


def test_a_sum_that_another_variable_hides_is_told():
    scene = replace(SCENE, line=7, shadows=(Shadow("sum", 2, 5),))
    fault = detailed(WRONG, Replayed(story=replace(STORY, count=0, scene=scene)), HERE)
    assert "sum of line 5 is another variable than sum of line 2." in fault.sentence
    assert fault.line == 5


def test_an_element_of_another_block_is_told_with_the_condition_that_let_it_be_stored():
    story = replace(STORY, by_other_block=True, scene=replace(SCENE, line=7))
    assert "Line 7 stores to C[1][3] in thread (1, 0, 0) of block (2, 0, 0), whose tile is another" in said(story)
    assert "The condition in line 4 was true" in said(story)


def test_an_element_that_nobody_stores_is_told_with_what_kept_its_thread_out():
    scene = replace(SCENE, line=4, conditions=(replace(GUARD, held=False),))
    story = Story(1, 3, 0, scene=scene)
    assert "line 4 kept it out with col = 33 and N = 33: if (col <= N)." in said(story)


def test_an_element_that_nobody_stores_is_told_with_one_that_several_threads_store():
    story = Story(0, 32, 7, scene=replace(SCENE, line=7), overlap=(0, 0, 4))
    assert (
        "No thread of the block stores C[0][32], but 4 of its threads store C[0][0] in line 7, thread (1, 0, 0) with "
        "col = 33 (line 3)" in said(story)
    )


def test_a_general_hint_goes_where_something_is_known_and_any_other_stays():
    general = replace(WRONG, hint="No typical mistake gives these values. Write them down.")
    wrong = Replayed(story=replace(STORY, twice=(3, 3, 1)))
    assert (detailed(general, wrong, HERE).hint, detailed(general, wrong, HERE).diagnosis) == ("", "repeated-terms")
    assert (detailed(WRONG, wrong, HERE).hint, detailed(WRONG, wrong, HERE).diagnosis) == ("A pattern.", "")
    assert detailed(general, Replayed(), HERE) is general


def test_a_launch_of_another_size_is_named():
    assert (
        "wrong. At N=33: The sum of C[1][3]"
        in detailed(WRONG, Replayed(story=replace(STORY, twice=(3, 3, 1))), replace(HERE, elsewhere=True)).sentence
    )


def test_a_loop_that_goes_too_far_is_the_condition_that_let_a_thread_through():
    too_far = replace(SCENE, variables=(replace(K, value="33"), replace(COL, value="0"), N), conditions=(GUARD, LOOP))
    assert "The condition in line 5 was true" in detailed(OUTSIDE, Replayed(scene=too_far), HERE).sentence


def test_a_factor_that_was_never_set_is_told_with_the_line_that_multiplies_it():
    wrong = Term(1, (factor("A", 1, 1, stored=4, read=6),), 6, 1)
    fault = detailed(WRONG, Replayed(story=replace(STORY, terms=(RIGHT, wrong), is_wrong=True)), HERE)
    assert "A[1][1] · something that was never set is added to C[1][3]" in fault.sentence
    assert "belongs (line 6)." in fault.sentence


def test_what_is_added_besides_the_terms_leads_to_the_store():
    assert detailed(WRONG, Replayed(story=replace(STORY, besides="nan")), HERE).line == 7
