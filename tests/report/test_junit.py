import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml, Skipped
from lxml import etree

from grader.errors import UsageError
from grader.model import Fault, Interface, Report, Source, State, Verdict
from grader.report import junit
from tests.report import examples

HERE = Path(__file__).parent
JENKINS = etree.XMLSchema(etree.parse(HERE / "junit-10.xsd"))
EVERY = [examples.report, examples.simulated, examples.not_compiled, examples.broken_machine]
WRONG = (*examples.right(), examples.wrong(examples.LARGE, "repeated"))
texts = st.text(st.characters(), max_size=40)  # lone surrogates and control characters too
hostile = texts | st.binary(max_size=40).map(lambda some: some.decode("utf-8", "surrogateescape"))


def cases(report: Report, family: str = "xunit2") -> dict[str, Any]:
    """The test cases by name, as another project's parser reads them."""
    (suite,) = JUnitXml.fromstring(junit.render(report, junit.Dialect(family)).encode())
    return {case.name: case for case in suite}


def result(report: Report, name: str) -> Any:
    (only,) = cases(report)[name].result
    return only


def test_a_finished_report_gives_its_golden_junit_file() -> None:
    golden = (HERE / "golden" / "junit.xml").read_text(encoding="utf-8")
    report, place = examples.report(results=WRONG), 'name="N=1024" classname="matmul.correctness"'
    assert golden.count(place) == 1
    assert junit.render(report, junit.STRICT) == golden
    assert junit.render(report, junit.Dialect("ci")) == golden.replace(place, f'{place} file="matmul.cu"')


@pytest.mark.parametrize("made", EVERY)
def test_xunit2_keeps_to_the_schema_of_jenkins(made: Any) -> None:
    JENKINS.assertValid(etree.fromstring(junit.render(made(), junit.STRICT).encode()))


def test_a_correct_and_fast_kernel_passes_every_case() -> None:
    assert all(case.is_passed for case in cases(examples.report()).values())


def test_there_is_a_case_for_the_build_each_size_each_timed_size_and_each_criterion() -> None:
    names = list(cases(examples.report()))
    assert names[:2] == ["compile", "N=256"]
    assert names[3:5] == ["speed N=1024", "points: Compiles"]


def test_a_wrong_answer_is_a_failure_that_says_where() -> None:
    failure = result(examples.report(results=WRONG), "N=1024")
    assert (type(failure), failure.type, failure.message) == (Failure, "WrongAnswer", "The last row of C is wrong.")
    assert "1 of 3 runs failed." in failure.text


def test_what_depends_on_a_failed_compilation_is_skipped() -> None:
    ended = {name: type(case.result[0]) for name, case in cases(examples.not_compiled()).items()}
    assert ended.pop("compile") is Failure
    assert set(ended.values()) == {Skipped}
    assert {"N=256", "N=1024", "speed N=1024"} <= ended.keys()


def test_a_grader_error_is_an_error_and_never_a_failure() -> None:
    outcomes = [case.result[0] for case in cases(examples.broken_machine()).values()]
    assert Counter(map(type, outcomes)) == {Error: 1, Skipped: 4}
    assert (outcomes[0].type, outcomes[0].message) == ("Infrastructure", "There is no compiler on this machine.")


@pytest.mark.parametrize("state", [State.RUNNING, State.INTERRUPTED])
def test_a_report_that_is_not_finished_is_never_green(state: State) -> None:
    assert isinstance(result(examples.report(state=state), "grading"), Error)


def test_on_the_simulator_speed_is_skipped_with_its_reason() -> None:
    for name in ("speed N=1024", "points: Speed-up"):
        skipped = result(examples.simulated(), name)
        assert (type(skipped), skipped.message) == (Skipped, "Speed is not measured on this machine.")


def test_some_of_the_points_is_a_pass_and_none_of_them_a_failure() -> None:
    slow = examples.report(measurements=(examples.measurement(speedup=0.5, fraction=0.01),))
    assert result(slow, "points: Speed-up").type == "TooSlow"
    assert cases(slow)["points: Fraction of cuBLAS"].is_passed


def test_criteria_that_wait_for_another_are_skipped_and_name_it() -> None:
    skipped = result(examples.report(results=WRONG), "points: Speed-up")
    assert (type(skipped), "“Correct answers”" in skipped.message) == (Skipped, True)


def test_what_cannot_run_here_is_skipped() -> None:
    results = (examples.failed(examples.SMALL, "second", Verdict.NOT_SUPPORTED, "Tensor cores are not simulated."),)
    assert isinstance(result(examples.simulated(results=results), "N=256"), Skipped)


def test_file_and_line_are_in_ci_only_and_the_place_in_the_text_of_both() -> None:
    fault = examples.not_compiled()
    trees = {family: etree.fromstring(junit.render(fault, junit.Dialect(family)).encode()) for family in junit.FAMILIES}
    places = {family: tree.find(".//testcase").attrib for family, tree in trees.items()}
    assert (places["ci"]["file"], places["ci"]["line"]) == ("matmul.cu", "3")
    assert not {"file", "line"} & set(places["xunit2"])
    assert all(" matmul.cu:3" in tree.find(".//failure").text for tree in trees.values())


