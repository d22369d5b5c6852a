"""A hand that reaches over the rendered tray: fingers, palm, and a sleeve of cloth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.render_light import Light
from vision.render_stage import Colour, Planes, linear
from vision.render_view import Floats, View

EDGES = ("left", "top", "right", "bottom")

# (from, to, radius there, radius here) with x towards the finger tips, y across; millimetres.
_FINGERS = (
    ((-68, -31), (-8, -38), 9.0, 7.2),
    ((-72, -11), (0, -13), 9.2, 7.4),
    ((-72, 9), (-5, 11), 9.0, 7.2),
    ((-66, 27), (-20, 34), 8.2, 6.2),
    ((-118, -38), (-62, -62), 11.0, 8.5),
)
_PALM = (
    ((-125, -24), (-72, -26), 17.0, 13.0),
    ((-125, -8), (-74, -9), 18.0, 13.0),
    ((-125, 8), (-74, 9), 18.0, 13.0),
    ((-125, 20), (-70, 24), 16.0, 12.0),
    ((-175, 0), (-130, 0), 26.0, 24.0),
)
_SLEEVE = (((-420, 0), (-182, 0), 44.0, 36.0),)


@dataclass(frozen=True)
class Hand:
    """A right hand over the tray.

    edge: where it comes from; along: where on that edge, 0 to 1; reach_mm: how far the middle
    finger's tip is over the tray, from the outer rim; lean_deg: slant; spread: how far the fingers
    are apart, 1 for relaxed; height_mm: above the felt; skin, cloth: colours; sleeve: how far up
    the arm the cloth starts, 0 at the wrist, 1 for a bare arm.
    """

    edge: str = "left"
    along: float = 0.5
    reach_mm: float = 80.0
    lean_deg: float = 0.0
    spread: float = 1.0
    height_mm: float = 34.0
    skin: Colour = (105, 135, 198)
    cloth: Colour = (70, 60, 55)
    sleeve: float = 0.3

    @cached_property
    def limbs(self) -> list[tuple[Floats, Floats, float, float, bool]]:
        """Rounded limbs (from, to, radius from, radius to, is cloth) in tray millimetres."""
        way = {"left": (1, 0), "right": (-1, 0), "top": (0, 1), "bottom": (0, -1)}[self.edge]
        lean = np.radians(self.lean_deg)
        c, s = np.cos(lean), np.sin(lean)
        forward = np.array([way[0] * c - way[1] * s, way[0] * s + way[1] * c])
        across = np.array([-forward[1], forward[0]])
        wide, high = 248.0, 198.0
        start = {
            "left": (-24.0, -24 + high * self.along),
            "right": (224.0, -24 + high * self.along),
            "top": (-24 + wide * self.along, -24.0),
            "bottom": (-24 + wide * self.along, 174.0),
        }[self.edge]
        tip = np.array(start) + forward * self.reach_mm
        shift = 60 * self.sleeve
        parts = [(*f, False) for f in (*_FINGERS, *_PALM)] + [(*f, True) for f in _SLEEVE]
        limbs: list[tuple[Floats, Floats, float, float, bool]] = []
        for a, b, ra, rb, cloth in parts:
            ends = []
            for x, y in (a, b):
                moved = x - shift if cloth and x > -400 else x
                bent = self.height_mm - (7.0 if x > -30 else 0.0)
                place = tip + forward * moved + across * y * self.spread
                ends.append(np.array([*place, bent]))
            limbs.append((ends[0], ends[1], ra, rb, cloth))
        return limbs

    def balls(self) -> Floats:
        """The hand as balls (n, 4) that take light from what lies below."""
        balls: list[Floats] = []
        for a, b, ra, rb, _ in self.limbs:
            steps = max(2, int(np.linalg.norm(b - a) / (0.9 * min(ra, rb))))
            balls.extend(
                np.array([*(a + (b - a) * t), ra + (rb - ra) * t])
                for t in np.linspace(0, 1, min(steps, 8))
            )
        return np.array(balls)


def paint_hand(frame: Planes, view: View, light: Light, hand: Hand) -> npt.NDArray[np.float32]:
    """Draw the hand into the linear picture; answers how much of each pixel it covers."""
    h, w = frame.shape[:2]
    half_w, half_h = w // 2, h // 2
    grid = np.stack(np.meshgrid(np.arange(half_w), np.arange(half_h)), -1).astype(np.float32)
    rise = np.full((half_h, half_w), -8.0, np.float32)
    cloth = np.zeros((half_h, half_w), bool)
    for a, b, ra, rb, is_cloth in hand.limbs:
        ends = (view.project([a, b]) + 0.5) / 2 - 0.5
        scale = view.px_per_mm(hand.height_mm) / 2
        pad = max(ra, rb) * scale + 3
        low = np.clip((ends.min(0) - pad).astype(int), 0, (half_w, half_h))
        high = np.clip((ends.max(0) + pad).astype(int) + 1, 0, (half_w, half_h))
        if (high <= low).any():
            continue
        window = (slice(low[1], high[1]), slice(low[0], high[0]))
        along = (ends[1] - ends[0]).astype(np.float32)
        rel = grid[window] - ends[0].astype(np.float32)
        t = np.clip(rel @ along / max(float(along @ along), 1e-6), 0, 1)
        d2 = ((rel - t[..., None] * along) ** 2).sum(-1)
        radius = (ra + (rb - ra) * t) * scale
        bulge = radius**2 - d2
        # Outside the limb the field goes on below zero, so that its edge can be blended.
        value = np.where(bulge > 0, np.sqrt(np.maximum(bulge, 0)), -np.sqrt(np.maximum(-bulge, 0)))
        new = value > rise[window]
        cloth[window][new] = is_cloth
        rise[window] = np.maximum(rise[window], value)
    alpha = np.clip(cv2.resize(rise, (w, h), interpolation=cv2.INTER_LINEAR) * 0.35 + 0.2, 0, 1)
    if not alpha.any():
        return np.asarray(alpha, np.float32)
    body = cv2.GaussianBlur(np.maximum(rise, 0), (0, 0), 1.6)
    gx = cv2.Sobel(body, cv2.CV_32F, 1, 0, ksize=3) / 8
    gy = cv2.Sobel(body, cv2.CV_32F, 0, 1, ksize=3) / 8
    up = 1 / np.sqrt(gx * gx + gy * gy + 1)
    to_lamp = np.array(light.lamp.at) - (100.0, 75.0, hand.height_mm)
    to_lamp /= np.linalg.norm(to_lamp)
    falls = np.clip((-gx * to_lamp[0] - gy * to_lamp[1] + to_lamp[2]) * up, 0.0, 1.0)
    falls = (falls * 0.85 + 0.15) * light.lamp.power
    sky = (0.35 + 0.65 * up) * light.lamp.room
    skin, weave = linear(hand.skin), linear(hand.cloth)
    rng = np.random.default_rng(len(hand.limbs))
    mottle = cv2.GaussianBlur(rng.standard_normal((half_h, half_w), np.float32), (0, 0), 5) * 0.5
    base = np.where(cloth[..., None], weave, skin * (1 + mottle[..., None] * (-0.25, -0.15, 0.1)))
    lit = falls[..., None] * np.array(light.lamp.colour) + sky[..., None] * np.array(
        light.lamp.room_colour
    )
    colour = cv2.resize((base * lit).astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)
    frame *= (1 - alpha)[..., None]
    frame += colour * alpha[..., None]
    return np.asarray(alpha, np.float32)
