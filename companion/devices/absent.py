"""The device that is not there: a driver like any other, so nobody asks whether one exists."""

from __future__ import annotations

from companion.devices.port import Outlet
from companion.terms import DeviceState


class Absent:
    """Says once that there is none here, and is quiet."""

    def __init__(self, device: str) -> None:
        self.device = device
        self._started = self._stopped = False

    def start(self, outlet: Outlet) -> None:
        """Say that this device is absent; raises `RuntimeError` after `stop`, as every driver."""
        if self._stopped:
            raise RuntimeError(f"the absent {self.device} was stopped; make a new driver")
        if not self._started:
            self._started = True
            outlet.state(DeviceState(self.device, "absent"))

    def stop(self) -> None:
        """Nothing to let go of."""
        self._stopped = True
