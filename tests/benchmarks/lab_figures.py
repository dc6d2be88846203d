"""The figures of docs/labs/, drawn from docs/labs/data/ as `[[figure]]` of tables.toml says."""

from collections.abc import Iterator
from dataclasses import replace

from grader.host.atomic_write import write_text
from grader.pages import plots
from grader.study.measure.records import Row, Study
from grader.study.present import outputs, selection
from grader.study.present.drawing import Drawing
from tests.benchmarks import lab_pages, lab_studies
from tests.benchmarks.lab_pages import Entry


def drawing(figure: Entry) -> Drawing:
    """The figure that tables.toml describes, as `grade sweep` draws it."""
    drawings = [drawing_ for drawing_ in outputs.drawings(chosen(figure)) if drawing_.name == figure["draw"]]
    if not drawings:
        raise SystemExit(f"figure {figure['file']}: its data does not make a {figure['draw']}")
    return replace(drawings[0], title=figure.get("title", drawings[0].title))


def chosen(figure: Entry) -> Study:
    """The studies of a figure combined, limited to its sizes and to the kernels that it names."""
    studies = [lab_studies.study(name) for name in figure["studies"]]
    rows = [row for study in studies for row in study.rows]
    if "rows" in figure:
        baselines = [row for row in rows if row.subject != "kernel"]
        rows = [row for entry in figure["rows"] for row in named(entry)] + baselines
    sizes = figure.get("sizes")
    return replace(studies[0], rows=tuple(row for row in rows if not sizes or (row.shape and row.shape.N in sizes)))


def named(entry: Entry) -> Iterator[Row]:
    """The rows of a kernel or a baseline, as those of a kernel with the name that the figure shows."""
    study, name, macros = lab_studies.study(entry["study"]), entry["name"], lab_pages.macros(entry)
    if "subject" in entry:
        rows = list(selection.baseline(study, entry["subject"]).values())
    else:
        kernels = [row for row in study.rows if row.subject == "kernel" and row.file == entry["file"]]
        rows = [row for row in kernels if macros.items() <= row.defines.items()]
    yield from (replace(row, subject="kernel", variant=name, file=name, defines={}) for row in rows)


def write() -> None:
    for figure in lab_pages.layout()["figure"]:
        drawn = drawing(figure)
        write_text(lab_pages.FIGURES / figure["file"], plots.document(drawn.figure, drawn.title, drawn.description))
