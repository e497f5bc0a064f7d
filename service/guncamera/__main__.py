"""`python -m guncamera`."""

import sys

from guncamera.cli.main import main

sys.exit(main())
