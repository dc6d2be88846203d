"""Workers in containers, a second separation of student code from the machine.

The judge runs outside. It never pulls an image: only images that somebody installed are used.
"""

import os
import platform
import signal
import time
from collections.abc import Iterator, Mapping, Set
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Protocol

import docker
from docker.errors import APIError, DockerException, ImageNotFound
from docker.types import DeviceRequest, LogConfig, Mount, Ulimit
from requests.exceptions import RequestException

from grader.contract.files import LARGEST_FILE
from grader.errors import UsageError
from grader.host import cpus, process_identity
from grader.host.process import Exit
from grader.host.stopped import Stopped
from grader.model import Backend, Limits, Purpose
from grader.sandbox import box_files
from grader.sandbox.engine_errors import explain

JUDGE, BOX, BACKEND = (f"org.matmul-grader.{name}" for name in ("judge", "box", "backend"))
NOBODY = 65534
WORKER_MIB = 512  # beyond a submission's limit, for Python with NumPy, the inputs of a case and /tmp
SCRATCH = "rw,exec,nosuid,nodev,size=256m,mode=1777"
PROCESSES = 512
ENGINE_SECONDS = 120
SIGNALLED = 128  # a shell's exit status for a command that a signal ended, less the signal's number
LOOK_SECONDS = 0.1  # between two requests to the engine, each of which takes some milliseconds

# The worker's output goes into the box. The script's standard input ends when the judge ends, for whatever reason: then
# the script empties the box and kills the worker.
SCRIPT = """exec 3<&0 </dev/null >"$0" 2>&1
"$@" 3<&- &
worker=$!
{ cat <&3 >/dev/null; rm -rf ./*; kill -9 $worker; } &
exec 3<&-
wait $worker"""


@dataclass(frozen=True, slots=True)
class ContainerImage:
    """An installed image, the backend that its label names, and the number of CPUs of its engine."""

    name: str
    digest: str
    backend: Backend | None
    processors: int


class Connection(Protocol):
    """The SDK's reader for the standard input and output of a container."""

    def close(self) -> object:
        """Close the reader, but not the connection under it."""


@dataclass(slots=True)
class Contained:
    """A worker in its own container, which ends when the connection to its `judge` ends."""

    engine: docker.DockerClient
    name: str
    judge: Connection
    looked: float = 0.0
    removed: bool = False

    def poll(self) -> Exit | None:
        """Ask the engine at most every LOOK_SECONDS. Raises InfrastructureError if the engine does not answer."""
        if time.monotonic() - self.looked < LOOK_SECONDS:
            return None
        with _engine_errors():
            state = self.engine.api.inspect_container(self.name)["State"]
        self.looked = time.monotonic()
        return None if state["Running"] or state["Status"] == "created" else _ended(state)

    def resident_bytes(self) -> int:
        return 0

    def processor_seconds(self) -> float:
        return 0.0

    def kill(self) -> None:
        if self.removed:
            return
        self.removed = True
        try:
            with _engine_errors():
                _remove(self.engine, self.name)
        finally:
            _hang_up(self.judge)
            self.engine.close()


def find(name: str) -> ContainerImage:
    """Look up the image, and remove containers and boxes that ended judges of this machine left.

    Raises UsageError if the engine has no such image, InfrastructureError if there is no engine.
    """
    with _engine_errors(), closing(_engine()) as engine:
        reap(engine)
        try:
            image = engine.images.get(name)
        except ImageNotFound as error:
            hint = f"Run `docker pull {name}`, or build it as docs/container.md explains."
            raise UsageError(f"The container engine has no image {name}.", hint) from error
        backend = image.labels.get(BACKEND)
        return ContainerImage(name, str(image.id), Backend(backend) if backend else None, int(engine.info()["NCPU"]))


def start(image: ContainerImage, gpu: str, box: Path, backend: Backend, limits: Limits, purpose: Purpose) -> Contained:
    """Start a worker on the box. `gpu` is the UUID of its GPU, empty for none. Raises InfrastructureError."""
    command = ["python3", "-m", "grader.worker.main", str(box), str(backend), str(purpose)]
    with _engine_errors():
        engine = _engine()
        try:
            return launch(engine, image, command, settings(image, gpu, box, limits))
        except BaseException:
            with suppress(DockerException, RequestException):  # the first error is reported
                _remove(engine, box.name)
            engine.close()
            raise


