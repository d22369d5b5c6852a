"""Other game engines, played at random on the same core in the same run.

They are installed on demand into an environment in a temporary folder that is thrown away, never
into ours. What cannot be installed is said in one line and left out.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.bench.figure import Figure
from tests.bench.random_play import play
from tests.bench.sizes import Sizes

_LONGEST = 600.0  # seconds that one installation or one game may take
ELSEWHERE = {"boardgame.io": 11_400, "PokerKit": 5_600}
"""Actions a second, measured earlier on another machine: told, never compared."""


@dataclass(frozen=True)
class Peer:
    """A package of the index and the script beside this one that plays it."""

    package: str
    script: str
    counted: str


PEERS = (
    Peer("catanatron", "peer_catanatron.py", "actions of four random players"),
    Peer("chess", "peer_chess.py", "python-chess: its end looked for, random legal moves"),
)


def peers(sizes: Sizes) -> list[Figure]:
    """Measure each peer and our own random play in turn, game by game."""
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as place:
        venv.create(place, with_pip=True)
        python = Path(place) / "bin" / "python"
        for peer in PEERS:
            try:
                version = _install(python, peer.package)
                figures.append(_beside(python, peer, version, sizes))
            except (subprocess.SubprocessError, OSError) as error:
                sys.stderr.write(f"{peer.package} could not be measured: {_why(error)}\n")
    figures += [
        Figure(f"peer: {name}", speed, "/s", how="NOT of this run: measured elsewhere earlier")
        for name, speed in ELSEWHERE.items()
    ]
    return figures


def _beside(python: Path, peer: Peer, version: str, sizes: Sizes) -> Figure:
    """Return the peer's median, and the median of what ours was in the same minutes."""
    script = str(Path(__file__).with_name(peer.script))
    theirs: list[float] = []
    ours: list[float] = []
    taken: list[float] = []
    for seed in range(1, sizes.seeds + 1):
        theirs.append(float(_run(python, script, str(seed), str(sizes.answers))))
        speed, share = play(seed, sizes.answers)
        ours.append(speed / theirs[-1])
        taken.append(speed * share / theirs[-1])
    told = f"ours: {median(ours):.2f} times as many answers, {median(taken):.2f} changes of state"
    return Figure(
        f"peer: {peer.package} {version}", median(theirs), "/s", how=f"{peer.counted}; {told}"
    )


def _install(python: Path, package: str) -> str:
    """Install a package into the thrown-away environment and return its version."""
    quiet = ("--quiet", "--disable-pip-version-check")
    _run(python, "-m", "pip", "install", *quiet, package)
    asked = f"from importlib.metadata import version; print(version({package!r}))"
    return _run(python, "-c", asked)


def _run(python: Path, *words: str) -> str:
    done = subprocess.run(
        [python, *words], capture_output=True, text=True, timeout=_LONGEST, check=True
    )
    return done.stdout.strip()


def _why(error: Exception) -> str:
    """Return the last thing that a process said before it failed."""
    said = error.stderr if isinstance(error, subprocess.CalledProcessError) else ""
    lines = str(said or error).strip().splitlines()
    return lines[-1] if lines else str(error)
