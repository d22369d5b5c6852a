"""The simulated chip, judged by nfcpy as it is installed: its opening, its tags, its errors."""

from __future__ import annotations

import contextlib
import errno
import termios
from collections.abc import Callable, Iterator
from typing import Any

import nfc
import nfc.tag
import pytest
import serial
from nfc.clf import pn532, transport

from companion.devices.simulated_card_reader import SimulatedCardReader
from companion.devices.simulated_pn532 import ERROR_FRAME, SimulatedPn532
from companion.devices.simulated_tags import Ntag, TagKind, make_tag

FRIGG = "04a1b2c3d4e5f6"
VERSION = bytes.fromhex("0000ff02fed4022a00")
ACK = bytes.fromhex("0000ff00ff00")


@pytest.fixture
def reader() -> Iterator[SimulatedCardReader]:
    reader = SimulatedCardReader(hand=0)
    reader.start()
    yield reader
    reader.stop()


@contextlib.contextmanager
def stock(reader: SimulatedCardReader) -> Iterator[Any]:
    """nfcpy's own opening, with its change of speed, and its own closing."""
    frontend = nfc.ContactlessFrontend()
    frontend.device = opened(reader)
    frontend.device._path = reader.port
    try:
        yield frontend
    finally:
        frontend.close()


def opened(reader: SimulatedCardReader) -> Any:
    """Open as nfcpy does.

    Right after the word that ends the change of speed it reopens the port and thereby flushes it,
    so on a busy machine that word can be lost and the chip stays behind: then the plug is pulled.
    """
    for _ in range(9):
        try:
            return pn532.init(transport.TTY(reader.port))
        except OSError:
            reader.unplug()
            reader.plug()
    raise AssertionError("nfcpy never opened it")


def sense(frontend: Any) -> Any:
    return frontend.sense(nfc.clf.RemoteTarget("106A"), iterations=1)


def activate(frontend: Any) -> Any:
    return nfc.tag.activate(frontend, sense(frontend))


def test_nfcpy_opens_it_speeds_it_up_and_leaves_it_at_home(reader: SimulatedCardReader):
    with stock(reader) as frontend:
        assert str(frontend.device.chipset_name) == "PN532v1.6"
        assert reader.chip.speed == 921600
    assert reader.chip.speed == 115200
    with stock(reader):  # wakes it from its sleep
        assert reader.chip.speed == 921600


def test_an_empty_reader_senses_nothing(reader: SimulatedCardReader):
    with stock(reader) as frontend:
        assert sense(frontend) is None


@pytest.mark.parametrize(
    ("kind", "product", "room"),
    [("NTAG213", "NTAG213", 137), ("NTAG215", "NTAG215", 492), ("NTAG216", "NTAG216", 868)],
)
def test_a_sticker_is_recognised_written_and_read_back(
    reader: SimulatedCardReader, kind: TagKind, product: str, room: int
):
    reader.place(FRIGG, kind)
    with stock(reader) as frontend:
        tag = activate(frontend)
        assert product in tag.product
        assert tag.identifier.hex() == FRIGG
        assert tag.ndef.capacity == room
        tag.ndef.octets = b"\xd1\x01\x08T\x02enFrigg"
        again = activate(frontend)
        assert again.ndef.records[0].text == "Frigg"


def test_a_torn_page_leaves_a_sticker_without_ndef_and_with_its_uid(reader: SimulatedCardReader):
    tag = Ntag(bytes.fromhex(FRIGG))
    tag.memory[20:24] = bytes.fromhex("ffffffff")
    tag.tear(4)
    tag.memory[16:18] = b"\x03\xff"  # a length that leads nowhere
    reader.chip.put(tag)
    with stock(reader) as frontend:
        found = activate(frontend)
        assert found.ndef is None
        assert found.identifier.hex() == FRIGG


def test_a_card_pulled_in_mid_read_has_told_its_uid_and_says_no_more(reader: SimulatedCardReader):
    reader.pull_in_mid_read()
    reader.place(FRIGG)
    with stock(reader) as frontend:
        target = sense(frontend)
        assert target.sdd_res.hex() == FRIGG
        with pytest.raises(nfc.clf.TimeoutError):
            frontend.exchange(b"\x30\x00", timeout=0.01)
        assert sense(frontend) is None


def test_a_starter_kit_card_tells_its_uid_and_nothing_more(reader: SimulatedCardReader):
    reader.place("a1b2c3d4", "Classic 1K")
    with stock(reader) as frontend:
        target = sense(frontend)
        assert (target.sdd_res.hex(), target.sel_res.hex()) == ("a1b2c3d4", "08")
        with pytest.raises(nfc.clf.TimeoutError):
            frontend.exchange(b"\x30\x00", timeout=0.01)


