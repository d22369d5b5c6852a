"""Every kind of camera brings frames to the same driver, is lost, and is found again."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.config import CameraConfig
from companion.devices.cameras import FolderSource, VideoFile, stream, usb_camera
from companion.devices.frames import CameraTrouble, FrameSource
from companion.devices.pi_camera import PiLight, pi_camera
from companion.devices.simulated_camera import SimulatedTray
from companion.devices.tray_camera import TrayCamera
from companion.devices.usb_light import FINDING, UsbLight
from companion.service import source_of
from tests.devices.mjpeg import Mjpeg
from tests.devices.network_camera import NetworkCamera
from tests.devices.rtsp import Rtsp
from tests.devices.test_tray_camera import Bench, faces
from vision.learn import find_set
from vision.seen import Picture

STAND_IN = Path(__file__).parent / "pi_camera_stand_in"
RATE = 12.0


@pytest.fixture(scope="module")
def thrown_film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of one throw: the empty tray, dice that roll, and dice that lie."""
    path = tmp_path_factory.mktemp("films") / "throw.avi"
    now = 100.0
    tray = SimulatedTray(seed=11, clock=lambda: now)
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), RATE, (960, 720))
    assert film.isOpened()
    for frame in range(30):
        if frame == 10:
            tray.throw([("black", "helmet"), ("white", "shield")], random.Random(3))
        film.write(tray.picture(now))
        now += 1 / RATE
    film.release()
    return path


@pytest.fixture
def watched() -> Iterator[Callable[[FrameSource], Bench]]:
    """The tray camera's driver on a source; it ends with the test."""
    cameras: list[TrayCamera] = []

    def watch(source: FrameSource) -> Bench:
        bench = Bench()
        camera = TrayCamera(source, find_set("battle", Path("nowhere")), "battle")
        cameras.append(camera)
        camera.start(bench)
        return bench

    yield watch
    for camera in cameras:
        camera.stop()


# ---- a film, a folder


def test_a_film_is_watched_like_a_camera(
    thrown_film: Path, watched: Callable[[FrameSource], Bench]
) -> None:
    bench = watched(VideoFile(thrown_film))
    assert faces(bench.throw()) == [("black", "helmet"), ("white", "shield")]


def test_the_last_picture_of_a_film_stays(tmp_path: Path) -> None:
    path = tmp_path / "short.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, (160, 120))
    for level in (40, 80, 120):
        film.write(np.full((120, 160, 3), level, np.uint8))
    film.release()
    source = VideoFile(path)
    source.open()
    seen = [source.read() for _ in range(5)]
    source.close()
    levels = [round(float(frame.mean())) for _, frame in filter(None, seen)]
    assert levels == pytest.approx([40, 80, 120, 120, 120], abs=3)


