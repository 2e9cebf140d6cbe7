"""The compiled libcmph adapter; cmph_adapter.h says what is in lib."""

from typing import Any

ffi: Any
lib: Any
