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
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.pips_find import FACE_PX, normalised
from vision.pips_render import SIZE, draw_scene
from vision.pips_render_camera import spoil
from vision.pips_train_samples import (
    STRIDE,
    TILE,
    Mistake,
    Scene,
    finder_sample,
    reader_sample,
)

HERE = Path(__file__).parent


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
        """Look at pictures."""
        near = self.near(x)
        wide = functional.interpolate(self.narrow(self.wide(near)), scale_factor=2, mode="nearest")
        return self.head(self.join(near + wide))


class Reader(nn.Module):
    """Crop (n, 3, 48, 48), mean 0 and deviation 1, to (n, 10).

    The first seven: no upper face, or 1 to 6 pips; then its tilt, right and down, and the logarithm
    of how far off that may be.
    """

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
        self.out = nn.Linear(24 * 36, 10)

    def forward(self, x: Tensor) -> Tensor:
        """Judge crops."""
        return self.out(self.drop(functional.relu(self.squeeze(self.body(x))).flatten(1)))


def mistakes(path: Path, scenes: list[Scene], seed: int) -> list[Mistake]:
    """What the finder at `path` gets wrong in the scenes, seen by another camera."""
    rng = np.random.default_rng([seed, 3])
    net = cv2.dnn.readNetFromONNX(str(path))
    found: list[Mistake] = []
    for number, (picture, faces) in enumerate(scenes):
        side = 8 * int(rng.integers(12, 37))
        scale = side / SIZE
        shrunk = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
        net.setInput(cv2.dnn.blobFromImage(spoil(np.asarray(shrunk, np.uint8), rng), 1 / 255))
        out = np.asarray(net.forward(), np.float32)[0]
        heat = out[0]
        peak = (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > -2.2)
        rows, columns = np.nonzero(peak)
        for row, column in list(zip(rows, columns, strict=True))[:12]:
            x = (column + out[2, row, column]) * STRIDE + (STRIDE - 1) / 2
            y = (row + out[3, row, column]) * STRIDE + (STRIDE - 1) / 2
            x, y = (float(x) + 0.5) / scale - 0.5, (float(y) + 0.5) / scale - 0.5
            size = 28 * float(np.exp(out[1, row, column])) / scale
            near = [
                f for f in faces if f.up and f.value and np.hypot(f.x - x, f.y - y) < 0.36 * f.size
            ]
            right = any(1 / 1.6 < f.size / size < 1.6 for f in near)
            inside = 0 <= x < SIZE and 0 <= y < SIZE
            if not right and inside and 10 < size < 200:
                found.append((number, x, y, size))
    return found


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
        wanted, weight = (torch.from_numpy(np.stack([s[i] for s in samples])) for i in (1, 2))
        return x, wanted, weight

    _train(net, batch, lambda out, t, w: finder_loss(out, t, w), seconds, steps)
    return net


def learn_reader(
    net: Reader,
    scenes: list[Scene],
    wrong: list[Mistake],
    seconds: float,
    steps: int,
    seed: int,
    rate: float,
) -> None:
    """Train the reader for `steps` of 64 crops (or until `seconds` are over)."""
    torch.manual_seed(seed + 1)
    rng = np.random.default_rng([seed, 2])

    def batch() -> tuple[Tensor, ...]:
        samples = [reader_sample(scenes, wrong, rng) for _ in range(64)]
        x = torch.from_numpy(normalised(np.stack([s[0] for s in samples])))
        tilts = torch.tensor([s[2] or (0.0, 0.0) for s in samples], dtype=torch.float32)
        tilted = torch.tensor([s[2] is not None for s in samples])
        return x, torch.tensor([s[1] for s in samples]), tilts, tilted

    _train(net, batch, reader_loss, seconds, steps, rate)


def reader_loss(out: Tensor, wanted: Tensor, tilts: Tensor, tilted: Tensor) -> Tensor:
    """Cross entropy of the class, likelihood of the tilt where there is one."""
    loss = functional.cross_entropy(out[:, :7], wanted, label_smoothing=0.02)
    spread = out[tilted, 9].clamp(-4.0, 1.0)
    off = ((out[tilted, 7:9] - tilts[tilted]) ** 2).sum(dim=1)
    return loss + 0.15 * (off / (2 * torch.exp(2 * spread)) + 2 * spread).mean()


def _train(
    net: nn.Module,
    batch: Callable[[], tuple[Tensor, ...]],
    loss_of: Callable[..., Tensor],
    seconds: float,
    steps: int,
    rate: float = 3e-3,
) -> None:
    net.train()
    best = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-4)
    rates = torch.optim.lr_scheduler.OneCycleLR(best, rate, total_steps=steps, pct_start=0.1)
    start, total = time.monotonic(), 0.0
    for step in range(steps):
        x, *rest = batch()
        loss = loss_of(net(x), *rest)
        best.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        rates.step()
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
    options.add_argument("--scenes", type=int, default=3200)
    options.add_argument("--finder-steps", type=int, default=4000)
    options.add_argument("--reader-steps", type=int, default=6000)
    options.add_argument("--seconds", type=float, default=1e9, help="at most, for each network")
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--out", type=Path, default=HERE)
    options.add_argument("--reader-only", action="store_true", help="keep the finder in --out")
    given = options.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    scenes = _scenes(given.seed, 0, given.scenes)
    if not given.reader_only:
        finder = learn_finder(scenes, given.seconds, given.finder_steps, given.seed)
        write(finder, given.out / "pips_find.onnx", (1, 3, TILE, TILE), (2, 3))
    torch.manual_seed(given.seed + 1)
    reader = Reader()
    # Twice: the second time with other scenes and smaller steps.
    for first, rate in ((0, 3e-3), (given.scenes, 1.5e-3)):
        if first:
            scenes = _scenes(given.seed, first, given.scenes)
        wrong = mistakes(given.out / "pips_find.onnx", scenes, given.seed + first)
        print(f"{len(wrong)} mistakes of the finder to learn from", flush=True)
        learn_reader(
            reader, scenes, wrong, given.seconds, given.reader_steps, given.seed + first, rate
        )
    write(reader, given.out / "pips_face.onnx", (1, 3, FACE_PX, FACE_PX), (0,))


def _scenes(seed: int, first: int, count: int) -> list[Scene]:
    # In every second scene some dice lean.
    scenes = [
        draw_scene(np.random.default_rng([seed, k]), 0.4 * (k % 2))
        for k in range(first, first + count)
    ]
    print(f"{len(scenes)} scenes drawn", flush=True)
    return scenes


if __name__ == "__main__":
    main()
