"""A container engine to try things with: the one that runs here, or one started for the purpose
and ended again.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.containers.entrypoints import ROOT

OFFICIAL_BASE = "python:3.12-slim"
DEBIAN_BASE = "acpcbot-test-base"
DEBIAN_PACKAGES = (
    "base-files,base-passwd,bash,ca-certificates,coreutils,dash,findutils,grep,gzip,libstdc++6,passwd,python3,"
    "python3-venv,sed,tar"
)
DEBIAN_DOCKERFILE = """\
FROM scratch
ADD base.tar /
COPY authorities.crt /etc/ssl/certs/ca-certificates.crt
ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt
"""
AUTHORITIES = Path("/etc/ssl/certs/ca-certificates.crt")
START_S = 30.0
LONGEST_BUILD_S = 1500.0
LONGEST_RUN_S = 300.0
LONGEST_PULL_S = 120.0


@dataclass(frozen=True)
class Engine:
    """The commands of an engine and of its compose."""

    environment: dict[str, str] = field(default_factory=dict)
    compose_words: tuple[str, ...] = ()

    def try_docker(
        self, *words: str, longest_s: float = LONGEST_RUN_S
    ) -> subprocess.CompletedProcess[str]:
        """Run ``docker`` with *words*, however that ends."""
        return self._run("docker", *words, longest_s=longest_s)

    def docker(self, *words: str, longest_s: float = LONGEST_RUN_S) -> str:
        """Return the output of ``docker`` with *words*; it must succeed."""
        return said(self.try_docker(*words, longest_s=longest_s))

    def compose(
        self, *words: str, longest_s: float = LONGEST_RUN_S
    ) -> subprocess.CompletedProcess[str]:
        """Run compose with *words*, however that ends."""
        return self._run(*self.compose_words, *words, longest_s=longest_s)

    def _run(self, *words: str, longest_s: float) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, **self.environment}
        return subprocess.run(
            words, env=environment, capture_output=True, text=True, timeout=longest_s, check=False
        )


def said(ended: subprocess.CompletedProcess[str]) -> str:
    """Return the output of a command, which must have succeeded."""
    assert ended.returncode == 0, f"{' '.join(map(str, ended.args))}: {ended.stderr[-2000:]}"
    return ended.stdout


@contextmanager
def engine() -> Iterator[Engine]:
    """An engine with compose; skips, with the reason, where none can be had."""
    if shutil.which("docker") is None:
        pytest.skip("THE CONTAINERS WERE NOT TRIED: there is no docker client")
    with ExitStack() as stack:
        found = Engine()
        if found.try_docker("info").returncode:
            found = Engine(stack.enter_context(_own_engine()))
        yield Engine(found.environment, _compose_words(found))


def _compose_words(found: Engine) -> tuple[str, ...]:
    if found.try_docker("compose", "version").returncode == 0:
        return ("docker", "compose")
    if shutil.which("docker-compose"):
        return ("docker-compose",)
    return pytest.skip("THE CONTAINERS WERE NOT TRIED: there is no docker compose")


@contextmanager
def _own_engine() -> Iterator[dict[str, str]]:
    """The environment of an engine of our own, which touches neither the system's networks nor
    its firewall.
    """
    if sys.platform != "linux" or os.getuid() or shutil.which("dockerd") is None:
        pytest.skip(
            "THE CONTAINERS WERE NOT TRIED: no docker engine runs, and none can be started here"
        )
    folder = Path(tempfile.mkdtemp(prefix="acpcbot-engine-"))
    places = {"data-root": "data", "exec-root": "exec", "pidfile": "pid"}
    words = [f"--{option}={folder / name}" for option, name in places.items()]
    words += [
        "--bridge=none",
        *[f"--{name}=false" for name in ("iptables", "ip6tables", "ip-forward", "ip-masq")],
    ]
    address = {"DOCKER_HOST": f"unix://{folder}/socket"}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            ["dockerd", f"--host={address['DOCKER_HOST']}", *words], stdout=log, stderr=log
        )
        try:
            _wait_for(process, Engine(address), folder / "log")
            yield address
        finally:
            process.terminate()
            process.wait()
            subprocess.run(
                ["umount", "-l", str(folder / "exec/netns/default")],
                capture_output=True,
                check=False,
            )
            shutil.rmtree(folder, ignore_errors=True)


def _wait_for(process: subprocess.Popen[bytes], starting: Engine, log: Path) -> None:
    deadline = time.monotonic() + START_S
    while starting.try_docker("info").returncode:
        if process.poll() is not None or time.monotonic() > deadline:
            reason = log.read_text(encoding="utf-8", errors="replace").strip().rpartition("\n")[2]
            pytest.skip(f"THE CONTAINERS WERE NOT TRIED: a docker engine would not start: {reason}")
        time.sleep(0.2)


def build_image(found: Engine, image: str, folder: Path) -> None:
    """Build *image* from this tree; *folder* is for what has to be made for it."""
    words = ["--network=host", f"--build-arg=BASE={base_image(found, folder)}", f"--tag={image}"]
    found.docker(
        "build", *words, f"--file={ROOT}/docker/Dockerfile", str(ROOT), longest_s=LONGEST_BUILD_S
    )


@contextmanager
def composed(found: Engine, project: str, variables: dict[str, str]) -> Iterator[Engine]:
    """An engine whose compose speaks of our file as *project*, with nothing of it left at the
    end.
    """
    words = (
        *found.compose_words,
        "--file",
        str(ROOT / "docker" / "compose.yaml"),
        "--project-name",
        project,
    )
    stack = replace(found, environment={**found.environment, **variables}, compose_words=words)
    try:
        yield stack
    finally:
        profiles = [
            word for name in ("report", "tournament", "join") for word in ("--profile", name)
        ]
        stack.compose(*profiles, "down", "--volumes", "--timeout", "5")


def base_image(found: Engine, folder: Path) -> str:
    """The name of an image with Python: the official one, or one made here of Debian's packages."""
    if found.try_docker("image", "inspect", OFFICIAL_BASE).returncode == 0 or _can_pull(found):
        return OFFICIAL_BASE
    if shutil.which("mmdebstrap") is None:
        pytest.skip(
            f"THE CONTAINERS WERE NOT TRIED: {OFFICIAL_BASE} cannot be had, nor made by mmdebstrap"
        )
    words = [
        "mmdebstrap",
        "--quiet",
        "--variant=extract",
        f"--include={DEBIAN_PACKAGES}",
        _release(),
        "base.tar",
    ]
    subprocess.run(words, cwd=folder, check=True, capture_output=True, timeout=LONGEST_BUILD_S)
    shutil.copy(AUTHORITIES, folder / "authorities.crt")
    (folder / "Dockerfile").write_text(DEBIAN_DOCKERFILE)
    found.docker("build", "--tag", DEBIAN_BASE, str(folder))
    return DEBIAN_BASE


def _can_pull(found: Engine) -> bool:
    try:
        return found.try_docker("pull", OFFICIAL_BASE, longest_s=LONGEST_PULL_S).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def _release() -> str:
    """The name of this system's release of Debian."""
    lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    return next(
        (line.partition("=")[2] for line in lines if line.startswith("VERSION_CODENAME=")), "stable"
    )
