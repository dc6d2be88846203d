"""The tables and figures of docs/labs/, from what the `grade sweep` commands of those pages measured.

python tests/benchmarks/labs.py measure         run those commands; each resumes where it stopped
python tests/benchmarks/labs.py take STUDY      take the measurements from their output folder, here `study`
python tests/benchmarks/labs.py write           generate the pages' tables and figures from docs/labs/data/

docs/labs/tables.toml has the page and the rows of each table, the figures of the lab's own report for them, and the
studies of each figure.
A table replaces the text between `<!-- table: NAME -->` and `<!-- end -->` on its page. A cell that was not measured
is a dash.
"""

import csv
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import median_low

from grader.study.measure.records import Study
from grader.study.present.outputs import SWEEP
from grader.study.present.page_tables import page_tables
from tests.benchmarks import lab_figures, lab_points, lab_studies
from tests.benchmarks.lab_pages import DATA, PAGES, ROOT, Entry, commands, layout, macros

DEVICE = "device.csv"
NOT_MEASURED = "\N{EN DASH}"
TIMES = " \N{MULTIPLICATION SIGN} "
A_KERNEL_FAILED = 1  # exit status: a kernel is wrong at a size, and its row says so


def shape(size: int | str) -> tuple[str, str, str]:
    """M, N and K as sweep.csv writes them, from 2048 or "4096x64x512"."""
    lengths = str(size).split("x")
    return (lengths[0], lengths[-2], lengths[-1]) if len(lengths) == 3 else (lengths[0],) * 3


def measured(entry: Entry, size: int | str, column: str) -> float | None:
    """The median of a column for a kernel or one of its baselines; None if the study has no such row."""
    if not (DATA / f"{entry['study']}.csv").exists():
        return None
    wanted = {"subject": entry.get("subject", "kernel"), **dict(zip("MNK", shape(size), strict=True))}
    wanted |= macros(entry)
    if "file" in entry:
        wanted["file"] = entry["file"]
    lines = lab_studies.lines(entry["study"])
    rows = [row for row in lines if all(row[key] == value for key, value in wanted.items())]
    values = [float(row[column]) for row in rows if row[column]]
    return median_low(values) if values else None


def number(value: float | None, digits: int = 0) -> str:
    return NOT_MEASURED if value is None else f"{value:,.{digits}f}".replace(",", " ")


def ratio(value: float | None, base: float | None) -> str:
    return NOT_MEASURED if value is None or base is None else f"{value / base:.2f}"


def places(values: Iterable[float | None]) -> list[str]:
    """1 for the fastest; nothing for what is missing."""
    speeds = list(values)
    order = sorted((value for value in speeds if value is not None), reverse=True)
    return ["" if value is None else str(order.index(value) + 1) for value in speeds]


