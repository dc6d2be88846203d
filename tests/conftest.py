"""What all tests share: a cache of their own, the machine, and the reason to skip what needs a GPU."""

from __future__ import annotations

import gc
import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from grader.comparison import expectation
from grader.comparison.expectation import Expectation
from grader.host import gpu_lock, machine
from grader.model import Backend, Case, Interface, Machine, Report
from grader.sandbox import container
from grader.sandbox.container import ContainerImage
from tests import engine
from tests.desk import Desk, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TESTS = Path(__file__).parent
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-quic"),
)
SMALL = ("-t", "tmpfs", "-o", "size=64k", "none")
# What `make coverage` leaves out follows from fixtures and folders, so no list of tests has to be kept: they start a
# compiler, a kernel, the command, a container or a browser, take a whole class through the grader, or draw figures.
SLOW_FIXTURES = {"simulator", "gpu", "desk", "image", "browser"}
SLOW_FOLDERS = {
    "worker/frontend", "worker/simulator", "ptxsim", "ptxsim/generate", "batch", "batch/run", "consumers",
    "study/present",
}  # fmt: skip

# `make test-fast` does not even read files that import these or call those: they start processes, compile or draw.
STARTERS = {
    "subprocess", "multiprocessing", "matplotlib", "playwright", "grader.host.process", "grader.pages.plots",
    "grader.report.background", "grader.sandbox.client", "grader.sandbox.processes", "grader.sandbox.starting",
    "tests.advice.counted", "tests.benchmarks.lab_figures", "tests.corpus", "tests.engine", "tests.kept_answers",
    "tests.launcher", "tests.mutants", "tests.ptxsim", "tests.worker.replay.replayed",
}  # fmt: skip
IMPORT = re.compile(r"^(?:from (\S+) )?import (.+)$", re.MULTILINE)
GRADES = re.compile(r"\blab\.(?:fault_here|grade|grade_here)\(")
QUICK = "quick"

# What `make test` leaves out, because it needs more than Python and a compiler: a fixture or a folder gives the mark.
APART_BY_FIXTURE = {"browser": "browser", "image": "container", "small_disk": "root"}
APART_BY_FOLDER = {"consumers": "consumers"}

# How long an example takes says something of the machine only.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fast", settings.get_profile("untimed"), max_examples=20)
settings.load_profile("untimed")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if config.option.markexpr != QUICK or not collection_path.match("test_*.py") or _may_be_quick(collection_path):
        return None
    return f"mark.{QUICK}" not in collection_path.read_text(encoding="utf-8")


@cache
def _may_be_quick(path: Path) -> bool:
    text = path.read_text(encoding="utf-8")
    names = {*_imported(text)}
    if _folder(path) in SLOW_FOLDERS or GRADES.search(text) or STARTERS & names:
        return False
    tests = (TESTS.parent / f"{name.replace('.', '/')}.py" for name in names if ".test_" in name)
    return all(_may_be_quick(file) for file in tests if file.is_file())


def _imported(text: str) -> Iterator[str]:
    """What a file imports, and the packages around it."""
    for module, names in IMPORT.findall(text):
        for name in names.split(", "):
            yield from accumulate(f"{module}.{name}".strip(".").split("."), "{}.{}".format)


def _folder(path: Path) -> str:
    return str(path.parent.relative_to(TESTS))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        folder = _folder(item.path)
        if SLOW_FIXTURES & set(fixtures) or folder in SLOW_FOLDERS:
            item.add_marker("slow")
        elif _may_be_quick(item.path) and not item.get_closest_marker("large"):
            item.add_marker(QUICK)
        apart = [APART_BY_FOLDER.get(folder), *map(APART_BY_FIXTURE.get, fixtures)]
        for marker in filter(None, apart):
            item.add_marker(marker)
    missing = machine.missing_for(Backend.CUDA)
    if missing:
        reason = f"{missing[0].problem}: {missing[0].fix}"
        for item in items:
            if item.get_closest_marker("gpu"):
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make only, and less often: modules and thousands of tests stay to the end."""
    gc.freeze()
    gc.set_threshold(10_000)


@pytest.fixture(scope="session", autouse=True)
def compiler_cache():
    """Let the grader keep what it compiles for the next run too, in a folder that is not the user's own.

    The results of `grade check` are not remembered: a variable that differs from run to run belongs to their situation.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADER_CACHE", os.environ.get("GRADER_TEST_CACHE") or str(TESTS.parent / ".cache" / "compiled"))
        patch.setenv("TEST_RUN", secrets.token_hex(8))
        yield


