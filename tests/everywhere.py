"""Import this first in a script of tests/, so that it finds what lies in the folders."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path += [str(folder) for folder in Path(__file__).parent.rglob("*/") if folder.is_dir()]
