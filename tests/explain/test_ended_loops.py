"""The loops that leave out terms of a sum, or add some again."""

from dataclasses import replace

import pytest

from grader.explain.ended_loops import end_of_loop, line_of_loop, repeating_loop
from grader.explain.source_text import code_lines
from grader.model.scenes import Condition, Factor, NamedValue, Scene, Story, Term

SOURCE = code_lines(b"""float sum = A[i] * B[j];
for (int t = 0; t < N; t += 8) {
    if (t + x >= N)
        break;
    for (int k = 0; k < 8; k++)
        sum += a[k] * b[k];
}
C[i] = sum;""")
T, X, K, N = NamedValue("t", "32", 2), NamedValue("x", "1", 1), NamedValue("k", "8", 5), NamedValue("N", "33")
OUTER, INNER, GUARD = Condition(2, True, (T, N)), Condition(5, False, (K,)), Condition(3, True, (T, X, N))


def story(*conditions: Condition, **fields: object) -> Story:
    factors = (Factor("A", 0, 0, 6), Factor("B", 0, 1, 6))
    scene = Scene((1, 0, 0), (0, 0, 0), 8, (), conditions)
    return Story(0, 1, 8, 33, 32, (Term(0, factors, 6, 0),), scene=scene, **fields)  # type: ignore[arg-type]


def test_a_loop_that_a_thread_leaves_leads_to_where_it_does_and_not_to_the_loop_inside():
    left = story(INNER, OUTER, GUARD, missing=(32, 32, 1))
    assert end_of_loop(left, SOURCE) == (
        "The condition in line 3 was true with t = 32, x = 1 and N = 33: if (t + x >= N). So line 4 left the loop in "
        "line 2."
    )
    assert line_of_loop(left, SOURCE) == 4


def test_a_loop_that_ended_by_its_own_condition_leads_to_it():
    ended = story(INNER, Condition(2, False, (T, N)), missing=(32, 32, 1))
    assert line_of_loop(ended, SOURCE) == 2


def test_a_loop_that_has_come_to_a_missing_term_is_not_the_one_that_leaves_it_out():
    source = [*SOURCE[:4], "for (int k = t; k < end; k++)", *SOURCE[5:]]
    inner = Condition(5, False, (replace(K, value="32"), T, NamedValue("end", "1", 4)))
    for value, line in (("40", 5), ("32", 2)):
        told = story(inner, Condition(2, False, (replace(T, value=value), N)), missing=(32, 32, 1))
        assert line_of_loop(told, source) == line


def test_a_loop_without_a_step_leads_to_its_bound_and_not_to_the_loop_around_it():
    width, source = NamedValue("width", "0", 3), [*SOURCE[:4], "for (int k = 0; k < width; k++)", *SOURCE[5:]]
    for value, line in (("0", 3), ("8", 2)):
        inner = Condition(5, False, (replace(K, value=value), replace(width, value=value)))
        assert line_of_loop(story(inner, Condition(2, False, (T, N)), missing=(32, 32, 1)), source) == line


def test_a_loop_around_a_shuffle_that_each_lane_leaves_at_its_own_time_leads_to_it():
    source = code_lines(b"""for (int k = lane; k < N; k += 32)
    for (int j = 0; j < 32; ++j)
        sum += __shfl_sync(ALL, mine, j) * b[j];""")
    outer = Condition(1, False, (replace(K, value="34", line=1), NamedValue("lane", "2"), N))
    told = replace(story(Condition(2, False, ()), outer, missing=(32, 32, 1)), terms=(Term(0, (), 3, 0),))
    left = "Lanes that have left it, as thread (1, 0, 0) has, take no part in the shuffle in line 3."
    assert (left in end_of_loop(told, source), line_of_loop(told, source)) == (True, 1)


def test_an_if_that_adds_one_of_the_last_terms_is_told_to_run_once():
    source = [
        "int k = 0;",
        "for (; k < N - 3; k += 4)",
        "    sum += a[k] * b[k];",
        "if (k < N)",
        "    sum += a[k] * b[k];",
    ]
    loop, behind = Condition(2, False, (replace(K, value="32", line=1), N)), Condition(4, True, (K, N))
    told = replace(story(loop, behind, missing=(32, 32, 1)), terms=(Term(0, (), 3, 0),))
    assert end_of_loop(told, source).endswith("An if adds its terms only once, a loop all that are left.")
    assert line_of_loop(told, source) == 4


@pytest.mark.parametrize(
    ("step", "rest", "line", "said"),
    [
        ("4", "for (int k = four + 1; k < N; k++) {", 4, "The loop in line 4 does not add the rest: for (int k = four"),
        ("4", "if (N % 4 == 0) {", 4, "The condition in line 4 was false with N = 33: if (N % 4 == 0)."),
        ("1", "for (int k = four + 1; k < N; k++) {", 2, ""),
    ],
)
def test_the_rest_of_a_loop_in_steps_leads_to_what_should_add_it(step: str, rest: str, line: int, said: str):
    source = code_lines(
        f"""int k = 0, four = N / 4 * 4;
for (; k < four; k += {step})
    sum += a[k] * b[k] + a[k + 1] * b[k + 1];
{rest}
    sum += a[k] * b[k]; }}
C[i] = sum;""".encode()
    )
    loop, behind = Condition(2, False, (replace(K, value="32", line=2), N)), Condition(4, False, (N,))
    told = replace(story(loop, behind, missing=(32, 32, 1)), terms=(Term(0, (), 3, 0),))
    assert line_of_loop(told, source) == line
    assert said in end_of_loop(told, source)


def test_a_term_that_a_loop_adds_after_a_line_before_leads_to_the_loop():
    begun, repeated = (Term(0, (), line, 0) for line in (1, 6))
    told = Story(0, 1, 8, 33, 34, (begun, repeated), twice=(0, 0, 1))
    assert repeating_loop(told, SOURCE) == 5
    assert repeating_loop(Story(0, 1, 8, 33, 34, (repeated, repeated), twice=(0, 0, 1)), SOURCE) == 0


@pytest.mark.parametrize(
    ("declared", "header"),
    [("", "for (int k = threadIdx.y; k < N; k += 16) {"), ("int k = threadIdx.y;", "while (k < N) {")],
)
def test_a_loop_with_barriers_that_threads_leave_at_different_times_leads_to_it(declared: str, header: str):
    source = [declared, header, "__syncthreads();", "for (int j = 0; j < end; j++)", "sum += a[j] * b[j];", "}"]
    outer = Condition(2, False, (replace(K, value="33", line=1 if declared else 2), N))
    inner = Condition(4, False, (NamedValue("j", "16", 4), NamedValue("end", "16", 3)))
    told = replace(story(inner, outer, missing=(32, 32, 1)), terms=(Term(0, (), 5, 0),))
    assert "Threads that have left it, as thread (1, 0, 0) has, do not come to the barrier in line 3" in end_of_loop(
        told, source
    )
    assert line_of_loop(told, source) == 2
