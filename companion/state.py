"""The state folder: where everything lies that must outlast a restart."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder(given: Path | None) -> Path:
    """The state folder: as given, else `$STATE_DIRECTORY`, else ~/.local/state/companion."""
    if given is not None:
        return given
    named = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    return Path(named) if named else Path.home() / ".local" / "state" / "companion"