def markdown(head: list[str], rows: Iterable[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def ladder(table: Entry) -> str:
    """The report's figures beside this repository's at one size: GFLOPS, ratio to the base kernel, and place."""
    rows, size = table["rows"], table["size"]
    reported = [row.get("report") for row in rows]
    own = [measured(row, size, "gflops_median") for row in rows]
    base = next(index for index, row in enumerate(rows) if row["name"] == table["base"])
    in_both = [None if value is None else own_value for value, own_value in zip(reported, own, strict=True)]
    columns = zip(rows, reported, places(reported), own, places(in_both), strict=True)
    report = table["report"]
    head = ["", report, f"over {table['base']}", "place", "H200", f"over {table['base']}", "place"]
    return markdown(
        [*head, "registers", "occupancy"],
        (
            [
                row["name"],
                *("" if value is None else cell for cell in (number(value, 2), ratio(value, reported[base]))),
                reported_place,
                *(number(own_value), ratio(own_value, own[base]), own_place),
                *resources(row, size),
            ]
            for row, value, reported_place, own_value, own_place in columns
        ),
    )


def resources(row: Entry, size: int | str) -> tuple[str, str]:
    registers = measured(row, size, "registers")
    occupancy = measured(row, size, "occupancy")
    return ("" if registers is None else number(registers), "" if occupancy is None else f"{occupancy:.0%}")


def grid(table: Entry) -> str:
    """One column of sweep.csv: a column for each kernel, a line for each size or, at one size, for each macro value."""
    column, scale, digits = table.get("column", "gflops_median"), table.get("scale", 1.0), table.get("digits", 0)

    def cell(entry: Entry, size: int | str) -> str:
        value = measured(entry, size, column)
        return number(None if value is None else value * scale, digits)

    def line(name: str, values: Entry, size: int | str) -> list[str]:
        return [name, *(cell({**entry, **values}, size) for entry in table["rows"])]

    lines = [line(label(size), {}, size) for size in table.get("sizes", [])]
    lines += [line(variant["name"], macros(variant), table["size"]) for variant in table.get("variants", [])]
    return markdown([table["head"], *(entry["name"] for entry in table["rows"])], lines)


def label(size: int | str) -> str:
    """A size as a page writes it: with lengths in the order M, K, N. In sweep.csv and --sizes, the order is M, N, K."""
    rows, columns, inner = shape(size)
    return str(size) if isinstance(size, int) else TIMES.join((rows, inner, columns))


def copies(table: Entry) -> str:
    """Milliseconds of one product's parts by the host's clock, and GFLOPS without and with the copies."""
    parts = ["host_to_device_seconds", "kernel_seconds", "device_to_host_seconds", "total_seconds"]

    def line(row: Entry) -> list[str]:
        seconds = [measured(row, table["size"], part) for part in parts]
        milliseconds = [number(None if value is None else value * 1e3, 2) for value in seconds]
        speeds = [measured(row, table["size"], column) for column in ("gflops_median", "gflops_with_copies")]
        return [row["name"], *milliseconds, *map(number, speeds)]

    head = ["", "host to device, ms", "kernel, ms", "device to host, ms", "total, ms", "GFLOPS", "GFLOPS with copies"]
    return markdown(head, map(line, table["rows"]))


def device(_table: Entry) -> str:
    """The properties that the device reports."""
    with (DATA / DEVICE).open(encoding="utf-8", newline="") as lines:
        return markdown(["property", "value"], csv.reader(lines))


def points(table: Entry) -> str:
    """The points of each lab's kernels for their speeds."""
    return markdown(["rubric", "points on an H200", "of"], lab_points.table(table))


KINDS = {"ladder": ladder, "grid": grid, "copies": copies, "device": device, "points": points}


def replaced(page: str, name: str, table: str) -> str:
    between = re.compile(rf"(<!-- table: {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    text, count = between.subn(lambda match: f"{match[1]}{table}\n{match[2]}", page)
    if count != 1:
        raise SystemExit(f"table {name}: its place is on the page {count} times, not once")
    return text


def with_tables(page: str, name: str) -> str:
    """The text of the page with this file name, with new tables; a table without data stays as it is."""
    for kind, make in KINDS.items():
        for table in layout().get(kind, []):
            if table["page"] == name and any((DATA / f"{row['study']}.csv").exists() for row in table["rows"]):
                page = replaced(page, table["name"], make(table))
    return page


def measure() -> None:
    for words in commands():
        files = [str(path) for word in words[1:] for path in sorted(ROOT.glob(word)) or [Path(word)]]
        print(shlex.join(words), flush=True)
        if subprocess.run([sys.executable, "-m", "grader", *files], check=False, cwd=ROOT).returncode > A_KERNEL_FAILED:
            sys.exit("That study is not complete. The same command resumes it.")


def take(folder: Path) -> None:
    DATA.mkdir(exist_ok=True)
    for table in folder.glob("*/sweep.csv"):
        shutil.copyfile(table, DATA / f"{table.parent.name}.csv")
    studies = map(SWEEP.read, sorted(folder.glob("*/sweep.json")))
    study_ = next(study for study in studies if study.roof.peak_gflops)  # tensor cores have none
    keep_device(study_)
    lab_studies.keep_roof(study_.roof, DATA / lab_studies.ROOF)


def keep_device(study: Study) -> None:
    table_ = next(table for table in page_tables(study) if table.caption.startswith("Device"))
    with (DATA / DEVICE).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(table_.lines)


def write() -> None:
    for path in PAGES.glob("*.md"):
        path.write_text(with_tables(path.read_text(encoding="utf-8"), path.name), encoding="utf-8")
    lab_figures.write()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["measure"]:
            measure()
        case ["take", folder]:
            take(Path(folder))
            write()
        case ["write"]:
            write()
        case _:
            sys.exit(__doc__)
