"""What a camera and the light of a room do to a drawn scene: glare, blur, noise, JPEG."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.seen import Picture

Floats = npt.NDArray[np.floating]


def spoil(picture: Picture, rng: np.random.Generator) -> Picture:
    """A picture (h, w, 3) as some camera under some light might have taken it."""
    image = picture.astype(np.float32) / 255
    if rng.random() < 0.35:
        image *= _uneven_light(image.shape[0], image.shape[1], rng)[..., None]
    if rng.random() < 0.25:
        image += _glare(image.shape[0], image.shape[1], rng)[..., None]
    if rng.random() < 0.6:
        image *= np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)  # white balance
    if rng.random() < 0.7:
        image = np.clip(image, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.3)))
        image = (image - 0.5) * np.float32(rng.uniform(0.5, 1.25)) + np.float32(
            0.5 + rng.normal(0, 0.1)
        )
    if rng.random() < 0.15:
        grey = image.mean(axis=2, keepdims=True)
        image = grey + (image - grey) * np.float32(rng.uniform(0, 0.6))
    image = _blurred(image, rng)
    if rng.random() < 0.7:
        image = image + _noise(image.shape, rng)
    result = np.asarray(np.clip(image * 255, 0, 255), np.uint8)
    if rng.random() < 0.7:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))]
        _, data = cv2.imencode(".jpg", result, quality)
        result = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return result


def _uneven_light(height: int, width: int, rng: np.random.Generator) -> Floats:
    """A shadow's edge or a slope of light across the picture."""
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    along = (xs - rng.uniform(0, width)) * np.cos(angle) + (ys - rng.uniform(0, height)) * np.sin(
        angle
    )
    wide = np.exp(rng.uniform(np.log(0.5), np.log(150)))
    share = 1 / (1 + np.exp(-np.clip(along / wide, -30, 30)))
    low = rng.uniform(0.25, 0.9)
    return np.asarray(low + (1 - low) * share, np.float32)


def _glare(height: int, width: int, rng: np.random.Generator) -> Floats:
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y, wide = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(8, 50)
    apart = ((xs - x) ** 2 + ((ys - y) * rng.uniform(0.5, 2)) ** 2) / wide**2
    return np.asarray(rng.uniform(0.1, 0.6) * np.exp(-apart), np.float32)


def _blurred(image: Floats, rng: np.random.Generator) -> Floats:
    kind = rng.random()
    if kind < 0.45:
        soft = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.3, 1.4)))
        return np.asarray(soft, np.float32)
    if kind < 0.55:
        length = int(rng.integers(2, 6))
        line = np.zeros((length * 2 + 1, length * 2 + 1), np.float32)
        angle = rng.uniform(0, np.pi)
        end = (np.cos(angle) * length / 2, np.sin(angle) * length / 2)
        a = (round(length - end[0]), round(length - end[1]))
        b = (round(length + end[0]), round(length + end[1]))
        cv2.line(line, a, b, 1.0)
        return np.asarray(cv2.filter2D(image, -1, line / line.sum()), np.float32)
    if kind < 0.72:
        # Many webcams sharpen until light and dark rims appear.
        soft = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.7, 1.6)))
        return np.asarray(image + (image - soft) * np.float32(rng.uniform(0.3, 1.5)))
    return image


def _noise(shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    height, width = shape[:2]
    level = rng.uniform(0, 0.06)
    noise = rng.normal(0, level, (height, width, 3 if rng.random() < 0.6 else 1))
    noise = np.asarray(noise, np.float32)
    if rng.random() < 0.4:
        noise = cv2.GaussianBlur(noise, (0, 0), 0.8).reshape(height, width, -1) * np.float32(1.6)
    return noise
