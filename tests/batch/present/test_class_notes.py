"""Sentences about a class as a whole, on its page and in the terminal."""

from dataclasses import replace

from grader.batch.present import progress
from grader.batch.present.class_page import class_page
from tests.batch.present import class_rows
from tests.report import examples


def test_students_with_another_rubric_than_most_are_named_on_the_page_and_in_the_terminal():
    report = class_rows.fast(500.0)
    other = replace(report, rubric=replace(report.rubric, sizes=(examples.SMALL,)))
    rows = [class_rows.row("ada", report), class_rows.row("ben", report), class_rows.row("finn", other)]
    said = "With another rubric than most students: finn. Their points do not compare. Grade all with --apply."
    assert said in class_page(rows)
    assert f"Warning: {said}" in list(progress.summary(rows[2:], [], rows[:2]))
    assert "another rubric" not in class_page(rows[:2])


def test_a_report_without_a_naive_kernel_compares_with_all_others():
    report = class_rows.fast(500.0)
    naive = {"ada": "1", "ben": "1", "cleo": "2", "dora": ""}
    rows = [class_rows.row(student, replace(report, naive_sha256=kernel)) for student, kernel in naive.items()]
    assert "With another naive kernel than most students: cleo." in class_page(rows)


def test_students_with_equal_files_are_named_on_the_page():
    report = class_rows.fast(500.0)
    other = replace(report, source=replace(report.source, sha256="0" * 64))
    rows = [class_rows.row("ada", report), class_rows.row("ben", other), class_rows.row("ina", report)]
    assert "Equal files: ada and ina." in class_page(rows)
    assert "Equal files" not in class_page(rows[:2])
