from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml
from lxml import etree

from grader.batch.present.class_files import class_junit
from tests import report
from tests.batch.present import class_rows

JENKINS = etree.XMLSchema(etree.parse(Path(report.__path__[0]) / "junit-10.xsd"))


def test_it_keeps_to_the_schema_of_jenkins():
    JENKINS.assertValid(etree.fromstring(class_junit(class_rows.rows()).encode()))


def test_each_student_is_a_suite():
    suites = JUnitXml.fromstring(class_junit(class_rows.rows()).encode())
    assert [suite.name for suite in suites] == [row.submission.student for row in class_rows.rows()]


def test_no_name_of_a_test_case_comes_twice_in_the_file():
    root = etree.fromstring(class_junit(class_rows.rows()).encode())
    names = [case.get("name") for case in root.iter("testcase")]
    assert len(names) == len(set(names))
    assert {"anna: compile", "bert: compile", "hugo: submission"} <= set(names)


def test_the_totals_are_those_of_all_suites():
    root = etree.fromstring(class_junit(class_rows.rows()).encode())
    for total, element in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        assert int(root.get(total)) == len(list(root.iter(element))) > 0


def test_an_unreadable_file_is_a_failure_and_a_grader_error_is_an_error():
    suites = {suite.name: suite for suite in JUnitXml.fromstring(class_junit(class_rows.rows()).encode())}
    ended = {name: next(iter(suites[name])).result[0] for name in ("hugo", "ines")}
    assert (type(ended["hugo"]), type(ended["ines"])) == (Failure, Error)
    assert "is a link" in ended["hugo"].message


def test_the_reason_why_nothing_was_graded_attaches_no_file():
    document = class_junit([class_rows.row("anna", None, problem="“[[ATTACHMENT|/etc/passwd]]” is a link.")])
    assert "[[ATTACHMENT" not in document
    assert "[ [ATTACHMENT|/etc/passwd]]" in document


def test_a_class_with_a_student_not_graded_yet_is_not_green():
    document = class_junit([class_rows.row("zoe", None)]).encode()
    JENKINS.assertValid(etree.fromstring(document))
    (suite,) = JUnitXml.fromstring(document)
    (ended,) = next(iter(suite)).result
    assert (type(ended), ended.message) == (Error, "Not graded yet.")
    assert (suite.skipped, suite.failures, suite.errors) == (0, 0, 1)


@given(st.text(st.characters(), max_size=40))
def test_any_text_gives_valid_xml(text: str):
    rows = [class_rows.row("anna", None, problem=text), class_rows.row("bert", class_rows.wrong(), name=text)]
    JENKINS.assertValid(etree.fromstring(class_junit(rows).encode()))
