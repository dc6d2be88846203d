"""The loops that leave out terms of a sum, or add some again."""

from dataclasses import replace

from grader.explain.source_text import SourceText
from grader.explain.term_loops import ended_loop, repeating_loop
from grader.model.scenes import Condition, Factor, NamedValue, Scene, Story, Term

SOURCE = SourceText.of(b"""float sum = A[i] * B[j];
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


def with_loop(loop: str) -> SourceText:
    return SourceText((*SOURCE.lines[:4], loop, *SOURCE.lines[5:]))


def test_a_loop_that_a_thread_leaves_is_not_said_to_have_ended_nor_the_loop_inside():
    left = story(INNER, OUTER, GUARD, missing=(32, 32, 1))
    assert ended_loop(left, SOURCE) == ("", 0)
    words, line = ended_loop(left, SourceText(tuple(each.replace(">= N)", ">= N) break;") for each in SOURCE.lines)))
    assert (words.partition(" with")[0], line) == ("Thread (1, 0, 0) left the loop in line 3", 3)


def test_a_loop_that_has_come_to_a_missing_term_is_not_the_one_that_leaves_it_out():
    source = with_loop("for (int k = t; k < end; k++)")
    inner = Condition(5, False, (replace(K, value="32"), T, NamedValue("end", "1", 4)))
    for value, line in (("40", 5), ("32", 2)):
        told = story(inner, Condition(2, False, (replace(T, value=value), N)), missing=(32, 32, 1))
        assert ended_loop(told, source)[1] == line


def test_a_loop_without_a_step_leads_to_its_bound_and_not_to_the_loop_around_it():
    width, source = NamedValue("width", "0", 3), with_loop("for (int k = 0; k < width; k++)")
    for value, line in (("0", 3), ("8", 2)):
        inner = Condition(5, False, (replace(K, value=value), replace(width, value=value)))
        assert ended_loop(story(inner, Condition(2, False, (T, N)), missing=(32, 32, 1)), source)[1] == line


def test_a_term_that_a_loop_adds_after_a_line_before_leads_to_the_loop():
    begun, repeated = (Term(0, (), line, 0) for line in (1, 6))
    told = Story(0, 1, 8, 33, 34, (begun, repeated), twice=(0, 0, 1))
    assert repeating_loop(told, SOURCE) == 5
    assert repeating_loop(Story(0, 1, 8, 33, 34, (repeated, repeated), twice=(0, 0, 1)), SOURCE) == 0


def test_what_a_loop_of_several_terms_leaves_out_belongs_below_it_or_into_a_loop_instead_of_an_if():
    adds = "    sum += a[k] * b[k];"
    source = SourceText(("int k = 0;", "for (; k < N - 3; k += 4)", adds, "if (k < N)", adds))
    loop, behind = Condition(2, False, (replace(K, value="32", line=1), N)), Condition(4, True, (K, N))
    told = replace(story(loop, behind, missing=(32, 32, 1)), terms=(Term(0, (), 3, 0),))
    words, line = ended_loop(told, source)
    assert words.endswith("An if adds its terms only once, a loop all that are left.")
    assert line == 4
    alone = replace(story(replace(loop, held=False), missing=(32, 32, 1)), terms=told.terms)
    assert ended_loop(alone, source)[0].endswith("add the rest below line 3.")
