"""Make the starter packs that the package ships anew from their recipes.

    python tools/starter.py                 # all benchmarks that have one
    python tools/starter.py colorbars       # some

Nothing changes where recipes and encoders are the same as before: `git status` tells.
"""

from __future__ import annotations

import argparse

from cutscore.authoring.starter import STARTER, write_starter
from cutscore.registry import benchmark, benchmarks


def main() -> None:
    """Write the folders and print their names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="*", help="A benchmark; all with a starter pack when none is named.")
    given = parser.parse_args()
    ours = [name for name, found in benchmarks().items() if (found.folder / STARTER).is_dir()]
    for name in given.name or ours:
        print(write_starter(benchmark(name)))


if __name__ == "__main__":
    main()
