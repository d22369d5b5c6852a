"""The console command: a table is opened where it was asked for, or a clear word says why not."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from companion.cli import main


@pytest.mark.parametrize("command", ["run", "demo"])
@pytest.mark.parametrize("port", ["99999", "65536", "-1", "http", "80.5", "٣", ""])
def test_what_is_no_port_is_told_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, port: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--state", str(tmp_path), f"--port={port}"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert f"{port!r} seen; expected a number from 1 to 65535" in told
    assert "--port" in told
    assert not list(tmp_path.iterdir())


def test_a_port_from_the_surroundings_is_looked_at_as_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORT", "eighty")
    with pytest.raises(SystemExit):
        main(["demo", "--state", str(tmp_path)])
    assert "'eighty' seen" in capsys.readouterr().err


def test_a_port_that_is_taken_and_a_host_that_is_elsewhere_are_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        ended = started(tmp_path, "127.0.0.1", port)
        _, told = ended.communicate(timeout=60)
    assert ended.returncode == 2
    assert f"port {port} is taken; end the other companion" in told
    ended = started(tmp_path, "no.such.host.invalid", "0")
    _, told = ended.communicate(timeout=60)
    assert ended.returncode == 2
    assert "'no.such.host.invalid' is no address of this machine" in told


def test_port_0_means_any_free_one_and_the_word_says_which(tmp_path: Path) -> None:
    process = started(tmp_path, "127.0.0.1", "0")
    try:
        assert process.stdout is not None
        address = process.stdout.readline().rpartition(" ")[2].strip()
        assert not address.endswith(":0")
        address = address.replace("localhost", "127.0.0.1")
        with urllib.request.urlopen(f"{address}/healthz", timeout=10) as answer:
            assert answer.status == 200
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


def started(state: Path, host: str, port: str) -> subprocess.Popen[str]:
    words = ["run", "--state", str(state), "--host", host, "--port", port]
    return subprocess.Popen(
        [sys.executable, "-m", "companion.cli", *words],
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
