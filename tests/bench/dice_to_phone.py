"""How long from dice at rest in the tray until a phone hears of them.

The way is the real one: the simulated camera gives nothing but frames, the driver watches for rest
and reads the dice, the table matches them to the roll that is asked for, and a phone hears of it on
its stream. Told is what goes beyond the settle span, in which nothing may move.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from companion.config import TableConfig
from companion.devices.port import Driver
from companion.devices.simulated_camera import SimulatedTray
from companion.devices.simulated_tray_controller import SimulatedTrayController
from companion.devices.tray_camera import TrayCamera
from companion.devices.tray_controller import TrayController
from companion.service import Service
from companion.table import Table
from companion.terms import Answer, DeviceState, Done, Faces, Filled, Picked, Placed
from tests.bench.figure import Aim, Figure
from tests.bench.phone import Phone
from tests.bench.random_play import SEATS
from tests.bench.sizes import Sizes
from vision.learn import find_set
from vision.steady import STILL_S

_PATIENCE = 30.0  # seconds until a throw or a device that never comes ends the bench
_GLANCE = 0.02  # seconds between looks at a device that wakes
_RAID = (
    Answer("setup.draft", Done()),
    Answer("turn.draw", Done(), "harald"),
    Answer("harald.ship.move", Placed("lindisfarne"), "harald"),
    Answer("harald.ship.act", Picked(("attack:lindisfarne",)), "harald"),
    Answer("battle.commit", Filled({"ship": 4}), "harald"),
)


def dice_to_phone(sizes: Sizes) -> list[Figure]:
    """Measure with a camera of 30 frames a second, with the demo's 12, and with a controller."""
    trays = (
        ("dice at rest to phone, 30 frames/s", 30.0, False),
        ("  the same with a tray controller", 30.0, True),
        ("  the same at the demo's 12 frames/s", 12.0, True),
    )
    return [
        _figure(name, sizes.throws, frames, felt=felt)
        for name, frames, felt in trays[: sizes.trays]
    ]


@contextmanager
def serving(drivers: list[Driver]) -> Generator[Service]:
    """Serve a new table of Vikingjarl with these devices on a free port."""
    with tempfile.TemporaryDirectory() as place:
        service = Service(Path(place), TableConfig(), drivers, "127.0.0.1", 0)
        service.start()
        try:
            service.table.start("vikingjarl", SEATS, {})
            yield service
        finally:
            service.stop()


def awake(table: Table, *devices: str) -> None:
    """Wait until these devices are ready; raises `TimeoutError`."""

    def states() -> dict[str, DeviceState]:
        return {state.device: state for state in table.look().devices}

    until(
        lambda: all(
            device in states() and states()[device].condition == "ready" for device in devices
        ),
        f"{', '.join(devices)} awake",
    )


def until(there: Callable[[], bool], what: str) -> None:
    """Look until it is there; raises `TimeoutError` saying what never was."""
    end = time.monotonic() + _PATIENCE
    while not there():
        if time.monotonic() > end:
            raise TimeoutError(f"never seen within {_PATIENCE:.0f} s: {what}")
        time.sleep(_GLANCE)


def _figure(name: str, throws: int, frames: float, *, felt: bool) -> Figure:
    beyond = [span - STILL_S * 1000 for span in _throws(throws, frames, felt)]
    return Figure(
        name,
        median(beyond),
        "ms",
        Aim("under", 300),
        f"{throws} throws, {min(beyond):.0f} to {max(beyond):.0f}, "
        f"beyond the settle span of {STILL_S * 1000:.0f} ms",
    )


def _throws(count: int, frames: float, felt: bool) -> list[float]:
    """Throw the dice that are asked for; return the milliseconds from their rest to the phone."""
    tray = SimulatedTray(seed=3, fps=frames)
    controller = SimulatedTrayController(seed=3) if felt else None
    drivers: list[Driver] = [TrayCamera(tray, find_set("battle", Path()), "battle")]
    names = ["tray_camera"]
    if controller is not None:
        controller.start()
        drivers.append(TrayController(controller.port))
        names.append("tray_controller")
    try:
        with serving(drivers) as service, Phone(service.server.port) as phone:
            for answer in _RAID:
                service.table.answer(answer)
            awake(service.table, *names)
            return [_throw(service.table, tray, controller, phone) for _ in range(count)]
    finally:
        if controller is not None:
            controller.stop()


def _throw(
    table: Table, tray: SimulatedTray, controller: SimulatedTrayController | None, phone: Phone
) -> float:
    _clear(table, tray)
    wants = next(q.wants for q in table.look().questions if isinstance(q.wants, Faces))
    dice = [(colour, None) for colour, number in wants.counts.items() for _ in range(number)]
    phone.wait_for(lambda: bool(table.look().proposals))
    if controller is not None:
        controller.throw()
    at_rest = tray.throw(dice)
    if controller is not None:
        controller.settle(at_rest)
    return (phone.seen_at(_PATIENCE) - at_rest) * 1000


def _clear(table: Table, tray: SimulatedTray) -> None:
    """Put the last throw aside and take its dice out of the tray."""
    if not tray.faces():
        return
    for proposal in table.look().proposals:
        table.dismiss(proposal.id)
    tray.clear()
    until(lambda: not tray.faces(), "an empty tray")
    time.sleep(1.0)  # the hand is gone and the camera has seen the empty tray
