"""A class whose student code runs in containers of a real engine."""

from pathlib import Path

import pytest

from grader.batch.results import student_folder
from grader.batch.run import worker_placement
from grader.model import Report, Verdict
from grader.report import json_document
from grader.sandbox.container import ContainerImage
from tests import engine, lab
from tests.desk import Desk
from tests.engine import Line, line_to_engine

pytestmark = pytest.mark.container

HANGS = lab.naive_with("for (volatile int i = 0; i >= 0; i = 0) {}")


def submit(desk: Desk, **students: str) -> Path:
    for name, text in students.items():
        (desk.folder / "class" / name).mkdir(parents=True)
        (desk.folder / "class" / name / "matmul.cu").write_text(text)
    return desk.folder / "class"


def report_of(desk: Desk, student: str) -> Report:
    return json_document.REPORT.read(desk.folder / "results" / student / "report.json")


def boxes_by_processors(line: Line) -> dict[str, set[str]]:
    """The boxes of all containers by the containers' CPU cores; each container has a box of its own."""
    boxes: dict[str, set[str]] = {}
    for body in line.created():
        (mount,) = body["HostConfig"]["Mounts"]
        boxes.setdefault(body["HostConfig"]["CpusetCpus"], set()).add(mount["Source"])
    return boxes


@pytest.mark.skipif(len(worker_placement.processors()) < 2, reason="two workers have no processors of their own here")
def test_each_of_a_class_has_containers_of_its_own_on_the_processors_of_its_worker(desk: Desk, image: ContainerImage):
    students = submit(desk, ada=lab.NAIVE, ben=HANGS)
    small = lab.write_rubric(desk.folder, case_seconds=2)
    with line_to_engine(desk.folder) as line:
        ended = desk.grade_apart(
            "batch", students, "--rubric", small, "--container", image.name, "--workers", "2", "--output", "results",
            DOCKER_HOST=f"unix://{line.path}",
        )  # fmt: skip
    assert ended.status == 0, ended.words
    assert "1 passed, 1 failed." in ended.stdout
    assert lab.verdict(report_of(desk, "ada")) is Verdict.OK
    assert lab.verdict(report_of(desk, "ben")) is Verdict.TIMEOUT
    assert report_of(desk, "ben").machine.versions["container"] == f"{image.name} {image.digest}"
    assert (desk.folder / "results" / "ada" / student_folder.RECORD).exists()
    boxes = boxes_by_processors(line)
    assert {*boxes} == {
        ",".join(map(str, sorted(group))) for group in worker_placement.groups(worker_placement.processors(), 2)
    }
    assert len(set().union(*boxes.values())) == len(line.created()) >= 4, "each compiles and runs, and no box twice"
    assert engine.grader_containers() == []
