"""The rows of a SQLite file page by page, without SQLite: for files that it cannot open any more.

Follows https://www.sqlite.org/fileformat2.html, chapters 1.3 (header), 1.6 (b-tree pages), 2.1
(records) and 4 (write-ahead log). Trees and the free list are not followed: each page that still
looks like a leaf is read by itself, so that damage elsewhere costs nothing here. What a page says
may be wrong in any way; the caller must know good rows from bad ones.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_MAGIC = b"SQLite format 3\0"
_HEADER = 100  # bytes of the first page before its tree begins
_PAGE = 4096  # bytes; what our files have, where the header cannot be read
_LEAF, _INDEX_LEAF, _INDEX_INNER = 0x0D, 0x0A, 0x02
_WAL_HEADER, _FRAME_HEADER = 32, 24
_WAL_MAGIC = (0x377F0682, 0x377F0683)
_MOST_COLUMNS = 64

Cell = tuple[int, tuple[object, ...]]
"""A row's number in its table (0 in an index) and its columns."""


class Frame(NamedTuple):
    """One page as the write-ahead log holds it; `sound`: its checksum and all before it agree.

    `commits` is true for the last frame of a transaction, `ours` where the frame belongs to the
    log's present round (older rounds may still stand behind it).
    """

    page: int
    data: bytes
    sound: bool
    commits: bool
    ours: bool


class Leaf(NamedTuple):
    """The rows of one leaf. `final`: no newer version of this page was found."""

    cells: list[Cell]
    final: bool


