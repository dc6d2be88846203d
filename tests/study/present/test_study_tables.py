"""sweep.csv and sweep.json."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import InfrastructureError, UsageError
from grader.model import Verdict
from grader.study.measure import records
from grader.study.present import tables
from grader.study.present.outputs import SWEEP
from tests.study import examples

GOLDEN = Path(__file__).parents[1] / "golden" / "sweep.csv"
texts = st.text(st.characters(), max_size=40)


def lines(study: records.Study) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(tables.csv(study), newline="")))


def small() -> records.Study:
    return examples.blocks(sizes=(256, 1025))


def test_a_study_gives_its_golden_files():
    assert tables.csv(small()) == GOLDEN.read_bytes().decode()


def test_a_line_for_each_subject_at_each_size():
    written = lines(small())
    assert len(written) == len(small().rows)
    row = next(
        line for line in written if line["subject"] == "kernel" and line["BLOCK"] == "32" and line["N"] == "1025"
    )
    assert row["block"] == "32x32x1"
    assert row["tile"] == "32x32"
    assert float(row["seconds_low"]) < float(row["seconds_median"]) < float(row["seconds_high"])
    gflops = 2 * 1025**3 / float(row["seconds_median"]) / 1e9
    assert float(row["gflops_median"]) == pytest.approx(gflops, rel=1e-6)
    parts = (float(row[f"{part}_seconds"]) for part in ("host_to_device", "kernel", "device_to_host"))
    assert float(row["total_seconds"]) == pytest.approx(sum(parts), rel=1e-6)
    assert float(row["gflops_with_copies"]) == pytest.approx(2 * 1025**3 / float(row["total_seconds"]) / 1e9, rel=1e-6)
    assert row["device"] == "NVIDIA H200"
    assert (row["verdict"], row["reason"]) == ("ok", "")


def test_what_was_not_measured_is_empty_and_never_zero():
    for row in lines(examples.simulated()):
        assert {row[name] for name in row if name.startswith(("seconds", "gflops", "times", "fraction"))} == {""}
    broken = next(line for line in lines(small()) if line["verdict"] == "compile-error")
    assert (broken["M"], broken["block"], broken["gflops_median"]) == ("", "", "")


def test_blas_ran_on_the_processor():
    row = next(line for line in lines(small()) if line["subject"] == "blas")
    assert (row["device"], row["file"], row["BLOCK"]) == ("openblas, 16 threads", "", "")
    assert row["flop_per_byte_at_most"] == ""


def test_a_speed_is_a_fraction_of_the_peak_of_the_device():
    row = next(line for line in lines(small()) if line["subject"] == "cublas")
    assert float(row["fraction_of_peak"]) == pytest.approx(float(row["gflops_median"]) / 66908, rel=1e-6)


def test_without_a_peak_and_on_the_processor_there_is_no_fraction_of_it():
    assert {row["fraction_of_peak"] for row in lines(replace(small(), roof=records.Roof()))} == {""}
    assert {row["fraction_of_peak"] for row in lines(small()) if row["subject"] == "blas"} == {""}


def test_a_macro_named_like_a_column_has_one_of_its_own():
    row = replace(examples.kernel("tiled.cu", {"block": "8"}, 1000.0, 256, 8), variant="x")
    (line,) = lines(examples.study([row]))
    assert (line["define_block"], line["block"]) == ("8", "8x8x1")


def test_every_column_that_could_be_a_macro_is_known():
    words = {name for row in lines(examples.study([])) for name in row}
    words |= set(tables.csv(examples.study([examples.blas(256)])).splitlines()[0].split(","))
    assert words <= tables.COLUMNS | {name for name in words if name.islower()}
    assert words >= tables.COLUMNS


@given(texts, texts, texts)
def test_any_text_gives_a_table_and_a_valid_document(file: str, reason: str, value: str):
    row = examples.failed(file, Verdict.WRONG_ANSWER, reason, 256)
    study = examples.study([replace(row, defines={"X": value})])
    SWEEP.schema().validate(SWEEP.to_dict(study))
    json.dumps(SWEEP.to_dict(study), allow_nan=False, ensure_ascii=False).encode()
    (line,) = lines(study)
    assert not line["file"].startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize("made", [small, examples.ladder, examples.simulated])
def test_what_is_written_is_read_back_equal(made: Any, tmp_path: Path):
    SWEEP.write(made(), tmp_path / "sweep.json")
    assert SWEEP.read(tmp_path / "sweep.json") == made()


def test_a_study_of_an_earlier_version_has_no_timed_sizes(tmp_path: Path):
    SWEEP.write(small(), tmp_path / "sweep.json")
    values = json.loads((tmp_path / "sweep.json").read_text())
    del values["timed_sizes"]
    (tmp_path / "sweep.json").write_text(json.dumps(values))
    assert SWEEP.read(tmp_path / "sweep.json").timed_sizes == ()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 2}', "[" * 100_000])
def test_a_file_that_is_no_study_is_refused_with_a_sentence(content: str, tmp_path: Path):
    path = tmp_path / "sweep.json"
    path.write_text(content)
    with pytest.raises(UsageError, match="this is not a"):
        SWEEP.read(path)


def test_a_missing_study_is_wrong_usage(tmp_path: Path):
    with pytest.raises(UsageError, match="cannot be read"):
        SWEEP.read(tmp_path / "sweep.json")


def test_a_study_that_breaks_its_schema_is_a_defect_of_the_grader(tmp_path: Path):
    with pytest.raises(InfrastructureError, match="schema"):
        SWEEP.write(replace(small(), types=("float32", "float8", "float32")), tmp_path / "sweep.json")
