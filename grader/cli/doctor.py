"""`grade doctor`: find out what this machine can grade with, by grading, and how to install what is missing."""

import os
import platform
import shutil
import sys
from collections.abc import Collection
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from rich.table import Column, Table
from rich.text import Text

from grader.cli.console import GRADER_ERROR, PASSED, exit_on_error, narrate, say, show
from grader.cli.grading import planned
from grader.cli.options import confine
from grader.errors import InfrastructureError
from grader.host import compilers, installation, machine, toolkit
from grader.host.process import run
from grader.model import Backend
from grader.pipeline import grade_content
from grader.text.plain_table import plain_table

ENGINE_SECONDS = 10.0  # in which an engine answers
OPTIONAL = {
    "ncu": "Nsight Compute, for `grade run --profile`",
    "compute-sanitizer": "for data races of kernels that cannot be simulated, on a GPU",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A program, library or backend. `enables` is the name of the backend; empty for anything else."""

    name: str
    present: bool
    text: str
    enables: str = ""


@click.command("doctor")
def doctor_command() -> None:
    """Grade the starter kernel with each backend, and list what is missing.

    Exit status: 0 if at least one backend is ready, 3 otherwise.
    """
    with exit_on_error(), TemporaryDirectory(prefix="grade-doctor-", ignore_cleanup_errors=True) as folder:
        os.environ["GRADER_CACHE"] = folder  # nothing is kept there: the compilers must work
        findings = tuple(tried(finding) if finding.enables and finding.present else finding for finding in examine())
        show(table(findings))
        ready = [Backend(finding.enables) for finding in findings if finding.enables and finding.present]
        say(conclusion(ready))
    sys.exit(PASSED if ready else GRADER_ERROR)


def conclusion(ready: Collection[Backend]) -> str:
    """Return what this machine can grade, as a sentence."""
    if not ready:
        return "Not ready: this machine grades nothing until what is missing is installed."
    if any(backend.capabilities.measures_speed for backend in ready):
        return "Ready: this machine checks results and measures speed on its GPU."
    return "Ready: this machine checks results on the simulator. Without a GPU, it needs nothing else."


def examine() -> tuple[Finding, ...]:
    """Look for everything that grading may use."""
    every = (
        Finding("Python", True, f"{platform.python_version()} on {platform.platform()}"),
        *_packages(),
        *(finding for backend in reversed(Backend) for finding in _backend(backend)),
    )
    return tuple(dict.fromkeys(every))  # what two backends miss is missing once


def tried(backend: Finding) -> Finding:
    """Return the finding on a backend after a small grade with it: the whole pipeline."""
    narrate(f"Grading the starter with the backend {backend.enables}.")
    try:
        if problem := _grade_starter(Backend(backend.enables)):
            return replace(backend, present=False, text=f"does not grade the starter: {problem}")
    except InfrastructureError as error:
        return replace(backend, present=False, text=f"does not grade the starter: {error.sentence} {error.hint}")
    return replace(backend, text=f"{backend.text}; it graded the starter")


def _grade_starter(backend: Backend) -> str:
    """Return why the starter was not graded as correct; empty if it was. Raises InfrastructureError."""
    confine("", allow_unconfined=False)
    plan, submitted = planned(
        installation.folder("student_template") / "matmul.cu", installation.folder("rubrics") / "square.toml", (), 0
    )
    sizes = plan.rubric.quick_sizes[:1]
    rubric = replace(plan.rubric, timed_sizes=sizes)
    plan = replace(plan, rubric=rubric, sizes=sizes, timed=backend.capabilities.measures_speed)
    report = grade_content(plan, submitted.content, machine.choose(backend), lambda *_: None)
    faults = filter(None, (report.fault, *(result.fault for result in report.results)))
    return report.infrastructure or next((f"{fault.sentence} {fault.hint}" for fault in faults), "")


def table(findings: tuple[Finding, ...]) -> Table:
    """Return the table of findings."""
    component, found = Column("component", no_wrap=True), Column("version, or how to install it", overflow="fold")
    shown = plain_table("", component, found)
    for finding in findings:
        mark = Text("yes", style="green") if finding.present else Text("no", style="yellow")
        shown.add_row(mark, finding.name, Text(finding.text))
    return shown


def _packages() -> list[Finding]:
    findings = [Finding(name, True, version(name)) for name in ("numpy", "junit-xml", "jsonschema")]
    dask = version("distributed") if find_spec("distributed") else ""
    compiler = "ready for nvcc" if toolkit.has_host_compiler() else ""
    return [
        *findings,
        Finding("Dask", bool(dask), dask or f"`grade batch`: {installation.install('batch')}"),
        _engine(),
        Finding("g++", bool(compiler), compiler or compilers.INSTALL_HOST_COMPILER),
        *map(_optional, OPTIONAL),
    ]


def _engine() -> Finding:
    """Ask the engine itself, because the Python package `docker` is always installed."""
    name, engine = "container engine (optional)", shutil.which("docker")
    if engine is None:
        return Finding(name, False, "--container: https://docs.docker.com/engine/install")
    asked = run([engine, "version", "--format", "{{.Server.Version}}"], cwd=Path(os.sep), seconds=ENGINE_SECONDS)
    if asked.code:
        return Finding(name, False, f"{engine} is there, but no engine answers: sudo systemctl start docker")
    return Finding(name, True, asked.text.strip())


def _optional(program: str) -> Finding:
    path = toolkit.find(program)
    fix = f"{OPTIONAL[program]}; a part of the CUDA toolkit"
    return Finding(f"{program} (optional)", path is not None, str(path) if path else fix)


def _backend(backend: Backend) -> list[Finding]:
    name = "GPU grading" if backend.capabilities.uses_gpu else backend
    if missing := machine.missing_for(backend):
        parts = [Finding(part.part, False, part.fix) for part in missing]
        return [*parts, Finding(name, False, f"not available: {missing[0].problem}", backend)]
    here = machine.describe(backend, "")
    if not backend.capabilities.uses_gpu:
        compiler = Finding("CUDA compiler", True, here.versions["compiler"])
        return [compiler, Finding(name, True, f"ready on {here.device}", backend)]
    device = f"{here.device} ({here.architecture}), at most {here.peak_gflops:,.0f} GFLOPS in float32"
    versions = [Finding(name, True, text) for name, text in here.versions.items() if name != "python"]
    return [Finding("GPU", True, device), *versions, Finding(name, True, "ready", backend)]
