"""The physical table, played on the demo's panel: dice into the tray, cards on the reader."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.play.phones import PHONE, Looker


class Panel(Looker):
    """The demo's panel in a browser of its own."""

    def __init__(self, browser: Browser, address: str) -> None:
        super().__init__(browser, address, PHONE)
        self.open("/demo")

    def throw(self, dice: str, doubtful: bool = False) -> None:
        """Throw dice into the simulated tray, written as in `B HHM W HM`."""
        self.page.fill("#dice", dice)
        self.page.set_checked("#doubtful", doubtful)
        self.press(self.page.locator("#throw"))

    def tap(self, card: str) -> None:
        """Lay a Saga on the simulated reader."""
        self.page.select_option("#title", card)
        self.press(self.page.locator("#tap"))

    def plug(self, device: str, how: str) -> None:
        """`plug` or `unplug` a device."""
        self.press(self.page.locator(f"form:has(input[value={device}]) button[value={how}]"))
