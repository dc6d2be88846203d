"""SARIF as GitHub's code scanning reads it, against the schema of the standard, which allows no other properties."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from grader.export import sarif
from grader.model import AccessKind, Case, CaseResult, Fault, Source, ThreadAccess, Verdict
from tests.export import grades
from tests.report import examples

SCHEMA = Draft202012Validator(json.loads(Path(__file__).with_name("sarif-2.1.0.json").read_text(encoding="utf-8")))


def run_of(report: Any, path: str = "labs/matmul.cu") -> Any:
    log = json.loads(sarif.render(report, path))
    SCHEMA.validate(log)
    (run,) = log["runs"]
    return run


@pytest.mark.parametrize("made", grades.EVERY.values(), ids=grades.EVERY)
def test_every_report_keeps_to_the_standard(made: Any):
    run = run_of(made())
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in run["results"]} <= rules


def test_each_rule_has_what_code_scanning_requires():
    (rule,) = run_of(examples.not_compiled())["tool"]["driver"]["rules"]
    assert (rule["id"], rule["fullDescription"]["text"]) == ("compile-error", "Compile error.")
    assert "what to try" in rule["help"]["text"]


def test_a_mistake_has_its_line():
    (result,) = run_of(examples.not_compiled())["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("labs/matmul.cu", 3)


def test_a_wrong_answer_has_the_line_of_the_kernel():
    source = Source("matmul.cu", examples.HASH, 1, 17)
    (result,) = run_of(examples.report(results=grades.wrong().results, source=source))["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 17


def test_the_other_line_of_a_race_is_related():
    pair = ThreadAccess(5, AccessKind.WRITES), ThreadAccess(9, AccessKind.READS)
    fault = Fault(Verdict.DATA_RACE, "A race.", "Wait.", 5, accesses=pair)
    results = (CaseResult(Case(examples.SMALL, "checked", 1), fault.verdict, fault=fault),)
    (result,) = run_of(examples.report(results=results))["results"]
    (other,) = result["relatedLocations"]
    assert (other["physicalLocation"]["region"]["startLine"], other["message"]["text"]) == (9, "reads")


def test_a_grader_error_is_a_notification_and_not_a_mistake():
    run = run_of(examples.broken_machine())
    (invocation,) = run["invocations"]
    assert run["results"] == []
    assert invocation["executionSuccessful"] is False
    assert "There is no compiler" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_any_path_is_an_address():
    (result,) = run_of(examples.not_compiled(), "./labs/my lab/行列:1.cu")["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert place == "labs/my%20lab/%E8%A1%8C%E5%88%97%3A1.cu"
