"""Run the companion as a user who may only look at its folder. Run by test_no_room."""

from __future__ import annotations

import os
import sys

import companion.service  # noqa: F401 - a plain user may not be able to read it afterwards
from companion.cli import main

NOBODY = 65534

if __name__ == "__main__":
    if os.geteuid() == 0:
        os.setuid(NOBODY)
    sys.exit(main(sys.argv[1:]))
