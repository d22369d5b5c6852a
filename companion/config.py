"""`table.toml`: what stands at this table. Read strictly, with an error that names the line.

```toml
language = "de"                # of the big screen
names = ["tisch.local"]        # further host names under which phones may come
grace = 4.0                    # seconds a certain roll waits before it is taken (0: only by tap)
patience = 30.0                # seconds before a patient question takes its default (0: never)
dice_set = "battle"

[tray_camera]
driver = "usb"                 # usb, url, video, folder, absent
at = "/dev/v4l/by-id/..."

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
from typing import Any, Literal, cast

import msgspec


class ConfigError(Exception):
    """`table.toml` cannot be used: what was seen, what was expected, what to do."""


class CameraConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which tray camera."""

    driver: Literal["usb", "url", "video", "folder", "absent"] = "absent"
    at: str = ""
    width: int = 1280
    height: int = 720


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

    language: Literal["en", "de"] = "en"
    names: tuple[str, ...] = ()
    grace: float = 4.0
    patience: float = 30.0
    dice_set: str = "battle"
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
        if device.driver != "absent" and not device.at:
            raise ConfigError(
                f"{path}: [{name}] names the driver {device.driver!r} but no `at`; "
                'add the device\'s path, such as at = "/dev/ttyUSB0"'
            )
    for name in ("grace", "patience"):
        if not 0 <= getattr(config, name) <= 600:
            raise ConfigError(
                f"{path}: {name} = {getattr(config, name)}; expected 0 to 600 seconds"
            )
    return config


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
        inner = fields[key]
        if (
            isinstance(value, dict)
            and isinstance(inner, type)
            and issubclass(inner, msgspec.Struct)
        ):
            _refuse_strangers(path, cast("dict[str, Any]", value), inner, f"{key}.")