class Pages:
    """All pages of a file and its write-ahead log, however damaged. Raises `OSError` only."""

    def __init__(self, file: Path, log: Path) -> None:
        self._bytes = file.read_bytes() if file.exists() else b""
        self.size = _page_size(self._bytes)
        self.frames = read_log(log)
        if self.frames and not self._bytes.startswith(_MAGIC):
            self.size = len(self.frames[0].data)
        self._count = -(-len(self._bytes) // self.size)
        self._logged: dict[int, list[Frame]] = {}
        for frame in self.frames:
            if frame.ours:
                self._logged.setdefault(frame.page, []).append(frame)
        self._numbers = sorted({*range(1, self._count + 1), *self._logged})

    def leaves(self) -> Iterator[Leaf]:
        """Yield every version of every table leaf, the newest of each page marked."""
        for number in self._numbers:
            found = False
            for data, sound in self._versions(number):
                kind, cells = self._cells(number, data)
                if kind == _LEAF and cells:
                    yield Leaf(cells, not found)
                found = found or kind == _LEAF or sound
        for frame in self.frames:
            if not frame.ours:
                kind, cells = self._cells(frame.page, frame.data)
                if kind == _LEAF and cells:
                    yield Leaf(cells, False)

    def index_rows(self) -> Iterator[tuple[object, ...]]:
        """Yield the rows of every index page: they tell which rows there were."""
        for number in self._numbers:
            for data, _ in self._versions(number):
                kind, cells = self._cells(number, data)
                if kind in (_INDEX_LEAF, _INDEX_INNER):
                    yield from (columns for _, columns in cells)

    def _versions(self, number: int) -> Iterator[tuple[bytes, bool]]:
        for frame in reversed(self._logged.get(number, [])):
            yield frame.data, frame.sound
        if number <= self._count:
            yield self._main(number), True

    def _main(self, number: int) -> bytes:
        return self._bytes[(number - 1) * self.size : number * self.size]

    def _page(self, number: int) -> bytes:
        logged = self._logged.get(number)
        return logged[-1].data if logged else self._main(number)

    def _cells(self, number: int, data: bytes) -> tuple[int | None, list[Cell]]:
        """Return the kind of a page (None: no tree page) and the cells that can be read."""
        start = _HEADER if number == 1 else 0
        if len(data) < start + 8 or data[start] not in (_LEAF, _INDEX_LEAF, _INDEX_INNER, 5):
            return None, []
        kind = data[start]
        if kind == 5:
            return kind, []
        first = start + (12 if kind == _INDEX_INNER else 8)
        (count,) = struct.unpack_from(">H", data, start + 3)
        cells: list[Cell] = []
        for index in range(min(count, (len(data) - first) // 2)):
            (at,) = struct.unpack_from(">H", data, first + 2 * index)
            try:
                cells.append(self._cell(data, at, kind))
            except (IndexError, ValueError, struct.error):
                continue  # this cell is damaged, its neighbours may not be
        return kind, cells

    def _cell(self, data: bytes, at: int, kind: int) -> Cell:
        if kind == _INDEX_INNER:
            at += 4  # the page of the smaller keys
        length, at = _varint(data, at)
        row = 0
        if kind == _LEAF:
            row, at = _varint(data, at)
        return row, _columns(self._payload(data, at, length, kind))

    def _payload(self, data: bytes, at: int, length: int, kind: int) -> bytes:
        usable = self.size
        if length > len(self._bytes) + len(self.frames) * usable:
            raise ValueError("longer than the file")
        most = usable - 35 if kind == _LEAF else (usable - 12) * 64 // 255 - 23
        if length <= most:
            return _exactly(data, at, length)
        least = (usable - 12) * 32 // 255 - 23
        here = least + (length - least) % (usable - 4)
        here = here if here <= most else least
        payload = bytearray(_exactly(data, at, here))
        (following,) = struct.unpack_from(">I", data, at + here)
        while len(payload) < length:
            page = self._page(following)
            if following == 0 or len(page) < 4:
                raise ValueError("the row goes on nowhere")
            payload += page[4 : 4 + length - len(payload)]
            (following,) = struct.unpack_from(">I", page, 0)
        return bytes(payload)


def schema_number(file: Path, log: Path) -> int | None:
    """Return the `user_version` of the newest readable header, None where there is none."""
    logged = [frame.data for frame in read_log(log) if frame.page == 1 and frame.sound]
    headers = [*reversed(logged)]
    if file.exists():
        with file.open("rb") as opened:
            headers.append(opened.read(_HEADER))
    for header in headers:
        if header.startswith(_MAGIC) and len(header) >= _HEADER:
            return int.from_bytes(header[60:64], "big")
    return None


def read_log(log: Path) -> list[Frame]:
    """Return all frames of a write-ahead log, sound or not; none for a log without any."""
    return _frames(log.read_bytes() if log.exists() else b"")


def log_is_damaged(log: Path) -> bool:
    """True where steps stand in the log that SQLite would pass over in silence.

    It reads a log up to the first frame that is not sound. Behind that, the step that was being
    written when the power went may stand, but no finished one.
    """
    data = log.read_bytes() if log.exists() else b""
    frames = _frames(data)
    if not frames or all(frame.sound for frame in frames):
        return False
    if not _log_start(data)[1]:
        return any(any(frame.data) for frame in frames)
    broken = next(index for index, frame in enumerate(frames) if not frame.sound)
    return any(frame.ours and frame.commits for frame in frames[broken + 1 :])


def _log_start(data: bytes) -> tuple[str, bool, tuple[int, int]]:
    """Return the byte order of a log's checksums, whether its header is sound, and its checksum."""
    (magic,) = struct.unpack_from(">I", data)
    order = ">" if magic == _WAL_MAGIC[1] else "<"
    state = _checksum(data[:24], order, (0, 0))
    return order, magic in _WAL_MAGIC and struct.pack(">II", *state) == data[24:32], state


def _frames(data: bytes) -> list[Frame]:
    if len(data) < _WAL_HEADER + _FRAME_HEADER:
        return []
    order, sound, state = _log_start(data)
    size, salts = int.from_bytes(data[8:12], "big"), int.from_bytes(data[16:24], "big")
    if not sound:
        size, salts = _PAGE, int.from_bytes(data[_WAL_HEADER + 8 : _WAL_HEADER + 16], "big")
    frames: list[Frame] = []
    for at in range(_WAL_HEADER, len(data) - _FRAME_HEADER - size + 1, _FRAME_HEADER + size):
        page, after, salt, *check = struct.unpack_from(">IIQII", data, at)
        body = data[at + _FRAME_HEADER : at + _FRAME_HEADER + size]
        if sound:
            state = _checksum(body, order, _checksum(data[at : at + 8], order, state))
            sound = salt == salts and state == tuple(check)
        frames.append(Frame(page, body, sound, after != 0, salt == salts))
    return frames


def _page_size(data: bytes) -> int:
    if not data.startswith(_MAGIC) or len(data) < _HEADER:
        return _PAGE
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    return size if size >= 512 and size & (size - 1) == 0 else _PAGE


def _checksum(data: bytes, order: str, state: tuple[int, int]) -> tuple[int, int]:
    first, second = state
    numbers = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for even, odd in zip(numbers, numbers, strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


def _exactly(data: bytes, at: int, length: int) -> bytes:
    part = data[at : at + length]
    if len(part) != length:
        raise ValueError("the row ends too soon")
    return part


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for index in range(8):
        byte = data[at + index]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + index + 1
    value = value << 8 | data[at + 8]
    return value - (1 << 64) if value >> 63 else value, at + 9


def _columns(payload: bytes) -> tuple[object, ...]:
    """Decode one record (chapter 2.1)."""
    end, at = _varint(payload, 0)
    if end > len(payload):
        raise ValueError("a record header longer than the record")
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
        if len(kinds) > _MOST_COLUMNS:
            raise ValueError("more columns than any table has")
    values: list[object] = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != len(payload):
        raise ValueError("a record of another length than its header says")
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[object, int]:
    match kind:
        case 0:
            return None, at
        case 8 | 9:
            return kind - 8, at
        case 7:
            return struct.unpack_from(">d", payload, at)[0], at + 8
        case 1 | 2 | 3 | 4 | 5 | 6:
            length = (1, 2, 3, 4, 6, 8)[kind - 1]
            return int.from_bytes(_exactly(payload, at, length), "big", signed=True), at + length
        case _ if kind >= 12:
            length = (kind - 12) // 2
            part = _exactly(payload, at, length)
            return (part.decode("utf-8") if kind % 2 else part), at + length
        case _:
            raise ValueError("no kind of value")
