"""Workers in containers: the same worker on the same box, behind a second wall.

The judge stays outside. It never pulls an image: what student code runs in was put there by somebody on purpose.
"""

from __future__ import annotations

import os
import platform
import signal
import time
from collections.abc import Iterator, Mapping, Set
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

import docker
from docker.errors import APIError, DockerException, ImageNotFound
from docker.types import DeviceRequest, LogConfig, Mount, Ulimit
from requests.exceptions import RequestException

from grader.contract.file_limits import LARGEST_FILE
from grader.errors import UsageError
from grader.host import cpu_affinity, process
from grader.host.process import Exit, Stopped
from grader.model import Backend, Limits
from grader.sandbox import box as boxes
from grader.sandbox.engine_errors import explain

JUDGE, BOX, BACKEND = (f"org.matmul-grader.{name}" for name in ("judge", "box", "backend"))
NOBODY = 65534
WORKER_MIB = 512  # on top of a submission's limit: Python with numpy, a case's inputs, /tmp
SCRATCH = "rw,exec,nosuid,nodev,size=256m,mode=1777"
PROCESSES = 512
ENGINE_SECONDS = 120
SIGNALLED = 128  # a shell's exit status for a command that a signal ended is this and the signal
LOOK_SECONDS = 0.1  # between two questions to the engine, which take some milliseconds each

# The worker's printed output goes into the box. The script's own input ends when the judge does, however that ends:
# then nobody wants the box or its worker any more.
SCRIPT = """exec 3<&0 </dev/null >"$0" 2>&1
"$@" 3<&- &
worker=$!
{ cat <&3 >/dev/null; rm -rf ./*; kill -9 $worker; } &
exec 3<&-
wait $worker"""


@dataclass(frozen=True, slots=True)
class Image:
    """An image that is there, what it says it is for, and the processors of its engine."""

    name: str
    digest: str
    backend: Backend | None
    processors: int


@dataclass(slots=True)
class Contained:
    """A worker in a container of its own."""

    engine: docker.DockerClient
    name: str
    judge: Any  # the open connection by which the container knows that its judge lives
    looked: float = 0.0
    removed: bool = False

    def poll(self) -> Exit | None:
        """Asks the engine now and then only. Raises InfrastructureError when the engine is gone."""
        if time.monotonic() - self.looked < LOOK_SECONDS:
            return None
        with _asking():
            state = self.engine.api.inspect_container(self.name)["State"]
        self.looked = time.monotonic()
        return None if state["Running"] or state["Status"] == "created" else _ended(state)

    def resident_bytes(self) -> int:
        return 0

    def kill(self) -> None:
        if self.removed:
            return
        self.removed = True
        try:
            with _asking():
                _remove(self.engine, self.name)
        finally:
            _hang_up(self.judge)
            self.engine.close()


def find(name: str) -> Image:
    """Look the image up, and remove what earlier judges of this machine left.

    Raises UsageError where the engine has no such image, InfrastructureError where there is no engine.
    """
    with _asking(), closing(_engine()) as engine:
        reap(engine)
        try:
            found = engine.images.get(name)
        except ImageNotFound as error:
            hint = f"Type `docker pull {name}`, or build it: docs/container.md tells how."
            raise UsageError(f"The container engine has no image {name}.", hint) from error
        backend = found.labels.get(BACKEND)
        return Image(name, str(found.id), Backend(backend) if backend else None, int(engine.info()["NCPU"]))


def start(image: Image, gpu: str, box: Path, backend: Backend, limits: Limits) -> Contained:
    """Start a worker on the box. `gpu` is the id of the one that it gets, empty for none."""
    command = ["python3", "-m", "grader.worker.main", str(box), str(backend)]
    with _asking():
        engine = _engine()
        try:
            return launch(engine, image, command, settings(image, gpu, box, limits))
        except BaseException:
            with suppress(DockerException, RequestException):  # the first error is the one to tell
                _remove(engine, box.name)
            engine.close()
            raise


def launch(engine: docker.DockerClient, image: Image, command: list[str], given: dict[str, Any]) -> Contained:
    """Run the command in a container, from its creation on: never `run`, which would pull the image."""
    box = Path(given["working_dir"])
    made = engine.containers.create(
        image.digest, command, entrypoint=["sh", "-c", SCRIPT, str(box / boxes.PRINTED)], **given
    )
    judge = made.attach_socket(params={"stdin": 1, "stream": 1})
    try:
        made.start()
    except BaseException:
        _hang_up(judge)
        raise
    return Contained(engine, box.name, judge)


