"""`table.toml` is read strictly, and says what to do about a slip."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import ConfigError, TableConfig, TrayConfig, read_config
from companion.service import tray_of
from vision.camera import Tray


def test_without_a_file_nothing_is_plugged_in() -> None:
    config = read_config(None)
    assert config == TableConfig()
    assert config.tray_camera.driver == "absent"


def test_the_readme_example_is_understood(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(
        'language = "de"\nnames = ["tisch.local"]\n[card_reader]\ndriver = "pn532"\n'
        'at = "/dev/ttyUSB0"\n',
        "utf-8",
    )
    config = read_config(path)
    assert config.language == "de"
    assert config.card_reader.at == "/dev/ttyUSB0"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("langauge = 'de'", "nobody knows 'langauge'; did you mean 'language'"),
        ("[card_reader]\ndirver = 'pn532'", "card_reader.'dirver'; did you mean 'driver'"),
        ("[card_reader]\ndriver = 'pn533'", "card_reader.driver"),
        ("[card_reader]\ndriver = 'pn532'", "names the driver 'pn532' but no `at`"),
        ("[tray_camera]\ndriver = 'usb'", "names the driver 'usb' but no `at`"),
        ("[tray_camera]\ndriver = 'url'\nat = 'phone'", "begins with http://"),
        ("[tray_camera]\ndriver = 'pi'\nat = 'left'", "expected the Pi camera's number"),
        ("[tray_camera]\nexposure = -1", "exposure = -1.0; expected 0 to 1000"),
        ("[tray]\nmaker = 20", "nobody knows tray.'maker'; did you mean 'marker'"),
        ("[tray]\nmarker = 0", "marker = 0.0; expected 5 to 100 mm"),
        ("[tray]\ncamera_height = 20", "camera_height = 20.0; expected the lens's height"),
        ("grace = 'long'", "grace"),
        ("grace = -1", "expected 0 to 600"),
        ("grace = ", "no valid TOML"),
    ],
)
def test_a_slip_is_named_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=r"table\.toml") as caught:
        read_config(path)
    assert told in str(caught.value)


def test_the_measures_of_a_tray_reach_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[tray]\nwidth = 240\nmarker = 20\n[tray_camera]\ndriver = 'pi'\n", "utf-8")
    config = read_config(path)
    assert config.tray is not None
    tray = tray_of(config.tray)
    assert tray.marker_side_mm == 20
    assert tray.marker_centres_mm == ((-12, -12), (252, -12), (252, 162), (-12, 162))
    assert tray_of(TrayConfig()) == Tray()


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file; write one"):
        read_config(tmp_path / "table.toml")
