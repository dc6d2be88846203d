"""One junit.xml for a class: a suite for each student, and unique names of test cases."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from grader.batch.present.student_result import StudentResult
from grader.batch.results.student_folder import path_of
from grader.report import junit


def class_junit(rows: Sequence[StudentResult], family: str = "xunit2", source: str = "") -> str:
    """Return the XML document of the class. `family` is that of report/junit.py, `source` a template of paths."""
    title = next((row.report.rubric.title for row in rows if row.report), "class")
    return junit.document(title, [_suite(row, family, source) for row in rows])


def _suite(row: StudentResult, family: str, source: str) -> ET.Element:
    """Return the suite of a student. Readers identify cases by name alone, so each name begins with the student."""
    student = row.submission.student
    if row.report:
        suite = junit.suite(row.report, family, path_of(source, student, row.report))
    else:
        suite = _waiting() if row.is_waiting else _nothing(row)
    suite.set("name", student)
    for case in suite.iter("testcase"):
        case.set("name", f"{student}: {case.get('name')}")
        case.set("classname", f"{student}.{case.get('classname')}")
    return suite


def _nothing(row: StudentResult) -> ET.Element:
    """Return a suite of one case: a failure if the submission could not be read, an error after a grader error."""
    message = junit.message_of(row.problem or row.submission.problem) or "There is no report."
    if row.submission.problem:
        return _one_case("failure", "failures", {"message": message, "type": "NothingToGrade"})
    return _one_case("error", "errors", {"message": message, "type": "Infrastructure"})


def _waiting() -> ET.Element:
    """Return a suite of one case: an error, so that CI does not show a partly graded class as passed."""
    return _one_case("error", "errors", {"message": "Not graded yet.", "type": "Infrastructure"})


def _one_case(ended: str, total: str, attributes: dict[str, str]) -> ET.Element:
    counts = {"tests": "1", "failures": "0", "errors": "0", "skipped": "0", total: "1"}
    suite = ET.Element("testsuite", {**counts, "time": "0.000", "hostname": "localhost"})
    case = ET.SubElement(suite, "testcase", {"name": "submission", "classname": "submission", "time": "0.000"})
    ET.SubElement(case, ended, attributes).text = attributes["message"]
    return suite
