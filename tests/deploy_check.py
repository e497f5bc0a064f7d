"""`make deploy-check`: the steps of the Dockerfile without an engine, and the service they give.

Files are copied and commands are run as it says, below a folder of our own in place of `/src` and
`/opt`. What only an engine does (users, volumes, the second stage's base) is left out.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import servers

ROOT = Path(__file__).parents[1]
NOT_IN_THE_IMAGE = ("pytest", "ruff", "mypy", "locust", "uv", "matplotlib", "pip")
LIST = "from importlib.metadata import distributions; [print(d.name) for d in distributions()]"


def instructions(dockerfile: str) -> Iterator[tuple[str, str]]:
    """The instructions with what follows them, a line each."""
    text = re.sub(r"^#.*\n", "", dockerfile, flags=re.MULTILINE).replace("\\\n", " ")
    for line in filter(None, map(str.strip, text.splitlines())):
        word, _, rest = line.partition(" ")
        yield word, rest.strip()


def build(folder: Path) -> dict[str, str]:
    """Do the first stage below a folder; returns the other instructions of the second."""
    source = folder / "src"
    source.mkdir()
    stage, found = 0, {}
    for word, rest in instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")):
        if word == "FROM":
            stage += 1
        elif stage == 2:
            found[word] = rest
        elif word == "COPY":
            *names, target = rest.split()
            for name in names:
                copy(ROOT / name, source / name if len(names) > 1 else source / target)
        elif word == "RUN":
            command = rest.replace("/opt/", f"{folder}/opt/")
            print(f"+ {rest}", flush=True)
            subprocess.run(["/bin/sh", "-ec", command], cwd=source, env=clean(), check=True)
    return found


def copy(name: Path, target: Path) -> None:
    if name.is_dir():
        shutil.copytree(name, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(name, target)


def clean(**others: str) -> dict[str, str]:
    """Our environment without our settings, and with the Python that ours was made from."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GUNCAMERA_", "PYTHON"))}
    folders = [str(Path(sys.base_prefix, "bin")), os.environ["PATH"]]
    return {**kept, "PATH": os.pathsep.join(folders), **others}


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="guncamera-image-") as name:
        folder = Path(name)
        said = build(folder)
        bin_folder = folder / "opt/guncamera/bin"
        listed = subprocess.run(
            [bin_folder / "python", "-c", LIST], env=clean(), check=True, capture_output=True,
            text=True,
        )  # fmt: skip
        installed = set(listed.stdout.lower().split())
        assert not installed & set(NOT_IN_THE_IMAGE), installed & set(NOT_IN_THE_IMAGE)
        serve(folder, bin_folder, said)
        print(f"deploy-check: {len(installed)} packages installed, the image's command serves")
    return 0


def serve(folder: Path, bin_folder: Path, said: dict[str, str]) -> None:
    """Run the image's command until its own health check says that it serves, then stop it."""
    words = [*json.loads(said["ENTRYPOINT"]), *json.loads(said["CMD"])]
    check = json.loads(said["HEALTHCHECK"].partition("CMD ")[2])
    settings = {
        "GUNCAMERA_REST_ADDRESS": f"127.0.0.1:{servers.free_port()}",
        "GUNCAMERA_GRPC_ADDRESS": f"127.0.0.1:{servers.free_port()}",
        "GUNCAMERA_DATA_DIR": str(folder / "data"),
    }
    environment = clean(**settings)
    subprocess.run([bin_folder / words[0], "version"], env=environment, check=True)
    service = subprocess.Popen([bin_folder / words[0], *words[1:]], env=environment, cwd=folder)

    def is_healthy() -> bool:
        assert service.poll() is None, "the service ended"
        asked = subprocess.run(
            [bin_folder / check[0], *check[1:]], env=environment, cwd=folder, check=False,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        return asked.returncode == 0

    try:
        servers.wait_until(is_healthy, "its health check says that it serves", 120)
    finally:
        service.terminate()
    assert service.wait(60) == 0, "it stops in order"


if __name__ == "__main__":
    sys.exit(main())
