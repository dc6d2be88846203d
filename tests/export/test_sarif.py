"""SARIF as GitHub's code scanning reads it: the objects and properties of the standard's chapter 3, and no others."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from grader.export import sarif
from grader.model import Source
from tests.export import grades
from tests.report import examples


def _object(needed: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object", "required": needed.split(), "properties": properties, "additionalProperties": False,
    }  # fmt: skip


def _list(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


TEXT = {"type": "string", "minLength": 1}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = _object("text", text=TEXT)  # 3.11
REGION = _object("startLine", startLine={"type": "integer", "minimum": 1})  # 3.30
ARTIFACT = _object("uri", uri={"type": "string", "pattern": r"^[A-Za-z0-9_.~%/-]+$"})  # 3.4, RFC 3986
LOCATION = _object(  # 3.28, 3.29
    "physicalLocation",
    physicalLocation=_object("artifactLocation region", artifactLocation=ARTIFACT, region=REGION),
)
RESULT = _object(  # 3.27
    "ruleId level message locations", ruleId=TEXT, level=LEVEL, message=MESSAGE, locations=_list(LOCATION)
)
RULE = _object("id", id=TEXT, shortDescription=MESSAGE)  # 3.49
DRIVER = _object("name", name=TEXT, version=TEXT, rules=_list(RULE))  # 3.19
INVOCATION = _object(  # 3.20
    "executionSuccessful",
    executionSuccessful={"type": "boolean"},
    toolExecutionNotifications=_list(_object("message", level=LEVEL, message=MESSAGE)),  # 3.58
)
RUN = _object(  # 3.14
    "tool results", tool=_object("driver", driver=DRIVER), invocations=_list(INVOCATION), results=_list(RESULT)
)
LOG = _object(  # 3.13
    "version runs", version={"const": "2.1.0"}, runs=_list(RUN), **{"$schema": TEXT}
)


def run_of(report: Any, path: str = "labs/matmul.cu") -> Any:
    log = json.loads(sarif.render(report, path))
    Draft202012Validator(LOG).validate(log)
    (run,) = log["runs"]
    return run


@pytest.mark.parametrize("made", grades.EVERY.values(), ids=grades.EVERY)
def test_every_report_keeps_to_the_standard(made: Any):
    run = run_of(made())
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in run["results"]} <= rules


def test_a_mistake_has_its_line():
    (result,) = run_of(examples.not_compiled())["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("labs/matmul.cu", 3)


def test_a_wrong_answer_has_the_line_of_the_kernel():
    source = Source("matmul.cu", examples.HASH, 1, 17)
    (result,) = run_of(examples.report(results=grades.wrong().results, source=source))["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 17


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