def test_a_fault_without_words_is_still_a_failure() -> None:
    silent = replace(examples.not_compiled(), fault=Fault(Verdict.CRASHED, "", ""))
    failure = result(silent, "compile")
    assert (failure.message, failure.text) == ("Failure", "Failure")


def test_times_have_three_decimals_and_are_never_missing_or_nan() -> None:
    odd = (replace(examples.right()[0], seconds=float("nan")), replace(examples.right()[1], seconds=-1.0))
    root = etree.fromstring(junit.render(examples.report(results=odd), junit.STRICT).encode())
    assert all(len(case.get("time").partition(".")[2]) == 3 for case in root.iter("testcase", "testsuite"))
    assert [case.get("time") for case in root.iter("testcase")][1] == "0.000"


def test_the_time_of_day_is_in_utc_without_a_zone_and_left_out_where_unreadable() -> None:
    reports = (examples.report(started=some) for some in (_NOON, "then"))
    trees = [etree.fromstring(junit.render(report).encode()) for report in reports]
    assert [tree[0].get("timestamp") for tree in trees] == ["2025-03-01T11:00:00", None]


def test_counts_agree_with_the_cases() -> None:
    suite = etree.fromstring(junit.render(examples.report(results=WRONG), junit.STRICT).encode())[0]
    counted = {kind: len(list(suite.iter(kind))) for kind in ("testcase", "failure", "error", "skipped")}
    assert [int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")] == list(counted.values())


def test_another_family_is_refused() -> None:
    with pytest.raises(UsageError, match="There is no JUnit family xunit1"):
        junit.render(examples.report(), junit.Dialect("xunit1"))


def test_very_long_output_is_cut() -> None:
    flood = (examples.ok(examples.SMALL, "second", printed="x" * 10_000_000),)
    assert len(junit.render(examples.report(results=flood), junit.Dialect("ci"))) < 50_000


@given(hostile, hostile, hostile, hostile, st.sampled_from(junit.FAMILIES))
def test_any_text_gives_valid_xml_with_names_that_differ(printed: str, log: str, name: str, title: str, family: str):
    report = _with_text(printed, log, name, title)
    root = etree.fromstring(junit.render(report, junit.Dialect(family)).encode("utf-8"))
    names = [case.get("name") for case in root.iter("testcase")]
    assert len(names) == len(set(names))
    assert all(fault.get("message") and fault.text for fault in root.iter("failure", "error", "skipped"))
    assert family == "ci" or JENKINS.validate(root)


GITLAB = re.compile(r"\[\[ATTACHMENT\|(?P<path>[^\[\]|]+?)\]\]")  # its ci/parsers/test/junit.rb


@pytest.mark.parametrize("family", junit.FAMILIES)
def test_no_text_of_a_student_is_an_attachment(family: str) -> None:
    forged = "[[ATTACHMENT|/etc/passwd]]"
    report = _with_text(forged, forged, forged, forged)
    document = junit.render(report, junit.Dialect(family))
    assert not GITLAB.search(document)
    assert "[ [ATTACHMENT|/etc/passwd]]" in document


@pytest.mark.parametrize("family", junit.FAMILIES)
def test_the_document_is_ascii_so_that_no_reader_guesses_another_encoding(family: str) -> None:
    document = junit.render(_with_text("\ufffd \ud800", "é", "行列", "“quoted”"), junit.Dialect(family))
    assert document.isascii()
    (properties,) = etree.fromstring(document.encode()).iter("properties")
    assert "行列" in {property_.get("value") for property_ in properties} | {
        str(property_.get("value")).split()[0] for property_ in properties
    }


def test_a_path_in_the_repository_is_the_file_of_each_fault() -> None:
    document = junit.render(examples.not_compiled(), junit.Dialect("ci", "./labs/one/mine.cu"))
    root = etree.fromstring(document.encode())
    assert {case.get("file") for case in root.iter("testcase")} - {None} == {"labs/one/mine.cu"}
    assert " labs/one/mine.cu:3" in document
    assert not junit.render(examples.not_compiled(), junit.Dialect("ci", "labs/\udcff/m.cu")).count("\udcff")


def test_a_wrong_answer_is_on_the_line_of_the_kernel() -> None:
    source = Source("matmul.cu", examples.HASH, 1234, 17)
    root = etree.fromstring(junit.render(examples.report(results=WRONG, source=source), junit.Dialect("ci")).encode())
    assert [case.get("line") for case in root.iter("testcase") if case.get("line")] == ["17"]


_NOON = "2025-03-01T12:00:00+01:00"


def _with_text(printed: str, log: str, name: str, title: str) -> Report:
    rubric = examples.rubric(title=title, interface=Interface(name, ("A", "B", "C", "N")))
    result = examples.failed(examples.SMALL, name, Verdict.CRASHED, log, printed=printed)
    fault = Fault(Verdict.COMPILE_ERROR, log, title, 3, printed)
    changes = {"rubric": rubric, "results": (result, result), "source": Source(name, examples.HASH, 1)}
    machine = replace(examples.report().machine, device=log, versions={printed: name})
    return examples.not_compiled(**changes, fault=fault, infrastructure=log, machine=machine)
