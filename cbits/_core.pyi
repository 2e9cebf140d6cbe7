"""The compiled core; pocket.h and pocket_build.h say what is in lib."""

from typing import Any

ffi: Any
lib: Any
