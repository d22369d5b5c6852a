"""A USB camera finds exposure, white balance and focus once, and then holds them.

A camera that goes on adjusting sees another tray whenever a hand or a white die comes in. So it is
left alone for a moment after it was opened, and then everything automatic is switched off. Cameras
often take a setting and do nothing, so each is asked for again; what does not hold is shown.
"""

from __future__ import annotations

from typing import Protocol

import cv2

from companion.devices.frames import Figures

FINDING = 2.0
"""Seconds that a camera may take to find its light."""
_BY_ITSELF, _MANUAL = 3, 1  # V4L2's exposure_auto: aperture priority, manual
_TENTHS = 10  # V4L2's exposure_time_absolute counts tenths of a millisecond


class Settings(Protocol):
    """What of `cv2.VideoCapture` is used here."""

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's own name
        """Return a setting; 0 or -1 where the camera has none."""
        ...

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's own name
        """Change a setting; False where the camera refused it."""
        ...


class UsbLight:
    """The light of one opened camera. exposure_ms: 0 holds what the camera found."""

    def __init__(self, settings: Settings, exposure_ms: float = 0.0) -> None:
        self._settings, self._wanted = settings, exposure_ms
        self._since: float | None = None
        self._held = False
        self._told: Figures = {}

    def found(self, now: float) -> bool:
        """Say whether the light is found and held; call it with every frame's monotonic second.

        With the first frame everything automatic is switched on, `FINDING` later off.
        """
        if self._held:
            return True
        if self._since is None:
            self._since = now
            self._settings.set(cv2.CAP_PROP_AUTO_EXPOSURE, _BY_ITSELF)
            self._settings.set(cv2.CAP_PROP_AUTO_WB, 1)
            self._settings.set(cv2.CAP_PROP_AUTOFOCUS, 1)
        if now - self._since < FINDING:
            return False
        self._hold()
        return False  # this frame was still exposed by itself

    def figures(self) -> Figures:
        """Return the exposure in milliseconds, and `no` for each setting that does not hold."""
        return dict(self._told)

    def _hold(self) -> None:
        """Take over what the camera found, then ask whether it stays."""
        own = self._settings
        exposure = self._wanted * _TENTHS or own.get(cv2.CAP_PROP_EXPOSURE)
        gain = own.get(cv2.CAP_PROP_GAIN)
        balance = own.get(cv2.CAP_PROP_WB_TEMPERATURE)
        focus = own.get(cv2.CAP_PROP_FOCUS)
        focuses = own.get(cv2.CAP_PROP_AUTOFOCUS) == 1
        # The switch comes before its value: a camera refuses values of what it sets by itself.
        own.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL)
        own.set(cv2.CAP_PROP_EXPOSURE, exposure)
        if gain > 0:
            own.set(cv2.CAP_PROP_GAIN, gain)
        own.set(cv2.CAP_PROP_AUTO_WB, 0)
        if balance > 0:
            own.set(cv2.CAP_PROP_WB_TEMPERATURE, balance)
        if focuses:
            own.set(cv2.CAP_PROP_AUTOFOCUS, 0)
            own.set(cv2.CAP_PROP_FOCUS, focus)
        # Told from here, for only the thread that reads the camera may ask it anything.
        exposure_now = own.get(cv2.CAP_PROP_EXPOSURE)
        stays = abs(exposure_now - exposure) <= max(1.0, 0.05 * exposure)
        if exposure_now > 0:
            self._told["exposure_ms"] = round(exposure_now / _TENTHS, 1)
        if own.get(cv2.CAP_PROP_AUTO_EXPOSURE) != _MANUAL or not stays:
            self._told["held_exposure"] = "no"
        if own.get(cv2.CAP_PROP_AUTO_WB) > 0:
            self._told["held_white_balance"] = "no"
        if own.get(cv2.CAP_PROP_AUTOFOCUS) > 0:
            self._told["held_focus"] = "no"
        self._held = True
