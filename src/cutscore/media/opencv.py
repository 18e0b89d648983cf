"""OpenCV, loaded when somebody first works with pixels: importing a module that may use it costs nothing."""

from functools import cache
from importlib import import_module
from typing import Any


@cache
def opencv() -> Any:
    """Return the module `cv2`."""
    return import_module("cv2")
