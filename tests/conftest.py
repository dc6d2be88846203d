"""What all tests share: a cache of their own, the machine, and the reason to skip what needs a GPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader import container, machine
from grader.container import Image
from grader.model import Backend, Machine
from tests import engine
from tests.desk import Desk


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "container: needs a container engine with our image; .ci/container has both")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    missing = machine.missing_for_cuda()
    if missing:
        reason = f"{missing[0].what}: {missing[0].mend}"
        for item in items:
            if item.get_closest_marker("gpu"):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session", autouse=True)
def own_compiler_cache(tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADER_CACHE", str(tmp_path_factory.mktemp("compiled")))
        yield


@pytest.fixture(scope="session")
def simulator() -> Machine:
    return machine.choose(Backend.SIMULATOR)


@pytest.fixture(scope="session")
def gpu() -> Machine:
    return machine.choose(Backend.CUDA)


@pytest.fixture
def desk(tmp_path: Path):
    """A folder to use the command in; afterwards nothing may run or lie about."""
    (tmp_path / "tmp").mkdir()
    one = Desk(tmp_path)
    yield one
    assert one.strays() == []
    assert one.boxes() == []


@pytest.fixture(scope="session")
def image() -> Image:
    """The image of the simulator in a container engine that answers."""
    reason = engine.why_not()
    if reason:
        (pytest.fail if engine.REQUIRED else pytest.skip)(reason)
    return container.find(engine.IMAGE)
