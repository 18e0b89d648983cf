"""The starter pack, staged cases with their contexts drawn; and packs from footage, or from the staged cases."""

from cutscore.benchmarks.clvg.construction.recipe import OPTIONS, ROLES, build, read_sources
from cutscore.benchmarks.clvg.dataset import GenerationCase
from cutscore.benchmarks.clvg.staged.items import make_staged_items
from cutscore.core.files import FileStore

__all__ = ["OPTIONS", "ROLES", "build", "read_sources", "starter"]


def starter(store: FileStore) -> list[GenerationCase]:
    """Draw the contexts of all staged cases, and return their items in the order of the taxonomy."""
    return make_staged_items(store)
