"""The tray's measures: from table.toml to what the reader of dice wants."""

from __future__ import annotations

from companion.config import TrayConfig
from vision.camera import Tray


def tray_of(measures: TrayConfig) -> Tray:
    """Return the tray as the reader of dice wants it."""
    out, width, depth = measures.marker_out, measures.width, measures.depth
    return Tray(
        width_mm=width,
        height_mm=depth,
        marker_centres_mm=(
            (-out, -out),
            (width + out, -out),
            (width + out, depth + out),
            (-out, depth + out),
        ),
        marker_side_mm=measures.marker,
        marker_height_mm=measures.marker_height,
        die_side_mm=measures.die,
        camera_height_mm=measures.camera_height or None,
    )