@pytest.mark.parametrize(
    ("make", "key"),
    [
        (lambda folder: VideoFile(folder / "none.mp4"), "camera.no_film"),
        (lambda folder: VideoFile(folder / "text.mp4"), "camera.no_video"),
        (lambda folder: FolderSource(folder / "empty"), "camera.no_pictures"),
        (lambda folder: usb_camera(str(folder / "none"), 640, 480), "camera.missing"),
        (lambda folder: usb_camera("/dev/null", 640, 480), "camera.unopened"),
        (lambda folder: pi_camera(0, 640, 480), "camera.no_library"),
    ],
)
def test_what_cannot_be_opened_says_what_to_do(
    make: Callable[[Path], FrameSource],
    key: str,
    tmp_path: Path,
    watched: Callable[[FrameSource], Bench],
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.mp4").write_text("no film")
    bench = watched(make(tmp_path))
    state = bench.states.get(timeout=15)
    while state.trouble is None:
        state = bench.states.get(timeout=15)
    assert state.condition == "waiting"
    assert (state.trouble.seen.key, state.trouble.do.key) == (key, f"{key}.do")


def test_a_folder_of_pictures_is_read_in_order(tmp_path: Path) -> None:
    for name, level in (("b.png", 80), ("a.JPG", 40)):
        cv2.imwrite(str(tmp_path / name), np.full((120, 160, 3), level, np.uint8))
    source = FolderSource(tmp_path, fps=100)
    source.open()
    levels = [float(frame.mean()) for _, frame in filter(None, [source.read() for _ in range(3)])]
    assert levels == pytest.approx([40, 80, 80], abs=2)


# ---- a network stream


@pytest.fixture(params=[Mjpeg, Rtsp], ids=["mjpeg", "rtsp"])
def network_camera(
    request: pytest.FixtureRequest,
) -> Iterator[Callable[[Callable[[int], Picture]], NetworkCamera]]:
    servers: list[NetworkCamera] = []

    def serve(draw: Callable[[int], Picture]) -> NetworkCamera:
        server = NetworkCamera(request.param(), draw)
        servers.append(server)
        server.plug()
        return server

    yield serve
    for server in servers:
        server.pull()


def test_a_network_camera_is_lost_and_found_again(
    network_camera: Callable[[Callable[[int], Picture]], NetworkCamera],
    watched: Callable[[FrameSource], Bench],
) -> None:
    empty = SimulatedTray(seed=4).picture(0.0)
    server = network_camera(lambda number: empty)
    bench = watched(stream(server.address))
    bench.wait_for("ready")
    server.pull()
    gone = bench.wait_for("gone")
    assert gone.trouble is not None
    assert gone.trouble.seen.key in ("camera.lost", "camera.silent")
    assert gone.trouble.seen.values == {"at": server.address}
    server.plug()
    bench.wait_for("ready")


def test_a_throw_is_read_from_a_network_camera(
    network_camera: Callable[[Callable[[int], Picture]], NetworkCamera],
    watched: Callable[[FrameSource], Bench],
) -> None:
    tray = SimulatedTray(seed=11)
    server = network_camera(lambda number: tray.picture(time.monotonic()))
    bench = watched(stream(server.address))
    bench.wait_for("ready")
    tray.throw([("black", "helmet"), ("white", "shield")], random.Random(3))
    assert faces(bench.throw()) == [("black", "helmet"), ("white", "shield")]


def test_who_reads_seldom_gets_the_newest_frame(
    network_camera: Callable[[Callable[[int], Picture]], NetworkCamera],
) -> None:
    server = network_camera(lambda number: np.full((120, 160, 3), 2 * number % 250, np.uint8))
    source = stream(server.address)
    source.open()
    got = None
    while got is None:
        got = source.read()
    first = round(float(got[1].mean()) / 2)
    server.wait_until_sent(first + 40)
    source.read()
    server.wait_until_sent(first + 50)
    got = source.read()
    source.close()
    assert got is not None
    assert round(float(got[1].mean()) / 2) > first + 35


def test_a_password_in_an_address_is_shown_to_nobody() -> None:
    source = stream("http://hausherr:geheim@127.0.0.1:9/video?key=geheim")
    with pytest.raises(CameraTrouble) as caught:
        source.open()
    assert caught.value.seen.values == {"at": "http://127.0.0.1:9/video"}
    assert "geheim" not in str(caught.value)


# ---- the Pi's own camera, on a stand-in of its library


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> Iterator[type]:
    """The Pi camera's library on the path; answers what the tests may do behind it."""
    monkeypatch.syspath_prepend(str(STAND_IN))
    sys.modules.pop("picamera2", None)
    import picamera2  # pyright: ignore[reportMissingImports]

    picamera2.Scene.fresh()
    yield picamera2.Scene
    sys.modules.pop("picamera2", None)


def next_frame(source: FrameSource) -> tuple[float, Picture]:
    for _ in range(60):
        got = source.read()
        if got is not None:
            return got
    raise AssertionError("no frame came")


def test_the_pi_camera_holds_the_light_it_found(pi: type) -> None:
    source = pi_camera(0, 640, 480)
    source.open()
    began, frame = next_frame(source)
    figures = source.figures()
    source.close()
    assert frame.shape == (480, 640, 3)
    assert frame[0, 0].tolist() == [100, 110, 120]
    assert began > 0
    finding, holding = pi.told
    assert finding == {"AeEnable": True, "AwbEnable": True, "AfMode": 2}
    assert holding["AeEnable"] is False
    assert holding["AwbEnable"] is False
    assert holding["AfMode"] == 0
    assert holding["LensPosition"] == 2.2
    # 8 ms fit this scene, 33 ms it began with.
    assert holding["ExposureTime"] < 12_000
    assert figures["exposure_ms"] == round(holding["ExposureTime"] / 1000, 1)
    assert pi.open == 0


def test_frames_in_another_light_do_not_count(pi: type) -> None:
    source = pi_camera(0, 640, 480)
    source.open()
    next_frame(source)
    pi.flips = True
    blues = {int(next_frame(source)[1][0, 0, 0]) for _ in range(12)}
    source.close()
    assert blues == {100}
    assert pi.given_back == pi.served


def test_a_pi_camera_whose_ribbon_came_off_is_lost_and_found(
    pi: type, watched: Callable[[FrameSource], Bench]
) -> None:
    bench = watched(pi_camera(0, 640, 480))
    state = bench.wait_for("waiting")
    while state.trouble is None:  # the stand-in's grey scene has no corners
        state = bench.wait_for("waiting")
    assert state.trouble.seen.key == "camera.markers"
    pi.pulled = True
    gone = bench.wait_for("gone")
    assert gone.trouble is not None
    assert gone.trouble.seen.key == "camera.lost"
    pi.pulled = False
    assert bench.wait_for("waiting").trouble is not None


def test_a_number_that_no_pi_camera_has_is_told(pi: type) -> None:
    with pytest.raises(CameraTrouble) as caught:
        pi_camera(3, 640, 480).open()
    assert caught.value.seen.values == {"n": 3, "count": 1}


def test_a_wanted_exposure_is_made_up_for_by_gain() -> None:
    controls = ("AeEnable", "ExposureTime", "AnalogueGain")
    light = PiLight(controls, exposure_ms=5.0)
    record = {"ExposureTime": 20_000, "AnalogueGain": 1.5, "ColourGains": (1.8, 1.5)}
    told = [light.look(record, now=0.1 * n) for n in range(10)]
    held = next(change for change in told if change)
    assert held == {"AeEnable": False, "ExposureTime": 5_000, "AnalogueGain": 6.0}


def test_a_light_that_never_calms_is_held_after_a_while() -> None:
    light = PiLight(("AeEnable", "ExposureTime"))
    changes = [
        light.look({"ExposureTime": 10_000 + 3_000 * (n % 2)}, now=0.2 * n) for n in range(30)
    ]
    assert sum(bool(change) for change in changes) >= 1
    assert not any(changes[:15])


# ---- a USB camera's settings


class UsbSettings:
    """A USB camera's settings as V4L2 has them: what is automatic refuses values."""

    def __init__(self, deaf: tuple[int, ...] = ()) -> None:
        self._deaf = deaf
        self.now: dict[int, float] = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3,
            cv2.CAP_PROP_EXPOSURE: 157,
            cv2.CAP_PROP_GAIN: 20,
            cv2.CAP_PROP_AUTO_WB: 1,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600,
            cv2.CAP_PROP_AUTOFOCUS: 1,
            cv2.CAP_PROP_FOCUS: 35,
        }

    def get(self, propId: int) -> float:  # noqa: N803
        return self.now.get(propId, 0)

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        by_itself = {
            cv2.CAP_PROP_EXPOSURE: self.now[cv2.CAP_PROP_AUTO_EXPOSURE] != 1,
            cv2.CAP_PROP_WB_TEMPERATURE: self.now[cv2.CAP_PROP_AUTO_WB] == 1,
            cv2.CAP_PROP_FOCUS: self.now[cv2.CAP_PROP_AUTOFOCUS] == 1,
        }
        if propId in self._deaf or by_itself.get(propId, False):
            return False
        self.now[propId] = value
        return True


