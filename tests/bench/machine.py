"""The machine that is measured: processor, cores, system, and how busy it was with other things."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path


def machine() -> dict[str, object]:
    """Return what a reader of the figures must know of this machine, and the date (UTC)."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "load before": round(os.getloadavg()[0], 2),
    }


def told(about: dict[str, object]) -> str:
    """Return the machine in one line."""
    return (
        f"{about['cores']} cores, {about['processor']}, Python {about['python']}, "
        f"{about['system']}, {about['date']}, load before {about['load before']}"
    )


def _processor() -> str:
    """Return the model that Linux names; on a Pi, where there is none, the board's own name."""
    named: dict[str, str] = {}
    for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
        key, _, value = line.partition(":")
        named.setdefault(key.strip(), value.strip())
    return named.get("model name") or named.get("Model") or platform.machine()
