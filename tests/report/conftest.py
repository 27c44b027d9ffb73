"""Puts this folder on the path, so that the tests of the pictures can import pictures.py."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
