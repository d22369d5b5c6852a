"""The service multiplies matrices in the thread that asks; more only wait for each other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# cv2 starts threads of its own; numpy does when it is imported, on more than one core
SHOW = """
import companion, numpy, os
numpy.ones((256, 256)) @ numpy.ones((256, 256))
threads = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 0
print(threads, os.environ["OPENBLAS_NUM_THREADS"])
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="counts threads as Linux does")
def test_numpy_works_in_one_thread() -> None:
    assert _shown({}) == ["1", "1"]


def test_who_wants_more_threads_keeps_them() -> None:
    assert _shown({"OPENBLAS_NUM_THREADS": "2"})[1] == "2"


def _shown(told: dict[str, str]) -> list[str]:
    around = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    shown = subprocess.run(
        [sys.executable, "-c", SHOW],
        cwd=Path(__file__).parents[1],
        env=around | told,
        capture_output=True,
        text=True,
        check=True,
    )
    return shown.stdout.split()
