"""What one sample needs while it works, by which it is settled how many work at once."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Resources:
    """Needs of one sample of a subject.

    Args:
        processors: Processors that it keeps busy; 0 for one that waits for somebody else (a model, a service).
        memory_bytes, disk_bytes: What it takes at its peak.
    """

    processors: float = 0.0
    memory_bytes: int = 0
    disk_bytes: int = 0
