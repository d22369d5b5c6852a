"""The port: plugged, pulled, busy, forbidden, or none at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from companion.devices.pseudo_terminal import PseudoTerminal
from companion.devices.simulated_tray_controller import SimulatedTrayController
from companion.devices.tray_controller import TrayController
from companion.terms import DeviceState
from tests.devices.tray_controller.at_the_tray import TrayWatcher, drive, throw_until_settled
from tests.devices.watching import PATIENCE

ROOT = Path(__file__).parents[3]


def test_it_tells_who_is_there(
    driver: TrayController, tray: SimulatedTrayController, watcher: TrayWatcher
) -> None:
    assert watcher.states[0] == DeviceState(
        "tray_controller", "waiting", None, watcher.states[0].notes
    )
    notes = watcher.states[-1].notes
    assert (notes["firmware"], notes["board"]) == ("1.0.0", tray.board)


def test_a_pulled_plug_is_told_and_it_comes_back_by_itself(
    driver: TrayController, tray: SimulatedTrayController, watcher: TrayWatcher
) -> None:
    for _ in range(2):
        tray.unplug()
        watcher.until(lambda: watcher.condition == "gone")
        assert watcher.trouble == "tray.lost"
        tray.plug()
        watcher.until(lambda: watcher.condition == "ready")
        assert watcher.trouble == ""
    throw_until_settled(tray, watcher)
    assert watcher.kinds == ["thrown", "settled"]


def test_a_hung_board_is_not_called_connected(
    driver: TrayController, tray: SimulatedTrayController, watcher: TrayWatcher
) -> None:
    tray.silence()
    watcher.until(lambda: watcher.condition == "gone")
    assert watcher.trouble == "tray.silent"
    tray.silence(False)
    watcher.until(lambda: watcher.condition == "ready")


def test_an_open_port_without_an_answer_is_not_connected(
    cable: PseudoTerminal, watcher: TrayWatcher
) -> None:
    drive(cable.path, watcher, lambda: watcher.trouble == "tray.silent")
    assert {state.condition for state in watcher.states} == {"waiting"}


def test_a_port_that_is_not_there_is_waited_for(tmp_path: Path, watcher: TrayWatcher) -> None:
    drive(str(tmp_path / "none"), watcher, lambda: watcher.trouble == "tray.missing")
    assert watcher.condition == "waiting"


def test_a_file_that_is_no_port_is_told(tmp_path: Path, watcher: TrayWatcher) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("milk, bread")
    drive(str(file), watcher, lambda: watcher.trouble == "tray.no_serial")
    assert file.read_text() == "milk, bread"


def test_a_folder_is_no_port(tmp_path: Path, watcher: TrayWatcher) -> None:
    drive(str(tmp_path), watcher, lambda: watcher.trouble == "tray.no_serial")


def test_a_second_companion_is_told_that_the_port_is_busy(
    driver: TrayController, tray: SimulatedTrayController, watcher: TrayWatcher
) -> None:
    second = TrayWatcher()
    drive(tray.port, second, lambda: second.trouble == "tray.busy")
    throw_until_settled(tray, watcher)
    assert watcher.kinds == ["thrown", "settled"]


def test_no_right_is_another_trouble_than_no_device(cable: PseudoTerminal) -> None:
    """In a program of its own, which gives its rights away where it has all of them."""
    Path(cable.path).chmod(0)
    Path(cable.path).parent.chmod(0o755)
    program = f"""
import grp, os, threading
from companion.devices.tray_controller import TrayController
class Outlet:
    def reading(self, reading): pass
    def state(self, state):
        if state.trouble:
            print(state.trouble.seen.key, state.trouble.do.values["group"], flush=True)
            told.set()
told = threading.Event()
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
driver = TrayController({cable.path!r})
driver.start(Outlet())
told.wait({PATIENCE})
driver.stop()
"""
    said = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    group = Path(cable.path).group()
    assert said.stdout.split() == ["tray.forbidden", group], said.stderr
