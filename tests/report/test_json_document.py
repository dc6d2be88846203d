import errno
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import model
from grader.errors import InfrastructureError, UsageError
from grader.report import json_document
from tests.report import examples, pages

EVERY = [examples.report, examples.simulated, examples.not_compiled, examples.broken_machine]
GOLDEN = Path(__file__).parent / "golden" / "report.json"
texts = st.text(st.characters())  # lone surrogates and control characters too


@pytest.mark.parametrize("made", EVERY)
def test_what_is_written_is_read_back_equal(made: Any, tmp_path: Path) -> None:
    json_document.REPORT.write(made(), tmp_path / "report.json")
    assert json_document.REPORT.read(tmp_path / "report.json") == made()


def test_a_finished_report_gives_its_golden_file() -> None:
    values = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert json_document.REPORT.to_dict(examples.report()) == values
    assert json_document.REPORT.from_dict(values) == examples.report()


@pytest.mark.parametrize("mix", [None, {"kernel": {"FFMA": 16}, "loop": {}}])
def test_an_older_report_is_read_without_what_is_no_longer_written(mix: object, tmp_path: Path) -> None:
    values: Any = json_document.REPORT.to_dict(pages.advised())
    values["counters"]["sass"] = mix
    (tmp_path / "report.json").write_text(json.dumps(values))
    assert json_document.REPORT.read(tmp_path / "report.json") == pages.advised()


def test_fields_that_are_gone_are_left_out_of_an_older_report() -> None:
    values = json.loads(json_document.REPORT.render(examples.report()))
    values["results"][0] |= dict.fromkeys(json_document.GONE, "")
    assert json_document.REPORT.from_text(json.dumps(values)) == examples.report()


def test_an_older_report_with_families_of_inputs_is_read() -> None:
    report = json_document.REPORT.read(GOLDEN.with_name("report_with_families.json"))
    assert [result.case.run for result in report.results] == ["wide-a", "real"] * 2
    assert report.measurements == examples.report().measurements


def test_an_older_report_with_a_race_in_words_is_read(tmp_path: Path) -> None:
    values: Any = json_document.REPORT.to_dict(examples.not_compiled())
    access = {"thread": "thread (0, 0)", "line": 7, "verb": "writes"}
    values["fault"]["race"] = {"memory": "C[0][0]", "first": access, "second": access, "missing": "no barrier"}
    (tmp_path / "report.json").write_text(json.dumps(values))
    assert json_document.REPORT.read(tmp_path / "report.json") == examples.not_compiled()


def test_what_is_not_finite_is_written_as_text_and_read_back(tmp_path: Path) -> None:
    report = examples.report(results=(examples.wrong(examples.SMALL, "second"),))
    json_document.REPORT.write(report, tmp_path / "report.json")
    written = json.loads((tmp_path / "report.json").read_text(), parse_constant=pytest.fail)
    assert written["results"][0]["mismatch"]["first"]["got"] == "nan"
    worst = json_document.REPORT.read(tmp_path / "report.json").results[0].mismatch.worst
    assert worst.got == float("inf")


@given(texts, texts, st.dictionaries(texts, texts, max_size=3))
def test_any_text_gives_a_valid_report(printed: str, name: str, versions: dict[str, str]) -> None:
    report = examples.report(
        source=model.Source(name, examples.HASH, 1),
        machine=replace(examples.report().machine, versions=versions),
        results=(examples.ok(examples.SMALL, "second", printed=printed),),
    )
    values: Any = json_document.REPORT.to_dict(report)
    json_document.REPORT.schema().validate(values)
    json.dumps(values, allow_nan=False, ensure_ascii=False).encode("utf-8")


def test_a_full_disk_is_a_grader_error_and_leaves_the_old_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "report.json"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", _full)
    with pytest.raises(InfrastructureError, match="No space left on device"):
        json_document.REPORT.write(examples.report(), path)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("report.json", "old")]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="could not be written: No such file or directory"):
        json_document.REPORT.write(examples.report(), tmp_path / "none" / "report.json")


def test_a_report_that_breaks_its_schema_is_not_written(tmp_path: Path) -> None:
    broken = replace(examples.report(), seed="seven")  # type: ignore[arg-type]
    with pytest.raises(InfrastructureError, match=r"at \$.seed, 'seven' is not of type 'integer'"):
        json_document.REPORT.write(broken, tmp_path / "report.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"\xff", b"", b"{", b"[" * 100_000])
def test_a_file_that_is_not_json_is_refused_with_a_sentence(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "report.json").write_bytes(content)
    with pytest.raises(UsageError, match="this is not a JSON file"):
        json_document.REPORT.read(tmp_path / "report.json")


@pytest.mark.parametrize("change", [{"format": 2}, {"extra": 1}, {"source": None}])
def test_json_that_is_not_a_report_is_refused_with_a_sentence(change: dict[str, Any], tmp_path: Path) -> None:
    values: Any = json_document.REPORT.to_dict(examples.report()) | change
    (tmp_path / "report.json").write_text(json.dumps(values))
    with pytest.raises(UsageError, match="this is not a report of this version"):
        json_document.REPORT.read(tmp_path / "report.json")


def test_a_report_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    values: Any = json_document.REPORT.to_dict(examples.report())
    values["results"][0]["verdict"] = "timeout"
    (tmp_path / "report.json").write_text(json.dumps(values))
    with pytest.raises(UsageError, match="the report contradicts itself"):
        json_document.REPORT.read(tmp_path / "report.json")


def test_a_missing_report_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        json_document.REPORT.read(tmp_path / "report.json")


def test_a_folder_is_read_as_its_report_and_one_of_a_class_names_an_example(tmp_path: Path) -> None:
    ada = tmp_path / "ada"
    ada.mkdir()
    with pytest.raises(UsageError, match=r"is a folder without a report\.json"):
        json_document.read_for_students(tmp_path)
    json_document.REPORT.write(examples.report(), ada / "report.json")
    assert json_document.read_for_students(ada) == examples.report()
    with pytest.raises(UsageError) as raised:
        json_document.read_for_students(tmp_path)
    assert raised.value.hint.endswith(f"or its folder, such as {ada / 'report.json'}.")


def test_the_documentation_names_every_field_of_a_report() -> None:
    text = (Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf-8")
    schema: Any = json_document.REPORT.schema().schema
    assert not [name for name in schema["properties"] if f"`{name}`" not in text]


def _full(_: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
