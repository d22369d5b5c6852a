from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.demo import Demo


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[tuple[Demo, str]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    demo = Demo(tmp_path / "demo", "127.0.0.1", port, seed=7)
    demo.start()
    yield demo, f"http://127.0.0.1:{port}"
    demo.stop()