def test_a_refused_command_silences_a_sticker_until_it_is_searched_again():
    tag = Ntag(bytes.fromhex(FRIGG))
    assert tag.answer(b"\x1a\x00") == b"\x00"
    assert tag.answer(b"\x30\x00") is None
    tag.meet()
    assert tag.answer(b"\x30\x00") is not None


def test_reading_past_the_last_page_starts_over():
    tag = Ntag(bytes.fromhex(FRIGG))
    said = tag.answer(b"\x30\x2c")
    assert said is not None
    assert said[4:] == tag.memory[:12]
    assert tag.answer(b"\x30\x2d") == b"\x00"


def test_a_uid_of_the_wrong_length_is_told_apart():
    with pytest.raises(ValueError, match="14 hex digits"):
        make_tag("04a1b2c3", "NTAG213")


@pytest.mark.parametrize(
    ("fault", "raised"),
    [
        ("cut", lambda e: isinstance(e, IndexError)),
        ("short", lambda e: isinstance(e, OSError) and e.errno == errno.EIO),
        ("noise", lambda e: isinstance(e, OSError) and e.errno == errno.EIO),
        ("bad_sum", lambda e: isinstance(e, OSError) and e.errno == errno.EIO),
        ("extra", lambda e: isinstance(e, OSError)),
        ("no_answer", lambda e: isinstance(e, OSError) and e.errno == errno.ETIMEDOUT),
        ("silence", lambda e: isinstance(e, OSError) and e.errno == errno.EIO),
    ],
)
def test_each_fault_meets_nfcpy_as_bad_hardware_does(
    reader: SimulatedCardReader, fault: Any, raised: Callable[[Exception], bool]
):
    reader.place(FRIGG)
    with stock(reader) as frontend:
        reader.fault(fault, command=0x4A)
        with pytest.raises(Exception) as caught:  # noqa: PT011 - of any type, that is the point
            sense(frontend)
        assert raised(caught.value), repr(caught.value)
        assert sense(frontend).sdd_res.hex() == FRIGG  # the next command works


def test_nfcpy_copes_with_a_missing_acknowledgement(reader: SimulatedCardReader):
    reader.place(FRIGG)
    with stock(reader) as frontend:
        reader.fault("no_ack", command=0x4A)
        assert sense(frontend).sdd_res.hex() == FRIGG


def test_at_another_speed_it_answers_nothing():
    chip = SimulatedPn532()
    chip.receive(bytes(16), 115200)
    assert chip.receive(VERSION, 921600) == b""
    assert chip.receive(VERSION, 115200).startswith(ACK)


def test_asleep_it_loses_what_wakes_it():
    chip = SimulatedPn532()
    assert chip.receive(VERSION, 115200) == b""
    assert chip.receive(VERSION, 115200).startswith(ACK)


def test_the_speed_changes_only_when_the_host_acknowledged():
    chip = SimulatedPn532()
    chip.receive(bytes(16), 115200)
    chip.receive(bytes.fromhex("0000ff03fdd410081400"), 115200)
    assert chip.speed == 115200
    chip.receive(ACK, 115200)
    assert chip.speed == 1288000


def test_a_frame_may_come_in_pieces_and_a_spoilt_one_is_passed_over():
    chip = SimulatedPn532()
    chip.receive(bytes(16), 115200)
    spoilt = VERSION[:-2] + b"\x2b\x00"
    assert chip.receive(spoilt, 115200) == b""
    assert chip.receive(VERSION[:4], 115200) == b""
    assert chip.receive(VERSION[4:], 115200).startswith(ACK)


def test_a_command_it_does_not_know_is_a_syntax_error():
    chip = SimulatedPn532()
    chip.receive(bytes(16), 115200)
    assert chip.receive(bytes.fromhex("0000ff02fed477b500"), 115200) == ACK + ERROR_FRAME


def test_it_repeats_its_answer_when_the_host_did_not_understand():
    chip = SimulatedPn532()
    chip.receive(bytes(16), 115200)
    answer = chip.receive(VERSION, 115200)
    assert chip.receive(bytes.fromhex("0000ffff0000"), 115200) == answer[6:]


def test_the_cable_comes_back_under_the_same_name(reader: SimulatedCardReader):
    with serial.Serial(reader.port, 115200, timeout=0.2) as host:
        reader.unplug()
        with pytest.raises(termios.error):  # which is no OSError
            host.reset_input_buffer()
    with pytest.raises(serial.SerialException):
        serial.Serial(reader.port)
    reader.plug()
    with serial.Serial(reader.port, 115200, timeout=1) as host:
        host.write(bytes(16) + VERSION)
        assert host.read(6) == ACK
