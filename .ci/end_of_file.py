"""Refuse text files that do not end with exactly one newline."""

import sys
from pathlib import Path

bad = [
    name
    for name in sys.argv[1:]
    if (text := Path(name).read_bytes()) and (not text.endswith(b"\n") or text.endswith(b"\n\n"))
]
sys.exit(f"these files must end with one newline: {', '.join(bad)}" if bad else 0)
