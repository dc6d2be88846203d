"""The statistics on the class page."""

from collections.abc import Sequence
from dataclasses import replace

from grader.batch.present.class_statistics import by_criterion
from grader.batch.present.class_statistics import common_mistakes as mistakes
from grader.model import Fault, Verdict
from tests.batch.present import class_rows
from tests.report import examples


def common_mistakes(rows: Sequence[class_rows.StudentResult]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(each.verdict, each.cause, tuple(row.student for row in each.students)) for each in mistakes(rows)]


def test_each_criterion_counts_students_with_all_part_or_none_of_its_points():
    correct = next(criterion for criterion in by_criterion(class_rows.rows()) if criterion.title == "Correct answers")
    assert (correct.all, correct.part, correct.none, correct.not_measured) == (3, 1, 2, 0)
    assert (correct.mean, correct.points) == ((3 * 50 + 25) / 6, 50.0)


def test_what_was_not_measured_is_in_no_mean():
    rows = [class_rows.row("anna", examples.simulated()), class_rows.row("bert", None, problem="It was lost.")]
    speedup = next(criterion for criterion in by_criterion(rows) if criterion.title == "Speed-up")
    assert (speedup.mean, speedup.not_measured) == (None, 1)
    assert by_criterion(rows[1:]) == []


def test_the_commonest_mistake_is_first_and_names_each_student_once():
    rows = [*class_rows.rows(), class_rows.row("zoe", class_rows.crashed())]
    first, *rest = common_mistakes(rows)
    assert first == ("crashed", "Look again.", ("evil", "zoe"))
    assert [students for _, _, students in rest] == [("dora",), ("fred",)]


def test_a_compile_error_is_known_by_the_compilers_message():
    def row(student: str, cause: str) -> class_rows.StudentResult:
        fault = examples.not_compiled().fault
        assert fault is not None
        return class_rows.row(student, examples.not_compiled(fault=replace(fault, cause=cause, hint="Fix it.")))

    rows = [row("anna", 'expected a ";"'), row("bert", 'expected a ";"')]
    assert common_mistakes(rows) == [("compile error", 'expected a ";"', ("anna", "bert"))]


def test_students_with_one_diagnosis_are_counted_together_and_none_under_the_hint_of_another():
    def row(student: str, diagnosis: str, hint: str) -> class_rows.StudentResult:
        report = class_rows.crashed()
        fault = Fault(Verdict.OUT_OF_BOUNDS, "It failed.", hint, diagnosis=diagnosis)
        return class_rows.row(student, replace(report, results=(replace(report.results[0], fault=fault),)))

    rows = [row("anna", "outside-shared", "See line 5."), row("bert", "outside-shared", "See line 7.")]
    rows += [row("cleo", "outside-shared", "See line 7."), row("dora", "outside-local", "See line 7.")]
    assert common_mistakes(rows) == [
        ("out of bounds", "outside shared", ("anna", "bert", "cleo")),
        ("out of bounds", "See line 7.", ("dora",)),
    ]


def test_of_a_student_only_the_mistake_to_fix_first_counts():
    race = examples.failed(examples.SMALL, "checked", Verdict.DATA_RACE)
    race = replace(race, fault=Fault(Verdict.DATA_RACE, "Two threads race.", line=14))
    follows = examples.wrong(examples.LARGE, "second")
    rows = [class_rows.row("anna", examples.report(results=(follows, race), measurements=()))]
    assert [verdict for verdict, _, _ in common_mistakes(rows)] == ["data race"]


def test_a_mistake_has_few_words():
    def words(verdict: Verdict, sentence: str, hint: str, diagnosis: str) -> str:
        report = class_rows.crashed()
        result = replace(report.results[0], verdict=verdict, fault=Fault(verdict, sentence, hint, diagnosis=diagnosis))
        ((_, cause, _),) = common_mistakes([class_rows.row("anna", replace(report, results=(result,)))])
        return cause

    assert words(Verdict.WRONG_ANSWER, "C lacks terms.", "With 0 instead of 15.", "missing-terms") == "missing terms"
    assert words(Verdict.WRONG_ANSWER, "C is wrong.", "No thread has written it. Which one should?", "") == (
        "No thread has written it."
    )
    assert words(Verdict.OUT_OF_BOUNDS, "Line 7.", "Compare it with N.", "outside-matrix") == "Compare it with N."
    assert words(Verdict.OUT_OF_BOUNDS, "Line 7.", "", "outside-matrix") == "outside matrix"
    assert words(Verdict.CRASHED, "It failed at 5.", "", "") == "It failed at 5."