def test_a_usb_camera_finds_its_light_and_then_holds_it() -> None:
    settings = UsbSettings()
    light = UsbLight(settings)
    assert not light.found(0.0)
    settings.now[cv2.CAP_PROP_EXPOSURE] = 83  # it found this by itself
    assert not light.found(FINDING - 0.1)
    assert settings.now[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
    assert not light.found(FINDING)
    assert light.found(FINDING + 0.1)
    assert settings.now[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert settings.now[cv2.CAP_PROP_EXPOSURE] == 83
    assert settings.now[cv2.CAP_PROP_AUTO_WB] == 0
    assert settings.now[cv2.CAP_PROP_AUTOFOCUS] == 0
    assert light.figures() == {"exposure_ms": 8.3}


def test_a_usb_camera_takes_the_exposure_of_table_toml() -> None:
    settings = UsbSettings()
    light = UsbLight(settings, exposure_ms=10.0)
    light.found(0.0)
    light.found(FINDING)
    assert settings.now[cv2.CAP_PROP_EXPOSURE] == 100


def test_what_a_usb_camera_does_not_hold_is_shown() -> None:
    deaf = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTOFOCUS)
    light = UsbLight(UsbSettings(deaf))
    light.found(0.0)
    light.found(FINDING)
    figures = light.figures()
    assert figures["held_exposure"] == "no"
    assert figures["held_focus"] == "no"
    assert "held_white_balance" not in figures


# ---- table.toml


@pytest.mark.parametrize("driver", ["usb", "pi", "url", "video", "folder"])
def test_table_toml_names_every_kind(driver: str) -> None:
    config = CameraConfig(driver=driver, at="" if driver == "pi" else "somewhere")  # type: ignore[arg-type]
    source = source_of(config)
    with pytest.raises(CameraTrouble):
        source.open()
