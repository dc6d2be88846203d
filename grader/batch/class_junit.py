"""One junit.xml for a class: a suite for each student, and no test case's name twice."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from grader.batch.row import Row
from grader.report import junit
from grader.report.text import one_line


def class_junit(rows: Sequence[Row], family: str = "xunit2") -> str:
    """Return the XML document of the class; `family` as in grader.report.junit."""
    title = next((row.report.rubric.title for row in rows if row.report), "class")
    return junit.document(title, [_suite(row, family) for row in rows])


def _suite(row: Row, family: str) -> ET.Element:
    """Readers tell cases apart by name alone, so each begins with whose it is."""
    student = row.handin.student
    suite = junit.suite(row.report, family) if row.report else _nothing(row)
    suite.set("name", student)
    for case in suite.iter("testcase"):
        case.set("name", f"{student}: {case.get('name')}")
        case.set("classname", f"{student}.{case.get('classname')}")
    return suite


def _nothing(row: Row) -> ET.Element:
    """A suite of one case: a failure where nothing could be read of what was handed in, an error where we failed."""
    theirs = bool(row.handin.problem)
    counts = {"tests": "1", "failures": str(int(theirs)), "errors": str(int(not theirs)), "skipped": "0"}
    suite = ET.Element("testsuite", {**counts, "time": "0.000", "hostname": "localhost"})
    case = ET.SubElement(suite, "testcase", {"name": "hand-in", "classname": "handin", "time": "0.000"})
    message = one_line(row.problem or row.handin.problem, junit.LONGEST_MESSAGE) or "There is no report."
    kind = ("failure", "NothingToGrade") if theirs else ("error", "Infrastructure")
    ET.SubElement(case, kind[0], {"message": message, "type": kind[1]}).text = message
    return suite