def settings(image: Image, gpu: str, box: Path, limits: Limits) -> dict[str, Any]:
    """Everything that a container may have, which is its box, its share of the machine, and one GPU."""
    memory = f"{limits.memory_mib + WORKER_MIB}m"
    return {
        "name": box.name,
        "labels": {JUDGE: _judge(), BOX: str(box)},
        "user": _user(box),
        "working_dir": str(box),
        "environment": {"TMPDIR": str(box), "HOME": "/tmp", "CUDA_DEVICE_ORDER": "PCI_BUS_ID"},  # noqa: S108 - its own
        "mounts": [Mount(str(box), str(box), type="bind")],
        "tmpfs": {"/tmp": SCRATCH},  # noqa: S108 - the container's own
        "read_only": True,
        "network_mode": "none",
        "ipc_mode": "private",
        "cgroupns": "private",
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges"],
        "mem_limit": memory,
        "memswap_limit": memory,
        **_share(cpu_affinity.allowed(), image.processors),
        "pids_limit": PROCESSES,
        "ulimits": [Ulimit(name="core", soft=0, hard=0), Ulimit(name="fsize", soft=LARGEST_FILE, hard=LARGEST_FILE)],
        "log_config": LogConfig(type="none"),
        "init": True,
        "stdin_open": True,
        "healthcheck": {"test": ["NONE"]},
        "device_requests": [DeviceRequest(device_ids=[gpu], capabilities=[["gpu"]])] if gpu else [],
    }


def reap(engine: docker.DockerClient) -> None:
    """Remove the containers and boxes of judges of this machine that are gone."""
    for one in engine.api.containers(all=True, filters={"label": JUDGE}):
        host, _, judge = one["Labels"][JUDGE].rpartition(" ")
        if host != platform.node() or process.is_running(judge):
            continue
        _remove(engine, one["Id"])
        box = Path(one["Labels"].get(BOX, ""))
        if box.name.startswith(boxes.PREFIX):
            boxes.remove(box)


def _remove(engine: docker.DockerClient, name: str) -> None:
    """End a container and remove it, where it is not gone or going already."""
    try:
        engine.api.remove_container(name, force=True, v=True)
    except APIError as error:
        if error.status_code not in (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT):
            raise


@contextmanager
def _asking() -> Iterator[None]:
    """Every way in which the engine can fail is a fault of ours."""
    try:
        yield
    except APIError as error:
        raise explain(str(error.explanation or error)) from error
    except (DockerException, RequestException) as error:
        raise explain(str(error)) from error


def _engine() -> docker.DockerClient:
    return docker.from_env(timeout=ENGINE_SECONDS)


def _ended(state: Mapping[str, Any]) -> Exit:
    """How a container ended. Raises InfrastructureError where it was not its own end."""
    code = int(state["ExitCode"])
    if state["Status"] in ("removing", "dead") or code == SIGNALLED + signal.SIGTERM:  # as an engine stops it
        raise explain("No such container")
    stopped = Stopped.MEMORY if state["OOMKilled"] else Stopped.NO
    return Exit(SIGNALLED - code if code > SIGNALLED else code, stopped)


def _hang_up(line: Any) -> None:
    """Closing the SDK's reader leaves the connection under it open."""
    connection = getattr(line, "_sock", line)
    line.close()
    connection.close()


def _judge() -> str:
    return f"{platform.node()} {process.identity()}"


def _user(box: Path) -> str:
    """Who the worker is: the judge's own account, which owns the box, but never the superuser."""
    if os.getuid():
        return f"{os.getuid()}:{os.getgid()}"
    os.chown(box, NOBODY, NOBODY)
    return f"{NOBODY}:{NOBODY}"


def _share(mine: Set[int], of_engine: int) -> dict[str, Any]:
    """As many processors as the judge may use, and the same ones, which are all that the worker sees.

    In a virtual machine an engine may have fewer; it refuses to start anything on one that it has not.
    """
    named = ",".join(map(str, sorted(mine))) if max(mine) < of_engine else ""
    return {"nano_cpus": min(len(mine), of_engine) * 10**9, "cpuset_cpus": named}
