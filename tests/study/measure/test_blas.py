"""BLAS is measured, and named with its threads and its processor."""

import re
from pathlib import Path

import pytest

from grader.model import Interface, Shape, Timing
from grader.study.measure import blas


def interface(a: str, c: str) -> Interface:
    return Interface("matmul", ("A", "B", "C", "N"), a, a, c)


@pytest.mark.parametrize(
    ("types", "expected"),
    [(("float32", "float32"), "float32"), (("float64", "float64"), "float64"), (("int32", "int32"), None),
     (("float16", "float32"), None), (("float16", "float16"), None)],
)  # fmt: skip
def test_only_what_blas_multiplies_is_measured(types: tuple[str, str], expected: str | None):
    assert blas.kind(interface(*types)) == expected


def test_a_measurement_has_rounds_and_an_interval():
    rule = Timing(seconds_per_size=0.05, min_rounds=7)
    measurement = blas.measure(Shape(64, 32, 48), "float32", rule, 1)
    assert measurement.rounds >= 7
    assert measurement.launches >= measurement.rounds
    assert measurement.seconds.low <= measurement.seconds.median <= measurement.seconds.high
    assert measurement.gflops.median == pytest.approx(
        measurement.shape.flops / measurement.seconds.median / 1e9, rel=0.2
    )
    assert (measurement.speedup, measurement.library_fraction, measurement.telemetry) == (None, None, None)


def test_a_round_of_a_small_product_has_many():
    measurement = blas.measure(Shape(8, 8, 8), "float64", Timing(seconds_per_size=0.05), 1)
    assert measurement.launches > 100 * measurement.rounds


def test_the_library_is_named_with_its_threads():
    assert "thread" in blas.implementation()


def test_the_processor_is_named_with_its_cores(tmp_path: Path):
    listing = tmp_path / "cpuinfo"
    entry = "processor\t: {}\nmodel\t\t: 1\nmodel name\t: AMD EPYC 9654 96-Core Processor\n\n"
    listing.write_text(entry.format(0) + entry.format(1))
    assert re.fullmatch(r"\d+ cores? of AMD EPYC 9654 96-Core Processor", blas.processor(listing))
    assert blas.implementation().endswith(blas.processor())


@pytest.mark.parametrize("content", [None, "", "Processor : ARMv7\n", "model name\t:\nflags : fpu\n"])
def test_a_processor_that_no_list_names_has_its_cores(content: str | None, tmp_path: Path):
    if content is not None:
        (tmp_path / "cpuinfo").write_text(content)
    assert re.fullmatch(r"\d+ cores?", blas.processor(tmp_path / "cpuinfo"))