def launch(engine: docker.DockerClient, image: ContainerImage, command: list[str], given: dict[str, Any]) -> Contained:
    """Create a container for the command and start it; the SDK's `run` would pull the image."""
    box = Path(given["working_dir"])
    container = engine.containers.create(
        image.digest, command, entrypoint=["sh", "-c", SCRIPT, str(box / box_files.PRINTED)], **given
    )
    judge = container.attach_socket(params={"stdin": 1, "stream": 1})
    try:
        container.start()
    except BaseException:
        _hang_up(judge)
        raise
    return Contained(engine, box.name, judge)


def settings(image: ContainerImage, gpu: str, box: Path, limits: Limits) -> dict[str, Any]:
    """The settings of a container: its box, its limits, and one GPU at most."""
    memory = f"{limits.memory_mib + WORKER_MIB}m"
    return {
        "name": box.name,
        "labels": {JUDGE: f"{platform.node()} {process_identity.identity()}", BOX: str(box)},
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
        **_processors(cpus.allowed(), image.processors),
        "pids_limit": PROCESSES,
        "ulimits": [Ulimit(name="core", soft=0, hard=0), Ulimit(name="fsize", soft=LARGEST_FILE, hard=LARGEST_FILE)],
        "log_config": LogConfig(type="none"),
        "init": True,
        "stdin_open": True,
        "healthcheck": {"test": ["NONE"]},
        "device_requests": [DeviceRequest(device_ids=[gpu], capabilities=[["gpu"]])] if gpu else [],
    }


def reap(engine: docker.DockerClient) -> None:
    """Remove the containers and boxes that ended judges of this machine left."""
    for container in engine.api.containers(all=True, filters={"label": JUDGE}):
        host, _, judge = container["Labels"][JUDGE].rpartition(" ")
        if host != platform.node() or process_identity.is_running(judge):
            continue
        _remove(engine, container["Id"])
        box = Path(container["Labels"].get(BOX, ""))
        if box.name.startswith(box_files.PREFIX):
            box_files.remove(box)


def _remove(engine: docker.DockerClient, name: str) -> None:
    """End and remove a container, unless it no longer exists or is being removed."""
    try:
        engine.api.remove_container(name, force=True, v=True)
    except APIError as error:
        if error.status_code not in (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT):
            raise


@contextmanager
def _engine_errors() -> Iterator[None]:
    """Turn every failure of the engine into an InfrastructureError."""
    try:
        yield
    except APIError as error:
        raise explain(str(error.explanation or error)) from error
    except (DockerException, RequestException) as error:
        raise explain(str(error)) from error


def _engine() -> docker.DockerClient:
    return docker.from_env(timeout=ENGINE_SECONDS)


def _ended(state: Mapping[str, object]) -> Exit:
    """The exit of a container's worker. Raises InfrastructureError if the engine stopped the container."""
    code = int(str(state["ExitCode"]))
    if state["Status"] in ("removing", "dead") or code == SIGNALLED + signal.SIGTERM:  # by the engine
        raise explain("No such container")
    stopped = Stopped.MEMORY if state["OOMKilled"] else Stopped.NO
    return Exit(SIGNALLED - code if code > SIGNALLED else code, stopped)


def _hang_up(reader: Connection) -> None:
    connection = getattr(reader, "_sock", reader)
    reader.close()
    connection.close()


def _user(box: Path) -> str:
    """The worker's user and group: those of the judge, or nobody if the judge is root. They own the box."""
    if os.getuid():
        return f"{os.getuid()}:{os.getgid()}"
    os.chown(box, NOBODY, NOBODY)
    return f"{NOBODY}:{NOBODY}"


def _processors(allowed: Set[int], of_engine: int) -> dict[str, int | str]:
    """Limit a container to the CPUs of the judge, and to as many as the engine has.

    An engine in a virtual machine may have fewer CPUs, and refuses a container with a CPU that it lacks.
    """
    named = ",".join(map(str, sorted(allowed))) if max(allowed) < of_engine else ""
    return {"nano_cpus": min(len(allowed), of_engine) * 10**9, "cpuset_cpus": named}
