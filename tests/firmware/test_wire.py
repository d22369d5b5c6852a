"""The lines between tray and companion: what was said arrives whole, or is counted as bad."""

from __future__ import annotations

import binascii

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.wire import LIMIT, Decoder, crc16, encode

texts = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=12)
numbers = st.integers(-(2**40), 2**40)
values: st.SearchStrategy[object] = (
    texts | numbers | st.booleans() | st.none() | st.lists(numbers, max_size=3)
)
messages: st.SearchStrategy[dict[str, object]] = st.dictionaries(texts, values, max_size=4)
lines = messages.map(encode)
torn = lines.flatmap(lambda line: st.integers(0, len(line) - 2).map(lambda end: line[:end]))
junk = st.binary(max_size=300) | torn


def heard(data: bytes, decoder: Decoder | None = None) -> list[dict[str, object]]:
    decoder = decoder or Decoder()
    return [message for byte in data if (message := decoder.feed(byte)) is not None]


@given(st.binary(max_size=300))
def test_the_checksum_is_the_one_that_python_knows(data: bytes) -> None:
    assert crc16(data) == binascii.crc_hqx(data, 0xFFFF)


@given(st.lists(messages, max_size=5))
def test_what_was_said_arrives_in_order(said: list[dict[str, object]]) -> None:
    decoder = Decoder()
    assert heard(b"".join(encode(message) for message in said), decoder) == said
    assert decoder.bad == 0


@given(messages)
def test_a_line_is_printable_and_ends_in_its_only_line_feed(message: dict[str, object]) -> None:
    line = encode(message)
    assert len(line) <= LIMIT
    assert line[-1:] == b"\n"
    assert all(0x20 <= byte <= 0x7E for byte in line[:-1])


@given(junk, messages)
def test_after_any_junk_the_next_whole_line_is_understood(
    before: bytes, message: dict[str, object]
) -> None:
    assert heard(before + b"\n" + encode(message))[-1:] == [message]


@given(lines, st.data())
def test_a_line_with_a_spoilt_byte_is_never_believed(line: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(line) - 2))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b not in (line[place], 0x0A)))
    decoder = Decoder()
    assert heard(line[:place] + bytes((byte,)) + line[place + 1 :], decoder) == []
    assert decoder.bad == 1


@given(torn.filter(bool), lines)
def test_a_torn_line_takes_the_next_with_it_and_no_more(torn: bytes, line: bytes) -> None:
    decoder = Decoder()
    assert heard(torn + line, decoder) == []
    assert decoder.bad == 1
    assert len(heard(line, decoder)) == 1


@given(lines, lines, st.data())
def test_two_lines_spoken_at_once_are_not_believed(
    one: bytes, two: bytes, data: st.DataObject
) -> None:
    place = data.draw(st.integers(1, len(one) - 2))
    decoder = Decoder()
    heard(one[:place] + two[:-1] + one[place:], decoder)
    assert decoder.bad == 1


@given(st.binary(max_size=2000))
def test_noise_is_survived_and_its_memory_bounded(noise: bytes) -> None:
    decoder = Decoder()
    heard(noise, decoder)
    assert decoder.bad <= noise.count(b"\n")
    assert heard(b"\n" + encode({"do": "beat"}), decoder)[-1] == {"do": "beat"}


def test_an_oversize_line_is_one_bad_line() -> None:
    decoder = Decoder()
    assert heard(b"{" + b"x" * 5000 + b"}*0000\n", decoder) == []
    assert decoder.bad == 1


def test_the_longest_line_arrives() -> None:
    room = LIMIT - len(encode({"a": ""}))
    message: dict[str, object] = {"a": "x" * room}
    assert len(encode(message)) == LIMIT
    assert heard(encode(message)) == [message]
    with pytest.raises(ValueError, match="a line of 201 bytes; at most 200"):
        encode({"a": "x" * (room + 1)})


def test_a_terminals_line_end_is_as_good_and_an_empty_line_is_no_line() -> None:
    decoder = Decoder()
    line = encode({"do": "beat"})
    assert heard(b"\n\r\n" + line[:-1] + b"\r\n", decoder) == [{"do": "beat"}]
    assert decoder.bad == 0


@pytest.mark.parametrize("text", [b"[1]", b"7", b'"x"', b"null", b"{,}", b"{", b"", b' {"a":1}'])
def test_a_right_sum_over_no_object_is_bad(text: bytes) -> None:
    decoder = Decoder()
    assert heard(text + b"*%04x\n" % crc16(text), decoder) == []
    assert decoder.bad == 1


@pytest.mark.parametrize("digits", [b"%04X", b"0x%x", b"+%x", b"%x "])
def test_the_sum_is_written_in_one_way_only(digits: bytes) -> None:
    text = b'{"do":"beat"}'
    assert heard(text + b"*" + digits % crc16(text) + b"\n") == []


def test_a_control_character_never_travels() -> None:
    assert b"\x03" not in encode({"text": "\x03"})
