"""Teach the two small networks that find and read pips, on drawn scenes only.

Needs PyTorch, which the project itself does not depend on:

    python -m venv learn && learn/bin/pip install torch==2.13.0 onnx numpy opencv-python-headless
    learn/bin/python -m vision.pips_train

writes `pips_find.onnx` and `pips_face.onnx` beside this file. Seeded: the same machine writes the
same networks. No photograph is used.
"""

# pyright: reportMissingImports=false
# ruff: noqa: T201

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.pips_find import FACE_PX, FACE_REACH, SIZES, crop_face, normalised
from vision.pips_render import SIZE, DrawnFace, draw_scene
from vision.pips_render_camera import spoil
from vision.seen import Picture

HERE = Path(__file__).parent
TILE = 112
"""Side of a training picture for the finder, pixels."""
STRIDE = 4

Scene = tuple[Picture, list[DrawnFace]]


def _layer(into: int, out: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(into, out, kernel, stride, kernel // 2), nn.BatchNorm2d(out), nn.ReLU()
    )


class Finder(nn.Module):
    """Picture (n, 3, h, w) 0..1 to (n, 4, h/4, w/4): upper face here?, log size, x and y offset."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(_layer(3, 12, 3, 2), _layer(12, 24, 3, 2))
        self.wide = nn.Sequential(
            _layer(24, 40, 3, 2), _layer(40, 40), _layer(40, 40), _layer(40, 40)
        )
        self.narrow = _layer(40, 24, 1)
        self.join = _layer(24, 24)
        self.head = nn.Conv2d(24, 4, 1)
        nn.init.constant_(self.head.bias, 0.0)
        self.head.bias.data[0] = -4.0

    def forward(self, x: Tensor) -> Tensor:
        near = self.near(x)
        wide = functional.interpolate(self.narrow(self.wide(near)), scale_factor=2, mode="nearest")
        return self.head(self.join(near + wide))


class Reader(nn.Module):
    """Crop (n, 3, 48, 48), mean 0 and deviation 1, to (n, 7): no upper face, or 1 to 6 pips."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _layer(3, 24, 5, 2),
            _layer(24, 32),
            _layer(32, 48, 3, 2),
            _layer(48, 48),
            _layer(48, 80, 3, 2),
            _layer(80, 80),
        )
        self.squeeze = nn.Conv2d(80, 24, 1)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(24 * 36, 7)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.drop(functional.relu(self.squeeze(self.body(x))).flatten(1)))


def finder_sample(scenes: list[Scene], rng: np.random.Generator) -> tuple[Picture, Tensor, Tensor]:
    """One picture for the finder, its target (4, h, w) and its weight (2, h, w)."""
    if rng.random() < 0.12:
        return _crowd_sample(scenes, rng)
    picture, faces = scenes[int(rng.integers(len(scenes)))]
    ups = [f for f in faces if f.up]
    typical = float(np.median([f.size for f in ups])) if ups else 45.0
    scale = float(np.exp(rng.uniform(np.log(SIZES[0]), np.log(SIZES[1])))) / typical
    scale = max(scale, (TILE + 1) / SIZE)
    side = round(SIZE * scale)
    shrunk = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    scale = side / SIZE
    left, top = (int(v) for v in rng.integers(0, side - TILE + 1, 2))
    if ups and rng.random() < 0.7:
        face = ups[int(rng.integers(len(ups)))]
        middle = (face.x * scale - TILE / 2, face.y * scale - TILE / 2)
        left, top = (int(np.clip(m + rng.normal(0, 20), 0, side - TILE)) for m in middle)
    tile = spoil(np.asarray(shrunk[top : top + TILE, left : left + TILE], np.uint8), rng)
    cells = TILE // STRIDE
    target = np.zeros((4, cells, cells), np.float32)
    weight = np.zeros((2, cells, cells), np.float32)
    weight[0] = 1
    ys, xs = np.mgrid[0:cells, 0:cells].astype(np.float32)
    xs, ys = xs * STRIDE + (STRIDE - 1) / 2, ys * STRIDE + (STRIDE - 1) / 2
    for face in ups:
        x, y = (face.x + 0.5) * scale - 0.5 - left, (face.y + 0.5) * scale - 0.5 - top
        size = face.size * scale
        apart = np.hypot(xs - x, ys - y)
        unclear = face.seen < 0.75 or not (SIZES[0] * 0.9 < size < SIZES[1] * 1.1)
        outside = min(x, y, TILE - x, TILE - y) < size * 0.45
        if face.value == 0:
            continue
        if unclear or outside:
            weight[0][apart < size * 0.7] = 0
            continue
        spot = np.exp(-(apart**2) / (2 * (0.13 * size + 0.6) ** 2))
        spot[apart <= apart.min() + 1e-3] = 1
        better = spot > target[0]
        target[0] = np.maximum(target[0], spot)
        near = better & (apart < max(0.28 * size, 3.5))
        target[1][near] = np.log(size / 28)
        target[2][near] = ((x - xs) / STRIDE)[near]
        target[3][near] = ((y - ys) / STRIDE)[near]
        weight[1][near] = 1
    if rng.random() < 0.5:
        tile = tile[:, ::-1]
        target, weight = target[:, :, ::-1], weight[:, :, ::-1]
        target = target * np.array([1, 1, -1, 1], np.float32)[:, None, None]
    return (
        np.ascontiguousarray(tile),
        torch.from_numpy(np.ascontiguousarray(target)),
        torch.from_numpy(np.ascontiguousarray(weight)),
    )


