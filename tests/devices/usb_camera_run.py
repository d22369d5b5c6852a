"""Run in a process of its own, in which the V4L2 stand-in answers: open, watch, tell as JSON.

Arguments: the camera's path, exposure in milliseconds, and the JPEG that is taken away in the end.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from companion.devices.cameras import usb_camera
from companion.devices.frames import CameraTrouble


def main() -> None:
    at, exposure, jpeg = sys.argv[1], float(sys.argv[2]), Path(sys.argv[3])
    source = usb_camera(at, 1280, 720, exposure)
    source.open()
    got = None
    while got is None:
        got = source.read()
    arrived = time.monotonic()
    told = {
        "shape": list(got[1].shape),
        "colour": [int(value) for value in got[1][360, 640]],
        "began_before": got[0] < arrived,
        "figures": source.figures(),
    }
    jpeg.unlink()  # the plug is pulled
    try:
        while True:
            source.read()
    except CameraTrouble as trouble:
        told["lost"] = trouble.seen.key
    source.close()
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
