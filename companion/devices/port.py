"""What every device driver is: something that starts, hands over what it saw, and stops.

A driver owns its hardware in threads of its own. It never raises out of a thread or of `stop`,
never blocks the table, survives unplugging at any moment, and comes back by itself. What it sees
goes to the `Outlet`; how it is goes there too, whenever that changes. A missing device is a driver
as well (`companion.devices.absent`), so nobody ever asks whether a device is there.

Its conditions: `absent` is said by the absent driver alone. `waiting` is a device that cannot be
used yet, or a camera that does not see its tray. `ready` works, `looking` is a camera with a throw
before it. `gone` was there in this run and is away; it always has a `Trouble` that says what to do.
"""

from __future__ import annotations

from typing import Protocol

from companion.terms import DeviceState, Reading


class Outlet(Protocol):
    """Where a driver puts what it saw. Both calls return at once and never raise."""

    def reading(self, reading: Reading) -> None:
        """Hand over one reading; order is kept."""
        ...

    def state(self, state: DeviceState) -> None:
        """Say how the device is now; only changes need saying."""
        ...


class Driver(Protocol):
    """The port. A driver runs once: started, and stopped for good."""

    @property
    def device(self) -> str:
        """The device's name: `tray_camera`, `card_reader` or `tray_controller`."""
        ...

    def start(self, outlet: Outlet) -> None:
        """Begin in the background and return at once; a device not yet there is waited for.

        Nothing happens where it runs already; raises `RuntimeError` after `stop`.
        """
        ...

    def stop(self) -> None:
        """End all threads and let go of the hardware, within a second.

        May be called twice, before `start`, and from any thread, the outlet's too.
        """
        ...
