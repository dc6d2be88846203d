"""Write the files of a study: tables, figures, and a page with all of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grader.host.atomic_write import write_text
from grader.pages import plots
from grader.study.measure.records import Study
from grader.study.present import bars, curves, document, page, roofline_figure, tables
from grader.study.present.drawing import Drawing


def write(study: Study, folder: Path) -> None:
    """Write sweep.csv, sweep.json, figures/*.svg and study.html. Raises InfrastructureError."""
    write_tables(study, folder)
    drawn = list(drawings(study))
    pictures = folder / "figures"
    pictures.mkdir(exist_ok=True)
    for drawing in drawn:
        picture = plots.document(drawing.figure, drawing.title, drawing.description)
        write_text(pictures / f"{drawing.name}.svg", picture)
    write_text(folder / "study.html", page.render(study, drawn))


def write_tables(study: Study, folder: Path) -> None:
    """Write the measurements so far, without figures."""
    write_text(folder / "sweep.csv", tables.csv(study))
    document.write(study, folder / "sweep.json")


def drawings(study: Study) -> Iterator[Drawing]:
    """Yield the figures that this study has the measurements for."""
    yield from bars.time_and_gflops(study)
    for draw in (curves.gflops_over_size, curves.speedup_over_size, roofline_figure.draw):
        if drawing := draw(study):
            yield drawing
