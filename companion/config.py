"""`table.toml`: what stands at this table. Read strictly, with an error that names the line.

```toml
language = "de"                # of the big screen; left out: of the browser that shows it
names = ["tisch.local"]        # further host names under which phones may come
grace = 4.0                    # seconds a certain roll waits before it is taken (0: only by tap)
patience = 30.0                # seconds before a patient question takes its default (0: never)
dice_set = "battle"

[tray_camera]
driver = "usb"                 # usb, pi, url, video, folder, absent
at = "/dev/v4l/by-id/..."      # pi: the camera's number, 0 where left out
width = 1280
height = 720
exposure = 10.0                # milliseconds a frame; 0: the camera finds it, and keeps it then

[tray]                         # where the tray is another than the dice were taught in
marker = 20.0                  # millimetres: side of the printed black squares

[card_reader]
driver = "pn532"               # pn532, absent
at = "/dev/ttyUSB0"

[tray_controller]
driver = "pico"                # pico, absent
at = "/dev/serial/by-id/..."
```
"""

from __future__ import annotations

import difflib
import tomllib
from pathlib import Path
from typing import Any, Literal, cast, get_args

import msgspec


class ConfigError(Exception):
    """`table.toml` cannot be used: what was seen, what was expected, what to do."""


class CameraConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which tray camera, and in which size (pixels) and exposure (milliseconds) it works.

    With `exposure` 0 the camera finds its exposure when it is opened, and keeps it then.
    """

    driver: Literal["usb", "pi", "url", "video", "folder", "absent"] = "absent"
    at: str = ""
    width: int = 1280
    height: int = 720
    exposure: float = 0.0


class TrayConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The measures of the tray, in millimetres.

    width, depth: of its inside. marker: side of the black squares at the corners; marker_out: of
    their centres beyond the inside, each way; marker_height: of the squares above the felt.
    die: side of the dice. camera_height: of the lens above the felt, 0 where nobody measured it.
    """

    width: float = 200.0
    depth: float = 150.0
    marker: float = 18.0
    marker_out: float = 12.0
    marker_height: float = 18.0
    die: float = 16.0
    camera_height: float = 0.0


class ReaderConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which card reader. `first_answer` is how long (seconds) it may take to say who it is."""

    driver: Literal["pn532", "absent"] = "absent"
    at: str = ""
    first_answer: float = 1.5


class ControllerConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which tray controller."""

    driver: Literal["pico", "absent"] = "absent"
    at: str = ""


class TableConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of `table.toml`."""

    language: Literal["en", "de"] | None = None
    names: tuple[str, ...] = ()
    grace: float = 4.0
    patience: float = 30.0
    dice_set: str = "battle"
    tray: TrayConfig | None = None
    tray_camera: CameraConfig = CameraConfig()
    card_reader: ReaderConfig = ReaderConfig()
    tray_controller: ControllerConfig = ControllerConfig()


def read_config(path: Path | None) -> TableConfig:
    """Return the settings of a file, or the defaults where none is given.

    Raises `ConfigError` where the file is missing, is no TOML, or holds what nobody knows.
    """
    if path is None:
        return TableConfig()
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise ConfigError(
            f"{path}: no such file; write one as the README shows, or leave out --config"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: no valid TOML: {error}; mend that line") from error
    _refuse_strangers(path, table, TableConfig, "")
    try:
        config = msgspec.convert(table, TableConfig)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {error}; see the README's section on table.toml") from error
    for name in ("tray_camera", "card_reader", "tray_controller"):
        device = getattr(config, name)
        if device.driver not in ("absent", "pi") and not device.at:
            raise ConfigError(
                f"{path}: [{name}] names the driver {device.driver!r} but no `at`; "
                'add the device\'s path, such as at = "/dev/ttyUSB0"'
            )
    _check_camera(path, config.tray_camera)
    if config.tray is not None:
        _check_tray(path, config.tray)
    for name in ("grace", "patience"):
        if not 0 <= getattr(config, name) <= 600:
            raise ConfigError(
                f"{path}: {name} = {getattr(config, name)}; expected 0 to 600 seconds"
            )
    return config


def _check_camera(path: Path, camera: CameraConfig) -> None:
    if camera.driver == "url" and not camera.at.startswith(("http://", "https://", "rtsp://")):
        raise ConfigError(
            f"{path}: [tray_camera] at = {camera.at!r}; a stream's address begins with http://, "
            "https:// or rtsp://"
        )
    if camera.driver == "pi" and camera.at and not camera.at.isdecimal():
        raise ConfigError(
            f"{path}: [tray_camera] at = {camera.at!r}; expected the Pi camera's number, such as "
            '"0", or leave it out'
        )
    for name, low, high in (("width", 160, 8000), ("height", 120, 6000), ("exposure", 0, 1000)):
        if not low <= getattr(camera, name) <= high:
            raise ConfigError(
                f"{path}: [tray_camera] {name} = {getattr(camera, name)}; expected {low} to {high}"
            )


def _check_tray(path: Path, tray: TrayConfig) -> None:
    limits = {
        "width": (50, 1000),
        "depth": (50, 1000),
        "marker": (5, 100),
        "marker_out": (-100, 100),
        "marker_height": (0, 200),
        "die": (5, 60),
    }
    for name, (low, high) in limits.items():
        if not low <= getattr(tray, name) <= high:
            raise ConfigError(
                f"{path}: [tray] {name} = {getattr(tray, name)}; expected {low} to {high} mm"
            )
    if tray.camera_height and not tray.marker_height + 50 <= tray.camera_height <= 5000:
        raise ConfigError(
            f"{path}: [tray] camera_height = {tray.camera_height}; expected the lens's height "
            "above the felt in mm, or 0 where nobody measured it"
        )


def _refuse_strangers(
    path: Path, table: dict[str, Any], kind: type[msgspec.Struct], where: str
) -> None:
    """Name an unknown key with its nearest known one, before anything else is looked at."""
    fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
    for key, value in table.items():
        if key not in fields:
            near = difflib.get_close_matches(key, fields, 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(fields)}"
            raise ConfigError(f"{path}: nobody knows {where}{key!r}{hint}")
        inner = next(
            (
                kind
                for kind in (fields[key], *get_args(fields[key]))
                if isinstance(kind, type) and issubclass(kind, msgspec.Struct)
            ),
            None,
        )
        if isinstance(value, dict) and inner is not None:
            _refuse_strangers(path, cast("dict[str, Any]", value), inner, f"{key}.")
