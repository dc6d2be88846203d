"""The published schemas are those of the records, and refuse what is no such record."""

import json
from copy import deepcopy
from typing import Any

import pytest

from grader.report import json_document
from grader.report.json_document import Document
from grader.study.present.outputs import SWEEP
from tests import schema_files
from tests.report import examples
from tests.study import examples as studies

BOTH = pytest.mark.parametrize(
    ("published", "generated"),
    [(json_document.REPORT, schema_files.report), (SWEEP, schema_files.sweep)],
    ids=["report", "sweep"],
)


@BOTH
def test_the_published_schema_is_generated_from_the_records(published: Document[Any], generated: Any) -> None:
    file = schema_files.FOLDER / published.schema_file
    assert file.read_text(encoding="utf-8") == schema_files.text(generated()), "run `make schema-files`"


@BOTH
def test_a_schema_is_valid_and_describes_every_field(published: Document[Any], generated: Any) -> None:
    schema = generated()
    published.schema().check_schema(schema)
    for table in (schema, *schema["$defs"].values()):
        assert table["description"]
        assert all(field["description"] for field in table.get("properties", {}).values())


def values(name: str) -> Any:
    if name == "report":
        return json_document.REPORT.to_dict(examples.report(results=(examples.wrong(examples.SMALL, "second"),)))
    return SWEEP.to_dict(studies.blocks(sizes=(256,)))


def broken(name: str, path: str) -> tuple[Any, Any]:
    """A document, and the object in it at `path`, to change."""
    document = inner = deepcopy(values(name))
    for key in path.split(".") if path else ():
        inner = inner[int(key) if key.isdigit() else key]
    return document, inner


OBJECTS = [
    *(("report", path) for path in ("", "source", "rubric", "rubric.interface", "rubric.criteria.2", "machine")),
    *(("report", path) for path in ("build", "build.resources", "results.0", "results.0.mismatch.first", "score")),
    *(("report", path) for path in ("measurements.0", "measurements.0.telemetry", "baselines.naive.0.speedup")),
    *(("sweep", path) for path in ("", "machine", "roof", "rows.0", "rows.0.measurement", "rows.0.transfer")),
]


def is_valid(name: str, document_: Any) -> bool:
    return bool((json_document.REPORT if name == "report" else SWEEP).schema().is_valid(document_))


ADDED_LATER = {"accuracy", "math", "timed_sizes", "kernel_line", "remark", "undefined", "counters", "advice"}
ADDED_LATER |= {"hidden_sizes", "visible_after", "partly_searched", "searched", "profile", "naive_sha256", "tolerated"}
ADDED_LATER |= {"parameter_bytes", "demands", "ptx_facts", "headers", "template", "start", "symbols"}
ADDED_LATER |= {"grid_by", "block_by", "shared_by", "parts", "constants", "matrices", "before"}


@pytest.mark.parametrize(("name", "path"), OBJECTS)
def test_every_object_has_all_of_its_fields_and_no_other(name: str, path: str) -> None:
    whole, inner = broken(name, path)
    assert is_valid(name, whole)
    inner["other"] = 1
    assert not is_valid(name, whole)
    del inner["other"]
    for field in [field for field in inner if field not in ADDED_LATER]:
        kept = inner.pop(field)
        assert not is_valid(name, whole), field
        inner[field] = kept


@pytest.mark.parametrize(
    ("name", "path", "field", "value"),
    [
        ("report", "", "seed", "seven"),
        ("report", "", "seed", 1.5),
        ("report", "", "state", "done"),
        ("report", "", "format", 2),
        ("report", "source", "sha256", "abc"),
        ("report", "source", "bytes", -1),
        ("report", "rubric.criteria.2", "kind", "beauty"),
        ("report", "rubric.criteria.2", "curve", [[1.0]]),
        ("report", "rubric.launch", "block", [16, 16]),
        ("report", "rubric.launch", "tile", [16, 0]),
        ("report", "rubric.launch", "grid_x", "x"),
        ("report", "rubric.interface", "layout", "rows"),
        ("report", "results.0", "verdict", "good"),
        ("report", "results.0", "seconds", "long"),
        ("report", "results.0", "seconds", None),
        ("report", "results.0.case", "launches", 0),
        ("report", "results.0.fault", "line", 0),
        ("report", "machine", "backend", "abacus"),
        ("report", "machine", "versions", {"nvcc": 13}),
        ("report", "", "results", {}),
        ("sweep", "rows.0", "subject", "other"),
        ("sweep", "rows.0.measurement.gflops", "median", "nan"),
        ("sweep", "rows.0.transfer", "kernel", -1.0),
        ("sweep", "roof", "attributes", {"WARP_SIZE": "32"}),
        ("sweep", "", "types", ["float32", "float32"]),
        ("sweep", "", "types", ["float32", "float8", "float32"]),
    ],
)
def test_a_wrong_value_is_refused(name: str, path: str, field: str, value: object) -> None:
    whole, inner = broken(name, path)
    inner[field] = value
    assert not is_valid(name, whole)


@pytest.mark.parametrize("value", [0.25, 7, "nan", "inf", "-inf"])
def test_a_number_of_a_report_may_be_one_that_json_cannot_say(value: object) -> None:
    whole, inner = broken("report", "results.0")
    inner["seconds"] = value
    assert is_valid("report", json.loads(json.dumps(whole)))


def test_documents_of_earlier_versions_lack_the_fields_that_were_added_later() -> None:
    whole, inner = broken("report", "rubric.interface")
    del inner["math"]
    assert is_valid("report", whole)
    whole, inner = broken("sweep", "")
    del inner["timed_sizes"]
    assert is_valid("sweep", whole)