@pytest.fixture(scope="session", autouse=True)
def own_gpu_locks(tmp_path_factory: pytest.TempPathFactory):
    """Give the tests lock files of their own, so that they do not wait for the GPU: they check verdicts, not speeds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gpu_lock, "FOLDER", tmp_path_factory.mktemp("turns"))
        yield


@pytest.fixture(scope="session", autouse=True)
def figures_drawn_once() -> Iterator[None]:
    """Draw equal figures once: the pages that tests make show few different ones."""
    from grader.report.html import error_map, figures

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "_figure", _remembered(figures._figure, _shown))
        patch.setattr(error_map, "draw", _remembered(error_map.draw, lambda *asked: repr(asked)))
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_nvcc() -> Iterator[None]:
    """Ask nvcc once where it looks for headers, and let it leave out one: a tenth and a fifth of a small compilation.

    In this process; a worker that is a process by itself compiles as it does for a user.
    """
    from grader.worker.frontend import nvcc
    from grader.worker.frontend.running import PASSED_ON
    from tests.ptxsim.programs import NO_SPECIAL_FUNCTIONS

    run = nvcc._run

    def asked(setup: Any) -> str:
        environment, job = list(map(os.environ.get, PASSED_ON)), setup.job
        return repr((setup.compiler, job.flags, bool(job.headers), job.name, setup.confinement, environment))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nvcc, "_search_path", _remembered(nvcc._search_path, asked))
        patch.setattr(nvcc, "_run", lambda setup, words: run(setup, (*words, NO_SPECIAL_FUNCTIONS)))
        yield


def _remembered(function: Callable[..., Any], key: Callable[..., str]) -> Callable[..., Any]:
    results: dict[str, Any] = {}

    def once(*asked: Any) -> Any:
        if (known := key(*asked)) not in results:
            results[known] = function(*asked)
        return results[known]

    return once


def _shown(report: Report, kind: str, _: object) -> str:
    """What a figure is drawn from."""
    rubric = report.rubric
    return repr((kind, report.measurements, report.baselines, rubric.criteria, rubric.interface, report.machine))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real browser, one for all tests, because Playwright starts only once in a process."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no Chromium on this machine: apt install chromium")
    with sync_playwright() as started, started.chromium.launch(executable_path=chromium, args=QUIET) as started_browser:
        yield started_browser


@pytest.fixture(scope="session")
def simulator() -> Machine:
    return machine.choose(Backend.SIMULATOR)


@pytest.fixture(scope="session")
def gpu() -> Machine:
    return machine.choose(Backend.CUDA)


@pytest.fixture
def desk(tmp_path: Path):
    """A folder to run the command in. At the end, no process may be running and no box may be left."""
    (tmp_path / "tmp").mkdir()
    desk_ = Desk(tmp_path)
    yield desk_
    assert desk_.strays() == []
    wait_until(lambda: desk_.boxes() == [])  # an orphan takes its box along when it notices
    assert list(desk_.temporary.rglob("*")) == []


@pytest.fixture(scope="session")
def image() -> ContainerImage:
    """The image of the simulator in a container engine that answers."""
    reason = engine.why_not()
    if reason:
        (pytest.fail if engine.REQUIRED else pytest.skip)(reason)
    return container.find(engine.IMAGE)


@pytest.fixture
def small_disk(tmp_path: Path):
    place = tmp_path / "disk"
    place.mkdir()
    mount, unmount = shutil.which("mount"), shutil.which("umount")
    if not mount or not unmount or subprocess.run([mount, *SMALL, place], check=False, capture_output=True).returncode:
        pytest.skip("this user may not mount a small disk")
    yield place
    subprocess.run([unmount, place], check=True)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[Case]:
    """The cases whose expectations are computed."""
    made: list[Case] = []
    compute = expectation.expectation

    def expectation_of(case: Case, interface: Interface, launch: int) -> Expectation:
        made.append(case)
        return compute(case, interface, launch)

    monkeypatch.setattr(expectation, "expectation", expectation_of)
    return made
