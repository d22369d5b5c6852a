"""The device that is not there: a driver like any other, so nobody asks whether one exists."""

from __future__ import annotations

from companion.devices.port import Outlet
from companion.terms import DeviceState


class Absent:
    """Says once that there is none here, and is quiet."""

    def __init__(self, device: str) -> None:
        self.device = device

    def start(self, outlet: Outlet) -> None:
        """Say that this device is absent."""
        outlet.state(DeviceState(self.device, "absent"))

    def stop(self) -> None:
        """Nothing to let go of."""
