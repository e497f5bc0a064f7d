"""`python -m guncamera_tournament` is `guncamera tournament`."""

from __future__ import annotations

import sys

from guncamera.cli.main import main

sys.exit(main(["tournament", *sys.argv[1:]]))
