"""Refuse files over 2 MB."""

import sys
from pathlib import Path

LIMIT = 2_000_000
bad = [n for n in sys.argv[1:] if Path(n).is_file() and Path(n).stat().st_size > LIMIT]
sys.exit(f"these files are over 2 MB: {', '.join(bad)}" if bad else 0)
