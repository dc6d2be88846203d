"""Write the files of a study: tables, figures, and a page with all of them."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from markupsafe import Markup

from grader.host.atomic_write import write_text
from grader.pages import plots
from grader.pages.templating import templates
from grader.report.json_document import Document
from grader.study.measure.records import Study
from grader.study.present import roofline_figure, speed_figures, tables
from grader.study.present.drawing import Drawing
from grader.study.present.page_tables import page_tables

# The whole record of a study.
SWEEP = Document(Study, "study", "sweep.json", "sweep.schema.json", "Measure it again.")
LONG = 40  # lines from which on a table is folded


def write(study: Study, folder: Path) -> None:
    """Write sweep.csv, sweep.json, figures/*.svg and study.html. Raises InfrastructureError."""
    write_tables(study, folder)
    drawn = list(drawings(study))
    pictures = folder / "figures"
    pictures.mkdir(exist_ok=True)
    for drawing in drawn:
        picture = plots.document(drawing.figure, drawing.title, drawing.description)
        write_text(pictures / f"{drawing.name}.svg", picture)
    write_text(folder / "study.html", render(study, drawn))


def write_tables(study: Study, folder: Path) -> None:
    """Write the measurements so far, without figures."""
    write_text(folder / "sweep.csv", tables.csv(study))
    SWEEP.write(study, folder / "sweep.json")


def drawings(study: Study) -> Iterator[Drawing]:
    """Yield the figures that this study has the measurements for."""
    yield from speed_figures.time_and_gflops(study)
    for draw in (speed_figures.gflops_over_size, speed_figures.speedup_over_size, roofline_figure.draw):
        if drawing := draw(study):
            yield drawing


def render(study: Study, drawn: Sequence[Drawing]) -> str:
    """Return the page: the kernels that failed, the figures with a description in words, and the other tables."""
    figures = [(drawing, Markup(plots.svg(drawing.figure, drawing.title, drawing.description))) for drawing in drawn]  # noqa: S704 - ours
    tables = list(page_tables(study))
    return templates("grader.study.present").get_template("study.html.j2").render(
        study=study, figures=figures, failed=[table for table in tables if table.columns[-1] == "why"],
        tables=[table for table in tables if table.columns[-1] != "why"],
        long=LONG, simulated=not study.machine.backend.capabilities.measures_speed,
    )  # fmt: skip
