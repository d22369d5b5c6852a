"""Draw the sheets to print: stickers for the battle dice, and the tray's four corner markers.

`python hardware/labels/sheets.py` writes `dice-stickers.svg` and `corner-markers.svg` beside this
file, A4, every length in millimetres. Print at 100 % on matt paper and check the 100 mm line.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import cv2
import numpy as np

HERE = Path(__file__).parent
DRAWINGS = HERE.parent.parent / "vision" / "dice" / "battle"

PAGE = (210.0, 297.0)
STICKER = 13.6
"""Side of a sticker for a 16 mm die; the rounded edges of the die stay free."""
ICON = 9.8
MARKER = 20.0
PAPER = 28.0
"""Black square and white paper of a corner marker: the margin is wider than one module."""

INKS = {
    "black": ("#24262a", "#e8e6de"),
    "white": ("#f4f2ea", "#242426"),
    "red": ("#b02a2c", "#ece8e0"),
}
"""Paper and ink by body colour, as the shipped set was taught."""

DICE = (("black", 3, 3, 3), ("white", 3, 2, 4), ("red", 2, 4, 2))
"""Colour, number of dice, helmets and shields on each."""

SPARE = 2
"""Extra stickers of each kind: one always goes on crooked."""


def dice_stickers() -> str:
    """The sticker sheet as SVG: all faces of a Vikingjarl box, and spares."""
    parts = [_symbol("helmet"), _symbol("shield")]
    step = STICKER + 4.0
    columns = int((PAGE[0] - 20.0) / step)
    y = 32.0
    parts.append(_text(12, 14, 5, "Battle dice: stickers for 16 mm dice"))
    parts.append(
        _text(12, 20, 3.2, "Print at 100 %, matt. Cut along the outside. Press onto a clean die.")
    )
    for colour, dice, helmets, shields in DICE:
        note = f"{colour}: {dice} dice, each {helmets} helmets and {shields} shields"
        parts.append(_text(12, y, 3.6, f"{note}; {SPARE} spare of each"))
        y += 3.0
        faces = ["helmet"] * (dice * helmets + SPARE) + ["shield"] * (dice * shields + SPARE)
        for k, face in enumerate(faces):
            x = 12.0 + (k % columns) * step
            parts.append(_sticker(x, y + (k // columns) * step, colour, face))
        y += -(-len(faces) // columns) * step + 6.0
    parts.append(_check_line())
    return _page("".join(parts))


def corner_markers(marker_mm: float = MARKER, paper_mm: float = PAPER) -> str:
    """The sheet with the tray's corner markers as SVG (ArUco DICT_4X4_50, ids 0 to 3).

    Raises `ValueError` where the white margin would be narrower than one module of the marker:
    cameras lose such markers.
    """
    module = marker_mm / 6
    margin = (paper_mm - marker_mm) / 2
    if margin < module:
        raise ValueError(
            f"a margin of {margin:.1f} mm seen; a {marker_mm:g} mm marker wants at least "
            f"{module:.1f} mm: print it on paper of {marker_mm + 2 * module:.1f} mm or more"
        )
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    parts = [_text(12, 14, 5, "Corner markers of the dice tray")]
    parts.append(
        _text(
            12,
            20,
            3.2,
            f"Black {marker_mm:g} mm on white {paper_mm:g} mm. Cut on the grey line, never inside "
            "it. Arrow towards the back wall.",
        )
    )
    parts.append(
        _text(
            12,
            25,
            3.2,
            f"Write into table.toml:   [tray]   marker = {marker_mm:g}   (and marker_out, "
            "marker_height as you mounted them; README)",
        )
    )
    places = ("back left", "back right", "front right", "front left")
    for marker, place in enumerate(places):
        x = 20.0 + (marker in (1, 2)) * (paper_mm + 24)
        y = 38.0 + (marker in (2, 3)) * (paper_mm + 24)
        bits = cv2.aruco.generateImageMarker(book, marker, 6)
        parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{paper_mm:g}" height="{paper_mm:g}" fill="#fff" '
            'stroke="#999" stroke-width="0.15"/>'
        )
        parts.append('<g class="modules" shape-rendering="crispEdges">')
        for row, column in np.argwhere(bits == 0).tolist():
            # Squares reach a little into their neighbours, or printers leave white hairlines.
            parts.append(
                f'<rect x="{x + margin + column * module:.3f}" '
                f'y="{y + margin + row * module:.3f}" width="{module + 0.05:.3f}" '
                f'height="{module + 0.05:.3f}"/>'
            )
        parts.append("</g>")
        middle = x + paper_mm / 2
        parts.append(f'<path d="M{middle:g} {y - 5:g}l-2 3.500h4z"/>')
        parts.append(_text(x, y + paper_mm + 5, 3.6, f"{marker}: {place}"))
    parts.append(_check_line())
    return _page("".join(parts))


def _sticker(x: float, y: float, colour: str, face: str) -> str:
    paper, ink = INKS[colour]
    inset, line = 0.55, 0.45
    side = STICKER - 2 * inset - line
    at = inset + line / 2
    icon = (STICKER - ICON) / 2
    return (
        f'<g class="sticker" transform="translate({x:.2f} {y:.2f})" color="{ink}">'
        f'<rect width="{STICKER}" height="{STICKER}" rx="1.200" fill="{paper}" stroke="#999" '
        'stroke-width="0.1"/>'
        f'<rect x="{at:g}" y="{at:g}" width="{side:g}" height="{side:g}" rx="1" fill="none" '
        f'stroke="{ink}" stroke-width="{line}"/>'
        f'<use href="#{face}" x="{icon:g}" y="{icon:g}" width="{ICON}" height="{ICON}"/></g>\n'
    )


def _symbol(face: str) -> str:
    """A face's drawing, from the very file that the renderer and the taught set use."""
    svg = (DRAWINGS / f"{face}.svg").read_text("utf-8")
    inner = re.sub(r"^\s*<svg[^>]*>|</svg>\s*$", "", svg)
    return f'<symbol id="{face}" viewBox="0 0 48 48">{inner}</symbol>\n'


def _text(x: float, y: float, size: float, words: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}">{words}</text>\n'


def _check_line() -> str:
    y = PAGE[1] - 14
    return (
        f'<path d="M12 {y:g}h100M12 {y - 2:g}v4M112 {y - 2:g}v4" stroke="#000" '
        f'stroke-width="0.2" fill="none"/>{_text(114, y + 1, 3.2, "100 mm")}'
    )


def _page(content: str) -> str:
    w, h = PAGE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w:g}mm" height="{h:g}mm" '
        f'viewBox="0 0 {w:g} {h:g}" font-family="sans-serif">\n{content}\n</svg>\n'
    )


def main(arguments: list[str] | None = None) -> int:
    """Write both sheets into a folder."""
    parser = argparse.ArgumentParser(description="Draw the sticker and the marker sheet.")
    parser.add_argument("folder", type=Path, nargs="?", default=HERE)
    parser.add_argument("--marker", type=float, default=MARKER, help="black square, mm")
    parser.add_argument("--paper", type=float, default=PAPER, help="white paper, mm")
    chosen = parser.parse_args(arguments)
    try:
        markers = corner_markers(chosen.marker, chosen.paper)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    chosen.folder.mkdir(parents=True, exist_ok=True)
    (chosen.folder / "dice-stickers.svg").write_text(dice_stickers(), "utf-8")
    (chosen.folder / "corner-markers.svg").write_text(markers, "utf-8")
    sys.stdout.write(f"dice-stickers.svg and corner-markers.svg written to {chosen.folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
