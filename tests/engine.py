"""A real container engine: its image, programs in a worker's container, and a relay to it that can be cut."""

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import docker

from grader.host.process import Running
from grader.model import Backend, Limits, Purpose
from grader.sandbox import container
from grader.sandbox.client import Worker
from grader.sandbox.container import ContainerImage
from grader.sandbox.processes import Start
from grader.sandbox.starting import worker

IMAGE = os.environ.get("GRADER_TEST_IMAGE", "matmul-grader:simulator")
REQUIRED = bool(os.environ.get("GRADER_TEST_ENGINE"))


def address() -> str:
    """The path of the engine's socket."""
    return urlparse(os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")).path


def why_not() -> str:
    """Why container tests cannot run here; empty if they can."""
    try:  # not with the SDK, which leaves its connection open when it fails
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(address())
    except OSError as error:
        return f"no container engine answers ({error.strerror}): .ci/container starts one"
    client = docker.from_env(timeout=20)
    try:
        client.images.get(IMAGE)
    except docker.errors.ImageNotFound:
        return f"the engine has no image {IMAGE}: .ci/container builds it"
    finally:
        client.close()
    return ""


def grader_containers() -> list[str]:
    """The names of all containers of graders, running or not."""
    client = docker.from_env()
    try:
        return [entry["Names"][0][1:] for entry in client.api.containers(all=True, filters={"label": container.JUDGE})]
    finally:
        client.close()


def start_in(image: ContainerImage) -> Start:
    return partial(container.start, image, "")


@contextmanager
def program(image: ContainerImage, code: str, limits: Limits | None = None) -> Iterator[Worker]:
    """A Python program in place of the worker, in a container with exactly a worker's settings."""

    def start(box: Path, _backend: Backend, limits: Limits, _purpose: Purpose) -> Running:
        given = container.settings(image, "", box, limits)
        return container.launch(docker.from_env(), image, ["python3", "-c", code], given)

    with worker(Backend.SIMULATOR, limits or Limits(), start) as this_worker:
        yield this_worker


@dataclass
class Line:
    """A relay between a judge and the engine, which records requests and can be cut."""

    path: Path
    engine: str
    asked: bytearray = field(default_factory=bytearray)
    ends: list[socket.socket] = field(default_factory=list)

    def cut(self) -> None:
        self.path.unlink(missing_ok=True)
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def created(self) -> list[dict[str, Any]]:
        """The bodies of all requests for a container."""
        parts = bytes(self.asked).split(b"/containers/create")[1:]
        return [json.JSONDecoder().raw_decode(part.partition(b"\r\n\r\n")[2].decode())[0] for part in parts]

    def serve(self, listening: socket.socket) -> None:
        with suppress(OSError):  # cut
            while True:
                judge, _ = listening.accept()
                engine = socket.socket(socket.AF_UNIX)
                engine.connect(self.engine)
                self.ends += [judge, engine]
                threading.Thread(target=self._pass_on, args=(judge, engine, True), daemon=True).start()
                threading.Thread(target=self._pass_on, args=(engine, judge, False), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, note: bool) -> None:
        with suppress(OSError):  # cut
            while data := source.recv(65536):
                if note:
                    self.asked += data
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


@contextmanager
def line_to_engine(folder: Path) -> Iterator[Line]:
    """A relay to the engine, at a path that DOCKER_HOST can name as `unix://PATH`."""
    listening = socket.socket(socket.AF_UNIX)
    line = Line(folder / "line.sock", address(), ends=[listening])
    listening.bind(str(line.path))
    listening.listen()
    threading.Thread(target=line.serve, args=(listening,), daemon=True).start()
    try:
        yield line
    finally:
        line.cut()


def limits(**given: Any) -> Limits:
    return replace(Limits(), **given)
