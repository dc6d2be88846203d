"""The way back from the labs' tables to studies, and the figures that are drawn from them."""

import csv
import io
import math
from pathlib import Path
from xml.etree import ElementTree

import pytest

from grader.rubric import load as rubrics
from grader.study.measure.records import Roof, Study
from grader.study.present import selection, tables
from tests.benchmarks import lab_figures, lab_pages, lab_studies
from tests.benchmarks.lab_pages import Entry
from tests.study import examples

STUDIES = sorted(path.stem for path in lab_pages.DATA.glob("*.csv") if path.stem not in {"device", "roof"})
FIGURES = lab_pages.layout()["figure"]
SQUARE = lab_pages.ROOT / "rubrics" / "square.toml"


def same(first: str, other: str) -> bool:
    """Equal, or numbers that differ by the rounding of sums and quotients of what a table holds."""
    try:
        return math.isclose(float(first), float(other), rel_tol=1e-6)
    except ValueError:
        return first == other


def again(study: Study) -> Study:
    return lab_studies.of_table(tables.csv(study), rubrics.load(SQUARE), study.roof, study.command)


@pytest.mark.parametrize("made", [examples.blocks(), examples.ladder(), examples.simulated()])
def test_a_study_of_a_table_gives_the_table(made: Study):
    cells = [list(csv.reader(io.StringIO(tables.csv(study), newline=""))) for study in (made, again(made))]
    assert cells[0][0] == cells[1][0]
    assert all(same(cell, other) for before, after in zip(*cells, strict=True) for cell, other in zip(before, after))  # noqa: B905


def test_a_study_of_a_table_has_the_rows_that_figures_show():
    before, after = examples.blocks(), again(examples.blocks())
    assert [row.variant for row in after.rows] == [row.variant for row in before.rows]
    assert selection.measured(after).keys() == selection.measured(before).keys()
    for row, other in zip(after.rows, before.rows, strict=True):
        assert (row.shape, row.launch, row.verdict) == (other.shape, other.launch, other.verdict)


@pytest.mark.parametrize("name", STUDIES)
def test_a_table_of_an_earlier_version_is_read_with_all_that_it_holds(name: str):
    with (lab_pages.DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        kept = list(csv.DictReader(file))
    now = lab_studies.lines(name)
    assert len(now) == len(kept)
    assert all(same(now[line][key], value) for line, cells in enumerate(kept) for key, value in cells.items())


def test_the_peak_holds_for_single_precision_alone():
    assert lab_studies.study("square").roof.peak_gflops
    assert all(lab_studies.study(name).roof.peak_gflops is None for name in ("mixed_precision", "tensor_cores"))


def test_a_roof_is_read_as_it_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lab_pages, "DATA", tmp_path)
    lab_studies.keep_roof(examples.ROOF, tmp_path / lab_studies.ROOF)
    roof: Roof = lab_studies.roof(rubrics.load(SQUARE))
    assert (roof.peak_gflops, roof.bandwidth) == (66908.0, 4916.0)
    assert roof.sustained.median == 4210.0


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure["file"])
def test_a_figure_of_the_labs_says_what_its_data_say(figure: Entry):
    root = ElementTree.parse(lab_pages.FIGURES / figure["file"]).getroot()  # noqa: S314 - a file of this repository
    drawn = lab_figures.drawing(figure)
    words = [root.findtext(f"{{http://www.w3.org/2000/svg}}{name}") for name in ("title", "desc")]
    assert words == [drawn.title, drawn.description]


def test_every_figure_of_the_labs_is_drawn_from_data_and_on_a_page():
    files = {path.name for path in lab_pages.FIGURES.iterdir()}
    pages = "".join(path.read_text(encoding="utf-8") for path in lab_pages.PAGES.glob("*.md"))
    assert files == {figure["file"] for figure in FIGURES}
    assert {file for file in files if f"(figures/{file})" not in pages} == set()


def test_a_figure_has_its_kernels_under_its_names_at_its_sizes():
    kernels = [
        {"name": "best", "study": "homework_blocks", "file": "register_blocked.cu", "BLOCK": 16},
        {"name": "cuBLAS", "study": "homework_blocks", "subject": "cublas"},
    ]
    figure = {"file": "x.svg", "draw": "kernels", "studies": ["homework_blocks"], "sizes": [2048], "rows": kernels}
    shown = selection.measured(lab_figures.chosen(figure))
    assert {name: [str(shape) for shape in rows] for name, rows in shown.items()} == {
        "best": ["N=2048"],
        "cuBLAS": ["N=2048"],
    }


def test_a_figure_that_the_data_do_not_make_is_refused():
    with pytest.raises(SystemExit, match=r"x\.svg"):
        lab_figures.drawing({"file": "x.svg", "draw": "speedup", "studies": ["square"], "sizes": [2048]})
