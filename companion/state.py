"""The state folder: where everything lies that must outlast a restart."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder(given: Path | None, demo: bool = False) -> Path:
    """The state folder: as given, else `$STATE_DIRECTORY`, else ~/.local/state/companion.

    `demo`: the demo's, which lies in it.
    """
    named = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    usual = Path(named) if named else Path.home() / ".local" / "state" / "companion"
    folder = usual if given is None else given
    return folder / "demo" if demo else folder
