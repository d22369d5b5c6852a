"""The rendered picture's sensor: exposure, colour balance, blur, noise, sharpening and JPEG."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.render_stage import Picture, Planes

Exposed = npt.NDArray[np.int16]
"""A picture before noise: (height, width, 3), 32 steps a grey level."""

STEPS = 32
"""Steps of `Exposed` to a grey level."""
TOP = 248 * STEPS
"""From here on a picture before noise is as good as white: no drawing can be told in it."""
_MEAN = 0.41  # brightness an automatic exposure aims at, 0 to 1 as shown


@dataclass(frozen=True)
class Sensor:
    """How the camera takes the picture.

    ev: exposure beside the automatic one, stops; exposure: a fixed gain in place of it; balance:
    share of the light's tint that the white balance takes out; gain: of the sensor, 1 for bright
    light; defocus_px: radius of the blur disc; shake_px, shake_deg: length and direction of the
    camera's shake; sharpen: 0 for none; vignette: fall-off in the corners; tone: contrast of the
    tone curve; jpeg: quality.
    """

    ev: float = 0.0
    exposure: float | None = None
    balance: float = 0.7
    gain: float = 1.0
    noise: float = 1.5
    defocus_px: float = 0.0
    shake_px: float = 0.0
    shake_deg: float = 0.0
    sharpen: float = 0.5
    vignette: float = 0.18
    tone: float = 0.12
    jpeg: int = 92


def expose(scene: Planes, sensor: Sensor, tint: Planes) -> Exposed:
    """From linear light to the picture before noise. `tint`: the light's colour, (3,)."""
    h, w = scene.shape[:2]
    correction = (tint.mean() / tint) ** np.float32(sensor.balance)
    exposure = sensor.exposure
    if exposure is None:
        exposure = metered(scene * correction)
    gain = correction * np.float32(exposure * 2.0**sensor.ev)
    light = scene * (_vignette((w, h), sensor.vignette)[..., None] * gain)
    if sensor.defocus_px > 0.3:
        light = cv2.filter2D(light, -1, _disc(sensor.defocus_px))
    if sensor.shake_px > 0.5:
        light = cv2.filter2D(light, -1, _streak(sensor.shake_px, sensor.shake_deg))
    # A small lens is never quite sharp.
    light = cv2.GaussianBlur(light, (3, 3), 0.55)
    shown = cv2.sqrt(np.maximum(light, 0))
    shown = np.minimum(shown, 0.5 * shown + 0.4)
    return (
        (np.minimum(shown, 1.1) * np.float32(255 * STEPS * 0.98 / 1.1 * 1.1))
        .clip(0, 32000)
        .astype(np.int16)
    )


def metered(scene: Planes) -> float:
    """The gain an automatic exposure settles at."""
    small = cv2.resize(scene, (60, 45), interpolation=cv2.INTER_AREA)
    return float((_MEAN / np.sqrt(np.maximum(small, 0)).mean()) ** 2)


def develop(exposed: Exposed, sensor: Sensor, rng: np.random.Generator) -> Picture:
    """Fresh noise, tone curve, sharpening and JPEG; about 25 ms at 960 x 720."""
    h, w = exposed.shape[:2]
    bank = _noise_bank(round(sensor.noise * np.sqrt(sensor.gain), 1))
    y, x = int(rng.integers(bank.shape[0] - h)), int(rng.integers(bank.shape[1] - w))
    noise = bank[y : y + h, x : x + w]
    noisy = cv2.convertScaleAbs(np.maximum(cv2.add(exposed, noise), 0), alpha=1 / STEPS)
    picture = cv2.LUT(noisy, _tone(sensor.tone))
    if sensor.sharpen:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
        picture = cv2.addWeighted(picture, 1 + sensor.sharpen, soft, -sensor.sharpen, 0)
    ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
    if not ok:
        raise RuntimeError(f"a picture of {w} x {h} could not be packed as JPEG")
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert decoded is not None
    return np.asarray(decoded, np.uint8)


@lru_cache(maxsize=6)
def _noise_bank(sigma: float) -> Exposed:
    """Sensor noise larger than a picture; each frame takes another part of it.

    Brightness is encoded by a square root, which makes the noise of light the same everywhere.
    The grain is a little larger than a pixel, and coloured, as a colour filter's mosaic makes it.
    """
    rng = np.random.default_rng(5)
    size = (1600, 2048)
    grey = rng.standard_normal(size, np.float32)[..., None]
    colour = rng.standard_normal((*size, 3), np.float32)
    colour = cv2.GaussianBlur(colour, (0, 0), 0.9) * 2.2
    noise = 0.8 * grey + 0.6 * colour
    return (noise * np.float32(sigma * STEPS)).astype(np.int16)


@lru_cache(maxsize=4)
def _vignette(size: tuple[int, int], strength: float) -> Planes:
    x = (np.arange(size[0], dtype=np.float32) / (size[0] - 1) - 0.5) * 2
    y = (np.arange(size[1], dtype=np.float32) / (size[1] - 1) - 0.5) * 2 * size[1] / size[0]
    far = np.power(x[None, :] ** 2 + y[:, None] ** 2, np.float32(1.2))
    return np.asarray(1 - np.float32(strength / 1.6) * far, np.float32)


@lru_cache(maxsize=4)
def _tone(strength: float) -> Picture:
    x = np.arange(256) / 255
    curved = x + strength * np.sin(2 * np.pi * (x - 0.5)) / (2 * np.pi) * 2
    return np.clip(np.round(curved * 255), 0, 255).astype(np.uint8)


def _disc(radius: float) -> Planes:
    n = int(np.ceil(radius))
    yy, xx = np.mgrid[-n : n + 1, -n : n + 1]
    kernel = np.clip(radius + 0.5 - np.hypot(xx, yy), 0, 1).astype(np.float32)
    return kernel / kernel.sum()


def _streak(length: float, degrees: float) -> Planes:
    n = int(np.ceil(length / 2)) + 1
    kernel = np.zeros((2 * n + 1, 2 * n + 1), np.float32)
    t = np.radians(degrees)
    reach = np.array([np.cos(t), np.sin(t)]) * length / 2
    for step in np.linspace(-1, 1, 41):
        x, y = reach * step + n
        x0, y0 = int(x), int(y)
        for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
            kernel[y0 + dy, x0 + dx] += (1 - abs(x - x0 - dx)) * (1 - abs(y - y0 - dy))
    return kernel / kernel.sum()
