"""cutscore measures video models and video agents, and shows why each number is what it is."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("cutscore")
except PackageNotFoundError:  # a checkout on the path without an install
    __version__ = "0+unknown"