def _crowd_sample(scenes: list[Scene], rng: np.random.Generator) -> tuple[Picture, Tensor, Tensor]:
    """Dice too small to be read: five of them must not look like the five of one large die."""
    half = TILE // 2
    tile = np.empty((TILE, TILE, 3), np.uint8)
    for top in (0, half):
        for left in (0, half):
            picture, _ = scenes[int(rng.integers(len(scenes)))]
            side = int(rng.integers(half, half + 24))
            shrunk = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
            y, x = (int(v) for v in rng.integers(0, side - half + 1, 2))
            tile[top : top + half, left : left + half] = shrunk[y : y + half, x : x + half]
    cells = TILE // STRIDE
    weight = torch.zeros((2, cells, cells))
    weight[0] = 1
    return spoil(tile, rng), torch.zeros((4, cells, cells)), weight


def reader_sample(scenes: list[Scene], rng: np.random.Generator) -> tuple[Picture, int]:
    """One crop for the reader and its class."""
    while True:
        picture, faces = scenes[int(rng.integers(len(scenes)))]
        ups = [f for f in faces if f.up and f.value and f.seen > 0.8]
        odd = [f for f in faces if f.up and not f.value]
        sides = [f for f in faces if not f.up and f.size > 15]
        kind = rng.random()
        spread, stretch = 0.05, 0.09
        answer = 0
        if kind < 0.62:
            if not ups:
                continue
            face = ups[int(rng.integers(len(ups)))]
            # Rare values would be as rare in training: even them out.
            same = [f for f in ups if f.value == int(rng.integers(1, 7))]
            face = same[0] if same else face
            answer = face.value
            x, y, size = face.x, face.y, face.size
        elif kind < 0.74:
            if not odd:
                continue
            face = odd[int(rng.integers(len(odd)))]
            x, y, size = face.x, face.y, face.size
        elif kind < 0.84:
            if not sides:
                continue
            face = sides[int(rng.integers(len(sides)))]
            x, y, size = face.x, face.y, face.size * float(rng.choice([1, 1.3]))
        elif kind < 0.94:
            if not ups:
                continue
            face = ups[int(rng.integers(len(ups)))]
            way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.42, 1.0)
            x = face.x + np.cos(way) * far * face.size
            y = face.y + np.sin(way) * far * face.size
            size = face.size * float(np.exp(rng.normal(0, 0.25)))
            if rng.random() < 0.3:
                x, y = face.x, face.y
                size = face.size * float(rng.choice([0.45, 0.55, 1.8, 2.2]))
            elif any(np.hypot(f.x - x, f.y - y) < 0.36 * f.size for f in ups):
                continue
        else:
            x, y = rng.uniform(20, SIZE - 20, 2)
            size = float(rng.uniform(15, 60))
            if any(f.up and np.hypot(f.x - x, f.y - y) < 0.5 * f.size for f in faces):
                continue
        break
    x, y = np.array([x, y]) + rng.normal(0, spread, 2).clip(-0.12, 0.12) * size
    size *= float(np.exp(rng.normal(0, stretch)))
    # Small dice are drawn up, large ones down: begin with what a camera would have had.
    first = float(np.exp(rng.uniform(np.log(16), np.log(60))))
    scale = min(1.0, first / size)
    reach = round(FACE_REACH * size * 0.75) + 3
    pad = cv2.copyMakeBorder(picture, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    cx, cy = round(x), round(y)
    part = pad[cy : cy + 2 * reach + 1, cx : cx + 2 * reach + 1]
    if part.shape[0] != part.shape[1] or part.shape[0] < 8:
        return reader_sample(scenes, rng)
    fx, fy = x - cx + reach, y - cy + reach
    side = max(12, round(part.shape[0] * scale))
    shrunk = cv2.resize(part, (side, side), interpolation=cv2.INTER_AREA)
    scale = side / part.shape[0]
    spoilt = spoil(np.asarray(shrunk, np.uint8), rng)
    crop = crop_face(spoilt, (fx + 0.5) * scale - 0.5, (fy + 0.5) * scale - 0.5, size * scale)
    if rng.random() < 0.5:
        crop = np.ascontiguousarray(crop[:, ::-1])
    return crop, answer


def finder_loss(out: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Focal loss of the heat, distance loss of size and offset."""
    heat, chance = target[:, 0], torch.sigmoid(out[:, 0]).clamp(1e-5, 1 - 1e-5)
    hit = (heat == 1).float()
    loss = -hit * (1 - chance) ** 2 * torch.log(chance)
    loss -= (1 - hit) * (1 - heat) ** 4 * chance**2 * torch.log(1 - chance)
    loss = (loss * weight[:, 0]).sum() / hit.sum().clamp(min=1)
    off = functional.smooth_l1_loss(out[:, 1:], target[:, 1:], reduction="none", beta=0.1)
    off = off * torch.tensor([2.0, 0.5, 0.5])[None, :, None, None]
    return loss + (off * weight[:, 1:2]).sum() / weight[:, 1].sum().clamp(min=1)


def learn_finder(scenes: list[Scene], seconds: float, steps: int, seed: int) -> Finder:
    """Train the finder for `steps` of 24 pictures (or until `seconds` are over)."""
    torch.manual_seed(seed)
    rng = np.random.default_rng([seed, 1])
    net = Finder()

    def batch() -> tuple[Tensor, ...]:
        samples = [finder_sample(scenes, rng) for _ in range(24)]
        pictures = np.stack([s[0] for s in samples]).transpose(0, 3, 1, 2)
        x = torch.from_numpy(pictures.astype(np.float32) / 255)
        return x, torch.stack([s[1] for s in samples]), torch.stack([s[2] for s in samples])

    _train(net, batch, lambda out, t, w: finder_loss(out, t, w), seconds, steps)
    return net


def learn_reader(scenes: list[Scene], seconds: float, steps: int, seed: int) -> Reader:
    """Train the reader for `steps` of 64 crops (or until `seconds` are over)."""
    torch.manual_seed(seed + 1)
    rng = np.random.default_rng([seed, 2])
    net = Reader()

    def batch() -> tuple[Tensor, ...]:
        samples = [reader_sample(scenes, rng) for _ in range(64)]
        x = torch.from_numpy(normalised(np.stack([s[0] for s in samples])))
        return x, torch.tensor([s[1] for s in samples])

    def loss(out: Tensor, wanted: Tensor) -> Tensor:
        return functional.cross_entropy(out, wanted, label_smoothing=0.02)

    _train(net, batch, loss, seconds, steps)
    return net


def _train(net: nn.Module, batch, loss_of, seconds: float, steps: int) -> None:  # noqa: ANN001
    net.train()
    best = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-4)
    rate = torch.optim.lr_scheduler.OneCycleLR(best, 3e-3, total_steps=steps, pct_start=0.1)
    start, total = time.monotonic(), 0.0
    for step in range(steps):
        x, *rest = batch()
        loss = loss_of(net(x), *rest)
        best.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        rate.step()
        total += float(loss.detach())
        if step % 100 == 99:
            spent = time.monotonic() - start
            print(
                f"{type(net).__name__} {step + 1} loss {total / 100:.4f} {spent:.0f} s", flush=True
            )
            total = 0.0
            if spent > seconds:
                break
    net.eval()


def write(net: nn.Module, path: Path, shape: tuple[int, ...], free: tuple[int, ...]) -> None:
    """Write a network as ONNX with its batch norms folded into the convolutions."""
    for module in list(net.modules()):
        if isinstance(module, nn.Sequential) and len(module) > 1:
            first, second = module[0], module[1]
            if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d):
                module[0] = nn.utils.fusion.fuse_conv_bn_eval(first, second)
                module[1] = nn.Identity()
    names = {i: f"axis{i}" for i in free}
    torch.onnx.export(
        net,
        (torch.zeros(shape),),
        str(path),
        opset_version=13,
        input_names=["picture"],
        output_names=["answer"],
        dynamic_axes={"picture": names, "answer": {0: "axis0"} if free == (0,) else names},
        dynamo=False,
    )


def main() -> None:
    """Draw, teach and write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--scenes", type=int, default=2500)
    options.add_argument("--finder-steps", type=int, default=1600)
    options.add_argument("--reader-steps", type=int, default=2000)
    options.add_argument("--seconds", type=float, default=1e9, help="at most, for each network")
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--only", choices=("finder", "reader"))
    options.add_argument("--out", type=Path, default=HERE)
    given = options.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    scenes = [draw_scene(np.random.default_rng([given.seed, k])) for k in range(given.scenes)]
    print(f"{len(scenes)} scenes drawn", flush=True)
    if given.only != "reader":
        net = learn_finder(scenes, given.seconds, given.finder_steps, given.seed)
        write(net, given.out / "pips_find.onnx", (1, 3, TILE, TILE), (2, 3))
    if given.only != "finder":
        net = learn_reader(scenes, given.seconds, given.reader_steps, given.seed)
        write(net, given.out / "pips_face.onnx", (1, 3, FACE_PX, FACE_PX), (0,))


if __name__ == "__main__":
    main()
