"""Inspect's way in (`inspect eval cutscore/NAME`): importing this module registers the task of every folder here.

Folders are found by their cards, as everywhere else; there is no list to edit. A benchmark of another package has
an entry point of its own and runs as `inspect eval ITS_PACKAGE/NAME`.
"""

import cutscore.environments.sandbox.inspect_provider  # registers the box as a sandbox
import cutscore.models.scripted  # noqa: F401  registers the offline model
from cutscore import registry

for _found in registry.benchmarks().values():
    # Somebody else's package must not be able to keep ours from loading.
    if _found.package.startswith("cutscore."):
        _found.part("task")
