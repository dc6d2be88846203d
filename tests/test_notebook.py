"""The notebook of the student template: run as on Colab, in an environment of its own, on the simulator."""

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser, expect

from grader.host import installation
from grader.report.html.page import render
from tests import lab
from tests.report import pages

TEMPLATE = installation.folder("student_template")
NOTEBOOK = nbformat.read(TEMPLATE / "colab.ipynb", as_version=4)
SOURCES = {cell.id: cell.source for cell in NOTEBOOK.cells}
EXECUTE = "from nbclient.cli import main; main()"


def test_it_is_a_valid_notebook_without_results():
    nbformat.validate(NOTEBOOK)
    code = [cell for cell in NOTEBOOK.cells if cell.cell_type == "code"]
    assert [(cell.outputs, cell.execution_count) for cell in code] == [([], None)] * len(code)


def test_its_kernel_is_that_of_the_template():
    assert SOURCES["kernel"] == "%%writefile matmul.cu\n" + (TEMPLATE / "matmul.cu").read_text().rstrip("\n")


def test_it_names_extras_that_exist():
    project = tomllib.loads((installation.CHECKOUT / "pyproject.toml").read_text())["project"]
    named = re.findall(r'EXTRAS = "([\w,]+)"', SOURCES["settings"] + SOURCES["about"])
    assert {extra for extras in named for extra in extras.split(",")} <= set(project["optional-dependencies"])


@pytest.mark.consumers
@pytest.mark.usefixtures("simulator")
def test_it_installs_the_grader_and_shows_a_report_of_each_kernel_that_is_written(tmp_path: Path):
    wrong = SOURCES["kernel"].replace("k < N", "k < N - 1")
    again = [wrong, SOURCES["grade"], SOURCES["report"]]
    grader = SOURCES["settings"].replace('GRADER = ""', f'GRADER = "{installation.CHECKOUT.as_uri()}"')
    first = grader.replace('"square"', f'"{lab.write_rubric(tmp_path)}"')
    *_, right, shown, _, failed, shown_again = executed([first, *code()[1:], *again], tmp_path)
    assert "100.0 / 100" in text(right)
    assert "matmul.cu: The answers are correct at " in page(shown)
    assert "wrong answer" in text(failed)
    assert "matmul.cu: Failed at " in page(shown_again)


def test_without_an_address_it_says_what_to_set():
    with pytest.raises(ValueError, match=r"^Set GRADER, above, to the address of your course's grader\.$"):
        exec(SOURCES["settings"] + "\n" + SOURCES["install"].partition("%pip")[0], {})  # noqa: S102


def code() -> list[str]:
    return [cell.source for cell in NOTEBOOK.cells if cell.cell_type == "code"]


def executed(cells: list[str], folder: Path) -> list[Any]:
    """The cells with their outputs, executed offline by a Python that has the grader's dependencies but no grader."""
    venv.create(folder / "python")
    nbformat.write(
        nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells]), folder / "run.ipynb"
    )
    programs = folder / "python" / "bin"
    environment = {
        **os.environ, "HOME": str(folder), "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip's way to say yes
        "PATH": f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": sysconfig.get_path("purelib"),
    }  # fmt: skip
    subprocess.run(
        [programs / "python", "-c", EXECUTE, "--inplace", "run.ipynb"],
        cwd=folder, env=environment, check=True,
    )  # fmt: skip
    return nbformat.read(folder / "run.ipynb", as_version=4).cells


def text(cell: Any) -> str:
    return "".join(output.text for output in cell.outputs)


def page(cell: Any) -> str:
    return unescape(cell.outputs[-1].data["text/html"])


def test_links_of_the_report_stay_in_it(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("grade-report").mkdir()
    Path("grade-report/report.html").write_text(render(pages.barrier(), pages.kernel()), encoding="utf-8")
    *first, last = SOURCES["report"].splitlines()
    names: dict[str, Any] = {}
    exec("\n".join(first), names)  # noqa: S102
    shown = browser.new_page()
    shown.set_content(eval(last, names).data)  # noqa: S307
    report = shown.frame_locator("iframe")
    report.get_by_role("link", name=re.compile(r"line \d+")).first.click()
    expect(report.locator(":target")).to_be_in_viewport()
