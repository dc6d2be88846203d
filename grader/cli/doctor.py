"""What this machine can do, and the one line that fixes what is missing."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import version

from rich import box
from rich.table import Table
from rich.text import Text

from grader.errors import InfrastructureError
from grader.host import machine
from grader.model import Backend, Machine


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked for. `enables` is a way of grading that it stands for, if it is one."""

    name: str
    present: bool
    text: str
    enables: str = ""


def examine() -> tuple[Finding, ...]:
    """Look at everything that grading may use."""
    return (
        Finding("Python", True, f"{platform.python_version()} on {platform.platform()}"),
        *_packages(),
        *(finding for backend in reversed(Backend) for finding in _backend(backend)),
    )


def table(findings: tuple[Finding, ...]) -> Table:
    """Show what was found."""
    shown = Table(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, pad_edge=False)
    shown.add_column()
    shown.add_column("what", no_wrap=True)
    shown.add_column("found, or how to get it", overflow="fold")
    for one in findings:
        mark = Text("yes", style="green") if one.present else Text("no", style="yellow")
        shown.add_row(mark, one.name, Text(one.text))
    return shown


def _packages() -> list[Finding]:
    return [Finding(name, True, version(name)) for name in ("numpy", "docker", "junit-xml", "jsonschema")]


def _backend(backend: Backend) -> list[Finding]:
    return _with_gpu(backend) if backend.capabilities.uses_gpu else _with_cpu(backend)


def _with_cpu(backend: Backend) -> list[Finding]:
    try:
        found = machine.describe(backend, "")
    except InfrastructureError as error:
        lacking = Finding("C++ compiler", False, error.hint)
        return [lacking, Finding(backend, False, "needs a C++ compiler", backend)]
    compiler = [Finding("C++ compiler", True, label) for label in [found.versions.get("compiler")] if label]
    return [*compiler, Finding(backend, True, f"ready on {found.device}", backend)]


def _with_gpu(backend: Backend) -> list[Finding]:
    missing = machine.missing_for(backend)
    lacking = [Finding(one.part, False, one.fix) for one in missing]
    if missing:
        return [*lacking, Finding("GPU grading", False, f"not available: {missing[0].problem}", backend)]
    return [*_gpu(machine.describe(backend, "")), Finding("GPU grading", True, "ready", backend)]


def _gpu(found: Machine) -> list[Finding]:
    device = f"{found.device} ({found.architecture}), at most {found.peak_gflops:,.0f} GFLOPS in float32"
    parts = [Finding(name, True, text) for name, text in found.versions.items() if name != "python"]
    return [Finding("GPU", True, device), *parts]
